"""The cache of `check`: the next run prints the same in less time. Whatever is wrong with the cache does no harm."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from cli.conftest import ROOT, Run
from cli.documents import BAD
from workspace.test_surroundings import LOG, STATUS, put

from handoff_lsp.cli.checking import cached
from handoff_lsp.cli.checking.cache import Cache
from handoff_lsp.cli.main import main
from handoff_lsp.cli.output.format import FORMATS
from handoff_lsp.rules.registry import rules_of_handoffs

CHECK = ("check", ".", "--cache-dir", "../cache")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder: enough handoffs for a cache, one with an error, and an agent's files that agree."""
    folder = tmp_path / "here"
    (folder / ".git").mkdir(parents=True)
    monkeypatch.chdir(folder)
    for number in range(cached.FEWEST):
        put(folder / f"{number}-handoff.md", BAD.replace("compleet", "complete" if number else "compleet"))
    put(folder / ".agent" / "status.json", STATUS)
    put(folder / ".agent" / "activity.log", LOG % "running")
    return folder


@pytest.fixture
def outcome(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the command in this process: its exit code and its output."""

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        return code, *capsys.readouterr()

    return run


Outcome = Callable[..., tuple[int, str, str]]


@pytest.fixture
def analyzed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that are really checked."""
    names: list[str] = []
    put_ = Cache.put

    def noted(cache: Cache, path: Path, *others: object) -> None:
        names.append(path.name)
        put_(cache, path, *others)  # type: ignore[arg-type]

    monkeypatch.setattr(Cache, "put", noted)
    return names


def the_file(here: Path) -> Path:
    """The file of the cache."""
    (found,) = here.parent.joinpath("cache").glob("*.sqlite")
    return found


def test_the_next_run_checks_only_what_has_changed(here: Path, outcome: Outcome, analyzed: list[str]) -> None:
    first = outcome(*CHECK)
    assert "compleet" in first[1]
    assert len(analyzed) == cached.FEWEST + 2
    analyzed.clear()
    assert outcome(*CHECK) == first
    assert analyzed == []
    put(here / "3-handoff.md", BAD)
    second = outcome(*CHECK)
    assert (second[1].count("error[invalid-value]"), analyzed) == (2, ["3-handoff.md"])
    assert second == outcome("check", ".", "--no-cache")


def test_a_file_beside_it_counts(here: Path, outcome: Outcome, analyzed: list[str]) -> None:
    outcome(*CHECK)
    analyzed.clear()
    put(here / ".agent" / "activity.log", LOG % "completed")
    assert "file-disagreement" in outcome(*CHECK)[1]
    assert sorted(analyzed) == ["activity.log", "status.json"]
    (here / ".agent" / "activity.log").unlink()
    assert "file-disagreement" not in outcome(*CHECK)[1]


@pytest.mark.parametrize(
    "config",
    [
        '[rules]\ninvalid-value = "hint"\n',
        '[contracts.agent-status]\nprofile = "none"\n',
        '[[files]]\npattern = "0-*"\nmode = "template"\n',
        'disable = ["status-block"]\n',
    ],
)
def test_the_config_counts(here: Path, outcome: Outcome, config: str) -> None:
    before = outcome(*CHECK)
    put(here / ".handoff-lsp.toml", config)
    after = outcome(*CHECK)
    assert after != before
    assert after == outcome("check", ".", "--no-cache")
    (here / ".handoff-lsp.toml").unlink()
    assert outcome(*CHECK) == before


def test_fixes_are_there_when_a_format_shows_them(here: Path, outcome: Outcome, analyzed: list[str]) -> None:
    as_json = (*CHECK, "--output-format", "json")
    text = outcome(*CHECK)
    wanted = outcome("check", ".", "--no-cache", "--output-format", "json")
    assert '"edits"' in wanted[1]
    assert outcome(*as_json) == wanted
    analyzed.clear()
    assert (outcome(*as_json), outcome(*CHECK), analyzed) == (wanted, text, [])


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_has_what_it_shows(
    here: Path, outcome: Outcome, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary := here.parent / "summary.md"))
    summary.touch()
    outcome(*CHECK, "--output-format", "concise")
    cached_one = outcome(*CHECK, "--output-format", name), summary.read_text()
    summary.write_text("")
    assert cached_one == (outcome("check", ".", "--no-cache", "--output-format", name), summary.read_text())


