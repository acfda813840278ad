"""The shape of a config file, as plain classes, and judging one against it and against the names that exist.

The text under each attribute is its description in ``schemas/config.schema.json``, which pydantic makes. Configs are
judged without pydantic: to load it would take as long as half of a check.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import Field, field, fields, is_dataclass
from functools import cache
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

from handoff_lsp.contracts.model import ContractName, Mode, ProfileName, Reference, ReturnPlace, Severity
from handoff_lsp.contracts.patterns import MAX_ALL_WEIGHTS, PatternError, group_count, weight
from handoff_lsp.contracts.problems import KeyPath, did_you_mean, first_problems, kind_of, listed, unknown
from handoff_lsp.contracts.references import hints_of, is_required, options
from handoff_lsp.contracts.registry import Registry, builtin
from handoff_lsp.language import number_of
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.disk.globs import unsafe_reason

# The most items in a list of patterns, as each file is matched with all of them, and the most characters shown of one.
_MOST_ITEMS = 1_000
_LONGEST_SHOWN = 100

# The code of a rule, or a check as `CONTRACT/CHECK`.
RuleOrCheck = Annotated[str, Reference("rule or check")]
# An agent of the workspace, and a field of the contract that it returns.
AgentName = Annotated[str, Reference("agent")]
OwedField = Annotated[str, Reference("owed field")]


def key_of(attribute: str) -> str:
    """The key of an attribute in a file."""
    return attribute.replace("_", "-")


# How pydantic makes the schema.
_STRICT: Any = {"extra": "forbid", "use_attribute_docstrings": True, "alias_generator": key_of}
_OPEN: Any = {**_STRICT, "extra": "allow"}


@lazy_dataclass(kw_only=True)
class ContractModel:
    """Settings of one contract: its profile, and any setting that the contract declares."""

    __pydantic_config__ = _OPEN

    profile: ProfileName | None = None
    """Profile used when a handoff does not declare one."""


@lazy_dataclass(kw_only=True)
class FilesModel:
    """Settings for some files. If several entries match a file, the last one wins."""

    __pydantic_config__ = _STRICT

    pattern: str
    """Glob of the files, relative to the folder of the config file."""
    contract: ContractName | None = None
    """Contract of these files."""
    mode: Mode | None = None
    """Whether these files are handoffs, templates, or documents with examples."""
    rules: dict[RuleOrCheck, Severity] = field(default_factory=dict)
    """Severities of rules in these files."""


@lazy_dataclass(kw_only=True)
class AgentModel:
    """What an agent owes at the end of its runs. Left out: as contracts and the agent's definition have it."""

    __pydantic_config__ = _STRICT

    returns: ContractName | Literal[False] | None = None
    """Contract of the handoff that the agent owes; `false`: it owes none."""
    profile: ProfileName | None = None
    """Profile of its handoffs."""
    where: ReturnPlace | None = None
    """Where its reader looks: in the final message, in a file, in either or in both."""
    files: list[str] = field(default_factory=list)
    """Globs of the file, from the root of the workspace."""
    must: list[OwedField] = field(default_factory=list)
    """Fields that the agent must fill in, by their paths."""
    never: list[OwedField] = field(default_factory=list)
    """Fields that the agent must leave out."""


@lazy_dataclass(kw_only=True)
class AllowModel:
    """A value that prompts may name although other prompts, or the contract, disagree. Left out: any."""

    __pydantic_config__ = _STRICT

    field: str | None = None
    """Field, by its name, title or path."""
    value: str | None = None
    """Value of the field, or name of an agent."""
    agent: str | None = None
    """Agent, command or page whose prompt says it, by its name."""
    because: str
    """Reason, for people."""


@lazy_dataclass(kw_only=True)
class PromptsModel:
    """What prompts may say about contracts."""

    __pydantic_config__ = _STRICT

    allow: list[AllowModel] = field(default_factory=list)
    """Values on which prompts may disagree."""


