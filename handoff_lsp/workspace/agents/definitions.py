"""The definitions of agents in a workspace: the files in which agent programs find prompts.

Sources: the documentation of the programs on agents and subagents (Claude Code, Codex, Gemini CLI, OpenCode, GitHub
Copilot, Cursor, Qwen Code, Factory, Kiro). Nothing outside the root is read, so a user's own definitions are unknown.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from handoff_lsp.contracts.owed import agent_name
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text
from handoff_lsp.workspace.memo import Memo, Reads

# The most files that are read below a root, their largest size in bytes, and the most folders inside each other.
MAX_FILES = 500
MAX_BYTES = 300_000
_DEEPEST = 4

_MARKDOWN = (".md", ".markdown")
# The folders with one agent in each file, with the suffixes of these files. The first definition of a name counts.
_FOLDERS: Mapping[str, tuple[str, ...]] = {
    ".claude/agents": _MARKDOWN,
    "agents": _MARKDOWN,
    ".codex/agents": (".toml",),
    ".gemini/agents": _MARKDOWN,
    ".opencode/agent": _MARKDOWN,
    ".opencode/agents": _MARKDOWN,
    ".cursor/agents": _MARKDOWN,
    ".github/agents": _MARKDOWN,
    ".qwen/agents": _MARKDOWN,
    ".factory/droids": _MARKDOWN,
    ".kiro/agents": (*_MARKDOWN, ".json"),
}
# A folder with plug-ins, each with such a folder of its own.
_PLUGINS = "plugins"
# The files of OpenCode with several agents, and that of Codex, which names the files of some agents.
_SEVERAL = ("opencode.json", ".opencode/opencode.json")
_CODEX = ".codex/config.toml"

# Files beside definitions that define no agent.
_NO_AGENTS = frozenset({"readme.md", "agents.md", "claude.md", "gemini.md", "skill.md", "changelog.md"})

_FRONT_MATTER = lazy_pattern(r"\ufeff?---[ \t]*\r?\n(?P<lines>.*?)\r?\n---[ \t]*(?:\r?\n|$)", re.DOTALL)
_NAME = lazy_pattern(r"(?m)^name:[ \t]*(?P<quote>[\"']?)(?P<name>[^\r\n#]+?)(?P=quote)[ \t]*(?:#.*)?\r?$")
# A prompt in a file of its own, relative to the file that names it.
_PROMPT_FILE = lazy_pattern(r"file://(?P<kiro>.+)|\{file:(?P<opencode>[^}]+)\}")


class AgentDefinition(NamedTuple):
    """The definition of an agent.

    ``names`` are the names by which it is known, as they are compared, its own name before that of its file. ``path``
    is from the root, with ``/``; ``text`` is all of that file. ``prompt`` is the Markdown of the prompt, which begins
    in the 1-based ``line`` of the file ``prompt_path``.
    """

    names: tuple[str, ...]
    path: str
    text: str
    prompt: str
    prompt_path: str
    line: int

    @property
    def agent(self) -> str:
        """The agent's name, as it is compared."""
        return self.names[0]


def definitions_in(root: str, memo: Memo) -> Mapping[str, AgentDefinition]:
    """The definitions in a workspace, by the agents' names; the same object until one of the files changes.

    ``root`` is absolute. A file that cannot be read, or has no prompt, defines nothing.
    """
    files = memo.look(_files, root) or ()

    def read(reads: Reads) -> Mapping[str, AgentDefinition]:
        found = _by_name(_read_all(root, files))
        for prompt in {one.prompt_path for one in found.values() if one.prompt_path != one.path}:
            reads.ask(_stamp, memo, os.path.join(root, prompt))
        return found

    return memo.about(root).verified("definitions of agents", files, read)


def _stamp(memo: Memo, full: str) -> tuple[int, int] | None:
    """The time and size of a file; None without one."""
    about = memo.look(os.stat, full)
    return (about.st_mtime_ns, about.st_size) if about is not None else None


def _files(root: str) -> tuple[tuple[str, int, int], ...]:
    """The files that may define agents, from the root, with the time and size of each."""
    found: dict[str, tuple[int, int]] = {}
    real = os.path.realpath(root)
    for path in _paths(root):
        full = os.path.join(root, path)
        if len(found) >= MAX_FILES:
            break
        try:
            about = os.stat(full)
        except OSError:
            continue
        if about.st_size <= MAX_BYTES and _is_within(os.path.realpath(full), real):
            found[path] = about.st_mtime_ns, about.st_size
    return tuple((path, *stamp) for path, stamp in found.items())


def _paths(root: str) -> Iterator[str]:
    for folder, suffixes in _FOLDERS.items():
        yield from _below(root, folder, suffixes, _DEEPEST)
    for plugin in _entries(os.path.join(root, _PLUGINS)):
        yield from _below(root, f"{_PLUGINS}/{plugin}/agents", _MARKDOWN, _DEEPEST)
    yield from (_CODEX, *_SEVERAL)


def _below(root: str, folder: str, suffixes: tuple[str, ...], depth: int) -> Iterator[str]:
    full = os.path.join(root, folder)
    for name in _entries(full):
        path = f"{folder}/{name}"
        if name.lower().endswith(suffixes):
            if name.lower() not in _NO_AGENTS:
                yield path
        elif depth > 0 and "." not in name and not os.path.islink(os.path.join(root, path)):
            yield from _below(root, path, suffixes, depth - 1)


