"""Completion in both contracts, at a cursor (``‸``)."""

from __future__ import annotations

import pytest
from features.documents import (
    EMPTY,
    analysed,
    completed,
    completions,
    context_of,
    expanded,
    handoff,
    item_with,
    labels,
    markdown,
)

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options
from handoff_lsp.features.completion.complete import complete, resolve
from handoff_lsp.text import Span, apply_edits

STATUSES = ["complete", "blocked", "failed", "incomplete"]
HEADINGS = [
    "Summary", "Result", "Results", "Design", "Apply", "Testing", "Delivery", "Verify", "State", "Status", "Next",
    "Notes", "Log", "Discovery", "Files", "Open", "Abstract", "Key Decisions", "Iteration", "Quality", "Coverage",
    "For the Next Agent", "Open Questions", "Status reason", "Questions",
]  # fmt: skip
STATES = ["IN_PROGRESS", "APPROVAL_REQUEST", "COMPLETE", "BLOCKED", "NEEDS_INPUT"]


def loosely(typed: str, text: str) -> bool:
    """Whether an editor shows an item for a typed text: its letters occur in the item's text in their order."""
    letters = iter(text.casefold())
    return all(letter in letters for letter in typed.casefold())


class TestValuesInMarkdown:
    @pytest.mark.parametrize(
        "typed", ["comp‸", "‸complete", "comp‸lete", "`comp‸`", "**comp‸lete**", "✅ com‸plete", "検証‸"]
    )
    def test_every_value_in_order(self, typed: str) -> None:
        assert labels(markdown(typed)) == STATUSES

    def test_an_empty_status_has_no_headings_below_its_values(self) -> None:
        assert labels(markdown("‸")) == STATUSES

    def test_a_blank_line_offers_no_section_of_another_role(self) -> None:
        found = labels(markdown(rest="## Key Decisions\n\nNone.\n\n‸\n"))
        assert {"Files Created", "DoD coverage", "Open Questions", "Findings"} <= set(found)
        assert not {"Verdict", "Verified rows", "Gaps", "Reading scope used"} & set(found)
        assert "Verdict" in labels(markdown(rest="‸\n", title="Reviewer"))
        assert "Verdict" in labels(markdown(rest="## Verd‸\n")), "what is typed is completed"

    @pytest.mark.parametrize(
        ("title", "usual"), [("Handoff from Developer", "dod-checker"), ("DoD Checker Handoff", "reviewer")]
    )
    def test_the_usual_next_agent_comes_first(self, title: str, usual: str) -> None:
        text = markdown(abstract="outcome: x\nnext_phase: ‸").replace("Handoff from Developer", title)
        assert title in text
        assert labels(text)[0] == usual

    def test_another_spelling_of_an_agent_is_not_offered(self) -> None:
        found = labels(markdown(abstract="outcome: x\nnext_phase: ‸"))
        assert {"developer", "backend-developer", "dev-tester"} <= set(found)
        assert not {"dev", "backend-dev", "frontend-dev"} & set(found)

    def test_counts_that_are_known_are_offered(self) -> None:
        files = "## Files Created\n\n- a\n- b\n\n## Files Modified\n\n- c\n"
        marked = markdown("complete", "outcome: x\nfiles: ‸", files)
        assert labels(marked) == ["2 created, 1 modified, <0> deleted"]
        made = expanded(marked, "2 created, 1 modified, <0> deleted")
        assert "files: 2 created, 1 modified, ${1:<0>} deleted" in made

    def test_a_written_number_that_nothing_counts_stays(self) -> None:
        files = "## Files Created\n\n- a\n- b\n\n## Files Modified\n\n- c\n"
        marked = markdown("complete", "outcome: x\nfiles: 5 created, 1 modified, 3 deleted‸", files)
        assert labels(marked) == ["2 created, 1 modified, 3 deleted"]
        assert "files: 2 created, 1 modified, 3 deleted\n" in completed(marked, "2 created, 1 modified, 3 deleted")
        assert labels(marked.replace("5 created", "2 created")) == [], "it is right"

    def test_what_the_orchestrator_does(self) -> None:
        item = item_with(completions(markdown("‸")), "blocked")
        assert item.detail.startswith("Stops the pipeline")
        assert item.kind == "value"
        assert "ambiguity" in resolve(item.key, EMPTY)

    @pytest.mark.parametrize(
        ("typed", "expected"),
        [
            ("‸", "blocked"),
            ("bl‸", "blocked"),
            ("comp‸lete", "blocked"),
            ("`comp‸lete` — all done", "`blocked` — all done"),
            ("✅ comp‸lete", "✅ blocked"),
            ("complete | blocked | fai‸led | incomplete", "blocked"),
            ("<complete | bl‸ocked>", "blocked"),
        ],
    )
    @pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
    def test_replaces_the_token(self, typed: str, expected: str, eol: str) -> None:
        marked = markdown(typed, title="Tester").replace("\n", eol)
        assert completed(marked, "blocked") == markdown(expected, title="Tester").replace("\n", eol)

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("## Status: ‸\n", "## Status: blocked\n"),
            ("## Status:‸\n", "## Status: blocked\n"),
            ("## Status: comp‸\n", "## Status: blocked\n"),
            ("**Status**: ‸\n", "**Status**: blocked\n"),
            ("**Status**:‸\n", "**Status**: blocked\n"),
            ("**Status:** comp‸\n", "**Status:** blocked\n"),
            ("- Status: ‸\n", "- Status: blocked\n"),
        ],
    )
    def test_inline(self, before: str, after: str) -> None:
        rest = markdown().split("complete\n", 1)
        head = rest[0].replace("## Status\n\n", "")
        assert completed(head + before + rest[1], "blocked") == head + after + rest[1]

    def test_placeholder_still_matches_what_is_typed(self) -> None:
        item = item_with(completions(markdown("<complete | bl‸ocked>")), "failed")
        assert item.filter is not None
        assert item.filter.startswith("<complete | bl")

    def test_nothing_behind_the_value_or_in_prose(self) -> None:
        assert labels(markdown("complete\n\nmore prose ‸")) == []
        assert labels(markdown(rest="## Key Decisions\n\nWe chose ‸ it\n")) == []
        assert labels(markdown(rest="## Files Created\n\n- ‸\n")) == []


