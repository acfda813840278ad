"""The text that is inserted for a field, with placeholders: plain and as an LSP snippet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from handoff_lsp.contracts.arguments import with_places
from handoff_lsp.contracts.model import Carrier, Field

# A placeholder is enclosed in angle brackets and contains none.
_NO_BRACKETS = str.maketrans("", "", "<>{}")
# The values of an enum with more than this are not listed.
MOST_VALUES = 20


class Skeleton(NamedTuple):
    """A text to insert, with ``\\n`` line ends: plain, and with tab stops for clients that have snippets."""

    plain: str
    snippet: str


def joined(parts: Sequence[Skeleton], glue: str) -> Skeleton:
    """Skeletons one after the other with ``glue`` between them, which has no special characters of snippets."""
    return Skeleton(glue.join(part.plain for part in parts), glue.join(part.snippet for part in parts))


def around(before: str, made: Skeleton, after: str) -> Skeleton:
    """A skeleton between two texts without special characters of snippets."""
    return Skeleton(before + made.plain + after, before + made.snippet + after)


def escape_snippet(text: str) -> str:
    """A text escaped for an LSP snippet."""
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


class Stops:
    """Makes the placeholders of one skeleton and numbers their tab stops.

    A snippet that is not filled in leaves the plain text: a placeholder, which does not count as a value.
    """

    def __init__(self) -> None:
        self._last = 0

    def hole(self, hint: str = "") -> Skeleton:
        """A placeholder."""
        return self.value(placeholder(hint))

    def choice(self, values: Sequence[str], unfilled: str = "") -> Skeleton:
        """A placeholder (``unfilled``, else one that lists the values) with the values to choose from."""
        self._last += 1
        unfilled = unfilled or placeholder(" | ".join(values))
        escaped = [escape_snippet(text).replace(",", "\\,").replace("|", "\\|") for text in (unfilled, *values)]
        return Skeleton(unfilled, f"${{{self._last}|{','.join(escaped)}|}}")

    def value(self, text: str) -> Skeleton:
        """A text that may stay as it is: a default value, or nothing."""
        self._last += 1
        return Skeleton(text, f"${{{self._last}:{escape_snippet(text)}}}" if text else f"${self._last}")


def placeholder(hint: str) -> str:
    """A placeholder with a hint."""
    return f"<{hint.translate(_NO_BRACKETS) or '…'}>"


def unclaimed(field: Field, empty_words: frozenset[str]) -> Field:
    """A field with all below it, changed so that its skeleton states nothing in the author's place.

    Even the only value of an enum becomes a placeholder, unless it is a word for nothing.
    """
    fields = {name: unclaimed(child, empty_words) for name, child in field.fields.items()}
    items = unclaimed(field.items, empty_words) if field.items is not None else None
    if field.kind.is_choice and len(field.offered) == 1 and not field.open:
        only = field.offered[0].value
        if only.casefold() not in empty_words:
            return replace(field, type="line", fillable=only, values=[], fields=fields, items=items)
    return replace(field, fields=fields, items=items)


def fill_in(name: str, field: Field, stops: Stops) -> Skeleton:
    """The skeleton of a value in Markdown; empty if there is no hint for it."""
    title = (field.title or name).lower()
    if field.kind.is_choice:
        values = [with_places(value.value) for value in field.offered]
        if len(values) == 1 and not field.open:
            return Skeleton(values[0], escape_snippet(values[0]))
        hint = field.fillable if field.fillable not in values else ""
        return stops.choice(values, placeholder(hint or title) if len(values) > MOST_VALUES else "")
    if field.fillable == "null":
        return stops.value(field.fillable)
    if field.kind.words:
        return stops.choice(field.kind.words)
    if "\n" in field.fillable:
        return _below(field.fillable, stops)
    hint = field.fillable or (field.pattern_about if field.kind.has_pattern else "")
    if not hint and field.kind.holds == "value" and not field.kind.has_pattern:
        hint = field.kind.form.placeholder if field.kind.form is not None else title
    return stops.hole(hint) if hint else Skeleton("", "")


def labels(fields: dict[str, Field], stops: Stops) -> Skeleton:
    """``key: value`` lines for fields, each as its first carrier writes it, without a fence around them."""
    return joined([label(name, field, stops) for name, field in fields.items()], "\n")


_BEFORE: dict[Carrier, str] = {"list-label": "- ", "quote-label": "> "}


def _below(fillable: str, stops: Stops) -> Skeleton:
    """A skeleton on several lines: the first as it is, each line below it as a placeholder of its own."""
    first, *rest = fillable.split("\n")
    made = [Skeleton(first, escape_snippet(first))]
    for line in rest:
        text = line.lstrip(" -")
        lead = line[: len(line) - len(text)]
        made.append(around(lead, stops.hole(text), ""))
    return joined(made, "\n")


def label(name: str, field: Field, stops: Stops, carrier: Carrier | None = None) -> Skeleton:
    """A label with the skeleton of its value, in the notation of a carrier (by default, the field's first)."""
    as_written: Carrier = carrier if carrier is not None else field.carriers[0] if field.carriers else "plain-label"
    title = field.title or name
    head = f"{_BEFORE.get(as_written, '')}{f'**{title}**' if as_written == 'bold-label' else title}: "
    value = fill_in(name, field, stops)
    return Skeleton(f"{head}{value.plain}".rstrip(), f"{escape_snippet(head)}{value.snippet}".rstrip())


def section(name: str, field: Field, level: int, stops: Stops, *, bare: bool = False) -> Skeleton:
    """A whole section: heading and body (``bare``: heading only), without blank lines at its ends."""
    heading = f"{'#' * level} {field.title or name}"
    if bare:
        return Skeleton(heading, escape_snippet(heading))
    if field.fields and not field.kind.is_choice:
        wanted = {key: child for key, child in field.fields.items() if child.required or child.in_template}
        inside = labels(wanted, stops)
        fenced = any(child.carriers[:1] == ["yaml"] for child in field.fields.values())
        body = Skeleton(f"```yaml\n{inside.plain}\n```", f"```yaml\n{inside.snippet}\n```") if fenced else inside
    elif field.mentions and field.kind.holds in {"prose", "plain items", "anything"}:
        lines = [around(f"- {mention}: ", stops.hole(), "") for mention in field.mentions]
        body = joined(lines, "\n")
    elif field.kind.has_boxes:
        body = around("- [ ] ", stops.hole(), "")
    elif field.kind.holds == "table rows":
        body = _table(field, stops)
    elif field.kind.holds_items:
        body = Skeleton("", "")
        if field.filled or "empty-value" in field.severity:
            body = around("- ", stops.hole(), "")
    elif field.kind.holds == "prose" and field.filled is True and not field.fillable:
        body = stops.hole()
    else:
        body = fill_in(name, field, stops)
    if not body.plain:
        return Skeleton(heading, escape_snippet(heading))
    return Skeleton(f"{heading}\n\n{body.plain}", f"{escape_snippet(heading)}\n\n{body.snippet}")


def _table(field: Field, stops: Stops) -> Skeleton:
    """A table with one row; its columns are those of the field's items, else its own, else ``Item`` and ``Status``."""
    inner = (field.items.fields if field.items is not None else {}) or field.fields
    columns = [child.title or name for name, child in inner.items()] or ["Item", "Status"]
    head = f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}\n"
    cells = joined([stops.hole() for _ in columns], " | ")
    return Skeleton(f"{head}| {cells.plain} |", f"{escape_snippet(head)}| {cells.snippet} |")


