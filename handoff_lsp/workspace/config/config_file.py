"""The config: where it is found, how it is read, and its values.

A config is a file ``.handoff-lsp.toml``, or the table ``[tool.handoff-lsp]`` of a ``pyproject.toml``. The search
goes from the document's folder upward; the nearest folder with a config decides.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from handoff_lsp.contracts.model import Mode, ReturnPlace, Severity
from handoff_lsp.contracts.options import Allowed, Options
from handoff_lsp.contracts.owed import Returned, agent_name
from handoff_lsp.contracts.registry import Registry, builtin
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.config.client_settings import MAX_DEPTH, is_deeper, merged, without
from handoff_lsp.workspace.config.search import OWN_NAME as OWN_NAME
from handoff_lsp.workspace.config.search import SHARED_NAME as SHARED_NAME
from handoff_lsp.workspace.config.search import folders_upward as folders_upward
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text
from handoff_lsp.workspace.disk.globs import Glob
from handoff_lsp.workspace.memo import Reads

if TYPE_CHECKING:
    from handoff_lsp.workspace.config.contract_files import Contracts
    from handoff_lsp.workspace.config.model import ConfigProblem

TABLE = ("tool", "handoff-lsp")

# A config beyond this is not one (bytes).
MAX_BYTES = 1_000_000
# The most values in a config file: its commas and equals signs are counted, as reading them takes seconds.
MAX_VALUES = 100_000
# Each pattern for contract files goes through folders of its own.
MOST_PATTERNS = 100
# The longest chain of configs of which each extends the next one.
MOST_EXTENDED = 10
# The name of the file in problems of overrides.
OVERRIDES = Path("<settings>")

_OUR_TABLE = lazy_pattern(r"tool[\"']?\s*\.\s*[\"']?handoff-lsp|^\s*[\"']?handoff-lsp[\"']?\s*[.=]", re.MULTILINE)
# tomllib takes quadratic time for a key of many parts.
_ENDLESS_KEY = lazy_pattern(r"(?<![\w.-])(?:[\w-]+[ \t]*\.[ \t]*){50}")
_MANY_DIGITS = lazy_pattern(r"[0-9](?:_?[0-9]){4300}")
_AT_LINE = lazy_pattern(r" \(at line (\d+), column (\d+)\)$")

_Stamp = tuple[int, int, int] | None


class ConfigError(Exception):
    """A problem of a config file or a contract file of the workspace. ``line`` is 1-based, None for the whole file.

    ``columns``: those of the token in its line, 1-based and in code points, the second one after its last character.
    """

    def __init__(
        self,
        path: Path,
        line: int | None,
        message: str,
        rule: Literal["invalid-config", "invalid-contract"] = "invalid-config",
        columns: tuple[int, int] = (1, 1),
    ) -> None:
        super().__init__(f"{path}:{line}: {message}" if line is not None else f"{path}: {message}")
        self.path = path
        self.line = line
        self.message = message
        self.rule = rule
        self.columns = columns

    def __reduce__(self) -> tuple[type[ConfigError], tuple[object, ...]]:
        return type(self), (self.path, self.line, self.message, self.rule, self.columns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ConfigError) and (str(self), self.rule) == (str(other), other.rule)

    def __hash__(self) -> int:
        return hash((str(self), self.rule))


class RootedPattern(NamedTuple):
    """A pattern of a config with the folder that it is relative to."""

    folder: Path
    pattern: str


class Exclusion:
    """Patterns of files and folders to pass over, ready to be matched. One without ``/`` matches in any folder."""

    def __init__(self, patterns: Iterable[RootedPattern]) -> None:
        self._globs = [(str(one.folder), one, Glob(one.pattern, anywhere=True)) for one in patterns]

    def of(self, path: Path) -> RootedPattern | None:
        """The first pattern that matches a file or folder, or a folder that it is in; None without one."""
        full = os.path.abspath(path)
        for folder, pattern, glob in self._globs:
            name = relative_to(full, folder)
            if name is not None and glob.covers(name):
                return pattern
        return None


@lazy_dataclass(frozen=True)
class FilesRule:
    """The settings of a config for the files that match a pattern, which is relative to ``folder``."""

    pattern: str
    contract: str | None = None
    mode: Mode | None = None
    rules: Mapping[str, Severity] = field(default_factory=dict)
    folder: Path = field(default_factory=Path.cwd)

    @cached_property
    def glob(self) -> Glob:
        """The pattern, ready to be matched."""
        return Glob(self.pattern)


@lazy_dataclass(frozen=True)
class Editor:
    """The settings of a config for editors. ``links``: patterns of written text, and URLs for it."""

    wait_while_typing: bool = True
    workspace_diagnostics: bool = True
    code_lens: bool = True
    inlay_hints: bool = True
    update_counts: bool = False
    links: tuple[tuple[str, str], ...] = ()


@lazy_dataclass(frozen=True)
class AgentSettings:
    """The settings of a config for what an agent owes. ``returns``: a contract, False for nothing, "" if not said."""

    returns: str | Literal[False] = ""
    profile: str | None = None
    where: ReturnPlace | None = None
    files: tuple[str, ...] = ()
    must: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


@lazy_dataclass(frozen=True)
class Config:
    """The values of a config. ``path`` is its file, None without one, and ``folder`` the folder of that.

    ``extended``: the files that it extends, the nearest first.
    """

    path: Path | None = None
    folder: Path = field(default_factory=Path.cwd)
    extended: tuple[Path, ...] = ()
    examples: bool = False
    contract_files: tuple[RootedPattern, ...] = ()
    contract_packages: tuple[str, ...] = ()
    exclude: tuple[RootedPattern, ...] = ()
    disable: frozenset[str] = frozenset()
    profiles: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    rules: Mapping[str, Severity] = field(default_factory=dict)
    files: tuple[FilesRule, ...] = ()
    editor: Editor = field(default_factory=Editor)
    baseline: Path | None = None
    agents: Mapping[str, AgentSettings] = field(default_factory=dict)  # by the agents' names as they are compared
    allowed: tuple[Allowed, ...] = ()

    @cached_property
    def _exclude(self) -> Exclusion:
        return Exclusion(self.exclude)

    def excluding(self, path: Path) -> RootedPattern | None:
        """The first pattern by which a file or folder is passed over when folders are walked, None without one."""
        return self._exclude.of(path) if self.exclude else None

    def matching(self, path: Path) -> tuple[int, ...]:
        """Which entries of ``files`` match a file, by their index."""
        if not self.files:
            return ()
        full = os.path.abspath(path)
        names = ((index, rule, relative_to(full, str(rule.folder))) for index, rule in enumerate(self.files))
        return tuple(index for index, rule, name in names if name is not None and rule.glob.matches(name))


def find_config(start: Path) -> Path | None:
    """The config file for a file or folder: the nearest upward, or None."""
    folder = os.path.abspath(start)
    if not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    found = config_of_folder(folder)
    return Path(found) if found is not None else None


def load_config(path: Path) -> Config:
    """The values of a config file. Raises ConfigError with its first problem."""
    loaded = read_config(Path(os.path.abspath(path)), None, None)
    wrong = [problem for problem in loaded.problems if problem.rule == "invalid-config"]
    if wrong:
        raise wrong[0]
    return loaded.config


@lazy_dataclass(eq=False)
class LoadedConfig:
    """A config as it was read. ``contract_stamps``: the state of the contract files and of their folders."""

    config: Config
    registry: Registry
    problems: tuple[ConfigError, ...]
    contract_stamps: tuple[tuple[str, _Stamp], ...] = ()
    contracts: Contracts | None = None
    options: dict[tuple[int, ...], Options] = field(default_factory=dict)  # by the entries of ``files`` that match
    options_of: dict[str, Options] = field(default_factory=dict)  # by absolute path
    _returned: dict[tuple[int, Returned], Options] = field(default_factory=dict)

    def returned_in(self, options: Options, returned: Returned) -> Options:
        """Options for a file that an agent must write: the same object for equal ones."""
        key = (id(options), returned)
        if key not in self._returned:
            self._returned[key] = replace(options, returned=returned)
        return self._returned[key]


def layers_of(path: Path) -> list[Layer]:
    """A config file and those that it extends, the nearest first. Raises ConfigError with its first problem."""
    text = _read(path)
    data, prefix = _parse(path, text)
    layers, broken = _extended(path, text, data, prefix, Reads())
    if broken:
        raise broken[0]
    return layers


def read_config(
    path: Path | None,
    overrides: Mapping[str, Any] | None,
    before: LoadedConfig | None,
    around: Path | None = None,
    reads: Reads | None = None,
    text: str | None = None,
    beside: LoadedConfig | None = None,
) -> LoadedConfig:
    """Read a config (None: there is no file). ``before`` is what it was, kept where it cannot be followed now.

    ``text``: what counts as the text of the file, such as that of an editor. ``beside``: another config, such as one
    that extends this one; contracts of the same files are not read anew, and of a text that is broken its contracts
    count.

    What it extends is below it. ``overrides`` go over it; where there is no file, their patterns are relative to
    ``around``. Of the overrides and, if there are any, of a file that was never good, what is wrong is left out and
    the rest counts. The files that it comes from go into ``reads``.
    """
    reads = reads if reads is not None else Reads()
    folder = path.parent if path is not None else around or Path.cwd()
    if path is None and not overrides:
        return LoadedConfig(Config(None, folder), builtin(), ())
    if path is not None:
        reads.ask(_stamp, str(path))
    data: dict[str, Any] = {}
    prefix: tuple[str, ...] = ()
    layers: list[Layer] = []
    broken: list[ConfigError] = []
    if path is not None:
        try:
            text = _read(path) if text is None else text
            data, prefix = _parse(path, text)
        except ConfigError as error:
            broken = [error]
        else:
            layers, broken = _extended(path, text, data, prefix, reads)
        if broken and before is not None:
            # Its contracts are those that were read last, and so are their problems.
            kept = [problem for problem in before.problems if problem.rule == "invalid-contract"]
            return replace(before, problems=(*broken, *kept))
        if broken and not layers:
            if not overrides:
                registry = beside.registry if beside is not None else builtin()
                return LoadedConfig(Config(path, folder), registry, tuple(broken))
            alone = read_config(None, overrides, None, folder)
            config = replace(alone.config, path=path)
            return replace(alone, config=config, problems=(*broken, *alone.problems))
    from handoff_lsp.workspace.config.model import ConfigProblem, SettingsModel, check_config, with_keys

    layers = layers or [Layer(OVERRIDES, folder, "", (), data)]
    over = Layer(OVERRIDES, folder, "", (), overrides or {})
    contracts, contract_stamps, missing, packages = _contracts(layers, over, before, beside, reads)
    registry = builtin()
    same = next((one for one in (before, beside) if one is not None and contracts is one.contracts), None)
    if same is not None:
        registry = same.registry
    elif contracts is not None and contracts.entries:
        registry = registry.with_entries(contracts.entries)
    unread = contracts.unread if contracts is not None else []
    # Of contracts that cannot be found nobody knows the names.
    partial = bool(broken or (contracts is not None and contracts.packaged))

    problems = list(broken)
    usable = True
    data = {}
    for layer in reversed(layers):
        told = check_config(layer.data, registry, unread, partial=partial)
        wrong = [*told, *(ConfigProblem(at, message) for where, at, message in missing if where is layer)]
        problems += _placed(layer, wrong)
        usable = usable and not told
        data = _combined(data, {} if told else _rooted(layer.data, layer.folder))
    problems += [
        ConfigError(OVERRIDES, None, with_keys(at, message)) for where, at, message in missing if where is over
    ]
    if overrides:
        told = check_config(overrides, registry, unread, SettingsModel, partial=partial)
        problems += [ConfigError(OVERRIDES, None, with_keys(problem.path, problem.message)) for problem in told]
        for problem in reversed(told):  # the later items of a list first
            overrides = without(overrides, problem.path)
        if not check_config(overrides, registry, unread, SettingsModel, partial=partial):
            data = merged(data, _rooted(overrides, folder))
    extended = tuple(layer.path for layer in layers[1:])
    config = _config(path, folder, extended, data) if usable or before is None else before.config
    for at, line, message, columns in contracts.problems if contracts is not None else ():
        problems.append(ConfigError(at, line, message, "invalid-contract", columns))
    packaged = contracts.packaged if contracts is not None else {}
    for layer, index, name in packages:
        if name in packaged:
            problem = ConfigProblem(("contract-packages", index), packaged[name])
            problems += _placed(layer, [problem], "invalid-contract")
    return LoadedConfig(config, registry, tuple(problems), contract_stamps, contracts)


class Layer(NamedTuple):
    """One of the files that a config comes from. ``prefix``: the keys that lead to its data from the file's root."""

    path: Path
    folder: Path
    text: str
    prefix: tuple[str, ...]
    data: Mapping[str, Any]


