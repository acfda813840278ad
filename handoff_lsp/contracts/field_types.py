"""The types of fields: one row per type, read by every room.

A new type needs its name in ``FieldType`` and a row in ``KINDS``, where mypy demands every attribute.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Final, Literal, get_args

from handoff_lsp.language import later
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.lazy_dataclass import lazy_dataclass

FieldType = Literal[
    "any",
    "line",
    "text",
    "enum",
    "integer",
    "number",
    "boolean",
    "pattern",
    "timestamp",
    "date",
    "url",
    "list",
    "rows",
    "checklist",
    "table",
    "map",
    "object",
]
JsonType = Literal["string", "number", "boolean", "array", "object"]
# The content of a value: anything, a single value, prose of several lines, items (plain, with marks, with boxes, or
# the rows of a table), names with values, or fields.
Holds = Literal[
    "anything", "value", "prose", "plain items", "marked items", "boxed items", "table rows", "pairs", "fields"
]


@lazy_dataclass(frozen=True, slots=True)
class TextForm:
    """The fixed form of a type with values that are texts.

    ``wanted`` completes "must be …" in messages, ``about`` is the same without an example; ``placeholder`` goes into
    skeletons; ``schema`` is the pattern of the JSON Schema.
    """

    accepts: Callable[[str], bool]
    wanted: str
    about: str
    placeholder: str
    schema: str


@lazy_dataclass(frozen=True, slots=True)
class FieldKind:
    """The properties of one type.

    ``about`` names it on pages, ``must_be`` completes "must be …" in messages. ``json`` is the JSON type of its
    values, None for any; ``cel`` its type in conditions. ``symbol`` and ``token`` are for outlines and colors.
    ``text`` says which texts are its values: all, one of the field's values, those that match the field's pattern,
    or those of a fixed form; None if its values are not texts.
    """

    about: str
    must_be: str
    holds: Holds
    json: JsonType | None
    cel: Literal["any", "string", "integer", "boolean", "list", "rows", "object"]
    symbol: Literal["string", "enum-member", "number", "boolean", "array", "object"]
    token: Literal["number", "keyword"] | None
    text: Literal["free", "choice", "pattern"] | TextForm | None

    @property
    def untyped(self) -> bool:
        """Whether its values may be anything."""
        return self.holds == "anything"

    @property
    def holds_items(self) -> bool:
        """Whether its values consist of items, however they are written."""
        return self.holds in {"plain items", "marked items", "boxed items", "table rows"}

    @property
    def has_marks(self) -> bool:
        """Whether each of its items carries a mark, one of the field's values."""
        return self.holds == "marked items"

    @property
    def has_boxes(self) -> bool:
        """Whether its items have boxes to tick."""
        return self.holds == "boxed items"

    @property
    def is_choice(self) -> bool:
        """Whether its values are those that the field lists."""
        return self.text == "choice"

    @property
    def is_free(self) -> bool:
        """Whether any text is a value."""
        return self.text == "free"

    @property
    def has_pattern(self) -> bool:
        """Whether its values match the field's pattern, whose named groups become children."""
        return self.text == "pattern"

    @property
    def is_time(self) -> bool:
        """Whether each of its values is a time that ``read_timestamp`` reads."""
        return self.text is TIME

    @property
    def form(self) -> TextForm | None:
        """The fixed form of its texts, if they have one."""
        return self.text if isinstance(self.text, TextForm) else None

    @property
    def empty(self) -> object:
        """The value of an absent field in conditions; None for no value."""
        match self.holds:
            case "prose":
                return ""
            case "plain items" | "marked items" | "boxed items" | "table rows":
                return []
            case "pairs" | "fields":
                return {}
            case "anything" | "value":
                return None

    @property
    def words(self) -> Sequence[str]:
        """The words that are its only values."""
        return ("true", "false") if self.json == "boolean" else ()

    @property
    def is_count(self) -> bool:
        """Whether its values are whole numbers."""
        return self.cel == "integer"

    @property
    def unquoted(self) -> bool:
        """Whether JSON writes its values without quotes, so that a placeholder has another type."""
        return self.json in {"number", "boolean"}


