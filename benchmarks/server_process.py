"""A server in a process of its own, and the connection to it."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, TypeVar

ROOT = Path(__file__).resolve().parents[1]

# The commands of this server and of the bare one.
OURS = [sys.executable, "-m", "handoff_lsp", "server"]
BARE = [sys.executable, str(ROOT / "benchmarks" / "bare_server.py")]

Own = TypeVar("Own", bound="ServerProcess")


def environment() -> dict[str, str]:
    """The environment in which a process imports this checkout. Python keeps compiled modules, as it usually does."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": ""}


class ServerProcess:
    """A server in a process of its own. `env`: its environment, else one in which it imports this checkout."""

    def __init__(
        self, command: list[str], stderr: IO[bytes] | int = subprocess.DEVNULL, env: dict[str, str] | None = None
    ) -> None:
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, env=env or environment()
        )
        self._ids = 0

    def __enter__(self: Own) -> Own:
        return self

    def __exit__(self, *_: object) -> None:
        with self.process:  # closes its pipes and waits
            assert self.process.stdin is not None
            with suppress(OSError, subprocess.TimeoutExpired):
                self.process.stdin.close()  # a server that ends in order keeps some things for its next start
                self.process.wait(2)
            self.process.kill()

    def initialize(self, **params: Any) -> None:
        """Begin the session."""
        number = self.request("initialize", {"processId": None, "rootUri": None, **params})
        while self.read().get("id") != number:
            pass
        self.notify("initialized", {})

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self.send({"method": method, "params": params})

    def request(self, method: str, params: Any) -> int:
        """Send a request and return its id."""
        self._ids += 1
        self.send({"id": self._ids, "method": method, "params": params})
        return self._ids

    def send(self, message: dict[str, Any]) -> None:
        """Write one message."""
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        """Read one message; a request of the server is answered."""
        assert self.process.stdout is not None
        length = 0
        while line := self.process.stdout.readline().strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if not length:
            raise SystemExit("the server ended")
        found: dict[str, Any] = json.loads(self.process.stdout.read(length))
        if "id" in found and "method" in found:
            self.send({"id": found["id"], "result": self.reply(found["method"], found.get("params"))})
        return found

    @property
    def cpu(self) -> float:
        """The processor time of the server so far, in seconds."""
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9

    @property
    def megabytes(self) -> float:
        """The resident memory of the server and its children, in megabytes."""
        total, processes = 0, [self.process.pid]
        while processes:
            here = Path("/proc") / str(processes.pop())
            with contextlib.suppress(OSError):  # a child may have ended
                total += int((here / "status").read_text().partition("VmRSS:")[2].split()[0])
                for task in (here / "task").iterdir():
                    processes += map(int, (task / "children").read_text().split())
        return total / 1024

    def reply(self, method: str, params: Any) -> Any:
        """The client's result for a request of the server."""
        return None