@lazy_dataclass(kw_only=True)
class EditorModel:
    """How editors show documents. `check` ignores these settings."""

    __pydantic_config__ = _STRICT

    wait_while_typing: bool = True
    """Hide findings caused by the line being typed, until a second without a key, an edit elsewhere or a save."""
    workspace_diagnostics: bool = True
    """Report findings for all workspace files, not just open ones."""
    code_lens: bool = True
    """Show the orchestrator's next action above each handoff."""
    inlay_hints: bool = True
    """Show inlay hints for counts, ages, and what a value triggers."""
    update_counts: bool = False
    """Update counts at the end of a line. Needs an editor that formats on type."""
    links: dict[str, str] = field(default_factory=dict)
    """Map regex patterns to URLs. `$0` is the match, `$1` the first group."""


@lazy_dataclass(kw_only=True)
class ConfigModel:
    """The config of handoff-lsp: `.handoff-lsp.toml`, or `[tool.handoff-lsp]` in `pyproject.toml`."""

    __pydantic_config__ = _STRICT

    extend: str | None = None
    """Path of a config to extend, relative to the folder of this one."""
    examples: bool = False
    """Also check fenced examples in documents about a format."""
    contract_files: list[str] = field(default_factory=list)
    """Globs of your own contracts, relative to the folder of the config file and inside it. A folder means its YAML \
files."""
    contract_packages: list[str] = field(default_factory=list)
    """Names of installed Python packages with contracts."""
    exclude: list[str] = field(default_factory=list)
    """Globs to leave out. A glob without `/` matches in any folder. A named or open file is still checked."""
    baseline: str | None = None
    """File of known findings that `check` leaves out, relative to the folder of the config file and inside it. \
`handoff-lsp baseline` writes it."""
    disable: list[ContractName] = field(default_factory=list)
    """Contracts to disable."""
    contracts: dict[ContractName, ContractModel] = field(default_factory=dict)
    """Settings of contracts, by name."""
    rules: dict[RuleOrCheck, Severity] = field(default_factory=dict)
    """Severities by rule or check (`CONTRACT/CHECK`)."""
    files: list[FilesModel] = field(default_factory=list)
    """Settings for some files."""
    agents: dict[AgentName, AgentModel] = field(default_factory=dict)
    """What agents owe, by their names."""
    prompts: PromptsModel = field(default_factory=PromptsModel)
    """What prompts may say about contracts."""
    editor: EditorModel = field(default_factory=EditorModel)
    """How editors show documents."""


@lazy_dataclass(kw_only=True)
class SettingsModel(ConfigModel):
    """Settings of an editor: those of a config file, and which file that is."""

    config: str | None = None
    """Config file to use instead of the nearest one."""


class ConfigProblem(NamedTuple):
    """Something wrong with a config: where (keys and indexes from its root), and what in words.

    ``is_key``: it is the key there, not the value. ``of_contract``: a contract is unknown.
    """

    path: KeyPath
    message: str
    is_key: bool = False
    of_contract: bool = False


def schema_of(table: type[Any]) -> dict[str, Any]:
    """The JSON Schema of a table, with its descriptions."""
    from pydantic import TypeAdapter

    return TypeAdapter(table).json_schema()


def config_schema() -> dict[str, Any]:
    """The JSON Schema of a config file, with the built-in contracts and all rules for completion."""
    schema = schema_of(ConfigModel)
    schema["$defs"]["AllowModel"]["properties"]["because"]["minLength"] = 1
    rules = {name: {"$ref": "#/$defs/Severity", "description": rule.summary} for name, rule in all_rules().items()}
    schema["$defs"]["Severity"] = {"type": "string", "enum": list(get_args(Severity))}
    for owner in (schema, schema["$defs"]["FilesModel"]):
        checks = {"^[\\w.-]+/.+$": {"$ref": "#/$defs/Severity", "description": "A check: `CONTRACT/CHECK`."}}
        owner["properties"]["rules"].update(properties=rules, patternProperties=checks, additionalProperties=False)
    kinds: dict[str, dict[str, Any]] = {
        "boolean": {"type": "boolean"},
        "string": {"type": "string"},
        "strings": {"type": "array", "items": {"type": "string"}},
    }
    about = schema["$defs"]["ContractModel"]["properties"]["profile"]["description"]
    contracts = {}
    for entry in builtin():
        contract = entry.contract
        profile = {"enum": list(contract.profiles), "description": about}
        keys: dict[str, Any] = {"profile": profile}
        for name, setting in contract.settings.items():
            keys[name] = {**kinds[setting.type], "description": setting.about}
        contracts[entry.name] = {"type": "object", "properties": keys, "additionalProperties": False}
    schema["properties"]["contracts"]["properties"] = contracts
    return schema


