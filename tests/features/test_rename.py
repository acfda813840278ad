"""Applying a rename: no document gets worse by it, and afterward the old name is nowhere."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from editing.cases_of_editing import Case, read_cases
from features.documents import context_of

from handoff_lsp.features.context import Context
from handoff_lsp.features.names.graph import name_at
from handoff_lsp.features.names.new_name import Refusal
from handoff_lsp.features.names.references import references
from handoff_lsp.features.names.rename import Renaming, rename
from handoff_lsp.features.words import lookups
from handoff_lsp.features.words.places import word_at
from handoff_lsp.text import Span, apply_edits
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.store import Workspace

ALL = [
    (case, view.words)
    for case in read_cases()
    for view in case.views
    if view.name == "rename" and view.words != "…" and not view.expected.startswith(("refused", "nothing"))
]
WORDS = [(case, new) for case, new in ALL if case.name.startswith("words:")]
RENAMES = [one for one in ALL if one not in WORDS]


def opened(case: Case, eol: str, root: Path) -> tuple[Context, int]:
    """The document of a case, open among the others of its workspace, and the offset of its cursor."""
    (root / ".git").mkdir()
    for path, text in {case.path: case.text, **dict(case.files)}.items():
        full = root / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(text.replace("\n", eol).encode())
    return open_document(root, case.path), len(case.text[: case.selection[1]].replace("\n", eol))


@pytest.mark.parametrize(("case", "new"), RENAMES, ids=lambda value: value.name if isinstance(value, Case) else value)
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_a_rename_makes_nothing_worse(case: Case, new: str, eol: str, tmp_path: Path) -> None:
    document, offset = opened(case, eol, tmp_path)
    before = findings(tmp_path)
    node = name_at(document, offset)
    assert node is not None
    places = len(references(document, offset, declaration=True))
    made = rename(document, offset, new, moves=True)
    assert made is not None
    at = Path(case.path)
    for full, source, edits, *_ in made.files:
        Path(full).write_bytes(apply_edits(source.text, edits).encode())
        if full == document.full:
            offset += sum(len(edit.text) - len(source.slice(edit.span)) for edit in edits if edit.span.end <= offset)
    for old, moved in made.moves:
        Path(old).rename(moved)
        if document.full.startswith(old):
            at = Path(moved + document.full[len(old) :]).relative_to(tmp_path)
    assert findings(tmp_path) <= before
    renamed = open_document(tmp_path, str(at))
    assert "\n" not in renamed.source.text.replace(eol, "")
    start = name_at(renamed, offset - (offset - node.span.start if offset > node.span.start else 0))
    assert start is not None and start.key != node.key
    assert len(references(renamed, start.span.start, declaration=True)) == places
    # The old name is free: nothing mentions it any more.
    if node.key in document.project.kinds(document.full)[node.kind].also:
        return  # a new name must not be one that the format defines
    again = rename(renamed, start.span.start, node.name, moves=True)
    assert again is not None and len(again.files) == len(made.files)


@pytest.mark.parametrize(("case", "new"), WORDS, ids=lambda value: value.name if isinstance(value, Case) else value)
@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_a_rename_of_a_word_makes_nothing_worse(case: Case, new: str, eol: str, tmp_path: Path) -> None:
    document, offset = opened(case, eol, tmp_path)
    before = findings(tmp_path)
    one = word_at(document, offset)
    assert one is not None
    old = document.source.slice(one.span)
    places = [str(place.full) for place in lookups.references(document, offset, declaration=True)]
    texts = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    apply(lookups.renaming(document, offset, new, moves=True))
    assert findings(tmp_path) <= before
    renamed = open_document(tmp_path, case.path)
    moved = Span(one.span.start, one.span.start + len(new))
    again = word_at(renamed, moved.start)
    assert again is not None and again.span == moved
    assert [str(place.full) for place in lookups.references(renamed, moved.start, declaration=True)] == places
    apply(lookups.renaming(renamed, moved.start, old, moves=True))
    for path, text in texts.items():
        # A name that YAML took in quotes keeps them.
        assert path.read_bytes().replace(b"'" + old.encode() + b"'", old.encode()) == text.replace(
            b"'" + old.encode() + b"'", old.encode()
        ), path


def apply(made: Renaming | None) -> None:
    assert made is not None and len({item.full for item in made.files}) == len(made.files)
    for item in made.files:
        Path(item.full).write_bytes(apply_edits(item.source.text, item.edits).encode())


def test_a_rename_to_the_same_name_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "result.md").write_text("AGENT_RESULT: tester\nSTATUS: success\nNEXT: painter\n")
    made = rename(open_document(tmp_path, "result.md"), 45, "painter", moves=True)
    assert made == ((), ())


def test_a_name_that_files_cannot_have_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "handoffs/login"
    folder.mkdir(parents=True)
    text = "# Login — Handoff from Tester\n\n## Status\n\ncomplete\n\n## Status reason\n"
    (folder / "tester-handoff.md").write_text(text)
    document = open_document(tmp_path, "handoffs/login/tester-handoff.md")
    for new in ("", " x", "x ", "a\nb", "../x", "a/b", "x" * 400, "\x00", ".."):
        with pytest.raises(Refusal):
            rename(document, 4, new, moves=True)


def open_document(root: Path, path: str) -> Context:
    """A document as it is in an editor that has just been started."""
    workspace = Workspace(Resolver())
    workspace.set_folders([root])
    full = root / path
    opened = workspace.open(full.as_uri(), full, 1, full.read_bytes().decode())
    return context_of(opened.analysis(workspace.resolver, workspace.files), opened.full, workspace.project)


def findings(root: Path) -> Counter[str]:
    """The findings in all documents of a folder, by rule."""
    workspace = Workspace(Resolver())
    workspace.set_folders([root])
    found: Counter[str] = Counter()
    for full in workspace.project.paths():
        path = Path(full)
        document = workspace.open(path.as_uri(), path, 1, path.read_bytes().decode())
        found.update(item.code for item in document.analysis(workspace.resolver, workspace.files).findings)
    return found


def test_a_file_keeps_the_ending_by_which_it_is_found(tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents/critic-agent.md").write_text("---\nname: critic\n---\n")
    text = "AGENT_RESULT: tester\nSTATUS: success\nNEXT: critic-agent\n"
    (tmp_path / "result.md").write_text(text)
    made = rename(open_document(tmp_path, "result.md"), text.index("critic"), "judge", moves=True)
    assert made is not None
    assert [Path(move.new).name for move in made.moves] == ["judge-agent.md"]


def test_each_root_has_agents_of_its_own(tmp_path: Path) -> None:
    text = "AGENT_RESULT: tester\nSTATUS: success\nNEXT: critic\n"
    for name in ("one", "two"):
        (tmp_path / name / ".git").mkdir(parents=True)
        (tmp_path / name / ".claude/agents").mkdir(parents=True)
        (tmp_path / name / ".claude/agents/critic.md").write_text("---\nname: critic\n---\n")
        (tmp_path / name / "result.md").write_text(text)
    document = open_document(tmp_path, "one/result.md")
    made = rename(document, text.index("critic"), "judge", moves=True)
    assert made is not None
    touched = [item.full for item in made.files] + [move.old for move in made.moves]
    assert {Path(full).relative_to(tmp_path).parts[0] for full in touched} == {"one"}


def test_an_untitled_document_renames_the_file_too(tmp_path: Path) -> None:
    (tmp_path / ".claude/agents").mkdir(parents=True)
    (tmp_path / ".claude/agents/critic.md").write_text("---\nname: critic\n---\n")
    workspace = Workspace(Resolver())
    workspace.set_folders([tmp_path])
    text = "AGENT_RESULT: tester\nSTATUS: success\nNEXT: critic\n"
    opened = workspace.open("untitled:1", None, 1, text)
    document = context_of(opened.analysis(workspace.resolver, workspace.files), "", workspace.project)
    made = rename(document, text.index("critic"), "judge", moves=True)
    assert made is not None
    assert [Path(move.new).name for move in made.moves] == ["judge.md"]
    assert {item.full for item in made.files} == {"", str(tmp_path / ".claude/agents/critic.md")}


def test_an_archived_change_keeps_its_date(tmp_path: Path) -> None:
    (tmp_path / "openspec/changes/archive/2026-02-08-add-dark").mkdir(parents=True)
    (tmp_path / "openspec/changes/archive/2026-02-08-add-dark/proposal.md").write_text("# Dark\n")
    text = (
        "## Verification Report\n\n**Change**: add-dark\n**Version**: 1\n\nSee openspec/changes/archive/, and "
        "openspec/changes/archive/2026-02-08-add-dark/proposal.md\n\n### Verdict\n\nPASS\n"
    )
    (tmp_path / "openspec/verify-report.md").write_text(text)
    document = open_document(tmp_path, "openspec/verify-report.md")
    made = rename(document, text.index("add-dark"), "add-night", moves=True)
    assert made is not None
    ((_, source, edits, *_),) = made.files
    assert apply_edits(source.text, edits) == text.replace("add-dark", "add-night")
    assert [Path(move.new).name for move in made.moves] == ["2026-02-08-add-night"]
    assert name_at(document, text.index("archive/,")) is None
