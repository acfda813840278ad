"""A draft among its samples, by the real engine: what it recognizes and finds, and loosening what is too strict."""

from __future__ import annotations

import re
from collections.abc import Sequence

from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.engine import Options, analyze
from handoff_lsp.learn.draft import ContractDraft, FieldDraft, field_name
from handoff_lsp.learn.paths import escaped, path_hint
from handoff_lsp.learn.sample import Sample
from handoff_lsp.learn.types import looks_like_status
from handoff_lsp.learn.write import write
from handoff_lsp.recognition.detect import evidence_of
from handoff_lsp.recognition.evidence import Evidence
from handoff_lsp.recognition.files import file_evidence, read_file
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text.named_tuple import NamedTuple

# The share of what the poorest sample has that is enough to recognize another document.
_SHARE = 0.6
# The least evidence that keeps a contract silent in ordinary documents.
_FEWEST_WEIGHT = 5
_FEWEST_NAMES = 3
_MOST_ROUNDS = 12
_TEMPLATE = re.compile(r"(^|[/_.-])templates?([/_.-]|$)", re.IGNORECASE)
_TEMPLATE_PATTERN = r"(?i)(^|[/_.-])templates?([/_.-]|$)"


class Trial(NamedTuple):
    """What a draft does with its samples: those that it recognizes, its findings in them, the recognized negatives."""

    draft: ContractDraft
    recognised: list[Sample]
    missed: list[Sample]
    findings: list[tuple[Sample, Finding]]
    wrongly: list[Sample]
    problems: list[str]

    @property
    def errors(self) -> list[tuple[Sample, Finding]]:
        """The findings that are errors."""
        return [(sample, finding) for sample, finding in self.findings if finding.severity == "error"]


def settle(draft: ContractDraft, samples: Sequence[Sample], negatives: Sequence[Sample]) -> Trial:
    """Set how much is enough, then loosen the draft until it finds nothing in its samples."""
    choose_status(draft)
    trial = _try(draft, samples, negatives)
    if trial.problems:
        return trial
    _set_enough(draft, samples, negatives)
    tried: dict[tuple[str, str], int] = {}
    for _ in range(_MOST_ROUNDS):
        trial = _try(draft, samples, negatives)
        if trial.problems or not trial.findings:
            break
        if not draft.unfilled and "unfilled" not in draft.notes and _set_unfilled(draft, trial.findings):
            continue
        told: set[tuple[str, str]] = set()
        for sample, finding in trial.findings:
            what = (finding.code, finding.field or sample.path)
            if what not in told or finding.code == "placeholder-left":
                told.add(what)
                _loosen(draft, sample, finding, tried)
        if draft.find(draft.status) is None:
            choose_status(draft)
    _gather_examples(draft, samples)
    return _try(draft, samples, negatives)


def _try(draft: ContractDraft, samples: Sequence[Sample], negatives: Sequence[Sample]) -> Trial:
    entry, problems = read_contract(write(draft))
    if entry is None:
        told = [problem.message for problem in problems]
        return Trial(draft, [], list(samples), [], [], told)
    registry = Registry({entry.name: entry})
    recognised: list[Sample] = []
    findings: list[tuple[Sample, Finding]] = []
    for sample in samples:
        analysis = analyze(sample.source, sample.path, registry, Options(), parse=sample.parse)
        if analysis.handoffs:
            recognised.append(sample)
            findings += [(sample, finding) for finding in analysis.findings]
    missed = [sample for sample in samples if sample not in recognised]
    wrongly = [
        sample
        for sample in negatives
        if analyze(sample.source, sample.path, registry, Options(), parse=sample.parse).handoffs
    ]
    return Trial(draft, recognised, missed, findings, wrongly, [])


# How much is enough