class TestFieldsInMarkdown:
    @pytest.mark.parametrize("abstract", ["outcome: x\n‸", "outcome: x\nver‸"])
    def test_names_that_are_not_there(self, abstract: str) -> None:
        assert labels(markdown(abstract=abstract)) == ["verdict", "files", "next_phase", "open_questions"]

    def test_snippet_and_plain(self) -> None:
        marked = markdown(abstract="outcome: x\nne‸")
        assert completed(marked, "next_phase") == markdown(abstract="outcome: x\nnext_phase: <next agent role>")
        assert expanded(marked, "next_phase") == markdown(abstract="outcome: x\nnext_phase: ${1:<next agent role>}")
        assert completed(marked, "verdict") == markdown(abstract="outcome: x\nverdict: n/a")

    def test_only_the_name_before_a_value(self) -> None:
        assert completed(markdown(abstract="ver‸: n/a"), "outcome") == markdown(abstract="outcome: n/a")

    def test_values_by_profile(self) -> None:
        assert labels(markdown(abstract="verdict: ‸")) == ["n/a"]
        assert labels(markdown(abstract="verdict: ‸", title="Reviewer")) == ["APPROVED", "REQUEST_CHANGES", "n/a"]
        checker = markdown(abstract="verdict: AP‸PROVED  # x", title="DoD-checker")
        assert labels(checker) == ["APPROVED", "BLOCKED", "n/a"]

    @pytest.mark.parametrize("typed", ["open_questions: ‸", "open_questions: ‸7", "open_questions:‸"])
    def test_the_right_number(self, typed: str) -> None:
        marked = markdown(abstract=typed, rest="## Open Questions\n\n- 何?\n- why 🙂?\n")
        item = item_with(completions(marked), "2")
        assert item.preselect
        assert "open_questions: 2" in completed(marked, "2")

    def test_the_right_number_for_a_new_name(self) -> None:
        marked = markdown(abstract="op‸", rest="## Open Questions\n\n- a\n- b\n- c\n")
        assert "open_questions: 3\n" in completed(marked, "open_questions")

    def test_in_the_style_of_its_neighbors(self) -> None:
        bold = markdown().split("```yaml")[0] + "**outcome**: x\n‸\n"
        assert "**outcome**: x\n**next_phase**: <next agent role>\n" in completed(bold, "next_phase")
        items = markdown().split("```yaml")[0] + "- outcome: x\n- ver‸\n"
        assert "- outcome: x\n- verdict: n/a\n" in completed(items, "verdict")

    def test_a_whole_abstract(self) -> None:
        marked = markdown().split("```yaml")[0] + "‸\n\n## Files Created\n"
        done = completed(marked, "Abstract fields")
        assert "## Abstract\n\n```yaml\noutcome: <" in done
        assert "\nopen_questions: <0>\n```\n\n## Files Created\n" in done

    def test_nothing_below_the_fence(self) -> None:
        assert "files" not in labels(markdown(rest="fi‸"))


