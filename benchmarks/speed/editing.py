"""The servers measured: start, first diagnostics, keystrokes, memory."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from time import sleep

from benchmarks.speed.documents import ROWS, Document, in_markdown
from benchmarks.speed.figures import Table, by_turns, figure
from benchmarks.speed.session import Session
from benchmarks.speed.tools import BARE, EARLIER, OURS, Programs

SETTLING = 5.0  # seconds
WARM = 20  # keystrokes that do not count
LONG = 1.0  # seconds: a server that takes longer for a keystroke gets a tenth of them


def written(document: Document, folder: Path) -> Path:
    """The document's file in the folder."""
    path = folder / document.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(document.text, encoding="utf-8", newline="")
    return path


def started(programs: Programs, folder: Path, name: str, command: list[str]) -> Session:
    """A server with the folder, begun now; its command is noted."""
    programs.note(name, command, folder)
    return Session(name, command, folder, programs.env)


def starts(programs: Programs, folder: Path, rounds: int) -> Table:
    """Fresh servers: `initialize` answered, and the first diagnostics of a document of 60 lines, since the spawn."""
    path = written(in_markdown(60), folder)
    second: dict[str, list[float]] = {}

    def run(name: str, command: list[str]) -> float:
        with started(programs, folder, name, command) as session:
            session.open(path)
            second.setdefault(name, []).append(session.since_spawn * 1e3)
            return session.started * 1e3

    def runner(name: str, command: list[str]) -> Callable[[], float]:
        return lambda: run(name, command)

    servers = programs.servers()
    for name, command in servers.items():  # an earlier start, with the time to keep something for the next one
        with started(programs, folder, name, command) as session:
            session.open(path)
            sleep(SETTLING)
    first = by_turns({name: runner(name, command) for name, command in servers.items()}, rounds, warm=0)
    return {
        "spawn to `initialize` answered": first,
        "spawn to first diagnostics": {name: figure(values) for name, values in second.items()},
    }


def keystrokes(programs: Programs, folder: Path, edits: int) -> tuple[Table, Table]:
    """Keystroke to diagnostics in each document, by turns; and the memory after them."""
    times: Table = {}
    memory: Table = {}
    for title, make, lines, _ in ROWS:
        document = make(lines)
        path = written(document, folder)
        servers = programs.servers(json=document.language == "json")
        if document.language == "log":
            servers = {name: command for name, command in servers.items() if name in (OURS, EARLIER, BARE)}
        with ExitStack() as stack:
            sessions = [
                stack.enter_context(started(programs, folder, name, command)) for name, command in servers.items()
            ]
            for session in sessions:
                session.open(path, document.language)
            typed([(session, document) for session in sessions], edits)
            times[title] = {session.name: figure(time * 1e3 for time in session.times) for session in sessions}
            memory[title] = {session.name: figure([session.megabytes]) for session in sessions}
    return times, memory


def typed(sessions: list[tuple[Session, Document]], edits: int) -> None:
    """Keystrokes by turns, each session in its document. A slow server gets fewer, and only as many to warm up."""
    for session, document in sessions:
        for _ in range(WARM):
            session.type(document.line, document.column)
            if sum(session.times) > 10 * LONG:
                break
    slow = [session for session, _ in sessions if session.times[-1] > LONG / 4]
    for session, _ in sessions:
        session.times.clear()
        session.idle = session.cpu
    for number in range(edits):
        for session, document in sessions:
            if session not in slow or number % 10 == 0:
                session.type(document.line, document.column)


def many_open(programs: Programs, folder: Path, count: int = 10) -> Table:
    """The memory of each server with ten documents of 60 lines open."""
    document = in_markdown(60)
    paths = [
        written(document._replace(path=f"handoffs/feature-{number}/developer-handoff.md"), folder)
        for number in range(count)
    ]
    row = {}
    for name, command in programs.servers().items():
        with started(programs, folder, name, command) as session:
            for path in paths:
                session.open(path)
                session.type(document.line, document.column)
                session.typed = False
            row[name] = figure([session.megabytes])
    return {f"{count} documents of 60 lines": row}
