"""Pages about fields, values, fences and rules, at a cursor (``‸``)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from features.documents import SAMPLES, analysed, context_of, handoff, hovered, markdown
from markdown_it import MarkdownIt

from handoff_lsp.cases.reader import read_case_file
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.options import Options
from handoff_lsp.contracts.registry import Registry, builtin
from handoff_lsp.engine import analyze
from handoff_lsp.features.pages.hover import hover, rule_page
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.text import Source


# VS Code drops a hover whose range does not hold the cursor: it grows to the marks around a name.
@pytest.mark.parametrize(
    ("heading", "hold"), [("## Sta‸tus\n", "Status"), ("#‸# Status\n", "# Status"), ("## Status‸\n", "Status")]
)
def test_section(heading: str, hold: str) -> None:
    span, page = hovered(markdown().replace("## Status\n", heading, 1))
    assert span == hold
    assert "**Required.** A handoff without a status never advances" in page
    assert "**Read by** the orchestrator" in page
    assert "- `blocked` — The agent hit an ambiguity" in page
    assert page.endswith("Status block handoff · `status-block` · profile `developer`")


def test_value_and_what_is_done_now() -> None:
    sound = "outcome: x\nverdict: n/a\nfiles: 0 created, 0 modified, 0 deleted\nnext_phase: n/a\nopen_questions: 0"
    span, page = hovered(markdown("`com‸plete`", sound, title="Tester"))
    assert span == "complete"
    assert "**Then:**" not in page  # the decision says it
    assert (
        "**This handoff now:** advance: the next phase begins, with the agent in `next_phase`. "
        "Reads next: `Status`, `Status reason`, `Abstract`." in page
    )
    _, page = hovered(markdown("com‸plete — mostly", sound, title="Tester"))
    assert "**This handoff now:** ask: `Status` says more than `complete`" in page
    _, page = hovered(markdown("com‸plete", "verdict: REQUEST_CHANGES", title="Reviewer"))
    assert "**This handoff now:** retry" in page
    assert "`Findings`" in page


def test_unknown_value() -> None:
    span, page = hovered(markdown("D‸ONE"))
    assert span == "DONE"
    assert page.startswith("**`Status`** must be one of\n\n- `complete`")
    assert "DONE" not in page  # the diagnostic beside it says that
    assert "**Note** `invalid-value` — The orchestrator treats the handoff as `failed`" in page


def test_conditions_show_whether_they_hold() -> None:
    rest = "## Open Ques‸tions\n\n- why?\n"
    assert "**Required when** `Status` is `blocked` (not now)." in hovered(markdown(rest=rest))[1]
    assert "**Required when** `Status` is `blocked` (now)." in hovered(markdown("blocked", rest=rest))[1]
    page = hovered(markdown().replace("reason", "rea‸son"))[1]
    assert "**Must be empty when** `Status` is `complete` (now)." in page


def test_other_names_in_the_script_of_the_document() -> None:
    english = "# Login — Handoff from Developer\n\n## Sta‸tus\n\ncomplete\n\n## Abstract\n\noutcome: x\n"
    assert "Also written" not in hovered(english)[1]
    assert "Also written `ステータス`" in hovered(english.replace("## Abstract", "## 概要"))[1]


def test_labels_and_forms() -> None:
    span, page = hovered(markdown(abstract="fi‸les: 1 created, 0 modified, 0 deleted"))
    assert span == "files"
    assert "N created, M modified, K deleted" in page
    assert (
        hovered(markdown(abstract="files: 1 cre‸ated, 0 modified, 0 deleted"))[0] == "1 created, 0 modified, 0 deleted"
    )
    assert hovered(markdown(abstract="verdict: n‸/a"))[0] == "n/a"


def test_marks() -> None:
    span, page = hovered(markdown(rest="## DoD coverage\n\n- ‸✓ it works\n"))
    assert span == "✓"
    assert "Passed" in page


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_json(eol: str) -> None:
    text = handoff('{"agent_status": {"agent_state": "COM‸PLETE", "agent_id": "a1"}, "work_phase": "framing"}').replace(
        "\n", eol
    )
    span, page = hovered(text)
    assert span == '"COMPLETE"'
    assert "The only terminal state" in page
    assert "profile `gaia-5.4`" in page
    span, page = hovered(text.replace("‸", "").replace("agent_id", "agent‸_id"))
    assert span == '"agent_id"'
    assert "at least 16 hex digits" in page


def test_json_of_the_other_profile() -> None:
    page = hovered(handoff('{"agent_status": {"plan_status": "BLOCK‸ED", "next_action": "x"}}'))[1]
    assert "**This handoff now:** stop" in page
    assert "profile `gaia-5.0`" in page


def test_items_and_closed_vocabularies() -> None:
    assert "`atom`" in hovered(handoff('{"memorialize_suggestions": [{"type": "at‸om"}]}'))[1]
    page = hovered(handoff('{"agent_status": {"agent_state": "COMPLETE"}, "fo‸o": 1}'))[1]
    assert "`foo` is not a field" in page
    assert "`evidence_report`" in page


def test_fence_and_title() -> None:
    span, page = hovered(handoff("{}").replace("agent_contract", "agent‸_contract"))
    assert span == "agent_contract_handoff"
    assert "**Profile** `gaia-5.0`" in page
    assert "**Mode** `handoff`" in page
    assert "**Profile** `developer`" in hovered(markdown().replace("Login", "Log‸in"))[1]


def test_rules_in_comments() -> None:
    text = "<!-- handoff-ignore-file: missing-field, missing-‸status -->\n\n" + markdown()
    span, page = hovered(text)
    assert span == "missing-status"
    assert "## How to fix" in page
    assert "Unknown rule `nope`" in hovered("<!-- handoff-ignore: no‸pe -->\n")[1]
    assert "status-block" in hovered("<!-- handoff: status-‸block -->\n")[1]


def test_every_rule_has_a_page() -> None:
    for name in all_rules():
        page = rule_page(name, builtin())
        assert page is not None
        assert page.startswith(f"**`{name}`**")
    assert rule_page("nope", builtin()) is None


def test_prose_is_left_alone() -> None:
    assert hovered(markdown(rest="## Key Decisions\n\nWe cho‸se it.\n")) == ("", "")
    assert hovered(handoff('{"evidence_report": {"files_checked": ["a‸.py"]}}')) == ("", "")
    assert hovered("# Readme\n\n## Sta‸tus\n") == ("", "")


EVIL = (
    "![x](http://e.example/a.png)",
    "<img src=x>",
    "[a](command:x)",
    "``` x",
    "`` ` ``",
    "http://e.example",
    "a`b<b>c</b>",
)


def blocks(page: str) -> list[str]:
    """The blocks of a page as an editor renders it. Fails for a link, a picture, HTML or an address outside of code."""
    found = MarkdownIt("commonmark").parse(page)
    assert not {"link_open", "image", "html_inline", "html_block"} & {
        one.type for block in found for one in (block, *(block.children or ()))
    }, page
    assert not re.search(r"https?://", re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", page)), page
    return [block.type for block in found]


@pytest.mark.parametrize("evil", EVIL)
def test_nothing_of_a_document_is_rendered(evil: str) -> None:
    texts = [
        handoff('{"agent_status": {"agent_state": ' + f'"{evil}"' + "}}"),
        handoff('{"agent_status": {"agent_state": "COMPLETE"}, ' + f'"{evil}": 1}}'),
        markdown(evil),
        f"<!-- handoff-ignore: {evil} -->\n",
    ]
    for text in texts:
        analysis = analysed(text)
        for offset in range(len(text)):
            found = hover(context_of(analysis), offset)
            if found is not None:
                blocks(found.markdown)


def pages_of_a_contract(about: str) -> list[str]:
    """The pages of a plan, in the order of its text, where the contract says ``about`` of each of its parts."""
    gallery = Path(__file__).parents[2] / "docs" / "gallery"
    written = (gallery / "plan.yaml").read_text("utf-8")
    for told in (r"(?m)(?<=^about: ).*", r"(?m)(?<= about: )[^}\n]*"):
        written = re.sub(told, lambda _: json.dumps(about), written)
    entry, problems = read_contract(written, Path("plan.yaml"))
    assert entry is not None, problems
    text = read_case_file((gallery / "plan.cases.md").read_text("utf-8"), "plan", "plan")[0][0].text
    analysis = analyze(Source(text), "plan.md", Registry({"plan": entry}), Options())
    return [page.markdown for at in range(len(text)) if (page := hover(context_of(analysis), at)) is not None]


@pytest.mark.parametrize("evil", [*EVIL, "# x", "- x", "1. x", "===", "~~~ x"])
def test_nothing_of_a_contract_is_rendered(evil: str) -> None:
    """Contracts come with a repository, too. Only code spans in their sentences are rendered."""
    plain, made = pages_of_a_contract("Words"), pages_of_a_contract(evil)
    assert plain != made
    assert list(map(blocks, made)) == list(map(blocks, plain))


def test_spans_hold_the_cursor() -> None:
    for text in SAMPLES.values():
        analysis = analysed(text)
        for offset in range(len(text) + 1):
            found = hover(context_of(analysis), offset)
            if found is not None:
                assert found.span.holds(offset)


def test_the_opening_of_a_comment() -> None:
    span, page = hovered("<!-- analyst-ha‸ndoff\nslug: a\nissue_type: bug\n-->\n")
    assert span == "<!-- analyst-handoff"
    assert page.startswith("**Analyst handoff**")


def test_an_entry_of_a_map_has_the_page_of_the_map() -> None:
    block = "AGENT_RESULT: analyst\nSTATUS: success\nARTIFACT_PATHS:\n  - SP‸EC.md: docs/SPEC.md\nNEXT: done\n"
    span, page = hovered(f"# Analysis\n\n```\n{block}```\n")
    assert span == "SPEC.md"
    assert page.startswith("**`ARTIFACT_PATHS`** · names with values\n\nThe files written or read")
