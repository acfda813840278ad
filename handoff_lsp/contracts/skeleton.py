"""What is inserted for a field: text with something to fill in, plain and as an LSP snippet."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from handoff_lsp.contracts.model import Carrier, Field

# A placeholder stands between angle brackets and holds none.
_NO_BRACKETS = str.maketrans("", "", "<>{}")
# An enum with more values than this is not written out.
MOST_VALUES = 20
_TIMESTAMP = "YYYY-MM-DDThh:mm:ssZ"


class Skeleton(NamedTuple):
    """A text to insert, with ``\\n`` line ends: plain, and with tab stops for clients that have snippets."""

    plain: str
    snippet: str


def joined(parts: Sequence[Skeleton], glue: str) -> Skeleton:
    """Skeletons one after the other with a text between them that means nothing in a snippet."""
    return Skeleton(glue.join(part.plain for part in parts), glue.join(part.snippet for part in parts))


def around(before: str, made: Skeleton, after: str) -> Skeleton:
    """A skeleton between two texts that mean nothing in a snippet."""
    return Skeleton(before + made.plain + after, before + made.snippet + after)


def escape_snippet(text: str) -> str:
    """A text as it stands literally in an LSP snippet."""
    return text.replace("\\", "\\\\").replace("$", "\\$").replace("}", "\\}")


class Stops:
    """Numbers the tab stops of one snippet."""

    def __init__(self) -> None:
        self._last = 0

    def choice(self, values: list[str]) -> str:
        """A tab stop that offers values."""
        self._last += 1
        escaped = [escape_snippet(value).replace(",", "\\,").replace("|", "\\|") for value in values]
        return f"${{{self._last}|{','.join(escaped)}|}}"

    def text(self, hint: str) -> str:
        """A tab stop with a hint in it."""
        self._last += 1
        return f"${{{self._last}:{escape_snippet(hint)}}}" if hint else f"${self._last}"


def fill_in(name: str, field: Field, stops: Stops) -> Skeleton:
    """What stands for a value in Markdown until it is filled in."""
    if field.type == "enum":
        values = [value.value for value in field.offered]
        if len(values) == 1 and not field.open:
            return Skeleton(values[0], escape_snippet(values[0]))
        hint = " | ".join(values)
        if len(values) > MOST_VALUES:
            hint = (field.fillable or field.title or name).translate(_NO_BRACKETS)
        return Skeleton(f"<{hint}>", stops.choice(values))
    if field.fillable and (field.type in {"integer", "boolean"} or field.fillable in {"null", "true", "false"}):
        return Skeleton(field.fillable, stops.text(field.fillable))
    if "\n" in field.fillable:
        return _below(field.fillable, stops)
    hint = field.fillable or (field.pattern_about if field.type == "pattern" else "")
    if not hint and field.type in {"line", "integer", "number", "boolean"}:
        hint = (field.title or name).lower()
    if not hint and field.type == "timestamp":
        hint = _TIMESTAMP
    hint = hint.translate(_NO_BRACKETS)
    return Skeleton(f"<{hint}>", stops.text(hint)) if hint else Skeleton("", "")


def labels(fields: dict[str, Field], stops: Stops) -> Skeleton:
    """``key: value`` lines for fields, each as its first carrier writes it, without a fence around them."""
    return joined([label(name, field, stops) for name, field in fields.items()], "\n")


_BEFORE: dict[Carrier, str] = {"list-label": "- ", "quote-label": "> "}


def _below(fillable: str, stops: Stops) -> Skeleton:
    """What is to be filled in where it goes on below its key: each of those lines between brackets of its own."""
    first, *rest = fillable.split("\n")
    made = [Skeleton(first, escape_snippet(first))]
    for line in rest:
        text = line.lstrip(" -")
        lead = line[: len(line) - len(text)]
        made.append(around(lead, Skeleton(f"<{text.translate(_NO_BRACKETS)}>", stops.text(text)), ""))
    return joined(made, "\n")


def label(name: str, field: Field, stops: Stops, carrier: Carrier | None = None) -> Skeleton:
    """A label with what stands for its value, as a carrier (left out: the field's first) writes it."""
    as_written: Carrier = carrier if carrier is not None else field.carriers[0] if field.carriers else "plain-label"
    title = field.title or name
    head = f"{_BEFORE.get(as_written, '')}{f'**{title}**' if as_written == 'bold-label' else title}: "
    value = fill_in(name, field, stops)
    return Skeleton(f"{head}{value.plain}".rstrip(), f"{escape_snippet(head)}{value.snippet}".rstrip())


def section(name: str, field: Field, level: int, stops: Stops, *, bare: bool = False) -> Skeleton:
    """A whole section: heading and body (``bare``: none), no blank line at either end."""
    heading = f"{'#' * level} {field.title or name}"
    if bare:
        return Skeleton(heading, escape_snippet(heading))
    if field.fields:
        wanted = {key: child for key, child in field.fields.items() if child.required or child.in_template}
        inside = labels(wanted, stops)
        fenced = any(child.carriers[:1] == ["yaml"] for child in field.fields.values())
        body = Skeleton(f"```yaml\n{inside.plain}\n```", f"```yaml\n{inside.snippet}\n```") if fenced else inside
    elif field.mentions and field.type in {"text", "list", "any"}:
        lines = [around(f"- {mention}: ", Skeleton("<…>", stops.text("…")), "") for mention in field.mentions]
        body = joined(lines, "\n")
    elif field.type in {"list", "rows"}:
        body = Skeleton("", "")
        if field.filled or "empty-value" in field.severity:
            body = Skeleton("- <…>", f"- {stops.text('…')}")
    elif field.type == "checklist":
        body = Skeleton("- [ ] <…>", f"- [ ] {stops.text('…')}")
    elif field.type == "table":
        body = _table(field, stops)
    elif field.type == "text" and field.filled is True and not field.fillable:
        body = Skeleton("<…>", stops.text("…"))
    else:
        body = fill_in(name, field, stops)
    if not body.plain:
        return Skeleton(
            heading,
            f"{escape_snippet(heading)}\n\n{stops.text('')}" if field.type == "text" else escape_snippet(heading),
        )
    return Skeleton(f"{heading}\n\n{body.plain}", f"{escape_snippet(heading)}\n\n{body.snippet}")


def _table(field: Field, stops: Stops) -> Skeleton:
    """A table with one row; its columns are those of the field's items or, where these say nothing, of any table."""
    inner = (field.items.fields if field.items is not None else {}) or field.fields
    columns = [child.title or name for name, child in inner.items()] or ["Item", "Status"]
    head = f"| {' | '.join(columns)} |\n|{' --- |' * len(columns)}\n"
    cells = "".join(f" {stops.text('…')} |" for _ in columns)
    return Skeleton(f"{head}|{' <…> |' * len(columns)}", f"{escape_snippet(head)}|{cells}")


def json_value(name: str, field: Field, stops: Stops, indent: str = "", step: str = "  ") -> Skeleton:
    """A JSON value for a field; lines after the first begin with ``indent``."""
    if field.fillable:
        try:
            json.loads(field.fillable)
        except ValueError:
            made = _string(field.fillable, stops)
            return around("[", made, "]") if field.type in {"list", "rows"} else made
        if field.fillable.startswith('"') and len(field.fillable) > 2:
            text = field.fillable[1:-1]
            return Skeleton(field.fillable, f'"{stops.text(text)}"')
        return Skeleton(field.fillable, stops.text(field.fillable))
    if field.type == "enum":
        values = [value.value for value in field.offered]
        if len(values) == 1 and not field.open:
            only = json.dumps(values[0], ensure_ascii=False)
            return Skeleton(only, escape_snippet(only))
        return Skeleton(json.dumps(f"<{' | '.join(values)}>", ensure_ascii=False), f'"{stops.choice(values)}"')
    if field.type == "object":
        return json_object({key: child for key, child in field.fields.items() if child.required}, stops, indent, step)
    if field.type in {"list", "rows", "checklist", "table"}:
        return Skeleton("[]", f"[{stops.text('')}]")
    if field.type in {"integer", "number"}:
        return Skeleton("0", stops.text("0"))
    if field.type == "boolean":
        return Skeleton("false", stops.choice(["false", "true"]))
    if field.type == "timestamp":
        return _string(_TIMESTAMP, stops)
    if field.type == "map":
        return Skeleton("{}", f"{{{stops.text('')}\\}}")
    if field.type in {"line", "text", "pattern"}:
        return _string(field.pattern_about or field.title or name, stops)
    return _string(field.title or name, stops)


def _string(hint: str, stops: Stops) -> Skeleton:
    hint = hint.translate(_NO_BRACKETS)
    return Skeleton(json.dumps(f"<{hint}>", ensure_ascii=False), f'"{stops.text(hint)}"')


def json_object(fields: dict[str, Field], stops: Stops, indent: str = "", step: str = "  ") -> Skeleton:
    """A JSON object with a member for each field."""
    if not fields:
        return Skeleton("{}", f"{{{stops.text('')}\\}}")
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
