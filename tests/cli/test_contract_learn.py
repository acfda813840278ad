"""``handoff-lsp contract learn`` on files: what it writes, what it says, its exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from handoff_lsp.contracts.load import read_contract

STORY = """# Story {n}: Print label {n}

**Status:** {status}

## Story

A clerk prints label {n}.

## Tasks

- [x] Draw it
- [ ] Print it
"""


@pytest.fixture
def stories(tmp_path: Path) -> Path:
    folder = tmp_path / "stories"
    folder.mkdir()
    for number, status in enumerate(["Draft", "Done", "Done"], 1):
        (folder / f"story-{number}.md").write_text(STORY.format(n=number, status=status), encoding="utf-8")
    return folder


def said(done: Any) -> str:
    return str(done.stdout.decode() + done.stderr.decode())


def test_it_writes_a_contract_that_check_takes(run: Any, stories: Path, tmp_path: Path) -> None:
    """The whole way: learn, name the contract in the config, check a document with a section too few."""
    (tmp_path / "contracts").mkdir()
    done = run("contract", "learn", "stories", "-o", "contracts/story.yaml")
    assert done.returncode == 0, said(done)
    assert done.stdout.decode().splitlines()[0] == "recognizes 3 of 3 samples, no findings"
    assert "things to decide" in done.stdout.decode()
    entry, problems = read_contract((tmp_path / "contracts" / "story.yaml").read_text("utf-8"))
    assert problems == []
    assert entry is not None
    assert entry.name == "story"
    (tmp_path / ".handoff-lsp.toml").write_text('contract-files = ["contracts/*.yaml"]\n', encoding="utf-8")
    assert run("check").returncode == 0
    short = STORY.format(n=4, status="Done").partition("## Tasks")[0]
    (stories / "story-4.md").write_text(short, encoding="utf-8")
    done = run("check", "--output-format", "json")
    assert done.returncode == 1
    assert [(one["rule"], Path(one["path"]).name) for one in json.loads(done.stdout)["findings"]] == [
        ("missing-section", "story-4.md")
    ]


def test_without_a_file_the_contract_is_all_of_standard_output(run: Any, stories: Path) -> None:
    done = run("contract", "learn", "stories", "--name", "card")
    entry, problems = read_contract(done.stdout.decode())
    assert (done.returncode, problems) == (0, [])
    assert entry is not None
    assert entry.name == "card"
    assert b"recognizes 3 of 3 samples, no findings" in done.stderr


def test_negatives_are_silent_or_named(run: Any, stories: Path, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# Labels\n\n## Usage\n\nPrint.\n", encoding="utf-8")
    done = run("contract", "learn", "stories", "--negative", "README.md", "-o", "x.yaml")
    assert (done.returncode, b"silent in 1 of 1 other document" in done.stdout) == (0, True), said(done)
    (tmp_path / "old" / "stories").mkdir(parents=True)
    (tmp_path / "old" / "stories" / "copy.md").write_text(STORY.format(n=9, status="Done"), encoding="utf-8")
    done = run("contract", "learn", "stories", "--negative", "old", "--name", "card")
    known = b"recognized, but should not be: old/stories/copy.md" in done.stderr
    assert (done.returncode, known) == (1, True), said(done)


def test_a_json_schema(run: Any, tmp_path: Path) -> None:
    schema = {"properties": {"id": {"type": "integer"}, "state": {"enum": ["open", "done"]}}, "required": ["state"]}
    (tmp_path / "task.schema.json").write_text(json.dumps(schema), encoding="utf-8")
    done = run("contract", "learn", "--from", "task.schema.json", "-o", "task.yaml")
    assert done.returncode == 0, said(done)
    assert "values: [open, done], required: true" in (tmp_path / "task.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "name some samples, or a JSON Schema with --from"),
        (["nowhere.md"], "nowhere.md: "),
        (["empty"], "no Markdown, JSON or YAML files found"),
        (["stories/story-1.md", "binary.md"], "binary.md: "),
        (["stories", "-o", "stories"], "stories is a folder: name a file in it"),
        (["stories", "-o", "there.yaml"], "there.yaml already exists"),
        (["stories", "--name", "status-block"], "`status-block` is a built-in contract"),
        (["stories", "--name", "No Name"], "`No Name` is not a contract name"),
        (["stories", "--form", "fense"], "did you mean `fence`?"),
        (["stories", "--form", "file"], "too little in common"),
        (["--from", "stories/story-1.md"], "stories/story-1.md is not JSON"),
        (["--from", "list.json"], "list.json is not a JSON Schema: it must be an object"),
        (["--from", "deep.json"], "deep.json"),
    ],
)
def test_what_cannot_be_done_is_said(
    run: Any, stories: Path, tmp_path: Path, arguments: list[str], message: str
) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "binary.md").write_bytes(b"\0\1\2" * 50)
    (tmp_path / "there.yaml").write_text("mine\n", encoding="utf-8")
    (tmp_path / "list.json").write_text("[]", encoding="utf-8")
    (tmp_path / "deep.json").write_text("[" * 100_000, encoding="utf-8")
    done = run("contract", "learn", *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert message in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()
    assert (tmp_path / "there.yaml").read_text("utf-8") == "mine\n"