class TestRows:
    @pytest.mark.parametrize("row", ["- ‸", "* ‸", "1. ‸", "- ✓‸ done"])
    def test_marks(self, row: str) -> None:
        assert labels(markdown(rest=f"## DoD coverage\n\n{row}\n")) == ["✓", "✗", "⚠️ Tester scope", "⚠️"]

    def test_a_mark_takes_the_place_of_the_other(self) -> None:
        marked = markdown(rest="## DoD coverage\n\n- ✓‸ done\n")
        assert completed(marked, "✗").endswith("- ✗ done\n")
        assert completed(markdown(rest="## DoD coverage\n\n- ‸it works\n"), "✓").endswith("- ✓ it works\n")

    def test_not_in_the_text_of_a_row(self) -> None:
        assert labels(markdown(rest="## DoD coverage\n\n- ✓ do‸ne\n")) == []


class TestSections:
    def test_the_next_one_first(self) -> None:
        found = labels(markdown(rest="## Files Created\n\n- a\n\n‸"))
        assert found[:4] == ["Files Modified", "Quality-Gate Results", "DoD coverage", "Key Decisions"]
        assert "Files Created" not in found
        assert "Status" not in found

    @pytest.mark.parametrize("typed", ["#‸", "## ‸", "## Ite‸", "##‸", "### it‸"])
    def test_while_a_heading_is_typed(self, typed: str) -> None:
        marked = markdown(rest=typed)
        assert completed(marked, "Iteration") == markdown(rest="## Iteration\n\n<iter 1>\n")
        assert expanded(marked, "Iteration") == markdown(rest="## Iteration\n\n${1:<iter 1>}\n")
        filter_ = item_with(completions(marked), "Iteration").filter
        assert filter_ is not None
        assert filter_.startswith(typed.split("‸")[0].split(" ")[0])

    @pytest.mark.parametrize("profile", ["Developer", "Tester", "Reviewer"])
    @pytest.mark.parametrize("level", ["##", "###"])
    def test_a_heading_of_the_authors_own_is_no_item(self, profile: str, level: str) -> None:
        """Whenever the list came: at the `#`, or at any letter after it. Clients match loosely."""
        for title in HEADINGS:
            typed = f"{level} {title}"
            for end in range(1, len(typed) + 1):
                for item in completions(markdown(rest=f"{typed[:end]}‸", title=profile)):
                    assert not item.preselect
                    assert not loosely(typed, item.filter or item.label), f"{item.label} takes the place of {typed}"

    def test_sections_by_their_beginning(self) -> None:
        assert labels(markdown(rest="## fil‸")) == ["Files Created", "Files Modified"]
        assert labels(markdown(rest="## Files‸")) == []
        assert labels(markdown(rest="## Files m‸")) == ["Files Modified"]
        assert labels(markdown(rest="## Created‸")) == []
        assert labels("# X — Handoff from Tester\n\n## Files Created\n\n## DoD coverage\n\n## Stat‸") == [
            "Status block",
            "Status",
            "Status reason",
        ]

    def test_blank_lines(self) -> None:
        marked = markdown(rest="## Files Created\n- a\n‸\n## Open Questions\n")
        done = completed(marked, "Files Modified")
        assert done.endswith("## Files Created\n- a\n\n## Files Modified\n\n## Open Questions\n")

    def test_only_the_heading_over_a_body(self) -> None:
        marked = markdown(rest="## Iter‸\n\niter 4\n")
        assert completed(marked, "Iteration") == markdown(rest="## Iteration\n\niter 4\n")

    @pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
    def test_the_status_block(self, eol: str) -> None:
        marked = "# Login — Handoff from Tester\n\n‸\n\n## Files Created\n\n## DoD coverage\n".replace("\n", eol)
        item = completions(marked)[0]
        assert (item.label, item.kind, item.preselect) == ("Status block", "block", False)
        done = completed(marked, "Status block")
        assert eol.join(["# Login — Handoff from Tester", "", "## Status", "", "<complete | "]) in done
        assert f"```{eol}{eol}## Files Created{eol}" in done
        assert item.edit.snippet is not None
        assert (
            "${1|<complete \\| blocked \\| failed \\| incomplete>,complete,blocked,failed,incomplete|}"
            in item.edit.snippet
        )

    def test_the_level_of_the_document(self) -> None:
        text = "# Login — Handoff from Tester\n\n### Status\n\ncomplete\n\n### Status reason\n\n### Files Created\n\n‸"
        assert "### Files Modified" in completed(text, "Files Modified")

    def test_what_the_profile_does_not_have(self) -> None:
        found = labels("# DoD-checker handoff\n\n## Status\n\ncomplete\n\n## Status reason\n\n## Verified rows\n\n‸")
        assert "Gaps" in found
        assert "Files Created" not in found


