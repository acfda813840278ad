"""Properties of formatting for any document: only blanks change, never in prose, and once is enough.

The documents are put together from parts of handoffs, laid out at random, in lists and quotes, damaged, in all line
endings.
"""

from __future__ import annotations

import json
import re

import pytest
from case_files import read_cases
from features.documents import SAMPLES, analysed
from hypothesis import example, given, settings
from hypothesis import strategies as st

from handoff_lsp.engine import Analysis
from handoff_lsp.features.formatting.format import Layout, format_document, format_ranges
from handoff_lsp.syntax.lines.keyvalue import read_pairs
from handoff_lsp.syntax.markdown.incremental import Node
from handoff_lsp.text import Span, apply_edits

# Of Markdown and of LSP; others that Python knows, such as U+2028, are text, and no blanks.
LINE_END = re.compile(r"\r\n|[\r\n]")
PAIRS_AROUND = "# Login — Handoff from Developer\n\n## Abstract\n\noutcome: x\n{}\nverdict:   APPROVED\n"

OUTDENTED = """# Login — Handoff from Developer

1. a
   ```agent_contract_handoff
{"agent_status": {"plan_status": "COMPLETE"}}
```"""

TIDY = Layout("  ", trim_lines=True, trim_end=True, end_with_newline=True)
LAYOUTS = [Layout("  "), TIDY, Layout("\t"), Layout("    ", trim_lines=True), Layout("   ", trim_end=True)]
PATH = "handoffs/login/backend-dev-handoff.md"


def formatted(text: str, path: str, layout: Layout) -> str:
    """The text after formatting; fails if formatting breaks its promise."""
    analysis = analysed(text, path)
    edits = format_document(analysis, layout)
    if edits is None:
        assert all(handoff.mode == "example" or handoff.log is not None for handoff in analysis.handoffs)
        return text
    for edit in edits:
        assert edit.text != edit.span.of(text), f"{edit} changes nothing"
    made = apply_edits(text, edits)
    again = analysed(made, path)
    assert without_blanks(made) == without_blanks(text)
    assert prose(again) == prose(analysis)
    assert found(again) == found(analysis)
    assert not format_document(again, layout), "the second time changes something"
    return made


def without_blanks(text: str) -> str:
    """The text without the marks of quotes: a line that is split gets one more of them."""
    return re.sub(r"[ \t\r\n]", "", re.sub(r"(?:\A|(?<=[\r\n]))[ \t]*(?:>[ \t]*)+", "", text))


def found(analysis: Analysis) -> list[tuple[str, str | None]]:
    """The findings, without their places."""
    return sorted((finding.code, finding.field or "") for finding in analysis.findings)


def prose(analysis: Analysis) -> list[str]:
    """The lines that formatting must not change: paragraphs, lists, tables, quotes, comments, foreign fences.

    A paragraph of nothing but `key: value` lines, and comments between them, may be an Abstract's.
    """
    bodies = [handoff.span for handoff in analysis.handoffs if handoff.json is not None]
    return [_lines(node) for node in analysis.tree.blocks if _is_prose(node, bodies)]


def _is_prose(node: Node, bodies: list[Span]) -> bool:
    text = node.source.text
    if node.kind == "heading":
        return False
    if node.kind == "paragraph":
        written = [line for line in LINE_END.split(node.text) if not line.lstrip(" \t").startswith("#")]
        return len(read_pairs(text, node.span)) < len(written)
    if node.kind == "fence" or node.green.fenced:
        held = any(node.span.overlaps(body) for body in bodies)
        return not held and not any(line.partition(":")[1] for line in LINE_END.split(node.text))
    return True


def _lines(node: Node) -> str:
    lines = node.source.lines
    return Span(lines.line_start(node.first_line), lines.line_end(node.last_line)).of(node.source.text)


JSON = st.recursive(
    st.sampled_from([None, True, 1, 1.0, "日本 🙂", "a: b", "", 'q"\\\n', "é", []]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "ü", "x y", "🙂"]), inner, max_size=3)
    ),
    max_leaves=6,
)


@st.composite
def json_bodies(draw: st.DrawFn) -> str:
    """A handoff's JSON, laid out at random."""
    status = draw(st.sampled_from(["COMPLETE", "BLOCKED", "完了"]))
    value = {"agent_status": {"plan_status": status, "more": draw(JSON)}, "evidence_report": draw(JSON)}
    text = json.dumps(value, indent=draw(st.sampled_from([None, 0, 1, 2, 4, "\t"])), ensure_ascii=draw(st.booleans()))
    blanks = st.sampled_from(["", "", "", " ", "\n", "\n\n", "  \n ", "\t", "\n\t"])
    pieces = re.findall(r'"(?:[^"\\]|\\.)*"|[^"]', text)
    if draw(st.booleans()):
        for at in draw(st.lists(st.integers(0, len(pieces) - 1), max_size=6)):
            if pieces[at] in "[]{},:":
                pieces[at] = draw(blanks) + pieces[at] + draw(blanks)
    return "".join(pieces).strip("\n") + draw(st.sampled_from(["", "", "\n", "\n  \n"]))


