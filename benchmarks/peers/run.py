"""Running the script of one cell in a new workspace."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers.tools import Tool

SECONDS = 60


@dataclass(frozen=True)
class Ran:
    """What a script did: its exit code, its output, and the text of each file in the workspace at its end."""

    code: int
    out: str
    err: str
    files: dict[str, str]
    tool: Tool

    @property
    def crashed(self) -> bool:
        """True if the output has the trace of a crash."""
        signs = ("Traceback (most recent", "panicked at", "Ruff crashed", "Unhandled", "    at ")
        return any(sign in self.out + self.err for sign in signs)


def run(tool: Tool, script: str, path: list[Path]) -> Ran:
    """Run a script in a new workspace of the tool. `path`: folders of programs, before those of PATH."""
    with tempfile.TemporaryDirectory(prefix="peers-") as name:
        place = Path(name) / "work"
        for file, text in tool.files.items():
            (place / file).parent.mkdir(parents=True, exist_ok=True)
            (place / file).write_text(text, encoding="utf-8", newline="")
        process = subprocess.Popen(
            ["bash", "-c", tool.command(script)],
            cwd=place,
            env=_environment(Path(name), path),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            out, err = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
        files = {
            file.relative_to(place).as_posix(): file.read_bytes().decode("utf-8", "replace")
            for file in sorted(place.rglob("*"))
            if file.is_file() and ".git/" not in f"{file.relative_to(place).as_posix()}/"
        }
        return Ran(process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"), files, tool)


def _environment(home: Path, path: list[Path]) -> dict[str, str]:
    """None of the user's settings: no config, no cache, no CI, a terminal of 100 columns."""
    return {
        "PATH": os.pathsep.join([*map(str, path), os.environ["PATH"]]),
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "COLUMNS": "100",
        **{f"GIT_{who}_{what}": "peers@localhost" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
        **{name: os.environ[name] for name in ("PYTHONPATH", "PYENV_ROOT", "PYENV_VERSION") if name in os.environ},
    }
