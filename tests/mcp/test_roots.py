"""Files are read in the workspace only: in the named folder, in the client's roots, or in the working folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from handoff_lsp.mcp.errors import ToolError
from handoff_lsp.mcp.folders import Folders
from handoff_lsp.mcp.tools import call

from .conftest import BAD, GOOD, Connect


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders with a handoff each, the second one with an error."""
    for name, text in (("one", GOOD), ("two", BAD)):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}-handoff.md").write_text(text, encoding="utf-8")
    return tmp_path / "one", tmp_path / "two"


def test_the_working_folder(two: tuple[Path, Path], connect: Connect) -> None:
    one, other = two
    session = connect(one)
    assert session.call("check", path="one-handoff.md")[0]["verdict"]["state"] == "clean"
    assert session.call("check", path=str(one / "one-handoff.md"))[0]["path"] == "one-handoff.md"
    for outside in ("../two/two-handoff.md", str(other / "two-handoff.md"), "/etc/passwd", "~/x.md", "..", "/"):
        told = session.refused("check", path=outside) if outside != "~/x.md" else ""
        assert not told or f"is outside the workspace {one}; send its content as `text`" in told
    assert session.refused("parse", path="../two/two-handoff.md").startswith("`../two/two-handoff.md` is outside")


def test_the_named_folder_goes_before_the_roots(two: tuple[Path, Path], connect: Connect) -> None:
    one, other = two
    session = connect(one, "--root", str(other), roots=[one.as_uri()])
    assert session.call("check", path="two-handoff.md")[0]["verdict"]["state"] == "findings"
    assert "outside" in session.refused("check", path=str(one / "one-handoff.md"))


def test_the_roots_of_the_client(two: tuple[Path, Path], tmp_path: Path, connect: Connect) -> None:
    one, other = two
    (other / ".handoff-lsp.toml").write_text('[rules]\ninvalid-value = "hint"\n', encoding="utf-8")
    session = connect(tmp_path, roots=[one.as_uri(), other.as_uri()])
    assert session.call("check", path="one-handoff.md")[0]["verdict"]["state"] == "clean"
    found, _ = session.call("check", path="two-handoff.md")  # in the second root, by the config there
    assert (found["path"], found["findings"][0]["severity"]) == ("two-handoff.md", "hint")
    assert "outside the workspace" in session.refused("check", path=str(tmp_path / "x.md"))


@pytest.mark.parametrize("roots", [[], ["file:///no/such/folder"], ["file://server/share"]])
def test_roots_that_are_no_folders_here(roots: list[str], two: tuple[Path, Path], connect: Connect) -> None:
    session = connect(two[0], roots=roots)
    assert session.call("check", path="one-handoff.md")[0]["verdict"]["state"] == "clean"


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege")
def test_no_link_leads_out(two: tuple[Path, Path], connect: Connect) -> None:
    one, other = two
    (one / "file.md").symlink_to(other / "two-handoff.md")
    (one / "folder").symlink_to(other)
    (one / "inside.md").symlink_to(one / "one-handoff.md")
    session = connect(one)
    for path in ("file.md", "folder/two-handoff.md"):
        assert "outside the workspace" in session.refused("check", path=path)
    assert session.call("check", path="inside.md")[0]["verdict"]["state"] == "clean"


def test_a_root_that_is_a_link_itself(two: tuple[Path, Path], tmp_path: Path, connect: Connect) -> None:
    (tmp_path / "link").symlink_to(two[0])
    session = connect(tmp_path, "--root", str(tmp_path / "link"))
    assert session.call("check", path="one-handoff.md")[0]["verdict"]["state"] == "clean"
    for root in (tmp_path / "link", two[0]):
        assert session.call("check", path=str(root / "one-handoff.md"))[0]["path"] == "one-handoff.md"


def test_without_a_workspace_only_texts_are_checked(connect: Connect) -> None:
    """Some clients start their servers in the root of the file system."""
    session = connect(Path("/"))
    assert "start the server with `--root FOLDER`, or send the `text`" in session.refused("check", path="etc/passwd")
    assert session.call("check", text=BAD)[0]["findings"][0]["rule"] == "invalid-value"


def test_a_workspace_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    called = call(Folders((tmp_path / "gone",)), "check", {"path": "a.md"})
    assert called.data is None
    assert called.text == f"the workspace folder {tmp_path / 'gone'} cannot be entered: No such file or directory"


def test_a_name_that_is_too_long(tmp_path: Path) -> None:
    folders = Folders((tmp_path,))
    assert folders.file("a/" + "b" * 300 + ".md").name == "b" * 300 + ".md"
    with pytest.raises(ToolError, match="outside the workspace"):
        folders.file("../" * 1000 + "x")
