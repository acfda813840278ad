"""Quick fixes as they look in the document, comments that silence, and everything at once."""

from __future__ import annotations

import pytest
from features.documents import SAMPLES, analysed, finding, handoff, markdown, split

from handoff_lsp.engine import Analysis
from handoff_lsp.features.actions.offered import Action, each, fix_all, quick_fixes
from handoff_lsp.text import Span, apply_edits

NEW_STATUS = "## Status\n\n<complete | blocked | failed | incomplete>\n"
NEW_BLOCK = f"""{NEW_STATUS}
## Status reason

<One line if Status is not complete>

## Abstract

```yaml
outcome: <what was achieved, or why it stopped>
verdict: n/a
files: <N created, M modified, K deleted>
next_phase: <next agent role>
open_questions: <0>
```
"""
PATH = "handoffs/login-developer-handoff.md"


def offered(marked: str, path: str = "report.md") -> tuple[str, list[Action]]:
    text, offset = split(marked)
    return text, list(each(quick_fixes(analysed(text, path), Span(offset, offset))))


def taken(marked: str, title: str, path: str = "report.md") -> str:
    """The text after the action with a title was applied at the cursor."""
    text, found = offered(marked, path)
    chosen = [action for action in found if action.title == title]
    assert len(chosen) == 1, [action.title for action in found]
    return apply_edits(text, chosen[0].edits)


def fixed(text: str, path: str = "report.md") -> str:
    action = fix_all(analysed(text, path))
    return text if action is None else apply_edits(text, action.edits)


class TestStatusBlock:
    """The place of the handoff, and the blank lines around it."""

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("‸# Login — Handoff from Developer\n", "# Login — Handoff from Developer\n\n{}"),
            ("‸# Login — Handoff from Developer", "# Login — Handoff from Developer\n\n{}"),
            (
                "‸# Login — Handoff from Developer\n\nWe did it.\n",
                "# Login — Handoff from Developer\n\nWe did it.\n\n{}",
            ),
            ("‸# Login\n\n## Files Created\n\n- a\n", "# Login\n\n{}\n## Files Created\n\n- a\n"),
            ("‸# Login\n## Files Created\n- a\n", "# Login\n\n{}\n## Files Created\n- a\n"),
            (
                "‸# Login\n\n## Introduction\n\ntext\n\n## Files Created\n",
                "# Login\n\n{}\n## Introduction\n\ntext\n\n## Files Created\n",
            ),
            ("---\na: b\n---\n\n‸# Login\n\n## Files Created\n", "---\na: b\n---\n\n# Login\n\n{}\n## Files Created\n"),
            ("‸## Files Created\n\n- a\n", "{}\n## Files Created\n\n- a\n"),
            ("---\na: b\n---\n‸## Files Created\n", "---\na: b\n---\n\n{}\n## Files Created\n"),
            ("\ufeff‸## Files Created\n", "\ufeff{}\n## Files Created\n"),
            (
                "‸# Login\n\n<!-- about files -->\n## Files Created\n",
                "# Login\n\n{}\n<!-- about files -->\n## Files Created\n",
            ),
            ("Login\n=‸====\n\n## Files Created\n", "Login\n=====\n\n{}\n## Files Created\n"),
            ("‸text only\n", "text only\n\n{}"),
        ],
    )
    @pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
    def test_place(self, before: str, after: str, eol: str) -> None:
        modeline = "<!-- handoff: status-block profile=developer -->"
        before, after = (
            f"{text}\n{modeline}\n" if text.endswith("\n") else f"{text}\n\n{modeline}" for text in (before, after)
        )
        text, _ = split(before)
        analysis = analysed(text.replace("\n", eol))
        missing = finding(analysis, "missing-status")
        fix = next(fix for fix in missing.fixes if fix.title == "Insert the Status block")
        done = apply_edits(analysis.source.text, fix.edits).replace(eol, "\n")
        if "## Files" in before:
            assert done == after.format(NEW_BLOCK)
        else:  # below the title or the text that the modeline follows
            assert done.rstrip("\n") == f"{text.rstrip()}\n\n{NEW_BLOCK}".rstrip("\n")

    def test_empty_document(self) -> None:
        text = "<!-- handoff: status-block profile=developer -->"
        done = fixed(text)
        assert done.startswith(f"{text}\n\n{NEW_BLOCK}")
        assert done.endswith("## DoD coverage\n\n- <…>\n")

    def test_preferred_once(self) -> None:
        _, found = offered("# Login — Handoff fr‸om Developer\n\n## Files Created\n", PATH)
        for problem in {id(action.finding): action.finding for action in found}.values():
            assert sum(action.preferred for action in found if action.finding is problem) <= 1
        preferred = [action.title for action in found if action.preferred]
        assert "Insert the Status block" in preferred
        assert "Insert section `Status`" not in preferred

    def test_a_section_keeps_its_comment(self) -> None:
        text = (
            "# L — Handoff from Developer\n\n## Status\n\ncomplete\n\n"
            "<!-- handoff-ignore: x -->\n## Abstract‸\n\noutcome: x\n\n## DoD coverage\n"
        )
        done = taken(text.replace("# L", "# ‸L").replace("Abstract‸", "Abstract"), "Insert section `Status reason`")
        assert "complete\n\n## Status reason\n\n<!-- handoff-ignore: x -->\n## Abstract\n" in done

    def test_an_unclosed_fence_is_closed_before_anything_is_inserted(self) -> None:
        text = SAMPLES["unclosed yaml"]
        assert fixed(text) == text
        problem = finding(analysed(text), "unclosed-block", None)
        closed = apply_edits(text, problem.fixes[0].edits)
        assert closed == text + "```\n"
        assert "## Quality-Gate Results\n\n<each gate: the tool's own summary>\n\n## DoD coverage\n" in fixed(closed)


