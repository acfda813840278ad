"""The doctor's report on one file: the config that applies, and why it is or is not recognized as a handoff."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.engine import Analysis, bind_document, excess_of
from handoff_lsp.features.doctor.words import SignInWords, lacks_of, sign_of, signs_here
from handoff_lsp.features.pages.markup import prose
from handoff_lsp.recognition.detect import begun_otherwise, evidence_of, read_modeline
from handoff_lsp.recognition.evidence import Evidence
from handoff_lsp.recognition.files import file_evidence, read_file
from handoff_lsp.recognition.paths import is_data_file
from handoff_lsp.recognition.signs import document_evidence
from handoff_lsp.text import Source, Span
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.workspace.config.config_file import SHARED_NAME, config_in, folders_upward
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.disk.files import UnreadableFile
from handoff_lsp.workspace.store import OpenDocument, Workspace

# The most near misses to report, and the least share of its signs that each must have.
_MOST_NEAR = 4
_LEAST_SHARE = 0.4
# Any text may hold fewer names than this.
_FEWEST = 2


@lazy_dataclass(frozen=True, slots=True)
class ConfigReport:
    """The config of the files in a folder: ``path`` is its file, None without one; ``by`` the way it was found.

    ``searched``: the folders of the search. ``passed``: files in them that hold no config of ours. ``extended``: the
    configs that it extends, the nearest first. ``settings``: the editor's settings that override it.
    """

    path: str | None
    by: str
    folder: str
    searched: tuple[str, ...]
    passed: tuple[str, ...]
    extended: tuple[str, ...]
    settings: dict[str, Any]


@lazy_dataclass(frozen=True, slots=True)
class Recognised:
    """A recognized handoff. ``why_profile``: the reason for its profile. ``line`` is 1-based."""

    contract: str
    title: str
    profile: str
    why_profile: str
    mode: str
    form: str
    line: int
    signs: tuple[SignInWords, ...]
    errors: int
    warnings: int


@lazy_dataclass(frozen=True, slots=True)
class NearMiss:
    """A part of a document that is nearly a handoff of a contract: the signs it has, and those it lacks."""

    contract: str
    form: str
    line: int | None
    signs: tuple[SignInWords, ...]
    lacks: tuple[str, ...]


@lazy_dataclass(frozen=True, slots=True)
class FileReport:
    """The report on a file. ``name`` is its path as contracts see it, relative to ``root``.

    ``patterns``: the entries of ``[[files]]`` that match it. ``passed_over``: why a check of its folder leaves it out.
    ``silence``: why it has no findings. ``unreadable``: why it cannot be read. Each may be empty. ``relevant`` is for
    editors that start the server for handoffs only: the file is a handoff or nearly one, the config, its path or a
    comment in it declares it as one, or it is a prompt about a contract.
    """

    path: str
    name: str
    root: str | None
    config: ConfigReport
    patterns: tuple[dict[str, Any], ...]
    passed_over: str
    unreadable: str
    recognised: tuple[Recognised, ...]
    near: tuple[NearMiss, ...]
    silence: str
    relevant: bool


def config_report(resolver: Resolver, path: Path | None) -> ConfigReport:
    """The config that applies to a file (None: to the working folder), and the folders of the search."""
    by, file = resolver.origin(path)
    start = os.path.dirname(os.path.abspath(path)) if path is not None else os.getcwd()
    searched: list[str] = []
    passed: list[str] = []
    for folder in folders_upward(start) if by == "search" else ():
        searched.append(folder)
        if config_in(folder) is not None:
            break
        other = os.path.join(folder, SHARED_NAME)
        passed += [other] if os.path.exists(other) else []
    settings = {key: value for key, value in resolver.overrides(path).items() if key != "config"}
    where = str(file) if file is not None else None
    extended = tuple(str(base) for base in resolver.config(path).extended)
    return ConfigReport(where, by, start, tuple(searched), tuple(passed), extended, settings)


def file_report(workspace: Workspace, document: OpenDocument | UnreadableFile) -> FileReport:
    """The report on a document, or on a file that cannot be read."""
    resolver, path = workspace.resolver, document.path
    unreadable = document.reason if isinstance(document, UnreadableFile) else ""
    recognised: list[Recognised] = []
    near: list[NearMiss] = []
    silence = ""
    named = path is not None and resolver.is_data_file(path)
    if isinstance(document, OpenDocument):
        analysis = document.analysis(resolver, workspace.files)
        recognised = [_recognised(analysis, handoff) for handoff in analysis.handoffs]
        silence = _silence(analysis)
        near = list(_near(analysis)) if not recognised else []
        modeline = read_modeline(analysis.tree)
        named |= modeline is not None and modeline.contract is not None
        named |= _is_prompt(workspace, document)
    config = resolver.config(path)
    matching = [config.files[index] for index in config.matching(path)] if path is not None else []
    root = resolver.root(path) if path is not None else None
    return FileReport(
        path=str(path) if path is not None else "",
        name=resolver.name(path),
        root=str(root) if root is not None else None,
        config=config_report(resolver, path),
        patterns=tuple(
            {"pattern": rule.pattern, "contract": rule.contract, "mode": rule.mode, "rules": dict(rule.rules)}
            for rule in matching
        ),
        passed_over=resolver.why_left_out(path) if path is not None else "",
        unreadable=unreadable,
        recognised=tuple(recognised),
        near=tuple(near),
        silence=silence,
        relevant=bool(recognised or near or matching or named),
    )


def _is_prompt(workspace: Workspace, document: OpenDocument) -> bool:
    """Whether a document is a prompt about a contract; a page in ``docs`` mostly just describes handoffs."""
    resolver, path = workspace.resolver, document.path
    said = document.said(resolver.name(path), resolver.registry(path), resolver.options(path))
    return said is not None and (said.speaker.kind != "page" or "docs" not in said.path.split("/"))


def _recognised(analysis: Analysis, handoff: Handoff) -> Recognised:
    severities = [item.severity for item in analysis.findings if item.handoff is handoff]
    return Recognised(
        contract=handoff.spec.name,
        title=handoff.spec.contract.title,
        profile=handoff.spec.profile,
        why_profile=_why_profile(analysis, handoff),
        mode=handoff.mode,
        form=handoff.form,
        line=analysis.source.lines.line_of(handoff.span.start) + 1,
        signs=_signs(analysis, handoff),
        errors=severities.count("error"),
        warnings=severities.count("warning"),
    )


def _signs(analysis: Analysis, handoff: Handoff) -> tuple[SignInWords, ...]:
    """The signs that a handoff was recognized by, each with its line."""
    entry = analysis.registry[handoff.spec.name]
    detect = entry.contract.detect if handoff.form == "document" else None
    if detect is not None and any("(" in reason for reason in handoff.reasons):
        seen = document_evidence(analysis.tree, analysis.path, entry, detect).seen
        return tuple(sign_of(entry.contract, analysis.source, each) for each in seen)
    line = _line(analysis.source, handoff.span)
    return tuple(
        SignInWords(prose(reason), None, line if handoff.form != "document" else None) for reason in handoff.reasons
    )


def _why_profile(analysis: Analysis, handoff: Handoff) -> str:
    name, profile, contract = handoff.spec.name, handoff.spec.profile, handoff.spec.contract
    modeline = read_modeline(analysis.tree)
    if modeline is not None and modeline.contract == name and modeline.profile == profile:
        return "the document says so"
    given = analysis.options.profiles.get(name)
    if handoff.evidence.get(profile):
        others = ", ".join(f"{other} {weight}" for other, weight in handoff.evidence.items() if other != profile)
        against = f", against {others}" if others else ""
        config = " and the config names it" if given == profile else ""
        return f"its evidence weighs {handoff.evidence[profile]}{against}{config}"
    if given == profile:
        return "the config names it"
    return "it is the contract's default" if profile == contract.default_profile else "no other profile fits"


def _silence(analysis: Analysis) -> str:
    """Why a document has no findings; empty if it is checked."""
    if analysis.handoffs:
        only = all(handoff.mode == "example" for handoff in analysis.handoffs) and not analysis.options.examples
        return "only examples, which are checked if `examples` is set" if only else ""
    if excess_of(analysis.source):
        return "it is too long to be a handoff"
    modeline = read_modeline(analysis.tree)
    if modeline is not None and modeline.contract is None:
        line = _line(analysis.source, modeline.span)
        return f"switched off in line {line}: `handoff: {analysis.source.slice(modeline.span)}`"
    allowed = replace(analysis.options, disabled=frozenset())
    hidden = bind_document(analysis.source, analysis.path, analysis.registry, allowed)
    if hidden:
        names = ", ".join(dict.fromkeys(f"`{handoff.spec.name}`" for handoff in hidden))
        return f"the config switches {names} off (`disable`)"
    if is_data_file(analysis.path):
        return "a data file that matches no contract by name and content"
    return "not a handoff: no contract matches"


def _near(analysis: Analysis) -> list[NearMiss]:
    """The near misses of a document, the nearest first."""
    evidence: list[Evidence] = []
    for entry in analysis.registry:
        if entry.name in analysis.options.disabled:
            continue
        form = entry.contract.file
        if not is_data_file(analysis.path):
            evidence += filter(_counts, evidence_of(analysis.tree, analysis.path, entry))
            evidence += begun_otherwise(analysis.tree, entry)
        elif form is not None and form.syntax in _syntaxes(analysis.path):
            text = analysis.source.text
            text = text.removeprefix("\ufeff")
            if form.syntax == "jsonl":
                text = text.partition("\n")[0]
            file = file_evidence(text, read_file(text, form), analysis.path, entry, form)
            evidence += [file] if file.path or file.share > _LEAST_SHARE else []
    evidence = [each for each in evidence if each.share >= _LEAST_SHARE and lacks_of(each)]
    evidence.sort(key=lambda each: -each.share)
    near = []
    for each in evidence[:_MOST_NEAR]:
        line = _line(analysis.source, each.span(analysis.tree))
        signs = signs_here(analysis.source, each, line)
        near.append(NearMiss(each.entry.name, each.form, line, signs, lacks_of(each)))
    return near


def _counts(evidence: Evidence) -> bool:
    """Whether the evidence is more than any text may hold."""
    if evidence.detect is not None:
        return evidence.text_weight > 0
    return evidence.form == "section" or len(evidence.names) >= _FEWEST


def _syntaxes(path: str) -> tuple[str, ...]:
    """The syntaxes that a data file may have, by its name."""
    name = os.path.basename(path).lower()
    if name.endswith((".yaml", ".yml")):
        return ("yaml",)
    return ("json", "jsonl") if ".json" in name else ("log",)


def _line(source: Source, span: Span | None) -> int | None:
    return source.lines.line_of(span.start) + 1 if span is not None else None
