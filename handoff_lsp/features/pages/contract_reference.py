"""The reference page of a contract, from its data: forms, profiles, fields, checks, routing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from handoff_lsp.contracts.model import Check, Contract, Field, Return, Route
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.features.pages.recognition_words import mentioned, recognised
from handoff_lsp.rules.shared.field_cells import (
    MOST_VALUES,
    all_fields,
    cell,
    coded,
    condition_cell,
    content_of,
    needed,
)
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# The rows of a table by their subject.
Rows = dict[str, str]

# Longer lists of spellings, as of values, go below the table.
_MOST_SPELLINGS = 4

_RULE_LINK = lazy_pattern(r"\[([\w-]+)\]\(\.\./rules/[\w-]+\.md\)")


def contract_reference(entry: ContractEntry, origin: str = "") -> str:
    """The page. It lists the default profile in full, and the differences of the others.

    ``origin``: a sentence on where the page comes from. Only a page with one links to the pages of rules beside it.
    """
    contract = entry.contract
    source = f" · Source: {contract.source}" if contract.source else ""
    lines = [f"# {contract.title}", "", contract.about, "", f"Contract `{contract.contract}`{source}"]
    lines += ["", origin] if origin else []
    lines += ["", "## Recognized as", ""]
    lines += [f"- {line}" for line in recognised(contract)]
    lines += ["", f"Without a readable status (`{contract.status}`): {contract.unread}."]
    if contract.prose:
        lines += ["", "## Required mentions in other documents", "", *(f"- {line}" for line in mentioned(contract))]
    lines += ["", "## Profiles", "", "| profile | description |", "| --- | --- |"]
    for name, profile in contract.profiles.items():
        mark = " (default)" if name == contract.default_profile else ""
        lines.append(f"| `{name}`{mark} | {cell(profile.about)} |")
    lines += _owing(contract)
    lines += _settings(contract)
    default = entry.spec(contract.default_profile)
    lines += _whole(default)
    for name in contract.profiles:
        if name != contract.default_profile:
            lines += _different(default, entry.spec(name))
    page = "\n".join(lines) + "\n"
    return page if origin else _RULE_LINK.sub(r"`\1`", page)


def _owing(contract: Contract) -> list[str]:
    """Who owes a handoff of the contract, a row for each entry of `returns`."""
    if not contract.returns:
        return []
    head = ["", "## Who owes it", "", "| agents | profiles | where | without it |", "| --- | --- | --- | --- |"]
    rows = [
        f"| {cell(_agents(item))} | {_profiles(item, contract)} | {cell(_where(item))} | {cell(item.because)} |"
        for item in contract.returns.values()
    ]
    return head + rows


def _agents(item: Return) -> str:
    named = _codes(name for name in item.agents if name != "*")
    any_other = ("any agent" if not named else ", any other agent") if "*" in item.agents else ""
    besides = f" except {_codes(item.unless)}" if item.unless else ""
    defined = f", if its definition matches `{item.definition}`" if item.definition else ""
    lead = ", but not" if defined else ", unless its definition matches"
    undefined = f"{lead} `{item.unless_definition}`" if item.unless_definition else ""
    return f"{named}{any_other}{besides}{defined}{undefined}"


def _profiles(item: Return, contract: Contract) -> str:
    named = any(name in contract.profiles for name in item.agents)
    return _codes(item.profiles) or ("the one with the agent's name" if named else "all")


def _where(item: Return) -> str:
    """Where the reader looks, and what it takes there."""
    file = f"{_codes(item.files) or 'a file'}{', if it is written' if item.if_written else ''}"
    message = "the final message" + {"any": "", "only": ", only one"}.get(item.takes, f", the {item.takes} one")
    message += ", with nothing after it" if item.at_end else ""
    if item.where in {"message", "file"}:
        place = message if item.where == "message" else file
    else:
        place = f"{item.where}: {message}{' or ' if item.where == 'either' else ' and '}{file}"
    instead = f"; {_codes(item.instead)} will do as well" if item.instead else ""
    accepts = f"; a message that matches `{item.accepts}` is accepted" if item.accepts else ""
    return place + instead + accepts


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _settings(contract: Contract) -> list[str]:
    if not contract.settings:
        return []
    head = ["", "## Settings", "", "| setting | type | meaning |", "| --- | --- | --- |"]
    return head + [f"| `{name}` | {item.type} | {cell(item.about)} |" for name, item in contract.settings.items()]


_FIELD_HEAD = ["| field | names | content | required | meaning |", "| --- | --- | --- | --- | --- |"]
_CHECK_HEAD = ["| check | rule | severity | requirement | reason |", "| --- | --- | --- | --- | --- |"]
_ROUTE_HEAD = ["| action | condition | reads | reason |", "| --- | --- | --- | --- |"]


class _FieldRow(NamedTuple):
    """The row of a field, and the lists that are too long for it."""

    row: str
    below: tuple[str, ...]


def _whole(spec: Spec) -> Iterator[str]:
    yield from ["", f"## Fields in `{spec.profile}`", "", *_field_table(_fields(spec).values())]
    if spec.contract.terms:
        yield from ["", f"### Terms in `{spec.profile}`", "", "| term | meaning |", "| --- | --- |"]
        yield from (f"| `{name}` | {coded(line)} |" for name, line in spec.contract.terms.items())
    if spec.contract.checks:
        yield from ["", f"### Checks in `{spec.profile}`", "", *_CHECK_HEAD, *_checks(spec).values()]
    if spec.contract.routing:
        yield from ["", f"### Routing in `{spec.profile}`", "", *_always(spec), *_ROUTE_HEAD, *_routes(spec)]


def _always(spec: Spec) -> list[str]:
    reads = ", ".join(f"`{spec.title(path)}`" for path in spec.contract.reads)
    return [f"Always read: {reads}. The first row whose condition holds decides.", ""] if reads else []


def _different(default: Spec, spec: Spec) -> Iterator[str]:
    """The differences between a profile and the default one."""
    yield from ["", f"## Fields in `{spec.profile}`", ""]
    changed = {path: row for path, row in _fields(spec).items() if _fields(default).get(path) != row}
    gone = [path for path in _fields(default) if path not in _fields(spec)]
    if not changed and not gone:
        yield f"As in `{default.profile}`."
    if gone:
        yield f"As in `{default.profile}`, without {', '.join(f'`{path}`' for path in gone)}."
    elif changed:
        yield f"As in `{default.profile}`, except for these fields."
    if changed:
        yield from ["", *_field_table(changed.values())]
    checks = {name: row for name, row in _checks(spec).items() if _checks(default).get(name) != row}
    dropped = [name for name in _checks(default) if name not in _checks(spec)]
    if checks or dropped:
        yield from ["", f"### Checks in `{spec.profile}`", ""]
        if dropped:
            yield f"Not checked here: {', '.join(dropped)}."
        if checks:
            yield from ["", *_CHECK_HEAD, *checks.values()] if dropped else [*_CHECK_HEAD, *checks.values()]
    if _routes(spec) != _routes(default):
        yield from ["", f"### Routing in `{spec.profile}`", "", *_always(spec), *_ROUTE_HEAD, *_routes(spec)]


def _field_table(fields: Iterable[_FieldRow]) -> list[str]:
    """The table, and below it the lists that are too long for it."""
    fields = list(fields)
    below = [line for field in fields for line in field.below]
    return [*_FIELD_HEAD, *(field.row for field in fields), *([""] if below else []), *below]


def _fields(spec: Spec) -> Mapping[str, _FieldRow]:
    return {path: _field(spec, path, field) for path, field in all_fields(spec)}


def _field(spec: Spec, path: str, field: Field) -> _FieldRow:
    name = path.rsplit(".", 1)[-1].removesuffix("[]")
    titles = [title for title in (field.title, *field.aliases) if title]  # the items of a list have none
    written = [coded(title) for title in titles] if titles != [name] else []
    values = [coded(value.value) for value in field.offered]
    below = [f"- Names of `{path}`: {', '.join(written)}."] if len(written) > _MOST_SPELLINGS else []
    below += [f"- Values of `{path}`: {' · '.join(values)}."] if len(values) > MOST_VALUES else []
    shown = written if len(written) <= _MOST_SPELLINGS else [*written[:2], f"{len(written) - 2} more below"]
    about = f"**Deprecated.** {field.deprecated.rstrip('.')}. {field.about}" if field.deprecated else field.about
    row = f"| `{path}` | {', '.join(shown)} | {content_of(field)} | {needed(spec, field)} | {cell(about)} |"
    return _FieldRow(row, tuple(below))


def _checks(spec: Spec) -> Rows:
    return {name: _check(spec, name, check) for name, check in spec.contract.checks.items()}


def _check(spec: Spec, name: str, check: Check) -> str:
    when = f"when {condition_cell(spec, check.when)}: " if check.when else ""
    rule = f"[{check.rule}](../rules/{check.rule}.md)"
    return f"| {name} | {rule} | {check.severity} | {when}{condition_cell(spec, check.check)} | {cell(check.because)} |"


def _routes(spec: Spec) -> list[str]:
    return [_route(spec, route) for route in spec.contract.routing]


def _route(spec: Spec, route: Route) -> str:
    when = "otherwise" if route.when == "true" else condition_cell(spec, route.when)
    reads = ", ".join(f"`{spec.title(path)}`" for path in route.reads if spec.field(path) is not None)
    return f"| {route.action} | {when} | {reads} | {cell(route.reason)} |"