class TestLabels:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("```yaml\noutcome: x\n```", "```yaml\noutcome: x\nverdict: n/a\n```"),
            ("```yaml\nnext_phase: x\n```", "```yaml\nverdict: n/a\nnext_phase: x\n```"),
            ("outcome: x", "outcome: x\nverdict: n/a"),
            ("**outcome**: x  \n**files**: y", "**outcome**: x  \n**verdict**: n/a\n**files**: y"),
            ("- **outcome:** x", "- **outcome:** x\n- **verdict:** n/a"),
            ("- `outcome`: x", "- `outcome`: x\n- `verdict`: n/a"),
            ("```yaml\noutcome: |\n  x\n  y\n```", "```yaml\noutcome: |\n  x\n  y\nverdict: n/a\n```"),
        ],
    )
    @pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
    def test_place(self, before: str, after: str, eol: str) -> None:
        head = "# L — Handoff from Developer\n\n## Status\n\ncomplete\n\n## Status reason\n\n## Abstract\n"
        tail = "\n## Files Created\n"
        text = (head + (f"\n{before}\n" if before else "") + tail).replace("\n", eol)
        problem = finding(analysed(text), "missing-field", "abstract.verdict")
        done = apply_edits(text, problem.fixes[0].edits)
        assert done == (head + f"\n{after}\n" + tail).replace("\n", eol)

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("```yaml\n```", "```yaml\n@\n```"),
            ("some prose", "```yaml\n@\n```\n\nsome prose"),
            ("", "```yaml\n@\n```"),
        ],
    )
    @pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
    def test_all_of_them(self, before: str, after: str, eol: str) -> None:
        head = "# L — Handoff from Developer\n\n## Status\n\ncomplete\n\n## Status reason\n\n## Abstract\n"
        tail = "\n## Files Created\n"
        text = (head + (f"\n{before}\n" if before else "") + tail).replace("\n", eol)
        done = apply_edits(text, finding(analysed(text), "missing-field", "abstract.outcome").fixes[0].edits)
        written = done.replace("\r\n", "\n").removeprefix(head).removesuffix(tail).strip("\n")
        above, below = after.split("@")
        assert written.startswith(above + "outcome: <")
        assert "\nverdict: n/a\nfiles: <" in written
        assert written.endswith("open_questions: <0>" + below)


