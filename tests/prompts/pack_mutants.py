"""Changes of a pack of prompts: each value, field, marker and file of prompts and the contract, removed or renamed.

Independent of how prompts are read: a word of the contract counts in code, in a fence or in a template.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from prompts.packs_under_test import OpenPack

from handoff_lsp.prompts.vocabulary import vocabulary_of
from handoff_lsp.text import Span

Kind = Literal["removed", "misspelled", "renamed"]

_FENCE = re.compile(r"(?ms)^(```+)[^\n]*\n(.*?)^\1[ ]*$")
_CODE = re.compile(r"`([^`\n]+)`")
_COMMENT = re.compile(r"(?s)<!--.*?-->")
# Text to be filled in, as opposed to a choice.
_FILLED_IN = re.compile(r"[{<][^{}<>|\n]*[}>]")
_BETWEEN = r"[`\"]*[ ]*(?:\||,|/|\bor\b|\band\b)[ ]*(?:or[ ]|and[ ])?[`\"]*"
# A word that no contract has.
_OTHER = "postponed"


class Mutant(NamedTuple):
    """One change. ``line`` is its zero-based line in the new text, ``new`` the word in the old one's place."""

    path: str
    kind: Kind
    old: str
    new: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line + 1} `{self.old}` {self.kind}{f' to `{self.new}`' if self.new else ''}"


def mutants(pack: OpenPack) -> Iterator[Mutant]:
    """The changes of all prompts of a pack, and of its own contract."""
    words = words_of(pack)
    for path, text in pack.texts.items():
        places = _places(path, text, words)
        for span in places:
            old = text[span.start : span.end]
            for kind, new in (("misspelled", misspelled(old)), ("renamed", _renamed(old))):
                yield _mutant(path, kind, old, new, span.start, text[: span.start] + new + text[span.end :])
            changed = _without(text, span, places)
            if changed is not None:
                yield _mutant(path, "removed", old, "", *changed)
    for path, text in pack.texts.items():
        yield from _of_marks(path, text, marks_of(pack))
    for file in sorted((pack.root / "contracts").glob("*.yaml")):
        path, text = file.relative_to(pack.root).as_posix(), file.read_text(encoding="utf-8")
        yield from _of_contract(path, text, words)
        yield from _of_marks(path, text, marks_of(pack))


def words_of(pack: OpenPack) -> frozenset[str]:
    """The values and the names of fields of a pack's contract."""
    registry = pack.workspace.resolver.registry(pack.root / "agents" / "any.md")
    fields = vocabulary_of(registry[pack.contract]).fields.values()
    return frozenset(word for field in fields for word in (*field.values, *field.titles))


def marks_of(pack: OpenPack) -> frozenset[str]:
    """The marker lines, the tag of the fence and the files of a pack's contract."""
    registry = pack.workspace.resolver.registry(pack.root / "agents" / "any.md")
    data = registry[pack.contract].data
    run, tags = data.get("run") or {}, (data.get("fence") or {}).get("tags") or {}
    lines = {line for line in (run.get("opening"), run.get("closing")) if line and not line.isidentifier()}
    own = {tag for tag, role in tags.items() if role == "own" and "_" in tag}
    return frozenset({*lines, *own, *(data.get("locations") or ())})


def _of_marks(path: str, text: str, marks: frozenset[str]) -> Iterator[Mutant]:
    """Each marker and file in a text: misspelled, in another case, with other signs, renamed, or without its line."""
    for mark in sorted(marks):
        for match in re.finditer(rf"(?<![\w/.-]){re.escape(mark)}(?![\w/-])", text):
            letters = re.search(r"[^\W_](?:[\w ]*\w)?", mark.rpartition("/")[2])
            assert letters is not None
            word = letters[0]
            shorter = mark.replace("---", "--") if "---" in mark else mark.replace("/", "s/")
            changed = [mark.replace(word, other) for other in (misspelled(word), word.swapcase(), _renamed(word))]
            for kind, new in zip(("misspelled", "misspelled", "renamed"), changed, strict=True):
                yield _mutant(path, kind, mark, new, match.start(), text[: match.start()] + new + text[match.end() :])
            yield _mutant(
                path, "misspelled", mark, shorter, match.start(), text[: match.start()] + shorter + text[match.end() :]
            )
            start, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end()) + 1
            if text[start:end].strip() == mark:
                yield _mutant(path, "removed", mark, "", start, text[:start] + text[end:])


def misspelled(word: str) -> str:
    """A word with two letters in the wrong order, as somebody types it."""
    for index in range(len(word) - 2, 0, -1):
        if word[index] != word[index + 1] and word[index : index + 2].isalpha():
            return word[:index] + word[index + 1] + word[index] + word[index + 2 :]
    return word + word[-1]


def _renamed(word: str) -> str:
    return _OTHER.upper() if word.isupper() else _OTHER.title() if word.istitle() else _OTHER


def _mutant(path: str, kind: Kind, old: str, new: str, at: int, text: str) -> Mutant:
    return Mutant(path, kind, old, new, text.count("\n", 0, at), text)