def _set_enough(draft: ContractDraft, samples: Sequence[Sample], negatives: Sequence[Sample]) -> None:
    """Less than the poorest sample has, as other documents have less still, but more than any negative."""
    entry, _ = read_contract(write(draft))
    if entry is None:
        return
    held = sorted(strength for sample in samples if (strength := _strength(entry, sample)))
    against = max((_strength(entry, sample) for sample in negatives), default=0)
    if not held:
        return
    least = {"document": _FEWEST_WEIGHT, "file": 1}.get(draft.form, _FEWEST_NAMES)  # a file's path is most of it
    # A sample that shares next to nothing with the others is rather left out than made the measure for all.
    rich = [strength for strength in held if strength >= min(least, _FEWEST_NAMES)]
    poorest = rich[0] if rich and 2 * len(rich) >= len(samples) else held[0]
    wanted = max(round(_SHARE * poorest), min(least, poorest), against + 1)
    if wanted > poorest and wanted <= held[-1]:
        poorest = next(strength for strength in held if strength >= wanted)
    enough = min(wanted, poorest)
    if poorest < least and negatives == [] and draft.form != "file":
        draft.note(
            _key(draft), "decide: is this enough? The samples share little; try `--negative` with other documents"
        )
    if max(2, round(_SHARE * poorest)) <= against < enough == poorest:
        draft.note(
            _key(draft), "decide: negatives have nearly as many signs; with one less, a document is not recognized"
        )
    if against >= enough:
        draft.note(_key(draft), "decide: some negatives have as many of these signs as the samples")
    if draft.form == "document":
        texts = [_text_weight(entry, sample) for sample in samples if _strength(entry, sample) >= enough]
        draft.recognition["detect"]["enough"] = enough
        draft.recognition["detect"]["content"] = max(1, min(enough - 1, *texts)) if enough > 1 else 1
    else:
        for way in draft.recognition[draft.form].get("holds", []):
            way["enough"] = enough


def _key(draft: ContractDraft) -> str:
    return "detect" if draft.form == "document" else draft.form


def _strength(entry: ContractEntry, sample: Sample) -> int:
    """How much a sample has of what its contract looks for: a weight, or a number of names."""
    form = entry.contract.file
    if form is not None:
        text = sample.source.text.removeprefix("\ufeff")
        parts = [part for part in text.splitlines() if part.strip()] if form.syntax == "jsonl" else [text]
        found = [file_evidence(part, read_file(part, form), sample.path, entry, form) for part in parts]
        return min((len(evidence.names) for evidence in found if evidence.path), default=0)
    if sample.syntax is not None:
        return 0
    return max((_amount(one) for one in evidence_of(sample.tree, sample.path, entry)), default=0)


def _text_weight(entry: ContractEntry, sample: Sample) -> int:
    """The weight of the signs in the text of a document, without those of its path."""
    return max((one.text_weight for one in evidence_of(sample.tree, sample.path, entry)), default=0)


def _amount(evidence: Evidence) -> int:
    return evidence.weight if evidence.form == "document" else len(evidence.names)


# Loosening


# What is tried one after the other for the same finding, if its first remedy was not enough.
_SILENCED, _MADE_PLAIN, _REMOVED = 1, 2, 3


def _loosen(draft: ContractDraft, sample: Sample, finding: Finding, tried: dict[tuple[str, str], int]) -> None:
    """Change the draft so that this finding goes away, by the smallest change first."""
    code, path = finding.code, finding.field or ""
    field = draft.find(path) if path else None
    if code == "placeholder-left":
        _as_template(draft, sample)
        if (code, sample.path) in tried and field is not None:
            field.severity[code] = "off"
        tried[code, sample.path] = 1
        return
    if field is None and code == "missing-field" and finding.handoff is not None:  # most of a block's fields
        for name, slot in finding.handoff.root.children.items():
            if not slot.written and (lacking := draft.find(name)) is not None:
                _make_optional(lacking, code)
        return
    if field is None:
        if code == "unknown-field" and path and "." not in path:  # almost the name of another field, but not it
            draft.fields[field_name(path, draft.fields, as_written=True)] = FieldDraft(
                path, notes=["seen in a few samples"]
            )
        return
    steps = tried.setdefault((code, path), 0)
    tried[code, path] += 1
    if steps >= _REMOVED:
        draft.remove(path)
    elif steps == _MADE_PLAIN:
        _plain(field)
    elif steps == _SILENCED:
        field.severity[code] = "off"
    elif code.startswith("missing-") or code == "empty-value":
        _make_optional(field, code)
    elif code == "invalid-value":
        _widen(field)
    elif code in {"invalid-type", "invalid-format"}:
        _plain(field)
    elif code == "contradiction":
        field.only = []
    elif code in {"missing-table", "missing-checklist"}:
        field.type = "text"
    else:
        field.severity[code] = "off"