def test_the_language_counts(here: Path, outcome: Outcome) -> None:
    english = outcome(*CHECK)
    japanese = outcome(*CHECK, "--lang", "ja")
    assert japanese == outcome("check", ".", "--no-cache", "--lang", "ja") != english
    assert outcome(*CHECK, "--lang", "en") == english


def test_an_unchanged_folder_is_not_worth_importing_the_engine(here: Path) -> None:
    run = "import sys; from handoff_lsp.cli.main import main; main(sys.argv[1:])"
    code = f"{run}; print('handoff_lsp.engine' in sys.modules)"
    runs = [subprocess.check_output([sys.executable, "-c", code, *CHECK], text=True) for _ in range(2)]
    assert [run.splitlines()[-1] for run in runs] == ["True", "False"]


def test_the_cache_is_the_users_and_not_in_the_repository(here: Path, run: Run) -> None:
    home = here.parent / "home"
    env = {"XDG_CACHE_HOME": str(home), "LOCALAPPDATA": str(home), "HOME": str(home), "HANDOFF_LSP_CACHE_DIR": ""}
    before = sorted(here.rglob("*"))
    run("check", ".", cwd=here, **env)
    assert sorted(here.rglob("*")) == before
    (folder,) = {path.parent for path in home.rglob("*.sqlite")}
    assert folder.name == "handoff-lsp"
    assert (folder / ".gitignore").read_text() == "*\n"
    assert (folder / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")


def test_an_empty_name_is_none(here: Path, run: Run) -> None:
    """``--cache-dir "$CACHE"`` of a variable that is not set."""
    before = sorted(here.rglob("*"))
    run("check", ".", "--cache-dir", "", cwd=here, HANDOFF_LSP_CACHE_DIR=str(here.parent / "mine"))
    assert sorted(here.rglob("*")) == before
    assert list((here.parent / "mine").glob("*.sqlite"))


@pytest.mark.parametrize(
    ("arguments", "environment"), [(("--cache-dir", "."), ""), (("--cache-dir", "sub/.."), ""), ((), ".")]
)
def test_a_folder_with_other_files_is_not_marked(
    here: Path, run: Run, arguments: tuple[str, ...], environment: str
) -> None:
    """With a mark, git would ignore the handoffs in it, and ``check .`` would find none."""
    before = {path.name for path in here.iterdir()}
    runs = [run("check", ".", *arguments, cwd=here, HANDOFF_LSP_CACHE_DIR=environment) for _ in range(2)]
    assert all(b"compleet" in one.stdout for one in runs)
    (kept,) = {path.name for path in here.iterdir()} - before
    assert kept.endswith(".sqlite")


def test_an_empty_folder_is_marked(here: Path, run: Run) -> None:
    (empty := here.parent / "empty").mkdir()
    run("check", ".", "--cache-dir", str(empty), cwd=here)
    assert {path.name for path in empty.iterdir()} >= {".gitignore", "CACHEDIR.TAG"}


def test_the_folder_of_the_environment(here: Path, run: Run) -> None:
    run("check", ".", cwd=here, HANDOFF_LSP_CACHE_DIR=str(here.parent / "mine"))
    assert list((here.parent / "mine").glob("*.sqlite"))


@pytest.mark.parametrize("arguments", [("check", ".", "--no-cache"), ("check", "0-handoff.md"), ("check", "-")])
def test_no_cache(here: Path, run: Run, arguments: tuple[str, ...]) -> None:
    """Where none is wanted, and for a few files, which take less time than a cache."""
    run(*arguments, stdin=BAD.encode(), cwd=here, HANDOFF_LSP_CACHE_DIR=str(here.parent / "mine"))
    assert not (here.parent / "mine").exists()


def garbage(path: Path) -> None:
    path.write_bytes(b"no database at all" * 100)


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def overwritten(path: Path) -> None:
    data = bytearray(path.read_bytes())
    for at in range(4096, len(data), 97):
        data[at] ^= 0x55
    path.write_bytes(bytes(data))


def of_another_version(path: Path) -> None:
    with sqlite3.connect(path) as rows:
        rows.execute("DROP TABLE reports")
        rows.execute("CREATE TABLE reports (other)")
        rows.execute("PRAGMA user_version = 77")
    rows.close()


def without_its_table(path: Path) -> None:
    with sqlite3.connect(path) as rows:
        rows.execute("DROP TABLE reports")
    rows.close()


def with_other_rows(path: Path) -> None:
    """As a program writes them that does not know the digest."""
    with sqlite3.connect(path) as rows:
        rows.execute("UPDATE reports SET body = replace(body, 'compleet', 'complete')")
    rows.close()


def with_null(path: Path) -> None:
    with sqlite3.connect(path) as rows:
        rows.execute("UPDATE reports SET key = NULL, body = NULL")
    rows.close()


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    "damage",
    [garbage, cut_off, overwritten, of_another_version, without_its_table, with_other_rows, with_null, a_folder],
)
def test_a_broken_cache_is_as_good_as_none(here: Path, outcome: Outcome, damage: Callable[[Path], None]) -> None:
    wanted = outcome(*CHECK)
    damage(the_file(here))
    assert [outcome(*CHECK) for _ in range(3)] == [wanted] * 3


