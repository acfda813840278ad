"""The instructions with which a model writes a handoff: its form, its fields, its values, and its conditions."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.contracts.limits import limits_of
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.contracts.spec import JUDGING, Spec
from handoff_lsp.features.pages.contract_pages import all_fields, title_of
from handoff_lsp.rules.shared.condition_words import condition_text
from handoff_lsp.samples.new_handoff import new_handoff
from handoff_lsp.writing.skeleton_document import form_of

_FORMS = {
    "document": "The handoff is a whole Markdown document",
    "section": "The handoff is a section of your answer",
    "run": "The handoff is these lines of your answer",
    "fence": "The handoff is this block of your answer",
    "file": "The handoff is a whole file",
}


def prompt(registry: Registry, entry: ContractEntry, profile: str) -> str:
    """The instructions for one profile, as Markdown with ``\\n`` line ends."""
    spec = entry.spec(profile)
    skeleton = new_handoff(registry, entry, profile, "handoff").text.rstrip("\n")
    status = spec.field(spec.status)
    form = f"{_FORMS[form_of(spec)]}. Keep its form, and replace each placeholder in angle brackets:"
    parts = [f"Write a handoff: {spec.contract.title}. {spec.contract.about}", form, f"~~~~\n{skeleton}\n~~~~"]
    parts.append("\n".join(["Fields:", "", *_fields(spec)]))
    rules = list(dict.fromkeys(_conditions(spec)))
    parts += ["\n".join(["Conditions:", "", *(f"- {rule}" for rule in rules)])] if rules else []
    if status is not None and spec.contract.unread:
        parts.append(f"Without a valid `{title_of(spec, spec.status, status)}`: {spec.contract.unread}.")
    return "\n\n".join(parts) + "\n"


def _fields(spec: Spec) -> Iterator[str]:
    """A line for each field: its name, whether it is required, its meaning, its form and its values."""
    for path, field in all_fields(spec):
        if field.deprecated:
            continue
        indent = "  " * (path.count(".") + path.count("[]"))
        name = "each item" if path.endswith("[]") else f"`{field.title or path.rpartition('.')[2]}`"
        needed = "" if path.endswith("[]") else _needed(spec, field)
        head = f"{indent}- {name}{f' ({needed})' if needed else ''}"
        told = [_sentence(text) for text in (field.about, _form(field)) if text]
        yield f"{head}: {' '.join(told)}" if told else head
        for value in field.offered if field.kind.is_choice or field.kind.has_marks else ():
            if not value.deprecated:
                yield f"{indent}  - `{value.value}`" + (f": {_sentence(value.about)}" if value.about else "")


def _needed(spec: Spec, field: Field) -> str:
    if isinstance(field.required, bool):
        return "required" if field.required else "optional"
    condition = condition_text(spec, field.required)
    return f"required when {condition}" if condition else "sometimes required"


def _form(field: Field) -> str:
    """The form of a value, with its limits."""
    told = []
    if field.kind.is_choice and field.values:
        told.append("one of these, or another value" if field.open else "one of these")
    elif field.pattern_about:
        told.append(field.pattern_about)
    elif field.kind.form is not None:
        told.append(field.kind.form.wanted)
    elif field.kind.holds != "fields" and not field.kind.is_free:
        told.append(field.kind.about)
    told += [f"it must {limit}" for limit in limits_of(field)]
    text = ", ".join(told)
    return text[:1].upper() + text[1:]


def _conditions(spec: Spec) -> Iterator[str]:
    """The conditions between fields that a sentence can hold."""
    for path, field in spec.walk():
        when = condition_text(spec, field.forbidden) if field.forbidden != "true" else ""
        if when:
            yield f"When {when}, `{title_of(spec, path, field)}` must be empty."
        filled = condition_text(spec, field.filled) if isinstance(field.filled, str) else ""
        if filled and field.filled != field.required:
            yield f"When {filled}, `{title_of(spec, path, field)}` must not be empty."
    for check in spec.contract.checks.values():
        must, when = condition_text(spec, check.check), condition_text(spec, check.when)
        if must and "[" not in check.at and (when or not check.when) and check.severity in JUDGING:
            yield f"When {when}: {must}." if when else f"{must[:1].upper()}{must[1:]}."


def _sentence(text: str) -> str:
    return text if text[-1:] in {".", "!", "?"} else f"{text}."
