"""Statements about the markers of a contract and the files of its handoffs.

A word counts if it is one of the contract's, or a slip of one, or in the only place where one of them can be meant.
What merely looks like a marker or a path is no statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache
from itertools import islice, takewhile

from handoff_lsp.contracts.names import slip_of
from handoff_lsp.prompts.acts import act_of_fence
from handoff_lsp.prompts.chunk import Chunk
from handoff_lsp.prompts.collector import Collector
from handoff_lsp.prompts.vocabulary import FILE, MARKER, ContractWords
from handoff_lsp.syntax.markdown.node import Node
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# A line with nothing else, without what a quotation has before it.
_LINE = lazy_pattern(r"(?m)^[ \t>]*(?P<mark>[^\s>][^\r\n]{0,120}?)[ \t]*\r?$")
# A marker: a word or more between other signs.
_FRAMED = lazy_pattern(r"(?P<head>[^\w\s`|]*)\s*(?P<core>\w(?:[^\r\n`]*\w)?)\s*(?P<tail>[^\w\s`|]*)")
_COMMENT = lazy_pattern(r"<!--[ \t]*(?P<mark>\w[\w-]*)(?=\s|-->|`|$)")
_TAG = lazy_pattern(r"(?m)(?:^[ \t>]*|(?<=`)[ \t]*)(?:`{3,}|~{3,})[ \t]*(?P<mark>\w[^\s`]*)")
# The end of a file's name, and the characters of a path before it.
_SUFFIX = lazy_pattern(r"\.(?:jsonl|json|md|ya?ml|log|txt|toml)(?![\w/-]|\.\w)")
_IN_PATH = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./~$<>{}*@")
_LONGEST_PATH = 200
_WRITE_TO = lazy_pattern(
    r"(?i)\b(?:write|save|put|store|create|update|append|read|parse|load)\b[^.;:\n]{0,80}\b(?:to|in|into|at|as|from)\b[\s`*_\"“]*(?:[\w.{}<>~-]+/)*$"
)
# The most markers and files of one document about one contract, and others like them; further ones are not read.
MOST = 500
# A shorter name is often one letter away from another word.
_LONG = 8


class Mark(NamedTuple):
    """A marker or the name of a file as it is written, and the contract's that is meant; empty without one."""

    kind: str
    text: str
    span: Span
    meant: str

    def moved(self, by: int) -> Mark:
        """The same at a later place."""
        return self._replace(span=self.span.shift(by))


def read_marks(found: Collector) -> None:
    """The markers and files of a contract in a prompt."""
    words = found.words
    if not words.marks:
        return
    view = found.view
    every = (one.moved(at) for at, chunk in view.chunks_of_text for one in chunk.once(_marks_in, words))
    marks = list(islice(every, MOST))
    certain = [one for one in marks if one.meant]
    for one in certain:
        _add(found, one)
    if words.lines:
        for fence in view.fences:
            _add_edges(found, fence)
    for one in marks:
        if not one.meant:
            meant = _only_marker(found, one, certain) if one.kind == MARKER else _only_file(found, one, certain)
            if meant:
                _add(found, one._replace(meant=meant))


def _add(found: Collector, one: Mark) -> None:
    fence = next((node for node in found.view.fences if node.span.covers(one.span)), None)
    act = act_of_fence(found.view, found.speaker(one.span), fence.span) if fence is not None else found.act(one.span)
    found.add_mark(one.kind, one.meant, one.text, one.span, act)


def _marks_in(chunk: Chunk, words: ContractWords) -> Sequence[Mark]:
    return [*_lines_in(chunk, words), *_comments_in(chunk, words), *_tags_in(chunk, words), *_files_in(chunk, words)]


def _lines_in(chunk: Chunk, words: ContractWords) -> Iterator[Mark]:
    """The whole lines and code spans that are, or may be, lines around a handoff."""
    if not words.lines:
        return
    whole = [(match["mark"], Span(*match.span("mark"))) for match in _LINE.finditer(chunk.text)]
    for text, span in (*whole, *((code.text, code.inner) for code in chunk.codes)):
        if text in words.lines:
            yield Mark(MARKER, text, span, text)
            continue
        parts = _FRAMED.fullmatch(text)
        same = [line for line in words.lines if parts is not None and _has_frame(parts["head"], parts["tail"], line)]
        if parts is not None and same:
            cores = {core: line for line in same if (core := _core(line))}
            slip = slip_of(parts["core"], cores)
            yield Mark(MARKER, text, span, cores[slip] if slip is not None else "")


def _core(line: str) -> str:
    parts = _FRAMED.fullmatch(line)
    return parts["core"] if parts is not None else ""


def _has_frame(head: str, tail: str, line: str) -> bool:
    """Whether the signs around a word are like those around a marker's; one sign alone is that of a list or heading."""
    parts = _FRAMED.fullmatch(line)
    if parts is None or not (parts["head"] or parts["tail"]):
        return False
    pairs = ((head, parts["head"]), (tail, parts["tail"]))
    return all(
        bool(ours) == bool(theirs) and set(ours) == set(theirs) and (len(ours) > 1 or len(theirs) < 2)
        for ours, theirs in pairs
    )


def _comments_in(chunk: Chunk, words: ContractWords) -> Iterator[Mark]:
    if not words.comment or "<!--" not in chunk.text:
        return
    for match in _COMMENT.finditer(chunk.text):
        if slip_of(match["mark"], [words.comment]) is not None:
            yield Mark(MARKER, match["mark"], Span(*match.span("mark")), words.comment)