def _extended(
    path: Path, text: str, data: Mapping[str, Any], prefix: tuple[str, ...], reads: Reads
) -> tuple[list[Layer], list[ConfigError]]:
    """A config and those that it extends, the nearest first, and the problem of one that cannot be used."""
    from handoff_lsp.workspace.config.model import ConfigProblem

    layers = [Layer(path, path.parent, text, prefix, data)]
    seen = {os.path.realpath(path)}
    while isinstance(named := layers[-1].data.get("extend"), str):
        at = layers[-1]
        other = Path(os.path.normpath(os.path.join(at.folder, os.path.expanduser(named))))
        reads.ask(_stamp, str(other))
        problem = ""
        if os.path.realpath(other) in seen:
            problem = "a config cannot extend itself" if len(seen) == 1 else f'"{named}" extends this config: a circle'
        elif len(seen) > MOST_EXTENDED:
            problem = f"more than {MOST_EXTENDED} configs extend one another"
        elif not os.path.isfile(other):
            problem = f'there is no config file "{named}"'
        if problem:
            return layers, _placed(at, [ConfigProblem(("extend",), problem)])
        seen.add(os.path.realpath(other))
        try:
            text = _read(other)
            data, prefix = _parse(other, text)
        except ConfigError as error:
            return layers, [error]
        layers.append(Layer(other, other.parent, text, prefix, data))
    return layers, []


