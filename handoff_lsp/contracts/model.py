"""The shape of a contract: everything handoff-lsp knows about one format, as data.

These dataclasses are the file format of ``schemas/contracts/*.yaml`` and of a user's own contracts, and what the rest
of the engine reads. They are plain so that a built-in contract loads in milliseconds; pydantic validates files
against them (``contracts/load.py``) and publishes them as ``schemas/contract.schema.json``, where the text under
each attribute is its description.

A *condition* is a line of CEL. Its names are the contract's root fields, plus ``settings``. A field that is absent
or has a wrong value has no value: a condition that needs it does not apply, and nothing is said. An absent section
reads as an empty text, list or object.

A *message* is a text in which ``{...}`` holds a CEL expression, replaced by its value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

# How pydantic validates these: no unknown key.
STRICT: Any = {"extra": "forbid"}

Severity = Literal["error", "warning", "information", "hint", "off"]
Mode = Literal["handoff", "template", "example"]
FieldType = Literal["any", "line", "text", "enum", "integer", "number", "boolean", "pattern", "list", "rows", "object"]
Carrier = Literal["section", "heading-inline", "plain-label", "bold-label", "list-label", "quote-label", "yaml", "json"]
Tolerance = Literal["markup", "detail", "quotes", "case", "blanks", "trailing-punctuation"]
Action = Literal["advance", "continue", "retry", "ask", "stop"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """One value of an enum, or one mark of a row."""

    __pydantic_config__ = STRICT

    value: str
    """The value, spelled as the reader of the handoff wants it."""
    about: str = ""
    """What it means."""
    then: str = ""
    """What the orchestrator does on it."""
    instead_of: list[str] = field(default_factory=list)
    """What people write when they mean this value: not accepted, but offered as its correction."""
    because: dict[str, str] = field(default_factory=dict)
    """For one of `instead_of`: why it is wrong, where that deserves a sentence of its own."""
    deprecated: str = ""
    """Why not to use it any more and what to write instead; empty for a current value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upstream:
    """The tokens that the original system's validator reports for a defect of a field. `{value}` is what was found."""

    __pydantic_config__ = STRICT

    missing: list[str] = field(default_factory=list)
    """Reported when the field is absent, its children's tokens included where upstream reports them too."""
    value: list[str] = field(default_factory=list)
    """Reported for a value outside the enum or pattern."""
    type: list[str] = field(default_factory=list)
    """Reported for a value of another type."""
    unknown: list[str] = field(default_factory=list)
    """Reported for a child that the contract does not know."""
    misplaced: list[str] = field(default_factory=list)
    """Reported for a child that belongs somewhere else."""
    unexpected: list[str] = field(default_factory=list)
    """Reported for a value that must not be there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field: how it is written, what it holds, when it is required."""

    __pydantic_config__ = STRICT

    title: str = ""
    """The heading, label or key as it is written; the field's name where it is left out."""
    aliases: list[str] = field(default_factory=list)
    """Other spellings of the title that readers accept, other languages among them."""
    instead_of: list[str] = field(default_factory=list)
    """Names that are wrong here but mean this field, such as another profile's: offered as a rename."""
    about: str = ""
    """What the field is."""
    read_by: str = ""
    """Who reads it and what for."""
    type: FieldType = "any"
    """What it holds. `line`: one line of text; `text`: a section of prose; `rows`: a list whose items carry marks; \
`pattern`: a line that matches `pattern`, whose named groups become children."""
    carriers: list[Carrier] = field(default_factory=list)
    """How it may be written; the first is how it is inserted. Left out: as its parent's kind has it."""
    values: list[Value] = field(default_factory=list)
    """The values of an enum, or the marks of rows."""
    tolerate: list[Tolerance] = field(default_factory=list)
    """What is overlooked when a value is compared."""
    pattern: str = ""
    """An RE2 pattern that the whole value must match. Named groups become children: digits as integers."""
    pattern_about: str = ""
    """The pattern in words, for messages."""
    required: bool | str = False
    """Whether it must be there: yes, no, or a condition."""
    because: str = ""
    """Why it is required when it is, and what happens without it: a sentence for people."""
    forbidden: str = ""
    """A condition under which it must be absent or empty."""
    forbidden_because: str = ""
    """Why."""
    absent_when: list[Any] = field(default_factory=lambda: [None])
    """JSON values that count as not being there."""
    filled: bool | str = False
    """Whether an empty section counts as missing: yes, no, or a condition."""
    fields: dict[str, Field] = field(default_factory=dict)
    """The fields inside an object, in the order in which they are written."""
    items: Field | None = None
    """What the items of a list are."""
    closed: bool = False
    """Whether children that the contract does not know are findings."""
    first: bool = False
    """Whether the section must stand first in the handoff."""
    in_template: bool | None = None
    """Whether a template must declare it; left out: where it is required without condition."""
    fillable: str = ""
    """What stands in an inserted skeleton: a text or, in JSON, a JSON value; left out: made from the type."""
    severity: dict[str, Severity] = field(default_factory=dict)
    """Severities of rules for this field, by rule."""
    upstream: Upstream = field(default_factory=Upstream)
    """What the original validator says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Something that must hold between fields."""

    __pydantic_config__ = STRICT

    rule: str
    """The rule that reports it: `count-mismatch`, `contradiction`, `time-order`, …"""
    check: str
    """The condition that must hold."""
    when: str = ""
    """The condition under which it is looked at; left out: always."""
    at: str
    """The path of the field that is marked when it does not hold. With `[]` after a list's name it is asked for each \
item, whose value is `this`: `update_contracts[].contract`."""
    message: str
    """What is wrong, what was found, what is expected."""
    because: str = ""
    """What the orchestrator will do because of it."""
    related: list[str] = field(default_factory=list)
    """Paths of the other fields that have a part in it."""
    correct: str = ""
    """A CEL expression for the value that `at` should have, where there is one right answer."""
    severity: Severity = "error"
    """How bad it is."""
    upstream: list[str] = field(default_factory=list)
    """Upstream's tokens for it, with `{...}` as in a message."""
    in_modes: list[Mode] = field(default_factory=lambda: ["handoff", "example"])
    """The modes it is looked at in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """What the orchestrator does when a condition holds; the first that holds decides."""

    __pydantic_config__ = STRICT

    when: str = "true"
    """The condition."""
    action: Action
    """What is done with the pipeline."""
    reason: str
    """In words."""
    reads: list[str] = field(default_factory=list)
    """The fields and sections it reads beyond those it always reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transitions:
    """Which value of a status may follow which, for one agent's handoffs in the order in which they stand."""

    __pydantic_config__ = STRICT

    of: str
    """The path of the status."""
    by: str
    """The path of the field that tells whose status it is."""
    allowed: dict[str, list[str]]
    """For each value, the values that may come next."""
    repeat: dict[str, int] = field(default_factory=dict)
    """For a value, how often it may come in a row."""
    because: str = ""
    """Who holds this and what happens otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Fields that are inserted together."""

    __pydantic_config__ = STRICT

    title: str
    """What the action that inserts them calls it."""
    fields: list[str]
    """The names of the root fields, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """One sign of what a document is. Just one of the ways to see it is given."""

    __pydantic_config__ = STRICT

    weight: int
    """What it counts; below zero for a sign that it is something else."""
    path: str = ""
    """A pattern found in the document's path, with `/` as separator. Never decides alone."""
    title: str = ""
    """A pattern found in the first level 1 heading."""
    section: str = ""
    """The name of a root field whose section is there."""
    value: str = ""
    """The name of a root enum whose section begins with one of its values, or with what people write instead of one."""
    labels: str = ""
    """The name of a root field with at least three of its own fields written under it."""
    text: str = ""
    """A pattern found in the document's text outside fences."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detect:
    """How a document in Markdown is recognised."""

    __pydantic_config__ = STRICT

    enough: int = 4
    """The sum of weights from which on it is this contract."""
    content: int = 2
    """How much of the sum must come from the text and not from the path."""
    markers: list[Marker] = field(default_factory=list)
    """The signs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fence:
    """How a fence is recognised, and what its reader insists on."""

    __pydantic_config__ = STRICT

    tag: str
    """The first word of the info string."""
    legacy_tags: list[str] = field(default_factory=list)
    """Tags of earlier versions, which today's reader passes over."""
    shaped_tags: list[str] = field(default_factory=list)
    """Tags of fences that are this contract if their content has its shape."""
    shape: list[str] = field(default_factory=list)
    """The paths of keys that make the shape; two of them must be there."""
    shape_taken: list[str] = field(default_factory=list)
    """Those of `shaped_tags` that the reader takes itself; in a fence with another one it sees nothing."""
    marker: str = ""
    """The only marker the reader takes, such as three backticks; left out: any."""
    indented: bool = True
    """Whether the reader takes a fence that does not start its line."""
    cut_at: str = ""
    """A text at which the reader believes the block to end, wherever it stands."""
    because: str = ""
    """What the reader does with a fence that it does not take."""
    upstream: list[str] = field(default_factory=list)
    """Upstream's tokens for a block that cannot be read."""
    root: str = ""
    """The name findings give to the block as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Something that is decided outside the document and that conditions may ask for as `settings.NAME`."""

    __pydantic_config__ = STRICT

    type: Literal["boolean", "strings", "string"]
    """What it holds."""
    about: str
    """What it decides, and who decides it in the original system."""
    default: Any = None
    """Its value where the config says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A sign that a block is of a profile; the profile with the greatest sum wins, the first on a draw."""

    __pydantic_config__ = STRICT

    weight: int = 1
    """What it counts."""
    has: str = ""
    """The path of a key in the block, as written."""
    path: str = ""
    """A pattern found in the document's path."""
    title: str = ""
    """A pattern found in the first level 1 heading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """A version or variant of a contract, told as what differs from the contract's own fields.

    The parts below are merged into the contract's as a JSON merge patch (RFC 7396): objects are merged by key, null
    removes, everything else replaces.
    """

    __pydantic_config__ = STRICT

    about: str = ""
    """What it is and where it is used."""
    evidence: list[Evidence] = field(default_factory=list)
    """How it is told from the others; none: only by config or as the default."""
    fields: dict[str, Any] = field(default_factory=dict)
    """Changes to the fields."""
    checks: dict[str, Any] = field(default_factory=dict)
    """Changes to the checks."""
    fence: dict[str, Any] = field(default_factory=dict)
    """Changes to the fence."""
    transitions: dict[str, Any] = field(default_factory=dict)
    """Changes to the transitions."""
    groups: dict[str, Any] = field(default_factory=dict)
    """Changes to the groups."""
    upstream: dict[str, Any] = field(default_factory=dict)
    """Changes to the upstream tokens of the root."""
    status: str = ""
    """The path of the status, where this profile has another."""
    routing: list[Route] = field(default_factory=list)
    """The routing, where this profile has another."""
    closed: bool | None = None
    """Whether unknown root fields are findings, where this profile has it otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    """One format."""

    __pydantic_config__ = STRICT

    contract: str
    """Its name, unique among all contracts."""
    title: str
    """What people call it."""
    about: str
    """What it is, who writes it and who reads it."""
    source: str = ""
    """Where the format is defined."""
    block: Literal["markdown", "json-fence"]
    """What one handoff is: a whole Markdown document, or a fence with JSON in it."""
    status: str
    """The path of the field that the orchestrator decides on."""
    unread: str
    """What happens to a handoff without a readable status, such as `treated as failed`."""
    default_profile: str
    """The profile where neither the block nor the config says which."""
    profiles: dict[str, Profile]
    """The versions and variants."""
    detect: Detect | None = None
    """How a Markdown document is recognised."""
    fence: Fence | None = None
    """How a fence is recognised."""
    examples: list[Marker] = field(default_factory=list)
    """Signs that the document is about the format, so that a block in it is an example; one is enough."""
    empty_words: list[str] = field(default_factory=list)
    """Words that stand for nothing, such as `none`."""
    settings: dict[str, Setting] = field(default_factory=dict)
    """What the config decides."""
    fields: dict[str, Field]
    """The root fields, in order."""
    closed: bool = False
    """Whether root fields that the contract does not know are findings."""
    upstream: Upstream = field(default_factory=Upstream)
    """Upstream's tokens for the root."""
    ordered: bool = False
    """Whether sections must stand in the order of the fields."""
    checks: dict[str, Check] = field(default_factory=dict)
    """What must hold between fields, by name."""
    transitions: Transitions | None = None
    """Which status may follow which."""
    reads: list[str] = field(default_factory=list)
    """The fields that the orchestrator always reads."""
    routing: list[Route] = field(default_factory=list)
    """What the orchestrator does."""
    groups: dict[str, Group] = field(default_factory=dict)
    """Fields that are inserted together."""
