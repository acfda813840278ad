"""The findings of rules in a document among other files, with real files around it."""

from __future__ import annotations

from pathlib import Path

import pytest

import handoff_lsp
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import Registry, builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import Source
from handoff_lsp.workspace.config.file_settings import Fixed
from handoff_lsp.workspace.known_files import Files
from handoff_lsp.workspace.surroundings import surroundings_of

DESK = """\
contract: desk
title: Desk
about: What is on a desk.
status: state
unread: nobody looks
default_profile: plain
profiles:
  plain: {about: The only one.}
file: {syntax: json, path: '(^|/)desk\\.json$', holds: [state]}
companions:
  shelf: {contract: shelf, where: shelf.json}
fields:
  state: {type: line, required: true, about: How it is., names: people, severity: {file-disagreement: information}}
  counts: {type: list, items: {type: integer}, about: Numbers.}
  groups: {type: list, about: Groups., items: {type: object, fields: {counts: {type: list, items: {type: integer}}}}}
  files: {type: list, paths: true, about: Files.}
definitions:
  people: {files: ['people/*.txt'], also: [nobody], about: person}
checks:
  growing:
    rule: contradiction
    check: "this > previous"
    at: counts[]
    message: "{this} does not follow {previous}"
  growing-in-groups:
    rule: contradiction
    check: "this > previous"
    at: groups[].counts[]
    message: "{this} does not follow {previous}"
  last:
    rule: contradiction
    check: "counts[size(counts) - 1] != 13"
    at: "counts[{size(counts) - 1}]"
    message: "13 is the last of {size(counts)}"
    correct: "14"
  far:
    rule: contradiction
    check: "state != 'far'"
    at: "counts[{size(counts) + 5}]"
    message: "Nothing is counted"
  shelf-agrees:
    rule: file-disagreement
    check: "state == shelf.books[0]"
    at: state
    message: "The desk says {state}, the shelf {shelf.books[0]}"
    related: ["shelf:books[{size(shelf.books) - 1}]", counts, "shelf:books[{99}]"]
"""
SHELF = """\
contract: shelf
title: Shelf
about: What is on a shelf.
status: books
unread: nobody looks
default_profile: plain
profiles:
  plain: {about: The only one.}
file: {syntax: json, path: '(^|/)shelf\\.json$', holds: [books]}
fields:
  books: {type: list, about: Books., items: {type: line}}
"""


def registry() -> Registry:
    """The contracts above beside the built-in ones."""
    entries = []
    for text in (DESK, SHELF):
        entry, problems = read_contract(text, Path("x.yaml"))
        assert problems == []
        assert entry is not None
        entries.append(entry)
    return builtin().with_entries(entries)


