"""Transport over stdin and stdout, and a watch for the end of the client's process."""

from __future__ import annotations

import asyncio
import logging
import os
import select
import sys
import threading
from collections.abc import Callable

log: logging.Logger = logging.getLogger(__name__)

CHUNK = 1 << 16
WATCH_INTERVAL = 2.0


class Stdin:
    """Reads stdin for the event loop, which handles all messages of one chunk in one step.

    A thread reads, so that a client never waits for a busy server, and so that it works for files and on Windows.
    """

    def __init__(self, fd: int) -> None:
        self.stream: asyncio.StreamReader = asyncio.StreamReader(limit=CHUNK)
        self._fd = fd
        self._loop = asyncio.get_running_loop()
        self._ended = False

    def start(self) -> None:
        """Begin to read."""
        threading.Thread(target=self._pump, name="stdin", daemon=True).start()

    def end(self) -> None:
        """End the stream; later input is ignored."""
        if not self._ended:
            self._ended = True
            self.stream.feed_eof()

    def _feed(self, chunk: bytes) -> None:
        if not self._ended:
            self.stream.feed_data(chunk)

    def _pump(self) -> None:
        try:
            # os.read, not sys.stdin: a thread that waits in a buffered reader would hold its lock at exit.
            while chunk := os.read(self._fd, CHUNK):
                self._loop.call_soon_threadsafe(self._feed, chunk)
        except OSError as error:
            log.warning("stdin cannot be read: %s", error)
        except RuntimeError:
            return  # the loop is closed
        try:
            self._loop.call_soon_threadsafe(self.end)
        except RuntimeError:
            return


class Stdout:
    """Writes messages. If the client is gone, the session ends and the writer gets no error."""

    def __init__(self, fd: int, lost: Callable[[], None]) -> None:
        self._fd = fd
        self._lost = lost
        self._open = True

    def write(self, data: bytes) -> None:
        """Write all of it."""
        rest = memoryview(data)
        while rest and self._open:
            try:
                rest = rest[os.write(self._fd, rest) :]
            except BlockingIOError:
                select.select([], [self._fd], [])  # a client may have made the pipe non-blocking
            except OSError:
                self._open = False
                self._lost()

    def close(self) -> None:
        """Stop writing; later data is dropped."""
        self._open = False


def claim_stdout() -> int:
    """Reserve stdout for the protocol: returns a new descriptor for it, and sends all printed text to stderr."""
    sys.stdout.flush()
    claimed = os.dup(1)
    try:
        os.dup2(2, 1)
    except OSError:  # started without a stderr
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.stdout = sys.stderr
    return claimed


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
