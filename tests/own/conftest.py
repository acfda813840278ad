"""A workspace with contracts of its own, for tests of the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from handoff_lsp.cli.main import main


class Own:
    """A workspace with contracts of its own, and the command in it."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root, self._capsys = root, capsys
        self.write(".handoff-lsp.toml", 'contract-files = ["contracts/*.yaml"]\n')

    def write(self, path: str, text: str) -> None:
        """Write a file below the workspace's root."""
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, encoding="utf-8")

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """The exit code, output and errors of the command."""
        code = main(list(arguments))
        return (code, *self._capsys.readouterr())

    def says(self, *arguments: str) -> str:
        """The output of a command that reports no errors of its own, on single lines."""
        _, out, err = self.run(*arguments)
        assert not err, err
        return " ".join(out.split())

    def found(self, *paths: str) -> list[tuple[str, str]]:
        """The rule and field of each finding."""
        _, out, err = self.run("check", "--output-format", "json", *paths)
        assert not err, err
        return [(one["rule"], one["field"]) for one in json.loads(out)["findings"]]

    def parsed(self, path: str) -> list[dict[str, Any]]:
        """The handoffs of a document."""
        _, out, err = self.run("parse", "--output-format", "json", path)
        assert not err, err
        return [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Own:
    """An empty workspace that reads contracts from its folder ``contracts``."""
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return Own(tmp_path, capsys)
