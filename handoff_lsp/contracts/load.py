"""Reading a contract file: YAML, validated, with the line of every problem."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.syntax.limits import MAX_DEPTH, too_deep_yaml
from handoff_lsp.text import Span

# A contract is written by hand, so a larger file is not one.
MAX_BYTES = 1_000_000
# The most values, with aliases expanded.
MAX_VALUES = 100_000

# The most characters of a number: parsing takes time quadratic in its length.
MAX_DIGITS = 100

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class ContractFileProblem(NamedTuple):
    """A problem of a contract file, with its place in the file's text (offsets in code points)."""

    span: Span
    message: str


def read_contract(text: str, origin: Path | None = None) -> tuple[ContractEntry | None, list[ContractFileProblem]]:
    """A contract from the text of its file: the entry, or None and its problems, each at its token."""
    deep = too_deep_yaml(text)
    if deep is not None:
        return None, [ContractFileProblem(Span(deep, deep + 1), f"nested deeper than {MAX_DEPTH} levels")]
    try:
        loader = _LOADER(text)
        root = None
        if not (too_many := _has_too_many_values(text)):
            root = loader.get_single_node()
            too_many = root is not None and _count(root, {}) > MAX_VALUES
        if too_many:
            message = f"with its aliases replaced, this file has more than {MAX_VALUES:,} values"
            return None, [ContractFileProblem(Span(0, 0), message)]
        number = _long_number(root)
        if number is not None:
            return None, [ContractFileProblem(number, f"a number of more than {MAX_DIGITS} characters")]
        data = loader.construct_document(root) if root is not None else None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = min(mark.index, len(text)) if mark else 0
        return None, [ContractFileProblem(Span(at, min(at + 1, len(text))), f"not YAML: {error.problem}")]
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return None, [ContractFileProblem(Span(0, 0), f"not YAML: {error}")]
    if not isinstance(data, dict) or root is None:
        return None, [ContractFileProblem(Span(0, 0), "a contract file is a mapping that begins with `contract: NAME`")]

    from handoff_lsp.contracts.validate import check_contract

    problems = [ContractFileProblem(_span(root, problem.path), problem.message) for problem in check_contract(data)]
    return (None, problems) if problems else (ContractEntry(data, origin), [])


def _has_too_many_values(text: str) -> bool:
    """Whether a file has too many values even without aliases expanded: events are much cheaper than nodes."""
    if len(text) <= MAX_VALUES:
        return False
    kinds = (yaml.ScalarEvent, yaml.AliasEvent, yaml.CollectionStartEvent)
    values = (event for event in yaml.parse(text, Loader=_LOADER) if isinstance(event, kinds))
    return next(islice(values, MAX_VALUES, None), None) is not None


def _count(node: Any, known: dict[int, int]) -> int:
    """The number of values in a composed node with aliases expanded; above the limit if the node contains itself."""
    if id(node) in known:
        return known[id(node)]
    known[id(node)] = MAX_VALUES + 1  # an alias to an unfinished node finds this
    total = 1
    for item in node.value if not isinstance(node, yaml.ScalarNode) else ():
        total += sum(_count(part, known) for part in item) if isinstance(item, tuple) else _count(item, known)
    known[id(node)] = total
    return total


def _long_number(root: Any) -> Span | None:
    """The place of a number with too many characters to parse; None without one."""
    seen: set[int] = set()
    stack = [root] if root is not None else []
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.ScalarNode):
            if len(node.value) > MAX_DIGITS and node.tag.endswith((":int", ":float")):
                return Span(node.start_mark.index, node.end_mark.index)
        else:
            stack += [part for item in node.value for part in (item if isinstance(item, tuple) else (item,))]
    return None


def _span(node: Any, path: tuple[str | int, ...]) -> Span:
    """The place of a path in a composed YAML document, or of the deepest part of it that exists."""
    span = Span(node.start_mark.index, node.start_mark.index + 1)
    for part in path:
        found = None
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if getattr(key, "value", None) == str(part):
                    span, found = Span(key.start_mark.index, key.end_mark.index), value
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            found = node.value[part]
            span = Span(found.start_mark.index, found.end_mark.index)
        if found is None:
            return span
        node = found
    return span
