"""Contracts of a user's own for YAML and JSON Lines files: the command's answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from own.conftest import Own

CASES = Path(__file__).parent / "cases"
CONTRACTS = {
    name: (CASES / f"{name}-file.md").read_text(encoding="utf-8").partition("~~~~contract\n")[2].partition("~~~~\n")[0]
    for name in ("yaml", "jsonl")
}
GOOD = "task: Build\nstate: done\n"


def test_a_folder_is_searched_for_yaml_files_that_a_contract_names(own: Own) -> None:
    own.write("contracts/ticket.yaml", CONTRACTS["yaml"])
    own.write("tickets/1.yaml", GOOD.replace("done", "doen"))
    own.write("tickets/2.yml", GOOD)
    own.write("config/app.yaml", GOOD.replace("done", "doen"))
    assert own.found(".") == [("invalid-value", "state")]
    assert [one["path"] for one in own.parsed(".")] == ["tickets/1.yaml", "tickets/2.yml"]


def test_a_new_ticket_is_yaml(own: Own) -> None:
    own.write("contracts/ticket.yaml", CONTRACTS["yaml"])
    _, out, err = own.run("new", "ticket")
    assert not err or "it counts as ticket only at" in err
    assert out == "task: <task>\nstate: <open | done | dropped>\n"


def test_the_doctor_shows_what_a_yaml_file_lacks(own: Own) -> None:
    own.write("contracts/ticket.yaml", CONTRACTS["yaml"])
    own.write("tickets/1.yaml", "state: done\nowner: Ann\n")
    assert "Nearly `ticket` (file)" in own.says("doctor", "tickets/1.yaml")
    own.write("config/app.yaml", "version: 1\n")
    assert "Nearly" not in own.says("doctor", "config/app.yaml")


def test_each_line_of_json_lines_is_parsed(own: Own) -> None:
    own.write("contracts/ticket.yaml", CONTRACTS["jsonl"])
    own.write("tickets.jsonl", '{"task": "a", "state": "done"}\n{"task": "b", "state": "dropped"}\n')
    parsed = own.parsed(".")
    assert [(one["fields"]["task"], one["routing"]["action"]) for one in parsed] == [("a", "advance"), ("b", "ask")]
    assert [one["range"]["start"]["line"] for one in parsed] == [1, 2]
    _, out, _ = own.run("new", "ticket")
    assert out == '{"task": "<task>", "state": "<open | done | dropped>"}\n'


@pytest.mark.parametrize(
    "text", ["", "\ufeff", "a: &a [*a]\n", "\t", "? [a]\n: b\n", "task: *x\n", "%YAML 9\n---\n", "- " * 500]
)
def test_no_text_of_a_yaml_file_breaks_anything(own: Own, text: str) -> None:
    own.write("contracts/ticket.yaml", CONTRACTS["yaml"])
    own.write("tickets/1.yaml", text)
    own.write("tickets/2.yaml", GOOD + text)
    assert "internal-error" not in [rule for rule, _ in own.found(".")]