@pytest.mark.parametrize("damage", [garbage, cut_off, overwritten, of_another_version, with_other_rows])
def test_and_is_written_again(
    here: Path, outcome: Outcome, analyzed: list[str], damage: Callable[[Path], None]
) -> None:
    outcome(*CHECK)
    damage(the_file(here))
    outcome(*CHECK)
    outcome(*CHECK)  # one that turns out to be broken in the middle is dropped, the next run writes a new one
    analyzed.clear()
    outcome(*CHECK)
    assert analyzed == []


def test_two_runs_at_once(here: Path, outcome: Outcome) -> None:
    code, out, _ = outcome("check", ".", "--no-cache")
    command = [sys.executable, "-m", "handoff_lsp", *CHECK]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    for _ in range(2):
        runs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env) for _ in range(3)]
        assert [(run.communicate()[0], run.returncode) for run in runs] == [(out, code)] * 3


def test_another_run_writes_for_long(here: Path, outcome: Outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("handoff_lsp.cli.checking.cache_file._PATIENCE", 0.01)
    wanted = outcome(*CHECK)
    other = sqlite3.connect(the_file(here))
    other.execute("BEGIN EXCLUSIVE")
    assert outcome(*CHECK) == wanted
    put(here / "3-handoff.md", BAD)
    assert outcome(*CHECK) == outcome("check", ".", "--no-cache")
    other.rollback()
    other.close()


def test_a_folder_that_cannot_be_written(here: Path, outcome: Outcome) -> None:
    put(here.parent / "file")
    assert outcome("check", ".", "--cache-dir", "../file/cache") == outcome("check", ".", "--no-cache")


def test_a_read_only_file(here: Path, outcome: Outcome, analyzed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in it is used. Root may write any file, so SQLite opens it read-only."""
    outcome(*CHECK)
    connect = sqlite3.connect
    read_only = lambda path, **how: connect(f"{path.as_uri()}?mode=ro", uri=True, **how)  # noqa: E731
    monkeypatch.setattr("sqlite3.connect", read_only)
    put(here / "3-handoff.md", BAD)
    analyzed.clear()
    wanted = outcome("check", ".", "--no-cache")
    assert [outcome(*CHECK) for _ in range(2)] == [wanted] * 2
    assert analyzed == ["3-handoff.md"] * 2


def test_a_full_disk(here: Path, outcome: Outcome) -> None:
    wanted = outcome("check", ".", "--no-cache")
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    limit = 20_000

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    run = subprocess.run(
        [sys.executable, "-m", "handoff_lsp", *CHECK],
        capture_output=True,
        text=True,
        env=env,
        preexec_fn=small,
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr) == wanted
    assert outcome(*CHECK) == wanted


@pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")
def test_killed_while_it_writes(here: Path, outcome: Outcome) -> None:
    """A run that is killed right after a write, before the file is closed: the next one prints the same."""
    wanted = outcome("check", ".", "--no-cache")
    program = """
import os, signal, sys
from handoff_lsp.cli.checking import cache_file
from handoff_lsp.cli.main import main
cache_file._AT_ONCE, rows, count = 1, cache_file._digest, iter(range(int(sys.argv[1])))
def killed(row):
    next(count, None) is None and os.kill(os.getpid(), signal.SIGKILL)
    return rows(row)
cache_file._digest = killed
main(sys.argv[2:])
"""
    for after in (0, 1, 5):
        done = subprocess.run(
            [sys.executable, "-c", program, str(after), *CHECK],
            capture_output=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=False,
        )
        assert done.returncode == -signal.SIGKILL
        assert outcome(*CHECK) == wanted
        shutil.rmtree(here.parent / "cache")


@pytest.mark.parametrize("years", [-30, 30])
def test_the_clock_jumps(here: Path, outcome: Outcome, monkeypatch: pytest.MonkeyPatch, years: int) -> None:
    wanted = outcome(*CHECK)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + years * 365 * 86_400)
    assert outcome(*CHECK) == wanted
    put(here / "3-handoff.md", BAD)
    assert outcome(*CHECK) == outcome("check", ".", "--no-cache") != wanted


def test_without_a_home(here: Path, outcome: Outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HANDOFF_LSP_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert outcome("check", ".") == outcome("check", ".", "--no-cache")
    assert not (here / "relative").exists()


def test_files_that_are_gone_leave_the_cache(here: Path, outcome: Outcome) -> None:
    outcome(*CHECK)
    (here / "5-handoff.md").unlink()
    put(here / "6-handoff.md", BAD)
    outcome(*CHECK)
    outcome("check", *sorted(path.name for path in here.glob("*.md")), "--cache-dir", "../cache")
    rows = sqlite3.connect(the_file(here))
    names = [Path(os.fsdecode(path)).name for (path,) in rows.execute("SELECT path FROM reports")]
    rows.close()
    assert "5-handoff.md" not in names
    assert len(names) == cached.FEWEST + 1  # those that this run was not asked about are still there


def test_an_old_cache_of_another_folder_is_dropped(here: Path, outcome: Outcome) -> None:
    old, new, other = (
        here.parent / "cache" / name for name in ("0" * 32 + ".sqlite", "1" * 32 + ".sqlite", "x.sqlite")
    )
    for path in (old, new, other):
        put(path)
    os.utime(old, (0, 0))
    os.utime(other, (0, 0))
    outcome(*CHECK)
    assert [path.exists() for path in (old, new, other)] == [False, True, True]


def test_a_failure_of_ours_is_not_kept(here: Path, outcome: Outcome, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise RuntimeError("no memory")

    with monkeypatch.context() as patched:
        patched.setitem(
            rules_of_handoffs(), "invalid-value", replace(rules_of_handoffs()["invalid-value"], check=broken)
        )
        assert "internal-error" in outcome(*CHECK)[1]
    assert "internal-error" not in outcome(*CHECK)[1]


def test_what_cannot_be_read_is_not_kept(here: Path, outcome: Outcome) -> None:
    (here / "3-handoff.md").write_bytes(b"\xff\xfe")
    first = outcome(*CHECK)
    assert "3-handoff.md" in first[2] + first[1]
    assert outcome(*CHECK) == first
    put(here / "3-handoff.md", BAD)
    assert outcome(*CHECK)[1].count("error[invalid-value]") == 2


def test_a_moved_repository_has_a_cache_of_its_own(
    here: Path, outcome: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    outcome(*CHECK)
    shutil.copytree(here, here.parent / "copy")
    monkeypatch.chdir(here.parent / "copy")
    put(here.parent / "copy" / "0-handoff.md", BAD.replace("compleet", "complete"))
    assert outcome(*CHECK) == outcome("check", ".", "--no-cache")
    assert len(list((here.parent / "cache").glob("*.sqlite"))) == 2