def _make_optional(field: FieldDraft, code: str) -> None:
    if field.required:
        field.required = False
        field.notes.append("a sample leaves it empty" if code == "empty-value" else "a sample does without it")


def _widen(field: FieldDraft) -> None:
    if field.limits:
        field.limits = {}
    elif field.type == "enum" and not field.open:
        field.open = True
    else:
        _plain(field)


def _plain(field: FieldDraft) -> None:
    """Any content will do."""
    field.type = "text" if "section" in field.carriers else "line" if field.carriers else "any"
    field.values, field.tolerate, field.open, field.pattern = [], [], False, ""
    field.fields, field.items, field.limits, field.only = {}, None, {}, []


def _set_unfilled(draft: ContractDraft, findings: Sequence[tuple[Sample, Finding]]) -> bool:
    """Name the root fields that wait in each sample with placeholders: it is a template while they do."""
    draft.note("unfilled", "decide: a document is a template while these are placeholders, as some samples are")
    waiting: dict[str, set[str]] = {}
    for sample, finding in findings:
        if finding.code == "placeholder-left":
            waiting.setdefault(sample.path, set()).add((finding.field or "").partition(".")[0])
    common = set.intersection(*waiting.values()) if waiting else set()
    draft.unfilled = [name for name in draft.fields if name in common][:_MOST_UNFILLED]
    return bool(draft.unfilled)


_MOST_UNFILLED = 3


def _as_template(draft: ContractDraft, sample: Sample) -> None:
    """Say that documents where this sample is are templates, or only show the format."""
    if _TEMPLATE.search(sample.path):
        if _TEMPLATE_PATTERN not in draft.templates:
            draft.templates.append(_TEMPLATE_PATTERN)
            return
    pattern = _place(sample)
    if pattern not in draft.examples:
        draft.examples.append(pattern)
        draft.note("examples", "decide: samples with placeholders; documents at such paths only show the format")


def _place(sample: Sample) -> str:
    return rf"(^|/){escaped(sample.name)}$"


def _gather_examples(draft: ContractDraft, samples: Sequence[Sample]) -> None:
    """Replace several files that only show the format by what their paths have in common, if no other sample has it."""
    shown = [sample for sample in samples if _place(sample) in draft.examples]
    if len(draft.examples) < 2:
        return
    hint = path_hint([sample.path for sample in shown])
    rest = [sample for sample in samples if sample not in shown]
    if hint.tells and not any(re.search(hint.pattern, sample.path) for sample in rest):
        draft.examples = [hint.pattern]


def choose_status(draft: ContractDraft) -> None:
    """Set the field that looks most like the status."""
    ranked = sorted(
        (
            (looks_like_status(field.title, field.values), -path.count("."), path)
            for path, field in draft.walk()
            if "[]" not in path and path.count(".") <= 1 and field.type in {"enum", "line", "any", "boolean", "text"}
        ),
        key=lambda one: one[:2],
        reverse=True,
    )
    best = next((one for one in ranked if one[0] > 0), None)
    draft.status = best[2] if best is not None else ""
    draft.notes.pop("status", None)
    if best is None:
        draft.note("status", "decide: no field looks like a status. Which one does a reader decide on?")
    elif best[0] < 3:
        draft.note("status", "decide: is this the field that a reader decides on?")
