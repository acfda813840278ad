"""Writes the conditions for ``handoff_lsp/recognition/prescan.py``: what a text needs for a handoff of each contract.

Each condition is necessary: where a contract asks for more than needles can say, less is asked for here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from needles import needles_of

from handoff_lsp.contracts.model import Content, Detect, Sign
from handoff_lsp.contracts.owed import returns_of
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.contracts.spec import NameTable, children_of
from handoff_lsp.prompts.documents import PROMPT_FILES
from handoff_lsp.recognition.prescan import Need, letters

_GLOB = re.compile(r"[*?{}\[\],]+")
# The data that have prompts.
_DATA = ("**/agents/*", "**/agent/*", "**/prompts/*", "**/commands/*", "**/opencode*")
# Ways of which one is enough, each with needs that must all be met.
Ways = list[list[Need]]


def prescan(data: list[dict[str, Any]]) -> str:
    """The file ``schemas/prescan.json``."""
    lines = []
    for entry in map(ContractEntry, data):
        owed = _owed_files(entry)
        documents = [*owed, *_document_ways(entry), *_prompts(entry, PROMPT_FILES)]
        ways = {"document": documents, "file": [*owed, *_file_ways(entry), *_prompts(entry, _DATA, named=False)]}
        lines.append(f"{json.dumps(entry.name)}: {json.dumps(ways, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _owed_files(entry: ContractEntry) -> Ways:
    """The files that an agent owes: a finding there needs no handoff."""
    globs = [glob for returned in returns_of(entry) for glob in returned.files]
    return [[need for part in _GLOB.split(glob) for need in _one_of(_in_path(_texts([part])))] for glob in globs]


def _prompts(entry: ContractEntry, globs: Iterable[str], *, named: bool = True) -> Ways:
    """The prompts that name handoffs of the contract, or the files of some: a finding there needs no handoff."""
    called, locations = entry.data.get("called"), entry.data.get("locations", [])
    needles = needles_of(called) if called else []
    if not called and not locations:
        return []
    paths = (max(_GLOB.split(glob), key=lambda part: len(letters(part))) for glob in globs)
    names = None if needles is None or not named else sorted({*needles, *(_texts(locations) or [])})
    return [[*_one_of(_in_path(_texts(paths))), *_one_of(names)]]


def _document_ways(entry: ContractEntry) -> Ways:
    contract = entry.contract
    ways: Ways = []
    if contract.detect is not None:
        ways.append(_detected(entry, contract.detect))
    ways += [_detected(entry, prose.detect) for prose in contract.prose.values()]
    parts: Ways = []
    if contract.section is not None:
        title = _one_of(needles_of(contract.section.title))
        parts += [[*title, *_content(entry, asked, root=True)] for asked in contract.section.holds or [Content()]]
    if contract.run is not None:
        run = contract.run
        edges = run.comment or run.first_line
        begin = _one_of(_texts([edges]) if edges else _named(entry, run.opening_field) if run.opening_field else None)
        parts += [[*begin, *_content(entry, asked, root=True)] for asked in _asked_of_run(begin, run.holds)]
    if contract.fence is not None:
        fence = contract.fence
        own = [tag for tag, role in fence.tags.items() if role in {"own", "old"}]
        if own or fence.tag_decides:
            parts.append(_one_of(_texts([fence.tag, *own])))
        parts += [_content(entry, asked, root=False) for asked in fence.holds or [Content()]]
    signs = _signs(entry, contract.signs)
    return _simplest([*ways, *([*part, *signs] for part in parts)])


def _asked_of_run(begin: list[Need], holds: list[Content]) -> list[Content]:
    """What a run must hold; one that begins with a key or an unclosed comment need not hold anything."""
    return [Content()] if begin or not holds else holds


def _file_ways(entry: ContractEntry) -> Ways:
    form = entry.contract.file
    if form is None:
        return []
    path = _one_of(_in_path(needles_of(form.path)))
    return _simplest([[*path, *_content(entry, asked, root=False)] for asked in form.holds or [Content()]])


def _detected(entry: ContractEntry, detect: Detect) -> list[Need]:
    """The needs of a document as a whole. Signs of other formats do not count."""
    items = [(sign, _needles_of_sign(entry, sign)) for sign in detect.signs if sign.weight > 0]
    of_text = [(sign, needles) for sign, needles in items if not sign.of_path]
    return [*_enough(detect.enough, items), *_enough(detect.content, of_text)]


def _enough(enough: int, items: Iterable[tuple[Sign, list[str] | None]]) -> list[Need]:
    weights: list[tuple[int, list[str]]] = []
    for sign, needles in items:
        if needles is None:
            enough -= sign.weight  # it may be there
        else:
            weights.append((sign.weight, _shortest(needles)))
    return [(enough, weights)] if enough > 0 else []


def _signs(entry: ContractEntry, signs: list[Sign]) -> list[Need]:
    """The need for one of the signs that each part of a document must have."""
    found = [_needles_of_sign(entry, sign) for sign in signs]
    known = [needles for needles in found if needles is not None]
    return _one_of(sorted({one for needles in known for one in needles})) if signs and len(known) == len(found) else []


def _needles_of_sign(entry: ContractEntry, sign: Sign) -> list[str] | None:
    """The needles one of which is in any document with a sign, from the part of the sign that says most."""
    parts = [
        _in_path(needles_of(sign.path)) if sign.path else None,
        needles_of(sign.title) if sign.title else None,
        needles_of(sign.text) if sign.text else None,
        *(_named(entry, name, headings=True) for name in (sign.has, *sign.value) if name),
    ]
    return max((part for part in parts if part is not None), key=_selectivity, default=None)


def _selectivity(needles: list[str]) -> int:
    return min(map(len, needles))


def _content(entry: ContractEntry, asked: Content, *, root: bool) -> list[Need]:
    """The needs of a part's content. ``root``: its names are root fields, not keys as written."""
    needs: list[Need] = []
    for name in (*asked.needs, *asked.value):
        needs += _one_of(_name(entry, name, root=root))
    for pattern in asked.value.values():
        needs += _one_of(needles_of(pattern)) if pattern else []
    for names, enough in ((asked.some, asked.enough), (asked.telling, 1)):
        items = [(1, _shortest(needles)) for name in names if (needles := _name(entry, name, root=root)) is not None]
        if names and (enough := enough - len(names) + len(items)) > 0:
            needs.append((enough, items))
    return needs


