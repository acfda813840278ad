"""Counts the agents of public packs that owe a handoff by what we know, and prints each one to be judged by hand.

``python benchmarks/owing.py FOLDER...``: each folder is the work tree of a pack. A definition is a file in a folder for
agents, or Markdown whose front matter has a name, a description, and tools or a model.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from handoff_lsp.contracts.owed import owed_by_contracts
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.workspace.agents.definitions import MAX_BYTES, AgentDefinition, defined
from handoff_lsp.workspace.agents.known import by_definition
from handoff_lsp.workspace.agents.said import what_it_says
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text

_FOLDER = re.compile(r"(?:^|/)(?:agents?|droids|chatmodes|sub-?agents)/")
_FRONT_MATTER = re.compile(r"\ufeff?---\r?\n(.*?)\n---", re.DOTALL)
_OTHERS = {"readme.md", "skill.md", "agents.md", "claude.md", "changelog.md", "contributing.md"}


def definitions_of(pack: Path) -> Iterator[AgentDefinition]:
    """The definitions in a pack, wherever they are in it."""
    for folder, _, files in os.walk(pack):
        for file in sorted(files):
            path = Path(folder, file).relative_to(pack).as_posix()
            if file.lower() in _OTHERS or not path.endswith((".md", ".markdown", ".toml", ".json")):
                continue
            try:
                text = read_text(pack / path, limit=MAX_BYTES)
            except UnreadableFile:
                continue
            if _is_definition(path.lower(), text):
                yield from defined(str(pack), path, text)


def _is_definition(path: str, text: str) -> bool:
    front = _FRONT_MATTER.match(text)
    keys = set(re.findall(r"(?m)^(\w+):", front[1])) if front is not None else set()
    if path.endswith((".toml", ".json")):
        return "/agents/" in f"/{path}" or path.endswith("opencode.json")
    if path.endswith((".agent.md", ".chatmode.md")):
        return True
    return bool(_FOLDER.search(path) and (keys or text.startswith("# "))) or (
        {"name", "description"} <= keys and bool({"tools", "model", "color"} & keys)
    )


def main() -> None:
    """Print the table and the agents."""
    registry = builtin()
    for pack in map(Path, sys.argv[1:]):
        definitions = list(definitions_of(pack))
        found = []
        for one in definitions:
            text = one.text
            by_contracts = tuple(owed_by_contracts(registry, one.agent, lambda text=text: text))  # type: ignore[misc]
            owed, _ = by_definition(one.agent, by_contracts, one, what_it_says(one, registry), registry)
            found += [(one, debt) for debt in owed]
        owing = {one.path for one, _ in found}
        print(f"{pack.name}: {len(definitions)} definitions, {len(owing)} with debts", flush=True)
        for one, debt in found:
            profiles = "|".join(debt.profiles)
            print(f"  {one.path}: {debt.contract} {profiles} {debt.where} {' '.join(debt.files)} <- {debt.known_from}")


if __name__ == "__main__":
    main()
