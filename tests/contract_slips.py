"""Slips of the pen in contracts: each text that names something, with one letter dropped, must be refused.

``python tests/contract_slips.py`` takes 400 of them, ``--all`` every one; ``--contract`` those of one contract. It
lists those that are accepted, those that are refused elsewhere, and those without the right name.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from handoff_lsp.contracts.build import Data
from handoff_lsp.contracts.cel_tree import CelNode
from handoff_lsp.contracts.load import Places, read_contract
from handoff_lsp.contracts.problems import leads_on
from handoff_lsp.contracts.references import Found, references
from handoff_lsp.contracts.registry import ContractEntry, builtin, schemas_folder
from handoff_lsp.contracts.resolve import placed
from handoff_lsp.text import Span

GALLERY = Path(__file__).parent.parent / "docs" / "gallery"
GALLERY_NAMES = sorted(path.stem for path in GALLERY.glob("*.yaml"))

_CEL = {"condition", "expression"}
_PATTERNS = {"pattern", "name pattern", "message"}


class Slip(NamedTuple):
    """A letter dropped from a name: its contract, the place of the name in the file, and the letter's number in it."""

    contract: str
    kind: str
    span: Span
    name: str
    letter: int

    @property
    def written(self) -> str:
        """The name without the letter."""
        return self.name[: self.letter] + self.name[self.letter + 1 :]


class Answer(NamedTuple):
    """The answer to a slip. ``at_token``: a problem is at the name; ``named``: it offers the right one."""

    refused: bool
    at_token: bool
    named: bool
    messages: list[str]


def text_of(contract: str) -> str:
    """The text of the file of a built-in contract or of one of the gallery."""
    folder = GALLERY if contract in GALLERY_NAMES else schemas_folder() / "contracts"
    return (folder / f"{contract}.yaml").read_text(encoding="utf-8")


def names_in(contract: str) -> list[tuple[str, Span, str]]:
    """The names in a contract that refer to something: kind, place and text, each place once."""
    text = text_of(contract)
    data, root = yaml.safe_load(text), yaml.compose(text)
    data.setdefault("profiles", {"default": {}})
    entry, places = ContractEntry(data), Places(text, root)
    found: dict[Span, tuple[str, Span, str]] = {}
    for profile in data["profiles"]:
        spec = entry.spec(profile)
        parts = [*references(spec.contract, leave=frozenset({"profiles"}))]
        for index, piece in enumerate(spec.contract.profiles[profile].evidence):
            parts += references(piece, ("profiles", profile, "evidence", index))
        for each in parts:
            path = placed(data, profile, each.path)
            any_key = each.kind == "front key" and (spec.front_matter is None or path[0] == "prose")
            if path[0] == "settings" or any_key or not _is_written(data, path):
                continue
            for kind, name, part in _names(each, entry, profile):
                span = places.span(path, is_key=each.is_key, part=part)
                if text[span.start : span.end] == name and len(name) > 2:
                    found.setdefault(span, (kind, span, name))
    return sorted(found.values(), key=lambda one: one[1])


def _is_written(data: Data, path: tuple[str | int, ...]) -> bool:
    node: Any = data
    for part in path:
        if not leads_on(node, part):
            return False
        node = node[part]
    return True


def _names(found: Found, entry: ContractEntry, profile: str) -> Iterator[tuple[str, str, tuple[int, int] | None]]:
    """The names in a reference: itself, or those in its CEL."""
    if found.kind in _PATTERNS:
        return
    spec = entry.spec(profile)
    if found.kind == "run edge" and not found.text.isidentifier():
        return  # a whole line
    if found.text.startswith("front_matter.") and spec.front_matter is None:
        return  # a document's own key, which the contract does not declare
    if found.kind == "compared value":
        field = spec.field(found.about or found.owners[-1].at)
        if field is None or field.type != "enum" or field.open is True:
            return
    if found.kind not in _CEL:
        yield found.kind, found.text, None
        return
    stack: list[tuple[CelNode, bool]] = [(spec.conditions.tree(found.text), False)]
    declared: set[int] = set()
    while stack:
        node, compared = stack.pop()
        if node.kind == "loop":
            declared.add(node.at + 1)  # a new name: what is refused is its use by the old one
        if node.kind == "name" and node.at in declared:
            continue
        if node.kind == "name" and found.text[node.at : node.at + len(node.text)] == node.text:
            yield "name in CEL", node.text, (node.at, node.at + len(node.text))
        elif node.kind == "member" and found.text[node.at + 1 : node.at + 1 + len(node.text)] == node.text:
            yield "member in CEL", node.text, (node.at + 1, node.at + 1 + len(node.text))
        elif node.kind == "text" and compared:
            yield "value in CEL", node.text, (node.at + 1, node.at + 1 + len(node.text))
        path = next((path for path in map(_path, node.parts) if path is not None), None)
        field = spec.field(path) if path is not None else None
        closed = field is not None and field.type == "enum" and not field.open
        inside = closed and node.kind == "call" and node.text in {"_==_", "_!=_", "@in"}
        stack += [(part, inside or (compared and node.kind == "list")) for part in node.parts]


def _path(node: CelNode) -> str | None:
    if node.kind == "name":
        return node.text
    above = _path(node.parts[0]) if node.kind == "member" else None
    return f"{above}.{node.text}" if above is not None else None


def slips(contract: str, seed: int = 0) -> list[Slip]:
    """A slip for each name of a contract."""
    chance = random.Random(f"{contract} {seed}")
    return [Slip(contract, kind, span, name, chance.randrange(len(name))) for kind, span, name in names_in(contract)]


def answer(slip: Slip) -> Answer:
    """The answer of the reader of contracts to a slip."""
    text = text_of(slip.contract)
    changed = text[: slip.span.start] + slip.written + text[slip.span.end :]
    others = {entry.name: entry for entry in builtin()}
    _, problems = read_contract(changed, None, others)
    end = slip.span.start + len(slip.written)
    here = [one for one in problems if one.span.start <= end and one.span.end >= slip.span.start]
    named = any(f"`{slip.name}`" in one.message or f".{slip.name}`" in one.message for one in here)
    return Answer(bool(problems), bool(here), named, [one.message for one in problems])


def main() -> None:
    """Print the rates of a sample, and the slips that lower them."""
    parser = argparse.ArgumentParser(description=__doc__)
    names = [*builtin().names, *GALLERY_NAMES]
    parser.add_argument("--contract", choices=names)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--sample", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    found = [slip for name in ([given.contract] if given.contract else names) for slip in slips(name, given.seed)]
    total = len(found)
    if not given.all and total > given.sample:
        found = random.Random(given.seed).sample(found, given.sample)
    refused = at_token = named = 0
    for slip in found:
        got = answer(slip)
        refused, at_token, named = refused + got.refused, at_token + got.at_token, named + got.named
        if not got.named:
            line = text_of(slip.contract).count("\n", 0, slip.span.start) + 1
            what = "without the name" if got.at_token else "elsewhere" if got.refused else "accepted"
            print(f"{what}: {slip.contract}:{line} {slip.kind} {slip.name} -> {slip.written}: {got.messages[:1]}")
    many = len(found) or 1
    print(f"{len(found)} of {total} slips: {refused / many:.1%} refused, {at_token / many:.1%} at the token,")
    print(f"{named / many:.1%} with the right name")


if __name__ == "__main__":
    main()