class TestKeys:
    @pytest.mark.parametrize("typed", ["‸", '"‸"', '"‸', "plan‸", '"plan‸"', '"plan‸'])
    def test_in_order(self, typed: str) -> None:
        marked = handoff('{\n  "agent_status": {\n    ' + typed + "\n  }\n}")
        assert labels(marked) == ["plan_status", "agent_id", "pending_steps", "next_action"]
        done = completed(marked, "pending_steps")
        assert done == handoff('{\n  "agent_status": {\n    "pending_steps": []\n  }\n}')
        snippet = expanded(marked, "plan_status")
        assert snippet == handoff(
            '{\n  "agent_status": {\n    "plan_status": "${1|<'
            + r" \| ".join(STATES)
            + ">,"
            + ",".join(STATES)
            + '|}"\n  }\n}'
        )

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ('{\n  ‸\n  "b": 1\n}', '{\n  "memory_suggestions": [],\n  "b": 1\n}'),
            ('{\n  "mem‸\n  "b": 1\n}', '{\n  "memory_suggestions": [],\n  "b": 1\n}'),
            ('{\n  "a": 1,\n  ‸\n}', '{\n  "a": 1,\n  "memory_suggestions": []\n}'),
            ('{\n  "a": 1,\n  ‸', '{\n  "a": 1,\n  "memory_suggestions": []'),
            ('{"a": 1, ‸}', '{"a": 1, "memory_suggestions": []}'),
            ("{‸}", '{"memory_suggestions": []}'),
            ('{"mem‸": 1}', '{"memory_suggestions": 1}'),
            ('{"mem‸", "b": 1}', '{"memory_suggestions": [], "b": 1}'),
        ],
    )
    def test_commas_and_quotes(self, before: str, after: str) -> None:
        assert completed(handoff(before), "memory_suggestions") == handoff(after)

    def test_keys_of_the_other_profile(self) -> None:
        found = labels(handoff('{\n  "agent_status": {\n    "agent_state": "COMPLETE",\n    ‸\n  }\n}'))
        assert found == ["agent_id", "pending_steps", "next_action"]
        options = Options(profiles={"agent-contract": "gaia-5.4"})
        items = completions(handoff('{\n  "agent_status": {‸}\n}'), options=options)
        assert items[0].label == "agent_state"

    def test_nested_skeleton_with_snippets_and_without(self) -> None:
        marked = handoff('{\n\t"agent_status": {},\n\t"failure_report": ‸\n}').replace("agent_status", "work_phase")
        assert labels(marked) == ["{…}"]
        marked = handoff('{\n  "agent_status": {},\n  "memorialize_suggestions": [\n    ‸\n  ]\n}')
        inside = '    {\n      "description": "<description>",\n      "body": "<body>"\n    }\n'
        assert inside in completed(marked, "{…}")
        assert '\n      "body": "${2:<body>}"\n    \\}\n' in expanded(marked, "{…}")

    def test_a_one_line_object_stays_on_one_line(self) -> None:
        done = completed(handoff('{"agent_status": {}, ‸}'), "evidence_report")
        assert "\n" not in done.split("handoff\n")[1].split("\n```")[0]

    def test_in_a_quote(self) -> None:
        marked = "> ```agent_contract_handoff\n> {\n>   ‸\n> }\n> ```\n"
        assert '> {\n>   "agent_status": {\n>     "plan_status": "<' in completed(marked, "agent_status")

    def test_unknown_objects_offer_nothing(self) -> None:
        assert labels(handoff('{"foo": {‸}}')) == []
        assert labels(handoff('{"context_consumption": {"by": {‸}}}')) == []

    def test_items(self) -> None:
        assert labels(handoff('{"update_contracts": [{‸}]}')) == ["contract", "payload"]


