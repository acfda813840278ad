"""`--help` at the width of the terminal."""

from __future__ import annotations

import re

import pytest

from handoff_lsp.cli.arguments.commands import parsers

# Lines that stay as they are: usage, examples, tables and configs.
_KEPT = re.compile(r" {3,}|usage:|  (?:agent \| )?handoff-lsp |  -|.*\S  +\S")


@pytest.mark.parametrize("width", ["40", "80", "120"])
def test_prose_fits_the_terminal_and_no_word_is_broken(width: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    wide = {name: set(parser.format_help().split()) for name, parser in parsers()[1].items()}
    monkeypatch.setenv("COLUMNS", width)
    for name, parser in parsers()[1].items():
        text = parser.format_help()
        prose = [line for line in text.splitlines() if not _KEPT.match(line)]
        assert [line for line in prose if len(line) > int(width) and " " in line.strip()] == [], name
        assert set(text.split()) <= wide[name], name


def test_an_entry_is_wrapped_in_its_column(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = parsers()[1]["check"].format_help().splitlines()
    at = next(index for index, line in enumerate(lines) if "--stdin-filename a-handoff.md" in line)
    column = lines[at].index("standard input")
    assert lines[at + 1] == " " * column + "checked as that file"
