"""From samples, negatives and a JSON Schema to a contract that has been tried on all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from handoff_lsp.contracts.model import Form
from handoff_lsp.language import number_of
from handoff_lsp.learn.draft import ContractDraft, FieldDraft
from handoff_lsp.learn.forms import drafts
from handoff_lsp.learn.json_schema import schema_fields
from handoff_lsp.learn.paths import path_hint
from handoff_lsp.learn.sample import Sample
from handoff_lsp.learn.verify import Trial, settle
from handoff_lsp.learn.write import write
from handoff_lsp.text.named_tuple import NamedTuple


class Learned(NamedTuple):
    """A contract with what it does among its samples. ``questions``: what only the author can decide."""

    text: str
    trial: Trial
    questions: list[str]

    @property
    def faithful(self) -> bool:
        """Whether it recognizes all samples and no negative, and finds nothing wrong."""
        return not (self.trial.missed or self.trial.findings or self.trial.wrongly)


class LearnError(ValueError):
    """Nothing can be learned: the samples have nothing in common, or there is nothing to learn from."""


def learn(
    samples: Sequence[Sample],
    negatives: Sequence[Sample] = (),
    *,
    name: str,
    schema: Mapping[str, Any] | None = None,
    form: Form | None = None,
) -> Learned:
    """The contract that recognizes the samples and finds nothing in them. Raises LearnError."""
    title = name.replace("-", " ").replace("_", " ").capitalize()
    found = list(drafts(samples, name, title, form)) if samples else []
    if schema is not None:
        found = [_with_schema(draft, schema) for draft in found if draft.form in {"file", "fence"}]
        found = found or [_from_schema(schema, name, title)]
    if not found:
        raise LearnError("the samples have too little in common: no sections, labels or keys that most of them share")
    trials: list[Trial] = []
    for draft in found:
        trials.append(settle(draft, samples, negatives))
    usable = [trial for trial in trials if not trial.problems]
    if not usable:
        raise LearnError(f"the contract would not be valid: {trials[0].problems[0]}")
    best = max(usable, key=_merit)
    return _told(best, samples, [trial for trial in usable if _is_choice(trial, best)])


def _merit(trial: Trial) -> tuple[int, int, int, bool]:
    """How good a trial is; of equal ones the first counts."""
    status = trial.draft.status
    told = 0 if not status else 1 if "." in status and trial.draft.covers < _WHOLE else 2
    return len(trial.recognised) - len(trial.wrongly), -len(trial.errors), told, _has_enough(trial.draft)


def _is_choice(trial: Trial, best: Trial) -> bool:
    """Whether another form of the samples says enough to be meant."""
    required = [field for field in trial.draft.fields.values() if field.required]
    return trial is not best and not trial.missed and len(required) >= _FEWEST_REQUIRED and bool(trial.draft.status)


_FEWEST_REQUIRED = 3


# A document whose parts are this much the same in all samples is a handoff as a whole.
_WHOLE = 0.6


def _has_enough(draft: ContractDraft) -> bool:
    return sum(field.required for field in draft.fields.values()) >= 2


def _with_schema(draft: ContractDraft, schema: Mapping[str, Any]) -> ContractDraft:
    root = schema_fields(schema)
    for name, field in root.fields.items():
        seen = draft.fields.get(name)
        field.seen, field.of = (seen.seen, seen.of) if seen is not None else (0, 0)
    _set_fields(draft, root)
    return draft


def _set_fields(draft: ContractDraft, root: FieldDraft) -> None:
    draft.fields, draft.closed = root.fields, root.closed
    for question in root.questions:
        draft.note("", f"decide: {question}")


def _from_schema(schema: Mapping[str, Any], name: str, title: str) -> ContractDraft:
    """The contract of a JSON file, from its schema alone."""
    root = schema_fields(schema)
    fields = root.fields
    if not fields:
        raise LearnError("the schema has no properties")
    holds = [field.title for field in fields.values() if field.required] or [one.title for one in fields.values()]
    hint = path_hint([f"{name}.json"])
    form = {
        "syntax": "json",
        "path": hint.pattern,
        "holds": [{"some": holds, "enough": max(1, -(-len(holds) * 3 // 5))}],
    }
    draft = ContractDraft(name, str(schema.get("title") or title), "file", {}, {"file": form})
    _set_fields(draft, root)
    draft.about = str(schema.get("description") or "")
    draft.note("file", "decide: which files? A schema does not say where its documents are")
    return draft


def _told(trial: Trial, samples: Sequence[Sample], others: Sequence[Trial]) -> Learned:
    draft = trial.draft
    total, number = len(samples), number_of(len(samples), "sample")
    if total:
        draft.notes.setdefault("", []).insert(
            0, f"Learned from {number} by `handoff-lsp contract learn`; `decide:` marks what is unsure."
        )
    if 0 < total < 5:
        draft.note("", f"decide: {number} cannot show what is optional; drop `required` where it is.")
    for other in others[:1]:
        draft.note(
            "", f"All samples can be read as a {other.draft.form}, too: `--form {other.draft.form}` learns that."
        )
    text = write(draft)
    lead = "decide: "
    questions = [line.partition(lead)[2] for line in text.splitlines() if line.lstrip().startswith(f"# {lead}")]
    return Learned(text, trial, questions)