class TestJsonValues:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ('"plan_status": ‸\n', '"plan_status": "BLOCKED"\n'),
            ('"plan_status":‸\n', '"plan_status": "BLOCKED"\n'),
            ('"plan_status": "‸"\n', '"plan_status": "BLOCKED"\n'),
            ('"plan_status": "COM‸\n', '"plan_status": "BLOCKED"\n'),
            ('"plan_status": COM‸\n', '"plan_status": "BLOCKED"\n'),
            ('"plan_status": "COM‸PLETE",\n', '"plan_status": "BLOCKED",\n'),
            ('"plan_status": "検証🙂‸"\n', '"plan_status": "BLOCKED"\n'),
            ('"plan_status": ‸\n    "agent_id": "ab12345"\n', '"plan_status": "BLOCKED",\n    "agent_id": "ab12345"\n'),
            ('"plan_status": "COM‸, "agent_id": "ab12345"\n', '"plan_status": "BLOCKED", "agent_id": "ab12345"\n'),
        ],
    )
    def test_the_whole_token(self, before: str, after: str) -> None:
        marked = handoff('{\n  "agent_status": {\n    ' + before + "  }\n}")
        assert labels(marked) == STATES
        assert completed(marked, "BLOCKED") == handoff('{\n  "agent_status": {\n    ' + after + "  }\n}")

    def test_values_of_the_other_profile(self) -> None:
        assert "NEEDS_VERIFICATION" in labels(handoff('{"agent_status": {"agent_state": ‸}}'))

    def test_open_vocabulary(self) -> None:
        marked = handoff('{"agent_status": {}, "evidence_report": {"verification": {"result": ‸}}}')
        assert labels(marked) == ["pass", "fail"]

    def test_by_type(self) -> None:
        assert labels(handoff('{"evidence_report": {"files_checked": ‸}}')) == ["[]"]
        assert labels(handoff('{"approval_request": ‸}')) == ["{…}", "null"]
        assert labels(handoff('{"agent_status": {"agent_id": ‸}}')) == ['"…"']
        assert labels(handoff('{"evidence_report": {"files_checked": [‸]}}')) == []

    def test_the_right_value(self) -> None:
        item = completions(handoff('{"agent_status": {"agent_state": "COMPLETE", "next_action": ‸}}'))[0]
        assert (item.label, item.preselect) == ('"done"', True)

    def test_filter_has_the_quote_that_is_typed(self) -> None:
        assert completions(handoff('{"agent_status": {"plan_status": "‸"}}'))[0].filter == '"IN_PROGRESS"'

    def test_not_inside_comments(self) -> None:
        assert labels(handoff("{\n  // ‸\n}")) == []


