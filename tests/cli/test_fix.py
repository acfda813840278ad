"""``handoff-lsp check --fix`` and its kin: the fixed files, the words about them, and what may go wrong."""

from __future__ import annotations

import json
import os
import random
import signal
import stat
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import ROOT
from cli.documents import BAD

from handoff_lsp.cli.checking.diff import diff_of
from handoff_lsp.cli.main import main
from handoff_lsp.workspace.disk import replacing
from handoff_lsp.workspace.disk.replacing import NotReplaced, replace_text

# One safe fix: the trailing comma. One unsafe fix: `COMPLET`. One finding without a fix: the empty list of outputs.
TURN = """\
Done.

```agent_contract_handoff
{
  "agent_status": {
    "plan_status": "COMPLET",
    "agent_id": "ab7e4d2",
    "pending_steps": [],
    "next_action": "done",
  },
  "evidence_report": {
    "patterns_checked": ["timeout: 30"],
    "files_checked": [],
    "commands_run": ["helm lint charts/web"],
    "key_outputs": ["two stale values"],
    "verbatim_outputs": [],
    "cross_layer_impacts": [],
    "open_gaps": [],
    "verification": {"method": "test", "result": "pass"}
  },
  "consolidation_report": null
}
```
"""
SAFE = TURN.replace('"done",', '"done"')
ALL = SAFE.replace('"COMPLET"', '"COMPLETE"')

VERIFIED = """\
schema: gentle-ai.verify-result/v1
evidence_revision: sha256:{hash}
verdict: pass
blockers: 0
critical_findings: 0
requirements: 3/3
scenarios: 8/8
test_command: pytest tags
test_exit_code: 0
test_output_hash: sha256:{hash}
build_command: make wheel
build_exit_code: 0
build_output_hash: sha256:{hash}
""".replace("{hash}", "a1" * 32)


@pytest.fixture
def turn(here: Path) -> Path:
    path = here / "turn.md"
    path.write_bytes(TURN.encode())
    return path


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["check", *arguments])
    told = capsys.readouterr()
    return code, told.out, told.err


# The options