# RFC 3339: an offset of zero is UTC.
_TIMESTAMP_FORM = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]00:00)"
_TIMESTAMP = lazy_pattern(_TIMESTAMP_FORM)


def read_timestamp(text: str) -> datetime | None:
    """The time that a date and time of ISO 8601 in UTC gives, to the second; None for any other text."""
    if _TIMESTAMP.fullmatch(text) is None:
        return None
    try:
        return datetime.fromisoformat(text[:19]).replace(tzinfo=UTC)
    except ValueError:
        return None


def timestamp_of(time: datetime) -> str:
    """A time in UTC as handoffs write it, to the second."""
    return time.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"  # `%Y` has fewer than four digits before 1000


TIME = TextForm(
    accepts=lambda text: read_timestamp(text) is not None,
    wanted=later("a date and time in UTC such as 2026-02-08T10:00:00Z"),
    about="an ISO 8601 time in UTC",
    placeholder="YYYY-MM-DDThh:mm:ssZ",
    schema=rf"^{_TIMESTAMP_FORM}$",
)

_DATE = lazy_pattern(r"\d{4}-\d\d-\d\d")


def _is_date(text: str) -> bool:
    if _DATE.fullmatch(text) is None:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


_DAY = TextForm(
    accepts=_is_date,
    wanted=later("a date such as 2026-02-08"),
    about="a calendar date of ISO 8601",
    placeholder="YYYY-MM-DD",
    schema=r"^\d{4}-\d\d-\d\d$",
)
_ADDRESS = lazy_pattern(r"https?://[^\s/?#<>]+[^\s<>]*")
_URL = TextForm(
    accepts=lambda text: _ADDRESS.fullmatch(text) is not None,
    wanted=later("a URL such as https://example.org/page"),
    about="a URL that begins with http:// or https://",
    placeholder="a URL",
    schema=r"^https?://[^\s/?#<>]+[^\s<>]*$",
)

# One row a type.
KINDS: Final[Mapping[FieldType, FieldKind]] = {
    "any": FieldKind("", later("any value"), "anything", None, "any", "string", None, None),
    "line": FieldKind(later("text"), later("a string"), "value", "string", "string", "string", None, "free"),
    "text": FieldKind(later("prose"), later("a string"), "prose", "string", "string", "string", None, "free"),
    "enum": FieldKind(
        later("one of the values below"), later("a string"), "value", "string", "string", "enum-member", None, "choice"
    ),
    "integer": FieldKind(
        later("whole number"), later("an integer"), "value", "number", "integer", "number", "number", None
    ),
    "number": FieldKind(later("number"), later("a number"), "value", "number", "any", "number", "number", None),
    "boolean": FieldKind(
        later("true or false"), later("true or false"), "value", "boolean", "boolean", "boolean", "keyword", None
    ),
    "pattern": FieldKind(
        later("text of a fixed form"), later("a string"), "value", "string", "object", "string", None, "pattern"
    ),
    "timestamp": FieldKind(
        later("date and time in UTC"), later("a string"), "value", "string", "string", "string", "number", TIME
    ),
    "date": FieldKind(later("date"), later("a string"), "value", "string", "string", "string", "number", _DAY),
    "url": FieldKind(later("URL"), later("a string"), "value", "string", "string", "string", None, _URL),
    "list": FieldKind(later("list"), later("a list"), "plain items", "array", "list", "array", None, None),
    "rows": FieldKind(
        later("list of rows with marks"), later("a list"), "marked items", "array", "rows", "array", None, None
    ),
    "checklist": FieldKind(
        later("list with boxes"), later("a checklist"), "boxed items", None, "list", "array", None, None
    ),
    "table": FieldKind(later("table"), later("a table"), "table rows", None, "list", "array", None, None),
    "map": FieldKind(
        later("names with values"), later("names with values"), "pairs", None, "object", "object", None, None
    ),
    "object": FieldKind(later("object"), later("an object"), "fields", "object", "object", "object", None, None),
}
assert KINDS.keys() == set(get_args(FieldType)), "a type has no row"