def _rooted(data: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Checked data of a config in which each pattern has its folder."""
    found = dict(data)
    for key in ("contract-files", "exclude"):
        if key in found:
            found[key] = [RootedPattern(folder, pattern) for pattern in found[key]]
    if found.get("baseline") is not None:
        found["baseline"] = folder / found["baseline"]
    if "files" in found:
        found["files"] = [{**entry, "folder": folder} for entry in found["files"]]
    return found


def _combined(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """The data of a config over that of the one that it extends."""
    found = merged(base, own)
    for key in ("contract-files", "contract-packages", "files"):
        if key in base and key in own:  # of `files` the later ones win
            found[key] = [*base[key], *own[key]] if key == "files" else [*own[key], *base[key]]
    allowed = [*base.get("prompts", {}).get("allow", ()), *own.get("prompts", {}).get("allow", ())]
    if allowed:
        found["prompts"] = {**found.get("prompts", {}), "allow": allowed}
    return found


def _read(path: Path) -> str:
    try:
        return read_text(path, limit=MAX_BYTES).removeprefix("\ufeff")
    except UnreadableFile as error:
        raise ConfigError(path, error.line, error.reason) from error


def _parse(path: Path, text: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """A config file's data, and the keys that lead to it from the file's root."""
    import tomllib

    endless = _ENDLESS_KEY.search(text)
    if endless:
        raise ConfigError(path, text.count("\n", 0, endless.start()) + 1, "a key has more than 50 parts")
    if text.count(",") + text.count("=") > MAX_VALUES:
        raise ConfigError(path, None, f"has more than {MAX_VALUES:,} values")
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = _AT_LINE.search(str(error))
        line = int(at[1]) if at else text.rstrip("\n").count("\n") + 1
        message = str(error)[: at.start()] if at else str(error)
        column = int(at[2]) if at else 1
        end = len((text.split("\n")[line - 1 : line] or [""])[0].rstrip()) + 1
        columns = (column, max(end, column))
        raise ConfigError(path, line, f"not TOML: {message[:1].lower()}{message[1:]}", columns=columns) from error
    except RecursionError as error:
        raise ConfigError(path, None, "nested too deeply") from error
    except ValueError as error:  # tomllib lets it through for an integer of thousands of digits
        raise ConfigError(path, _endless_number(text), "not TOML: a number has too many digits") from error
    prefix = TABLE if path.name == SHARED_NAME else ()
    for key in prefix:
        if not isinstance(data, dict) or key not in data:
            raise ConfigError(path, None, "has no table [tool.handoff-lsp]")
        data = data[key]
    if not isinstance(data, dict):
        raise ConfigError(path, None, "`tool.handoff-lsp` must be a table")
    if is_deeper(data, MAX_DEPTH):
        raise ConfigError(path, None, "nested too deeply")
    return data, prefix


def _endless_number(text: str) -> int | None:
    """The line of the first number that Python does not read for its length."""
    found = _MANY_DIGITS.search(text)
    return text.count("\n", 0, found.start()) + 1 if found else None


class _FoundContracts(NamedTuple):
    """The contracts that configs name, the state of their files, the patterns that are amiss, and the packages."""

    contracts: Contracts | None
    stamps: tuple[tuple[str, _Stamp], ...]
    amiss: list[tuple[Layer, tuple[str | int, ...], str]]
    packages: list[tuple[Layer, int, str]]


def _contracts(
    layers: Sequence[Layer],
    overrides: Layer,
    before: LoadedConfig | None,
    beside: LoadedConfig | None,
    reads: Reads,
) -> _FoundContracts:
    """The contracts that configs name.

    The same object as before, or as in the config beside this one, where no file changed, for reading a contract takes
    a while. A list of the overrides takes the place of those of the files.
    """
    patterns = _named_in(layers, overrides, "contract-files")
    packages = _named_in(layers, overrides, "contract-packages")
    if not patterns and not packages:
        return _FoundContracts(None, (), [], [])
    from handoff_lsp.workspace.config.contract_files import expand_contracts, read_contracts
    from handoff_lsp.workspace.disk.globs import unsafe_reason

    if packages:
        from handoff_lsp.workspace.config.packages import find_package
    files: dict[Path, None] = {}
    folders: dict[Path, None] = {}
    amiss: list[tuple[Layer, tuple[str | int, ...], str]] = []
    for count, (layer, index, pattern) in enumerate(patterns):
        at = ("contract-files", index)
        if count == MOST_PATTERNS:
            amiss.append((layer, at, f"only the first {MOST_PATTERNS} patterns are looked at"))
            break
        if unsafe_reason(pattern) is not None:
            continue  # the check of the config reports it
        expanded = expand_contracts(layer.folder, pattern)
        files.update(dict.fromkeys(expanded.files))
        folders.update(dict.fromkeys(expanded.folders))
        if expanded.problem is not None:
            amiss.append((layer, at, expanded.problem))
    named = {name: find_package(name) for _, _, name in packages[:MOST_PATTERNS]}
    for package in named.values():
        files.update(dict.fromkeys(package.files))
        folders.update(dict.fromkeys(package.looked))
    stamps = tuple((str(path), reads.ask(_stamp, str(path))) for path in (*folders, *files))
    for one in (before, beside):
        if one is not None and one.contracts is not None and one.contract_stamps == stamps:
            return _FoundContracts(one.contracts, stamps, amiss, packages)
    known = before.contracts if before is not None else None
    packaged = {path for package in named.values() for path in package.files}
    own = [path for path in files if path not in packaged]
    contracts = read_contracts(own, known.entries if known is not None else (), named)
    return _FoundContracts(contracts, stamps, amiss, packages)


def _named_in(layers: Sequence[Layer], overrides: Layer, key: str) -> list[tuple[Layer, int, str]]:
    """The texts of a list in configs, the nearest first, or in the overrides where these have it."""
    found = []
    for layer in [overrides] if key in overrides.data else layers:
        items = layer.data.get(key)
        texts = enumerate(items if isinstance(items, list) else ())
        found += [(layer, index, item) for index, item in texts if isinstance(item, str)]
    return found


def _config(path: Path | None, folder: Path, extended: tuple[Path, ...], data: Mapping[str, Any]) -> Config:
    """A config from checked data in which patterns have their folders."""
    contracts = data.get("contracts", {})
    return Config(
        path,
        folder,
        extended,
        data.get("examples", False),
        tuple(data.get("contract-files", ())),
        tuple(data.get("contract-packages", ())),
        tuple(data.get("exclude", ())),
        frozenset(data.get("disable", ())),
        {name: decided["profile"] for name, decided in contracts.items() if decided.get("profile") is not None},
        {
            name: {key: value for key, value in decided.items() if key != "profile"}
            for name, decided in contracts.items()
        },
        dict(data.get("rules", {})),
        tuple(
            FilesRule(
                entry["pattern"],
                entry.get("contract"),
                entry.get("mode"),
                dict(entry.get("rules", {})),
                entry["folder"],
            )
            for entry in data.get("files", ())
        ),
        _editor(data.get("editor", {})),
        data.get("baseline"),
        {agent_name(name): _agent(told) for name, told in data.get("agents", {}).items()},
        tuple(_allowed(entry) for entry in data.get("prompts", {}).get("allow", ())),
    )


def _allowed(data: Mapping[str, Any]) -> Allowed:
    return Allowed(data.get("field", ""), data.get("value", ""), data.get("agent", ""), data.get("because", ""))


def _agent(data: Mapping[str, Any]) -> AgentSettings:
    lists = {key: tuple(data.get(key, ())) for key in ("files", "must", "never")}
    return AgentSettings(data.get("returns", ""), data.get("profile"), data.get("where"), **lists)


def _editor(data: Mapping[str, Any]) -> Editor:
    known = {key.replace("-", "_"): value for key, value in data.items()}
    return Editor(**{**known, "links": tuple(data.get("links", {}).items())})


def config_of_folder(folder: str) -> str | None:
    """The config file of an absolute folder: in it, or in the nearest one upward."""
    return next((found for each in folders_upward(folder) if (found := config_in(each)) is not None), None)


def config_in(folder: str) -> str | None:
    """The config file in a folder."""
    own = os.path.join(folder, OWN_NAME)
    if os.path.lexists(own):  # a link that leads nowhere is a broken config, not none
        return own
    shared = os.path.join(folder, SHARED_NAME)
    stamp = _stamp(shared)
    return shared if stamp is not None and _has_table(shared, stamp) else None


@lru_cache(maxsize=256)
def _has_table(path: str, stamp: _Stamp) -> bool:
    """Whether a ``pyproject.toml`` is a config of ours, for a state of the file."""
    try:
        text = _read(Path(path))
    except ConfigError as error:
        return error.line is not None or "permission" in error.message  # its values are unknown, so this is a problem
    if "handoff-lsp" not in text:
        return False
    try:
        _parse(Path(path), text)
    except ConfigError as error:
        # Broken TOML is our problem only where it has our table.
        return has_table(text) and not error.message.startswith("has no table")
    return True


def has_table(text: str) -> bool:
    """Whether a ``pyproject.toml``, right or broken, has our table."""
    return _OUR_TABLE.search(text) is not None


def _placed(
    layer: Layer,
    wrong: Sequence[ConfigProblem],
    rule: Literal["invalid-config", "invalid-contract"] = "invalid-config",
) -> list[ConfigError]:
    """The problems of a config, each at its token of the file's text."""
    if not wrong:
        return []
    from handoff_lsp.workspace.config.toml_places import toml_places

    places, found = toml_places(layer.text), []
    for problem in wrong:
        span = places.span((*layer.prefix, *problem.path), is_key=problem.is_key)
        line, columns = (None, (1, 1)) if span is None else line_and_columns(layer.text, span)
        found.append(ConfigError(layer.path, line, problem.message, rule, columns))
    return found


def line_and_columns(text: str, span: Span) -> tuple[int, tuple[int, int]]:
    """The line of a span and its columns there, from 1; the second one after its last character in the line."""
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.start)
    end = min(span.end, end if end >= 0 else len(text))
    return text.count("\n", 0, start) + 1, (span.start - start + 1, end - start + 1)


def relative_to(full: str, root: str) -> str | None:
    """An absolute path relative to a folder with ``/``, None where it is not in it."""
    start = root.rstrip(os.sep) + os.sep
    return full[len(start) :].replace(os.sep, "/") if full.startswith(start) else None


def _stamp(path: str) -> _Stamp:
    try:
        about = os.stat(path)
    except (OSError, ValueError):
        return None
    return about.st_mtime_ns, about.st_size, about.st_ino