def check_config(
    data: Mapping[str, Any],
    registry: Registry,
    unread: Collection[str] = (),
    model: type[Any] = ConfigModel,
    *,
    partial: bool = False,
) -> list[ConfigProblem]:
    """All problems of a config's data; empty if it is valid.

    ``unread`` names contracts whose files have problems of their own: they are not repeated here. ``partial``: there
    are contracts of other names, too, which cannot be read.
    """
    found = _problems(data, registry, unread, model)
    return first_problems(one for one in found if not (partial and one.of_contract))


def _problems(
    data: Mapping[str, Any], registry: Registry, unread: Collection[str], model: type[Any]
) -> Iterator[ConfigProblem]:
    wrong = set()
    for problem in shape_problems(data, model):
        wrong.add(problem.path)
        yield problem
    yield from (problem for problem in _names(data, registry, unread, model) if problem.path not in wrong)


@cache
def keys_of(table: Any) -> dict[str, tuple[Any, Field[Any]]]:
    """The keys of a table in their order, each with its type and its attribute."""
    hints = hints_of(table)
    return {key_of(each.name): (hints[each.name], each) for each in fields(table)}


def _shape(path: KeyPath, hint: Any, found: Any) -> Iterator[ConfigProblem]:
    """A value that is not of its type, or has others inside that are not of theirs."""
    for kind in options(hint):
        origin, inner = get_origin(kind) or kind, get_args(kind)
        if origin is Literal:
            if any(type(found) is type(value) and found == value for value in inner):
                return
        elif isinstance(found, dict if is_dataclass(origin) else origin):
            if origin is dict:
                for key, value in found.items():
                    yield from _shape((*path, key), inner[1], value)
            elif origin is list:
                for index, value in enumerate(found):
                    yield from _shape((*path, index), inner[0], value)
            elif is_dataclass(origin):
                yield from shape_problems(found, origin, path)
            return
    yield ConfigProblem(path, _wanted(path, hint, found))


def shape_problems(found: Mapping[str, Any], table: Any, path: KeyPath = ()) -> Iterator[ConfigProblem]:
    """The problems of a table's shape: unknown keys, missing ones, and values of another type."""
    keys = keys_of(table)
    misspelt = [] if table.__pydantic_config__ is _OPEN else [key for key in found if key not in keys]
    for key, (hint, attribute) in keys.items():
        if key in found:
            yield from _shape((*path, key), hint, found[key])
        elif is_required(attribute) and not misspelt:  # an unknown key beside it explains more
            yield ConfigProblem((*path, key), f"`{dotted(path)}` has no `{key}`", True)
    for key in misspelt:
        yield ConfigProblem((*path, key), unknown("key", key, keys), True)


_WANTED: Mapping[Any, str] = {bool: "`true` or `false`", str: "a string", list: "a list", dict: "a table"}


def _wanted(path: KeyPath, hint: Any, found: Any) -> str:
    """The message for a value of another type."""
    kinds = options(hint)
    known = [value for kind in kinds if get_origin(kind) is Literal for value in get_args(kind)]
    if known and str not in kinds:
        if not isinstance(found, str):
            return f"`{dotted(path)}` must be a string, one of {listed(known)}, not {kind_of(found)}"
        meant = did_you_mean(found, known)
        return f'`{dotted(path)}` is "{found}", but it must be one of {listed(known)}{meant}'
    wanted = [_WANTED.get(get_origin(kind) or kind, "a table") for kind in kinds if kind is not NoneType]
    wanted = ["a string", "`false`"] if known else wanted
    return f"`{dotted(path)}` must be {' or '.join(wanted)}, not {kind_of(found)}"


