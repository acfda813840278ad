"""A config that extends another one."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from cli.test_config import CONTRACT, STANDUP, write

from handoff_lsp.cli.main import main
from handoff_lsp.features.config_files.file import ConfigFile, config_file
from handoff_lsp.text import Source
from handoff_lsp.workspace.config.config_file import ConfigError
from handoff_lsp.workspace.config.resolver import Resolver


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def problems(path: Path) -> list[tuple[str, int | None, str]]:
    found: list[ConfigError] = Resolver().problems(path)
    return [(one.path.name, one.line, one.message) for one in found]


def findings(capsys: pytest.CaptureFixture[str], *paths: str) -> tuple[int, list[tuple[str, str, str]], str]:
    code = main(["check", "--output-format", "json", *paths])
    out, err = capsys.readouterr()
    found: list[dict[str, Any]] = json.loads(out)["findings"]
    return code, [(one["path"], one["rule"], one["severity"]) for one in found], err


def test_nearer_wins_and_patterns_stay_relative_to_their_file(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(root / "formats" / "standup.yaml", CONTRACT)
    write(
        root / ".handoff-lsp.toml",
        """\
contract-files = ["formats/*.yaml"]
exclude = ["old"]
disable = ["status-block"]
[rules]
invalid-value = "information"
empty-value = "off"
[contracts.standup]
team = "all"
strict = true
[[files]]
pattern = "pkg/notes/*.md"
rules = { invalid-value = "hint" }
""",
    )
    write(
        root / "pkg" / ".handoff-lsp.toml",
        """\
