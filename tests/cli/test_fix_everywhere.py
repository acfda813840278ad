"""``check --fix`` on all cases and real files: it comes to rest, keeps every byte around, and decides nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from case_files import Case, read_cases
from conftest import SHARED
from features.test_fixes_decide_nothing import decisions

from handoff_lsp.cli.main import main
from handoff_lsp.engine import Analysis
from handoff_lsp.features.actions.fix_all import FixedDocument, fix_all, fixed
from handoff_lsp.text import apply_edits

SPELLINGS: dict[str, Callable[[str], str]] = {
    "LF": lambda text: text,
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "BOM": lambda text: "\ufeff" + text,
    "no newline at the end": lambda text: text.rstrip("\n"),
}


def all_fixed(analysis: Analysis, *, unsafe: bool = False) -> FixedDocument:
    return fixed(analysis, lambda _: True, unsafe=unsafe)


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case.name)
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_cases(case: Case, spelling: str) -> None:
    before = case.analyze(SPELLINGS[spelling](case.text))
    after, number = all_fixed(before)
    text = after.source.text
    assert (number > 0) == (text != before.source.text)
    assert list(breaches(before, after)) == []
    edits = action.edits if (action := fix_all(before)) is not None else ()
    assert text == apply_edits(before.source.text, edits)
    if spelling == "CRLF":
        assert "\n" not in text.replace("\r\n", "")
    # A mark before a fence hides the fence from its reader: its removal is a fix of its own.
    assert spelling != "BOM" or text.startswith("\ufeff") or edits[0].span.start == 0


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case.name)
def test_unsafe_fixes_come_to_rest(case: Case) -> None:
    after, _ = all_fixed(case.analyze(), unsafe=True)
    again, number = all_fixed(after, unsafe=True)
    assert (again.source.text, number) == (after.source.text, 0)


def breaches(before: Analysis, after: Analysis) -> Iterator[str]:
    """The broken laws of a document and its fixed text."""
    if all_fixed(after).analysis.source.text != after.source.text:
        yield "a second run fixes more"
    if len(before.handoffs) != len(after.handoffs):
        yield "another number of handoffs"
        return
    for old, new in zip(before.handoffs, after.handoffs, strict=True):
        if not old.readable:
            continue  # nobody could read a decision there
        now = decisions(new)
        for path, (data, _, _) in decisions(old).items():
            if data is not None and now[path][0] != data:
                yield f"{path}: {data} is now {now[path][0]}"


@pytest.mark.parametrize("name", ["wild", "corpus"])
def test_real_files(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command itself, on a copy of whole repositories."""
    if not (SHARED / name).is_dir():
        pytest.skip(f"no {name}: ../shared/{name} is not beside this clone")
    folder = tmp_path / name
    shutil.copytree(SHARED / name, folder, copy_function=shutil.copyfile)  # the originals are read-only
    monkeypatch.chdir(folder)
    before = contents(folder)
    main(["check", "--fix-only"])
    told = capsys.readouterr().err
    after = contents(folder)
    changed = [path for path in before if before[path] != after[path]]
    assert before.keys() == after.keys(), "a temporary file was left"
    assert changed and f" in {len(changed)} file" in told
    for path in changed:
        old, new = before[path].decode(), after[path].decode()
        assert ("\r\n" in old, "\n" in old.replace("\r\n", "")) == ("\r\n" in new, "\n" in new.replace("\r\n", ""))
    assert main(["check", "--diff"]) == 0
    assert capsys.readouterr().out == ""
    assert contents(folder) == after


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
