"""What is learned from samples: the form, the fields with their types, what is required, how much is enough."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.learn.front_matter import READABLE
from handoff_lsp.learn.learn import Learned, LearnError, learn
from handoff_lsp.learn.sample import Sample
from handoff_lsp.text import Source


def story(number: int, status: str = "Approved", *, more: str = "") -> Sample:
    """A story of a board: labels, then sections of prose, a list and a checklist."""
    text = f"""# Story {number}: Export to shelf {number}

**Status:** {status}
**Due:** 2026-03-0{number}

## Story

As a clerk I want shelf {number} exported.
It is full.

## Acceptance Criteria

- The file is there.
- It has {number} rows.

## Tasks

- [x] Write it
- [ ] Try it
{more}"""
    return Sample(f"docs/stories/story-{number}.md", text)


STORIES = [story(1), story(2, "Draft", more="\n## Notes\n\nNone yet.\n"), story(3), story(4, more="\n## Notes\n\nA.\n")]


def data(learned: Learned) -> Any:
    """The contract as plain data."""
    return yaml.safe_load(learned.text)


def check(learned: Learned, sample: Sample) -> Analysis:
    """A document checked by the learned contract alone."""
    entry, problems = read_contract(learned.text)
    assert entry is not None, problems
    return analyze(sample.source, sample.path, Registry({entry.name: entry}), Options())


def findings(learned: Learned, sample: Sample) -> list[tuple[str, str | None]]:
    return [(finding.code, finding.field) for finding in check(learned, sample).findings]


# Documents


def test_a_document_has_the_sections_and_labels_of_its_samples_in_their_order() -> None:
    learned = learn(STORIES, name="story")
    assert learned.faithful
    contract = data(learned)
    assert "detect" in contract
    assert [(name, field["type"], field.get("required", False)) for name, field in contract["fields"].items()] == [
        ("status", "enum", True),
        ("due", "date", True),
        ("story", "text", True),
        ("acceptance_criteria", "list", True),
        ("tasks", "checklist", True),
        ("notes", "text", False),
    ]
    assert contract["status"] == "status"
    assert contract["usual"] == ["**/stories/*.md"]


def test_another_document_is_recognized_and_its_mistakes_are_found() -> None:
    learned = learn(STORIES, name="story")
    right, wrong = story(7), story(8)
    assert [handoff.form for handoff in check(learned, right).handoffs] == ["document"]
    assert findings(learned, right) == []
    broken = wrong.source.text.replace("2026-03-08", "soon").replace("## Tasks\n\n- [x] Write it\n- [ ] Try it\n", "")
    assert findings(learned, Sample(wrong.path, broken)) == [("missing-section", "tasks"), ("invalid-format", "due")]


def test_a_slip_in_a_value_is_found_but_a_new_value_is_not() -> None:
    """From four samples nobody knows all values: the enum is open until its author drops `open`."""
    learned = learn(STORIES, name="story")
    assert "# decide: are these all the values? seen: Approved 3, Draft 1; then drop `open`" in learned.text
    assert findings(learned, story(5, "Aproved")) == [("invalid-value", "status")]
    assert findings(learned, story(5, "Parked")) == []


def test_values_that_come_again_and_again_are_all_there_are() -> None:
    samples = [story(number, "Approved" if number % 2 else "Draft") for number in range(1, 10)]
    learned = learn(samples, name="story")
    assert "open" not in data(learned)["fields"]["status"]
    assert findings(learned, story(5, "Parked")) == [("invalid-value", "status")]


def test_ordinary_documents_are_none_of_its_business() -> None:
    learned = learn(STORIES, name="story")
    plain = "# Tool\n\n**Status:** beta\n\n## Usage\n\nRun it.\n\n## Tasks\n\n- one\n\n## Notes\n\nNone.\n"
    assert check(learned, Sample("docs/stories/README.md", plain)).handoffs == ()


def test_a_negative_raises_what_is_enough() -> None:
    """A near relative shares two sections and the title with the samples."""
    relative = Sample("docs/stories/epic.md", "# Story map\n\n## Story\n\nAll.\n\n## Acceptance Criteria\n\n- Some.\n")
    without, with_it = learn(STORIES, name="story"), learn(STORIES, [relative], name="story")
    assert check(without, relative).handoffs != ()
    assert check(with_it, relative).handoffs == ()
    assert with_it.faithful
    assert data(with_it)["detect"]["enough"] > data(without)["detect"]["enough"]


def test_titles_are_compared_as_the_engine_compares_them() -> None:
    """A number before a heading, another case and brackets behind it make no other section."""
    text = STORIES[0].source.text.replace("## Tasks", "## 3. TASKS (two)").replace("## Story", "## 1. Story")
    learned = learn([Sample("docs/stories/a.md", text), *STORIES[1:]], name="story")
    assert learned.faithful
    assert data(learned)["fields"]["tasks"]["required"] is True


def test_a_section_of_labels_is_an_object() -> None:
    samples = [
        Sample(
            f"r{number}.md",
            f"# Review {number}\n\n## Verdict\n\n- Result: pass\n- Score: {number}\n\n## Remarks\n\nx\n",
        )
        for number in range(1, 4)
    ]
    verdict = data(learn(samples, name="review"))["fields"]["verdict"]
    assert verdict["type"] == "object"
    assert verdict["fields"]["score"] == {
        "title": "Score",
        "carriers": ["list-label", "bold-label", "plain-label"],
        "type": "integer",
        "required": True,
    }


def test_a_template_shows_the_values_and_its_placeholders_are_none() -> None:
    template = story(9, "Draft | Approved | Done").source.text.replace("2026-03-09", "<date>")
    learned = learn([*STORIES, Sample("docs/stories/new.md", template)], name="story")
    assert learned.faithful
    fields = data(learned)["fields"]
    assert fields["status"]["values"] == ["Draft", "Approved", "Done"]
    assert fields["due"]["type"] == "date"


def test_what_is_unsure_is_a_comment_and_the_rest_is_not() -> None:
    learned = learn(STORIES, name="story")
    comments = [line.strip() for line in learned.text.splitlines() if line.strip().startswith("# decide:")]
    assert [comment.removeprefix("# decide: ") for comment in comments] == learned.questions
    assert len(learned.questions) == 4
    assert len(learned.text.splitlines()) < 50


def test_front_matter_is_read_or_the_contract_says_that_it_is_not() -> None:
    samples = [
        Sample(sample.path, f"---\nreview: {word}\nround: {number}\n---\n{sample.source.text}")
        for number, (sample, word) in enumerate(zip(STORIES, ["open", "done", "done", "open"], strict=True))
    ]
    learned = learn(samples, name="story")
    assert learned.faithful
    if READABLE:
        assert data(learned)["fields"]["round"] == {"carriers": ["front-matter"], "type": "integer", "required": True}
    else:
        assert "# The front matter of 4 samples is not read" in learned.text


# Parts of documents


def test_a_section_with_parts_of_its_own() -> None:
    samples = [
        Sample(
            f"n{number}.md",
            f"# {topic}\n\nLong.\n\n## {topic} in depth\n\nText.\n\n"
            "## Handoff\n\n- State: done\n- From: coder\n- To: tester\n",
        )
        for number, topic in enumerate(["Roof", "Cellar", "Garden"])
    ]
    learned = learn(samples, name="handing-over", form="section")
    assert learned.faithful
    contract = data(learned)
    assert contract["section"]["holds"][0]["some"] == ["state", "from", "to"]
    assert contract["status"] == "state"


@pytest.mark.parametrize("fence", ["```", "```text", "```yaml"])
def test_lines_in_a_plain_fence_are_a_run(fence: str) -> None:
    samples = [
        Sample(
            f"r{n}.md", f"Done.\n\n{fence}\nTASK_RESULT: {n}\nSTATUS: success\nCHANGED:\n  - a.py\nTESTS: {n}\n```\n"
        )
        for n in (3, 4, 5)
    ]
    learned = learn(samples, name="task-result")
    assert learned.faithful
    contract = data(learned)
    assert contract["run"] == {"opening": "TASK_RESULT"}
    assert {name: field["type"] for name, field in contract["fields"].items()} == {
        "TASK_RESULT": "integer",
        "STATUS": "enum",
        "CHANGED": "list",
        "TESTS": "integer",
    }


def test_a_comment_with_lines() -> None:
    samples = [
        Sample(f"c{n}.md", f"<!-- handover\nstep: {n}\nstate: ready\nowner: kim\n-->\n\n# Plan {n}\n\nText.\n")
        for n in (1, 2)
    ]
    learned = learn(samples, name="handover")
    assert learned.faithful
    assert data(learned)["run"]["opening"] == "<!-- handover"


def test_json_in_a_fence_with_nested_objects_and_lists() -> None:
    text = (
        '{{"task": "T-{n}", "state": "{state}", "done": true,'
        ' "files": [{{"path": "a.py", "lines": {n}}}], "by": {{"at": "2026-01-0{n}"}}}}'
    )
    samples = [
        Sample(f"r{n}.md", "Here it is:\n\n```json\n" + text.format(n=n, state="ok" if n < 3 else "failed") + "\n```\n")
        for n in (1, 2, 3)
    ]
    learned = learn(samples, name="reply")
    assert learned.faithful
    contract = data(learned)
    assert contract["fence"]["tags"]["json"] == "shared"
    assert contract["fields"]["done"] == {"type": "boolean", "required": True}
    assert contract["fields"]["files"]["items"]["fields"]["lines"] == {"type": "integer", "required": True}
    assert contract["fields"]["by"]["fields"]["at"]["type"] == "date"
    other = Sample("x.md", '```json\n{"task": "T-9", "name": "settings", "private": true}\n```\n')
    assert check(learned, other).handoffs == ()


def test_the_tag_of_a_fence_decides_if_it_is_its_own() -> None:
    samples = [Sample(f"r{n}.md", f'```review\n{{"verdict": "pass", "score": {n}}}\n```\n') for n in (1, 2)]
    assert data(learn(samples, name="review"))["fence"] == {"tags": {"review": "own"}}


def test_json_files_know_their_paths_and_optional_keys() -> None:
    samples = [
        Sample("tasks/a.task.json", '{"id": "a", "state": "open", "due": null, "needs": []}'),
        Sample("tasks/b.task.json", '{"id": "b", "state": "done", "due": "2026-05-01", "needs": ["a"], "note": "x"}'),
        Sample("tasks/c.task.json", '{"id": "c", "state": "done", "due": "2026-05-02", "needs": ["a"], "note": "y"}'),
    ]
    learned = learn(samples, name="task")
    assert learned.faithful
    contract = data(learned)
    assert contract["file"]["path"] == r"\.task\.json$"
    required = {name: field.get("required", False) for name, field in contract["fields"].items()}
    assert required == {"id": True, "state": True, "due": False, "needs": True, "note": False}
    assert findings(learned, Sample("tasks/d.task.json", '{"id": "d", "needs": [], "due": "x"}')) == [
        ("missing-status", "state"),
        ("invalid-format", "due"),
    ]


def test_values_of_items_are_open_as_long_as_samples_are_few() -> None:
    """Four samples with the same two names do not make a closed list."""
    items = '"items": [{"name": "a", "n": 1}, {"name": "b", "n": 2}]'
    samples = [Sample(f"runs/{n}.run.json", f'{{"id": {n}, {items}}}') for n in range(4)]
    learned = learn(samples, name="run")
    name = data(learned)["fields"]["items"]["items"]["fields"]["name"]
    assert name == {"type": "enum", "values": ["a", "b"], "open": True, "required": True}
    assert "# decide: are these all the values? seen: a 4, b 4; then drop `open`" in learned.text
    assert findings(learned, Sample("runs/9.run.json", '{"id": 9, "items": [{"name": "c", "n": 1}]}')) == []


def test_yaml_files() -> None:
    samples = [
        Sample(
            f"runs/{n}.run.yaml",
            f"# A run\nid: {n}\nstate: {state}\nby:\n  name: kim\n  hours: {n}\nfiles:\n  - a.py\n",
        )
        for n, state in enumerate(["done", "failed", "done"], 1)
    ]
    learned = learn(samples, name="run")
    assert learned.faithful
    contract = data(learned)
    assert contract["file"]["syntax"] == "yaml"
    types = {name: field["type"] for name, field in contract["fields"].items()}
    assert types == {"id": "integer", "state": "enum", "by": "object", "files": "list"}
    assert contract["fields"]["by"]["fields"]["hours"]["type"] == "integer"


def test_each_line_of_json_lines_is_one() -> None:
    text = '{"step": 1, "state": "ok", "agent": "coder"}\n\n{"step": 2, "state": "failed", "agent": "tester"}\n'
    learned = learn([Sample("log/a.jsonl", text), Sample("log/b.jsonl", text)], name="steps")
    assert learned.faithful
    contract = data(learned)
    assert contract["file"]["syntax"] == "jsonl"
    assert contract["fields"]["step"] == {"type": "integer", "required": True}
    broken = Sample("log/c.jsonl", text.replace("2", '"two"'))
    assert findings(learned, broken) == [("invalid-type", "step")]


def test_two_forms_in_all_samples_are_a_choice() -> None:
    samples = [
        Sample(sample.path, sample.source.text + '\n```json\n{"task": 1, "state": "ok", "files": 2}\n```\n')
        for sample in STORIES
    ]
    learned = learn(samples, name="story")
    others = [form for form in ("document", "fence") if f"`--form {form}` learns that" in learned.text]
    assert len(others) == 1
    assert learn(samples, name="story", form="fence").trial.draft.form == "fence"
    assert learn(samples, name="story", form="document").trial.draft.form == "document"


# What cannot be learned


@pytest.mark.parametrize(
    "texts",
    [
        ["# A\n\nText.\n", "# B\n\n## Usage\n\nRun.\n", "Nothing at all"],
        ["", "\n", "x"],
    ],
)
def test_samples_without_anything_in_common_are_refused(texts: list[str]) -> None:
    with pytest.raises(LearnError, match="too little in common"):
        learn([Sample(f"{n}.md", text) for n, text in enumerate(texts)], name="nothing")


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff# A\r\n\r\n## B\r\n",
        "```json\n{\n```\n",
        "---\na: &x [*x]\n---\n",
        "# \x00\n\n## \u2028\n\n- [ ] \n",
        "{" * 500,
    ],
)
def test_broken_samples_among_good_ones_do_no_harm(text: str) -> None:
    learned = learn([*STORIES, Sample("docs/stories/odd.md", text)], name="story")
    assert len(learned.trial.recognised) >= len(STORIES)
    assert learned.trial.errors == []


# JSON Schema

SCHEMA: dict[str, Any] = {
    "description": "A task of the board.",
    "required": ["id", "state"],
    "additionalProperties": False,
    "properties": {
        "id": {"type": "string", "pattern": "^T-[0-9]+$", "description": "Its number."},
        "state": {"enum": ["open", "done"]},
        "due": {"type": ["string", "null"], "format": "date"},
        "steps": {"type": "array", "items": {"$ref": "#/$defs/step"}, "minItems": 1, "contains": {}},
        "share": {"type": "number", "minimum": 0, "exclusiveMaximum": 1},
        "labels": {"type": "object", "additionalProperties": {"type": "string"}},
        "either": {"oneOf": [{"type": "string"}, {"type": "integer"}]},
    },
    "$defs": {"step": {"required": ["text"], "properties": {"text": {"type": "string"}, "done": {"type": "boolean"}}}},
}


def test_a_json_schema_shows_the_fields() -> None:
    learned = learn([], name="task", schema=SCHEMA)
    contract = data(learned)
    assert contract["about"] == "A task of the board."
    assert contract["closed"] is True
    fields = contract["fields"]
    assert fields["id"] == {"about": "Its number.", "type": "pattern", "pattern": "T-[0-9]+", "required": True}
    assert fields["state"] == {"type": "enum", "values": ["open", "done"], "required": True}
    assert fields["due"] == {"type": "date"}
    assert fields["steps"]["items"]["fields"] == {
        "text": {"type": "line", "required": True},
        "done": {"type": "boolean"},
    }
    assert fields["labels"] == {"type": "map", "items": {"type": "line"}}
    assert fields["either"] == {}
    assert fields["steps"]["minimum"] == 1
    assert fields["share"] == {"type": "number", "minimum": 0}
    assert "the schema also has exclusiveMaximum; a check can say that" in learned.questions


def test_a_json_schema_with_samples_of_its_documents() -> None:
    samples = [Sample(f"tasks/{n}.json", f'{{"id": "T-{n}", "state": "open"}}') for n in (1, 2)]
    learned = learn(samples, name="task", schema=SCHEMA)
    assert learned.faithful
    assert data(learned)["file"]["path"] == r"(^|/)tasks/[^/]+\.json$"
    assert findings(learned, Sample("tasks/3.json", '{"id": "T3", "state": "shut"}')) == [
        ("invalid-format", "id"),
        ("invalid-value", "state"),
    ]


def test_a_schema_that_refers_to_itself_ends() -> None:
    loop = {"properties": {"child": {"$ref": "#"}, "state": {"enum": ["a"]}, "odd": {"$ref": "#/nowhere"}}}
    assert "child:" in learn([], name="loop", schema=loop).text
    names = [f"child{n}" for n in range(9)]
    wide = {"properties": {name: {"$ref": "#"} for name in names}}
    learned = learn([], name="wide", schema=wide)
    assert "the schema has more than 1,000 parts; the rest is left out" in learned.questions
    with pytest.raises(LearnError, match="the schema has no properties"):
        learn([], name="wide", schema={**wide, "allOf": [{"$ref": "#"}] * 9})


def test_what_a_schema_says_too_strictly_is_loosened_by_its_samples() -> None:
    texts = ['{"id": "T-1", "state": "open", "steps": []}', '{"id": "2", "state": "parked"}']
    learned = learn([Sample(f"tasks/{n}.json", text) for n, text in enumerate(texts)], name="task", schema=SCHEMA)
    assert learned.faithful
    fields = data(learned)["fields"]
    assert fields["id"] == {"about": "Its number.", "required": True}
    assert fields["state"] == {"type": "enum", "values": ["open", "done"], "open": True, "required": True}
    assert "minimum" not in fields["steps"]


def test_texts_are_read_by_the_engine() -> None:
    """A learned contract says of a document what the engine says, whatever its line ends are."""
    learned = learn(STORIES, name="story")
    text = story(6).source.text.replace("\n", "\r\n")
    assert findings(learned, Sample("docs/stories/story-6.md", text)) == []
    assert Source(text).text == text
