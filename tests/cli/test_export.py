"""``handoff-lsp export``: a contract as instructions, a template, an example and a page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from handoff_lsp.cli.main import main
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.features.new.prompt import prompt
from handoff_lsp.samples.example import example

ROOT = Path(__file__).parents[2]
EVERY = [(entry.name, profile) for entry in builtin() for profile in entry.contract.profiles]
IDS = [f"{name}@{profile}" for name, profile in EVERY]
# A flow orchestrator writes no such block, which is what its profile says.
NEVER_SOUND = {"agent-result@flow"}
# A contract with a profile that only the config can name.
TWO_WAYS = """\
contract: shift
title: Shift report
about: What one shift leaves the next.
status: state
unread: nobody takes over
default_profile: day
file: {path: '(^|/)shift\\.json$', syntax: json}
fields:
  state: {type: enum, values: [open, closed], required: true}
profiles:
  day: {about: By day.}
  night:
    about: By night.
    fields:
      state: {values: [{value: asleep}]}
"""


def exported(capsys: pytest.CaptureFixture[str], contract: str, form: str) -> tuple[int, str, str]:
    """The exit code, output and errors of the command."""
    code = main(["export", contract, "--as", form])
    return (code, *capsys.readouterr())


@pytest.mark.parametrize(("name", "profile"), EVERY, ids=IDS)
def test_every_example_is_sound_and_filled_in(name: str, profile: str) -> None:
    made = example(builtin(), builtin()[name], profile)
    if f"{name}@{profile}" in NEVER_SOUND:
        assert "writes no AGENT_RESULT block" in made.lacks
    else:
        assert made.lacks == "", made.text
    assert re.search(r"<[a-z][^<>!]*>", made.text) is None


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "gallery").glob("*.yaml")), ids=lambda path: path.stem)
def test_every_example_of_the_gallery_is_sound(path: Path) -> None:
    entry, problems = read_contract(path.read_text(encoding="utf-8"))
    assert entry is not None, problems
    for profile in entry.contract.profiles:
        assert example(builtin().with_entries([entry]), entry, profile).lacks == ""


def test_check_finds_nothing_in_an_example(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text, errors = exported(capsys, "status-block@reviewer", "example")
    assert (code, errors) == (0, "")
    (here / "backend-reviewer-handoff.md").write_text(text, encoding="utf-8")
    assert main(["check", "--output-format", "json", "backend-reviewer-handoff.md"]) == 0
    checked = json.loads(capsys.readouterr().out)
    assert checked["findings"] == []
    assert [handoff["profile"] for handoff in checked["handoffs"]] == ["reviewer"]


@pytest.mark.parametrize(("name", "profile"), EVERY, ids=IDS)
def test_check_finds_nothing_in_any_example(
    here: Path, capsys: pytest.CaptureFixture[str], name: str, profile: str
) -> None:
    """In a repository without the files that it names."""
    (here / ".git").mkdir()
    code, text, _ = exported(capsys, f"{name}@{profile}", "example")
    contract = builtin()[name].contract
    path = here / next(iter(contract.locations), "apply-progress.md" if contract.file is None else f"{name}.json")
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    assert main(["check", "--no-cache", "--output-format", "json", "."]) == 0
    checked = json.loads(capsys.readouterr().out)
    assert code == (f"{name}@{profile}" in NEVER_SOUND)
    assert checked["handoffs"]
    assert code or not checked["findings"]


def test_an_example_is_sound_if_the_check_of_this_folder_reads_it_so(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the config says which profile a document has that names none."""
    (here / "contract.yaml").write_text(TWO_WAYS, encoding="utf-8")
    (here / ".handoff-lsp.toml").write_text('contract-files = ["contract.yaml"]\n', encoding="utf-8")
    code, text, errors = exported(capsys, "shift@night", "example")
    assert (code, "asleep" in text, "`state` is" in errors) == (1, True, True)
    with (here / ".handoff-lsp.toml").open("a", encoding="utf-8") as config:
        config.write('[contracts.shift]\nprofile = "night"\n')
    assert exported(capsys, "shift@night", "example") == (0, text, "")


