"""A check has a name, `CONTRACT/CHECK`: in the output, the config, comments and `explain`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from handoff_lsp.cli.main import main

STORY = """contract: story
title: Story
about: A story of ours.
status: state
unread: the lead passes over it
default_profile: only
profiles: {only: {}}
detect: {enough: 1, content: 1, signs: [{title: '^Story'}]}
fields:
  state: {type: enum, carriers: [section], required: true, about: Where it is., values: [{value: ready}, {value: done}]}
  cost: {type: integer, carriers: [section], about: What it costs.}
  gain: {type: integer, carriers: [section], about: What it earns.}
checks:
  pays: {rule: contradiction, check: cost <= gain, at: cost, message: "It costs {cost} and earns {gain}"}
  small: {rule: contradiction, check: cost <= 5, at: cost, message: "It costs {cost}, more than 5"}
routing: [{action: ask, reason: Ask.}]
"""
LOSS = """# Story of the login

## state

ready

## cost

9

## gain

3
"""


@pytest.fixture
def story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "story.yaml").write_text(STORY, encoding="utf-8")
    (tmp_path / "loss.md").write_text(LOSS, encoding="utf-8")
    (tmp_path / ".handoff-lsp.toml").write_text('contract-files = ["story.yaml"]\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(capsys: pytest.CaptureFixture[str]) -> list[Any]:
    main(["check", "--output-format", "json", "loss.md"])
    out, err = capsys.readouterr()
    assert not err
    return [(one["rule"], one["check"], one["severity"]) for one in json.loads(out)["findings"]]


def with_config(root: Path, *rules: str) -> None:
    lines = ["[rules]", *rules]
    (root / ".handoff-lsp.toml").write_text('contract-files = ["story.yaml"]\n' + "\n".join(lines), encoding="utf-8")


@pytest.mark.usefixtures("story")
def test_a_finding_says_which_check_it_is_of(capsys: pytest.CaptureFixture[str]) -> None:
    assert found(capsys) == [("contradiction", "story/pays", "error"), ("contradiction", "story/small", "error")]


def test_a_config_sets_one_check_and_that_counts_more_than_its_rule(
    story: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with_config(story, '"story/small" = "off"')
    assert found(capsys) == [("contradiction", "story/pays", "error")]
    with_config(story, 'contradiction = "off"', '"story/small" = "warning"')
    assert found(capsys) == [("contradiction", "story/small", "warning")]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('"story/smal" = "off"', "unknown check `smal` of `story`; did you mean `small`?"),
        ('"stori/small" = "off"', "unknown contract `stori`; did you mean `story`?"),
        ('contradicton = "off"', "unknown rule `contradicton`; did you mean `contradiction`?"),
    ],
)
def test_a_misspelled_check_in_the_config(
    story: Path, capsys: pytest.CaptureFixture[str], line: str, message: str
) -> None:
    with_config(story, line)
    assert main(["check", "loss.md"]) == 2
    assert message in "".join(capsys.readouterr())


def test_a_comment_silences_one_check(story: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commented = LOSS.replace("9\n", "<!-- handoff-ignore: story/small -->\n9\n")
    (story / "loss.md").write_text(commented, encoding="utf-8")
    assert found(capsys) == [("contradiction", "story/pays", "error")]
    (story / "loss.md").write_text(commented.replace("\n9\n", "\n3\n"), encoding="utf-8")
    assert found(capsys) == [("unused-suppression", None, "warning")]


@pytest.mark.usefixtures("story")
def test_explain_shows_a_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "story/pays"]) == 0
    assert "Must hold: `cost` is at most `gain`" in capsys.readouterr().out
    assert main(["explain", "story/pay"]) == 2
    assert "did you mean `pays`?" in capsys.readouterr().err
