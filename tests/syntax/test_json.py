"""The tolerant JSON parser: its defects, its recovery, and its agreement with json.loads."""

from __future__ import annotations

import gc
import json
import math
import random
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from handoff_lsp.syntax.json import scan as json_scan
from handoff_lsp.syntax.json import tree as json_tree
from handoff_lsp.syntax.json.parse import (
    JsonNode,
    JsonTree,
    locate,
    parse_json,
    path_of,
    python_value,
    repair_edits,
)
from handoff_lsp.text import Span, apply_edits, line_texts
from handoff_lsp.text.lazy import LazyPattern

CONTRACT = """{
  "agent_status": {
    "plan_status": "COMPLETE",
    "agent_id": "ab7e4d2",
    "pending_steps": [],
    "next_action": "done"
  },
  "evidence_report": {
    "patterns_checked": ["naming in flux/apps/ \\u2014 \\"quoted\\"", "emoji \U0001f600, \u6f22\u5b57"],
    "commands_run": ["kubectl get hr -n qxo -> all reconciled"],
    "open_gaps": [],
    "verification": {"method": "test", "passed": 12, "ratio": 1.0e0, "ok": true}
  },
  "approval_request": null
}
"""


def found(text: str) -> list[tuple[str, str]]:
    """Kind and exact text of every defect."""
    return [(defect.kind, defect.span.of(text)) for defect in parse_json(text).defects]


def repaired(text: str, *, unsafe: bool = False, rounds: int = 6) -> str:
    """The text after as many rounds of repair as it takes."""
    for _ in range(rounds):
        edits = repair_edits(parse_json(text), unsafe=unsafe)
        if not edits:
            return text
        text = apply_edits(text, edits)
    raise AssertionError(f"no end of repairs: {text!r}")


def nodes(tree: JsonTree) -> list[JsonNode]:
    """Every node of a tree, keys too."""
    stack = [tree.root] if tree.root else []
    seen = []
    while stack:
        node = stack.pop()
        seen.append(node)
        stack += node.items
        for member in node.members:
            stack.append(member.key)
            if member.value:
                stack.append(member.value)
    return seen


# Each defect at its own smallest token

