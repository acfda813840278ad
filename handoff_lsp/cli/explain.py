"""``handoff-lsp explain``: what a rule, a contract, a profile or a field is about."""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator

from handoff_lsp.cli.new import resolver_for
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.usage import CLEAN, UsageError, did_you_mean
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.registry import Entry, Registry
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.features import pages
from handoff_lsp.features.markup import code, prose
from handoff_lsp.rules.registry import all_rules

_WIDEST = 100


def explain(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    registry = resolver_for(arguments, None).registry(None)
    if arguments.list:
        if arguments.name is not None:
            raise UsageError("`--list` names everything: leave out either it or the name", "explain")
        page = listing(registry)
    elif arguments.name is None:
        raise UsageError("give a rule, CONTRACT or CONTRACT.FIELD; `--list` names all rules and contracts", "explain")
    else:
        page = page_for(arguments.name, registry)
    text = page if arguments.output_format == "markdown" else as_text(page, _columns())
    sys.stdout.write("\n".join(printable(line) for line in text.split("\n")).rstrip("\n") + "\n")
    return CLEAN


def _columns() -> int:
    return max(min(shutil.get_terminal_size((_WIDEST, 24)).columns, _WIDEST), 40)


def page_for(name: str, registry: Registry) -> str:
    """The page about what a name stands for, as Markdown. Raises UsageError where it stands for nothing."""
    found = pages.rule_page(name)
    if found is not None:
        return found
    contract, profile, path = split_name(name, registry)
    if contract not in registry:
        known = [*all_rules(), *registry.names]
        hint = did_you_mean(contract, known) or ": `handoff-lsp explain --list` names all rules and contracts"
        raise UsageError(f"there is no rule or contract `{contract}`{hint}", "explain")
    entry = registry[contract]
    profiles = entry.contract.profiles
    if profile is not None and profile not in profiles:
        hint = did_you_mean(profile, profiles) or f"; it has {', '.join(profiles)}"
        raise UsageError(f"the contract `{contract}` has no profile `{profile}`{hint}", "explain")
    if not path:
        return _contract(entry, profile)
    path, _, value = path.partition("=")
    spec = entry.spec(profile or entry.contract.default_profile)
    path = _spelled(path, entry, spec.profile)
    # What is not in the default profile may be in another one.
    for candidate in (spec, *(entry.spec(other) for other in profiles if profile is None)):
        field = pages.field_at(candidate, path)
        if field is not None:
            return _value(candidate, path, field, value) if value else pages.field_page(candidate, path, field)
    hint = did_you_mean(path, [known for known, _ in pages.all_fields(spec)])
    hint = hint or f": `handoff-lsp explain {contract}@{spec.profile}` names its fields"
    raise UsageError(f"the profile `{spec.profile}` of `{contract}` has no field `{path}`{hint}", "explain")


def _value(spec: Spec, path: str, field: Field, word: str) -> str:
    known = {value.value: value for value in field.values}
    folded = {name.casefold(): value for name, value in known.items()}
    found = known.get(word) or folded.get(word.casefold())
    if found is not None:
        return pages.value_page(spec, path, field, found)
    hint = did_you_mean(word, known) or (f"; they are {', '.join(known)}" if known else "; it has none to choose from")
    raise UsageError(f"`{word}` is not a value of `{path}`{hint}", "explain")


def split_name(name: str, registry: Registry) -> tuple[str, str | None, str]:
    """``CONTRACT[@PROFILE][.FIELD]`` in its parts. Names of profiles may hold dots."""
    contract, at, rest = name.partition("@")
    if not at:
        contract, _, path = name.partition(".")
        return contract, None, path
    profiles = registry[contract].contract.profiles if contract in registry else {}
    fitting = [profile for profile in profiles if rest == profile or rest.startswith(f"{profile}.")]
    profile = max(fitting, key=len) if fitting else rest.partition(".")[0]
    return contract, profile, rest[len(profile) + 1 :]


def _spelled(path: str, entry: Entry, profile: str) -> str:
    """A path as the contract has it, where only the case differs or its fields' titles were given."""
    spec = entry.spec(profile)
    if pages.field_at(spec, path) is not None:
        return path
    known = {other.casefold(): other for other, _ in pages.all_fields(spec)}
    titled = {field.title.casefold(): other for other, field in pages.all_fields(spec)}
    return known.get(path.casefold()) or titled.get(path.casefold()) or path


def _contract(entry: Entry, profile: str | None) -> str:
    """The page of a contract, and the fields of one of its profiles."""
    spec = entry.spec(profile or entry.contract.default_profile)
    about = entry.contract.profiles[spec.profile].about
    lines = [pages.contract_page(entry.contract), "", f"## Fields in profile {code(spec.profile)}", ""]
    if profile is not None and about:
        lines += [prose(about), ""]
    for path, field in pages.all_fields(spec):
        needed = " (required)" if field.required is True else " (sometimes required)" if field.required else ""
        lines.append(f"- {code(path)}{needed} — {prose(field.about)}")
    lines += ["", "## What the orchestrator does", ""]
    lines += [f"- {route.action} — {prose(route.reason)}" for route in spec.contract.routing]
    return "\n".join(lines)


def listing(registry: Registry) -> str:
    """All contracts with their profiles, and all rules by group."""
    lines = ["## Contracts", ""]
    for entry in registry:
        lines.append(f"- {code(entry.name)} — {prose(entry.contract.title)} ({', '.join(entry.contract.profiles)})")
    groups: dict[str, list[str]] = {}
    for rule in all_rules().values():
        groups.setdefault(rule.group, []).append(f"- {code(rule.code)} — {prose(rule.summary)}")
    for group, rules in groups.items():
        lines += ["", f"## Rules: {group}", "", *rules]
    return "\n".join(lines)


_FENCE = re.compile(r"^(`{3,}|~{3,})")
_ITEM = re.compile(r"^(\s*)([-*]|\d+\.) ")
_CODE = re.compile(r"(`+[^`]+`+)")


def as_text(markdown: str, columns: int) -> str:
    """Markdown of our own as text for a terminal: wrapped, without emphasis, escapes and fences."""
    return re.sub(r"\n{3,}", "\n\n", "\n".join(_as_lines(markdown, columns))).strip("\n")


def _as_lines(markdown: str, columns: int) -> Iterator[str]:
    fence = ""
    paragraph: list[str] = []
    for line in [*markdown.split("\n"), ""]:
        opened = _FENCE.match(line)
        item = _ITEM.match(line)
        if fence or opened or not line.strip() or item or line.startswith(("#", "---", "|")):
            yield from _wrapped(paragraph, columns)
            paragraph = []
        if fence:
            if opened and line.strip() == fence:
                fence = ""
            else:
                yield f"    {line}"
        elif opened:
            fence = opened.group(1)
        elif line.startswith("#"):
            yield _plain(line.lstrip("# ")).upper()
        elif line.startswith("---") or not line.strip():
            yield ""
        elif line.startswith("|"):
            yield _plain(line)
        else:
            paragraph.append(line)
    yield from _wrapped(paragraph, columns)


def _wrapped(paragraph: list[str], columns: int) -> Iterator[str]:
    if not paragraph:
        return
    item = _ITEM.match(paragraph[0])
    indent = " " * item.end() if item else ""
    text = " ".join([paragraph[0].rstrip(), *(line.strip() for line in paragraph[1:])])
    yield from textwrap.wrap(
        _plain(text), columns, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _plain(text: str) -> str:
    """A line without emphasis and without the backslashes that keep signs from being Markdown; code stays as it is."""
    parts = _CODE.split(text)
    return "".join(
        part if index % 2 else re.sub(r"\\([^\w\s])", r"\1", re.sub(r"(?<!\\)\*\*", "", part))
        for index, part in enumerate(parts)
    )
