"""Values with an argument, such as ``superseded by {adr}``: completion, hover, names over files, wrong contracts."""

from __future__ import annotations

from pathlib import Path

import pytest
from features.documents import context_of
from own.test_own_cases import registry_of

from handoff_lsp.binding.values import ReadValue, read_enum
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.model import Field, Tolerance, Value
from handoff_lsp.engine import Options, analyze
from handoff_lsp.features.completion.complete import complete
from handoff_lsp.features.completion.item import CompletionItem
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages.hover import hover
from handoff_lsp.text import Source, apply_edits

FILE = Path(__file__).parent / "cases" / "value-arguments.md"
FRONT = "---\nstatus: {}\n---\n# Orders\n"


def looked_at(text: str) -> Context:
    return context_of(analyze(Source(text), "records/R-1.md", registry_of(FILE), Options()))


def items(marked: str) -> tuple[str, dict[str, CompletionItem]]:
    text = marked.replace("‸", "")
    found = complete(looked_at(text), marked.index("‸"))
    return text, {item.label: item for item in found}


@pytest.mark.parametrize("typed", ["‸", "super‸", "superseded by ‸", "superseded by R‸"])
def test_the_value_is_a_snippet_and_each_name_a_value(typed: str) -> None:
    text, found = items(FRONT.format(typed))
    whole = found["superseded by {adr}"]
    assert whole.edit.snippet == "superseded by ${1|<adr>,R-0|}"
    assert apply_edits(text, [found["superseded by R-0"].edit]) == FRONT.format("superseded by R-0")
    assert apply_edits(text, [found["decided"].edit]) == FRONT.format("decided")
    assert found["split into {one} and {two}"].edit.snippet == "split into ${1|<one>,R-0|} and ${2:<two>}"


def test_in_json_the_same() -> None:
    text, found = items('```record\n{"title": "x", "status": "‸"}\n```\n')
    assert found["superseded by {adr}"].edit.snippet == '"superseded by ${1|<adr>,R-0|}"'
    done = apply_edits(text, [found["superseded by R-0"].edit])
    assert '"status": "superseded by R-0"' in done


def test_hover_shows_what_the_value_means_and_what_its_argument_is() -> None:
    text = FRONT.format("superseded by R-9")
    value = hover(looked_at(text), text.index("superseded"))
    assert value is not None
    assert "Another record took its place" in value.markdown
    name = hover(looked_at(text), text.index("R-9") + 1)
    assert name is not None
    assert "record" in name.markdown


@pytest.mark.parametrize("tolerate", [[], ["case"]])
@pytest.mark.parametrize("written", ["superseded by {adr}", "superseded by <adr>"])
def test_an_argument_to_fill_in_leaves_the_value_open(tolerate: list[Tolerance], written: str) -> None:
    field = Field(type="enum", values=[Value(value="decided"), Value(value="superseded by {adr}")], tolerate=tolerate)
    assert read_enum(field, written) == ReadValue(None, 0, len(written), "placeholder")


WRONG = """contract: record
title: Record
about: A decision.
status: status
unread: nobody reads it
file: {{syntax: json, path: 'record\\.json$', holds: [status]}}
fields:
  status:
    type: enum
    values: [decided, 'superseded by {{adr}}']
    fields: {{{fields}: {{type: line}}}}
checks:
  one: {{rule: contradiction, check: "{check}", at: {at}, message: '{{status}}'}}
routing: [{{action: ask, reason: Ask.}}]
"""


@pytest.mark.parametrize(
    ("fields", "check", "at", "says"),
    [
        ("adr", "status.adr != ''", "status.adr", ""),
        ("adr", "status == 'superseded by {adr}'", "status", ""),
        ("adr", "status == 'superseded by'", "status", "`status` is never `superseded by`"),
        (
            "adr",
            "status.ard != ''",
            "status",
            "`status.ard` is not a field of profile default; did you mean `status.adr`?",
        ),
        ("adr", "status != ''", "status.ard", "`status.ard`"),
        ("ard", "status != ''", "status", "no value of this enum has an argument `{ard}`; did you mean `adr`?"),
    ],
)
def test_a_wrong_contract_is_refused(fields: str, check: str, at: str, says: str) -> None:
    text = WRONG.format(fields=fields, check=check, at=at)
    _, problems = read_contract(text, Path("record.yaml"))
    assert [says in problem.message for problem in problems] == [True] * bool(says), problems


def test_values_with_arguments_are_bounded() -> None:
    many = ", ".join(f"'v{number} {{a}}'" for number in range(201))
    text = WRONG.format(fields="adr", check="true", at="status").replace("decided,", f"{many},")
    _, problems = read_contract(text, Path("record.yaml"))
    assert ["values with arguments" in problem.message for problem in problems] == [True]
