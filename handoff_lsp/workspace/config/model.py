"""The shape of a config file, as pydantic models, and judging one against it and against the names that exist.

Imported only where there is a config: a check without one never pays for pydantic.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from handoff_lsp.contracts.model import ContractName, Mode, ProfileName, Reference, ReturnPlace, Severity
from handoff_lsp.contracts.patterns import MAX_ALL_WEIGHTS, PatternError, group_count, weight
from handoff_lsp.contracts.problems import KeyPath, did_you_mean, first_problems, kind_of, listed, unknown
from handoff_lsp.contracts.registry import Registry, builtin
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.rules.rule import counted
from handoff_lsp.workspace.disk.globs import unsafe_reason

# The most items in a list of patterns, as each file is matched with all of them, and the most characters shown of one.
_MOST_ITEMS = 1_000
_LONGEST_SHOWN = 100

# The code of a rule, or a check as `CONTRACT/CHECK`.
RuleOrCheck = Annotated[str, Reference("rule or check")]


class ContractModel(BaseModel):
    """Settings of one contract: its profile, and any setting that the contract declares."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="allow", strict=True)

    profile: ProfileName | None = Field(None, description="Profile used when a handoff does not declare one.")


class FilesModel(BaseModel):
    """Settings for some files. If several entries match a file, the last one wins."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)

    pattern: str = Field(description="Glob of the files, relative to the folder of the config file.")
    contract: ContractName | None = Field(None, description="Contract of these files.")
    mode: Mode | None = Field(
        None, description="Whether these files are handoffs, templates, or documents with examples."
    )
    rules: dict[RuleOrCheck, Severity] = Field(default_factory=dict, description="Severities of rules in these files.")


# An agent of the workspace, and a field of the contract that it returns.
AgentName = Annotated[str, Reference("agent")]
OwedField = Annotated[str, Reference("owed field")]


class AgentModel(BaseModel):
    """What an agent owes at the end of its runs. Left out: as contracts and the agent's definition have it."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)

    returns: ContractName | Literal[False] | None = Field(
        None, description="Contract of the handoff that the agent owes; `false`: it owes none."
    )
    profile: ProfileName | None = Field(None, description="Profile of its handoffs.")
    where: ReturnPlace | None = Field(
        None, description="Where its reader looks: in the final message, in a file, in either or in both."
    )
    files: list[str] = Field(default_factory=list, description="Globs of the file, from the root of the workspace.")
    must: list[OwedField] = Field(
        default_factory=list, description="Fields that the agent must fill in, by their paths."
    )
    never: list[OwedField] = Field(default_factory=list, description="Fields that the agent must leave out.")


class AllowModel(BaseModel):
    """A value that prompts may name although other prompts, or the contract, disagree. Left out: any."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)

    field: str | None = Field(None, description="Field, by its name, title or path.")
    value: str | None = Field(None, description="Value of the field, or name of an agent.")
    agent: str | None = Field(None, description="Agent, command or page whose prompt says it, by its name.")
    because: str = Field(min_length=1, description="Reason, for people.")


class PromptsModel(BaseModel):
    """What prompts may say about contracts."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)

    allow: list[AllowModel] = Field(default_factory=list, description="Values on which prompts may disagree.")


class EditorModel(BaseModel):
    """How editors show documents. `check` ignores these settings."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)

    wait_while_typing: bool = Field(
        True,
        alias="wait-while-typing",
        description="Hide findings caused by the line being typed until the cursor leaves it, or for a moment.",
    )
    workspace_diagnostics: bool = Field(
        True,
        alias="workspace-diagnostics",
        description="Report findings for all workspace files, not just open ones.",
    )
    code_lens: bool = Field(
        True, alias="code-lens", description="Show the orchestrator's next action above each handoff."
    )
    inlay_hints: bool = Field(
        True, alias="inlay-hints", description="Show inlay hints for counts, ages, and what a value triggers."
    )
    update_counts: bool = Field(
        False,
        alias="update-counts",
        description="Update counts at the end of a line. Needs an editor that formats on type.",
    )
    links: dict[str, str] = Field(
        default_factory=dict,
        description="Map regex patterns to URLs. `$0` is the match, `$1` the first group.",
    )


class ConfigModel(BaseModel):
    """The config of handoff-lsp: `.handoff-lsp.toml`, or `[tool.handoff-lsp]` in `pyproject.toml`."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True, title="handoff-lsp")

    extend: str | None = Field(
        None,
        description="Path of a config to extend, relative to the folder of this one.",
    )
    examples: bool = Field(False, description="Also check fenced examples in documents about a format.")
    contract_files: list[str] = Field(
        default_factory=list,
        alias="contract-files",
        description="Globs of your own contracts, relative to the folder of the config file and inside it. A folder "
        "means its YAML files.",
    )
    contract_packages: list[str] = Field(
        default_factory=list,
        alias="contract-packages",
        description="Names of installed Python packages with contracts.",
    )
    exclude: list[str] = Field(
        default_factory=list,
        description="Globs to ignore. A glob without `/` matches in any folder.",
    )
    baseline: str | None = Field(
        None,
        description="File of known findings that `check` leaves out, relative to the folder of the config file and "
        "inside it. `handoff-lsp baseline` writes it.",
    )
    disable: list[ContractName] = Field(default_factory=list, description="Contracts to disable.")
    contracts: dict[ContractName, ContractModel] = Field(
        default_factory=dict, description="Settings of contracts, by name."
    )
    rules: dict[RuleOrCheck, Severity] = Field(
        default_factory=dict, description="Severities by rule or check (`CONTRACT/CHECK`)."
    )
    files: list[FilesModel] = Field(default_factory=list, description="Settings for some files.")
    agents: dict[AgentName, AgentModel] = Field(default_factory=dict, description="What agents owe, by their names.")
    prompts: PromptsModel = Field(PromptsModel.model_construct(), description="What prompts may say about contracts.")
    editor: EditorModel = Field(EditorModel.model_construct(), description="How editors show documents.")


