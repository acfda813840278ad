"""The coverage of a contract by cases: its checks, conditions and routes that no case shows at work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.cases.case import Case
from handoff_lsp.contracts.build import FIRST_COUNTS, Data
from handoff_lsp.contracts.extend import own_path
from handoff_lsp.contracts.model import Check, Field
from handoff_lsp.contracts.problems import KeyPath, leads_on
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.contracts.resolve import placed
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.decide.routing import decision
from handoff_lsp.engine import Analysis, applies
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.rules.shared.absent import absent
from handoff_lsp.rules.shared.declared import judgements
from handoff_lsp.text.named_tuple import NamedTuple

_EMPTY: tuple[object, ...] = (None, "", [], {})


@dataclass
class Statement:
    """A check, a condition or a route of a contract. ``path``: its place in the contract's file.

    ``fires``: a case has its finding, or its decision. ``near_miss``: in a case it is judged and causes nothing.
    """

    path: KeyPath
    fires: bool = False
    near_miss: bool = False

    @property
    def name(self) -> str:
        """Its name in lists, such as ``checks.red-has-failures``."""
        return ".".join(map(str, self.path))


class Unshown(NamedTuple):
    """What no case shows of a statement."""

    path: KeyPath
    name: str
    lacks: str


class Coverage:
    """The statements of one contract, and what the cases so far show of them."""

    def __init__(self, entry: ContractEntry, own: Data | None = None) -> None:
        """``own``: the data of the contract's own file, if it extends another contract; only this is to be shown."""
        self.entry = entry
        self._own = own
        self._statements: dict[KeyPath, Statement] = {}
        self._checks: dict[tuple[str, str], Statement] = {}
        self._routes: dict[int, Statement] = {}
        self._fields: dict[int, dict[str, Statement]] = {}
        for profile in entry.contract.profiles:
            self._add_profile(entry.spec(profile))

    @property
    def total(self) -> int:
        """The number of statements."""
        return len(self._statements)

    def gaps(self) -> list[Unshown]:
        """What the cases do not show, in the order of the contract."""
        unshown = ((each, lacks) for each in self._statements.values() if (lacks := _lacks(each)))
        return [Unshown(self._place(each.path), each.name, lacks) for each, lacks in unshown]

    def _place(self, path: KeyPath) -> KeyPath:
        """A path of the contract in its own file."""
        return path if self._own is None else own_path(self._own, self.entry.data, path)

    def add(self, case: Case, analysis: Analysis) -> None:
        """Count what a case that holds shows."""
        for handoff in analysis.handoffs:
            if handoff.spec.name != self.entry.name or (handoff.mode == "example" and not case.options.examples):
                continue
            self._see_checks(case, handoff)
            self._see_fields(handoff)
            if case.routes and handoff.mode == "handoff":
                self._see_routes(handoff)

    def _add_profile(self, spec: Spec) -> None:
        for name, check in spec.contract.checks.items():
            if check.severity != "off":
                self._checks[spec.profile, name] = self._statement(spec, ("checks", name))
        for path, field in _fields(spec):
            for key, condition in (
                ("required", field.required),
                ("filled", field.filled),
                ("forbidden", field.forbidden),
            ):
                if condition:
                    found = self._statement(spec, (*path, key))
                    found.near_miss = found.near_miss or condition in {True, "true"}
                    self._fields.setdefault(id(field), {})[key] = found
        for index, route in enumerate(spec.contract.routing):
            found = self._statement(spec, ("routing", index))
            found.near_miss = found.near_miss or route.when == "true"
            self._routes[id(route)] = found

    def _statement(self, spec: Spec, path: KeyPath) -> Statement:
        """A statement of a profile: the same object for profiles that have it from the same place."""
        at = placed(self.entry.data, spec.profile, path)
        if self._own is not None and not _is_stated(self._own, self.entry.data, at):
            return Statement(at)
        return self._statements.setdefault(at, Statement(at))

    def _see_checks(self, case: Case, handoff: Handoff) -> None:
        for name, check in handoff.spec.contract.checks.items():
            found = self._checks.get((handoff.spec.profile, name))
            if found is None or (found.fires and found.near_miss) or not _is_run(name, check, case, handoff):
                continue
            for outcome in judgements(handoff, check):
                found.fires = found.fires or outcome.holds is False
                found.near_miss = found.near_miss or outcome.holds is True

    def _see_fields(self, handoff: Handoff) -> None:
        if not applies(all_rules()["missing-field"], handoff):
            return
        missing = {id(slot) for slot in absent(handoff)}
        for parent in handoff.slots:
            if not parent.present or parent.problem is not None:
                continue
            for slot in parent.children.values():
                of_field = self._fields.get(id(slot.field), {})
                is_empty = slot.present and slot.data in ("", [], {})
                for key, condition, asked in (
                    ("required", slot.field.required, not slot.present),
                    ("filled", slot.field.filled, is_empty),
                    ("forbidden", slot.field.forbidden, slot.data not in _EMPTY and slot.value is not None),
                ):
                    found = of_field.get(key)
                    if found is None or not asked:
                        continue
                    if handoff.values.holds(condition):
                        found.fires = found.fires or key == "forbidden" or id(slot) in missing
                    else:
                        found.near_miss = True

    def _see_routes(self, handoff: Handoff) -> None:
        taken = decision(handoff)
        routes = handoff.spec.contract.routing
        if taken is None or not any(route is taken for route in routes):
            return  # a replacement: the contract's own routes are not what the case shows
        for route in routes:
            found = self._routes[id(route)]
            if route is taken:
                found.fires = True
                return
            found.near_miss = True


def _is_stated(own: Any, whole: Any, path: KeyPath) -> bool:
    """Whether a part of a contract is in its own file, and not in the contract that it extends."""
    for step in path:
        added = own.get(f"+{step}") if isinstance(own, dict) else None
        if isinstance(added, list) and isinstance(step, str):  # beside those of the other contract
            others = [None] * (len(whole[step]) - len(added))
            own, whole = added + others if step in FIRST_COUNTS else others + added, whole[step]
        elif leads_on(own, step):
            own, whole = own[step], whole[step]
        else:
            return False
        if own is None:
            return False
    return True


def _fields(spec: Spec) -> Iterator[tuple[KeyPath, Field]]:
    """Every field of a profile with its place in the contract's data, those in the items of lists among them."""
    stack: list[tuple[KeyPath, Field]] = [(("fields", name), field) for name, field in reversed(spec.fields.items())]
    while stack:
        path, field = stack.pop()
        yield path, field
        if field.items is not None:
            stack.append(((*path, "items"), field.items))
        stack += [((*path, "fields", name), child) for name, child in reversed(field.fields.items())]


def _is_run(name: str, check: Check, case: Case, handoff: Handoff) -> bool:
    rule = all_rules().get(check.rule)
    names = (check.rule, f"{handoff.spec.name}/{name}")
    off = any(case.options.severities.get(each) == "off" for each in names)
    return rule is not None and not off and applies(rule, handoff)


def _lacks(statement: Statement) -> str:
    if statement.fires:
        return "" if statement.near_miss else "no near miss"
    return "no case fires it" if statement.near_miss else "no case fires it, and no near miss"
