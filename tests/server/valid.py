"""Whether an answer is valid: by the types of the protocol, and at the places of a text.

``problems`` compares an answer with a text that the client had between its request and the answer. Every range lies in
the text, edits do not overlap, `selectionRange` is in `range`, folds nest, tokens are in order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any

from lsprotocol import converters, types

Message = dict[str, Any]
Place = tuple[int, int]
Problems = Iterator[str]

_TERMINATOR = re.compile(r"\r\n|\r|\n")
_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}

_converter = cache(converters.get_converter)


class Lines:
    """The lines of a text, with their places in the encoding of a client. Counts by itself, not as the server does."""

    def __init__(self, text: str, encoding: str) -> None:
        self._encoding, self._size = _UNITS[encoding]
        self.text = text
        self._ends = [match.span() for match in _TERMINATOR.finditer(text)]
        self.starts = [0, *(end for _, end in self._ends)]
        self._stops = [*(start for start, _ in self._ends), len(text)]

    def line(self, number: int) -> str:
        """The text of a line without its end."""
        return self.text[self.starts[number] : self._stops[number]]

    def length(self, number: int) -> int:
        """The length of a line in the client's units."""
        return self._count(self.line(number))

    def position(self, offset: int) -> Message:
        """The position of an offset."""
        number = max(index for index, start in enumerate(self.starts) if start <= offset)
        return {"line": number, "character": self._count(self.text[self.starts[number] : offset])}

    def offset(self, position: Message) -> int | None:
        """The offset of a position, out of range the nearest; None inside a character."""
        if position["line"] >= len(self.starts):
            return len(self.text)
        number, wanted = position["line"], position["character"]
        line = self.line(number)
        if wanted >= self._count(line):
            return self._stops[number]
        count = 0
        for index, letter in enumerate(line):
            if count >= wanted:
                return self.starts[number] + index if count == wanted else None
            count += self._count(letter)
        return None

    def wrong(self, position: Message) -> str:
        """The reason why there is no such place; empty if there is one."""
        line, character = position["line"], position["character"]
        if line >= len(self.starts):
            return f"line {line} of {len(self.starts)}"
        if character > self.length(line):
            return f"character {character} of {self.length(line)} in line {line}"
        return "" if self.offset(position) is not None else f"the middle of a character, {line}:{character}"

    def _count(self, text: str) -> int:
        return len(text.encode(self._encoding, "surrogatepass")) // self._size


def structure_problems(method: str, result: Any) -> Problems:
    """What the types of the protocol do not have, in the result of a method."""
    response = types.METHOD_TO_TYPES[method][1]
    if response is None:
        return
    if method == "textDocument/codeAction":  # lsprotocol takes an action that has a command for a command
        for each in result or ():
            kind = types.Command if isinstance(each.get("command"), str) else types.CodeAction
            yield from _unlike(each, kind)
        return
    yield from _unlike({"id": 1, "jsonrpc": "2.0", "result": result}, response)


def _unlike(message: Any, response: Any) -> Problems:
    """The parts of a message that a type of the protocol does not have."""
    try:
        read = _converter().structure(message, response)
        written = _converter().unstructure(read, response)
    except Exception as error:
        yield f"the result is not readable: {error!r}"
        return
    yield from (f"unknown to the protocol: {path}" for path in _lost(message, written, ""))


def _lost(one: Any, other: Any, path: str) -> Iterator[str]:
    """The paths of the values that are not the same after reading and writing. `data` and arguments are free."""
    if path.endswith((".data", ".arguments")) and not path.endswith(".result.data"):
        return
    if isinstance(one, dict) and isinstance(other, dict):
        for key, value in one.items():
            if key in other:
                yield from _lost(value, other[key], f"{path}.{key}")
            elif value is not None:
                yield f"{path}.{key}"
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, (first, second) in enumerate(zip(one, other, strict=True)):
            yield from _lost(first, second, f"{path}[{index}]")
    elif one != other:
        yield f"{path}: {one!r} became {other!r}"


def problems(method: str, params: Message, result: Any, lines: Lines, uri: str) -> Problems:
    """What is wrong with an answer about an open document with these lines."""
    if result is None:
        return
    yield from (f"{where}: {reason}" for where, reason in _ranges(result, lines, uri))
    check = _CHECKS.get(method)
    if check is not None:
        yield from check(params, result, lines)


def edit_problems(edits: list[Message]) -> Problems:
    """Edits of one document that overlap."""
    spans = sorted((*span(edit["range"]), index) for index, edit in enumerate(edits))
    for (_, end, _), (start, _, _) in pairwise(spans):
        if start < end:
            yield f"edits overlap at {start[0]}:{start[1]}: {edits}"


def workspace_edit_problems(edit: Message, lines: Lines, uri: str) -> Problems:
    """What is wrong with the part of a workspace edit that is about a document; overlaps in any."""
    of_documents = dict(edit.get("changes") or {})
    for change in edit.get("documentChanges") or ():
        if "kind" not in change:
            of_documents.setdefault(change["textDocument"]["uri"], []).extend(change["edits"])
    for name, edits in of_documents.items():
        yield from edit_problems(edits)
        if name == uri:
            yield from (f"an edit: {reason}" for each in edits for reason in _range_problems(each["range"], lines))


def span(range_: Message) -> tuple[Place, Place]:
    """A range as two places that can be compared."""
    start, end = range_["start"], range_["end"]
    return (start["line"], start["character"]), (end["line"], end["character"])


