"""Turning a rule off for one file: the addition to its config does just that."""

from __future__ import annotations

from pathlib import Path

import pytest

from handoff_lsp.workspace.config.edit import Addition, turning_off
from handoff_lsp.workspace.config.resolver import Resolver

RULE = "invalid-type"
OWN = '[rules]\ncount-mismatch = "hint"\n'
SHARED = '[project]\nname = "x"\n\n[tool.handoff-lsp]\nexamples = true'
NAMES = (".agent/status.json", 'a/what "now".json', "a/x*[1]?.json", "a/ストア.json")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a").mkdir()
    return tmp_path


def added(root: Path, name: str) -> Addition:
    addition = turning_off(Resolver(), root / name, RULE)
    assert addition is not None
    addition.path.write_bytes(((addition.before or "") + addition.text).encode())
    return addition


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("config", "before"),
    [
        (".handoff-lsp.toml", None),
        (".handoff-lsp.toml", ""),
        (".handoff-lsp.toml", OWN),
        (".handoff-lsp.toml", OWN.rstrip()),
        (".handoff-lsp.toml", OWN.replace("\n", "\r\n")),
        ("pyproject.toml", SHARED),
    ],
)
def test_the_rule_is_off_for_the_file_and_for_no_other(root: Path, config: str, before: str | None, name: str) -> None:
    if before is not None:
        (root / config).write_bytes(before.encode())
    addition = added(root, name)
    assert (addition.path, addition.before) == (root / config, before)
    if before is not None and "\r\n" in before:
        assert "\n" not in addition.text.replace("\r\n", "")
    resolver = Resolver()
    assert resolver.problems(root / name) == []
    assert resolver.options(root / name).severities.get(RULE) == "off"
    assert RULE not in resolver.options(root / "a" / "other.json").severities


def test_a_second_one(root: Path) -> None:
    added(root, NAMES[0])
    assert added(root, "a/b.json").text.startswith("\n[[files]]\n")
    assert Resolver().problems(root / "x.json") == []


def test_the_config_of_a_folder_within(root: Path) -> None:
    (root / "a" / ".handoff-lsp.toml").write_text(OWN, encoding="utf-8")
    assert 'pattern = "b.json"' in added(root, "a/b.json").text


@pytest.mark.parametrize("text", ['files = [{pattern = "*.json", mode = "template"}]\n', "[\n", "rulez = 1\n", "\0"])
def test_a_config_that_takes_no_more(root: Path, text: str) -> None:
    (root / ".handoff-lsp.toml").write_text(text, encoding="utf-8")
    assert turning_off(Resolver(), root / NAMES[0], RULE) is None


def test_settings_that_say_it(root: Path) -> None:
    resolver = Resolver(overrides={"files": []})
    assert turning_off(resolver, root / NAMES[0], RULE) is None


def test_a_name_that_nobody_can_write(root: Path) -> None:
    assert turning_off(Resolver(), root / "a\x7f.json", RULE) is None
    assert turning_off(Resolver(), root / "a\udcff.json", RULE) is None