class TestMembers:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ('{"agent_status": {"plan_status": "X"}}', '{"agent_status": {"plan_status": "X", @}}'),
            ('{"agent_status": {"next_action": "X"}}', '{"agent_status": {@, "next_action": "X"}}'),
            (
                '{\n  "agent_status": {\n    "plan_status": "X"\n  }\n}',
                '{\n  "agent_status": {\n    "plan_status": "X",\n    @\n  }\n}',
            ),
            (
                '{\n\t"agent_status": {\n\t\t"next_action": "X"\n\t}\n}',
                '{\n\t"agent_status": {\n\t\t@,\n\t\t"next_action": "X"\n\t}\n}',
            ),
            ('{\n  "agent_status": {"plan_status": "X",}\n}', '{\n  "agent_status": {"plan_status": "X", @,}\n}'),
            ('{ "agent_status": { "plan_status": "X" } }', '{ "agent_status": { "plan_status": "X", @ } }'),
        ],
    )
    @pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
    def test_one(self, before: str, after: str, eol: str) -> None:
        text = handoff(before).replace("\n", eol)
        problem = finding(analysed(text), "missing-field", "agent_status.pending_steps")
        done = apply_edits(text, problem.fixes[0].edits)
        assert done == handoff(after.replace("@", '"pending_steps": []')).replace("\n", eol)

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("[{}]", '[{"contract": "<contract>", "payload": {}}]'),
            ("[{ }]", '[{"contract": "<contract>", "payload": {}}]'),
            ("[\n    {}\n  ]", '[\n    {\n      "contract": "<contract>",\n      "payload": {}\n    }\n  ]'),
            ("[\n    {\n    }\n  ]", '[\n    {\n      "contract": "<contract>",\n      "payload": {}\n    }\n  ]'),
            ("[{\n    }]", '[{\n    "contract": "<contract>",\n    "payload": {}\n  }]'),
        ],
    )
    def test_several_into_an_empty_object(self, before: str, after: str) -> None:
        text = handoff('{\n  "update_contracts": ' + before + "\n}")
        problem = finding(analysed(text), "missing-field", "update_contracts[0].contract")
        fix = next(fix for fix in problem.fixes if fix.title == "Insert both missing fields")
        assert apply_edits(text, fix.edits) == handoff('{\n  "update_contracts": ' + after + "\n}")

    def test_a_nested_object(self) -> None:
        text = handoff('{\n  "agent_status": {\n    "plan_status": "COMPLETE"\n  }\n}')
        done = fixed(text)
        assert '    "next_action": "<next_action>"\n  },\n  "evidence_report": {\n    "patterns_checked": [],\n' in done
        assert '    "verification": {\n      "result": "<pass | fail>"\n    }\n  }\n}\n```\n' in done

    def test_nothing_is_claimed_for_the_author(self) -> None:
        done = fixed(
            handoff('{"agent_status": {"plan_status": "COMPLETE", "agent_id": "ab12345", "pending_steps": []}}')
        )
        assert '"pass"' not in done
        assert '"done"' not in done
        assert {item.code for item in analysed(done).findings} == {"placeholder-left"}

    def test_in_a_quote(self) -> None:
        done = fixed(SAMPLES["json: in a quote"])
        assert '>     "plan_status": "COMPLETE",\n>     "agent_id": "<' in done
        assert '>   "evidence_report": {\n>     "patterns_checked": [],\n' in done
        assert all(line.startswith("> ") for line in done.splitlines())

    def test_snippets_leave_the_indentation_to_the_editor(self) -> None:
        text = handoff('{\n  "agent_status": {\n    "plan_status": "COMPLETE"\n  }\n}')
        problem = finding(analysed(text), "missing-field", "agent_status.pending_steps")
        assert problem.fixes[0].edits[0].snippet == ',\n"pending_steps": [$1]'


class TestCarriers:
    def test_unclosed_fences(self) -> None:
        assert fixed(SAMPLES["json: unclosed in a list"]).endswith("  }\n  ```\n")
        assert "}\n```\n trailing\n" in fixed(SAMPLES["json: unclosed"])
        assert fixed('> ```agent_contract_handoff\n> {"agent_status": {}}\n').endswith('{"agent_status": {}}\n> ```\n')

    def test_yaml_in_a_quote_keeps_the_quote(self) -> None:
        done = fixed(SAMPLES["json: yaml in a quote"].replace("\n", "\r\n"))
        assert done.startswith('> ```agent_contract_handoff\r\n> {\r\n>   "agent_status": {\r\n')

    def test_an_empty_section_with_an_underlined_heading(self) -> None:
        text = "L — Handoff from Developer\n=====\n\nStatus\n------\n## Abstract\n\noutcome: x\n\n## Files Created\n"
        problem = finding(analysed(text), "empty-value", "status")
        assert "Status\n------\n\ncomplete\n\n## Abstract" in apply_edits(text, problem.fixes[0].edits)