def test_fix_writes_safe_fixes_and_reports_the_fixed_text(turn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, before, _ = check(capsys)
    assert "9:26: error[invalid-json]" in before
    assert before.endswith("1 finding is fixable with `--fix` (1 more with `--unsafe-fixes`).\n")
    code, out, err = check(capsys, "--fix")
    assert turn.read_text() == SAFE
    assert "invalid-json" not in out and "error[invalid-value]" in out
    assert code == 1 and err == ""
    assert "\nFixed 1 finding in 1 file; 2 remaining.\n" in out
    assert out.endswith("1 finding is fixable with `--fix --unsafe-fixes`.\n")


def test_unsafe_fixes_are_written_on_request(turn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = check(capsys, "--fix", "--unsafe-fixes")
    assert turn.read_text() == ALL
    assert "Fixed 2 findings in 1 file; 1 remaining.\n" in out
    assert code == 0


def test_of_several_equal_choices_none_is_written(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = BAD.replace("compleet", "STATUS")
    (here / "a-handoff.md").write_text(text)
    assert check(capsys, "--fix", "--unsafe-fixes")[0] == 1
    assert (here / "a-handoff.md").read_text() == text


def test_a_fence_is_closed_before_another_handoff(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = here / "openspec" / "changes" / "add-dark-mode" / "verify-report.md"
    path.parent.mkdir(parents=True)
    path.write_text(f"```yaml\n{VERIFIED}\n## Verification Report\n\n**Change**: add-dark-mode\n\n### Verdict\nPASS\n")
    assert "unsafe fix: Close the fence" in check(capsys)[1]
    code, out, _ = check(capsys, "--fix", "--unsafe-fixes")
    assert (code, out) == (0, "No findings in 1 file (2 handoffs).\nFixed 1 finding in 1 file.\n")
    assert path.read_text().startswith(f"```yaml\n{VERIFIED}```\n\n## Verification Report\n")


def test_diff_shows_the_change_and_writes_nothing(turn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = check(capsys, "--diff")
    assert (code, err) == (1, "Would fix 1 finding in 1 file.\n")
    assert out.startswith("--- turn.md\n+++ turn.md\n@@ -6,7 +6,7 @@\n")
    assert '-    "next_action": "done",\n+    "next_action": "done"\n' in out
    assert turn.read_text() == TURN
    assert '+    "plan_status": "COMPLETE",\n' in check(capsys, "--diff", "--unsafe-fixes")[1]
    assert "\x1b[31m-    " in check(capsys, "--diff", "--color", "always")[1]
    assert check(capsys, "--diff", "--quiet")[2] == ""
    turn.write_text(SAFE)
    assert check(capsys, "--diff") == (0, "", "Would fix 0 findings in 0 files.\n")


@pytest.mark.parametrize(
    "text", [TURN, TURN.replace("\n", "\r\n"), "\ufeff" + TURN, TURN + "no newline\f\u2028at the end"]
)
def test_patch_takes_the_diff(turn: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    turn.write_bytes(text.encode())
    main(["check", "--diff"])
    lines = diff_of("turn.md", text, text.replace('"done",', '"done"'))
    diff = capsys.readouterr().out
    assert diff == "".join(lines)
    done = subprocess.run(["git", "apply", "-p0", "--whitespace=nowarn"], input=diff.encode(), capture_output=True)
    assert done.stderr == b""
    assert turn.read_bytes().decode() == text.replace('"done",', '"done"')


@pytest.mark.parametrize(
    "name", ["a b.md", "tab\there.md", "new\nline.md", '"quoted".md', "back\\slash.md", "é\udcff.md"]
)
def test_patch_finds_a_file_with_any_name(here: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    (here / name).write_text(TURN)
    diff = check(capsys, "--diff")[1]
    done = subprocess.run(["git", "apply", "-p0"], input=diff.encode(), capture_output=True)
    assert (done.stderr, (here / name).read_text()) == (b"", SAFE)


def test_fix_only_reports_nothing_that_is_left(turn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert check(capsys, "--fix-only") == (0, "", "Fixed 1 finding in 1 file.\n")
    assert turn.read_text() == SAFE
    assert check(capsys, "--fix-only", "--unsafe-fixes", "--exit-non-zero-on-fix")[0] == 1
    assert turn.read_text() == ALL


def test_exit_non_zero_on_fix(turn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turn.write_text(ALL.replace('"done"', '"done",'))
    assert check(capsys, "--fix", "--exit-non-zero-on-fix")[0] == 1
    assert check(capsys, "--fix", "--exit-non-zero-on-fix")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "needs"),
    [(["--unsafe-fixes"], "`--fix` or `--diff`"), (["--exit-non-zero-on-fix"], "`--fix`")],
    ids=lambda value: value[0],
)
def test_an_option_without_its_companion(
    turn: Path, arguments: list[str], needs: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = check(capsys, *arguments)
    assert code == 2
    assert f"`{arguments[0]}` needs {needs}\n" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--diff", "--output-format", "json"], "`--diff` and `--fix-only` report none"),
        (["--fix-only", "--output-format", "json"], "`--diff` and `--fix-only` report none"),
        (["--fix", "--exit-zero", "--exit-non-zero-on-fix"], "contradicts `--exit-zero`"),
    ],
    ids=lambda value: value[0],
)
def test_options_that_contradict_each_other(
    turn: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = check(capsys, *arguments)
    assert (code, message in err, turn.read_text(encoding="utf-8")) == (2, True, TURN)


def test_standard_input_is_fixed_to_standard_output(run: Any) -> None:
    done = run("check", "--fix", "-", stdin=TURN.encode())
    assert done.stdout == SAFE.encode()
    assert done.returncode == 1
    assert b"<stdin>:6:20: error[invalid-value]" in done.stderr
    assert b"Fixed 1 finding in 1 file; 2 remaining.\n" in done.stderr
    clean = run("check", "--fix", "-", stdin="\ufeffno handoff\r\n".encode())
    assert (clean.returncode, clean.stdout) == (0, "\ufeffno handoff\r\n".encode())
    as_json = run("check", "--fix", "-", "--output-format", "json", stdin=TURN.encode())
    assert as_json.stdout == SAFE.encode()
    assert json.loads(as_json.stderr)["findings"]


def test_json_reports_what_is_left(turn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = check(capsys, "--fix", "--output-format", "json")
    assert {found["rule"] for found in json.loads(out)["findings"]} == {"invalid-value", "contradiction"}


def test_a_fix_in_one_file_changes_what_is_found_in_another(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The second turn cannot follow the first one; as long as that is broken JSON, nobody can know."""
    (here / "turn-2.md").write_text(ALL)
    (here / "turn-1.md").write_text(ALL.replace('"done"', '"done",'))
    _, out, _ = check(capsys, "--fix", "--unsafe-fixes", "turn-2.md", "turn-1.md")
    assert "turn-2.md:6:20: warning[illegal-transition]" in out
    assert check(capsys, "turn-2.md", "turn-1.md")[1].startswith(out.partition("\nFound")[0])


# The files


@pytest.mark.parametrize(
    "text",
    [
        TURN.replace("\n", "\r\n"),
        TURN.replace("\n", "\r"),
        "\ufeff" + TURN,
        TURN.rstrip("\n"),
        TURN + "\x0b\u2028 \U0001f642",
    ],
    ids=["CRLF", "CR", "BOM", "no newline at the end", "odd characters"],
)
def test_every_byte_outside_the_edits_stays(turn: Path, text: str) -> None:
    turn.write_bytes(text.encode())
    main(["check", "--fix"])
    assert turn.read_bytes() == text.replace('"done",', '"done"').encode()


def test_mode_and_link_stay(turn: Path) -> None:
    turn.chmod(0o640)
    (turn.parent / "folder").mkdir()
    target = turn.rename(turn.parent / "folder" / "target.md")
    turn.symlink_to(target)
    main(["check", "--fix", "turn.md"])
    assert turn.is_symlink()
    assert target.read_text() == SAFE
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert [path.name for path in target.parent.iterdir()] == ["target.md"]


def test_a_file_that_is_not_changed_is_not_written(turn: Path) -> None:
    turn.write_text(SAFE)
    before = turn.stat()
    main(["check", "--fix"])
    assert (turn.stat().st_ino, turn.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_file_that_changed_meanwhile_is_not_written(
    turn: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor saves between the check and the write."""
    (turn.parent / "other.md").write_text(TURN)

    def and_save(path: Path, before: str, after: str) -> None:
        if path == turn:
            turn.write_text("Mine.\n")
        replace_text(path, before, after)

    monkeypatch.setattr("handoff_lsp.cli.checking.fixing.replace_text", and_save)
    code, out, err = check(capsys, "--fix")
    assert code == 2
    assert err == "handoff-lsp: error: turn.md: not fixed: changed meanwhile\n"
    assert turn.read_text() == "Mine.\n"
    assert (turn.parent / "other.md").read_text() == SAFE
    assert "\n1 file could not be fixed.\n" in out
    assert "turn.md:9:26: error[invalid-json]" in out  # the findings of the text that was read


def test_a_read_only_file_is_not_written(turn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turn.chmod(0o444)
    code, _, err = check(capsys, "--fix")
    assert (code, err) == (2, "handoff-lsp: error: turn.md: not fixed: read-only\n")
    assert turn.read_text() == TURN


def test_a_file_with_two_names_is_not_written(turn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.link(turn, turn.parent / "second-name")
    code, _, err = check(capsys, "--fix")
    assert (code, err) == (2, "handoff-lsp: error: turn.md: not fixed: a file with 2 names (hard links)\n")
    assert turn.read_text() == TURN


def test_a_folder_that_cannot_be_written() -> None:
    with tempfile.TemporaryDirectory() as name:  # the folders above pytest's own are closed to others
        path = Path(name) / "turn.md"
        path.write_text("old")
        path.chmod(0o666)
        path.parent.chmod(0o555)
        root = os.geteuid() == 0
        try:
            if root:
                os.seteuid(65534)
            with pytest.raises(NotReplaced) as caught:
                replace_text(path, "old", "new")
        finally:
            if root:
                os.seteuid(0)
            path.parent.chmod(0o755)
        assert caught.value.reason == "cannot be written: permission denied"
        assert path.read_text() == "old"


def test_no_room_for_the_new_file(turn: Path) -> None:
    """The system refuses to write more than 100 bytes, as a full disk would."""
    program = f"""
import os, resource, signal, sys
from handoff_lsp.cli.main import main
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
os.chdir({str(turn.parent)!r})
sys.exit(main(["check", "--fix"]))
"""
    done = _python(program)
    assert done.stderr.endswith(b"turn.md: not fixed: cannot be written: File too large\n")
    assert done.returncode == 2
    assert turn.read_text() == TURN
    assert [path.name for path in turn.parent.iterdir()] == ["turn.md"]


def test_killed_in_the_middle_a_file_is_the_old_or_the_new_one(tmp_path: Path) -> None:
    """A process that writes all the time is killed at random moments."""
    path, big = tmp_path / "turn.md", "x" * 500_000
    texts = [f"old {big}", f"new {big}"]
    program = f"""
from pathlib import Path
from handoff_lsp.workspace.disk.replacing import replace_text
path, texts = Path({str(path)!r}), {{text[:3]: text for text in ("old " + "x" * 500_000, "new " + "x" * 500_000)}}
print("ready", flush=True)
while True:
    now = path.read_text()
    replace_text(path, now, texts["new" if now.startswith("old") else "old"])
"""
    seen, rng = set(), random.Random(5)
    path.write_text(texts[0])
    for _ in range(12):
        process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, env=_environment())
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(rng.uniform(0.0, 0.05))
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        now = path.read_text()
        assert now in texts
        seen.add(now)
    assert seen == set(texts), "no write was seen"


def test_every_failure_of_a_write_leaves_the_file_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "turn.md"
    path.write_text("old")
    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(replacing.os, name, _fail)
            with pytest.raises(NotReplaced, match="Input/output error"):
                replace_text(path, "old", "new")
        assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("turn.md", "old")]


def _fail(*_: object) -> None:
    raise OSError(5, "Input/output error")


def _python(program: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, env=_environment(), timeout=60)


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}


@pytest.mark.parametrize("text", [b"\xff no text", TURN.encode()], ids=["not UTF-8", "broken config"])
def test_standard_input_is_written_as_it_is_if_it_cannot_be_checked(run: Any, here: Path, text: bytes) -> None:
    (here / ".handoff-lsp.toml").write_text("bad = [", encoding="utf-8")
    done = run("check", "--fix", "-", stdin=text)
    assert (done.returncode, done.stdout) == (2, text)