PAIRS = [
    "outcome: 動く 🙂",
    "outcome:x",
    "verdict:   APPROVED",
    "verdict: n/a   # only reviewers",
    'files: "1 created, 0 modified, 0 deleted"',
    "files: 1 created, 0 modified, 0 deleted # counts",
    "next_phase:\ttester  ",
    "open_questions:",
    "open_questions: 2",
    "結果: x",
    "note: a: b",
    "text: |",
    "  indented",
    "- item: x",
    "# a comment",
    "more: [1,  2]",
    'said: "two',
    '  lines: of it"',
    "words without a colon",
]
FLAT = PAIRS.index("note: a: b")
PARTS = [
    "## Status\ncomplete",
    "## Status\n\nblocked  ",
    "## Status: failed",
    "## Status reason  ",
    "## Abstract",
    "Abstract\n--------",
    "## Open Questions\n\n- why?  \n  so\n\n\n- 何?",
    "## Files Created\n- a.py\n\n\n\n- `b.py`",
    "A paragraph with a hard break  \nand two  blanks \\\nand more.  ",
    "| a |  b |\n|---|---|\n| 1 |  2 |",
    "> a quote\n>  with  text\n>\n>\n> more",
    "<!-- handoff-ignore: missing-section -->",
    "<!-- a\n\n\n   comment -->",
    "<div>\n  html",
    "    code\n\n\n    more",
    "```sh\nls   -l\n\n\n\nx: 1\n```",
    "~~~yaml\na:   b\n~~~",
    "```\n\n",
    '- one\n\n  ```json\n  {"a":1}\n  ```\n\n\n- two',
    "[link]: http://x.y",
    "---",
    "* * *",
    "AGENT_RESULT: developer\nSTATUS:  success\nNOTE: |\n  a\n\n\n  b\nNEXT: tester",
    "1. one\n2.  two",
    "**Status**: success\n**Next**:  sdd-spec",
    "\u2028",
]


# The possible text before the first line of a fence, and before the others.
CONTAINERS = [
    ("", ""),
    ("> ", "> "),
    (">", ">"),
    (">", "> "),
    ("- ", "  "),
    ("-\t", "\t"),
    ("-\t", "    "),
    ("1. > ", "   > "),
    ("  ", "  "),
    ("   ", ""),
    (">- ", ">   "),
    ("> - ", ">   "),
    (">\t", ">\t"),
    ("- - ", "    "),
    (" > ", ">"),
]


@st.composite
def fences(draw: st.DrawFn) -> str:
    """A fence with a handoff's JSON or with an Abstract, at the margin, in a list or in a quote."""
    if draw(st.booleans()):
        body, tag = draw(json_bodies()), draw(st.sampled_from(["agent_contract_handoff", "json"]))
    else:
        body, tag = "\n".join(draw(st.lists(st.sampled_from(PAIRS), max_size=5))), draw(st.sampled_from(["yaml", ""]))
    lines = [f"```{tag}", *body.split("\n"), "```"]
    first, rest = draw(st.just(CONTAINERS[0]) | st.sampled_from(CONTAINERS))
    prefixed = [(first if index == 0 else rest) + line for index, line in enumerate(lines)]
    return "\n".join(line if draw(st.booleans()) or line.strip(" >\t") else line.rstrip() for line in prefixed)


@st.composite
def documents(draw: st.DrawFn) -> str:
    """A document: a title or none, and parts with any number of blank lines between them."""
    flat = st.lists(st.sampled_from(PAIRS[:FLAT]), min_size=1, max_size=5).map("\n".join)
    labels = flat | st.lists(st.sampled_from(PAIRS), min_size=1, max_size=5).map("\n".join)
    yaml = flat.map("```yaml\n{}\n```".format)
    abstract = (labels | yaml | fences()).map("## Abstract\n\n{}".format)
    part = st.sampled_from(PARTS) | fences() | labels | abstract
    title = draw(
        st.sampled_from(["# Login — Handoff from Developer", "# Login 🙂 — Handoff from {Role}", "# Notes", ""])
    )
    made = draw(st.sampled_from(["", "", "\n", "\ufeff"])) + title
    for each in draw(st.lists(part, min_size=1, max_size=8)):
        made += draw(st.sampled_from(["\n", "\n\n", "\n\n\n", "\n \t\n", "\n\n  \n\n"])) + each
    made += draw(st.sampled_from(["", "\n", "\n\n\n", "  ", " \n \n"]))
    if draw(st.booleans()):
        at = draw(st.integers(0, len(made)))
        made = made[:at] + draw(st.sampled_from(["", "`", '"', "}", ">", "\t", " ", "\n", "-"])) + made[at + 1 :]
    return made.replace("\n", draw(st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])))


