"""Good returns made from data: each shape that a pack's prompts show, by its agents and statuses.

A file of `good/shapes` names `agents` with their values and `shapes` with their `statuses`, whose values may name those
of the agent; `$name` in a `text` is a value. `of` are the only agents with a shape, `but` those without it.
`definition` is the file in which the workspace has an agent's prompt. With `wrote` the text is a file at that path, and
`message` the final message. `dress.yaml` has the texts before and after a block; each return has the next ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import cycle
from pathlib import Path
from string import Template
from typing import Any

import yaml
from returns.reading import RETURNS, Return

SHAPES = RETURNS / "good" / "shapes"


def shaped_returns() -> list[Return]:
    """The returns of all files, in order."""
    return [one for path in sorted(SHAPES.glob("*.yaml")) if path.stem != "dress" for one in _returns_of(path)]


def dressed(text: str, dress: Mapping[str, Any]) -> str:
    """A message with the texts of a dress."""
    before = [dress["before"]] * dress.get("times", 1) if "before" in dress else []
    return ("\n\n".join([*before, text.strip("\n")]) + dress.get("after", "\n")).replace("\n", dress.get("lines", "\n"))


def dresses() -> dict[str, dict[str, Any]]:
    """The texts around a block, by name."""
    read: dict[str, dict[str, Any]] = yaml.safe_load((SHAPES / "dress.yaml").read_text(encoding="utf-8"))
    return read


def _returns_of(path: Path) -> Iterator[Return]:
    data = yaml.safe_load(path.read_text(encoding="utf-8"))
    wardrobe = cycle(dresses().items())
    for shape, item in data["shapes"].items():
        for agent in item.get("of", data["agents"]):
            for status, more in item["statuses"].items() if agent not in item.get("but", ()) else ():
                known = {"agent": agent, "status": status, **data["agents"][agent]}
                known |= {name: Template(str(text)).substitute(known) for name, text in more.items()}
                name, text = f"{agent}, {shape}, {status}", Template(item["text"]).substitute(known)
                beside = _filled(data.get("definition"), known)
                if "wrote" in data:
                    wrote = {Template(data["wrote"]).substitute(known): text}
                    yield Return(name, path.stem, agent, data["message"], wrote=wrote, beside=beside)
                else:
                    dressing, dress = next(wardrobe)
                    yield Return(f"{name}, {dressing}", path.stem, agent, dressed(text, dress), beside=beside)


def _filled(definition: Mapping[str, str] | None, known: Mapping[str, Any]) -> dict[str, str]:
    if definition is None:
        return {}
    return {Template(definition["path"]).substitute(known): Template(definition["text"]).substitute(known)}
