"""A log of a contract's own shape: lines that continue an entry, completion, a new one, and wrong contracts."""

from __future__ import annotations

from pathlib import Path

import pytest
from features.documents import context_of
from own.conftest import Own
from own.test_own_cases import registry_of

from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.model import FileForm
from handoff_lsp.engine import Options, analyze
from handoff_lsp.features.completion.complete import complete
from handoff_lsp.features.outline.document_symbols import symbols
from handoff_lsp.recognition.shaped_logs import looks_shaped, read_shaped_log
from handoff_lsp.syntax.lines.log import LINES_TO_JUDGE
from handoff_lsp.text import Source, apply_edits

FILE = Path(__file__).parent / "cases" / "shaped-log.md"
FORM = FileForm(syntax="log", path="x", entry=r"(?P<time>\d+:\d+) (?P<tag>\w+)(?P<text>.*)")


def test_lines_that_are_indented_continue_the_entry_above() -> None:
    text = "\ufeff10:00 go\n  and on\r\n\n\tand on\nwhat\n  of it\n10:01 end fast"
    log = read_shaped_log(text, FORM)
    assert [entry.span.of(text) for entry in log.entries] == ["10:00 go", "10:01 end fast"]
    assert [line.of(text) for line in log.entries[0].more] == ["  and on", "\tand on"]
    assert [(line.line, line.span.of(text)) for line in log.broken] == [(4, "what")]
    assert [(entry.tag.of(text), entry.text.of(text)) for entry in log.entries] == [("go", ""), ("end", " fast")]


def test_a_contract_may_say_which_lines_continue() -> None:
    form = FileForm(syntax="log", path="x", entry=FORM.entry, continues=r"^\| ")
    text = "10:00 go\n| and on\n  not\n"
    log = read_shaped_log(text, form)
    assert [line.of(text) for line in log.entries[0].more] == ["| and on"]
    assert [line.span.of(text) for line in log.broken] == ["not"]


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("10:00 go\n", True),
        ("<10:00 go>\n", True),
        ("10:00 go\n  a\n  b\n  c\n", True),
        ("a\n10:00 go\n", True),
        ("a\nb\n10:00 go\n", False),
        ("10:00 go\n" * LINES_TO_JUDGE + "a\n" * LINES_TO_JUDGE * 2, True),
        ("a\n" * LINES_TO_JUDGE + "10:00 go\n" * LINES_TO_JUDGE * 2, False),
        ("<10 o'clock>\n", False),
        ("", False),
    ],
)
def test_half_of_its_first_lines_make_a_log(text: str, is_one: bool) -> None:
    assert looks_shaped(text, FORM) is is_one


def test_levels_are_completed_in_their_place() -> None:
    text = "2026-01-01 10:00:00 IN started\n2026-01-01 10:00:02 END done\n"
    registry = registry_of(FILE)
    analysis = analyze(Source(text), "runs/1.log", registry, Options())
    found = {item.label: item for item in complete(context_of(analysis), text.index("IN") + 2)}
    assert list(found) == ["DEBUG", "INFO", "WARN", "ERROR", "END"]
    done = apply_edits(text, [found["INFO"].edit])
    assert done.startswith("2026-01-01 10:00:00 INFO started\n")
    assert complete(context_of(analysis), text.index("started") + 3) == []
    assert symbols(analyze(Source(done), "runs/1.log", registry, Options()))


def test_a_new_one_is_recognized_and_waits_to_be_filled_in(own: Own) -> None:
    text = FILE.read_text(encoding="utf-8")
    own.write(
        "contracts/run-log.yaml", text[text.index("contract: run-log") : text.index("~~~~\n\n## A run that is done")]
    )
    own.write("runs/1.log", own.run("new", "run-log")[1])
    assert own.found("runs/1.log") == [("missing-status", "outcome"), ("placeholder-left", None)]
    assert "fix:" not in own.says("check", "runs/1.log"), "nobody else can tell what happened"


WRONG = """contract: run-log
title: run log
about: A log.
file: {{{file}}}
fields:
  lines: {{type: list}}
"""


@pytest.mark.parametrize(
    ("file", "says"),
    [
        ("syntax: log, path: 'x', entry: '(?P<tag>.*)', example: yes it is", ""),
        ("syntax: json, path: 'x', entry: '(?P<tag>.*)'", "`entry` has no effect here: it is for logs"),
        ("syntax: log, path: 'x', continues: '^ '", "`continues` has no effect here: it is for `entry`"),
        ("syntax: log, path: 'x', entry: '(?P<tag>[a-z]+)', example: '1'", "the example does not match `entry`"),
        ("syntax: log, path: 'x', entry: '(?P<tag>['", "invalid RE2 pattern"),
    ],
)
def test_a_wrong_contract_is_refused(file: str, says: str) -> None:
    _, problems = read_contract(WRONG.format(file=file), Path("run-log.yaml"))
    assert [says in problem.message for problem in problems] == [True] * bool(says), problems