class TestOffered:
    def test_order(self) -> None:
        _, found = offered(markdown("DO‸NE"))
        titles = [action.title for action in found]
        assert titles[0] == 'Change "DONE" to `complete`'
        assert titles[1:4] == [f"Set `Status` to `{value}`" for value in ("blocked", "failed", "incomplete")]
        assert titles[-2:] == ["Ignore `invalid-value` here", "Ignore `invalid-value` in this file"]
        assert [action.preferred for action in found] == [True] + [False] * (len(found) - 1)

    def test_anywhere_on_the_line(self) -> None:
        text, found = offered(handoff('‸  {"agent_status": {"plan_status": "DONE", "agent_id": "ab12345"}}'))
        assert any(action.title == 'Change "DONE" to `COMPLETE`' for action in found)
        assert quick_fixes(analysed(text), Span(0, 1)) == []

    def test_at_a_place_only_what_is_there(self) -> None:
        _, found = offered(handoff('{"agent_status": {"plan_status": "DO‸NE", "agent_id": "ab12345"}}'))
        assert {action.finding.code for action in found if action.finding is not None} == {"invalid-value"}

    def test_no_duplicates(self) -> None:
        for text in SAMPLES.values():
            found = list(each(quick_fixes(analysed(text), Span(0, len(text)))))
            keys = [(action.title, action.edits) for action in found]
            assert len(keys) == len(set(keys))

    def test_removing_content_is_not_preferred(self) -> None:
        text = markdown().replace("## Status reason\n", "## Status reason\n\nIt broke‸.\n")
        _, found = offered(text)
        empty = next(action for action in found if action.title == "Clear `Status reason`")
        assert not empty.preferred
        assert not empty.safe


class TestIgnore:
    @pytest.mark.parametrize("form", ["here", "in this handoff", "in this file"])
    @pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
    def test_a_fence(self, form: str, eol: str) -> None:
        text = handoff('{"agent_status": {"plan_status": "DO‸NE", "agent_id": "ab12345"}}').replace("\n", eol)
        done = taken(text, f"Ignore `invalid-value` {form}")
        assert not [item for item in analysed(done).findings if item.code in {"invalid-value", "unused-suppression"}]
        assert set(done.split(eol)) - set(split(text)[0].split(eol))

    @pytest.mark.parametrize("name", SAMPLES)
    def test_everywhere(self, name: str) -> None:
        text = SAMPLES[name]
        analysis = analysed(text)
        for action in each(quick_fixes(analysis, Span(0, len(text)))):
            if action.title.startswith("Ignore") and action.finding is not None and not action.change.off:
                after = analysed(apply_edits(text, action.edits))
                assert matching(after, action) < matching(analysis, action), action.title

    def test_nothing_is_put_before_a_fence_that_must_come_first(self) -> None:
        text = "```yaml\nschema: gentle-ai.verify-result/v1\nverdict: pa‸s\n```\n\n## Verification Report\n"
        _, found = offered(text)
        titles = [action.title for action in found if "Ignore" in action.title]
        assert titles == ["Ignore `invalid-value` in this file"]
        done = taken(text, titles[0])
        assert "\n```\n\n<!-- handoff-ignore-file: invalid-value -->\n\n## Verification Report\n" in done
        assert not {"invalid-value", "wrong-fence", "unused-suppression"} & {x.code for x in analysed(done).findings}

    def test_nothing_is_put_before_it_for_another_handoff_of_the_file(self) -> None:
        text = (
            "```yaml\nschema: gentle-ai.verify-result/v1\nverdict: pass\n```\n\n## SDD Initialized\n\n"
            "**Project**: lantern\n**Stack**: Go\n**Persistence**: openspe‸cs\n"
        )
        _, found = offered(text)
        assert [action.title for action in found if "Ignore" in action.title] == [
            "Ignore `invalid-value` here",
            "Ignore `invalid-value` in this file",
        ]
        done = taken(text, "Ignore `invalid-value` in this file")
        assert "\n```\n\n<!-- handoff-ignore-file: invalid-value -->\n\n## SDD Initialized\n" in done

    @pytest.mark.parametrize("form", ["in this handoff", "in this file"])
    def test_no_run_of_lines_is_cut_in_two(self, form: str) -> None:
        text = "Done.\n\nAGENT_RESULT: developer\nSTATUS: suc‸cesful\nNEXT: tester\n"
        _, found = offered(text)
        assert "Ignore `invalid-value` here" not in [action.title for action in found]
        done = taken(text, f"Ignore `invalid-value` {form}")
        assert "\nAGENT_RESULT: developer\nSTATUS: succesful\nNEXT: tester\n" in done
        assert {item.code for item in analysed(done).findings}.isdisjoint({"invalid-value", "unused-suppression"})

    def test_no_table_is_cut_in_two(self) -> None:
        text = (
            "# Discovery Result: Tools\n\n## Project Overview\nTools are lent.\n\n## Artifact Type\n\n"
            "| Key | Value |\n|---|---|\n| PRODUCT_TYPE | `ser‸vce` |\n| HAS_UI | false |\n\n"
            "## Requirements Summary\n- Search\n"
        )
        _, found = offered(text, "docs/DISCOVERY_RESULT.md")
        titles = [action.title for action in found if "Ignore" in action.title]
        assert "Ignore `invalid-value` in this file" in titles
        assert "Ignore `invalid-value` here" not in titles

    @pytest.mark.parametrize(
        ("path", "text"),
        [
            (
                ".agent/status.json",
                '{"agent_id": "a", "agent_type": "x", "last_checkpoint": null, "status": "run‸nin"}',
            ),
            (".agent/activity.log", "2026-02-08T10:00:00Z [BASH] ls\n2026-02-08 10:01‸:00 [READ] x.py\n"),
        ],
    )
    def test_a_file_without_comments_is_spoken_of_in_the_config(self, path: str, text: str) -> None:
        _, found = offered(text, path)
        silencing = [action for action in found if action.title.startswith("Ignore")]
        assert silencing
        for action in silencing:
            assert action.finding is not None
            assert action.title == f"Ignore `{action.finding.code}` in this file (config)"
            assert (action.edits, action.change.off) == ((), action.finding.code)

    def test_so_is_a_file_that_a_fence_begins_which_is_not_closed(self) -> None:
        _, found = offered("```ya‸ml\nschema: gentle-ai.verify-result/v1\nverdict: pass\n")
        assert "Ignore `unclosed-block` in this file (config)" in [action.title for action in found]

    def test_much_at_once_is_not_silenced_one_by_one(self) -> None:
        text = "\n\n".join(
            f'```agent_contract_handoff\n{{"agent_status": {{"plan_status": "DONE{number}"}}}}\n```'
            for number in range(60)
        )
        found = list(each(quick_fixes(analysed(text), Span(0, len(text)))))
        assert len([action for action in found if "Ignore" in action.title]) <= 30

    def test_never_itself(self) -> None:
        _, found = offered("<!-- handoff-ignore-file: missing-‸table -->\n\n" + markdown())
        assert [action.title for action in found] == ["Remove the comment"]


