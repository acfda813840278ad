"""The settings that count for a file, each with its origin: a line of a config, an option, or the default."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from handoff_lsp.features.doctor.file import ConfigReport, config_report
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.workspace.config.config_file import Layer, RootedPattern, layers_of, line_and_columns
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.config.toml_places import TomlPlaces, toml_places

# The settings without a table of their own, with their defaults; to lists in `_ADDED`, a config that extends adds.
_PLAIN: dict[str, Any] = {
    "examples": False,
    "exclude": [],
    "disable": [],
    "contract-files": [],
    "contract-packages": [],
    "baseline": "",
}
_ADDED = ("contract-files", "contract-packages")


@lazy_dataclass(frozen=True, slots=True)
class SettingSource:
    """Where a setting comes from: ``default``, ``command line`` or ``config``. ``line`` is 1-based, None if unknown."""

    by: str
    path: str | None = None
    line: int | None = None


@lazy_dataclass(frozen=True, slots=True)
class CountingSetting:
    """A setting by its key, dotted, with its value."""

    key: str
    value: Any
    source: SettingSource


@lazy_dataclass(frozen=True, slots=True)
class RuleSetting:
    """The severity of a rule or check. ``default``: that of the rule, None for a check of a contract."""

    rule: str
    severity: str
    default: str | None
    source: SettingSource


@lazy_dataclass(frozen=True, slots=True)
class MatchingEntry:
    """An entry of ``[[files]]`` that matches the file, with its settings."""

    pattern: str
    settings: dict[str, Any]
    source: SettingSource


@lazy_dataclass(frozen=True, slots=True)
class SettingsReport:
    """The settings of a file. ``path`` is absolute, None for the working folder.

    ``passed_over``: why a check of its folder leaves the file out, empty if it does not. ``contract`` and ``mode`` are
    those that ``[[files]]`` names, None where the text decides.
    """

    path: str | None
    config: ConfigReport
    passed_over: str
    contract: str | None
    mode: str | None
    settings: tuple[CountingSetting, ...]
    rules: tuple[RuleSetting, ...]
    entries: tuple[MatchingEntry, ...]


def settings_report(resolver: Resolver, path: Path | None, *, is_folder: bool = False) -> SettingsReport:
    """The settings of a file, or of the files in a folder if ``path`` is in one. Raises ConfigError."""
    config, options = resolver.require(path), resolver.options(path)
    layers = [_Placed(layer) for layer in layers_of(config.path)] if config.path is not None else []
    given = resolver.given
    rules = _Rules()
    for name in given.severities:
        rules.add(name, given.severities[name], SettingSource("command line"))
    # Of `files`, the entries of a config that is extended come first, and later ones win.
    places = [(layer, index) for layer in reversed(layers) for index in range(len(layer.data.get("files", ())))]
    entries = []
    for index in reversed(config.matching(path) if path is not None else ()):
        layer, own = places[index]
        entry = dict(layer.data["files"][own])
        entries.append(MatchingEntry(entry.pop("pattern"), entry, layer.source("files", own, "pattern")))
        for name, severity in entry.get("rules", {}).items():
            rules.add(name, severity, layer.source("files", own, "rules", name))
    for layer in layers:
        for name, severity in layer.data.get("rules", {}).items():
            rules.add(name, severity, layer.source("rules", name))
    return SettingsReport(
        path=str(path) if path is not None else None,
        config=config_report(resolver, path),
        passed_over=resolver.why_left_out(path) if path is not None and not is_folder else "",
        contract=options.contract,
        mode=options.mode,
        settings=tuple(_settings(resolver, path, layers)),
        rules=tuple(rules.found.values()),
        entries=tuple(reversed(entries)),
    )


class _Placed:
    """A config file whose keys have their lines."""

    def __init__(self, layer: Layer) -> None:
        self.data: Mapping[str, Any] = layer.data
        self._layer = layer
        self._places: TomlPlaces = toml_places(layer.text)

    def source(self, *path: str | int) -> SettingSource:
        span = self._places.span((*self._layer.prefix, *path), is_key=True)
        line = line_and_columns(self._layer.text, span)[0] if span is not None else None
        return SettingSource("config", str(self._layer.path), line)


class _Rules:
    """The severities of rules; of each name the first one that is added counts."""

    def __init__(self) -> None:
        self.found: dict[str, RuleSetting] = {}

    def add(self, name: str, severity: str, source: SettingSource) -> None:
        rule = all_rules().get(name)
        default = rule.severity if rule is not None else None
        self.found.setdefault(name, RuleSetting(name, severity, default, source))


def _settings(resolver: Resolver, path: Path | None, layers: list[_Placed]) -> Iterator[CountingSetting]:
    given = resolver.given
    for key, default in _PLAIN.items():
        having = [layer for layer in layers if key in layer.data]
        if key == "baseline" and not having and (outer := resolver.naming_baseline(path)) and outer.path is not None:
            having = [layer for layer in map(_Placed, layers_of(outer.path)) if key in layer.data]
        if key == "exclude" and given.exclude is not None:
            yield CountingSetting(key, _texts(given.exclude), SettingSource("command line"))
        elif key == "examples" and resolver.examples:
            yield CountingSetting(key, True, SettingSource("command line"))
        elif not having:
            yield CountingSetting(key, default, SettingSource("default"))
        else:
            for layer in having if key in _ADDED else having[:1]:
                yield CountingSetting(key, layer.data[key], layer.source(key))
        if key == "exclude" and given.extend_exclude:
            yield CountingSetting("extend-exclude", _texts(given.extend_exclude), SettingSource("command line"))
    seen = set()
    for layer in layers:
        for table in ("contracts", "prompts", "editor"):
            for keys, value in _leaves(layer.data.get(table, {}), (table,)):
                if keys not in seen:
                    if keys != ("prompts", "allow"):  # of these, all count
                        seen.add(keys)
                    yield CountingSetting(".".join(keys), value, layer.source(*keys))


def _leaves(data: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if not isinstance(data, Mapping):
        yield path, data
        return
    for key, value in data.items():
        yield from _leaves(value, (*path, key))


def _texts(patterns: tuple[RootedPattern, ...]) -> list[str]:
    return [each.pattern for each in patterns]