def _entries(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry, _ in zip(entries, range(MAX_FILES), strict=False))
    except OSError:
        return []


def _is_within(full: str, root: str) -> bool:
    return full == root or full.startswith(root.rstrip(os.sep) + os.sep)


def _by_name(definitions: list[AgentDefinition]) -> Mapping[str, AgentDefinition]:
    """Agents' own names count before the names of files."""
    found: dict[str, AgentDefinition] = {}
    for place in range(max((len(one.names) for one in definitions), default=0)):
        for definition in definitions:
            for name in definition.names[place : place + 1]:
                found.setdefault(name, definition)
    return found


def _read_all(root: str, files: tuple[tuple[str, int, int], ...]) -> list[AgentDefinition]:
    found: list[AgentDefinition] = []
    for path, _, _ in files:
        text = _text(os.path.join(root, path))
        if text is not None:
            found += defined(root, path, text)
    return found


def _text(full: str) -> str | None:
    try:
        return read_text(Path(full), limit=MAX_BYTES)
    except UnreadableFile:
        return None


def defined(root: str, path: str, text: str) -> Iterator[AgentDefinition]:
    """The definitions in a file of a workspace; ``path`` is from its root."""
    if path == _CODEX:
        agents = _dict(_toml(text).get("agents"))
        named = ((name, _dict(told).get("config_file")) for name, told in agents.items())
        for name, file in named:
            prompt = _prompt_in(root, path, file) if isinstance(file, str) else None
            if prompt is not None:
                inner = _toml(prompt.text)
                yield from _of_data(root, prompt.path, prompt.text, {"name": name, **inner}, "developer_instructions")
    elif path in _SEVERAL:
        for name, told in _dict(_json(text).get("agent")).items():
            yield from _of_data(root, path, text, {**_dict(told), "name": name}, "prompt")
    elif path.endswith(".toml"):
        yield from _of_data(root, path, text, _toml(text), "developer_instructions")
    elif path.endswith(".json"):
        yield from _of_data(root, path, text, _json(text), "prompt")
    else:
        yield AgentDefinition(_names(_name_in(text), path), path, text, text, path, 1)


def _of_data(root: str, path: str, text: str, data: Mapping[str, Any], key: str) -> Iterator[AgentDefinition]:
    """The definition in the data of a TOML or JSON file, whose prompt is behind a key or in a file of its own."""
    prompt, name = data.get(key), data.get("name")
    if not isinstance(prompt, str):
        return
    names = _names(name if isinstance(name, str) else "", "" if path in _SEVERAL else path)
    named = _PROMPT_FILE.fullmatch(prompt.strip())
    if named is None:
        yield AgentDefinition(names, path, text, prompt, path, _line_of(text, key, prompt))
        return
    file = _prompt_in(root, path, named["kiro"] or named["opencode"])
    if file is not None:
        yield AgentDefinition(names, path, text, file.text, file.path, 1)


class _File(NamedTuple):
    path: str
    text: str


def _prompt_in(root: str, beside: str, name: str) -> _File | None:
    """A file that a definition names, if it is in the root, also after its links."""
    full = os.path.normpath(os.path.join(root, os.path.dirname(beside), name.strip()))
    real = os.path.realpath(root)
    if "\0" in name or not _is_within(full, os.path.normpath(root)) or not _is_within(os.path.realpath(full), real):
        return None
    text = _text(full)
    return _File(os.path.relpath(full, root).replace(os.sep, "/"), text) if text is not None else None


def _line_of(text: str, key: str, prompt: str) -> int:
    """The 1-based line where a prompt begins in its file: that of its first words, else that of its key, else 1."""
    first = next((line.strip() for line in prompt.splitlines() if line.strip()), "")
    at = text.find(first) if first else -1
    if at >= 0:
        before = prompt[: prompt.find(first)].count("\n")
        return max(text.count("\n", 0, at) + 1 - before, 1)
    place = re.search(rf"(?m)^[ \t]*\"?{re.escape(key)}\"?[ \t]*[=:]", text)
    return text.count("\n", 0, place.start()) + 1 if place is not None else 1


def _names(own: str, path: str) -> tuple[str, ...]:
    """The names of an agent: its own, and that of its file with and without ``-agent``."""
    file = agent_name(path)
    return tuple(dict.fromkeys(name for name in (agent_name(own), file, file.removesuffix("-agent")) if name))


def _name_in(text: str) -> str:
    """The name in the front matter of a Markdown file; empty without one."""
    front = _FRONT_MATTER.match(text)
    named = _NAME.search(front["lines"]) if front is not None else None
    return named["name"].strip() if named is not None else ""


def _toml(text: str) -> Mapping[str, Any]:
    import tomllib  # few agents are defined in TOML

    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (tomllib.TOMLDecodeError, ValueError, RecursionError):
        return {}


def _json(text: str) -> Mapping[str, Any]:
    try:
        return _dict(json.loads(text.removeprefix("\ufeff")))
    except (ValueError, RecursionError):
        return {}


def _dict(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