@given(documents(), st.sampled_from([PATH, "report.md"]), st.sampled_from(LAYOUTS))
@settings(max_examples=400, deadline=None)
@example("```agent_contract_handoff\n{}\n```", "", TIDY)
@example(OUTDENTED, PATH, LAYOUTS[0])
@example(PAIRS_AROUND.format("\u2028"), PATH, TIDY)
@example(PAIRS_AROUND.format("\u00a0"), PATH, TIDY)
@example(PAIRS_AROUND.format("\u3000"), PATH, TIDY)
@example(PAIRS_AROUND.format("\u0085"), PATH, TIDY)
@example(PAIRS_AROUND.format("note: one\u2028two"), PATH, TIDY)
@example(PAIRS_AROUND.format("#` a comment, not a heading"), PATH, TIDY)
def test_any_document(text: str, path: str, layout: Layout) -> None:
    formatted(text, path, layout)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("first", "rest"), CONTAINERS)
def test_json_stays_in_its_container(first: str, rest: str, layout: Layout) -> None:
    """The layout is the same alone, in a list, in a quote, and in both."""
    lines = ["```agent_contract_handoff", '{"agent_status": {"plan_status":', '"COMPLETE"}, "a": []', "}", "", "```"]
    made = formatted("\n".join((rest if at else first) + line for at, line in enumerate(lines)), "", layout)
    (handoff,) = analysed(made, "").handoffs
    assert handoff.json is not None
    body = json.dumps({"agent_status": {"plan_status": "COMPLETE"}, "a": []}, indent=layout.step)
    assert handoff.json.fragment.text == f"{body}\n"


@given(json_bodies(), st.sampled_from(["\n", "\r\n"]), st.sampled_from(LAYOUTS))
@settings(max_examples=60, deadline=None)
def test_a_file_of_json_says_the_same(body: str, eol: str, layout: Layout) -> None:
    text = '{"agent_id": "a", "agent_type": "dev", "success_criteria": null, "last_checkpoint": ' + body + "}"
    made = formatted(text.replace("\n", eol), ".agent/status.json", layout)
    assert json.loads(made) == json.loads(text)


@given(documents(), st.data())
@settings(max_examples=100, deadline=None)
def test_a_range_is_a_part_of_the_whole(text: str, data: st.DataObject) -> None:
    """Formatting a range does the same there as formatting the document, and changes nothing outside."""
    analysis = analysed(text, PATH)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    edits = format_ranges(analysis, [Span(start, end)], TIDY)
    whole = format_document(analysis, TIDY)
    if edits is None or whole is None:
        assert edits is whole is None
        return
    assert set(edits) <= set(whole)
    made = apply_edits(text, edits)
    low, high = min([start, *(edit.span.start for edit in edits)]), max([end, *(edit.span.end for edit in edits)])
    assert made.startswith(text[:low])
    assert made.endswith(text[high:])


CASES = {case.name: (case.text, case.path) for case in read_cases()}


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_all_samples(eol: str) -> None:
    """Each sample and each case, and for some a beginning."""
    for text, path in [*((text, PATH) for text in SAMPLES.values()), *CASES.values()]:
        written = text.replace("\n", eol)
        formatted(written, path, TIDY)
        formatted(written[: len(written) * 2 // 3], path, TIDY)


def test_json_nested_too_deep_to_be_read_is_left_alone() -> None:
    """Its indentation alone would be millions of blanks."""
    for depth in (101, 20_000):
        text = f'```agent_contract_handoff\n{{"agent_status": {"[" * depth + "]" * depth}}}\n```\n'
        assert formatted(text, "", TIDY) == text


def test_lines_at_the_end_of_a_fence_that_is_not_closed_are_in_it() -> None:
    for fence in ("```sh\nls\n\n\n", "- a\n\n  ```sh\n  ls\n\n\n"):
        text = f"# Login — Handoff from Developer\n\n## Status\n\ncomplete\n\n{fence}"
        assert formatted(text, PATH, TIDY) == text
        open_list = text.replace("- a", "- b").rstrip("\n") + "\n\n\n## Abstract\n"
        assert fence[0] == "`" or formatted(open_list, PATH, TIDY) == open_list
