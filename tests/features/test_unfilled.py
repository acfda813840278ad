"""Drafts: the untouched placeholders of a new handoff are hints in an editor, and still never done."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from handoff_lsp.cli.main import main
from handoff_lsp.contracts.model import GOES_ON
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.decide.routing import decision
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.features.decision.lens import lenses
from handoff_lsp.features.decision.overview import overviews
from handoff_lsp.features.diagnostics import diagnostics
from handoff_lsp.features.unfilled import just_created, unfilled
from handoff_lsp.samples.new_handoff import new_handoff
from handoff_lsp.text import Source

REGISTRY = builtin()
PROFILES = [(entry.name, profile) for entry in REGISTRY for profile in entry.contract.profiles]
CHOICE = "<complete | blocked | failed | incomplete>"


def made(contract: str, profile: str) -> str:
    return new_handoff(REGISTRY, REGISTRY[contract], profile, "handoff").text


def analysed(text: str, path: str = "") -> Analysis:
    return analyze(Source(text), path, REGISTRY, Options())


def severities(analysis: Analysis) -> set[str]:
    return {item.severity for item in diagnostics(analysis)}


@pytest.mark.parametrize(("contract", "profile"), PROFILES)
def test_a_new_handoff_has_hints_alone_and_never_advances(contract: str, profile: str) -> None:
    path = next(iter(REGISTRY[contract].contract.locations), "")
    analysis = analysed(made(contract, profile), path)
    assert severities(analysis) <= {"hint"}
    for handoff in analysis.handoffs:
        route = decision(handoff)
        assert route is None or route.action not in GOES_ON
        assert handoff.mode == "template" or any(one.handoff is handoff for one in unfilled(analysis))
    assert sum(each.errors + each.warnings for each in overviews(analysis)) == 0
    assert sum(each.unfilled for each in overviews(analysis)) == len(unfilled(analysis))


def test_the_lens_counts_what_is_left() -> None:
    analysis = analysed(made("status-block", "developer"))
    titles = [lens.title for lens in lenses(analysis, analysis.findings)]
    assert titles[1:] == ["10 to fill in"]


@pytest.mark.parametrize("status", ["complete", "blocked", "compleet"])
def test_a_status_ends_the_draft(status: str) -> None:
    analysis = analysed(made("status-block", "developer").replace(CHOICE, status))
    assert unfilled(analysis) == []
    left = [item for item in diagnostics(analysis) if item.code == "placeholder-left"]
    assert len(left) == 9
    assert {item.severity for item in left} == {"error"}


def test_the_last_placeholder_is_an_error() -> None:
    text = made("status-block", "handoff")
    for found in unfilled(analysed(text))[::-1]:
        if found.span.of(text) != CHOICE:
            text = text[: found.span.start] + "iter 1" + text[found.span.end :]
    analysis = analysed(text)
    left = [item for item in diagnostics(analysis) if item.code == "placeholder-left"]
    assert [(item.severity, item.span.of(text)) for item in left] == [("error", CHOICE)]


def test_a_list_with_an_item_of_its_own_is_no_longer_untouched() -> None:
    text = made("status-block", "developer").replace("- <…>", "- ✓ a row\n- <…>")
    analysis = analysed(text)
    left = {item.span.of(text): item.severity for item in diagnostics(analysis) if item.code == "placeholder-left"}
    assert left["<…>"] == "error"
    assert left[CHOICE] == "hint"


def test_the_command_reports_placeholders_as_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("developer-handoff.md").write_text(made("status-block", "developer"), encoding="utf-8")
    assert main(["check", "developer-handoff.md"]) == 1
    assert "10 errors" in capsys.readouterr().out


@pytest.mark.parametrize(("contract", "profile"), PROFILES)
def test_every_tab_stop_has_its_number_and_the_status_comes_last(contract: str, profile: str) -> None:
    made = new_handoff(REGISTRY, REGISTRY[contract], profile, "handoff")
    numbers = [int(number) for number in re.findall(r"(?<!\\)\$\{?(\d+)", made.snippet)]
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    if contract == "status-block":
        last = made.snippet.partition(f"${{{len(numbers)}|")[2]
        assert last.startswith(CHOICE.replace("|", "\\|"))


def test_only_a_file_that_is_still_empty_was_just_created() -> None:
    path = "handoffs/login-developer-handoff.md"
    analysis = analyze(Source("# Login — Handoff from Developer\n\n## Status\ncompleet\n"), path, builtin(), Options())
    assert analysis.findings and just_created(analysis) == []
