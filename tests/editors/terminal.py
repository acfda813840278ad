"""A terminal for a test to type into and to read: tmux gives the screen with its colors and underlines."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from editors.programs import program
from editors.workspace import ROOT, wait_until

OUTPUT = ROOT / "tests" / "editors" / "output"
_STYLE = re.compile(r"\x1b\[([\d;:]*)m|\x0e|\x0f")


class Terminal:
    """A program in a terminal of its own. Its screens are kept in `output` for inspection."""

    def __init__(self, name: str, command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> None:
        self.name = name
        self._shots = 0
        self._own = Path(tempfile.mkdtemp(prefix="handoff-terminal-"))  # a socket's path must be short
        self._tmux = [program("tmux"), "-u", "-f", "/dev/null", "-S", str(self._own / "socket")]
        self._environment = dict(environment)
        size = ["-x", "150", "-y", "45"]
        self._run("new-session", "-d", *size, "-c", str(folder), *command)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self._run("kill-server", check=False)
        shutil.rmtree(self._own, ignore_errors=True)

    def keys(self, *names: str) -> None:
        """Press keys, by tmux's names of them (`Enter`, `Escape`, `C-x`, a letter)."""
        self._run("send-keys", *names)

    def type(self, text: str) -> None:
        """Type a text."""
        self._run("send-keys", "-l", text)

    def screen(self) -> str:
        """The screen as text."""
        return _STYLE.sub("", self.styled())

    def styled(self) -> str:
        """The screen with the codes for colors and underlines."""
        return self._run("capture-pane", "-p", "-e")

    def wait_for(self, condition: str | Callable[[str], object], timeout: float = 30) -> str:
        """The screen once it has these words, or once the condition holds for it."""
        met = (lambda screen: condition in screen) if isinstance(condition, str) else condition
        assert wait_until(lambda: met(self.screen()), timeout), f"waited in vain for {condition}:\n{self.screen()}"
        return self.keep()

    def keep(self) -> str:
        """The screen, which is kept in the output folder."""
        self._shots += 1
        screen = self.screen()
        OUTPUT.mkdir(parents=True, exist_ok=True)
        (OUTPUT / f"{self.name}-{self._shots}.txt").write_text(screen, encoding="utf-8")
        return screen

    def ended(self, timeout: float = 30) -> bool:
        """Whether the program ends in time."""
        return wait_until(lambda: not self._alive(), timeout)

    def _alive(self) -> bool:
        return self._run("has-session", check=False, wanted=False) == "0"

    def _run(self, *arguments: str, check: bool = True, wanted: bool = True) -> str:
        done = subprocess.run(
            [*self._tmux, *arguments], env=self._environment, capture_output=True, encoding="utf-8", check=False
        )
        assert not check or done.returncode == 0, done.stderr
        return done.stdout if wanted else str(done.returncode)


def underlined(styled: str) -> list[str]:
    """The underlined parts of a line with codes."""
    parts = _STYLE.split(styled)  # text and codes by turns
    found = [""]
    on = False
    for text, code in zip(parts[::2], [*parts[1::2], None], strict=True):
        if on:
            found[-1] += text
        elif text and found[-1]:
            found.append("")
        if code is not None:
            on = _underlines(code, on)
    return [part for part in found if part]


def _underlines(code: str, before: bool) -> bool:
    """Whether text is underlined after a code, as `0;4:3;38;5;9`."""
    on = before
    numbers = iter(code.split(";"))
    for number in numbers:
        if number in ("38", "48", "58"):  # a color: of a table with one number, or of three
            for _ in range({"5": 1, "2": 3}.get(next(numbers, ""), 0)):
                next(numbers, None)
        elif number in ("", "0", "24", "4:0"):
            on = False
        elif number == "4" or number.startswith("4:"):
            on = True
    return on