DEFECTS = [
    ('{"a": 1}', []),
    ('[1, 2.5, -0, 1e9, true, false, null, "x"]', []),
    # Commas
    ('{"a": 1,}', [("trailing-comma", ",")]),
    ("[1, 2, ]", [("trailing-comma", ",")]),
    ("[1,,]", [("trailing-comma", ","), ("trailing-comma", ",")]),
    ("[1,,2]", [("unexpected", ",")]),
    ('{,"a": 1}', [("unexpected", ",")]),
    ("[,]", [("trailing-comma", ",")]),
    ('{"a": 1 "b": 2}', [("missing-comma", "1")]),
    ('{"a": "x"\n "b": 2}', [("missing-comma", '"')]),
    ("[1 2]", [("missing-comma", "1")]),
    ("[[1] [2]]", [("missing-comma", "]")]),
    ('{"a": 1; "b": 2;}', [("semicolon", ";"), ("semicolon", ";")]),
    ('{"a": 1},\n', [("trailing-comma", ",")]),
    ('{"a": 1};', [("semicolon", ";")]),
    # Comments
    ("[1, // one\n 2]", [("comment", "// one")]),
    ("# head\n[/* a, b */ 1]", [("comment", "# head"), ("comment", "/* a, b */")]),
    ("[1 /* open", [("missing-bracket", "["), ("comment", "/* open")]),
    # Quotes
    ("{'a': 'b'}", [("single-quotes", "'a'"), ("single-quotes", "'b'")]),
    ("{\u201ca\u201d: \u2018b\u2019}", [("single-quotes", "\u201ca\u201d"), ("single-quotes", "\u2018b\u2019")]),
    ("['it's']", [("single-quotes", "'it's'")]),
    ('["abc]', [("missing-bracket", "["), ("missing-quote", '"abc]')]),
    ('{"a": "abc,\n "b": 1}', [("missing-quote", '"abc')]),
    ('{"a": abc", "b": 1}', [("missing-quote", 'abc"')]),
    ('{a": 1}', [("missing-quote", 'a"')]),
    ('{"a": "he said "hi" there", "b": 1}', [("inner-quotes", '"hi"')]),
    ('["{"a": "b", "c": [1]}", "d"]', [("inner-quotes", '"a": "b", "c"')]),
    ('["say "hi", and go", "b"]', [("inner-quotes", '"hi"')]),
    ('["a "b\tc" d"]', [("inner-quotes", '"b\tc"'), ("control-character", "\t")]),
    # Keys and colons
    ("{a: 1, b-c.d_$: 2, \u00e9t\u00e9: 3}", [("unquoted-key", name) for name in ("a", "b-c.d_$", "\u00e9t\u00e9")]),
    ('{1: "x"}', [("unquoted-key", "1")]),
    ('{"a" 1}', [("missing-colon", '"')]),
    ('{"a" = 1, "b" => 2}', [("missing-colon", "="), ("missing-colon", "=>")]),
    ('{"a", "b": 1}', [("missing-colon", '"')]),
    ('{"a"\n "b": 1}', [("missing-colon", '"')]),
    ('{"a":: 1}', [("unexpected", ":")]),
    ("{: 1}", [("unexpected", ":")]),
    ('{ {"a": 1} }', [("unexpected", "{")]),
    # Values
    ('{"a":}', [("missing-value", ":")]),
    ('{"a": , "b": 1}', [("missing-value", ":")]),
    ('{"a":\n "b": 1}', [("missing-value", ":")]),
    ("[True, None]", [("python-literal", "True"), ("python-literal", "None")]),
    ("[undefined]", [("python-literal", "undefined")]),
    ("[NaN, -Infinity, nan]", [("nan", "NaN"), ("nan", "-Infinity"), ("nan", "nan")]),
    ("[foo, in progress]", [("unexpected", "foo"), ("unexpected", "in progress")]),
    ('{"u": http://x.y/z?a=1#b, "v": 1}', [("unexpected", "http://x.y/z?a=1#b")]),
    ("[2024-01-01]", [("unexpected", "2024-01-01")]),
    ('{"t": 12:30, "b": 1}', [("unexpected", ":30")]),
    ("[+1, .5, 1., 01, 0x1F, 1_000]", [("bad-number", word) for word in ("+1", ".5", "1.", "01", "0x1F", "1_000")]),
    ("[-, 1e, 1e+]", [("bad-number", word) for word in ("-", "1e", "1e+")]),
    ("1" * 5000, [("bad-number", "1" * 5000)]),
    # In strings
    (r'["\d\x41\u12\q"]', [("bad-escape", escape) for escape in (r"\d", r"\x41", r"\u12", r"\q")]),
    ('["a\tb\x01"]', [("control-character", "\t"), ("control-character", "\x01")]),
    (r'["it\'s"]', [("bad-escape", r"\'")]),
    # Brackets
    ("[1, 2}", [("missing-bracket", "}")]),
    ('{"a": [1, 2}', [("missing-bracket", "}")]),
    ('{"a": [1, 2}, "b": 3}', [("missing-bracket", "}")]),
    ('{"a": [1, 2, "b": 3}', [("missing-bracket", '"b"')]),
    ('[{"a": 1]', [("missing-bracket", "]")]),
    ('{"a": {"b": [1', [("missing-bracket", "[")]),
    ("{}}]", [("unexpected", "}"), ("unexpected", "]")]),
    ('{"a": [1]], "b": 2}', [("unexpected", "]")]),
    ("]", [("unexpected", "]"), ("empty", "")]),
    ('{\n<<<<<<< HEAD\n"b": 1\n=======\n}', [("unexpected", "<<<<<<< HEAD"), ("unexpected", "=======")]),
    # Outside
    ("", [("empty", "")]),
    (" \n\t", [("empty", "")]),
    ("// only\n", [("comment", "// only"), ("empty", "")]),
    ("{} some text \nmore", [("extra-text", "some text")]),
    ("\ufeff[1,\u00a02]\u2028", [("unexpected", "\ufeff"), ("unexpected", "\u00a0"), ("unexpected", "\u2028")]),
    # Several at once
    (
        "{a: 1 'b': True, // c\n \"d\": [1,],}",
        [
            ("unquoted-key", "a"),
            ("missing-comma", "1"),
            ("single-quotes", "'b'"),
            ("python-literal", "True"),
            ("comment", "// c"),
            ("trailing-comma", ","),
            ("trailing-comma", ","),
        ],
    ),
]


@pytest.mark.parametrize(("text", "expected"), DEFECTS, ids=[repr(text[:40]) for text, _ in DEFECTS])
def test_defects(text: str, expected: list[tuple[str, str]]) -> None:
    assert sorted(found(text)) == sorted(expected)
    starts = [defect.span.start for defect in parse_json(text).defects]
    assert starts == sorted(starts)