def put(path: Path, text: str = "") -> None:
    """Write a file, its folders too."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def found(root: Path, text: str, name: str = "desk.json") -> list[Finding]:
    """The findings in a text at a path in a folder."""
    known = registry()
    files = Files(Fixed(root, known, Options()))
    around = surroundings_of(files, root / name)
    assert around is not None
    return list(analyze(Source(text), name, known, Options(), around=around).findings)


def told(root: Path, text: str, name: str = "desk.json") -> list[tuple[str, str, str]]:
    """The rules, the texts under them, and the messages."""
    return [(finding.code, finding.span.of(text), finding.message) for finding in found(root, text, name)]


# Checks


def test_each_item_and_the_one_before_it(tmp_path: Path) -> None:
    text = '{"state": "x", "counts": [1, 2, 2, 5, 2, 2]}'
    messages = [message for _, _, message in told(tmp_path, text)]
    assert messages == ["2 does not follow 2", "2 does not follow 5", "2 does not follow 2"]
    places = [finding.span.start for finding in found(tmp_path, text)]
    assert places == [text.index("2, 5"), text.index("2, 2]"), text.index("2]")]


def test_lists_of_two_groups_do_not_go_on_from_one_another(tmp_path: Path) -> None:
    assert told(tmp_path, '{"state": "x", "groups": [{"counts": [8, 9]}, {"counts": [1, 2]}]}') == []
    text = '{"state": "x", "groups": [{"counts": [8, 9]}, {"counts": [2, 1]}]}'
    assert told(tmp_path, text) == [("contradiction", "1", "1 does not follow 2")]


def test_an_item_by_its_number_and_its_fix(tmp_path: Path) -> None:
    text = '{"state": "x", "counts": [1, 13]}'
    (finding,) = found(tmp_path, text)
    assert (finding.span.of(text), finding.field, finding.message) == ("13", "counts[1]", "13 is the last of 2")
    assert [edit.text for edit in finding.fixes[0].edits] == ["14"]


def test_a_number_that_no_item_has_is_reported_at_the_list(tmp_path: Path) -> None:
    text = '{"state": "far", "counts": [1]}'
    (finding,) = found(tmp_path, text)
    assert (finding.span.of(text), finding.message) == ("[1]", "Nothing is counted")


def test_a_companion_and_the_places_in_it(tmp_path: Path) -> None:
    text = '{"state": "x", "counts": [1]}'
    assert told(tmp_path, text) == []
    shelf = '{"books": ["y", "z"]}'
    put(tmp_path / "shelf.json", shelf)
    (finding,) = found(tmp_path, text)
    assert (finding.code, finding.span.of(text)) == ("file-disagreement", '"x"')
    assert finding.message == "The desk says x, the shelf y"
    there, here = finding.related
    assert there.source is not None
    assert (there.name, there.span.of(there.source.text), there.message) == (
        "shelf.json",
        '"z"',
        '`"z"` in shelf.json',
    )
    assert (here.source, here.name, here.span.of(text)) == (None, "", "[1]")
    assert told(tmp_path, text.replace('"x"', '"y"')) == []


# Names


def test_names_that_nobody_defines(tmp_path: Path) -> None:
    text = '{"state": "anne"}'
    assert told(tmp_path, text) == []
    put(tmp_path / "people" / "anna.txt")
    put(tmp_path / "people" / "bert.txt")
    (finding,) = found(tmp_path, text)
    assert (finding.code, finding.severity, finding.span.of(text)) == ("file-disagreement", "information", "anne")
    assert (finding.message, finding.note, finding.hint) == (
        "No person `anne` is defined in people",
        "The orchestrator finds no person of that name",
        "Did you mean `anna`?",
    )
    (fix,) = finding.fixes
    assert (fix.safe, [edit.span.of(text) for edit in fix.edits]) == (False, ["anne"])
    for name in ("anna", "Bert", "nobody", "`anna`", "anna and bert", "", "<name>", "zed?"):
        assert told(tmp_path, f'{{"state": "{name}"}}') == [] or name == "<name>"
    assert [code for code, _, _ in told(tmp_path, '{"state": "<name>"}')] == ["placeholder-left"]
    (other,) = found(tmp_path, '{"state": "zed"}')
    assert (other.fixes, other.hint) == ((), "")


# Paths


@pytest.mark.parametrize(
    "path",
    [
        "src/a.py",
        "src",
        "src/",
        "./src/a.py",
        "src/a.py:12",
        "src/a.py#L3",
        "http://x.org/src/b.py",
        "src/*.py",
        "src/{a,b}.py",
        "src/<name>.py",
        "src/.../b.py",
        "$HOME/b.py",
        "~/b.py",
        "/src/b.py",
        "../b.py",
        "../../b.py",
        "feature/login",
        "n/a",
        "and/or",
        "sdd/change/proposal",
        "#obs_12",
        "example.com/b.html",
        "path/to/b.py",
        "user.name",
        "src/b.py and more",
        "src\\\\b.py",
        "HEAD:src/b.py",
    ],
)
def test_silent_paths(tmp_path: Path, path: str) -> None:
    put(tmp_path / "src" / "a.py")
    assert told(tmp_path, f'{{"state": "x", "files": ["{path}"]}}') == []


@pytest.mark.parametrize(
    "path", ["src/b.py", "b.py", "./b.py", "src/none/", "src/.env", "ソース/画面.ts", "a-b_c/d.e.ts"]
)
def test_paths_that_are_not_there(tmp_path: Path, path: str) -> None:
    put(tmp_path / "src" / "a.py")
    of_a_commit = f'{{"path": "{path}", "commit": "0123456"}}'  # which may be gone since
    text = f'{{"state": "x", "files": ["src/a.py", "{path}:7", {{"path": "{path}"}}, {of_a_commit}]}}'
    (first, second) = found(tmp_path, text)
    assert (first.code, first.severity) == ("path-not-found", "information")
    assert [finding.span.of(text) for finding in (first, second)] == [path, path]
    assert first.span.start < second.span.start
    assert first.message == f"File not found: `{path}` in `files`"


def test_a_path_beside_the_document_will_do(tmp_path: Path) -> None:
    put(tmp_path / "deep" / "b.py")
    text = '{"state": "x", "files": ["b.py"]}'
    assert told(tmp_path, text, "deep/desk.json") == []
    assert len(told(tmp_path, text)) == 1


def test_no_paths_without_a_place_and_in_templates() -> None:
    text = '{"state": "x", "files": ["b.py"]}'
    assert analyze(Source(text), "desk.json", registry(), Options()).findings == ()


# Transitions


def turn(state: str, agent: str = "a0123456") -> str:
    """A turn's report."""
    steps = "[]" if state == "COMPLETE" else '["x"]'
    handoff = (
        f'{{"agent_status": {{"plan_status": "{state}", "agent_id": "{agent}", "pending_steps": {steps}, '
        '"next_action": "done"}, "evidence_report": {"files_checked": []}}'
    )
    return f"# Turn\n\n```agent_contract_handoff\n{handoff}\n```\n"


