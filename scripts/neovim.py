"""The data of the Neovim plugin from the contracts: usual places of handoffs, names of logs, contracts, profiles."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterable

from handoff_lsp.contracts.registry import Registry

# The width of a line in a nested table, without indentation and comma.
_WIDTH = 111


def places(registry: Registry) -> str:
    """The text of editors/neovim/lua/handoff/places.lua."""
    contracts = [entry.contract for entry in registry]
    globs = [glob for one in contracts for glob in (*one.usual, *(f"**/{place}" for place in one.locations))]
    logs = [one.locations for one in contracts if one.file is not None and one.file.syntax == "log"]
    names = [posixpath.basename(location) for locations in logs for location in locations]
    head = "-- Generated from schemas/contracts by `make generate`: usual places, contracts and profiles.\n"
    profiles = "".join(f"\t\t{_row(one.contract, one.profiles)},\n" for one in contracts)
    return f"{head}return {{\n{_list('globs', globs)}{_list('logs', names)}\tprofiles = {{\n{profiles}\t}},\n}}\n"


def _row(key: str, texts: Iterable[str]) -> str:
    """A key with a list of texts, in one line if it fits."""
    items = [json.dumps(text) for text in texts]
    row = f"[{json.dumps(key)}] = {{ {', '.join(items)} }}"
    if len(row) <= _WIDTH:
        return row
    return f"[{json.dumps(key)}] = {{\n" + "".join(f"\t\t\t{item},\n" for item in items) + "\t\t}"


def _list(key: str, texts: list[str]) -> str:
    """A list of texts as stylua formats it; printable ASCII strings are the same in JSON and Lua."""
    items = "".join(f"\t\t{json.dumps(text)},\n" for text in dict.fromkeys(texts))
    return f"\t{key} = {{\n{items}\t}},\n"
