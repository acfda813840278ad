"""Settings as editors send them: in the shape of a config file, in the spellings that editors have for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handoff_lsp.text.lazy import lazy_pattern

SECTION = "handoff-lsp"

# More levels of tables and lists than this are no settings: to follow them would exhaust the stack.
MAX_DEPTH = 50

# Editors' own extensions keep these in the same section: how to start the server, and how much to log.
_EXTENSION_KEYS = frozenset({"enable", "server", "trace"})
_CONFIG_KEYS = frozenset(
    {
        "agents",
        "baseline",
        "config",
        "contract-files",
        "contract-packages",
        "contracts",
        "disable",
        "editor",
        "examples",
        "exclude",
        "extend",
        "files",
        "prompts",
        "rules",
    }
)
_HUMP = lazy_pattern(r"(?<=[a-z0-9])[A-Z]")


def settings_of(sent: object, *, shared: bool = False) -> dict[str, Any]:
    """A client's settings in the shape of a config file; empty where none of them are meant for this server.

    The settings may be under ``handoff-lsp``. ``shared``: the client sends the settings of other servers, too, so
    without that key they are ours only if one of the keys is. Keys may be in camel case; null, and an
    empty list or text, means not set: it is what an editor shows for a setting without a value.
    """
    if not isinstance(sent, Mapping):
        return {}
    sent = _nested(sent)
    under = next((key for key in sent if _kebab(key.replace("_", "-")) == SECTION), None)
    if under is not None:
        sent = sent[under]
        if not isinstance(sent, Mapping):
            return {}
    found = _table(_nested(sent))
    if shared and under is None and not _CONFIG_KEYS.intersection(found):
        return {}
    return {key: value for key, value in found.items() if key not in _EXTENSION_KEYS and value not in ([], "")}


def is_deeper(data: object, depth: int) -> bool:
    """Whether data has more levels of tables and lists than a bound."""
    level = [data]
    for _ in range(depth + 1):
        level = [
            inner
            for each in level
            if isinstance(each, (Mapping, list, tuple))
            for inner in (each.values() if isinstance(each, Mapping) else each)
        ]
        if not level:
            return False
    return True


def merged(data: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Tables merged by key; everything else replaced."""
    result = dict(data)
    for key, value in over.items():
        mine = result.get(key)
        result[key] = merged(mine, value) if isinstance(mine, dict) and isinstance(value, Mapping) else value
    return result


def without(data: Mapping[str, Any], path: tuple[str | int, ...]) -> dict[str, Any]:
    """Data without the value at a path; without the deepest existing part of the path if there is no such value."""
    return _without(data, path)  # type: ignore[no-any-return]


def _without(data: Any, path: tuple[str | int, ...]) -> Any:
    if not path:
        return data
    key, rest = path[0], path[1:]
    if isinstance(data, Mapping) and key in data:
        deeper = rest and _has(data[key], rest[0])
        kept = {name: value for name, value in data.items() if name != key}
        return {**kept, key: _without(data[key], rest)} if deeper else kept
    if isinstance(data, list) and isinstance(key, int) and key < len(data):
        deeper = rest and _has(data[key], rest[0])
        return [*data[:key], *([_without(data[key], rest)] if deeper else []), *data[key + 1 :]]
    return data


def _has(data: Any, key: str | int) -> bool:
    if isinstance(data, Mapping):
        return key in data
    return isinstance(data, list) and isinstance(key, int) and key < len(data)


def _nested(sent: Mapping[Any, Any]) -> dict[str, Any]:
    """Settings whose keys may have dots, ``editor.inlayHints``, as tables."""
    found: dict[str, Any] = {}
    for key, value in sent.items():
        parts = str(key).split(".")
        for part in reversed(parts[1:]):
            value = {part: value}
        found = merged(found, {parts[0]: value})
    return found


def _table(data: Mapping[Any, Any], path: tuple[str, ...] = ()) -> dict[str, Any]:
    """A table with the config's spelling of its keys. Names of contracts and what they declare, and patterns, stay."""
    names = path[:1] == ("contracts",) or path == ("editor", "links")
    found = {}
    for name, value in data.items():
        key = str(name) if names else _kebab(str(name))
        if value is not None:
            found[key] = _value(value, (*path, key))
    return found


def _value(value: Any, path: tuple[str, ...]) -> Any:
    if isinstance(value, Mapping):
        return _table(value, path)
    if isinstance(value, (list, tuple)):
        return [_value(item, path) for item in value if item is not None]
    return value


def _kebab(name: str) -> str:
    return _HUMP.sub(lambda hump: f"-{hump[0]}", name).lower() if _HUMP.search(name) else name
