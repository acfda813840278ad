"""The line of progress of a long run on a terminal."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TextIO, TypeVar

from handoff_lsp.cli.usage import INTERRUPTED
from handoff_lsp.language import say

# How long a run takes before it has a line of progress, and how long a line stays as it is (seconds).
PATIENCE = 2.0
PAUSE = 0.1

Item = TypeVar("Item")


class FileProgress:
    """Counts the files of a run, and draws the line. ``done`` and ``total`` are numbers of files; 0 before the run."""

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        """``stream``: the terminal of the line, None if it is not shown."""
        self.done: int = 0
        self.total: int = 0
        self._stream = stream
        self._clock = clock
        self._cells = 0  # of the line that is on the screen

    def over(self, items: Sequence[Item]) -> Iterator[Item]:
        """The items, counting each one once the next one is asked for."""
        self.total, begin = len(items), self._clock()
        drawn = begin + PATIENCE - PAUSE
        for item in items:
            yield item
            self.done += 1
            if self._stream is not None and self.done < self.total:
                now = self._clock()
                if now - drawn >= PAUSE:
                    drawn = now
                    self._draw(self._words(now - begin))
        self.erase()

    def erase(self) -> None:
        """Remove the line from the screen, for other output."""
        self._draw("")

    def interrupted(self) -> int:
        """Say how far a run came that is interrupted. Returns the exit code."""
        self.erase()
        sys.stdout.flush()
        words = say("interrupted")
        if self.total:
            words = say("interrupted: {done:,} of {total:,} files were checked", done=self.done, total=self.total)
        print(f"handoff-lsp: {words}", file=sys.stderr, flush=True)
        return INTERRUPTED

    def writing(self, write: Callable[[str], object]) -> Callable[[str], object]:
        """The same function, which removes the line first."""

        def write_without_line(text: str) -> object:
            self.erase()
            return write(text)

        return write_without_line if self._stream is not None else write

    def _words(self, seconds: float) -> str:
        rate = self.done / seconds
        return say(
            "checked {done:,} of {total:,} files ({rate:,}/s, {left:,} s left)",
            done=self.done,
            total=self.total,
            rate=round(rate),
            left=round((self.total - self.done) / rate),
        )

    def _draw(self, line: str) -> None:
        """Replace the line by another one. Blanks erase it in every terminal."""
        if self._stream is None or (not line and not self._cells):
            return
        import shutil  # loads three libraries for compression

        line = line[: shutil.get_terminal_size().columns - 1]
        blank = " " * max(self._cells - len(line), 0)
        self._stream.write(f"\r{line}{blank}\r" if not line else f"\r{line}{blank}")
        self._stream.flush()
        self._cells = len(line)


def progress_for(*, quiet: bool) -> FileProgress:
    """The progress of a run of the command: shown to a person only."""
    shown = not quiet and sys.stderr.isatty() and not os.environ.get("CI") and os.environ.get("TERM") != "dumb"
    return FileProgress(sys.stderr if shown else None)