SAFE_REPAIRS = [
    ('{"a": 1,}', '{"a": 1}'),
    ('{"a": 1\n "b": 2}', '{"a": 1,\n "b": 2}'),
    ("[1 // x\n 2]", "[1,\n 2]"),
    ("[\n  1,\n  // alone\n  2\n]", "[\n  1,\n  2\n]"),
    ("[\r\n  /* a\r\n b */  \r\n1]", "[\r\n1]"),
    ("[1 /* x */, 2]", "[1, 2]"),
    ("[1/**/2]", "[1, 2]"),
    ("# a\n# b\n1", "1"),
    ("1\n# b", "1\n"),
    ("{'it\\'s': 'say \"hi\" \\\"x\\\"\t\\u00e9'}", '{"it\'s": "say \\"hi\\" \\"x\\"\\t\\u00e9"}'),
    ('[\u201ca "b" c\u201d]', '["a \\"b\\" c"]'),
    ("{key: None, \u00e9: TRUE}", '{"key": null, "\u00e9": true}'),
    ('{"a" = 1; "b" => 2;}', '{"a" : 1, "b" : 2}'),
    ('{"a" {"b" 1}}', '{"a": {"b": 1}}'),
    ("[+1, -.5e3, 1., 0x1F, 1_000, -0x10]", "[1, -0.5e3, 1.0, 31, 1000, -16]"),
    ('{"a": [1], "b": {"c": 1  \n', '{"a": [1], "b": {"c": 1}}  \n'),
    ('{"a"\uff1a "b"\uff0c "c": 1}', '{"a": "b", "c": 1}'),
    ('["a\tb\x01"]', '["a\\tb\\u0001"]'),
    ('\ufeff{"a":\u00a01};', '{"a": 1}'),
]


@pytest.mark.parametrize(("text", "expected"), SAFE_REPAIRS, ids=[repr(text[:40]) for text, _ in SAFE_REPAIRS])
def test_safe_repairs_keep_the_value(text: str, expected: str) -> None:
    after = repaired(text)
    assert after == expected
    assert repr(json.loads(after)) == repr(parse_json(text).to_python())


UNSAFE_REPAIRS = [
    # Texts that were probably cut off.
    ('{"a": [1, {"b": "c"  \n', '{"a": [1, {"b": "c"}]}  \n'),
    ('{"a": [1, // x\n', '{"a": [1]}\n'),
    ('{"a": [', '{"a": []}'),
    ('{"a": 1,', '{"a": 1}'),
    ('{"a": foo, "b": in progress}', '{"a": "foo", "b": "in progress"}'),
    ("[undefined, NaN, -Infinity]", "[null, null, null]"),
    ("[01, -007]", "[1, -7]"),
    (r'["\d\x41"]', r'["\\d\\x41"]'),
    (r'["it\'s"]', '["it\'s"]'),
    ('["abc', '["abc"]'),
    ('["abc\\', '["abc\\\\"]'),
    ('{"a": "abc,\n "b": 1}', '{"a": "abc",\n "b": 1}'),
    ('["a\n "b"]', '["a",\n "b"]'),
    ("['a", '["a"]'),
    ('{"a": abc", b": 1}', '{"a": "abc", "b": 1}'),
    ("[1, 2}", "[1, 2]"),
    ('{"a": [[1, 2 }', '{"a": [[1, 2]] }'),
    ('{"a": [1,\n "b": 3}', '{"a": [1],\n "b": 3}'),
    ('{"a": [1\n "b": 3}', '{"a": [1],\n "b": 3}'),
    ("{}}", "{}"),
    ("[1,,2]", "[1,2]"),
    ("[1 /* open\n]", "[1\n]"),
    ('{"a": ["Flag "true" is set, "null" is not"]}', '{"a": ["Flag \\"true\\" is set, \\"null\\" is not"]}'),
    ('["a "b\tc" \\"d\\""]', '["a \\"b\\tc\\" \\"d\\""]'),
]


@pytest.mark.parametrize(("text", "expected"), UNSAFE_REPAIRS, ids=[repr(text[:40]) for text, _ in UNSAFE_REPAIRS])
def test_unsafe_repairs(text: str, expected: str) -> None:
    assert parse_json(text).fatal or "NaN" in text
    assert repaired(text, unsafe=True) == expected
    json.loads(expected)


@pytest.mark.parametrize(
    "text",
    [
        "[foo]",
        "[01]",
        "[undefined]",
        "[NaN]",
        r'["\d"]',
        "[1}",
        '["abc',
        "{}}",
        "[1,,2]",
        # The words of a text with wrong quotes may look like members.
        '{"a": "The gate says\n  status: blocked",\n "b": 1}',
        '{"a": "x "quoted", then more"}',
        '{"a": "The "status": blocked, stop"}',
        "{\"a\": 'It''s done'}",
        '{"a": """Design\nwritten"""}',
        '{"a": All done, but lint fails}',
        '["Flag "true" is set, "null" is not"]',
        '["All "12" of "14" True, and\nmore"]',
        '["Flag " true " is set"]',
        '["Split on " " works"]',
        "['Flag 'True' is set']",
        '{"a": "See "#" first",\n "b": 1}',
        '{"a "b" c": 1}',
        '{"a": 1,\n<<<<<<< HEAD\n"b": 1\n=======\n"b": 2\n>>>>>>> main\n}',
    ],
)
def test_what_is_not_safe_is_left_alone(text: str) -> None:
    assert repaired(text) == text