class SettingsModel(ConfigModel):
    """Settings of an editor: those of a config file, and which file that is."""

    config: str | None = Field(None, description="Config file to use instead of the nearest one.")


class ConfigProblem(NamedTuple):
    """Something wrong with a config: where (keys and indexes from its root), and what in words.

    ``is_key``: it is the key there, not the value. ``of_contract``: a contract is unknown.
    """

    path: KeyPath
    message: str
    is_key: bool = False
    of_contract: bool = False


def config_schema() -> dict[str, Any]:
    """The JSON Schema of a config file, with the built-in contracts and all rules for completion."""
    schema = ConfigModel.model_json_schema(by_alias=True)
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
    contracts = {}
    for entry in builtin():
        contract = entry.contract
        profile = {"enum": list(contract.profiles), "description": ContractModel.model_fields["profile"].description}
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
    model: type[BaseModel] = ConfigModel,
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
    data: Mapping[str, Any], registry: Registry, unread: Collection[str], model: type[BaseModel]
) -> Iterator[ConfigProblem]:
    wrong = set()
    for problem in _shape(data, model):
        wrong.add(problem.path)
        yield problem
    yield from (problem for problem in _names(data, registry, unread, model) if problem.path not in wrong)


def _shape(data: Mapping[str, Any], model: type[BaseModel]) -> Iterator[ConfigProblem]:
    try:
        model.model_validate(data)
    except ValidationError as error:
        details = error.errors(include_url=False, include_context=False)
        misspelt = {detail["loc"][:-1] for detail in details if detail["type"] == "extra_forbidden"}
        for detail in details:
            if detail["type"] == "missing" and detail["loc"][:-1] in misspelt:
                continue  # the unknown key beside it explains more
            path = tuple(part for part in detail["loc"] if part != "[key]")
            is_key = detail["type"] in {"extra_forbidden", "missing"}
            yield ConfigProblem(path, _in_words(path, detail["type"], detail["input"], model), is_key)


_WANTED = {
    "bool_type": "`true` or `false`",
    "string_type": "a string",
    "list_type": "a list",
    "dict_type": "a table",
    "model_type": "a table",
    "model_attributes_type": "a table",
}


def _in_words(path: KeyPath, kind: str, found: Any, root: type[BaseModel]) -> str:
    if kind == "extra_forbidden":
        parts: dict[Any, type[BaseModel]] = {"editor": EditorModel, "agents": AgentModel, "prompts": PromptsModel}
        model = root if len(path) == 1 else parts.get(path[0], FilesModel)
        model = AllowModel if path[:2] == ("prompts", "allow") else model
        return unknown("key", str(path[-1]), (field.alias or name for name, field in model.model_fields.items()))
    if kind == "string_too_short":
        return f"`{dotted(path)}` is empty; give the reason"
    if kind == "missing":
        return f"`{dotted(path[:-1])}` has no `{path[-1]}`"
    if kind == "literal_error":
        known = get_args({"mode": Mode, "where": ReturnPlace}.get(str(path[-1]), Severity))
        if not isinstance(found, str):
            return f"`{dotted(path)}` must be a string, one of {listed(known)}, not {kind_of(found)}"
        meant = did_you_mean(found, known)
        return f'`{dotted(path)}` is "{found}", but it must be one of {listed(known)}{meant}'
    return f"`{dotted(path)}` must be {_WANTED.get(kind, 'something else')}, not {kind_of(found)}"


def _names(
    data: Mapping[str, Any], registry: Registry, unread: Collection[str], model: type[BaseModel]
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
            known = f"has {counted(groups, 'group')}" if groups else "has no group"
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