class TestWholeBlocks:
    @pytest.mark.parametrize("typed", ["```‸", "```age‸", "```agent_contract_handoff‸", "~~~‸"])
    def test_on_a_fence(self, typed: str) -> None:
        marked = f"# Notes\n\n{typed}\n"
        assert labels(marked) == ["agent_contract_handoff block"]
        done = completed(marked, "agent_contract_handoff block")
        assert done.startswith('# Notes\n\n```agent_contract_handoff\n{\n  "agent_status": {\n    "plan_status": "<')
        assert done.endswith('  "approval_request": null\n}\n```\n')
        assert [item.mode for item in analysed(done).handoffs] == ["handoff"]
        assert {finding.code for finding in analysed(done).findings} == {"placeholder-left"}

    def test_in_a_fence_that_is_closed(self) -> None:
        done = completed("x\n\n- a\n\n  ```age‸\n  ```\n", "agent_contract_handoff block")
        assert done.endswith('    "approval_request": null\n  }\n  ```\n')

    def test_over_json_only_the_tag(self) -> None:
        marked = '```agent‸\n{"a": 1}\n```\n'
        assert completed(marked, "agent_contract_handoff") == '```agent_contract_handoff\n{"a": 1}\n```\n'

    def test_in_an_empty_fence(self) -> None:
        done = completed("```agent_contract_handoff\n‸\n```\n", "agent_contract_handoff block")
        assert done.startswith('```agent_contract_handoff\n{\n  "agent_status": {')
        assert done.endswith("}\n```\n")

    def test_another_language_is_left_alone(self) -> None:
        assert labels("text\n\n```py‸\n") == []

    def test_the_profile_of_the_config(self) -> None:
        options = Options(profiles={"agent-contract": "gaia-5.4"})
        assert "agent_state" in completed("```‸\n", "agent_contract_handoff block", options=options)
        assert completions("```‸\n", options=Options(disabled=frozenset({"agent-contract"}))) == []

    @pytest.mark.parametrize("marked", ["‸", "\n‸\n", "\ufeff‸", "##‸"])
    def test_in_an_empty_document(self, marked: str) -> None:
        assert labels(marked) == ["Status block"]
        done = completed(marked, "Status block")
        assert done.lstrip("\ufeff\n").startswith("## Status\n\n<complete")

    def test_before_a_byte_order_mark(self) -> None:
        """Clients want the edit to hold the cursor, and the mark stays first."""
        (item,) = completions("‸\ufeff")
        assert item.edit.span == Span(0, 1)
        assert item.edit.text.startswith("\ufeff## Status") and (item.edit.snippet or "").startswith("\ufeff## Status")

    def test_by_the_path(self) -> None:
        assert labels("# Login\n\ntext\n\n‸\n", "handoffs/login-handoff.md") == ["Status block"]
        assert labels("# Login\n\n## St‸\n", "handoffs/login-handoff.md") == ["Status block"]


class TestSilence:
    @pytest.mark.parametrize(
        "marked",
        [
            "# Readme\n\n‸\n",
            "# Readme\n\n## ‸\n",
            "# Readme\n\n## Status\n\n‸\n\ntext\n",
            "text ‸",
            "```json\n{‸}\n```\n",
            "- ‸\n\ntext",
            "text\n\n    ```‸\n",
            "<!-- handoff: none -->\n\n‸\n",
            "<!-- handoff: none -->\n\n```‸\n",
            "Report\n\n```agent_contract_handoff\n{}\n```\n\n‸\n",
        ],
    )
    def test_ordinary_markdown(self, marked: str) -> None:
        assert labels(marked) == []

    def test_in_a_fence_that_is_all_of_a_section_of_prose(self) -> None:
        reason = (
            "# Login — Handoff from Developer\n\n## Status\n\nblocked\n\n## Status reason\n\n```\nport: ‸taken\n```\n"
        )
        assert labels(reason) == []


