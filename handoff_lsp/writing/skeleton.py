"""The text that is inserted for a field, with placeholders: plain and as an LSP snippet."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from handoff_lsp.contracts.arguments import with_places
from handoff_lsp.contracts.model import Carrier, Field
from handoff_lsp.contracts.patterns import match_whole, search
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# A placeholder is enclosed in angle brackets and contains none; backticks are for pages.
_NO_BRACKETS = str.maketrans("", "", "<>{}`")
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


# The hint for a number.
_NUMBER = "a number"
# The hint in a quoted JSON placeholder for a value that has no quotes.
_BARE = "without quotes"


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
        form = field.kind.form
        hint = form.placeholder if form is not None else _NUMBER if field.kind.is_count else title
    return stops.hole(hint) if hint else Skeleton("", "")


def labels(fields: dict[str, Field], stops: Stops) -> Skeleton:
    """``key: value`` lines for fields, each as its first carrier writes it, without a fence around them."""
    return joined([label(name, field, stops) for name, field in fields.items()], "\n")


_BEFORE: dict[Carrier, str] = {"list-label": "- ", "bold-list-label": "- ", "quote-label": "> "}
_BOLD: frozenset[Carrier] = frozenset({"bold-label", "bold-list-label"})


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
    head = f"{_BEFORE.get(as_written, '')}{f'**{title}**' if as_written in _BOLD else title}: "
    value = fill_in(name, field, stops)
    if not value.plain and field.filled is True:
        value = stops.hole(title.lower())
    return Skeleton(f"{head}{value.plain}".rstrip(), f"{escape_snippet(head)}{value.snippet}".rstrip())


def section(name: str, field: Field, level: int, stops: Stops, *, bare: bool = False, number: int = 1) -> Skeleton:
    """A whole section: heading and body (``bare``: heading only), without blank lines at its ends.

    Of a list of sections it is one item, with ``number`` in its heading.
    """
    title = item_heading(field, stops, number) if field.each else Skeleton(field.title or name, "")
    heading = Skeleton(f"{'#' * level} {title.plain}", f"{'#' * level} {title.snippet or escape_snippet(title.plain)}")
    if bare:
        return heading
    within = field.items if field.each else field
    if within is not None and (field.each or any(map(is_own_section, within.fields.values()))):
        return joined([heading, *_parts(within, min(level + 1, DEEPEST), stops)], "\n\n")
    made = body(name, field, stops)
    return joined([heading, made], "\n\n") if made.plain else heading


def body(name: str, field: Field, stops: Stops) -> Skeleton:
    """What is inserted below the heading of a section; empty if there is nothing to insert."""
    if field.fields and not field.kind.is_choice:
        wanted = {key: child for key, child in field.fields.items() if child.required or child.in_template}
        inside = labels(wanted, stops)
        fenced = any(child.carriers[:1] == ["yaml"] for child in field.fields.values())
        return Skeleton(f"```yaml\n{inside.plain}\n```", f"```yaml\n{inside.snippet}\n```") if fenced else inside
    if field.mentions and field.kind.holds in {"prose", "plain items", "anything"}:
        return joined([around(f"- {mention}: ", stops.hole(), "") for mention in field.mentions], "\n")
    if field.kind.has_boxes:
        return around("- [ ] ", stops.hole(_item_hint(field)), "")
    if field.kind.holds == "table rows":
        return _table(field, stops)
    if field.kind.holds_items:
        wanted_item = field.filled or "empty-value" in field.severity or field.minimum or "body" in field.carriers
        return around("- ", stops.hole(_item_hint(field)), "") if wanted_item else Skeleton("", "")
    made = fill_in(name, field, stops)
    needs_text = (field.filled is True or "body" in field.carriers) and field.kind.holds != "fields"
    return stops.hole() if needs_text and not made.plain else made


def _item_hint(field: Field) -> str:
    return field.items.pattern_about if field.items is not None else ""


def is_own_section(field: Field) -> bool:
    """Whether a field in a section is inserted as a section, or as content without a name."""
    return bool(field.each) or field.carriers[:1] in (["section"], ["body"])


def _parts(within: Field, level: int, stops: Stops) -> list[Skeleton]:
    """What a new section of an object or an item holds: labels, its own content, sections."""
    wanted = {name: child for name, child in within.fields.items() if child.required is True or child.in_template}
    labelled = {name: child for name, child in wanted.items() if not is_own_section(child)}
    parts = [labels(labelled, stops)] if labelled else []
    parts += [body(name, child, stops) for name, child in wanted.items() if child.carriers[:1] == ["body"]]
    headed = [(name, child) for name, child in wanted.items() if is_own_section(child)]
    parts += [section(name, child, level, stops) for name, child in headed if child.carriers[:1] != ["body"]]
    return [part for part in parts if part.plain]


def item_heading(field: Field, stops: Stops, number: int) -> Skeleton:
    """The heading of a new item, without number signs; empty if none that is recognized can be made.

    Groups for digits hold ``number``, the others a placeholder.
    """
    template = field.items.title if field.items is not None else ""
    if not template:
        template = _UNSEEN.sub("", _SPACE.sub(" ", _GROUP.sub(r"{\1}", field.each)))
        template = "" if _PATTERN_SIGN.search(template) else re.sub(r"\\(.)", r"\1", template)
    groups = dict(_GROUP.findall(field.each))
    parts = []
    for index, part in enumerate(_BRACES.split(template)):
        digits = index % 2 == 1 and _digits(groups.get(part, ""), number)
        filled = stops.value(digits) if digits else stops.hole(part)
        parts.append(filled if index % 2 else Skeleton(part, escape_snippet(part)))
    made = joined(parts, "")
    return made if made.plain and search(field.each, made.plain) is not None else Skeleton("", "")


def _digits(pattern: str, number: int) -> str:
    """A number as a group's pattern wants it; empty if it takes a placeholder, or no digits alone."""
    if not pattern or match_whole(pattern, placeholder("")) is not None:
        return ""
    written = (str(number).zfill(width) for width in range(1, 6))
    return next((text for text in written if match_whole(pattern, text) is not None), "")


# The deepest heading of Markdown.
DEEPEST = 6
_BRACES = lazy_pattern(r"\{([^{}]*)\}")
_GROUP = lazy_pattern(r"\(\?P?<(\w+)>([^()]*)\)")
# Parts of a pattern that match no character, and those that match blanks.
_UNSEEN = lazy_pattern(r"^(?:\(\?[a-z]+\))?\^?|\$$|\\b|\(\?:[^()]*\)\?")
_SPACE = lazy_pattern(r"(?:\\s| |\[ \\t\])[+*]?")
_PATTERN_SIGN = lazy_pattern(r"(?<!\\)[][()*+?|.^$]|\\[a-zA-Z]")


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
        return stops.choice(("true", "false"), json.dumps(placeholder(f"true | false, {_BARE}")))
    if isinstance(value, int | float):
        return stops.value(json.dumps(placeholder(f"{value}, {_BARE}"), ensure_ascii=False))
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
