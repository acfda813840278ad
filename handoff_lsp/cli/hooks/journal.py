"""The log of what became of returns and edits: one JSON object a line, a file a day, without a word of any text.

The files are in the user's own cache folder, beside the hook's memory. A line is one write to the end of a file, so
that several hooks may write at the same time. `report.py` reads them.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Literal

from handoff_lsp.cli.hooks.event import HookEvent, Reaction
from handoff_lsp.cli.hooks.memory import Memory, own_folder
from handoff_lsp.text.named_tuple import NamedTuple

# `bounced`: sent back, or with `observed` it would have been. `let go`: wrong, but sent back often enough before.
Outcome = Literal["clean", "bounced", "let go", "not checked", "owes nothing"]

# Days to keep, and the most bytes of one day: more is not written.
DAYS = 31
_BYTES = 1_000_000
# A name is cut off at this many code points: it comes from the agent's program.
_NAME = 100

_DATE = "%Y-%m-%d"
_TEXTS = ("program", "agent", "session", "event", "outcome")
_TIME = f"{_DATE}T%H:%M:%SZ"


class Entry(NamedTuple):
    """One line. ``time``: seconds since 1970. ``session``: a hash of the agent's run."""

    time: float
    program: str
    agent: str
    session: str
    event: str
    outcome: str
    rules: tuple[str, ...] = ()
    observed: bool = False
    reason: str = ""


def keep(program: str, event: HookEvent, memory: Memory, reaction: Reaction, *, observed: bool) -> None:
    """Add an event to the log, if it is the end of a subagent, or if a handoff was checked."""
    outcome = _outcome(reaction)
    is_return = event.kind == "stop" and bool(event.subagent)
    if event.kind not in {"edit", "stop"} or reaction.is_repeated or (outcome == "owes nothing" and not is_return):
        return
    line = {
        "time": time.strftime(_TIME, time.gmtime()),
        "program": program,
        "agent": event.agent[:_NAME] or ("(subagent)" if event.subagent else "(main agent)"),
        "session": memory.mark,
        "event": "return" if event.kind == "stop" else "edit",
        "outcome": outcome,
        **({"rules": reaction.rules} if reaction.rules else {}),
        **({"observed": True} if observed else {}),
        **({"reason": reaction.unchecked} if reaction.unchecked else {}),
    }
    folder = log_folder()
    if folder is not None:
        with suppress(OSError):  # a full disk
            _add(folder, line)


def read_log(folder: Path | None, since: float) -> Iterator[Entry]:
    """The entries of the log from a time on, in order. Lines that are no entries are skipped."""
    first = time.strftime(_DATE, time.gmtime(since))
    for path in sorted(folder.glob("????-??-??.jsonl")) if folder is not None else ():
        if path.stem >= first:
            with suppress(OSError):
                for line in path.read_bytes().splitlines():
                    entry = _entry(line)
                    if entry is not None and entry.time >= since:
                        yield entry


def log_folder() -> Path | None:
    """The folder of the log, created if it does not exist; None if none can be used."""
    beside = own_folder()
    if beside is None:
        return None
    folder = beside / "log"
    with suppress(FileExistsError, OSError):
        folder.mkdir(mode=0o700)
    return folder if folder.is_dir() else None


def _outcome(reaction: Reaction) -> Outcome:
    if reaction.complaint:
        return "bounced"
    if reaction.unchecked:
        return "not checked"
    if not reaction.judged:
        return "owes nothing"
    return "let go" if reaction.rules else "clean"


def _add(folder: Path, line: Mapping[str, object]) -> None:
    path = folder / f"{time.strftime(_DATE, time.gmtime())}.jsonl"
    is_new = not path.exists()
    number = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        if os.fstat(number).st_size < _BYTES:
            os.write(number, json.dumps(line).encode("ascii") + b"\n")
    finally:
        os.close(number)
    if is_new:
        _clean(folder)


def _clean(folder: Path) -> None:
    """Remove the days that are no longer kept."""
    last = time.strftime(_DATE, time.gmtime(time.time() - DAYS * 24 * 3600))
    for path in folder.glob("????-??-??.jsonl"):
        if path.stem < last:
            with suppress(OSError):
                path.unlink()


def _entry(line: bytes) -> Entry | None:
    try:
        data = json.loads(line)
        at = _seconds(data["time"])
        program, agent, session, event, outcome = (str(data[name]) for name in _TEXTS)
        rules = tuple(map(str, data.get("rules", ())))
        observed, reason = data.get("observed") is True, str(data.get("reason", ""))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return Entry(at, program, agent, session, event, outcome, rules, observed, reason)


def _seconds(text: str) -> float:
    from calendar import timegm

    return float(timegm(time.strptime(text, _TIME)))