def _name(entry: ContractEntry, name: str, *, root: bool) -> list[str] | None:
    return _named(entry, name) if root else _texts([max(name.split("."), key=lambda key: len(letters(key)))])


def _named(entry: ContractEntry, path: str, *, headings: bool = False) -> list[str] | None:
    """The needles for a field: its names as written, and with ``headings`` the headings of its items."""
    root, _, child = path.partition(".")
    field = entry.contract.fields.get(root)
    names = {path.rpartition(".")[2]}
    if field is not None and not child:
        names = set(_written(entry.names, root))
        if headings and field.each:
            items = needles_of(field.each)
            return None if items is None else sorted({*(_texts(names) or []), *items})
    elif field is not None and child in field.fields:
        names |= set(_written(children_of(field), child))  # a key in front matter is as written
    return _texts(names)


def _written(names: NameTable, name: str) -> Iterator[str]:
    """The folded names of a field."""
    yield from (written for written, known in names.folded.items() if known == name)


def _texts(texts: Iterable[str]) -> list[str] | None:
    """The needles for texts one of which is there; None if one of them has no letters."""
    found = {letters(text) for text in texts}
    return None if not found or "" in found else sorted(found)


def _in_path(needles: list[str] | None) -> list[str] | None:
    return None if needles is None else [f"/{needle}" for needle in needles]


def _one_of(needles: list[str] | None) -> list[Need]:
    return [] if needles is None else [(1, [(1, _shortest(needles))])]


def _shortest(needles: list[str]) -> list[str]:
    """The needles without those that another one is a part of: of those in the path, another one in the path."""
    return [one for one in needles if not any(_is_part(other, one) for other in needles)]


def _is_part(other: str, needle: str) -> bool:
    return other != needle and (needle[0] == "/") == (other[0] == "/") and other.lstrip("/") in needle


def _simplest(ways: Ways) -> Ways:
    """The ways without those that ask for all that another asks for."""
    unique = [way for number, way in enumerate(ways) if way not in ways[:number]]
    return [[]] if [] in unique else unique