class TestComments:
    def test_contracts(self) -> None:
        assert labels("<!-- handoff: ‸") == [*builtin().names, "begin"]
        assert completed("<!-- handoff: sta‸", "status-block") == "<!-- handoff: status-block -->"
        assert completed("<!-- handoff: sta‸ -->", "status-block") == "<!-- handoff: status-block -->"

    def test_options(self) -> None:
        assert labels("<!-- handoff: agent-contract ‸ -->") == ["profile=", "mode="]
        assert labels("<!-- handoff: agent-contract profile=‸ -->") == ["gaia-5.0", "gaia-5.4"]
        assert labels("<!-- handoff: agent-contract profile=gaia-5.0 mode=‸ -->") == ["handoff", "template", "example"]

    def test_marked_copies(self) -> None:
        begin = "<!-- handoff: begin"
        assert labels(f"{begin} ‸") == ["contract=", "part="]
        assert labels(f"{begin} contract=‸") == builtin().names
        assert labels(f"{begin} contract=status-block part=‸") == ["skeleton", "values", "fields", "schema", "example"]
        assert labels(f"{begin} contract=agent-contract part=values ‸") == ["profile=", "field="]
        assert labels(f"{begin} contract=agent-contract part=values profile=‸") == ["gaia-5.0", "gaia-5.4"]
        assert "status" in labels(f"{begin} contract=agent-result part=values field=‸")
        assert completed(f"{begin} contract=status-block part=sk‸", "skeleton").endswith("part=skeleton -->")

    def test_none_where_nobody_reads_them(self) -> None:
        for path in (".agent/status.json", ".agent/activity.log"):
            assert not {"status-block", "missing-status"} & set(labels("<!-- handoff: ‸", path))
            assert not {"status-block", "missing-status"} & set(labels("<!-- handoff-ignore: ‸", path))

    def test_rules(self) -> None:
        items = completions("text <!-- handoff-ignore: missing-field, mis‸ -->")
        found = [item.label for item in items]
        assert "missing-status" in found
        assert "missing-field" not in found
        item = item_with(items, "missing-status")
        assert item.detail == "Missing status."
        assert "## How to fix" in resolve(item.key, EMPTY)
        assert labels("<!-- handoff-ignore-file: ‸") == labels("<!-- handoff-ignore: ‸ -->")

    def test_not_in_code(self) -> None:
        assert labels("```html\n<!-- handoff: ‸\n```\n") == []


def test_resolve_never_raises() -> None:
    for key in [
        "",
        "x",
        "a/b",
        "a/b/c=d",
        "agent-contract/nope/x",
        "agent-contract/gaia-5.0/x.y[]=z",
        "rule:",
        "contract:x",
        "//=",
        "\0",
    ]:
        assert resolve(key, EMPTY) == ""
    assert "`COMPLETE`" in resolve("agent-contract/gaia-5.0/agent_status.plan_status=COMPLETE", EMPTY)
    assert "status-block" in resolve("contract:status-block", EMPTY) or resolve("contract:status-block", EMPTY)
    assert "`n/a`" in resolve("status-block/developer/abstract.verdict=n/a", EMPTY)


def test_every_item_of_an_empty_object_makes_sound_json() -> None:
    text = handoff('{\n  "x": 1,\n  ‸\n  "y": 2\n}')
    offset = text.index("‸")
    plain = text.replace("‸", "")
    for item in complete(context_of(analysed(plain)), offset):
        done = apply_edits(plain, [item.edit])
        assert not [finding for finding in analysed(done).findings if finding.code == "invalid-json"], done