def test_behind_a_sound_member_repairs_are_safe_again() -> None:
    assert repaired('{"a": "open,\n b: 1,\n "c": 2,\n d: 3}') == '{"a": "open,\n b: 1,\n "c": 2,\n "d": 3}'


def test_only_nan_is_not_fatal() -> None:
    tree = parse_json("[NaN, Infinity, -Infinity]")
    assert not tree.fatal
    assert [defect.fatal for defect in tree.defects] == [False] * 3
    value = tree.to_python()
    assert isinstance(value, list) and math.isnan(value[0]) and value[1:] == [math.inf, -math.inf]


# The text after a defect is still structure

RECOVERY = [
    ('{"a": [1, 2}, "b": 3}', {"a": [1, 2], "b": 3}),
    ('{"a": {"x": [1, 2}, "b": 3}', {"a": {"x": [1, 2]}, "b": 3}),
    ('{"a": ["x",\n "b": [true]}', {"a": ["x"], "b": [True]}),
    ('{"a":\n "b": 1}', {"b": 1}),
    ('{"a"\n "b": 1}', {"b": 1}),
    ('{"a": "open,\n "b": {"c": 2}}', {"a": "open", "b": {"c": 2}}),
    ('{"a": "he said "hi" there", "b": 1}', {"a": 'he said "hi" there', "b": 1}),
    ('["All "12" are \\"up\\"", "b"]', ['All "12" are "up"', "b"]),
    ("{a: 1 b: 2 c: [3 4]}", {"a": 1, "b": 2, "c": [3, 4]}),
    ('{"a": foo, "b": 1}', {"a": "foo", "b": 1}),
    ('{"a": 1, ..., "b": 2}', {"a": 1, "b": 2}),
    ('{"a": 1]', {"a": 1}),
    ('{"a": @, "b": 1}', {"a": "@", "b": 1}),
    ('{"a": 1, "a":}', {"a": 1}),
    ("{} rest", {}),
]


@pytest.mark.parametrize(("text", "expected"), RECOVERY, ids=[text for text, _ in RECOVERY])
def test_recovery(text: str, expected: object) -> None:
    assert parse_json(text).to_python() == expected


def test_a_region_has_offsets_of_the_whole_text() -> None:
    text = 'xx {"a": tru,} yy'
    tree = parse_json(text, 3, 14)
    assert tree.span == Span(3, 14)
    assert [(defect.kind, defect.span.of(text)) for defect in tree.defects] == [
        ("unexpected", "tru"),
        ("trailing-comma", ","),
    ]
    assert tree.root and tree.root.span == Span(3, 14)
    assert parse_json("[1]//", 0, 4).defects[0].kind == "extra-text"
    assert [defect.kind for defect in parse_json("abc", 7, 2).defects] == ["empty"]


def test_nodes() -> None:
    text = '{"a": [1, "x"], \'b\' : null, "a": {}, "c"}'
    root = parse_json(text).root
    assert root and root.kind == "object" and root.closed and root.parent is None
    assert [member.span.of(text) for member in root.members] == ['"a": [1, "x"]', "'b' : null", '"a": {}', '"c"']
    assert [member.key.value for member in root.members] == ["a", "b", "a", "c"]
    assert [member.colon for member in root.members] == [4, 20, 31, None]
    last = root.get("a")
    assert last is root.members[2].value and last and last.kind == "object"
    first = root.members[0].value
    assert first and [item.span.of(text) for item in first.items] == ["1", '"x"']
    assert root.get("c") is None and root.member("c") is root.members[3]
    assert root.get("z") is None and root.member("z") is None and first.get("a") is None
    assert python_value(first) == [1, "x"] and python_value(None) is None


def test_open_nodes_say_so() -> None:
    root = parse_json('{"a": ["b').root
    assert root and not root.closed
    array = root.get("a")
    assert array and not array.closed and not array.items[0].closed
    assert array.items[0].value == "b"


def test_duplicates() -> None:
    text = '{"a": 1, "b": [{"x": 1, "x": 2}], "a": {"y": 1, "\\u0079": 2}, "a": 3, "x": 0}'
    assert [member.span.of(text) for member in parse_json(text).duplicates()] == [
        '"x": 2',
        '"a": {"y": 1, "\\u0079": 2}',
        '"\\u0079": 2',
        '"a": 3',
    ]


