"""The event in an agent's input, the reaction to it, and the description of an agent."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, Literal

from handoff_lsp.text.named_tuple import NamedTuple

# `began`: an agent got a prompt. `edit`: files were written. `stop`: an agent is about to end. `noted`: either of these
# two, without a way to answer.
EventKind = Literal["began", "edit", "stop", "noted", "other"]


class HookEvent(NamedTuple):
    """One call of a hook. Paths are as the agent gave them, relative ones from ``cwd``."""

    kind: EventKind
    name: str = ""  # the event as the agent calls it
    session: str = ""
    subagent: str = ""  # which subagent it is about; empty: the main agent
    agent: str = ""  # the agent's name, as its definition has it; empty if it is not known
    cwd: str = ""
    files: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()  # what the agent's program calls it
    message: str | None = None  # the agent's last words, perhaps none; None if the input does not say
    repeats: bool = False  # whether they begin with its words before a hook kept it from ending
    transcript: str = ""  # a transcript of the form that `transcript.py` reads
    again: bool | None = None  # whether the agent continues only because a hook kept it from ending; None: unknown


class Reaction(NamedTuple):
    """The content of the answer: a ``complaint`` or ``advice``, perhaps with a ``note``; and what the log keeps."""

    complaint: str = ""  # to the agent, which must correct something
    advice: str = ""  # to the agent, which may continue
    note: str = ""  # to the user
    judged: bool = False  # whether there was a handoff, or one was owed
    rules: tuple[str, ...] = ()  # those of the findings that must be corrected
    unchecked: str = ""  # why not all could be checked
    is_repeated: bool = False  # whether another process has answered this event


class Agent(NamedTuple):
    """An agent's format."""

    title: str
    read: Callable[[Mapping[str, Any]], HookEvent]
    answer: Callable[[HookEvent, Reaction], dict[str, Any]]  # the JSON object for it; empty: no output
    config: Mapping[str, Any]  # the settings that switch the hook on
    config_file: str  # the path of these settings, from the root of a project


def text_at(data: Mapping[str, Any], *names: str) -> str:
    """The text under the first of the names that has one."""
    return next((value for name in names if isinstance(value := data.get(name), str)), "")


def text_or_none(data: Mapping[str, Any], name: str) -> str | None:
    """The text under a name, or None."""
    value = data.get(name)
    return value if isinstance(value, str) else None


def time_at(text: str) -> float | None:
    """A time in ISO 8601 as seconds since 1970; None if it is none."""
    from datetime import UTC, datetime  # most events need no time

    try:
        time = datetime.fromisoformat(text)
        return (time if time.tzinfo is not None else time.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


def flag_at(data: Mapping[str, Any], *names: str) -> bool | None:
    """The truth value under the first of the names that has one."""
    return next((value for name in names if isinstance(value := data.get(name), bool)), None)


def written_paths(arguments: object) -> tuple[str, ...]:
    """The paths in the arguments of a tool that writes files, which may themselves be a text of JSON."""
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (ValueError, RecursionError):
            return ()
    if not isinstance(arguments, dict):
        return ()
    many = arguments.get("files")
    one = text_at(arguments, "file_path", "filePath", "path")
    listed = [path for path in many if isinstance(path, str)] if isinstance(many, list) else []
    return tuple(path for path in (one, *listed) if path)
