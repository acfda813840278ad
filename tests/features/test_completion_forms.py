"""Completion in the forms that are neither a document of sections nor JSON: logs, runs of lines, labels, at a ``‸``."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from features.documents import EMPTY, completed, completions, item_with, labels

from handoff_lsp.features.completion.complete import resolve

LOG = ".agent/activity.log"
STARTED = "2026-03-02T08:00:00Z [START] Task: tabs \U0001f600\n"
RUN = "AGENT_RESULT: developer\nSTATUS: success\n"
# What may be written where an agent is named, and is none.
NOBODY = ["user", "human", "done", "suspended", "standalone"]


def at_noon() -> datetime:
    """Noon in UTC, on a clock in Tokyo."""
    return datetime(2026, 3, 2, 21, tzinfo=timezone(timedelta(hours=9)))


class TestLog:
    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            ("2026-03-02T08:01:00Z [‸", "2026-03-02T08:01:00Z [TEST] "),
            ("2026-03-02T08:01:00Z [te‸", "2026-03-02T08:01:00Z [TEST] "),
            ("2026-03-02T08:01:00Z [‸]", "2026-03-02T08:01:00Z [TEST]"),
            ("2026-03-02T08:01:00Z [ST‸ATSU] running", "2026-03-02T08:01:00Z [TEST] running"),
            ("2026-03-02T08:01:00Z [TE‸X make", "2026-03-02T08:01:00Z [TEST]  make"),
        ],
    )
    @pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
    def test_tags(self, line: str, expected: str, eol: str) -> None:
        before, after = STARTED.replace("\n", eol), f"{eol}2026-03-02T08:09:00Z [READ] a.py{eol}"
        assert completed(before + line + after, "TEST", LOG) == before + expected + after

    def test_a_tag_has_its_page(self) -> None:
        item = item_with(completions(f"{STARTED}2026-03-02T08:01:00Z [‸", LOG), "ROLLBACK")
        assert "earlier commit" in item.detail
        assert "status file is stale" in resolve(item.key, EMPTY)

    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            ("[STATUS] ‸", "[STATUS] blocked"),
            ("[STATUS]‸", "[STATUS] blocked"),
            ("[status] com‸pleted", "[status] blocked"),
        ],
    )
    def test_values_behind_their_tag(self, line: str, expected: str) -> None:
        before = f"{STARTED}2026-03-02T08:01:00Z "
        assert labels(before + line, LOG) == ["running", "blocked", "completed", "failed"]
        assert completed(before + line, "blocked", LOG) == before + expected

    @pytest.mark.parametrize(
        "line",
        [
            "not a time‸",
            "2026-03-02 at‸",
            "2026 ‸",
            "‸\n2026-03-02T08:01:00Z [TEST] it is not the last line",
            "2026-03-02T08:01:00Z [TEST] ‸",
            "2026-03-02T08:01:00Z [STATUS] running, see [‸",
            "2026-03-02T08:01:00Z [STATUS] run‸ning now",
            "    the rest of a command [‸",
        ],
    )
    def test_nothing_elsewhere(self, line: str) -> None:
        assert labels(STARTED + line, LOG) == []

    @pytest.mark.parametrize("typed", ["‸", "2‸", "2026-03-0‸"])
    @pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
    def test_a_line_of_now(self, typed: str, eol: str) -> None:
        marked = (STARTED + typed).replace("\n", eol)
        item = item_with(completions(marked, LOG, clock=at_noon), "[STATUS] now")
        assert item.filter is not None
        assert item.filter.startswith(typed.removesuffix("‸"))
        statuses = ["running", "blocked", "completed", "failed"]
        choices = ",".join(["<" + r" \| ".join(statuses) + ">", *statuses])
        assert item.edit.snippet == f"2026-03-02T12:00:00Z [STATUS] ${{1|{choices}|}}"
        assert completed(marked, "[STATUS] now", LOG, clock=at_noon) == (
            f"{STARTED}2026-03-02T12:00:00Z [STATUS] <{' | '.join(statuses)}>".replace("\n", eol)
        )

    @pytest.mark.parametrize("gap", ["", " "])
    def test_a_tag_behind_a_time(self, gap: str) -> None:
        before = f"{STARTED}2026-03-02T08:01:00Z"
        assert completed(f"{before}{gap}‸", "TEST", LOG) == f"{before} [TEST] <what happened…>"

    @pytest.mark.parametrize("text", ["‸", "2026-03-02T1‸", "2026-03-02T12:00:00Z [‸"])
    def test_a_log_that_is_just_begun(self, text: str) -> None:
        assert any("STATUS" in label for label in labels(text, LOG))
        assert labels(text, "server.log") == []

    def test_nothing_in_a_log_of_somebody_else(self) -> None:
        assert labels(f"{STARTED}2026-03-02T08:01:00Z [‸", "server.log") == []


class TestRun:
    @pytest.mark.parametrize(
        "document", ["%s", "```\n%s\n```\n", "- x\n\n  ```\n  %s\n  ```\n", "# Run\n\n%s\n\nMore.\n"]
    )
    @pytest.mark.parametrize("typed", ["", "NE"])
    def test_a_line_more(self, document: str, typed: str) -> None:
        indent = "  " if document.startswith("-") else ""
        marked = document % f"{RUN}{typed}‸".replace("\n", f"\n{indent}")
        assert "STATUS" not in labels(marked)
        assert completed(marked, "PHASE") == document % f"{RUN}PHASE: <phase>".replace("\n", f"\n{indent}")

    def test_not_in_the_next_paragraph(self) -> None:
        assert labels(f"{RUN}NEXT: done\n\n‸") == []
        assert labels(f"{RUN}NEXT: done\n\nNE‸") == []

    def test_a_comment_that_has_ended(self) -> None:
        assert labels("<!-- analyst-handoff\nslug: a\nissue_type: bug\n-->\n‸") == []

    @pytest.mark.parametrize("line", ["  - ‸", "  ‸", "  - SPEC: ‸", "- ‸", "  STATUS: ‸"])
    def test_no_part_of_the_block_below_one_of_its_keys(self, line: str) -> None:
        assert labels(f"```\n{RUN}ARTIFACT_PATHS:\n{line}\nNEXT: done\n```\n") == []

    @pytest.mark.parametrize("typed", ["‸", "fal‸", "tr‸ue"])
    def test_true_or_false(self, typed: str) -> None:
        run = RUN.replace("developer", "spec-designer")
        marked = f"```\n{run}HAS_UI: {typed}\nNEXT: done\n```\n"
        assert labels(marked) == ["true", "false"]
        assert completed(marked, "false") == f"```\n{run}HAS_UI: false\nNEXT: done\n```\n"

    def test_words_for_nobody_are_offered_behind_the_agents(self) -> None:
        offered = completions(f"```\n{RUN}HANDOFF_TO: ‸\n```\n")
        nobody = [item.label for item in offered if item.detail == "no agent"]
        assert nobody == [item.label for item in offered][-len(nobody) :] == [*NOBODY]

    def test_what_nobody_should_write_any_more_is_not_offered(self) -> None:
        offered = labels(f"```\n{RUN}‸\n```\n")
        assert "ERROR_REASON" in offered
        assert "ERROR_DETAIL" not in offered


class TestLabels:
    ENVELOPE = (
        "## Design Created\n\n**Change**: x\n%s\n\n### Summary\nDone.\n\n### Artifacts\n- `a.md`\n\n"
        "### Next Recommended\nsdd-tasks\n\n### Risks\nNone\n"
    )

    @pytest.mark.parametrize(
        ("typed", "plain"), [("‸", "**Status**: "), ("**St‸", "**Status**: "), ("**St‸**", "**Status**: ")]
    )
    def test_written_as_those_beside_it(self, typed: str, plain: str) -> None:
        marked = self.ENVELOPE % typed
        item = item_with(completions(marked), "Status")
        assert item.edit.snippet is not None
        assert ">,success,warning" in item.edit.snippet
        assert completed(marked, "Status") == self.ENVELOPE % f"{plain}{item.edit.text.partition(': ')[2]}"
        assert labels(marked).count("Status") == 1

    @pytest.mark.parametrize("typed", ["St‸", "Some words ‸", "W‸"])
    def test_sentences_are_none(self, typed: str) -> None:
        assert labels(self.ENVELOPE % typed) == []

    @pytest.mark.parametrize("blanks", ["", " ", "  "])
    def test_a_value_in_a_heading_replaces_the_begun_one(self, blanks: str) -> None:
        before = "# Maintenance Result: Drop the old login\n\n> Maintenance Plan: Major\n\n"
        marked = f"{before}## Change Overview\nThe old login goes.\n\n## PRODUCT_TYPE:{blanks}cl‸\n"
        typed, written = f":{blanks}cl‸", f":{blanks or ' '}cli"
        assert completed(marked, "cli", "docs/MAINTENANCE_RESULT.md") == marked.replace(typed, written)

    def test_in_a_quote(self) -> None:
        before = "# Delivery Result: 工具\n\n> 作成日: 2026-03-01\n> Delivery プラン: Light\n> "
        after = "\n\n## 成果物\n- SPEC.md: あり\n\n## 技術スタック\nGo\n\n## テスト結果\n- 合計: 1\n"
        marked = f"{before}‸{after}"
        assert labels(marked, "docs/DELIVERY_RESULT.md") == ["PRODUCT_TYPE"]
        assert completed(marked, "PRODUCT_TYPE", "docs/DELIVERY_RESULT.md").startswith(f"{before}PRODUCT_TYPE: ")