def test_an_example_that_cannot_be_sound_says_why(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, text, errors = exported(capsys, "agent-result@flow", "example")
    assert code == 1
    assert text.startswith("AGENT_RESULT: ")
    assert "flow orchestrator" in errors


@pytest.mark.parametrize("form", ["document", "section", "run", "fence", "file"])
def test_a_contract_of_your_own_has_every_form(here: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    assert main(["contract", "new", "nightly-report", "--form", form]) == 0
    (here / ".handoff-lsp.toml").write_text('contract-files = ["contracts/*.yaml"]\n', encoding="utf-8")
    capsys.readouterr()
    for kind in ("prompt", "template", "example", "docs"):
        code, text, _ = exported(capsys, "nightly-report", kind)
        assert code == 0, kind
        assert text.endswith("\n")


def test_a_prompt_has_the_skeleton_the_values_and_the_conditions() -> None:
    text = prompt(builtin(), builtin()["status-block"], "developer")
    assert "Handoff from Developer" in text
    assert "- `Status` (required): " in text
    assert "  - `blocked`: The agent hit an ambiguity" in text
    assert "- When `Status` is `complete`, `Status reason` must be empty." in text
    assert "- `Open Questions` (required when `Status` is `blocked`): " in text
    assert "Without a valid `Status`: the orchestrator treats the handoff as `failed`" in text


def test_a_prompt_has_the_checks_that_a_sentence_can_hold_and_that_matter() -> None:
    entry, problems = read_contract("""\
contract: shift
title: Shift report
about: What one shift leaves the next.
status: state
unread: nobody takes over
fence: {tags: {shift: own}}
fields:
  state: {type: enum, values: [open, closed], required: true}
  note: {type: line}
  good: {type: integer}
  bad: {type: integer}
  parts: {type: list, items: {type: integer}}
checks:
  always: {at: good, at_least: bad}
  when-closed: {at: bad, one_of: 0, when: {state: closed}, severity: warning}
  when-marked: {at: good, one_of: 7, when: "note.contains('x')"}
  marked: {at: note, check: "note.contains('x')", message: No mark}
  for-information: {at: bad, one_of: 8, when: {state: open}, severity: information}
  of-items: {at: 'parts[]', one_of: 9, when: {state: open}}
""")
    assert entry is not None, problems
    conditions = prompt(builtin().with_entries([entry]), entry, "default").partition("Conditions:")[2]
    assert [line for line in conditions.splitlines() if line.startswith("- ")] == [
        "- `good` is at least `bad`.",
        "- When `state` is `closed`: `bad` is 0.",
    ]


@pytest.mark.parametrize(("name", "profile"), EVERY, ids=IDS)
def test_every_prompt_names_every_required_field_in_plain_words(name: str, profile: str) -> None:
    spec, text = builtin()[name].spec(profile), prompt(builtin(), builtin()[name], profile)
    for field_name, field in spec.fields.items():
        assert field.required is not True or f"- `{field.title or field_name}` (required)" in text
    conditions = text.partition("Conditions:")[2]
    assert not re.search(r"&&|\|\||==|!=|has\(|size\(", conditions), "a line of CEL"


def test_a_template_is_that_of_new(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, text, _ = exported(capsys, "status-block", "template")
    assert main(["new", "status-block", "--mode", "template"]) == 0
    assert capsys.readouterr().out == text


@pytest.mark.parametrize("name", [entry.name for entry in builtin()])
def test_the_page_is_that_of_the_docs(here: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    """Without the line on its origin, and without links to pages of rules that are not beside it."""
    _, text, _ = exported(capsys, name, "docs")
    page = (ROOT / "docs" / "contracts" / f"{name}.md").read_text(encoding="utf-8")
    page = page.replace("Generated from `schemas/contracts/` by `make generate`.\n\n", "")
    assert text == re.sub(r"\[([\w-]+)\]\(\.\./rules/[\w-]+\.md\)", r"`\1`", page)


@pytest.mark.parametrize(
    ("contract", "words"),
    [
        ("status-blok", "unknown contract `status-blok`; did you mean `status-block`?"),
        ("status-block@", "has no profile ``"),
        ("", "unknown contract ``; known are "),
    ],
)
def test_errors_say_what_to_do(here: Path, capsys: pytest.CaptureFixture[str], contract: str, words: str) -> None:
    code, text, errors = exported(capsys, contract, "prompt")
    assert (code, text) == (2, "")
    assert words in errors
