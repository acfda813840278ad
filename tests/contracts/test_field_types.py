"""A field type is one row that every interface uses, shown with two types that no built-in contract has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest

from handoff_lsp.cli.main import main
from handoff_lsp.contracts.field_types import KINDS, FieldType

CONTRACT = """contract: ticket
title: Deploy ticket
about: A ticket.
source: our own
status: state
unread: nobody deploys
default_profile: only
profiles: {only: {about: The only one.}}
file: {syntax: json, path: "ticket\\\\.json$"}
fields:
  state: {type: enum, required: true, about: Where it is., values: [{value: ready, about: Ready.}]}
  due: {type: date, required: true, about: The day.}
  page: {type: url, required: true, about: The page.}
routing:
  - {action: ask, reason: Ask.}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".handoff-lsp.toml").write_text('contract-files = ["ticket.yaml"]\n')
    (tmp_path / "ticket.yaml").write_text(CONTRACT)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checked(folder: Path, due: str, page: str, capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str]]:
    (folder / "ticket.json").write_text(json.dumps({"state": "ready", "due": due, "page": page}))
    main(["check", "--output-format", "json", "ticket.json"])
    return [(finding["rule"], finding["field"]) for finding in json.loads(capsys.readouterr().out)["findings"]]


@pytest.mark.parametrize("due", ["2026-02-08", "2024-02-29"])
@pytest.mark.parametrize("page", ["https://example.org", "http://example.org/a?b#c"])
def test_right_values(folder: Path, due: str, page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(folder, due, page, capsys) == []


@pytest.mark.parametrize("due", ["2026-02-30", "8.2.2026", "2026-2-8", "tomorrow"])
@pytest.mark.parametrize("page", ["example.org", "https://", "ftp://example.org", "see https://example.org"])
def test_wrong_values(folder: Path, due: str, page: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(folder, due, page, capsys) == [("invalid-format", "due"), ("invalid-format", "page")]


@pytest.mark.parametrize(("cost", "rules"), [("9", []), ("10", ["invalid-value"]), ("1e400", ["invalid-type"])])
def test_a_number_is_finite(folder: Path, cost: str, rules: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "ticket.yaml").write_text(CONTRACT.replace("  page:", "  cost: {type: number, maximum: 9}\n  page:"))
    (folder / "ticket.json").write_text(
        f'{{"state": "ready", "due": "2026-02-08", "page": "https://example.org", "cost": {cost}}}'
    )
    main(["check", "--output-format", "json", "ticket.json"])
    assert [finding["rule"] for finding in json.loads(capsys.readouterr().out)["findings"]] == rules


def test_a_new_one_asks_for_both(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["new", "ticket"])
    made = capsys.readouterr().out
    assert '"<YYYY-MM-DD>"' in made and '"<a URL>"' in made
    (folder / "ticket.json").write_text(made)
    main(["check", "--output-format", "json", "ticket.json"])
    found = {(finding["rule"], finding["field"]) for finding in json.loads(capsys.readouterr().out)["findings"]}
    assert {("placeholder-left", "due"), ("placeholder-left", "page")} <= found


def test_pages_name_them(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["explain", "ticket.due"])
    main(["explain", "ticket.page"])
    told = capsys.readouterr().out
    assert "date" in told and "URL" in told


def test_every_type_has_a_row() -> None:
    assert set(KINDS) == set(get_args(FieldType))