def test_path_of() -> None:
    root = parse_json('{"a": [0, {"b": [true]}]}').root
    paths = {path_of(node): node for node in nodes(parse_json('{"a": [0, {"b": [true]}]}')) if node.kind != "string"}
    assert set(paths) == {(), ("a",), ("a", 0), ("a", 1), ("a", 1, "b"), ("a", 1, "b", 0)}
    assert root and path_of(root.members[0].key) == ("a",)


# Where the cursor is

LOCATIONS: list[tuple[str, str, str | None, tuple[str | int, ...]]] = [
    # text with the cursor as |, role, text of the node under it, path
    ("|", "value", None, ()),
    ('|{"a": 1}', "value", '{"a": 1}', ()),
    ('{"a": 1} |', "none", None, ()),
    ("{|}", "key", None, ()),
    ('{"a|": 1}', "key", '"a"', ()),
    ('{"a"|: 1}', "key", '"a"', ()),
    ('{"a" | : 1}', "none", None, ()),
    ('{"a": |}', "value", None, ("a",)),
    ('{"a":|', "value", None, ("a",)),
    ('{"a": |\n "b": 1}', "value", None, ("a",)),
    ('{"a": 1|2}', "value", "12", ("a",)),
    ('{"a": "x|', "value", '"x', ("a",)),
    ('{"a": 1 |}', "none", None, ()),
    ('{"a": 1,|}', "key", None, ()),
    ('{"a": 1, |"b": 2}', "key", '"b"', ()),
    ('{"a": 1\n|}', "key", None, ()),
    ('{"a": 1, "b|', "key", '"b', ()),
    ('{"a": 1, b|}', "key", "b", ()),
    ('{"a": ,|}', "key", None, ()),
    ("[|]", "value", None, (0,)),
    ("[1, |]", "value", None, (1,)),
    ("[1 |]", "none", None, ()),
    ("[1\n|]", "value", None, (1,)),
    ("[1, 2|3]", "value", "23", (1,)),
    ('{"a": [{"b": |', "value", None, ("a", 0, "b")),
    ('{"a": [{"b": 1}, {|}]}', "key", None, ("a", 1)),
    ('{"a": [1]|}', "value", "[1]", ("a",)),
    ('{"a": [1, |}', "value", None, ("a", 1)),
    ("{ // co|mment\n}", "none", None, ()),
    ("{ // comment|\n}", "none", None, ()),
    ("{ // comment\n|}", "key", None, ()),
    ("{ /* , */| }", "key", None, ()),
    ('{"a": 1 /* , */ |}', "none", None, ()),
    ("[1, /*|*/]", "none", None, ()),
    ('{"a": 1|', "value", "1", ("a",)),
    ('{"a": {"b": 1}, |', "key", None, ()),
    ("[[1], [|", "value", None, (1, 0)),
    ('{"a" |1}', "value", "1", ("a",)),
]


@pytest.mark.parametrize(("marked", "role", "under", "path"), LOCATIONS, ids=[entry[0] for entry in LOCATIONS])
def test_locate(marked: str, role: str, under: str | None, path: tuple[str | int, ...]) -> None:
    offset = marked.index("|")
    text = marked.replace("|", "")
    place = locate(parse_json(text), offset)
    assert (place.role, place.node.span.of(text) if place.node else None, place.path) == (role, under, path)


def test_locate_names_the_member() -> None:
    tree = parse_json('{"a": 1, "b": }')
    assert tree.root
    assert locate(tree, 14).member is tree.root.members[1]
    assert locate(tree, 14).container is tree.root
    assert locate(tree, 2).member is tree.root.members[0]
    assert locate(tree, 8).member is None


# Agreement with json.loads


def agrees(text: str) -> None:
    tree = parse_json(text)
    try:
        expected = json.loads(text)
    except ValueError:
        assert tree.fatal
        return
    assert not tree.fatal, tree.defects
    assert repr(tree.to_python()) == repr(expected)  # repr distinguishes -0, 1 and 1.0, NaN and the order of keys


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=5), inner, max_size=5)
)
PIECES = [
    *"{}[]:,\"'\\ \n\r\t0123456789.-+eEtrufalsn/*#NaI=;_",
    *"\U0001f600\u6f22\u2028\ufeff\u00a0\x00\x0b\ud800\u201c\u201d\u2018\u2019",
    *("true", "null", "NaN", "Infinity", "True", "//", "/*", "*/", '{"', '": ', '"a":', '"b"', "\\u00", "...", "=>"),
]
jsonish = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@given(values, st.sampled_from([None, 0, 2, "\t", "\r\n"]), st.booleans())
def test_agrees_on_json(value: object, indent: int | str | None, ascii_only: bool) -> None:
    agrees(json.dumps(value, indent=indent, ensure_ascii=ascii_only))


