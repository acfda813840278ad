"""Answers that are not valid are noticed: the check that the sessions of `tests/fuzz/wire.py` rely on."""

from __future__ import annotations

from typing import Any

import pytest
from server.client import URI, Message, range_
from server.valid import Lines, problems, structure_problems, token_problems, workspace_edit_problems

# Four lines, the last one empty; the second has an emoji, of two units in UTF-16.
LINES = Lines("# A\r\nb \U0001f600 c\nlast line\n", "utf-16")
AT = {"line": 2, "character": 2}


def at(first: int, start: int, last: int, end: int) -> Message:
    return range_((first, start), (last, end))


def symbol(whole: Message, name: Message, *children: Message) -> Message:
    return {"name": "x", "kind": 1, "range": whole, "selectionRange": name, "children": list(children)}


def edit(where: Message) -> Message:
    return {"range": where, "newText": ""}


WRONG: list[tuple[str, Message, Any, str]] = [
    ("textDocument/hover", {}, {"contents": "", "range": at(2, 0, 2, 10)}, "character 10 of 9 in line 2"),
    ("textDocument/hover", {}, {"contents": "", "range": at(4, 0, 4, 0)}, "line 4 of 4"),
    ("textDocument/hover", {}, {"contents": "", "range": at(2, 1, 1, 0)}, "ends before its start"),
    ("textDocument/hover", {}, {"contents": "", "range": at(1, 3, 1, 4)}, "the middle of a character, 1:3"),
    ("textDocument/hover", {}, {"contents": "", "range": at(0, 0, 0, 1)}, "is not at"),
    ("textDocument/prepareRename", {}, at(0, 0, 0, 1), "is not at"),
    ("textDocument/documentSymbol", {}, [symbol(at(1, 0, 2, 0), at(0, 0, 0, 1))], "`selectionRange` is not in"),
    (
        "textDocument/documentSymbol",
        {},
        [symbol(at(1, 0, 2, 0), at(1, 0, 1, 1), symbol(at(2, 0, 2, 1), at(2, 0, 2, 1)))],
        "x is not in x",
    ),
    (
        "textDocument/selectionRange",
        {"positions": [AT]},
        [{"range": at(2, 0, 2, 5), "parent": {"range": at(2, 1, 2, 5)}}],
        "not in its parent",
    ),
    ("textDocument/selectionRange", {"positions": [AT, AT]}, [{"range": at(2, 0, 2, 5)}], "1 selections for 2"),
    ("textDocument/foldingRange", {}, [{"startLine": 0, "endLine": 2}, {"startLine": 1, "endLine": 3}], "folds cross"),
    ("textDocument/foldingRange", {}, [{"startLine": 0, "endLine": 4}], "of 4 lines"),
    ("textDocument/formatting", {}, [edit(at(2, 0, 2, 4)), edit(at(2, 3, 2, 5))], "edits overlap at 2:3"),
    ("textDocument/completion", {}, [{"label": "x", "textEdit": edit(at(1, 0, 2, 2))}], "more than a line"),
    ("textDocument/semanticTokens/full", {}, {"data": [2, 0, 10, 0, 0]}, "beyond the end of line 2"),
]


@pytest.mark.parametrize(("method", "params", "result", "reason"), WRONG)
def test_a_wrong_place_is_a_problem(method: str, params: Message, result: Any, reason: str) -> None:
    found = list(problems(method, {"position": AT, **params}, result, LINES, URI))
    assert any(reason in each for each in found), found


def test_places_in_the_text_are_none() -> None:
    hover = {"contents": "", "range": at(2, 0, 2, 9)}
    assert list(problems("textDocument/hover", {"position": AT}, hover, LINES, URI)) == []
    assert list(problems("textDocument/formatting", {}, [edit(at(1, 0, 1, 2)), edit(at(1, 2, 1, 4))], LINES, URI)) == []
    folds = [{"startLine": 0, "endLine": 3}, {"startLine": 1, "endLine": 2}]
    assert list(problems("textDocument/foldingRange", {}, folds, LINES, URI)) == []


def test_tokens_overlap() -> None:
    assert list(token_problems([2, 0, 4, 0, 0, 0, 4, 1, 0, 0], LINES)) == []
    assert list(token_problems([2, 0, 4, 0, 0, 0, 3, 1, 0, 0], LINES)) != []


def test_edits_of_any_document_overlap() -> None:
    edits = [edit(at(0, 0, 0, 4)), edit(at(0, 3, 0, 5))]
    assert list(workspace_edit_problems({"changes": {"file:///other": edits}}, LINES, URI)) != []


@pytest.mark.parametrize(
    ("method", "result"),
    [
        ("textDocument/hover", {"content": "x"}),
        ("textDocument/documentHighlight", [{"range": {"start": {"line": -1, "character": 0}}}]),
        ("textDocument/codeAction", [{"title": "x", "knd": "quickfix"}]),
        ("textDocument/semanticTokens/full", {"data": ["x"]}),
    ],
)
def test_what_the_protocol_does_not_know_is_a_problem(method: str, result: Any) -> None:
    assert list(structure_problems(method, result)) != []
