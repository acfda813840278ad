"""The cases' coverage of a contract: each of its statements is removed or inverted, and some case must fail.

``python tests/mutants.py --contract status-block`` lists the changes that no case notices; without
``--contract`` it takes a sample of all contracts. A change is named by its path in the contract's file.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import case_files
import word_files

from handoff_lsp.cases.verdict import failures
from handoff_lsp.contracts.registry import ContractEntry, Registry, builtin

# Lists with items that are separate statements.
_LISTS = {
    *("values", "instead_of", "aliases", "also", "tolerate"),
    *("signs", "examples", "templates", "evidence", "quotations"),
    *("holds", "some", "needs", "telling", "tags", "reader"),
    *("routing", "checks"),
}
# Statements that are removed as a whole.
_KEYS = {"required", "forbidden", "filled", "refused", "pattern"}


class Mutant(NamedTuple):
    """A contract with one statement changed: the contract's name, the change, the contract's data."""

    contract: str
    change: str
    data: dict[str, Any]


def mutants(data: dict[str, Any]) -> Iterator[Mutant]:
    """All changes of a contract that the cases must notice."""
    for path, change, new in _changes(data, ()):
        changed = copy.deepcopy(data)
        node: Any = changed
        for part in path[:-1]:
            node = node[part]
        if new is _OUT:
            del node[path[-1]]
        else:
            node[path[-1]] = new
        yield Mutant(data["contract"], f"{'.'.join(map(str, path))} {change}", changed)


_OUT = object()
_Path = tuple[str | int, ...]


def _changes(node: Any, path: _Path) -> Iterator[tuple[_Path, str, Any]]:
    if isinstance(node, list):
        for index, item in enumerate(node):
            yield from _changes(item, (*path, index))
    if not isinstance(node, dict):
        return
    for key, value in node.items():
        here = (*path, key)
        if key in _KEYS and value:
            yield here, "left out", _OUT
            if key == "required" and isinstance(value, str):
                yield here, "always", True
        elif key == "in_template" and value is not None:
            yield here, "turned", not value
        elif key in {"enough"}:
            yield here, f"{value + 1} and not {value}", value + 1
            if value > 1:
                yield here, f"{value - 1} and not {value}", value - 1
        elif key == "action":
            other = "stop" if value in {"advance", "continue"} else "advance"
            yield here, f"{other} and not {value}", other
        elif key in _LISTS and isinstance(value, dict | list) and not _are_fields(key, value):
            for part, item in value.items() if isinstance(value, dict) else enumerate(value):
                if len(value) > 1 or key not in {"values", "routing"}:
                    yield (*here, part), f"left out: {str(item)[:70]}", _OUT
        yield from _changes(value, here)


def _are_fields(key: str, value: Any) -> bool:
    """Whether a mapping under a key of the lists is one of fields that happens to have its name."""
    return isinstance(value, dict) and not (key == "says" or (key == "checks" and "title" not in value))


def survivors(sample: list[Mutant]) -> list[Mutant]:
    """The changes that no case notices."""
    near = {name: _near(name) for name in {mutant.contract for mutant in sample}}
    return [mutant for mutant in sample if not _is_noticed(mutant, near[mutant.contract])]


def _near(name: str) -> list[case_files.Case]:
    """The cases that a contract may change, its own ones first. All of them pass as the contract is."""
    own, others, of_all = [], [], []
    for case, contracts in _cases():
        if case.name.startswith(f"{name}: "):
            own.append(case)
        elif case.name.startswith(("silence: ", "templates: ")):
            of_all.append(case)
        elif name in contracts:
            others.append(case)
    return [*own, *others, *of_all]


@cache
def _cases() -> list[tuple[case_files.Case, frozenset[str]]]:
    """All cases, each with the contracts of its handoffs as they are."""
    return [
        (case, frozenset(handoff.spec.name for handoff in case.analyze().handoffs)) for case in case_files.read_cases()
    ]


def _is_noticed(mutant: Mutant, cases: list[case_files.Case]) -> bool:
    known = {name: builtin()[name] for name in builtin().names}
    entry = ContractEntry(mutant.data)
    if _a_word_fails(entry):
        return True
    registry = Registry({**known, mutant.contract: entry})
    return any(not _holds(case, registry) for case in cases)


def _a_word_fails(entry: ContractEntry) -> bool:
    try:
        return any(word_files.failures(entry, word_files.read_words(entry.name)))
    except Exception:
        return True


def _holds(case: case_files.Case, registry: Registry) -> bool:
    """Whether a document is what its case states; a crash counts as a difference."""
    try:
        return not failures(case, registry)
    except Exception:
        return False


def sample_of(seed: int, size: int) -> list[Mutant]:
    """Some changes of all contracts, drawn by their names, so that other changes do not change the draw."""

    def drawn(mutant: Mutant) -> bytes:
        return hashlib.sha256(f"{seed}/{mutant.contract}/{mutant.change}".encode()).digest()

    return sorted((one for entry in builtin() for one in mutants(entry.data)), key=drawn)[:size]


def main() -> None:
    """Print the survivors of one contract, or of a sample of all, and how many there were."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--contract", help="all changes of this contract")
    parser.add_argument("--sample", type=int, default=300, help="how many changes of all contracts (default: 300)")
    parser.add_argument("--seed", type=int, default=12, help="which ones (default: 12)")
    given = parser.parse_args()
    if given.contract:
        sample = list(mutants(builtin()[given.contract].data))
    else:
        sample = sample_of(given.seed, given.sample)
    left = survivors(sample)
    for mutant in left:
        print(f"{mutant.contract}: {mutant.change}")
    print(f"{len(sample) - len(left)} of {len(sample)} noticed ({1 - len(left) / len(sample):.0%})")


if __name__ == "__main__":
    main()