extend = "../.handoff-lsp.toml"
[rules]
invalid-value = "warning"
[contracts.standup]
team = "mine"
[[files]]
pattern = "notes/last.md"
rules = { invalid-value = "error" }
""",
    )
    for name in ("standup", "notes/first", "notes/last", "old/one"):
        write(root / "pkg" / f"{name}.md", STANDUP)
    assert findings(capsys, "pkg") == (
        1,
        [
            ("pkg/notes/first.md", "invalid-value", "hint"),
            ("pkg/notes/last.md", "invalid-value", "error"),
            ("pkg/standup.md", "invalid-value", "warning"),
        ],
        "",
    )
    config = Resolver().config(root / "pkg" / "a.md")
    assert config.settings["standup"] == {"team": "mine", "strict": True}
    assert config.disable == frozenset({"status-block"}) and config.rules["empty-value"] == "off"
    assert config.extended == (root / ".handoff-lsp.toml",)
    assert Resolver().names_contract_file(root / "pkg" / ".." / "formats" / "standup.yaml")


def test_lists(root: Path) -> None:
    write(root / "a" / "standup.yaml", CONTRACT)
    write(root / "b" / "c" / "other.yaml", CONTRACT.replace("contract: standup", "contract: other"))
    above = 'contract-files = ["a"]\nexclude = ["x", "y"]\ndisable = ["standup"]\n'
    write(root / "shared.toml", above)
    write(root / "b" / ".handoff-lsp.toml", 'extend = "../shared.toml"\ncontract-files = ["c/"]\nexclude = []\n')
    resolver = Resolver()
    config = resolver.config(root / "b" / "x.md")
    assert resolver.problems(root / "b" / "x.md") == []
    assert resolver.registry(root / "b" / "x.md").names[:2] == ["other", "standup"]
    assert (config.exclude, config.disable) == ((), frozenset({"standup"}))
    assert config.excluding(root / "b" / "x") is None


def test_a_table_of_pyproject_and_three_in_a_row(root: Path) -> None:
    write(
        root / "pyproject.toml", "[tool.handoff-lsp]\nexamples = true\n[tool.handoff-lsp.rules]\nempty-value = 'off'\n"
    )
    write(root / "a" / "base.toml", 'extend = "../pyproject.toml"\n[rules]\nempty-value = "hint"\n')
    write(root / "b" / "pyproject.toml", '[tool.handoff-lsp]\nextend = "../a/base.toml"\n')
    config = Resolver().config(root / "b" / "x.md")
    assert (config.examples, dict(config.rules)) == (True, {"empty-value": "hint"})
    assert [path.relative_to(root).as_posix() for path in config.extended] == ["a/base.toml", "pyproject.toml"]


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"b": 'x = 1\nextend = "gone.toml"\n'}, ("b", 2, 'there is no config file "gone.toml"')),
        ({"b": 'extend = ".."\n'}, ("b", 1, 'there is no config file ".."')),
        ({"b": 'extend = ".handoff-lsp.toml"\n'}, ("b", 1, "a config cannot extend itself")),
        (
            {"b": 'extend = "../base.toml"\n', "base": '\nextend = "b/.handoff-lsp.toml"\n'},
            ("base", 2, '"b/.handoff-lsp.toml" extends this config: a circle'),
        ),
        ({"b": 'extend = "../base.toml"\n', "base": "x = \n"}, ("base", 1, "not TOML: invalid value")),
        ({"b": 'extend = "../base.toml"\n', "base": "\n\0"}, ("base", None, "binary (a NUL byte at offset 1)")),
        (
            {"b": 'extend = "../base.toml"\n', "base": "\nexlude = []"},
            ("base", 2, "unknown key `exlude`; did you mean `exclude`?"),
        ),
        ({"b": "extend = 3\n"}, ("b", 1, "`extend` must be a string, not `3`")),
        (
            {"b": 'extend = "../base.toml"\n', "base": 'contract-files = ["gone/*.yaml"]\n'},
            ("base", 1, 'the pattern "gone/*.yaml" matches no file'),
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_reported_at_its_place(
    root: Path, files: dict[str, str], told: tuple[str, int | None, str]
) -> None:
    write(root / "b" / ".handoff-lsp.toml", files["b"].replace("x = 1\n", "# a\n"))
    if "base" in files:
        write(root / "base.toml", files["base"])
    names = {"b": ".handoff-lsp.toml", "base": "base.toml"}
    (found,) = problems(root / "b" / "x.md")
    assert (found[0], found[1]) == (names[told[0]], told[1])
    assert found[2].startswith(told[2])


def test_a_long_chain_ends(root: Path) -> None:
    for number in range(20):
        write(root / f"{number}.toml", f'extend = "{number + 1}.toml"\n')
    write(root / ".handoff-lsp.toml", 'extend = "0.toml"\n')
    assert problems(root / "x.md") == [("9.toml", 1, "more than 10 configs extend one another")]


def test_a_name_that_only_a_broken_one_would_bring_is_no_second_problem(root: Path) -> None:
    write(root / ".handoff-lsp.toml", 'extend = "gone.toml"\ndisable = ["theirs"]\n[contracts.theirs]\nx = 1\n')
    assert problems(root / "x.md") == [(".handoff-lsp.toml", 1, 'there is no config file "gone.toml"')]


def test_a_change_of_the_extended_file_counts_at_once(root: Path) -> None:
    base = write(root / "base.toml", "examples = true\n")
    write(root / "b" / ".handoff-lsp.toml", 'extend = "../base.toml"\n')
    now = [0.0]
    resolver, path = Resolver(clock=lambda: now[0]), root / "b" / "x.md"
    assert resolver.config(path).examples
    for text, examples, told in [
        ("examples = false\n# longer\n", False, 0),
        ("examples = \n", False, 1),  # the last good one stays
        ("examples = true\n[rules]\n", True, 0),
        ("", True, 1),
        ("examples = true\n", True, 0),
    ]:
        if text:
            base.write_text(text)
            os.utime(base, ns=(int(now[0] * 1e9) + 7, int(now[0] * 1e9) + 7))
        else:
            base.unlink()
        now[0] += 1
        assert (resolver.config(path).examples, len(resolver.problems(path))) == (examples, told)


def test_settings_of_an_editor_extend_nothing(root: Path) -> None:
    (problem,) = Resolver(overrides={"extend": "../x.toml", "examples": True}).problems(root / "x.md")
    assert problem.message == "`extend` is for config files; settings go over the config anyway"
    write(root / "a" / "standup.yaml", CONTRACT)
    write(root / ".handoff-lsp.toml", 'extend = "base.toml"\n')
    write(root / "base.toml", 'contract-files = ["a"]\nexclude = ["x"]\n')
    over = Resolver(overrides={"contract-files": [], "exclude": ["y"]})
    assert "standup" not in over.registry(root / "x.md")
    assert over.config(root / "x.md").exclude == ((root, "y"),)


def test_an_open_config_shares_the_contracts_of_the_one_that_extends_it(root: Path) -> None:
    write(root / "formats" / "standup.yaml", CONTRACT)
    base = write(root / "base.toml", 'contract-files = ["formats"]\n')
    write(root / ".handoff-lsp.toml", 'extend = "base.toml"\n')
    resolver = Resolver()

    def opened(text: str) -> ConfigFile:
        file = config_file(Source(text), base, resolver, lambda _path: None)
        assert file is not None
        return file

    file = opened(f"{base.read_text()}[rules]\n")
    assert "standup" in file.registry and file.registry is resolver.registry(base)
    assert "standup" not in opened("[rules]\n").registry
    assert "standup" in opened(f'{base.read_text()}disable = ["').registry