@given(st.lists(st.text(max_size=8)), st.booleans())
def test_the_items_of_a_list_of_texts_are_in_their_places(texts: list[str], ascii_only: bool) -> None:
    text = json.dumps(texts, ensure_ascii=ascii_only)
    root = parse_json(text).root
    assert root is not None
    assert [(item.value, json.loads(item.span.of(text))) for item in root.items] == [(one, one) for one in texts]


@settings(max_examples=2000)
@given(jsonish | st.text(max_size=12))
@example('"\ud800"')
@example('"\\ud83d\\ude00\\ud800x"')
@example('"\\ud83d\\ud83d\\ude00"')
@example("[-0, 0.0, -0.0, 1E5, 1e-5, 1e999]")
@example('{"a": 1, "b": 2, "a": 3}')
@example('{"\\u0061": 1, "a": 2}')
@example("\u0661")
@example("1" * 4300)
@example("1" * 4301)
@example("-" + "1" * 4300)
@example("[1" + "0" * 5000 + ".5]")
@example("[1]\x0c")
@example("\u2028[1]")
def test_agrees_on_any_text(text: str) -> None:
    agrees(text)


@given(values, st.data())
def test_agrees_on_damaged_json(value: object, data: st.DataObject) -> None:
    text = json.dumps(value)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        drop = data.draw(st.integers(0, 2))
        text = text[:at] + data.draw(st.sampled_from(["", *PIECES])) + text[at + drop :]
    agrees(text)


@settings(max_examples=1000)
@given(jsonish)
def test_any_text_has_a_sound_tree(text: str) -> None:
    tree = parse_json(text)
    for defect in tree.defects:
        assert 0 <= defect.span.start <= defect.span.end <= len(text)
        assert defect.span.start < defect.span.end or defect.kind == "empty"
        assert defect.edits or not defect.safe
        assert defect.message and not defect.message.endswith(".")
        apply_edits(text, defect.edits)
    for node in nodes(tree):
        if node.parent:
            assert node.parent.start <= node.start <= node.end <= node.parent.end
        for inner in (node.items, node.members):
            spans = [child.span for child in inner]
            assert all(left.end <= right.start for left, right in pairwise(spans))
        path_of(node)
    for offset in range(-1, len(text) + 2):
        locate(tree, offset)
    tree.duplicates()


_LINES = r"""
"a",
  "b" ,\x20
"\u00e9\n🙂",
"",
"a"
"a"]
  ],
[
"k": [
"k": ["a",
"a", "b",
1,
"a\x",
"a
'a',
{
},
]
\t
,
// c
"a",\r
""".replace(r"\x20", " ").replace(r"\r", "\r")
_LIST_LINE = st.sampled_from(_LINES.split("\n"))
_LISTS = st.builds(
    '{}{{"k": [\n{}\n{}'.format,
    st.sampled_from(("", "\n", " ")),
    st.lists(_LIST_LINE, max_size=12).map("\n".join),
    st.sampled_from(('"z"\n]}', '"z"]\n}', "]}", "", '"z", "z"]}', '"z",\n]}')),
)


def everything(text: str) -> list[object]:
    """All that is known of a text."""
    tree = parse_json(text)
    plain = [node.texts for node in nodes(tree)]
    places = [(node.kind, node.start, node.end, node.value, node.closed, node.is_plain) for node in nodes(tree)]
    return [plain, places, tree.defects, [member.span for member in tree.duplicates()], python_value(tree.root)]


@settings(max_examples=1000)
@given(_LISTS)
def test_lists_read_by_their_lines_are_those_read_at_once(text: str) -> None:
    """With the lines kept that any other text had."""
    with patch.object(line_texts, "_LONG", 0), patch.object(line_texts, "_EDGE", 0):
        by_lines = everything(text)
    assert repr(by_lines) == repr(everything(text))


@settings(max_examples=1000)
@given(jsonish, st.booleans())
def test_repairs_come_to_an_end_and_do_not_collide(text: str, unsafe: bool) -> None:
    tree = parse_json(text)
    wanted = [edit for defect in tree.defects if defect.safe or unsafe for edit in defect.edits]
    assert sorted(repair_edits(tree, unsafe=unsafe)) == sorted(wanted)
    repaired(text, unsafe=unsafe)
    safe_only = all(defect.safe or not defect.fatal for defect in tree.defects)
    if safe_only:
        assert repr(json.loads(repaired(text))) == repr(tree.to_python())