def matching(analysis: Analysis, action: Action) -> int:
    assert action.finding is not None
    like = (action.finding.code, action.finding.field, action.finding.message)
    return sum(1 for item in analysis.findings if (item.code, item.field, item.message) == like)


class TestFixAll:
    def test_nothing(self) -> None:
        assert fix_all(analysed(SAMPLES["sound"])) is None
        assert fix_all(analysed(SAMPLES["ordinary"])) is None

    def test_missing_things_once(self) -> None:
        done = fixed("# Login — Handoff from Developer\n\n## Files Created\n\n- a\n\n## DoD coverage\n\n- ✓ a\n")
        for heading in ("## Status\n", "## Status reason\n", "## Abstract\n", "## Quality-Gate Results\n"):
            assert done.count(heading) == 1
        assert done.startswith(f"# Login — Handoff from Developer\n\n{NEW_BLOCK}\n## Files Created\n\n- a\n")

    def test_repairs_and_inserts_in_one_go(self) -> None:
        text = handoff('{\n  \'agent_status\': {\n    "plan_status": "COMPLETE",\n  },\n}')
        done = fixed(text)
        assert '{\n  "agent_status": {\n    "plan_status": "COMPLETE",\n    "agent_id": "<' in done
        assert not [item for item in analysed(done).findings if item.code == "invalid-json"]

    def test_only_what_is_safe(self) -> None:
        assert (
            fixed(
                markdown(
                    "DONE", "outcome: x\nverdict: n/a\nfiles: 0 created, 0 modified\nnext_phase: x\nopen_questions: 0"
                )
            ).count("DONE")
            == 1
        )
        assert "## Status\n\ncomplete\n" in fixed(markdown("Complete", "outcome: x"))
