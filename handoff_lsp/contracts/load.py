"""Reading a contract file: YAML, validated, with the line of every problem."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import yaml

from handoff_lsp.contracts.problems import MOST_PROBLEMS, KeyPath
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.syntax.limits import MAX_DEPTH, too_deep_yaml
from handoff_lsp.syntax.lines.yaml import yaml_words
from handoff_lsp.text import Span
from handoff_lsp.text.named_tuple import NamedTuple

# A contract is written by hand, so a larger file is not one.
MAX_BYTES = 1_000_000
# The most values, with aliases expanded.
MAX_VALUES = 50_000

# The longest message: it may quote a name of any length.
_LONGEST_MESSAGE = 500

# Start of the message about a contract on which handoff-lsp itself fails.
CRASHED = "handoff-lsp failed to read this contract; please report it"

# The most characters of a number: parsing takes time quadratic in its length.
MAX_DIGITS = 100

_SAFE: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_SAFE):  # type: ignore[misc]
    """YAML whose values JSON has as well, and dates: bytes, sets and ordered pairs are no part of a contract."""

    yaml_constructors: ClassVar[dict[Any, Any]] = {
        tag: construct
        for tag, construct in _SAFE.yaml_constructors.items()
        if tag is None or tag.rpartition(":")[2] not in {"binary", "set", "omap", "pairs"}
    }


class ContractFileProblem(NamedTuple):
    """A problem of a contract file, with its place in the file's text (offsets in code points)."""

    span: Span
    message: str


def read_contract(
    text: str, origin: Path | None = None, others: Mapping[str, ContractEntry | None] | None = None
) -> tuple[ContractEntry | None, list[ContractFileProblem]]:
    """A contract from the text of its file: the entry, or None and its problems, each at its token.

    ``others``: the contracts that it may name, None for one known by its name alone; left out: any.
    """
    deep = too_deep_yaml(text)
    if deep is not None:
        return None, [ContractFileProblem(Span(deep, deep + 1), f"nested deeper than {MAX_DEPTH} levels")]
    try:
        loader = _Loader(text)
        root = None
        if not (too_many := _has_too_many_values(text)):
            root = loader.get_single_node()
            too_many = root is not None and _count(root, {}) > MAX_VALUES
        if too_many:
            message = f"too large: more than {MAX_VALUES:,} values with all aliases written out"
            return None, [ContractFileProblem(Span(0, 0), message)]
        number = _long_number(root)
        if number is not None:
            return None, [ContractFileProblem(number, f"a number of more than {MAX_DIGITS} characters")]
        doubled = list(islice(_doubled_keys(root), MOST_PROBLEMS))
        if doubled:
            return None, doubled
        data = loader.construct_document(root) if root is not None else None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = min(mark.index, len(text)) if mark else 0
        message = f"not YAML: {yaml_words(error.problem, text[at : at + 1])}"
        return None, [ContractFileProblem(Span(at, min(at + 1, len(text))), message)]
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return None, [ContractFileProblem(Span(0, 0), f"not YAML: {error}")]
    if not isinstance(data, dict) or root is None:
        return None, [
            ContractFileProblem(Span(0, 0), "a contract file must be a mapping that begins with `contract: NAME`")
        ]

    from handoff_lsp.contracts.extend import checked

    try:
        data, found = checked(data, others)
    except Exception as error:  # one contract never keeps a document from being checked
        import logging  # nothing else here needs it

        logging.getLogger(__name__).exception("reading a contract failed")
        return None, [ContractFileProblem(Span(0, 0), f"{CRASHED} ({type(error).__name__}: {error})")]
    places = Places(text, root)
    problems = [
        ContractFileProblem(
            places.span(problem.path, is_key=problem.is_key, part=problem.part), _shortened(problem.message)
        )
        for problem in found
    ]
    return (None, problems) if problems else (ContractEntry(data, origin), [])


def composed(text: str) -> Any:
    """The nodes of a YAML text; None for no YAML, or for more of it than a contract may have."""
    if len(text) > MAX_BYTES or too_deep_yaml(text) is not None:
        return None
    try:
        root = None if _has_too_many_values(text) else _Loader(text).get_single_node()
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    return root if root is not None and _count(root, {}) <= MAX_VALUES else None


def data_of(text: str) -> Any:
    """The data of a contract that ``read_contract`` accepts, as its own file has it."""
    return yaml.load(text, Loader=_Loader)