# Damage done to proper JSON is undone by the safe repairs


class Damage:
    """Writes a value as JSON with the mistakes people make, chosen by a seed."""

    def __init__(self, seed: int, rate: float) -> None:
        self.random = random.Random(seed)
        self.rate = rate

    def hit(self) -> bool:
        return self.random.random() < self.rate

    def gap(self) -> str:
        if self.hit():
            blanks = [" // c, 'd'\n", "\n  # {[\n", '/* "x": 1 */', "\u00a0", "\ufeff ", "\n/*\n*/\n"]
            return self.random.choice(blanks)
        return self.random.choice(["", " ", "\n  ", "\r\n\t"])

    def comma(self) -> str:
        if self.hit():
            return self.random.choice([" ", "\n", "\r\n"])  # forgotten
        return ";" if self.hit() else ","

    def string(self, text: str) -> str:
        proper = json.dumps(text, ensure_ascii=self.random.random() < 0.5)
        if self.hit():
            return "'" + proper[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"
        if self.hit() and not set("\u201c\u201d\u201e").intersection(text):
            return "\u201c" + proper[1:-1] + "\u201d"
        return proper

    def key(self, text: str) -> str:
        plain = text.replace("_", "a").isalnum() and text.isascii()
        return text if plain and self.hit() else self.string(text)

    def write(self, value: object) -> str:
        if isinstance(value, dict):
            parts = []
            for key, item in value.items():
                colon = self.random.choice([" = ", " => "]) if self.hit() else ":"
                parts.append(self.key(key) + self.gap() + colon + self.gap() + self.write(item))
            return "{" + self.join(parts) + "}"
        if isinstance(value, list):
            return "[" + self.join([self.write(item) for item in value]) + "]"
        if isinstance(value, str):
            return self.string(value)
        text = json.dumps(value)
        if value is None or isinstance(value, bool):
            return str(value) if self.hit() else text
        return "+" + text if not text.startswith("-") and self.hit() else text

    def join(self, parts: list[str]) -> str:
        text = self.gap()
        for at, part in enumerate(parts):
            text += part + self.gap()
            if at + 1 < len(parts):
                comma = self.comma()
                # On one line, a text and an item behind it without a comma may be one text with quotes in it.
                quoted = any(side in json_scan.QUOTES for side in (part[-1], parts[at + 1][0]))
                text += ("\n" if comma == " " and quoted else comma) + self.gap()
        if parts and self.hit():
            text += self.random.choice([",", ",,", ";"]) + self.gap()
        return text


names = st.text(st.sampled_from("abz_09"), min_size=1, max_size=4) | st.text(max_size=4)
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
finite = st.none() | st.booleans() | numbers | st.text(max_size=8)
damaged_values = st.recursive(
    finite, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(names, inner, max_size=5), max_leaves=20
)


@settings(max_examples=1000)
@given(damaged_values, st.integers(0, 2**32), st.sampled_from([0.0, 0.1, 0.4]))
def test_known_damage_is_repaired(value: object, seed: int, rate: float) -> None:
    damage = Damage(seed, rate)
    text = damage.gap() + damage.write(value) + damage.gap()
    tree = parse_json(text)
    assert all(defect.safe for defect in tree.defects), [(defect, defect.span.of(text)) for defect in tree.defects]
    assert repr(tree.to_python()) == repr(value)
    assert repr(json.loads(repaired(text))) == repr(value)


# Texts cut off, deep, and hostile


def test_every_prefix_of_a_contract() -> None:
    whole = json.loads(CONTRACT)
    for end in range(len(CONTRACT) + 1):
        text = CONTRACT[:end]
        tree = parse_json(text)
        agrees(text)
        locate(tree, end)
        repaired(text)
        repaired(text, unsafe=True)
        assert sum(defect.kind == "missing-bracket" for defect in tree.defects) <= 1
        value = tree.to_python()
        if end > CONTRACT.index('"next_action"') and isinstance(value, dict):
            # Complete members are present.
            assert value["agent_status"]["agent_id"] == whole["agent_status"]["agent_id"]
        assert parse_json(CONTRACT, 0, end).to_python() == value


DEEP = 100_000


@pytest.mark.parametrize(
    "text",
    ["[" * DEEP, "[" * DEEP + "]" * DEEP, '{"a":' * DEEP, '[{"a":' * DEEP + "1" + "}]" * DEEP, "[" * DEEP + "}" * DEEP],
    ids=["open", "closed", "objects", "mixed", "wrong"],
)
def test_depth(text: str) -> None:
    tree = parse_json(text)
    tree.to_python()
    assert tree.duplicates() == []
    place = locate(tree, len(text) // 2)
    if place.container:
        path_of(place.container)
    repair_edits(tree)
    repr(tree.root), repr(tree)
    del tree, place
    gc.collect()


HOSTILE = [
    *('"', '"a\n', '"a,\n', "'", "'\n", "'a'b", "\u201c", '\u201c"', "\u201ca\n", "\u2018"),
    *("/*", "/*\n", "/**/", "//\n", "# ", "/", "http://", "\t\t\t ", "\u00a0 ", "\ufeff1", "\r", "\\"),
    *("1 ", '"a" ', '"a":', "a ", "a\n", "a: ", "a=b ", ",", ";", ":", "=", "}", "]", "[}", "{]", "[1},", '{"a":1]'),
    *("{,", "{:", "{[", "[,", '{"a" ', '{"a":\n', '{"a": 1 b ', '"a": [1,\n', '{"a": [1,\n', 'a" b ', '"\\d"', '"\t"'),
    *("01", "1_", "-", ".", "True,", "[a /**/", '{"a":{"b":[[[1,"c":'),
]


class Counted:
    """A pattern that counts the characters that it looks at."""

    def __init__(self, pattern: re.Pattern[str], steps: Steps) -> None:
        self._pattern, self._steps = pattern, steps

    def match(self, text: str, at: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        found = self._pattern.match(text, at, end)
        if found is not None:
            self._steps.characters += found.end() - at
        else:  # it went through blanks and comments, or a string, before it failed
            tried = [each.match(text, at, end) for each in (GAP, STRING) if each.pattern in self._pattern.pattern]
            self._steps.characters += max((match.end() - at for match in tried if match), default=0)
        return found

    def search(self, text: str, at: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        self._steps.characters += min(end, len(text)) - at
        return self._pattern.search(text, at, end)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        self._steps.characters += len(text)
        return self._pattern.fullmatch(text)

    def finditer(self, text: str, at: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        self._steps.characters += min(end, len(text)) - at
        return self._pattern.finditer(text, at, end)


class Steps:
    """Counts the work in its block: calls of functions, and characters that patterns read."""

    def __init__(self) -> None:
        self.calls = self.characters = 0

    def __enter__(self) -> Steps:
        def count(_frame: object, event: str, _about: object) -> None:
            self.calls += event in {"call", "c_call"}

        self._patches = pytest.MonkeyPatch()
        for module in (json_scan, json_tree):
            for name, value in vars(module).copy().items():
                if isinstance(value, re.Pattern | LazyPattern):
                    self._patches.setattr(module, name, Counted(value, self))
        for table in (json_scan._LOOSE, json_scan._KEY_COLON):
            for key, value in table.items():
                self._patches.setitem(table, key, Counted(value, self))
        sys.setprofile(count)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        self._patches.undo()


GAP, STRING = re.compile(json_scan._GAP), re.compile(json_scan._STRING)


def steps(text: str) -> tuple[int, int]:
    """The work to read a text, to repair it, and to look for places in it."""
    with Steps() as counted:
        tree = parse_json(text)
        tree.to_python()
        tree.duplicates()
        edits = repair_edits(tree, unsafe=True)
        for offset in range(0, len(text), len(text) // 5):
            locate(tree, offset)
    apply_edits(text, edits)
    return counted.calls, counted.characters


def is_linear(before: str, unit: str, size: int) -> None:
    """Whether four times the text takes four times the steps; quadratic work would take sixteen times."""
    short, long = (steps(before + unit * (length // len(unit))) for length in (size // 4, size))
    assert short[0] > 0
    for few, many in zip(short, long, strict=True):
        assert many <= 6 * few + 1_000, (short, long)


def test_steps_show_what_is_quadratic() -> None:
    def calls(size: int) -> int:
        with Steps() as counted:
            for end in range(size):
                json_scan.SPACE.match(" " * size, 0, end)
        return counted.characters

    assert calls(400) > 14 * calls(100)


@pytest.mark.parametrize("unit", HOSTILE, ids=repr)
@pytest.mark.parametrize("before", ["", "[", '{"a": ', "[[{"])
def test_hostile_texts_take_linear_time(unit: str, before: str) -> None:
    is_linear(before, unit, 4_000)


@pytest.mark.parametrize(
    "unit", ['"', '"a\n', "/*\n", "a /*\n", "1 ", "[}", '{"a":', "{,", "\u201c\n", "[" * 50 + "}"], ids=repr
)
def test_hostile_texts_of_full_length(unit: str) -> None:
    is_linear("", unit, 16_000)
    tree = parse_json(unit * (100_000 // len(unit)))
    tree.to_python()
    repair_edits(tree)