def _places(path: str, text: str, words: frozenset[str]) -> list[Span]:
    """The places of words in code, fences and templates; none in text that is to be filled in."""
    hidden = [match.span() for match in _COMMENT.finditer(text)]
    hidden += [match.span() for match in _FILLED_IN.finditer(text)]
    fences = [match.span(2) for match in _FENCE.finditer(text)]
    codes = [match.span(1) for match in _CODE.finditer(text) if not any(a <= match.start() < b for a, b in fences)]
    whole = [(0, len(text))] if "/templates/" in f"/{path}" else []
    pattern = re.compile(
        rf"(?<![\w/.-])(?:{'|'.join(sorted(map(re.escape, words), key=len, reverse=True))})(?![\w/-]|\.\w)"
    )
    found = {
        match.span()
        for start, end in (whole or [*fences, *codes])
        for match in pattern.finditer(text, start, end)
        if not any(a <= match.start() < b for a, b in hidden)
    }
    return [Span(*span) for span in sorted(found)]


def _without(text: str, span: Span, places: Sequence[Span]) -> tuple[int, str] | None:
    """The text without a word, and where it was; with its row, item or line if that is about the word alone.

    ``places``: those of all words. None for a word in a sentence, which would be no sentence any more.
    """
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.end) + 1 or len(text)
    line = text[start:end]
    before, after = text[start : span.start], text[span.end : end]
    if re.fullmatch(r"[ ]*(?:\|[ ]*|[-*][ ]+|\d+\.[ ]+)?[`\"*]*", before) and re.match(r"[`\"*]*[ ]*[:|]", after):
        if _is_choice(line, before, after):
            return _out_of_chain(text, span, places)
        return start, _without_comma(text[:start], text[end:])
    if re.fullmatch(r"#+[ ]+", before) and not after.strip():
        # A heading goes with its section.
        rest = re.search(r"(?m)^#+ ", text[end:])
        return start, text[:start] + (text[end + rest.start() :] if rest is not None else "")
    return _out_of_chain(text, span, places)


def _is_choice(line: str, before: str, after: str) -> bool:
    """Whether a line is a list of values in a fence or template, not a row or an item."""
    return not before.strip() and re.match(r"[`\"]*[ ]*\|", after) is not None and not line.lstrip().startswith("|")


def _out_of_chain(text: str, span: Span, places: Sequence[Span]) -> tuple[int, str] | None:
    """The text without one of the words that are listed in a line, or without the only one after a label."""
    behind = re.compile(r"[`\"]*" + _BETWEEN).match(text, span.end)
    if behind is not None and any(place.start == behind.end() for place in places):
        opening = text[span.start - 1] if text[span.start - 1] in '`"' else ""
        kept = behind.end() - (1 if opening and text[behind.end() - 1] == opening else 0)
        return span.start, text[: span.start - len(opening)] + text[kept:]
    ahead = re.search(_BETWEEN + r"$", text[: span.start])
    if ahead is not None and any(place.end == ahead.start() for place in places):
        closing = 1 if text[span.end : span.end + 1] == "`" else 0
        left = text[: ahead.start()]
        return ahead.start(), left + ("`" if closing else "") + text[span.end + closing :]
    value = re.compile(r"(?m)^[^\n`]*:[ ]*\"?$").search(text[text.rfind("\n", 0, span.start) + 1 : span.start])
    return (span.start, text[: span.start] + text[span.end :]) if value is not None else None


def _without_comma(before: str, after: str) -> str:
    """Two parts of a text; the last line of a JSON object has no comma."""
    if after.lstrip().startswith("}") and before.rstrip().endswith(","):
        before = before.rstrip()[:-1] + "\n"
    return before + after


def _of_contract(path: str, text: str, words: frozenset[str]) -> Iterator[Mutant]:
    """Each value and field of a contract, renamed wherever the contract has it, or removed."""
    for word in sorted(words):
        whole = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
        first = next(
            (match for match in whole.finditer(text) if re.match(r":|[,}]", text[match.end() : match.end() + 1])), None
        )
        if first is None:
            continue
        for kind, new in (("misspelled", misspelled(word)), ("renamed", _renamed(word))):
            yield _mutant(path, kind, word, new, first.start(), whole.sub(new, text))
        changed = _without_in_contract(text, word)
        if changed is not None:
            yield _mutant(path, "removed", word, "", *changed)


def _without_in_contract(text: str, word: str) -> tuple[int, str] | None:
    """A contract without a value or a field, and without the routes about it."""
    lines = text.splitlines(keepends=True)
    kept: list[str] = []
    place: int | None = None
    inside = -1
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if inside >= 0 and indent > inside:
            continue
        inside = -1
        if re.match(rf"[ ]+{re.escape(word)}:", line):
            place, inside = len("".join(kept)), indent
            continue
        if f"{{value: {word}," in line:
            place = len("".join(kept))
            line = re.sub(rf"\{{value: {re.escape(word)},[^{{}}]*\}}(?:, )?", "", line)
            if not line.strip(" -\n"):
                continue
        elif re.search(rf": {re.escape(word)}\}}", line):
            if "required:" in line:
                line = re.sub(r", required: \{[^{}]*\}, because: [^{}]*(?=\})", "", line)
            else:
                continue
        elif "some: [" in line:
            line = re.sub(rf"{re.escape(word)}, |, {re.escape(word)}(?=\])", "", line)
        kept.append(line)
    return (place, "".join(kept)) if place is not None else None
