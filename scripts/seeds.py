"""The rules of the systems behind the contracts: their files, and the table of them.

``docs/seeds/NAME.yaml`` lists the rules of the contract NAME: each with its place in the contract and its tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar, Literal, get_args

import yaml
from pydantic import TypeAdapter

from handoff_lsp.contracts.model import Contract, Field
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.rules.registry import all_rules

# The five systems, each with the words that identify it in a contract's `source`.
SYSTEMS = {
    "Status blocks: Silfaran/ai-standards": ("ai-standards",),
    "Result envelopes: agent-teams-lite and gentle-ai": ("agent-teams-lite", "gentle-ai"),
    "agent_contract_handoff: metraton/gaia": ("metraton/gaia",),
    "Result files and AGENT_RESULT: kirin0198/aphelion-agents": ("aphelion",),
    "status.json and activity.log: rivera-lanasm/subagent-orchestrator": ("subagent-orchestrator",),
}

FOLDER = Path(__file__).parent.parent / "docs" / "seeds"

SeedKind = Literal["duty", "permission", "recognition", "routing", "advice"]
SeedState = Literal["checked", "lenient", "left out", "impossible"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedRule:
    """One rule of the system behind the contract, with the parts of handoff-lsp that enforce it."""

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}

    ref: str
    """Its number: `1.5.4` is the fourth rule of section 1.5 of FORMATS.md."""
    says: str
    """The rule as one sentence in our own words."""
    by: list[str] = field(default_factory=list)
    """The parts that enforce it: `fields.PATH`, `checks.NAME`, `profiles.NAME`, `profiles.NAME.checks.NAME`, \
`routing`, `transitions`, the name of a rule, or another part of the contract."""
    kind: SeedKind = "duty"
    """The kind of statement. `duty`: a requirement on handoffs; `permission`: an allowed variation; `recognition`: \
how a handoff and its parts are found; `routing`: the orchestrator's reaction; `advice`: no reader asks for it."""
    shown: list[str] = field(default_factory=list)
    """The cases in `tests/cases` that show it: `file: title`. A duty needs one with a finding, a routing rule one \
with a decision."""
    lenient: str = ""
    """The part that causes no finding, and the reason. Completion, hovers and templates may know that part."""
    left_out: str = ""
    """The reason for leaving it out on purpose; empty if it is not left out."""
    impossible: str = ""
    """The reason why no file can show it; empty if one can."""

    @property
    def state(self) -> SeedState:
        """How far it is enforced here."""
        if self.impossible:
            return "impossible"
        if self.left_out:
            return "left out"
        return "lenient" if self.lenient else "checked"


STATES: tuple[SeedState, ...] = get_args(SeedState)
_PARTS = {item.name for item in fields(Contract)} - {"contract", "language", "title", "about", "source", "profiles"}


def seed_rules(contract: str) -> list[SeedRule]:
    """The rules of a contract's system. Raises ValidationError for a file with other keys."""
    data = yaml.safe_load((FOLDER / f"{contract}.yaml").read_text(encoding="utf-8"))
    return TypeAdapter(list[SeedRule]).validate_python(data)


def system_of(contract: Contract) -> str:
    """The heading for a contract's rules."""
    return next(
        (title for title, words in SYSTEMS.items() if any(word in contract.source for word in words)), "Other systems"
    )


def profile_that_has(entry: ContractEntry, by: str) -> str | None:
    """The profile in which a contract has the part that ``by`` names (``fields.PATH``, ``checks.NAME``, any other).

    Empty if ``by`` names a rule, None if nothing has the name.
    """
    if by in all_rules():
        return ""
    names = list(entry.contract.profiles)
    names.sort(key=lambda name: name != entry.contract.default_profile)
    parts = by.split(".")
    if parts[0] == "profiles":
        # A profile's name may hold dots.
        named = next((name for name in names if by == f"profiles.{name}" or by.startswith(f"profiles.{name}.")), None)
        if named is None:
            return None
        rest = by.removeprefix(f"profiles.{named}").removeprefix(".")
        return named if not rest or _has(entry.spec(named), rest) else None
    return next((name for name in names if _has(entry.spec(name), by)), None)


def _has(spec: Spec, by: str) -> bool:
    part, _, rest = by.partition(".")
    if part == "fields":
        return not rest or _has_field(spec.fields, rest)
    if part not in _PARTS:
        return False
    found: Any = getattr(spec.contract, part)
    if not rest:
        return bool(found)
    return rest in found if isinstance(found, Mapping) else bool(getattr(found, rest, None))


