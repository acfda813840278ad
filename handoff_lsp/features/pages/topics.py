"""The topics of `explain` and their pages: rules, contracts with their profiles, fields and their values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from handoff_lsp.contracts.model import Field, Route
from handoff_lsp.contracts.names import did_you_mean
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.features.pages import contract_pages as pages
from handoff_lsp.features.pages.markup import code, prose
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.rules.shared.condition_words import condition_text
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

_CHECK = lazy_pattern(r"[^@.=/]+/.*")
TopicKind = Literal["rule", "contract", "field", "value"]


class UnknownTopic(Exception):
    """A name that is no topic; the message suggests a similar one."""


class Topic(NamedTuple):
    """Something that ``page`` explains; ``name`` is its argument."""

    name: str
    kind: TopicKind
    title: str


class Page(NamedTuple):
    """The page about a topic, as Markdown."""

    title: str
    markdown: str


def topics(registry: Registry) -> Iterator[Topic]:
    """All topics: the rules, then each contract with its fields and values, as its default profile has them.

    A field that the default profile lacks is listed as in the first profile with it.
    """
    for rule in all_rules().values():
        yield Topic(rule.code, "rule", rule.summary)
    for entry in registry:
        yield Topic(entry.name, "contract", entry.contract.title)
        for path, (spec, field) in _fields(entry).items():
            name = f"{entry.name}.{path}"
            title = pages.title_of(spec, path, field)
            yield Topic(name, "field", title)
            for value in field.values:
                yield Topic(f"{name}={value.value}", "value", f"{title}: {value.value}")


def _fields(entry: ContractEntry) -> dict[str, tuple[Spec, Field]]:
    """Every field of a contract with the first profile that has it, the default one before the others."""
    fields: dict[str, tuple[Spec, Field]] = {}
    for profile in dict.fromkeys([entry.contract.default_profile, *entry.contract.profiles]):
        spec = entry.spec(profile)
        for path, field in pages.all_fields(spec):
            fields.setdefault(path, (spec, field))
    return fields


def page(name: str, registry: Registry) -> Page:
    """The page about a topic, by its name: ``RULE``, ``CONTRACT/CHECK`` or
    ``CONTRACT[@PROFILE][.FIELD[=VALUE]]``.

    Raises UnknownTopic for any other name.
    """
    rule = all_rules().get(name)
    if rule is not None:
        return Page(rule.summary, "\n\n".join([pages.rule_page(name, registry) or "", *_checks(rule.code, registry)]))
    if _CHECK.fullmatch(name):
        return _check(name, registry)
    contract, profile, path = split_name(name, registry)
    if contract not in registry:
        known = [*all_rules(), *registry.names]
        hint = did_you_mean(contract, known) or "; see `handoff-lsp explain --list`"
        raise UnknownTopic(f"unknown rule or contract `{contract}`{hint}")
    entry = registry[contract]
    profiles = entry.contract.profiles
    if profile is not None and profile not in profiles:
        hint = did_you_mean(profile, profiles) or f"; it has {', '.join(profiles)}"
        raise UnknownTopic(f"the contract `{contract}` has no profile `{profile}`{hint}")
    if not path:
        return Page(entry.contract.title, _contract(entry, profile))
    path, _, value = path.partition("=")
    spec = entry.spec(profile or entry.contract.default_profile)
    # A field that the default profile lacks may be in another one.
    candidates = [spec, *(entry.spec(other) for other in profiles if profile is None)]
    for as_written in (True, False):
        for candidate in candidates:
            spelled = path if as_written else _spelled(path, candidate)
            field = pages.field_at(candidate, spelled)
            if field is not None:
                return _value(candidate, spelled, field, value) if value else _field(candidate, spelled, field)
    hint = did_you_mean(path, [known for known, _ in pages.all_fields(spec)])
    hint = hint or f"; see `handoff-lsp explain {contract}@{spec.profile}`"
    raise UnknownTopic(f"the profile `{spec.profile}` of `{contract}` has no field `{path}`{hint}")


def _checks(rule: str, registry: Registry) -> Iterator[str]:
    """The section with the checks of all contracts that a rule reports; none for a rule without any."""
    lines: list[str] = []
    first = ""
    for entry in registry:
        specs = [entry.spec(profile) for profile in entry.contract.profiles]
        names = list(dict.fromkeys(name for spec in specs for name in spec.checks.get(rule, {})))
        if names:
            first = first or names[0]
            lines.append(f"- {code(entry.name)}: {', '.join(code(name.rpartition('/')[2]) for name in names)}")
    if lines:
        yield "## Checks"
        yield f"`handoff-lsp explain CONTRACT/CHECK` explains one, such as {code(first)}."
        yield "\n".join(lines)


def _check(name: str, registry: Registry) -> Page:
    made = pages.rule_page(name, registry)
    if made is not None:
        return Page(name, made)
    contract, _, check = name.partition("/")
    if contract not in registry:
        raise UnknownTopic(f"unknown contract `{contract}`{did_you_mean(contract, registry.names)}")
    known = registry[contract].checks
    hint = did_you_mean(check, known) or (f"; it has {', '.join(known)}" if known else "; it has none")
    raise UnknownTopic(f"the contract `{contract}` has no check `{check}`{hint}")


def split_name(name: str, registry: Registry) -> tuple[str, str | None, str]:
    """``CONTRACT[@PROFILE][.FIELD]`` in its parts. Names of profiles may hold dots."""
    contract, at, rest = name.partition("@")
    if not at:
        contract, _, path = name.partition(".")
        return contract, None, path
    profiles = registry[contract].contract.profiles if contract in registry else {}
    fitting = [profile for profile in profiles if rest == profile or rest.startswith(f"{profile}.")]
    profile = max(fitting, key=len) if fitting else rest.partition(".")[0]
    return contract, profile, rest[len(profile) + 1 :]


def _spelled(path: str, spec: Spec) -> str:
    """A path in the contract's spelling if only the case differs or it is a field's title; else unchanged."""
    known = {other.casefold(): other for other, _ in pages.all_fields(spec)}
    titled = {field.title.casefold(): other for other, field in pages.all_fields(spec)}
    return known.get(path.casefold()) or titled.get(path.casefold()) or path


def _field(spec: Spec, path: str, field: Field) -> Page:
    return Page(pages.title_of(spec, path, field), pages.field_page(spec, path, field))


def _value(spec: Spec, path: str, field: Field, word: str) -> Page:
    known = {value.value: value for value in field.values}
    folded = {name.casefold(): value for name, value in known.items()}
    value = known.get(word) or folded.get(word.casefold())
    if value is not None:
        return Page(f"{pages.title_of(spec, path, field)}: {value.value}", pages.value_page(spec, path, field, value))
    hint = did_you_mean(word, known) or (f"; its values are {', '.join(known)}" if known else "; it has no values")
    raise UnknownTopic(f"`{word}` is not a value of `{path}`{hint}")


def _contract(entry: ContractEntry, profile: str | None) -> str:
    """The page of a contract, and the fields of one of its profiles."""
    spec = entry.spec(profile or entry.contract.default_profile)
    about = entry.contract.profiles[spec.profile].about
    lines = [pages.contract_page(entry.contract), "", f"## Fields in profile {code(spec.profile)}", ""]
    if profile is not None and about:
        lines += [prose(about), ""]
    for path, field in pages.all_fields(spec):
        needed = " (required)" if field.required is True else " (sometimes required)" if field.required else ""
        lines.append(f"- {code(path)}{needed}" + (f" — {prose(field.about)}" if field.about else ""))
    if spec.contract.routing:
        lines += ["", "## What the orchestrator does", ""]
    lines += [f"- {_when(spec, route)}{route.action} — {prose(route.reason)}" for route in spec.contract.routing]
    return "\n".join(lines)


def _when(spec: Spec, route: Route) -> str:
    """The condition of a route as the beginning of its line; empty where a sentence cannot hold it."""
    condition = condition_text(spec, route.when)
    return f"{condition}: " if condition else ""


def listing(registry: Registry) -> str:
    """All contracts with their profiles, and all rules by group."""
    lines = ["## Contracts", ""]
    for entry in registry:
        lines.append(f"- {code(entry.name)} — {prose(entry.contract.title)} ({', '.join(entry.contract.profiles)})")
    groups: dict[str, list[str]] = {}
    for rule in all_rules().values():
        groups.setdefault(rule.group, []).append(f"- {code(rule.code)} — {prose(rule.summary)}")
    for group, rules in groups.items():
        lines += ["", f"## Rules: {group}", "", *rules]
    return "\n".join(lines)