def _names(
    data: Mapping[str, Any], registry: Registry, unread: Collection[str], model: type[Any]
) -> Iterator[ConfigProblem]:
    contracts = [*registry.names, *unread]
    for name, decided in _table(data, "contracts"):
        if name not in contracts:
            yield _unknown_contract(("contracts", name), name, contracts, is_key=True)
        elif name in registry and name not in unread and isinstance(decided, dict):
            yield from _contract(("contracts", name), name, decided, registry)
    for index, name in _items(data, "disable"):
        if name not in contracts:
            if name in all_rules():
                message = f'`disable` is for contracts; for a rule, set `{name} = "off"` in `rules`'
                yield ConfigProblem(("disable", index), message)
            else:
                yield _unknown_contract(("disable", index), name, contracts)
    for key in ("exclude", "files"):
        items = data.get(key)
        if isinstance(items, list) and len(items) > _MOST_ITEMS:
            yield ConfigProblem((key,), f"`{key}` has more than {_MOST_ITEMS:,} items")
            data = {**data, key: []}  # its items are not checked one by one
    if data.get("extend") is not None and model is SettingsModel:
        yield ConfigProblem(("extend",), "`extend` is for config files; settings go over the config anyway")
    if data.get("baseline") is not None and model is SettingsModel:
        yield ConfigProblem(("baseline",), "`baseline` is for config files; editors show all findings")
    for key in ("contract-files", "exclude"):
        for index, pattern in _items(data, key):
            yield from _pattern((key, index), pattern)
    baseline = data.get("baseline")
    reason = unsafe_reason(baseline) if isinstance(baseline, str) else None
    if reason is not None:
        yield ConfigProblem(("baseline",), f"the path of the baseline {reason}")
    yield from _rules((), data, registry, unread)
    for name, decided in _table(data, "agents"):
        if isinstance(decided, dict):
            yield from _agent(("agents", name), decided, registry, unread)
    prompts = data.get("prompts")
    allow = prompts.get("allow") if isinstance(prompts, dict) else None
    for index, entry in enumerate(allow if isinstance(allow, list) else []):
        if isinstance(entry, dict) and entry.get("because") == "":
            reason_at = ("prompts", "allow", index, "because")
            yield ConfigProblem(reason_at, f"`{dotted(reason_at)}` is empty; give the reason")
        if isinstance(entry, dict) and not {"field", "value", "agent"} & entry.keys():
            message = "this entry would allow everything; give a `field`, a `value` or an `agent`"
            yield ConfigProblem(("prompts", "allow", index), message)
    editor = data.get("editor")
    links = _table(editor, "links") if isinstance(editor, dict) else ()
    total = 0
    for pattern, url in links:
        total += weight(pattern)
        if total > MAX_ALL_WEIGHTS:
            message = "too many patterns, or too large with their repeats written out"
            yield ConfigProblem(("editor", "links", pattern), message, True)
            break
        yield from _link(("editor", "links", pattern), pattern, url)
    files = data.get("files")
    for index, entry in enumerate(files if isinstance(files, list) else []):
        if not isinstance(entry, dict):
            continue
        where: KeyPath = ("files", index)
        if isinstance(entry.get("pattern"), str):
            yield from _pattern((*where, "pattern"), entry["pattern"])
        named = entry.get("contract")
        if isinstance(named, str) and named not in contracts:
            yield _unknown_contract((*where, "contract"), named, contracts)
        yield from _rules(where, entry, registry, unread)


def _contract(where: KeyPath, name: str, decided: Mapping[str, Any], registry: Registry) -> Iterator[ConfigProblem]:
    contract = registry[name].contract
    for key, value in decided.items():
        at = (*where, key)
        if key == "profile":
            if isinstance(value, str) and value not in contract.profiles:
                yield ConfigProblem(at, unknown("profile", value, contract.profiles, f" of `{name}`"))
        elif key not in contract.settings:
            names = ("profile", *contract.settings)
            yield ConfigProblem(at, unknown("setting", key, names, f" of `{name}`"), True)
        else:
            wanted = contract.settings[key].type
            if wanted == "boolean" and not isinstance(value, bool):
                yield ConfigProblem(at, f"`{dotted(at)}` must be `true` or `false`, not {kind_of(value)}")
            elif wanted == "string" and not isinstance(value, str):
                yield ConfigProblem(at, f"`{dotted(at)}` must be a string, not {kind_of(value)}")
            elif wanted == "strings" and not (isinstance(value, list) and all(isinstance(item, str) for item in value)):
                found = kind_of(value) if not isinstance(value, list) else "a list with other things in it"
                yield ConfigProblem(at, f"`{dotted(at)}` must be a list of texts, not {found}")