def json_value(name: str, field: Field, stops: Stops, indent: str = "", step: str = "  ") -> Skeleton:
    """A JSON value for a field; lines after the first begin with ``indent``."""
    title = field.title or name
    if field.fillable:
        try:
            proposed = json.loads(field.fillable)
        except ValueError:
            made = _string(field.fillable, stops)
            return around("[", made, "]") if field.kind.json == "array" else made
        return _proposed(proposed, title, stops)
    if field.kind.is_choice:
        values = [json.dumps(with_places(value.value), ensure_ascii=False) for value in field.offered]
        if len(values) == 1 and not field.open:
            return Skeleton(values[0], escape_snippet(values[0]))
        return around('"', stops.choice([value[1:-1] for value in values]), '"')
    if field.kind.holds == "fields":
        return json_object({key: child for key, child in field.fields.items() if child.required}, stops, indent, step)
    if field.kind.holds_items:
        return around("[", stops.value(""), "]")
    if field.kind.json == "number":
        return _proposed(0, title, stops)
    if field.kind.words:
        return _proposed(False, title, stops)
    if field.kind.form is not None:
        return _string(field.kind.form.placeholder, stops)
    if field.kind.holds == "pairs":
        return _nothing(stops)
    return _string((field.pattern_about if field.kind.json == "string" else "") or title, stops)


def _proposed(value: Any, title: str, stops: Stops) -> Skeleton:
    """A JSON value that a contract proposes, with placeholders for all its statements."""
    if isinstance(value, str):
        return _string(value or title, stops)
    if isinstance(value, bool):
        return stops.choice(("true", "false"), '"<true | false>"')
    if isinstance(value, int | float):
        return stops.value(json.dumps(placeholder(str(value)), ensure_ascii=False))
    if isinstance(value, list) and value:
        return around("[", joined([_proposed(item, title, stops) for item in value], ", "), "]")
    if isinstance(value, dict) and value:
        parts = [around(f"{json.dumps(key)}: ", _proposed(item, key, stops), "") for key, item in value.items()]
        made = joined(parts, ", ")
        return Skeleton(f"{{{made.plain}}}", f"{{{made.snippet}\\}}")
    return stops.value(json.dumps(value)) if not isinstance(value, dict) else _nothing(stops)


def _nothing(stops: Stops) -> Skeleton:
    """An object without a member."""
    return Skeleton("{}", f"{{{stops.value('').snippet}\\}}")


def _string(hint: str, stops: Stops) -> Skeleton:
    return around('"', stops.hole(json.dumps(hint, ensure_ascii=False)[1:-1]), '"')


def json_object(fields: dict[str, Field], stops: Stops, indent: str = "", step: str = "  ") -> Skeleton:
    """A JSON object with a member for each field."""
    if not fields:
        return _nothing(stops)
    inner = indent + step
    plain, snippet = [], []
    for name, field in fields.items():
        value = json_value(name, field, stops, inner, step)
        key = json.dumps(field.title or name, ensure_ascii=False)
        plain.append(f"{inner}{key}: {value.plain}")
        snippet.append(f"{inner}{escape_snippet(key)}: {value.snippet}")
    return Skeleton(
        "{\n" + ",\n".join(plain) + f"\n{indent}}}",
        "{\n" + ",\n".join(snippet) + f"\n{indent}\\}}",
    )