def _range_problems(range_: Message, lines: Lines) -> Problems:
    start, end = span(range_)
    if end < start:
        yield f"it ends before its start: {range_}"
    yield from (reason for each in (range_["start"], range_["end"]) if (reason := lines.wrong(each)))


# Ranges below these keys are in other documents, or not in any; `data` is the server's own.
_ELSEWHERE = {"data", "arguments", "relatedInformation", "location", "edit", "changes", "documentChanges"}


def _ranges(found: Any, lines: Lines, uri: str, path: str = "") -> Iterator[tuple[str, str]]:
    """The ranges and positions of an answer that are not in the text, with the reason."""
    if isinstance(found, list):
        for index, each in enumerate(found):
            yield from _ranges(each, lines, uri, f"{path}[{index}]")
    elif isinstance(found, Mapping):
        if "targetUri" in found or found.get("uri", uri) != uri:
            return
        if "start" in found and "end" in found:
            yield from ((path, reason) for reason in _range_problems(dict(found), lines))
            return
        if "line" in found and "character" in found:
            if reason := lines.wrong(dict(found)):
                yield path, reason
            return
        for key, value in found.items():
            if key not in _ELSEWHERE:
                yield from _ranges(value, lines, uri, f"{path}.{key}")


def _around(params: Message, result: Any, lines: Lines) -> Problems:
    """A range that is at the position of the request."""
    range_ = result.get("range") if isinstance(result, Mapping) else None
    at = lines.offset(params["position"])
    if range_ is not None and at is not None:
        start, end = lines.offset(range_["start"]), lines.offset(range_["end"])
        if start is not None and end is not None and not start <= at <= end:
            yield f"{range_} is not at {params['position']}"


def _prepared(params: Message, result: Any, lines: Lines) -> Problems:
    yield from _around(params, {"range": result} if "start" in result else result, lines)


def _symbols(_params: Message, result: list[Message], _lines: Lines) -> Problems:
    for symbol in result:
        if "selectionRange" not in symbol:
            continue
        if not _inside(symbol["selectionRange"], symbol["range"]):
            yield f"`selectionRange` is not in `range`: {symbol['name']}"
        children = symbol.get("children") or []
        for child in children:
            if not _inside(child["range"], symbol["range"]):
                yield f"{child['name']} is not in {symbol['name']}"
        yield from _symbols(_params, children, _lines)


def _selections(params: Message, result: list[Message], lines: Lines) -> Problems:
    if len(result) != len(params["positions"]):
        yield f"{len(result)} selections for {len(params['positions'])} positions"
    for position, selection in zip(params["positions"], result, strict=False):
        yield from _around({"position": position}, selection, lines)
        while (parent := selection.get("parent")) is not None:
            if not _inside(selection["range"], parent["range"]):
                yield f"a selection is not in its parent: {selection['range']}"
            selection = parent


def _folds(_params: Message, result: list[Message], lines: Lines) -> Problems:
    open_: list[int] = []
    spans = sorted({(fold["startLine"], -fold["endLine"]) for fold in result})
    for start, end in ((start, -end) for start, end in spans):
        if not start <= end < len(lines.starts):
            yield f"a fold from {start} to {end} of {len(lines.starts)} lines"
        while open_ and open_[-1] < start:
            open_.pop()
        if open_ and end > open_[-1]:
            yield f"folds cross: {start} to {end}, and one to {open_[-1]}"
        open_.append(end)


def token_problems(data: list[int], lines: Lines) -> Problems:
    """Tokens that are not in order, overlap, or are not in their lines."""
    line = start = end = 0
    for down, right, length, _, _ in zip(*[iter(data)] * 5, strict=True):
        start, end = (right, 0) if down else (start + right, end)
        line += down
        if start < end or length < 1:
            yield f"tokens overlap or are empty in line {line}"
        end = start + length
        if line >= len(lines.starts) or end > lines.length(line):
            yield f"a token beyond the end of line {line}"


def _tokens(_params: Message, result: Message, lines: Lines) -> Problems:
    if "data" in result:
        yield from token_problems(result["data"], lines)


def _items(params: Message, result: Any, lines: Lines) -> Problems:
    items = result["items"] if isinstance(result, Mapping) else result
    defaults = (result.get("itemDefaults") or {}) if isinstance(result, Mapping) else {}
    for item in items:
        edit = item.get("textEdit") or {}
        for range_ in (edit.get("range"), edit.get("insert"), edit.get("replace"), defaults.get("editRange")):
            if range_ is None or "start" not in range_:
                continue
            if range_["start"]["line"] != range_["end"]["line"]:
                yield f"{item['label']!r} replaces more than a line"
            yield from _around(params, {"range": range_}, lines)
        main = [{"range": edit["range"]}] if "range" in edit else []
        yield from edit_problems([*main, *(item.get("additionalTextEdits") or ())])


def _edits(_params: Message, result: list[Message], _lines: Lines) -> Problems:
    yield from edit_problems(result)


def _inside(inner: Message, outer: Message) -> bool:
    (start, end), (first, last) = span(inner), span(outer)
    return first <= start and end <= last


_CHECKS: dict[str, Callable[[Message, Any, Lines], Problems]] = {
    "textDocument/hover": _around,
    "textDocument/prepareRename": _prepared,
    "textDocument/documentSymbol": _symbols,
    "textDocument/selectionRange": _selections,
    "textDocument/foldingRange": _folds,
    "textDocument/semanticTokens/full": _tokens,
    "textDocument/semanticTokens/range": _tokens,
    "textDocument/completion": _items,
    "textDocument/formatting": _edits,
    "textDocument/rangeFormatting": _edits,
    "textDocument/onTypeFormatting": _edits,
}