def places_of(text: str, paths: Sequence[KeyPath]) -> list[Span]:
    """The places of paths in the text of a contract that ``read_contract`` accepts."""
    root = _Loader(text).get_single_node()
    places = Places(text, root)
    return [places.span(path, is_key=True) for path in paths]


def _shortened(message: str) -> str:
    return message if len(message) <= _LONGEST_MESSAGE else f"{message[: _LONGEST_MESSAGE - 1]}…"


def _has_too_many_values(text: str) -> bool:
    """Whether a file has too many values even without aliases expanded: events are much cheaper than nodes."""
    if len(text) <= MAX_VALUES:
        return False
    kinds = (yaml.ScalarEvent, yaml.AliasEvent, yaml.CollectionStartEvent)
    values = (event for event in yaml.parse(text, Loader=_Loader) if isinstance(event, kinds))
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


def _doubled_keys(root: Any) -> Iterator[ContractFileProblem]:
    """Keys that a mapping has twice: YAML takes the last one without a word."""
    seen: set[int] = set()
    stack = [root] if root is not None else []
    while stack:
        node = stack.pop()
        if id(node) in seen or isinstance(node, yaml.ScalarNode):
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            stack += reversed(node.value)
            continue
        keys: dict[tuple[str, str], int] = {}
        for key, value in node.value:
            stack.append(value)
            if not isinstance(key, yaml.ScalarNode) or key.value == "<<":
                continue
            name = (key.tag, key.value)
            if name in keys:
                message = f"`{key.value}` is a duplicate key; the one in line {keys[name]} would be ignored"
                yield ContractFileProblem(Span(key.start_mark.index, key.end_mark.index), message)
            keys[name] = key.start_mark.line + 1


class Places:
    """The places of paths in a composed YAML document."""

    def __init__(self, text: str, root: Any) -> None:
        self._text = text
        self._root = root
        self._keys: dict[int, dict[str, tuple[Any, Any]]] = {}  # by the id of the mapping's node

    def span(self, path: KeyPath, *, is_key: bool = False, part: tuple[int, int] | None = None) -> Span:
        """The place of a path, or of the deepest part of it that exists.

        That is the key if ``is_key``, or if the value is no single token; else the value, or a ``part`` of its text.
        """
        node = self._root
        span = Span(node.start_mark.index, node.start_mark.index + 1)
        for step in path:
            found = None
            if isinstance(node, yaml.MappingNode):
                key, found = self._keys_of(node).get(str(step), (None, None))
                if key is not None:
                    span = Span(key.start_mark.index, key.end_mark.index)
            elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
                found = node.value[step]
                span = _first_line(self._text, found)
            if found is None:
                return span
            node = found
        if is_key or not isinstance(node, yaml.ScalarNode) or node.start_mark.index == node.end_mark.index:
            return span
        return _within(self._text, node, part) if part is not None else _first_line(self._text, node)

    def _keys_of(self, node: Any) -> dict[str, tuple[Any, Any]]:
        known = self._keys.get(id(node))
        if known is None:
            pairs = ((key, value) for key, value in node.value if isinstance(key, yaml.ScalarNode))
            known = self._keys[id(node)] = {_key_text(key): (key, value) for key, value in pairs}
        return known


def _key_text(key: Any) -> str:
    """A key as it is in the path of a problem: `no` is False."""
    is_text = not key.tag.endswith((":bool", ":null", ":int", ":float", ":timestamp"))
    return str(key.value) if is_text else str(yaml.safe_load(key.value))


def _first_line(text: str, node: Any) -> Span:
    start, end = node.start_mark.index, node.end_mark.index
    line = text[start:end].split("\n", 1)[0].rstrip()
    return Span(start, start + max(len(line), 1))


def _within(text: str, node: Any, part: tuple[int, int]) -> Span:
    """The place of a range of a scalar's text. Escapes and folded lines move it: then its words are looked for."""
    start, end = node.start_mark.index, node.end_mark.index
    written, value = text[start:end], node.value
    at = written.find(value)
    if at >= 0:
        return Span(start + at + part[0], start + at + part[1])
    words = value[part[0] : part[1]]
    place, before = -1, value.count(words, 0, part[0]) if words else 0
    for _ in range(before + 1):
        place = written.find(words, place + 1) if words else -1
    return Span(start + place, start + place + len(words)) if place >= 0 else _first_line(text, node)
