"""Finding files in folders, and reading them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from handoff_lsp.workspace.disk import walking
from handoff_lsp.workspace.disk.files import MAX_BYTES, UnreadableFile, decode_text, read_text
from handoff_lsp.workspace.disk.globs import Glob, unsafe_reason
from handoff_lsp.workspace.disk.walking import walk


def make(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x", encoding="utf-8")


def names(folder: Path, *excluded: str) -> list[str]:
    found = walk(folder, lambda path: path.name in excluded)
    return [path.relative_to(folder).as_posix() for path in found]


def reason(path: Path) -> str:
    with pytest.raises(UnreadableFile) as raised:
        read_text(path)
    assert raised.value.path == path
    assert str(raised.value) == f"{path}: {raised.value.reason}"
    return raised.value.reason


# Reading


@pytest.mark.parametrize("text", ["", "a", "a\nb\n", "a\r\nb\rc\n", "\ufeff# T\r\n", "\u2028\x0b\x0c\x85", "✓ 🎉"])
def test_a_text_is_read_as_it_is(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(text.encode("utf-8"))
    assert read_text(path) == text


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"\xff\xfea\0", "UTF-16, but handoffs are UTF-8"),
        (b"\xfe\xff\0a", "UTF-16, but handoffs are UTF-8"),
        (b"ab\0c", "binary (a NUL byte at offset 2)"),
        (b"Caf\xe9 \n", "not UTF-8 (byte 0xe9 at offset 3)"),
        (b"\xed\xa0\x80", "not UTF-8 (byte 0xed at offset 0)"),  # a surrogate, which is no character
        (b"x" * (MAX_BYTES + 1), "too large (5,000,001 bytes; the limit is 5,000,000)"),
    ],
)
def test_what_is_no_text(tmp_path: Path, data: bytes, told: str) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(data)
    assert reason(path) == told
    with pytest.raises(UnreadableFile, match=r"a\.md"):
        decode_text(path, data)


def test_the_line_of_a_wrong_byte() -> None:
    with pytest.raises(UnreadableFile) as raised:
        decode_text(Path("a"), b"a\nb\n\xff")
    assert raised.value.line == 3


def test_a_file_of_the_limit_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"x" * MAX_BYTES)
    assert len(read_text(tmp_path / "a.md")) == MAX_BYTES


def test_what_is_no_file(tmp_path: Path) -> None:
    assert reason(tmp_path / "nowhere.md") == "no such file or folder"
    assert reason(tmp_path) == "a folder, not a file"
    assert reason(tmp_path / "a\0b.md") == "embedded null byte"
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.md")
        assert reason(tmp_path / "pipe.md") == "not a regular file"  # and nothing waits for a writer


def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    assert reason(tmp_path / "a.md") == "permission denied"


# Walking


def test_markdown_in_the_order_of_names(tmp_path: Path) -> None:
    make(tmp_path, "b.md", "a/z.md", "a/b/c.MD", "c.markdown", "d.txt", "e.mdx", "a.md", "README")
    assert names(tmp_path) == ["a/b/c.MD", "a/z.md", "a.md", "b.md", "c.markdown"]


def test_folders_that_are_passed_over(tmp_path: Path) -> None:
    make(tmp_path, *(f"deep/{name}/x.md" for name in walking.SKIPPED_FOLDERS))
    make(tmp_path, *(f"{name}/x.md" for name in (".git", ".venv", ".cache", ".mypy_cache", ".npm-cache", ".cargo")))
    make(tmp_path, "vendor/x.md", "keep/x.md", "keep/skip.md", "keep/cache/x.md", ".hidden.md")
    assert names(tmp_path, "vendor", "skip.md") == [".hidden.md", "keep/cache/x.md", "keep/x.md"]
    assert [path.name for path in walk(tmp_path / ".cache")] == ["x.md"]  # named: walked


def test_hidden_folders_of_agents_and_their_tools(tmp_path: Path) -> None:
    known = (
        ".agent .agents .atl .claude .codex .config .continue .copilot .cursor .factory .gemini .github .junie .kiro"
    )
    new = ".local .opencode .qwen .roo .specify .trae .windsurf .worktrees .of-a-tool-that-nobody-knows-yet"
    expected = sorted(f"{folder}/{inner}x.md" for folder in f"{known} {new}".split() for inner in ("", "deep/"))
    make(tmp_path, *expected)
    assert sorted(names(tmp_path)) == expected


def test_a_folder_with_the_name_of_a_file(tmp_path: Path) -> None:
    make(tmp_path, "a.md/b.md")
    assert names(tmp_path) == ["a.md/b.md"]


def test_links_are_not_followed(tmp_path: Path) -> None:
    make(tmp_path, "in/a.md", "out/secret.md")
    (tmp_path / "in" / "loop").symlink_to(tmp_path / "in")
    (tmp_path / "in" / "away").symlink_to(tmp_path / "out")
    (tmp_path / "in" / "b.md").symlink_to(tmp_path / "out" / "secret.md")
    (tmp_path / "in" / "dead.md").symlink_to(tmp_path / "nowhere")
    assert names(tmp_path / "in") == ["a.md"]


def test_a_folder_that_cannot_be_read_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "a.md", "b/x.md", "c/y.md")
    scandir = os.scandir

    def refuse(path: Path) -> object:
        if path.name == "b":
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    told: list[UnreadableFile] = []
    assert [path.name for path in walk(tmp_path, on_error=told.append)] == ["a.md", "y.md"]
    assert [(error.path.name, error.reason) for error in told] == [("b", "permission denied")]


def test_other_files_that_someone_wants(tmp_path: Path) -> None:
    make(tmp_path, ".agent/status.json", ".agent/other.json", "a.md", "status.json", "node_modules/.agent/status.json")
    (tmp_path / ".agent" / "link.json").symlink_to(tmp_path / "status.json")
    wanted = {"status.json", "link.json"}
    found = walk(tmp_path, also=lambda path: path.name in wanted and path.parent.name == ".agent")
    assert [path.relative_to(tmp_path).as_posix() for path in found] == [".agent/status.json", "a.md"]


def test_a_deep_folder(tmp_path: Path) -> None:
    make(tmp_path, "/".join(["d"] * 400) + "/x.md")
    assert len(list(walk(tmp_path))) == 1


# Patterns


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("docs/turns/*.md", "docs/turns/a.md", True),
        ("docs/turns/*.md", "docs/turns/b/a.md", False),
        ("docs/**/*.md", "docs/a.md", True),
        ("docs/**/*.md", "docs/b/c/a.md", True),
        ("**/*.md", "a.md", True),
        ("**", "a/b", True),
        ("vendor/**", "vendor/a/b", True),
        ("vendor/**", "vendors/a", False),
        ("a.md", "b/a.md", False),
        ("./a.md", "a.md", True),
        ("[ab].m?", "b.md", True),
        ("*.MD", "a.md", False),
        ("a+(b).md", "a+(b).md", True),
    ],
)
def test_patterns(pattern: str, path: str, matches: bool) -> None:
    assert Glob(pattern).matches(path) is matches


def test_patterns_of_exclude() -> None:
    assert Glob("generated", anywhere=True).covers("a/generated/b/c.md")
    assert Glob("*.tmp.md", anywhere=True).covers("a/b.tmp.md")
    assert Glob("vendor/**", anywhere=True).covers("vendor")
    assert Glob("vendor/", anywhere=True).covers("a/vendor/b.md")
    assert not Glob("docs/vendor", anywhere=True).covers("vendor/a.md")
    assert not Glob("docs/vendor", anywhere=True).covers("docs")


def test_a_hostile_pattern_takes_no_time() -> None:
    glob = Glob("/".join(["**", "*a*a*a*a*a*a*a*b"] * 50))
    assert not glob.matches("/".join(["a" * 200] * 40))


@pytest.mark.parametrize("pattern", ["/etc/*", "../x", "a/../../x", "C:/x", "~/x", "", "\\\\host\\x", "a\\..\\b"])
def test_patterns_that_lead_away(pattern: str) -> None:
    assert unsafe_reason(pattern)


def test_patterns_that_stay() -> None:
    assert unsafe_reason("a/**/b..c/*.yaml") is None