def _has_field(known: Mapping[str, Field], path: str) -> bool:
    """Whether a path leads to a field. ``[]`` and ``.items`` both lead to the items of a list."""
    field: Field | None = None
    for name in path.replace("[]", ".items").split("."):
        if field is not None and name == "items" and name not in known:
            field = field.items
        else:
            field = known.get(name)
        if field is None:
            return False
        known = field.fields
    return True


def seeds_page(entries: list[ContractEntry], pages: Mapping[str, str]) -> str:
    """The page. ``pages``: the other generated pages, by path; links lead only to headings that they have."""
    seeds = {entry.name: seed_rules(entry.name) for entry in entries}
    rules = [rule for found in seeds.values() for rule in found]
    lines = [
        "# The rules of the five systems",
        "",
        "Generated from `docs/seeds` by `make generate`. The numbers refer to the project's notes on the formats.",
        "",
        f"**{len(rules)} rules: {', '.join(f'{_count(rules, state=state)} {state}' for state in STATES)}.**",
        "",
        "A *duty* is a requirement on handoffs, a *permission* is an allowed variation, *recognition* describes how",
        "a handoff and its parts are found, *routing* is the orchestrator's reaction, and *advice* has no reader that",
        "asks for it. *Checked*: a case fails without the rule. *Lenient*: a part of the rule causes no finding, and",
        "the row names that part. *Left out*: not checked on purpose, and the row gives the reason. *Impossible*: no",
        "file can show it.",
        "",
        f"| kind | rules | {' | '.join(STATES)} |",
        f"| --- | --- |{' --- |' * len(STATES)}",
        *(_counts(f"{kind}", rules, kind) for kind in get_args(SeedKind)),
        "",
        f"| system | contracts | rules | {' | '.join(STATES)} |",
        f"| --- | --- | --- |{' --- |' * len(STATES)}",
    ]
    for title in [*SYSTEMS, "Other systems"]:
        own = [entry for entry in entries if system_of(entry.contract) == title]
        if own:
            names = ", ".join(f"[{entry.name}](#{entry.name})" for entry in own)
            lines.append(_counts(f"{title} | {names}", [rule for entry in own for rule in seeds[entry.name]]))
    for title in [*SYSTEMS, "Other systems"]:
        own = [entry for entry in entries if system_of(entry.contract) == title]
        if own:
            lines += ["", f"## {title}"]
        for entry in own:
            lines += list(_table(entry, seeds[entry.name], pages))
    return "\n".join(lines) + "\n"


def _count(rules: Iterable[SeedRule], kind: str | None = None, state: str | None = None) -> int:
    return sum(kind in {None, rule.kind} and state in {None, rule.state} for rule in rules)


def _counts(head: str, rules: list[SeedRule], kind: str | None = None) -> str:
    """A row of a table of counts: its subject, the number of its rules, and the number in each state."""
    return f"| {head} | {' | '.join(str(_count(rules, kind, state)) for state in (None, *STATES))} |"


def _table(entry: ContractEntry, rules: list[SeedRule], pages: Mapping[str, str]) -> Iterator[str]:
    name = entry.contract.contract
    yield from (
        "",
        f"### {name}",
        "",
        f"[The contract](contracts/{name}.md)",
        "",
        "| no. | rule | kind | state | held by | shown by |",
    )
    yield "| --- | --- | --- | --- | --- | --- |"
    for rule in rules:
        held = ", ".join(_link(entry, by, pages) for by in rule.by)
        yield f"| {rule.ref} | {_cell(rule.says)} | {rule.kind} | {rule.state} | {held} | {_shown(rule)} |"


def _shown(rule: SeedRule) -> str:
    reason = rule.impossible or rule.left_out or rule.lenient
    return "<br>".join([*([_cell(reason)] if reason else []), *(_show(one) for one in rule.shown)])


def _show(one: str) -> str:
    file, _, test = one.partition("::")
    if test:
        return f"[{_cell(test)}](../{file})"
    stem, _, title = one.partition(": ")
    return f"[{_cell(title)}](../tests/cases/{stem}.md#{anchor_of(title)})"


def _link(entry: ContractEntry, by: str, pages: Mapping[str, str]) -> str:
    if by in all_rules():
        return f"[{by}](rules/{by}.md)"
    path = f"docs/contracts/{entry.contract.contract}.md"
    profile = profile_that_has(entry, by) if by.startswith(("fields.", "checks.", "profiles.")) else None
    heading = f"## Fields in `{profile}`"
    anchor = "#" + anchor_of(heading) if profile and heading in pages.get(path, "").splitlines() else ""
    return f"[`{_cell(by)}`]({path.removeprefix('docs/')}{anchor})"


def anchor_of(heading: str) -> str:
    """The anchor that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lstrip("# ").lower()).replace(" ", "-")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
