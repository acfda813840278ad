"""What the event loop needs of the process: its input as a stream, and a watch for the end of the client's process."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable

from handoff_lsp.server.wire.pipes import CHUNK, Stdin

log: logging.Logger = logging.getLogger(__name__)

WATCH_INTERVAL = 2.0


class InputStream:
    """The input as a stream of the event loop, which handles all messages of one chunk in one step."""

    def __init__(self, stdin: Stdin) -> None:
        self.stream: asyncio.StreamReader = asyncio.StreamReader(limit=CHUNK)
        self._stdin = stdin
        self._loop = asyncio.get_running_loop()
        self._ended = False

    def start(self) -> None:
        """Begin to feed the stream."""
        self._stdin.attach(self._take)

    def end(self) -> None:
        """End the stream; later input is ignored."""
        if not self._ended:
            self._ended = True
            self.stream.feed_eof()

    def _take(self, chunk: bytes) -> None:
        self._loop.call_soon_threadsafe(self._feed, chunk)

    def _feed(self, chunk: bytes) -> None:
        if not chunk:
            self.end()
        elif not self._ended:
            self.stream.feed_data(chunk)


async def watch_parent(pid: int, end: Callable[[], None]) -> None:
    """Call ``end`` when a process has ended."""
    if os.name == "nt":
        return  # os.kill would kill the process on Windows; the end of stdin is the only sign there
    child = os.getppid() == pid
    while _lives(pid) and not (child and os.getppid() != pid):  # noqa: ASYNC110  (the end of a parent sends no event)
        await asyncio.sleep(WATCH_INTERVAL)
    log.warning("The client's process %d is gone", pid)
    end()


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True
