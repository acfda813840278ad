"""A contract with one profile applied, as binding, rules and features read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from handoff_lsp.contracts.arguments import arguments_of
from handoff_lsp.contracts.build import Built, Data, build_contract, with_profile
from handoff_lsp.contracts.conditions import Conditions
from handoff_lsp.contracts.demands import Demands, with_demands
from handoff_lsp.contracts.model import Check, Contract, Field
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.per_field import ContractPart, once_per_field

# The name in conditions of the values that this profile offers.
OFFERED = "offered"
# Names with a fixed meaning in conditions.
RESERVED = frozenset({"this", "holder", "previous", "document", OFFERED, "settings"})

# The severities of findings that contest the content of a handoff.
JUDGING = frozenset({"error", "warning"})


class Spec(ContractPart):
    """One profile of one contract. Built once and shared; nothing in it changes.

    ``data`` are those of the contract, ``filled_in``; ``base`` is what is built from them already. ``demands``: those
    of the config on the agent that owes the handoff.
    """

    def __init__(self, data: Data, profile: str, base: Built | None = None, demands: Demands | None = None) -> None:
        self.profile = profile
        of_profile = with_profile(data, profile)
        whole = of_profile if demands is None else with_demands(of_profile, demands)
        self.contract: Contract = build_contract(whole, base)

    @property
    def name(self) -> str:
        """The contract's name."""
        return self.contract.contract

    @property
    def fields(self) -> dict[str, Field]:
        """The root fields, in order."""
        return self.contract.fields

    @property
    def status(self) -> str:
        """The path of the status."""
        return self.contract.status

    @cached_property
    def root(self) -> Field:
        """The object that has the root fields as children."""
        contract = self.contract
        return Field(type="object", fields=self.fields, closed=contract.closed, upstream=contract.upstream)

    @cached_property
    def front_matter(self) -> Field | None:
        """The object that has the root fields in front matter as children; None without any."""
        fields = {name: field for name, field in self.fields.items() if "front-matter" in field.carriers}
        return Field(type="object", fields=fields, closed=self.contract.closed) if fields else None

    @cached_property
    def checks(self) -> dict[str, dict[str, Check]]:
        """The checks that are not switched off, by the rules that they name and their own names."""
        found: dict[str, dict[str, Check]] = {}
        for name, check in self.contract.checks.items():
            if check.severity != "off":
                found.setdefault(check.rule, {})[f"{self.name}/{name}"] = check
        return found

    @cached_property
    def conditions(self) -> Conditions:
        """The CEL of this profile."""
        kinds = {
            name: "string" if field.kind.has_pattern and not field.has_groups else field.kind.cel
            for name, field in self.fields.items()
        }
        of_arguments = {path: self._argument_kind(path) for path in self.arguments}
        others = dict.fromkeys([*self.contract.terms, *self.contract.companions, "this", "previous", "holder"], "any")
        counts = dict.fromkeys(self.contract.counts, "integer")
        variables = {"document": "object", OFFERED: "object", **kinds, **of_arguments, "settings": "object"}
        variables |= {**counts, **others}
        own = OFFERED in {*kinds, *counts, *others}
        return Conditions(variables, self.contract.terms, {} if own else {OFFERED: self.offered})

    @cached_property
    def offered(self) -> dict[str, list[str]]:
        """For each root enum, the values that messages, fixes and completion name."""
        return {name: [one.value for one in field.offered] for name, field in self.fields.items() if field.values}

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        """The paths of the arguments of enums: `status.adr` of the value `superseded by {adr}`."""
        return tuple(
            f"{path}.{name}"
            for path, field in self.walk()
            for name in dict.fromkeys(chain.from_iterable(arguments_of(value.value) for value in field.values))
        )

    def _argument_kind(self, path: str) -> str:
        field = self.field(path)
        return field.kind.cel if field is not None and not field.kind.untyped else "string"

    @cached_property
    def bounded_routes(self) -> tuple[str, ...]:
        """The conditions of routes that can be given up on long values."""
        return tuple(route.when for route in self.contract.routing if self.conditions.can_give_up(route.when))

    @cached_property
    def empty_words(self) -> frozenset[str]:
        """The words that mean an empty value, without case."""
        return frozenset(word.casefold() for word in self.contract.empty_words)

    @property
    def is_json(self) -> bool:
        """Whether handoffs of the contract are JSON: fields are then called by their paths."""
        json = any(form is not None and form.holds_json for form in (self.contract.fence, self.contract.file))
        return json and not any((self.contract.detect, self.contract.section, self.contract.run))

    @property
    def is_log(self) -> bool:
        """Whether handoffs of the contract are logs."""
        return self.contract.file is not None and self.contract.file.syntax == "log"

    def field(self, path: str) -> Field | None:
        """The field at a dotted path such as ``abstract.verdict``, or None."""
        at: Field | None = None
        fields = self.fields
        for name in path.split("."):
            at = fields.get(name)
            if at is None:
                return None
            fields = at.fields
        return at

    def title(self, path: str) -> str:
        """The name of the field at a path in messages: its title, or its name."""
        found = self.field(path)
        return found.title if found else path.rsplit(".", 1)[-1]

    @cached_property
    def deciding(self) -> frozenset[str]:
        """The paths on which the decision depends.

        The orchestrator always reads them, a route reads them in its condition, or a check of one of these does.
        Conditions that read a companion do not count.
        """
        contract = self.contract
        routed = {*contract.reads, *self._own_paths([route.when] for route in contract.routing)}
        checks = [check for check in contract.checks.values() if check.at in routed and check.severity in JUDGING]
        return frozenset(routed.union(self._own_paths([check.when, check.check] for check in checks)))

    def _own_paths(self, conditions: Iterable[Sequence[str]]) -> Iterator[str]:
        """The paths in those conditions that read no companion."""
        for lines in conditions:
            paths = [path for line in lines for path in self.paths_in(line)]
            if not any(path.partition(".")[0] in self.contract.companions for path in paths):
                yield from paths

    def paths_in(self, condition: str) -> Iterator[str]:
        """The paths in a condition, in order, with the paths of its terms in place of the terms."""
        yield from self._paths_in(condition, set())

    def _paths_in(self, condition: str, seen: set[str]) -> Iterator[str]:
        terms = self.contract.terms
        for path in self.conditions.paths(condition):
            name = path.partition(".")[0]
            if name not in terms:
                yield path
            elif name not in seen:
                seen.add(name)
                yield from self._paths_in(terms[name], seen)

    def walk(self) -> Iterator[tuple[str, Field]]:
        """Every field with its path, parents first."""
        stack = [(name, field) for name, field in reversed(self.fields.items())]
        while stack:
            path, field = stack.pop()
            yield path, field
            stack.extend((f"{path}.{name}", child) for name, child in reversed(field.fields.items()))

    @cached_property
    def names(self) -> NameTable:
        """The root fields by their folded titles and aliases."""
        return NameTable(self.fields)

    def setting(self, name: str, given: Mapping[str, Any]) -> Any:
        """A setting's value from the config, else its default."""
        declared = self.contract.settings[name]
        return given.get(name, declared.default)


class NameTable(ContractPart):
    """Field names by their written names."""

    __slots__ = ("exact", "folded", "titles", "wrong")

    def __init__(self, fields: Mapping[str, Field]) -> None:
        self.exact: dict[str, str] = {}
        self.folded: dict[str, str] = {}
        self.wrong: dict[str, str] = {}
        self.titles: dict[str, str] = {}
        for name, field in fields.items():
            self.titles[name] = field.title
            for written in (self.titles[name], *field.aliases):
                self.exact[written] = name
                self.folded.setdefault(fold_name(written), name)
            for written in field.instead_of:
                self.wrong[fold_name(written)] = name


@once_per_field
def children_of(field: Field) -> NameTable:
    """The children of a field by their folded titles and aliases."""
    return NameTable(field.fields)


@once_per_field
def shared_names(field: Field) -> frozenset[str]:
    """The folded names in ``also``, which other things in a document may have, too."""
    return frozenset(map(fold_name, field.also))
