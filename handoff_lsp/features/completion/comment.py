"""Completion inside our own comments: ``<!-- handoff: … -->`` and ``<!-- handoff-ignore: … -->``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from handoff_lsp.contracts.registry import Registry
from handoff_lsp.engine import Analysis
from handoff_lsp.features.completion.item import CompletionItem, make_edit
from handoff_lsp.features.pages.contract_pages import contract_key, field_key, rule_key
from handoff_lsp.language import later, say, translated
from handoff_lsp.recognition.paths import is_data_file
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.writing.skeleton import Skeleton

_COPY = lazy_pattern(
    r"<!--\s*handoff:\s*begin\s+(?P<before>(?:[\w-]+=\S+\s+)*)(?:(?P<option>[\w-]+)=)?(?P<word>[\w.-]*)$"
)
_GIVEN = lazy_pattern(r"([\w-]+)=(\S+)")
_MODELINE = lazy_pattern(
    r"<!--\s*handoff:\s*(?:(?P<contract>[\w-]+)\s+(?:\S+\s+)*)?(?:(?P<option>\w+)=)?(?P<word>[\w.-]*)$"
)
_IGNORE = lazy_pattern(
    r"<!--\s*handoff-ignore(?:-block|-file)?\s*:\s*(?P<before>(?:[\w./-]+[,\s]+)*)(?P<word>[\w./-]*)$"
)
_WORD = lazy_pattern(r"[\w./-]*")
_MODES = {
    "handoff": later("A real handoff: everything is checked."),
    "template": later("Declares what is to be filled in."),
    "example": later("Only shows the format: not checked unless asked."),
}


_PARTS = {
    "skeleton": later("A handoff to fill in."),
    "values": later("The values of a field, and what happens then."),
    "fields": later("The fields, and when they are required."),
    "schema": later("The JSON Schema."),
    "example": later("A sound handoff."),
}


def items(analysis: Analysis, offset: int, registry: Registry) -> list[CompletionItem] | None:
    """The items for the comment at ``offset``; None outside of our own comments."""
    source = analysis.source
    if is_data_file(analysis.path):
        return None  # comments are not read there
    before = source.text[source.lines.line_start(source.lines.line_of(offset)) : offset]
    start = before.rfind("<!--")
    if start < 0 or "-->" in before[start:]:
        return None
    node = analysis.tree.block_at(offset)
    if node is not None and node.kind in {"fence", "code", "front-matter"}:
        return None
    copy = _COPY.match(before[start:])
    if copy is not None:
        return list(_copy(analysis, offset, registry, copy))
    modeline = _MODELINE.match(before[start:])
    if modeline is not None:
        return list(_modeline(analysis, offset, registry, modeline))
    ignore = _IGNORE.match(before[start:])
    return list(_rules(analysis, offset, ignore)) if ignore is not None else None


def _item(
    analysis: Analysis, offset: int, word: str, label: str, detail: str, key: str, *, last: bool = True
) -> CompletionItem:
    text = analysis.source.text
    typed = _WORD.match(text, offset)
    end = typed.end() if typed else offset
    rest = text[end : analysis.source.lines.line_end(analysis.source.lines.line_of(offset))]
    tail = " -->" if last and "-->" not in rest else ""
    edit = make_edit(text, Span(offset - len(word), end), Skeleton(label + tail, label + tail))
    return CompletionItem(label, "value", edit, detail, key=key)


def _modeline(analysis: Analysis, offset: int, registry: Registry, found: re.Match[str]) -> Iterator[CompletionItem]:
    name, option, word = found["contract"], found["option"], found["word"]
    if name is None and option is None:
        for entry in registry:
            yield _item(analysis, offset, word, entry.name, entry.contract.title, contract_key(entry.name))
        yield _item(analysis, offset, word, "begin", say("A copy of a part of a contract"), "", last=False)
    elif option == "profile" and name in registry:
        for profile, declared in registry[name].contract.profiles.items():
            yield _item(analysis, offset, word, profile, declared.about, contract_key(name))
    elif option == "mode":
        for mode, about in _MODES.items():
            yield _item(analysis, offset, word, mode, translated(about), "")
    elif option is None and name in registry:
        yield _item(analysis, offset, word, "profile=", say("Its version or variant"), contract_key(name), last=False)
        yield _item(analysis, offset, word, "mode=", say("What the document is"), contract_key(name), last=False)


def _copy(analysis: Analysis, offset: int, registry: Registry, found: re.Match[str]) -> Iterator[CompletionItem]:
    """The words of the comment that begins a marked copy."""
    given, option, word = dict(_GIVEN.findall(found["before"])), found["option"], found["word"]
    name, part = given.get("contract", ""), given.get("part", "")
    entry = next((each for each in registry if each.name == name), None)
    if option is None:
        wanted = [("contract", say("Its contract")), ("part", say("What is copied"))]
        wanted += [("profile", say("Its version or variant"))] if entry is not None else []
        wanted += [("field", say("The field of a table of values"))] if entry is not None and part == "values" else []
        for label, about in wanted:
            if label not in given:
                yield _item(analysis, offset, word, f"{label}=", about, "", last=False)
    elif option == "contract":
        for each in registry:
            yield _item(
                analysis, offset, word, each.name, each.contract.title, contract_key(each.name), last=bool(part)
            )
    elif option == "part":
        for label, about in _PARTS.items():
            yield _item(analysis, offset, word, label, translated(about), "", last=entry is not None)
    elif option == "profile" and entry is not None:
        for profile, declared in entry.contract.profiles.items():
            yield _item(analysis, offset, word, profile, declared.about, contract_key(name), last=bool(part))
    elif option == "field" and entry is not None:
        profile = given.get("profile", "")
        spec = entry.spec(profile if profile in entry.contract.profiles else entry.contract.default_profile)
        for path, field in spec.walk():
            if field.kind.is_choice and field.offered:
                yield _item(analysis, offset, word, path, field.about, field_key(spec, path))


def _rules(analysis: Analysis, offset: int, found: re.Match[str]) -> Iterator[CompletionItem]:
    written = set(re.findall(r"[\w./-]+", found["before"]))
    reported = {finding.code for finding in analysis.findings}
    # A rule that reports something here is the most likely one to silence.
    for code, rule in sorted(all_rules().items(), key=lambda entry: entry[0] not in reported):
        if code not in written:
            yield _item(analysis, offset, found["word"], code, rule.summary, rule_key(code))
    checks = {finding.check: finding.message for finding in analysis.findings if finding.check is not None}
    for name, message in checks.items():
        if name not in written:
            yield _item(analysis, offset, found["word"], name, message, rule_key(name))
