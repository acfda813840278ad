"""YAML for formats that declare it: pairs with their places, and None for other text."""

from __future__ import annotations

import re

import pytest

from handoff_lsp.syntax.lines import yaml
from handoff_lsp.syntax.lines.yaml import read_yaml_pairs


def pairs(text: str) -> list[tuple[str, str, str]]:
    """Key, value as written, value as meant."""
    found = read_yaml_pairs(text)
    assert found is not None
    return [(pair.key_text, text[pair.value.start : pair.value.end], pair.value_text) for pair in found]


def test_values_are_unquoted_and_comments_are_no_part_of_them() -> None:
    text = 'outcome: "done: all"   # a comment\nverdict: n/a # others\nfiles: 1 created\n'
    assert pairs(text) == [
        ("outcome", '"done: all"', "done: all"),
        ("verdict", "n/a", "n/a"),
        ("files", "1 created", "1 created"),
    ]


def test_places_are_code_points() -> None:
    assert pairs("概要: 🙂 見た\nnext: é\u0301 x\n") == [
        ("概要", "🙂 見た", "🙂 見た"),
        ("next", "é\u0301 x", "é\u0301 x"),
    ]


def test_block_scalars_lists_and_crlf() -> None:
    text = "summary: |\r\n  one\r\n  two\r\nitems:\r\n- a\r\n- b\r\nlast: x\r\n"
    assert [key for key, _, _ in pairs(text)] == ["summary", "items", "last"]
    assert pairs(text)[0][2] == "one\ntwo\n"
    assert pairs(text)[2] == ("last", "x", "x")


def test_repeated_keys_are_kept() -> None:
    assert [key for key, _, _ in pairs("a: 1\na: 2\n")] == ["a", "a"]


@pytest.mark.parametrize(
    "text",
    [
        "outcome: a: b\n",
        "- a\n- b\n",
        "plain text",
        "",
        "a: [1,\n",
        "\t- x: {",
        "? [a, b]\n: c\n",
        "a: &x [*x]\n\x00",
        "&a a: *b",
    ],
)
def test_what_is_not_a_mapping_of_names_is_none(text: str) -> None:
    assert read_yaml_pairs(text) is None


def test_aliases_are_not_expanded() -> None:
    bomb = "a: &a [x, x]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [*{chr(97 + i)}, *{chr(97 + i)}]\n" for i in range(20)
    )
    found = read_yaml_pairs(bomb)
    assert found is not None
    assert len(found) == 21


# What has a meaning for YAML somewhere, and words of the kind that needs no parser.
_WORDS = [
    "a",
    "2",
    "null",
    "~",
    "1e3",
    "-",
    "---",
    "...",
    "a,",
    "(b)",
    "#",
    "x#",
    "k:",
    "'q'",
    '"',
    "[1]",
    "&a",
    "é",
    ".",
    "x{",
    "{id}/x",
    "]",
    "http://x:1",
    ":x",
    "::",
    "x:#",
    "#:x",
    "é:é",
    "x:\u2028",
    "—",
    "日本",
    "\u3000",
    "\x85",
    "\xa0",
    "\ufeff",
    "😀",
    "!t",
    "*b",
    "|",
    ">",
    "%",
    "@",
    "`c`",
    "?",
    "x'y",
    "\\",
    "\x7f",
]


@pytest.mark.parametrize("end", ["", "\n", "  \n", "\r\n", "\n\n"])
def test_lines_that_need_no_parser_are_read_as_it_reads_them(end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [
        *(f"{key}: {first} {second}{end}" for key in ("files", "a_1") for first in _WORDS for second in ("", *_WORDS)),
        *(
            f"a: 1\n{line}{end}"
            for line in ("b: 2  3", "b:", " b: 2", "  c", "a: 2", "- b", "b : 2", "b:2", "b:\t2", "---")
        ),
        *(f"{first}{end}" for first in _WORDS),
        f"{'k' * 80}: v{end}",
        end,
    ]
    short = sum(yaml._is_plain(text) for text in texts)
    quick = [(yaml.read_yaml_pairs(text), yaml.yaml_error(text)) for text in texts]
    yaml.read_yaml_pairs.cache_clear()
    yaml.yaml_error.cache_clear()
    monkeypatch.setattr(yaml, "_PLAIN", re.compile("(?!)"))
    assert quick == [(yaml.read_yaml_pairs(text), yaml.yaml_error(text)) for text in texts]
    assert short > 50 or end in ("\r\n", "\n\n"), "too few texts that need no parser"