def _agent(
    where: KeyPath, decided: Mapping[str, Any], registry: Registry, unread: Collection[str]
) -> Iterator[ConfigProblem]:
    """Names in what an agent owes that do not exist, and patterns of files that are refused."""
    for index, pattern in _items(decided, "files"):
        yield from _pattern((*where, "files", index), pattern)
    contract = decided.get("returns")
    if not isinstance(contract, str):
        return
    if contract not in registry:
        if contract not in unread:
            yield _unknown_contract((*where, "returns"), contract, registry.names)
        return
    entry = registry[contract]
    profile = decided.get("profile")
    if isinstance(profile, str) and profile not in entry.contract.profiles:
        yield ConfigProblem(
            (*where, "profile"), unknown("profile", profile, entry.contract.profiles, f" of `{contract}`")
        )
    specs = [entry.spec(profile)] if profile in entry.contract.profiles else map(entry.spec, entry.contract.profiles)
    paths = {path for spec in specs for path, _ in spec.walk()}
    for key in ("must", "never"):
        for index, path in _items(decided, key):
            if path not in paths:
                yield ConfigProblem((*where, key, index), unknown("field", path, sorted(paths), f" of `{contract}`"))


def _rules(
    where: KeyPath, data: Mapping[str, Any], registry: Registry, unread: Collection[str]
) -> Iterator[ConfigProblem]:
    """Names that are neither a rule nor a check, as ``CONTRACT/CHECK``."""
    for name, _ in _table(data, "rules"):
        if name in all_rules():
            continue
        contract, slash, check = name.partition("/")
        at: KeyPath = (*where, "rules", name)
        if not slash:
            yield ConfigProblem(at, unknown("rule", name, all_rules()), True)
        elif contract not in registry:
            if contract not in unread:
                yield _unknown_contract(at, contract, registry.names, is_key=True)
        elif check not in (checks := registry[contract].checks):
            yield ConfigProblem(at, unknown("check", check, checks, f" of `{contract}`"), True)


def _unknown_contract(where: KeyPath, name: str, known: Iterable[str], *, is_key: bool = False) -> ConfigProblem:
    return ConfigProblem(where, unknown("contract", name, known), is_key, of_contract=True)


def _pattern(where: KeyPath, pattern: str) -> Iterator[ConfigProblem]:
    reason = unsafe_reason(pattern)
    if reason is not None:
        shown = pattern if len(pattern) <= _LONGEST_SHOWN else pattern[:_LONGEST_SHOWN] + "…"
        yield ConfigProblem(where, f'the pattern "{shown}" {reason}')


def _link(where: KeyPath, pattern: str, url: Any) -> Iterator[ConfigProblem]:
    """A pattern that RE2 takes, with the groups its URL asks for; only the web is linked to, no editor's command."""
    try:
        groups = group_count(pattern)
    except PatternError as error:
        yield ConfigProblem(where, f"`{pattern}` is not a valid RE2 pattern: {error}", True)
        return
    if not isinstance(url, str):
        return
    if not url.lower().startswith(("https://", "http://")):
        yield ConfigProblem(where, f"the URL for `{pattern}` must begin with `https://` or `http://`")
    for asked in sorted({int(number) for number in re.findall(r"\$(\d)", url)}):
        if asked > groups:
            known = f"has {number_of(groups, 'group')}" if groups else "has no group"
            yield ConfigProblem(where, f"the URL for `{pattern}` asks for `${asked}`, but the pattern {known}")


def _table(data: Mapping[str, Any], key: str) -> Iterable[tuple[str, Any]]:
    found = data.get(key)
    return list(found.items()) if isinstance(found, dict) else []


def _items(data: Mapping[str, Any], key: str) -> Iterable[tuple[int, str]]:
    found = data.get(key)
    return [(at, item) for at, item in enumerate(found) if isinstance(item, str)] if isinstance(found, list) else []


def dotted(path: KeyPath) -> str:
    """A path as people write it: ``files[0].pattern``, counted from 0."""
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).lstrip(".")


def with_keys(path: KeyPath, message: str) -> str:
    """The message of a problem behind the keys that lead to it, for data without lines; without those that it names."""
    named = path[:-1] if path and f"`{path[-1]}`" in message else path
    where = dotted(named)
    return f"`{where}`: {message}" if where and f"`{where}`" not in message else message