def transitions(root: Path, name: str, text: str) -> list[handoff_lsp.Finding]:
    """The illegal transitions of a text at a path of a project."""
    report = handoff_lsp.Project(root).check_text(text, name)
    return [finding for finding in report.findings if finding.rule == "illegal-transition"]


def test_the_turn_before_may_be_in_another_file(tmp_path: Path) -> None:
    put(tmp_path / "turns" / "turn-9.md", turn("NEEDS_INPUT"))
    put(tmp_path / "turns" / "turn-2.md", turn("IN_PROGRESS"))
    put(tmp_path / "turns" / "turn-11.md", turn("IN_PROGRESS"))
    text = turn("COMPLETE")
    (finding,) = transitions(tmp_path, "turns/turn-10.md", text)
    assert (finding.line, finding.column) == (4, 34)
    assert "`COMPLETE` cannot follow `NEEDS_INPUT` of agent a0123456 in turn-9.md" in finding.message
    (related,) = finding.related
    assert (related.path, related.range.start.column, related.range.end.column) == ("turns/turn-9.md", 34, 47)
    assert transitions(tmp_path, "turns/turn-10.md", turn("COMPLETE", "b0123456")) == []
    assert transitions(tmp_path, "turns/turn-10.md", turn("IN_PROGRESS")) == []
    assert transitions(tmp_path, "turns/turn-3.md", text) == []
    alone = handoff_lsp.check_text(text, "turns/turn-10.md")
    assert "illegal-transition" not in [finding.rule for finding in alone.findings]


def test_too_many_of_one_status_in_a_row_over_files(tmp_path: Path) -> None:
    for number in (1, 2):
        put(tmp_path / f"{number}.md", turn("IN_PROGRESS"))
    (finding,) = transitions(tmp_path, "3.md", turn("IN_PROGRESS"))
    assert "3 times in a row" in finding.message
    put(tmp_path / "2.md", turn("BLOCKED"))
    assert transitions(tmp_path, "3.md", turn("IN_PROGRESS")) == []


def test_a_project_reads_only_below_its_root(tmp_path: Path) -> None:
    put(tmp_path / "turn-1.md", turn("NEEDS_INPUT"))
    text = turn("COMPLETE")
    assert len(transitions(tmp_path, "turn-2.md", text)) == 1
    (tmp_path / "inner").mkdir()
    for path in ("../turn-2.md", "/turn-2.md"):
        with pytest.raises(ValueError, match="outside the project"):
            transitions(tmp_path / "inner", path, text)
