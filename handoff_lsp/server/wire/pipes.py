"""Stdin and stdout of the process. Imports so little that the server can use them before anything else is loaded."""

from __future__ import annotations

import logging
import os
import select
import sys
import threading
from collections.abc import Callable

log: logging.Logger = logging.getLogger(__name__)

CHUNK = 1 << 16


class Stdin:
    """Reads stdin in a thread, so that a client never waits for a busy server, and so that it works on Windows.

    Until ``attach``, the input is held, and ``look`` gets all of it after each chunk. It must not change it.
    """

    def __init__(self, fd: int, look: Callable[[bytearray], None] = lambda _held: None) -> None:
        self._fd = fd
        self._look = look
        self._held = bytearray()
        self._ended = False
        self._sink: Callable[[bytes], None] | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        """Begin to read."""
        threading.Thread(target=self._pump, name="stdin", daemon=True).start()

    def attach(self, sink: Callable[[bytes], None]) -> None:
        """Give all chunks so far, and all later ones, to ``sink``; at the end of the input, ``b""``."""
        with self._lock:
            self._sink = sink
            if self._held:
                sink(bytes(self._held))
            self._held.clear()
            if self._ended:
                sink(b"")

    def _pump(self) -> None:
        try:
            # os.read, not sys.stdin: a thread that waits in a buffered reader would hold its lock at exit.
            while chunk := os.read(self._fd, CHUNK):
                if not self._give(chunk):
                    return
        except OSError as error:
            log.warning("stdin cannot be read: %s", error)
        self._give(b"")

    def _give(self, chunk: bytes) -> bool:
        """Whether a chunk is still of use."""
        with self._lock:
            if self._sink is None:
                self._held += chunk
                self._ended = not chunk
                self._look(self._held)
                return True
            try:
                self._sink(chunk)
            except RuntimeError:
                return False  # the loop is closed
            return True


class Stdout:
    """Writes messages. If the client is gone, the session ends and the writer gets no error."""

    def __init__(self, fd: int, lost: Callable[[], None] = lambda: None) -> None:
        self._fd = fd
        self._open = True
        self.lost = lost

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
                self.lost()

    @property
    def is_open(self) -> bool:
        """False once the client is gone, or after ``close``."""
        return self._open

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