def _tags_in(chunk: Chunk, words: ContractWords) -> Iterator[Mark]:
    """The tags of fences: in fences, in code that begins with one, and alone in code."""
    if not words.tags:
        return
    found = [(match["mark"], Span(*match.span("mark"))) for match in _TAG.finditer(chunk.text)]
    found += [(code.text, code.inner) for code in chunk.codes]
    for text, span in found:
        if text in words.tags:
            yield Mark(MARKER, text, span, text)
        elif text in words.old_tags:
            yield Mark(MARKER, text, span, words.tags[0])
        elif len(text) >= _LONG and not words.named(text) and (slip := slip_of(text, words.tags)) is not None:
            yield Mark(MARKER, text, span, slip)


def _files_in(chunk: Chunk, words: ContractWords) -> Iterator[Mark]:
    for path, end in chunk.once(_paths_in, None) if words.files else ():
        written, meant = _file(words, path)
        yield Mark(FILE, written, Span(end - len(written), end), meant)


def _paths_in(chunk: Chunk, _: None) -> Sequence[tuple[str, int]]:
    """The names of files in a text, each with the offset of its end."""
    text, found = chunk.text, []
    for match in _SUFFIX.finditer(text):
        start = match.start()
        first = max(start - _LONGEST_PATH, 0)
        while start > first and text[start - 1] in _IN_PATH:
            start -= 1
        if start < match.start() and text[start - 1 : start] not in {":", "\\"}:
            found.append((text[start : match.end()].lstrip("<{*"), match.end()))
    return found


@lru_cache(maxsize=4_096)
def _file(words: ContractWords, path: str) -> tuple[str, str]:
    """The end of a path that is like one of a contract's files, and that file's; without one, all of it and nothing."""
    parts = path.split("/")
    slips: dict[str, str] = {}
    for file in words.files:
        *folders, name = file.split("/")
        literal = [*reversed(list(takewhile(_is_literal, reversed(folders)))), name]
        if not _is_literal(name):
            if fnmatchcase(parts[-1], name):
                return parts[-1], parts[-1]
            continue
        count = len(literal) if len(parts) > 1 else 1
        ours, theirs = parts[-count:], literal[-count:]
        if ours == theirs:
            return "/".join(ours), "/".join(theirs)
        if len(ours) == len(theirs) and _is_slip_of_file(ours, theirs):
            slips.setdefault("/".join(ours), "/".join(theirs))
    return next(iter(slips.items())) if len(slips) == 1 else (path, "")


def _is_literal(name: str) -> bool:
    return "*" not in name


def _is_slip_of_file(ours: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether one part of a path is a slip of a file's, and all others are the same."""
    wrong = [index for index, part in enumerate(ours) if part != theirs[index]]
    if wrong != [len(ours) - 1]:
        return len(wrong) == 1 and slip_of(ours[wrong[0]], [theirs[wrong[0]]]) is not None
    (stem, _, suffix), (other, _, right) = ours[-1].rpartition("."), theirs[-1].rpartition(".")
    return suffix == right and (len(ours) > 1 or len(other) >= _LONG) and slip_of(stem, [other]) is not None


def _add_edges(found: Collector, fence: Node) -> None:
    """Other lines in place of the markers around the handoff that a fence shows."""
    shown = [one.items for one in found.enumerations if not one.path and fence.span.covers(one.span)]
    if not shown:
        return
    words, fragment = found.words, fence.fragment()
    first, last = fragment.inner(shown[0][0].span.start), fragment.inner(shown[-1][-1].span.end)
    lines = [match for match in _LINE.finditer(fragment.text) if _FRAMED.fullmatch(match["mark"])]
    there = {match["mark"] for match in lines}
    before = [match for match in lines if match.end() <= first][-1:]
    after = [match for match in lines if match.start() >= last][-1:]
    for near, marker in ((before, words.opening_line), (after, words.closing_line)):
        for match in near if marker and marker not in there else ():
            parts = _FRAMED.fullmatch(match["mark"])
            if parts is not None and _has_frame(parts["head"], parts["tail"], marker):
                span = fragment.outer_span(*match.span("mark"))
                if not found.has(span):
                    _add(found, Mark(MARKER, match["mark"], span, marker))


def _only_marker(found: Collector, one: Mark, certain: Sequence[Mark]) -> str:
    """The marker that is meant beside the other one of a handoff in one sentence; empty if it may be another thing."""
    words = found.words
    if not (words.opening_line and words.closing_line) or found.view.code_around(one.span.start) is None:
        return ""
    sentence = found.view.sentence(one.span)
    there = {other.text for other in certain if sentence.covers(other.span)}
    missing = {words.opening_line, words.closing_line} - there
    return missing.pop() if len(missing) == 1 else ""


def _only_file(found: Collector, one: Mark, certain: Sequence[Mark]) -> str:
    """The file that is meant where a handoff is to be written to another one of its folder; empty without doubt."""
    folder, _, name = one.text.rpartition("/")
    files = {file for file in found.words.files if "/" in file and "*" not in file}
    near = [
        file
        for file in files
        for parent, _, own in [file.rpartition("/")]
        if (folder == parent or folder.endswith(f"/{parent}")) and own.rpartition(".")[2] == name.rpartition(".")[2]
    ]
    if len(near) != 1 or any(other.kind == FILE and other.text == other.meant for other in certain):
        return ""
    sentence = found.view.sentence(one.span)
    text = found.view.text[sentence.start : sentence.end]
    before = found.view.text[sentence.start : one.span.start]
    return near[0] if found.words.is_meant_in(text) and _WRITE_TO.search(before) else ""
