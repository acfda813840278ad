"""A plug-in of pytest: a server that a test starts is a fork of the tests' process, so it has the same slip."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import traceback
from types import SimpleNamespace
from typing import Any, BinaryIO

import server.client


class ForkedServer:
    """What the client of the tests uses of ``subprocess.Popen``; the arguments are ignored."""

    def __init__(self, *_: object, **__: object) -> None:
        ends = [os.pipe() for _ in range(3)]
        (read_in, write_in), (read_out, write_out), (read_err, write_err) = ends
        self.pid = os.fork()
        if not self.pid:
            for number, end in enumerate((read_in, write_out, write_err)):
                os.dup2(end, number)
            for end in (end for pair in ends for end in pair):
                os.close(end)
            _serve()
        for end in (read_in, write_out, write_err):
            os.close(end)
        self.stdin: BinaryIO = os.fdopen(write_in, "wb")
        self.stdout: BinaryIO = os.fdopen(read_out, "rb")
        self.stderr: BinaryIO = os.fdopen(read_err, "rb")
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """The exit code; None while it runs."""
        if self.returncode is None and (ended := os.waitpid(self.pid, os.WNOHANG))[0]:
            self.returncode = os.waitstatus_to_exitcode(ended[1])
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end, at most so many seconds, and return the exit code."""
        end = time.monotonic() + (timeout or 1e9)
        while (code := self.poll()) is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired("server", timeout or 0)
            time.sleep(0.001)
        return code

    def kill(self) -> None:
        """End it, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)


def _serve() -> None:
    """Serve as ``handoff_lsp/server/start.py`` does, but keep nothing for another start."""
    from handoff_lsp.server.main import serve_pipes
    from handoff_lsp.server.wire.first_answer import FirstAnswer
    from handoff_lsp.server.wire.kept import Kept
    from handoff_lsp.server.wire.pipes import Stdin, Stdout

    code = 1
    try:
        stdout = Stdout(1)
        first_answer = FirstAnswer(Kept(None), stdout)
        stdin = Stdin(0, first_answer.look)
        stdin.start()
        code = serve_pipes(stdin, stdout, first_answer, lambda: None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


SUBPROCESS: Any = SimpleNamespace(Popen=ForkedServer, PIPE=subprocess.PIPE)


def pytest_configure() -> None:
    """Let the client of the tests start such servers."""
    vars(server.client)["subprocess"] = SUBPROCESS
