"""What the Neovim plugin looks for before it starts a server: the contracts' own forms, as one Lua table.

It only tells that a file may be a handoff. Where a contract asks for several things together, a part of them is enough
here; what a file really is the server decides.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from vim_regex import vim_regex

from handoff_lsp.contracts.model import Contract, Detect, Fence, RunForm, SectionForm
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.registry import ContractEntry

Cluster = dict[str, Any]


def neovim_signs(entries: Sequence[ContractEntry]) -> str:
    """editors/neovim/lua/handoff/signs.lua."""
    signs: dict[str, Any] = {
        "globs": [],
        "not_paths": [],
        "headings": [],
        "lines": [],
        "tags": [],
        "comments": [],
        "clusters": [],
        "files": {"json": [], "log": []},
        "logs": [],
    }
    for entry in entries:
        _add(signs, entry)
    for key in ("globs", "not_paths", "headings", "lines", "tags", "comments", "logs"):
        signs[key] = list(dict.fromkeys(signs[key]))
    head = "-- Generated from schemas/contracts by `make generate`: what may make a file a handoff.\n"
    return f"{head}---@type handoff.Signs\nreturn {_lua(signs, 0)}\n"


def _add(signs: dict[str, Any], entry: ContractEntry) -> None:
    contract = entry.contract
    signs["globs"] += contract.usual
    if contract.file is None:
        signs["globs"] += [f"**/{location}" for location in contract.locations]
    else:
        signs["files"][contract.file.syntax].append(vim_regex(contract.file.path))
        if contract.file.syntax == "log":
            signs["logs"] += [posixpath.basename(location) for location in contract.locations]
    if contract.detect is not None:
        _detect(signs, entry, contract.detect)
    if contract.section is not None:
        signs["clusters"].append(_section(entry, contract.section))
    if contract.run is not None:
        _run(signs, entry, contract.run)
    if contract.fence is not None:
        _fence(signs, contract, contract.fence)


def _detect(signs: dict[str, Any], entry: ContractEntry, detect: Detect) -> None:
    weights: dict[str, int] = defaultdict(int)
    for marker in detect.markers:
        if marker.path and marker.weight < 0:
            signs["not_paths"].append(vim_regex(marker.path))
        elif marker.title:
            signs["headings"].append(vim_regex(marker.title))
        elif marker.text:
            if r"\A" not in marker.text and r"\n" not in marker.text:  # the others come with a title or a path
                signs["lines"].append(vim_regex(marker.text.replace("(?m)", "")))
        elif not marker.path:
            weights[marker.section or marker.value or marker.labels] += marker.weight
    if sum(weights.values()) >= detect.enough:
        names = _names(entry, weights)
        signs["clusters"].append({"of": entry.name, "enough": detect.enough, "names": names, "weights": dict(weights)})


def _section(entry: ContractEntry, section: SectionForm) -> Cluster:
    return {
        "of": entry.name,
        "heading": vim_regex(section.title),
        "enough": 1,
        "names": _names(entry, [*section.needs, *section.holds]),
    }


def _run(signs: dict[str, Any], entry: ContractEntry, run: RunForm) -> None:
    if run.comment:
        signs["comments"].append(run.comment)
    elif run.opening:
        signs["clusters"].append({"of": entry.name, "enough": 1, "names": _names(entry, [run.opening])})
    else:
        names = _names(entry, [*run.needs, *run.holds])
        cluster = {"of": entry.name, "enough": run.enough, "names": names}
        signs["clusters"].append(cluster | ({"telling": list(run.telling)} if run.telling else {}))


def _fence(signs: dict[str, Any], contract: Contract, fence: Fence) -> None:
    if fence.tag_decides:
        signs["tags"] += [fence.tag, *fence.legacy_tags]
    for key, value in fence.says.items():
        signs["lines"].append(vim_regex(rf"^\s*{key}\s*:\s*[\"']?{value}"))
    if fence.shape:
        keys = [path.rpartition(".")[2] for path in (*fence.needs, *fence.shape)]
        names = {fold_name(key): key for key in keys}
        cluster = {"of": contract.contract, "enough": len(fence.needs) + fence.enough, "names": names}
        signs["clusters"].append(cluster | ({"needs": list(fence.needs)} if fence.needs else {}))


def _names(entry: ContractEntry, fields: Iterable[str]) -> dict[str, str]:
    """The fields by what people write for them: as headings and labels, and as keys."""
    wanted = set(fields)
    found = {folded: name for folded, name in entry.names.folded.items() if name in wanted}
    return {fold_name(name): name for name in wanted} | found


def _lua(value: Any, depth: int) -> str:
    """A value as Lua, formatted as stylua does."""
    if isinstance(value, (bool, int)):
        return str(value).lower()
    if isinstance(value, str):
        return _string(value)
    inner, outer = "\t" * (depth + 1), "\t" * depth
    if isinstance(value, dict):
        lines = [f"{inner}{_key(key)} = {_lua(item, depth + 1)},\n" for key, item in sorted(value.items())]
    else:
        lines = [f"{inner}{_lua(item, depth + 1)},\n" for item in value]
    return "{\n" + "".join(lines) + outer + "}" if lines else "{}"


def _key(key: str) -> str:
    return key if key.isidentifier() and key.isascii() and key != "end" else f"[{_string(key)}]"


def _string(text: str) -> str:
    quote = "'" if '"' in text and "'" not in text else '"'
    return quote + text.replace("\\", "\\\\").replace(quote, "\\" + quote) + quote
