"""The language of the command: `--lang`, else on a terminal that of the environment, else English."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from handoff_lsp.cli.main import main
from handoff_lsp.cli.output.text import wrapped
from handoff_lsp.language import in_language
from handoff_lsp.text import width

HANDOFF = """\
# Board title — Handoff from Developer

## Status

compleet

## Abstract

```yaml
outcome: x
verdict: n/a
files: 0 created, 0 modified, 0 deleted
next_phase: tester
open_questions: 0
```
"""
LINES = "正しい値は一つだけです。`STATUS` が `blocked` のときは（`NEXT` の値にかかわらず）必須のフィールドです"


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """The command sets the language of the process; the other tests speak English."""
    with in_language("en"):
        yield


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "x-developer-handoff.md").write_text(HANDOFF, encoding="utf-8")
    return "x-developer-handoff.md"


def test_lang(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--lang", "ja", path]) == 1
    out = capsys.readouterr().out
    assert "error[invalid-value] `Status` は「compleet」ですが、" in out
    assert "= 注記: オーケストレーターは" in out
    assert '= 要確認の修正: "compleet" を `complete` に変更' in out
    assert "エラーがあります。\n" in out
    assert out.endswith("件は `--fix` で修正できます（`--unsafe-fixes` でさらに 1 件）。\n")
    assert main(["check", path]) == 1
    assert "`Status` is" in capsys.readouterr().out


def test_json_has_the_chosen_language_and_the_same_codes(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--output-format", "json", path])
    english = capsys.readouterr().out
    main(["check", "--output-format", "json", "--lang", "ja-JP", path])
    japanese = capsys.readouterr().out
    assert "は「compleet」ですが、" in japanese
    rules = [one["rule"] for one in json.loads(english)["findings"]]
    assert [one["rule"] for one in json.loads(japanese)["findings"]] == rules
    assert "invalid-value" in rules


@pytest.mark.parametrize("command", ["check", "parse", "explain", "doctor", "hook", "server"])
def test_an_unknown_language(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--lang", "xx"]) in {1, 2}
    assert "unknown language `xx`: it is one of en, ja" in capsys.readouterr().err


def test_the_environment_counts_on_a_terminal_only(
    path: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    main(["check", path])
    assert "`Status` is" in capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    main(["check", path])
    assert "`Status` は" in capsys.readouterr().out
    main(["check", "--output-format", "json", path])
    assert "`Status` is" in capsys.readouterr().out
    main(["check", "--lang", "en", path])
    assert "`Status` is" in capsys.readouterr().out
    monkeypatch.setenv("LC_ALL", "C")
    main(["check", path])
    assert "`Status` is" in capsys.readouterr().out


@pytest.mark.parametrize("cells", [20, 40, 80])
def test_japanese_wraps_by_cells(cells: int) -> None:
    lines = wrapped(LINES, cells, "  ")
    assert len(lines) > 1
    assert all(width(line) <= cells for line in lines)
    assert "".join(line.strip() for line in lines).replace(" ", "") == LINES.replace(" ", "")
    assert not any(line.strip()[0] in "、。）」" for line in lines)
    assert not any(line.endswith(("（", "「")) for line in lines)


def test_a_long_word_has_a_line_of_its_own() -> None:
    assert wrapped("a " + "b" * 50 + " c", 20, "") == ["a", "b" * 50, "c"]
