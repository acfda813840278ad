"""The data of the Neovim plugin from the contracts: the usual places of handoffs, and the names of logs."""

from __future__ import annotations

import json
import posixpath

from handoff_lsp.contracts.registry import Registry


def places(registry: Registry) -> str:
    """The text of editors/neovim/lua/handoff/places.lua."""
    contracts = [entry.contract for entry in registry]
    globs = [glob for one in contracts for glob in (*one.usual, *(f"**/{place}" for place in one.locations))]
    logs = [one.locations for one in contracts if one.file is not None and one.file.syntax == "log"]
    names = [posixpath.basename(location) for locations in logs for location in locations]
    head = "-- Generated from schemas/contracts by `make generate`: where handoffs usually are.\n"
    return f"{head}return {{\n{_list('globs', globs)}{_list('logs', names)}}}\n"


def _list(key: str, texts: list[str]) -> str:
    """A list of texts as stylua formats it; printable ASCII strings are the same in JSON and Lua."""
    items = "".join(f"\t\t{json.dumps(text)},\n" for text in dict.fromkeys(texts))
    return f"\t{key} = {{\n{items}\t}},\n"
