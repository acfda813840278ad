"""The shape of a contract: everything handoff-lsp knows about one format, as data.

These dataclasses are the file format of ``schemas/contracts/*.yaml`` and of a user's own contracts, and what the rest
of the engine reads. They are plain so that a built-in contract loads in milliseconds; pydantic validates files
against them (``contracts/load.py``) and publishes them as ``schemas/contract.schema.json``, where the text under
each attribute is its description.

A *condition* is a line of CEL. Its names are the contract's root fields, plus ``settings``, the contract's own
``terms`` and ``counts``, for each of its ``companions`` the root fields of that document as an object, ``offered``,
whose ``NAME`` is the list of the values that the root enum of that name offers, and ``document``, whose ``name`` is
the file's without its folders, whose ``title`` is its first heading of level 1 and whose ``head`` are the quoted lines
above its first heading of level 2. A field that is absent or has a wrong value has no value: a condition that needs it
does not apply, and nothing is said. An absent section reads as an empty text, list or object.

A *message* is a text in which ``{...}`` holds a CEL expression, replaced by its value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, TypeVar, dataclass_transform

from handoff_lsp.contracts.field_types import KINDS, FieldKind, FieldType

C = TypeVar("C")


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def _part(cls: type[C]) -> type[C]:
    """A dataclass that only mypy freezes: Python takes 10 ms to generate the methods that would freeze all of these."""
    return dataclass(slots=True, kw_only=True, repr=False, unsafe_hash=True)(cls)


# The version of the contract language that this version of handoff-lsp reads.
LANGUAGE: Final = 2

# How pydantic validates these: no unknown key.
STRICT: Any = {"extra": "forbid"}


class Reference(str):
    """What a text of a contract refers to, as an annotation of its type. ``references`` finds all texts by it."""

    __slots__ = ()


Expression = Annotated[str, Reference("expression")]
Message = Annotated[str, Reference("message")]
Pattern = Annotated[str, Reference("pattern")]
# A pattern with a group `name`.
NamePattern = Annotated[str, Reference("name pattern")]
# The path of a field in each profile, and in one profile at least.
FieldPath = Annotated[str, Reference("field")]
SomeField = Annotated[str, Reference("field of some profile")]
# The path of a field with items or a number.
CountedField = Annotated[str, Reference("counted field")]
RootField = Annotated[str, Reference("root field")]
SomeRootField = Annotated[str, Reference("root field of some profile")]
# The same with `[]`, `[{CEL}]` or a companion before it.
MarkedPath = Annotated[str, Reference("marked path")]
# A root field, or the path of a key as written, perhaps in a document's front matter.
PresentKey = Annotated[str, Reference("present key")]
# A root field, or a whole line.
RunEdge = Annotated[str, Reference("run edge")]
FieldTitle = Annotated[str, Reference("title")]
# A value of the same field, a word of the same value's `instead_of`, a value of the field with the transitions.
OwnValue = Annotated[str, Reference("own value")]
OwnWord = Annotated[str, Reference("own word")]
StatusValue = Annotated[str, Reference("status value")]
CheckRule = Annotated[str, Reference("check's rule")]
RuleCode = Annotated[str, Reference("rule")]
DefinitionName = Annotated[str, Reference("definition")]
ProfileName = Annotated[str, Reference("profile")]
ContractName = Annotated[str, Reference("contract")]
# The path of anything that has a value in conditions: a field, a term, a setting, a field of a companion.
ValuePath = Annotated[str, Reference("value path")]
Scalar = str | bool | int | float | None
# A value of the field that is compared with it, or several.
ComparedValue = Annotated[Scalar | list[Annotated[Scalar, Reference("compared value")]], Reference("compared value")]
# The path of a field, or of a key as written, in a part of a document or a file.
ContentKey = Annotated[str, Reference("content key")]

Severity = Literal["error", "warning", "information", "hint", "off"]
Mode = Literal["handoff", "template", "example"]
Form = Literal["document", "section", "run", "fence", "file"]
# The forms of a handoff that is a part of a document.
PARTS: frozenset[Form] = frozenset({"section", "run", "fence"})
Carrier = Literal[
    "title",
    "section",
    "heading-inline",
    "plain-label",
    "bold-label",
    "list-label",
    "quote-label",
    "yaml",
    "json",
    "log",
    "table",
    "subheading",
    "front-matter",
    "bold-list-label",
    "body",
]
LABEL_CARRIERS: frozenset[Carrier] = frozenset(
    {"plain-label", "bold-label", "list-label", "quote-label", "bold-list-label"}
)
Tolerance = Literal[
    "markup", "lead", "detail", "sentence", "quotes", "case", "blanks", "trailing-punctuation", "restated"
]
# What an original validator reports of a field or of the root, and of a fence.
Defect = Literal["missing", "value", "type", "unknown", "misplaced", "duplicate", "malformed", "elsewhere"]
FenceDefect = Literal["unreadable", "unclosed"]
RouteAction = Literal["advance", "continue", "retry", "ask", "stop"]
# Actions with which the pipeline continues as if nothing were wrong.
GOES_ON: frozenset[RouteAction] = frozenset({"advance", "continue"})


@_part
class Relation:
    """What must hold of a value; of several keys, each. A check has one of them, about the value at `at`."""

    __pydantic_config__ = STRICT

    one_of: ComparedValue = None
    """The value that it must have, or a list of those of which it must have one."""
    none_of: ComparedValue = None
    """The value that it must not have, or a list of them."""
    matches: Pattern = ""
    """A pattern that is found in its text."""
    lacks: Pattern = ""
    """A pattern that is not found in its text."""
    same_as: ValuePath = ""
    """The path of the value to which it must be equal."""
    count_of: ValuePath = ""
    """The path of the list whose items it must count."""
    sum_of: list[ValuePath] = field(default_factory=list)
    """The paths of the numbers of which it must be the sum."""
    at_least: float | ValuePath | None = None
    """The smallest number that it may be, or the path of that number."""
    at_most: float | ValuePath | None = None
    """The largest number that it may be, or the path of that number."""


if TYPE_CHECKING:
    # Once a contract is built, a condition is always a text: data becomes `stated.Stated`.
    Condition = Annotated[str, Reference("condition")]
    Term = Annotated[str, Reference("expression")]
    Correction = Annotated[str, Reference("expression")]
else:
    Tests = dict[ValuePath, Annotated[ComparedValue | Relation, Reference("compared value")]]
    Condition = Annotated[str | Tests, Reference("condition")]
    Term = Annotated[str | Tests, Reference("expression")]
    Correction = Annotated[bool | str, Reference("expression")]


@_part
class Value:
    """One value of an enum, or one mark of a row. A text in its place is its `value`."""

    __pydantic_config__ = STRICT

    value: str
    """The value, spelled as the reader of the handoff wants it. A name in braces is an argument: of \
`superseded by {adr}` the field `adr`, which the enum may have among its `fields`; else it is any text of a line. \
Conditions see the value as it is written here, and the argument as `status.adr`."""
    about: str = ""
    """What it means."""
    then: str = ""
    """What the orchestrator does on it."""
    instead_of: list[str] = field(default_factory=list)
    """What people write when they mean this value: not accepted, but offered as its correction."""
    because: dict[OwnWord, str] = field(default_factory=dict)
    """For one of `instead_of`: why it is wrong, where that deserves a sentence of its own."""
    deprecated: str = ""
    """Why not to use it any more and what to write instead; empty for a current value."""
    replaced_by: OwnValue = ""
    """The value that took its place, where the two mean the same."""


@_part
class Unwanted:
    """Content that does not belong in a field of JSON, at any depth of its value."""

    __pydantic_config__ = STRICT

    about: str
    """Its name in messages: `an IP address`."""
    key: Pattern = ""
    """A pattern found in a key; left out: any key. The items of a list are looked at under the key of the list."""
    value: Pattern = ""
    """A pattern found in that key's text or number; left out: any value."""
    because: str = ""
    """Why."""


@_part
class Field:
    """One field: how it is written, what it holds, when it is required."""

    __pydantic_config__ = STRICT

    title: str = ""
    """The heading, label or key as it is written; the field's name where it is left out."""
    aliases: list[str] = field(default_factory=list)
    """Other spellings of the title that readers accept, other languages among them."""
    also: list[str] = field(default_factory=list)
    """Titles of sections and labels that hold an enum's value, too, where none of its own does: they mean this field \
only if one of its values is behind them."""
    instead_of: list[str] = field(default_factory=list)
    """Names that are wrong here but mean this field, such as another profile's: offered as a rename."""
    about: str = ""
    """What the field is."""
    read_by: str = ""
    """Who reads it and what for."""
    type: FieldType = "any"
    """What it holds. `line`: one line of text; `text`: a section of prose; `rows`: a list whose items carry marks; \
`checklist`: a list with boxes, `table`: a table, each row an object by the table's headings; `map`: names of any kind \
with values as `items` has them, written as keys or as a list of `name: value`; `timestamp`: ISO 8601 in UTC with `Z`; \
`pattern`: a line that matches `pattern`, whose named groups become children."""
    carriers: list[Carrier] = field(default_factory=list)
    """How it may be written; the first is how it is inserted. Left out: as its parent's kind has it. \
`title`: it is the heading of the whole handoff; `front-matter`: it is a key of the YAML between `---` lines with \
which the document begins, and the fields below it are keys, too; `table`, `subheading`: beside `section`, one value \
may also be in the row of a table with its name, or in the first heading of the section; `bold-list-label`: \
`- **Label**: value`; `body`: it has no name, but is the lists, the table or the text right in the section of its \
parent."""
    each: Pattern = ""
    """Of a `list` in Markdown: a pattern (RE2) found in the headings of sections of which each is an item, such as \
`^Phase (?P<n>\\d+): (?P<title>.+)`. They are in the handoff, or in the section of the object or item that the list is \
a field of, all on one level. `items` has the `fields` in such a section, which are sections, labels or its `body`; \
named groups and `index`, from 0, are values of the item, too. An inserted one has the `title` of `items` as its \
heading, with groups between braces; left out: it is made from the pattern."""
    values: list[Value] = field(default_factory=list)
    """The values of an enum, or the marks of rows."""
    offers: list[OwnValue] = field(default_factory=list)
    """Which of the values messages, quick fixes and completion name; left out: all. The others are taken, too: \
words of other variants and of older readers. A profile's part of the values is said here, and conditions ask for it \
as `offered.NAME`."""
    judgement: bool = False
    """Whether the value is a judgment that only its author can give: no quick fix chooses one."""
    open: bool | Literal["words"] = False
    """Whether an enum may hold other values, too: completion offers its own, and a misspelled one is a finding. \
`words`: only such as have several words."""
    marked: bool = False
    """Whether each item of `rows` must carry a mark."""
    mentions: list[str] = field(default_factory=list)
    """What the section must name, such as `SPEC.md`, and say something of."""
    paths: bool = False
    """Whether it names files of the workspace, which should be there."""
    verbatim: bool = False
    """Whether it quotes other texts, so that nothing in it counts as a placeholder."""
    unwanted: list[Unwanted] = field(default_factory=list)
    """What does not belong in it."""
    names: DefinitionName = ""
    """The kind of name that it holds: a key of `definitions`, such as `agents`."""
    naming: list[NamePattern] = field(default_factory=list)
    """Patterns of the names in the value, each with a group `name`. The first that is found counts, \
wherever it is found. Left out: the value is the name."""
    introduces: bool = False
    """Whether it gives a new thing its name, as the file that assigns a task does; in the documents that the kind of \
name has in `inside` this defines the name."""
    acyclic: bool = False
    """Of a field with `names`: whether the thing that is introduced beside it comes after those that it names. No way \
may then lead from one of them back to it."""
    tag: str = ""
    """In a log, the tag of the entries that a root field is about: a list holds the text of each, an object the last \
one with its `index`, `time`, `tag` and `text`, another field the text of the last one."""
    deprecated: str = ""
    """Why not to use the field any more and what to write instead; empty for a current field."""
    replaced_by: FieldTitle = ""
    """The title of the field that took its place, where the content stays the same."""
    tolerate: list[Tolerance] = field(default_factory=list)
    """Differences that do not count when a value is compared. `detail`: text behind a dash, a colon, a comma or in \
brackets; `sentence`: text behind a full stop or the end of emphasis, or in a comment; `lead`: text before the value, \
set off by dashes, colons or brackets and without another value; `restated`: an enum that is written several times \
in a Markdown handoff, as long as all of them say the same."""
    pattern: Pattern = ""
    """An RE2 pattern that the whole value must match. Named groups become children: digits as integers. An `integer` \
may have one, too."""
    pattern_about: str = ""
    """The pattern in words, for messages."""
    refused: Pattern = ""
    """An RE2 pattern of what the reader does not take: a text in which it is found is wrong. `pattern_about` says \
what is wanted."""
    minimum: float | None = None
    """The smallest number that it may be; of a list the fewest items, of a text the fewest characters."""
    maximum: float | None = None
    """The largest number that it may be; of a list the most items, of a text the most characters."""
    unique: bool = False
    """Whether no item may be there twice."""
    required: bool | Condition = False
    """Whether it must be there: yes, no, or a condition."""
    because: str = ""
    """Why it is required when it is, and what happens without it: a sentence for people."""
    forbidden: Condition = ""
    """A condition under which it must be absent or empty."""
    forbidden_because: str = ""
    """Why."""
    absent_when: list[Any] = field(default_factory=lambda: [None])
    """JSON values that count as not being there. `" "`: any text of blanks alone, or of nothing."""
    filled: bool | Condition = False
    """Whether an empty section counts as missing: yes, no, or a condition."""
    fields: dict[str, Field] = field(default_factory=dict)
    """The fields inside an object, in the order in which they are written. Of an enum: the arguments of its values."""
    defaults: dict[Literal["every"] | FieldType, Field] = field(default_factory=dict)
    """What these have where they say nothing else: as the contract's `defaults`."""
    items: Field | None = None
    """What the items of a list are. In Markdown, a `pattern` takes the text of each apart, and lists among the \
`fields` are those nested below it: `tasks[].subtasks[]`. Such an item is an object with its `text`, the groups and \
the lists."""
    closed: bool = False
    """Whether children that the contract does not know are findings."""
    first: bool = False
    """Whether the section must be the first of the handoff."""
    anywhere: bool = False
    """Whether its label may be anywhere in the document, not just before the first section."""
    in_template: bool | None = None
    """Whether a template must declare it; left out: where it is required without condition."""
    fillable: str = ""
    """Its content in an inserted skeleton: a text or, in JSON, a JSON value; left out: made from the type."""
    example: str = ""
    """A value that is right, for skeletons and tests, where one cannot be made from the type."""
    severity: dict[RuleCode, Severity] = field(default_factory=dict)
    """Severities of rules for this field, by rule."""
    upstream: dict[Defect, list[str]] = field(default_factory=dict)
    """The tokens that the original system's validator reports, by the defect; `{value}` is what was found. `missing`: \
the field is absent, its children's tokens included where upstream reports them too; `value`: a value outside the enum \
or pattern; `type`: a value of another type; `unknown`: a child that the contract does not know; `misplaced`: a child \
that belongs somewhere else; `duplicate`: a child that is there twice (left out: upstream takes one of them); \
`malformed`: a line among the children that is no `key: value` (left out: upstream passes over it)."""

    @property
    def kind(self) -> FieldKind:
        """What its type is for each room."""
        return KINDS[self.type]

    @property
    def has_groups(self) -> bool:
        """Whether its pattern has named groups."""
        return "(?P<" in self.pattern

    @property
    def restated(self) -> bool:
        """Whether an enum may be written several times."""
        return "restated" in self.tolerate

    @property
    def holds_entries(self) -> bool:
        """Whether, at the root of a log, it is the list of all entries."""
        return self.kind.holds == "plain items" and not self.tag

    @property
    def holds_last_text(self) -> bool:
        """Whether, at the root of a log, it holds the text of the last entry with its tag."""
        return bool(self.tag) and self.kind.holds not in {"plain items", "fields"}

    @property
    def offered(self) -> list[Value]:
        """The values that messages and completion name, in the order of `offers`."""
        known = {value.value: value for value in self.values} if self.offers else {}
        return [known[name] for name in dict.fromkeys(self.offers) if name in known] if self.offers else self.values


@_part
class Check(Relation):
    """Something that must hold between fields: a condition, or a relation of the value at `at`."""

    __pydantic_config__ = STRICT

    rule: CheckRule = ""
    """The rule that reports it: `count-mismatch`, `contradiction`, `time-order`, … Left out: `count-mismatch` for \
`count_of` and `sum_of`, else `contradiction`."""
    check: Condition = ""
    """The condition that must hold, where it is no relation of the value at `at`."""
    when: Condition = ""
    """The condition under which it is looked at; left out: always."""
    at: MarkedPath
    """The path of the field that is marked when it does not hold. With `[]` after a list's name it is asked for each \
item, whose value is `this` and the one before it `previous`: `update_contracts[].contract`. The item itself is then \
`holder`; a `when` with one of these names is asked for each item, too. `entries[{CEL}]` is the item of that number."""
    message: Message = ""
    """The problem, the value found and the value expected; left out: as the relation says it."""
    because: str = ""
    """What the orchestrator will do because of it."""
    related: list[MarkedPath] = field(default_factory=list)
    """Paths of the other fields that have a part in it; `log:entries[{CEL}]` points into the companion `log`. Left \
out: those of the relation."""
    correct: Correction = ""
    """A CEL expression for the value that `at` should have, where there is one right answer. `true`: the value that \
the relation asks for, which is so for `same_as`, `count_of` and `sum_of` unless it is `false`."""
    severity: Severity = "error"
    """How bad it is."""
    upstream: list[Message] = field(default_factory=list)
    """Upstream's tokens for it, with `{...}` as in a message."""


@_part
class Route:
    """What the orchestrator does when a condition holds; the first that holds decides."""

    __pydantic_config__ = STRICT

    when: Condition = "true"
    """The condition."""
    action: RouteAction
    """The action of the pipeline."""
    reason: str
    """In words."""
    brief: Message = ""
    """The reason in a few words, as a message that tells what the handoff says now, such as how many questions are \
open; left out, or where something in it has no value: the beginning of the reason."""
    reads: list[SomeField] = field(default_factory=list)
    """The fields and sections it reads beyond those it always reads."""


@_part
class Overview:
    """The columns of a handoff in the list of all handoffs, besides its status and its routing.

    Of several ways to know something, the first that gives a value counts.
    """

    __pydantic_config__ = STRICT

    agent: list[Expression] = field(default_factory=list)
    """CEL expressions for the name of the agent that wrote it: a field, or where only one agent writes such handoffs \
its name in quotes. An empty text is none."""
    agent_in_title: list[NamePattern] = field(default_factory=list)
    """Patterns of how the heading of the handoff names the agent; the group `name` is it. They are asked first."""
    open_questions: list[CountedField] = field(default_factory=list)
    """The paths of the fields with the number of open questions: lists, whose items count, before a number that \
somebody has counted."""
    changed: list[Expression] = field(default_factory=list)
    """CEL expressions for the time of its last change (ISO 8601 in UTC); left out: the time of the file."""


@_part
class Transitions:
    """Which value of a status may follow which, for one agent's handoffs in their order."""

    __pydantic_config__ = STRICT

    of: FieldPath
    """The path of the status."""
    by: FieldPath
    """The path of the field that names the agent."""
    allowed: dict[StatusValue, list[StatusValue]]
    """For each value, the values that may come next."""
    repeat: dict[StatusValue, int] = field(default_factory=dict)
    """For a value, how often it may come in a row."""
    because: str = ""
    """Who holds this and what happens otherwise."""
    across_files: bool = False
    """Whether the handoffs in the other files of the folder come before those in this one, in the files' order."""


@_part
class Sign:
    """One sign of what a document, or a part of it, is. If it names several things, all of them must be so."""

    __pydantic_config__ = STRICT

    weight: int = 1
    """What it counts; below zero for a sign that it is something else."""
    path: Pattern = ""
    """A pattern found in the document's path, with `/` as separator. In `detect` a path never decides alone."""
    title: Pattern = ""
    """A pattern found in the title: of a document its first heading of level 1, of a section its own heading; in \
`signs` the heading above the part."""
    above: Pattern = ""
    """Of `quotations`: a pattern found in a heading above it: one that it is below, or an earlier one of the same \
level."""
    text: Pattern = ""
    """A pattern found in the text: that of the document, in `signs` that of the part."""
    has: PresentKey = ""
    """What is there: the name of a root field (its section, label or key), or the path of a key as written, such as \
`review.state`, in front matter, JSON or YAML."""
    children: int = 0
    """How many of the fields inside the field of `has` must be written in its section, too."""
    value: dict[PresentKey, Pattern] = field(default_factory=dict)
    """What keys or root fields say, by their names as in `has`: patterns that their values match as a whole. An empty \
pattern: one of the field's own values, or what people write instead of one."""
    form: Form | None = None
    """Of `evidence`: in which form the handoff was found."""
    unless_last: bool = False
    """Of `examples`: whether it says nothing of a block that is filled in and that the document ends with: such a \
block is the document's own."""

    @property
    def of_path(self) -> bool:
        """Whether it is a sign of the path alone."""
        return bool(self.path) and not (self.title or self.text or self.has or self.value)


@_part
class Detect:
    """How a whole document in Markdown is recognized."""

    __pydantic_config__ = STRICT

    enough: int = 4
    """The sum of weights from which on it is this contract."""
    content: int = 2
    """How much of the sum must come from the text and not from the path."""
    signs: list[Sign] = field(default_factory=list)
    """The signs, each with its weight."""


@_part
class Prose:
    """What another document must say for handoffs to come out right: an agent's definition, an orchestrator's command.

    Such a document is no handoff. It is recognized as `detect` says, by its path, title, text and front matter.
    """

    __pydantic_config__ = STRICT

    about: str
    """What the document is, for messages: `the agent's definition`."""
    detect: Detect
    """How it is recognized."""
    section: Pattern = ""
    """A pattern of the headings of the sections that are looked at; left out: the whole document. A document without \
such a section is passed over."""
    mentions: list[str] = field(default_factory=list)
    """What must be named there, in any case."""
    because: str = ""
    """What happens without it."""
    severity: Severity = "warning"
    """How bad it is."""


@_part
class Content:
    """One way to recognize a section, a run, a fence or a file by what is in it. All that it names must be so.

    A text in its place is the one name of its `some`.

    What is in it are root fields, by their names, in a section or a run, and keys, as written, in a fence or a file.
    """

    __pydantic_config__ = STRICT

    needs: list[ContentKey] = field(default_factory=list)
    """What must be in it, all of it."""
    some: list[ContentKey] = field(default_factory=list)
    """What it must have some of. `summary.scope` is a label in a section `summary`, or a key below a key."""
    enough: int = 1
    """How many of `some`."""
    telling: list[ContentKey] = field(default_factory=list)
    """What it must have one of: that which others, with the same names, do not have."""
    value: dict[ContentKey, Pattern] = field(default_factory=dict)
    """What it must say: patterns that values match as a whole. An empty pattern: one of the field's own values, or \
what people write instead of one."""


@_part
class SectionForm:
    """How a section of a document is recognized as a handoff of its own."""

    __pydantic_config__ = STRICT

    title: Pattern
    """A pattern found in its heading."""
    holds: list[Content] = field(default_factory=list)
    """What is in it: sections right below it. Of several ways one is enough; left out: its heading is enough."""
    labels: bool = False
    """Whether a label in it will do as well as a section."""


@_part
class RunForm:
    """How a run of `key: value` lines is recognized as a handoff of its own."""

    __pydantic_config__ = STRICT

    within: list[Literal["text", "fence"]] = field(default_factory=lambda: ["text", "fence"])
    """Where it may be: in running text, in a fence without a tag or with a plain one."""
    opening: RunEdge = ""
    """How it begins: with the key of a root field, by its name; below a whole line, such as `---HANDOFF---`; or in a \
comment, such as `<!-- handoff`. Left out: any run with what `holds` says."""
    closing: RunEdge = ""
    """How it ends: with the value of a root field, by its name; or above a whole line, such as `---END---`. Left out: \
before the first blank line."""
    holds: list[Content] = field(default_factory=list)
    """What is in it: labels. Of several ways one is enough."""

    @property
    def opening_field(self) -> str:
        """The root field whose key begins it."""
        return self.opening if is_name(self.opening) else ""

    @property
    def closing_field(self) -> str:
        """The root field whose value ends it."""
        return self.closing if is_name(self.closing) else ""

    @property
    def comment(self) -> str:
        """The word with which a comment begins that holds it."""
        return self.opening.removeprefix(COMMENT).strip() if self.opening.startswith(COMMENT) else ""

    @property
    def first_line(self) -> str:
        """The whole line right before it."""
        return "" if self.opening_field or self.comment else self.opening

    @property
    def last_line(self) -> str:
        """The whole line that ends it."""
        return "" if self.closing_field else self.closing

    @property
    def marked(self) -> bool:
        """Whether a line, an opening key or a comment marks its beginning; else it is found by its labels alone."""
        return bool(self.opening)


# The beginning of a comment.
COMMENT: Final = "<!--"


def is_name(text: str) -> bool:
    """Whether the beginning or the end of a run is a field's name, and not a whole line or a comment."""
    return text.isidentifier()


# The tags of fences that may hold a run.
RUN_TAGS: Final = frozenset({"", "text", "txt", "yaml", "yml"})


@_part
class FileForm:
    """How a whole file that is not Markdown is recognized."""

    __pydantic_config__ = STRICT

    syntax: Literal["json", "jsonl", "yaml", "log"]
    """Its syntax. `jsonl`: a JSON object on each line, and each is a handoff of its own. `log`: an entry on each line \
in the shape `2026-02-08T10:00:00Z [TAG] text`, or in that of `entry`."""
    path: Pattern
    """A pattern found in its path."""
    entry: Pattern = ""
    """Of a log: a pattern that an entry's line matches as a whole. Its named groups are parts of the entry; known are \
`time`, `tag` (what `tag` of fields is compared with) and `text` (left out: the whole line)."""
    continues: Pattern = ""
    """Of `entry`: a pattern found in lines that belong to the entry above them; left out: lines that are indented."""
    example: str = ""
    """Of `entry`: a right one, for messages and new logs."""
    holds: list[Content] = field(default_factory=list)
    """What is in it: keys. Of several ways one is enough; left out: its path is enough."""

    @property
    def holds_json(self) -> bool:
        """Whether its content is JSON."""
        return self.syntax in {"json", "jsonl"}


TagRole = Literal["own", "old", "shared", "wrong"]
Reading = Literal["by-line", "bare", "any-case", "at-start", "last", "with-info", "backticks", "cut", "unindented"]


@_part
class Fence:
    """How a fence is recognized, and what its reader insists on."""

    __pydantic_config__ = STRICT

    tags: dict[str, TagRole]
    """The tags, the first words of info strings, of its fences; the first is the one that is written. `own`: a fence \
with it is this contract whatever is in it; `shared`: others have this tag, too, so that its content must be as \
`holds` says. `old` and `wrong` are the same, but its reader passes over such a fence. `""`: no tag."""
    syntax: Literal["json", "yaml"] = "json"
    """Its syntax. `yaml`: `key: value` lines."""
    holds: list[Content] = field(default_factory=list)
    """What is in a fence with a `shared` or `wrong` tag: keys. Of several ways one is enough."""
    reader: list[Reading] = field(default_factory=list)
    """The ways of its reader. `by-line`: it goes line by line and knows neither Markdown nor YAML: a fence begins and \
ends at a line of three backticks, indented or not, and in one of `key: value` lines names count letter by letter, \
quotes and `#` are part of the value, and nothing is below a key; `bare`: it takes no blank behind the tag and no \
indentation before the closing line; `any-case`: it takes the names in JSON in any case; `at-start`: it takes a fence \
only where the document begins with it, and sees no second one; `last`: it takes the last of several, those before it \
are history; `with-info`: it takes more than the tag behind the marker; `backticks`: it takes no marker but three \
backticks; `cut`: it ends the block at the next three backticks, wherever they are; `unindented`: it takes no fence \
that does not start its line."""
    pattern: Pattern = ""
    """An RE2 pattern by which the reader finds the block in the text of the document, which it does not read as \
Markdown; the group `body` is the JSON. A block that it finds is one whatever Markdown makes of it, and nothing about \
its fence is wrong. With a `shared` tag in the place of the first one it finds those fences, too."""
    at_end: bool | Condition = False
    """Whether, or on which condition, the reader takes it only where nothing but other fences follows it and the \
handoffs right behind it."""
    once: list[RootField] = field(default_factory=list)
    """Root fields that name what a handoff is about: of two handoffs that name the same the reader takes neither."""
    home: Pattern = ""
    """A pattern of the paths of the documents in which the reader looks; elsewhere a handoff is a quotation, unless \
the document begins with it and has to. Left out: all."""
    because: str = ""
    """What the reader does with a fence that it does not take."""
    upstream: dict[FenceDefect, list[str]] = field(default_factory=dict)
    """Upstream's tokens, by the defect. `unreadable`: a block that cannot be read; `unclosed`: a fence that is not \
closed (left out: those of `unreadable`)."""
    root: str = ""
    """The name findings give to the block as a whole."""

    @property
    def holds_json(self) -> bool:
        """Whether its content is JSON."""
        return self.syntax == "json"

    @property
    def tag(self) -> str:
        """The tag that is written."""
        return next(iter(self.tags), "")

    @property
    def tag_decides(self) -> bool:
        """Whether a fence with the tag that is written is this contract whatever is in it."""
        return self.tags.get(self.tag) == "own"

    @property
    def by_line(self) -> bool:
        """Whether its reader goes line by line."""
        return "by-line" in self.reader


@_part
class Setting:
    """Something that is decided outside the document and that conditions may ask for as `settings.NAME`."""

    __pydantic_config__ = STRICT

    about: str
    """What it decides, and who decides it in the original system."""
    default: bool | str | list[str]
    """Its value where the config says nothing: `true` or `false`, a text, or a list of texts, such as `[]`. The \
config may give it another one of this kind."""

    @property
    def type(self) -> Literal["boolean", "strings", "string"]:
        """What it holds."""
        return (
            "boolean" if isinstance(self.default, bool) else "strings" if isinstance(self.default, list) else "string"
        )


@_part
class Companion:
    """Another document that is judged together with this one."""

    __pydantic_config__ = STRICT

    contract: ContractName
    """What it is."""
    where: str
    """Where it is: a path from this document's folder; or, in this document, `behind`, right behind this handoff with \
nothing between them; `before`, the handoff right before this one; or `above`, the first one of its contract further \
up, and a handoff without a status of its own then only explains that one. Without one, conditions see an empty \
object."""

    @property
    def path(self) -> str:
        """The path of another document; empty for a handoff of this one."""
        return "" if self.where in {"behind", "before", "above"} else self.where


@_part
class Count:
    """How often something is in other files of the workspace; without such a file it has no value."""

    __pydantic_config__ = STRICT

    files: list[str]
    """Globs from this document's folder. The first that matches any file counts, with all the files it matches."""
    pattern: Pattern
    """What is counted: an RE2 pattern."""


@_part
class Definition:
    """Names of a kind, such as those of agents. What all contracts say of one kind counts for all documents."""

    __pydantic_config__ = STRICT

    files: list[str] = field(default_factory=list)
    """Globs of the files that define names of this kind, one each, from the root of the workspace. A file's name \
without its suffix is the name; where a glob ends with a file's whole name, as `changes/*/proposal.md` does, its \
folder's name is."""
    naming: list[NamePattern] = field(default_factory=list)
    """Patterns of the name in that name, each with a group `name`, such as `^(?P<name>\\d{4})-`: the first that is \
found counts, and without any the file defines nothing. Left out: the whole of it."""
    inside: list[str] = field(default_factory=list)
    """Globs of the documents in which fields define such names (`introduces`), from the root of the workspace."""
    unique: bool = True
    """Whether a name that fields define twice, in one document of `inside` or in two, is a finding."""
    checked: bool = True
    """Whether a name that no file defines is a finding, where others are defined."""
    also: list[str] = field(default_factory=list)
    """Names that there are without a file."""
    parts: bool = False
    """Whether a part of a defined name will do, as `reviewer` does for `backend-reviewer-agent`."""
    about: str = ""
    """What they are, for messages: `agent`; left out: the kind without its last letter."""
    values: list[Value] = field(default_factory=list)
    """Names of the original system with their meanings: a root enum that `names` this kind has them behind its own \
values. They need not be defined here."""
    words: list[str] = field(default_factory=list)
    """Words in the place of a name that are no names, such as `done`."""
    suffixes: list[str] = field(default_factory=list)
    """Endings that make no other name, such as `-agent`."""
    same: dict[str, list[str]] = field(default_factory=dict)
    """Other spellings of names."""
    written: list[NamePattern] = field(default_factory=list)
    """Patterns of names of this kind elsewhere in a handoff, such as in its title; the group `name` is the name."""
    occurs: list[NamePattern] = field(default_factory=list)
    """Patterns of what is such a name anywhere in a handoff if a field somewhere names it; the group `name` is one."""
    in_paths: list[NamePattern] = field(default_factory=list)
    """Patterns of how a name is part of paths, wherever in the workspace these are written; the group `name` is one."""
    not_in_paths: list[str] = field(default_factory=list)
    """Matches of `in_paths` that are no names, such as a folder `archive`."""
    pattern: Pattern = ""
    """An RE2 pattern that a whole name must match to be given to something; left out: any line of text."""
    pattern_about: str = ""
    """The pattern in words, for messages."""


@_part
class Profile:
    """A version or variant of a contract: what it is, its signs, and its changes.

    Its other keys are changes to the contract's: `CHANGEABLE`. They are merged into it as a JSON merge patch
    (RFC 7396): objects are merged by key, null removes, everything else replaces, and `+KEY` adds to the list KEY, in
    front of the routes in `routing`, of which the first counts. A condition is replaced as a whole.
    """

    # `validate` looks at the changes: they have the shape of a patch.
    __pydantic_config__: ClassVar[Any] = {"extra": "ignore"}

    about: str = ""
    """What it is and where it is used; left out where `profile_in` finds it: what its value there is."""
    evidence: list[Sign] = field(default_factory=list)
    """The signs of this profile: `path`, `title`, `has`, `value` and `form`. The profile with the greatest sum of \
weights wins, the first on a draw; left out: it is chosen by the field of `profile_in`, by the config or as the \
default."""


@_part
class Contract:
    """One format."""

    __pydantic_config__ = STRICT

    contract: str
    """Its name, unique among all contracts."""
    extends: ContractName = ""
    """The contract that this one changes; its other keys are then changes, merged as those of a profile are, where \
`+KEY` adds to the list KEY: `+values: [{value: waived}]`. With the name of a built-in contract as its own, too, it \
takes that one's place."""
    language: int = LANGUAGE
    """The version of the contract language; left out: the current one, 2. `handoff-lsp contract migrate` rewrites a \
contract of an earlier one."""
    title: str
    """What people call it."""
    about: str
    """What it is, who writes it and who reads it."""
    source: str = ""
    """Where the format is defined."""
    status: FieldPath = ""
    """The path of the field that the orchestrator decides on; left out: it has none, and nothing is decided."""
    unread: str = ""
    """What happens to a handoff without a readable status, such as `treated as failed`."""
    heading: str = ""
    """The heading of a new handoff, by which it is recognized, with what is to be filled in between braces: \
`{feature name} — Handoff from {agent role}`; left out: the title above. Number signs before it are its level, as in \
`### HANDOFF`, and sections are one below it; left out: 1 for a document, 2 for a section."""
    default_profile: ProfileName = ""
    """The profile where neither the block nor the config says which; left out: the first one."""
    profiles: dict[str, Profile] = field(default_factory=dict)
    """The versions and variants; left out: one, `default`, without changes."""
    profile_in: SomeRootField = ""
    """The root field whose value is the name of the profile, such as that of an agent. It counts for the profiles \
without `evidence`, and in each of them the field has that value alone."""
    detect: Detect | None = None
    """How a whole Markdown document is recognized, if the format has such handoffs."""
    section: SectionForm | None = None
    """How a section is recognized, if the format has such handoffs."""
    run: RunForm | None = None
    """How a run of `key: value` lines is recognized, if the format has such handoffs."""
    fence: Fence | None = None
    """How a fence is recognized, if the format has such handoffs."""
    file: FileForm | None = None
    """How a whole file that is not Markdown is recognized, if the format has such handoffs."""
    signs: list[Sign] = field(default_factory=list)
    """Signs of which a section, a run or a fence known by its keys needs one; without one it is of another format: \
`path`, `title`, `text`, and of the front matter `has` and `value`. Left out: its fields are enough."""
    quotations: list[Sign] = field(default_factory=list)
    """Signs that a part of a document is only a quotation, on which nobody acts: an older report below the one that \
replaced it. `above`, perhaps with `title`; one is enough."""
    examples: list[Sign] = field(default_factory=list)
    """Signs that the document is about the format or that nobody acts on it any more, so that a block in it is an \
example; one is enough unless another one weighs less than zero."""
    templates: list[Sign] = field(default_factory=list)
    """Signs that a block in the document whose status is not filled in is a template; one is enough unless another \
one weighs less than zero. A whole document to be filled in is checked inside a Markdown fence, too."""
    unfilled: list[SomeRootField] = field(default_factory=list)
    """Root fields that are filled in before all others: while each of them is a placeholder, a block is a template."""
    empty_words: list[str] = field(default_factory=list)
    """Words for an empty value, such as `none`."""
    prose: dict[str, Prose] = field(default_factory=dict)
    """What other documents must say for handoffs to come out right, by name."""
    settings: dict[str, Setting] = field(default_factory=dict)
    """What the config decides."""
    defaults: dict[Literal["every"] | FieldType, Field] = field(default_factory=dict)
    """What the root fields of a type, or `every` one, have where they and their profile say nothing else: a key that \
a field has itself counts alone. In the texts, `{name}` is the field's name, `{NAME}` the same in capitals, `{Name}` \
its words, the first with a capital."""
    fields: dict[str, Field]
    """The root fields, in order."""
    closed: bool = False
    """Whether root fields that the contract does not know are findings."""
    upstream: dict[Defect, list[str]] = field(default_factory=dict)
    """Upstream's tokens for the root, by the defect as in a field. `elsewhere`: a document is at another of the \
contract's `locations`, too; `{name}` is its file's name without the suffix."""
    ordered: bool = False
    """Whether sections must have the order of the fields."""
    terms: dict[str, Term] = field(default_factory=dict)
    """Names for CEL expressions and for conditions, to be used in conditions and messages; a term may use those above \
it."""
    companions: dict[str, Companion] = field(default_factory=dict)
    """Other documents whose values conditions may ask for, by the name they have there."""
    counts: dict[str, Count] = field(default_factory=dict)
    """Numbers that conditions may ask for, by the names they have there."""
    locations: list[str] = field(default_factory=list)
    """Where a document of this contract may be, from the root of the workspace. Of several with the same file name \
the first is read."""
    usual: list[str] = field(default_factory=list)
    """Globs of where else its documents usually are: an editor starts the server in a folder that has one. They \
recognize nothing."""
    definitions: dict[str, Definition] = field(default_factory=dict)
    """Names that the workspace defines, for `names` of fields."""
    checks: dict[str, Check] = field(default_factory=dict)
    """What must hold between fields, by name."""
    transitions: Transitions | None = None
    """Which status may follow which."""
    reads: list[SomeField] = field(default_factory=list)
    """The fields that the orchestrator always reads."""
    routing: list[Route] = field(default_factory=list)
    """What the orchestrator does."""
    groups: dict[str, list[RootField]] = field(default_factory=dict)
    """Root fields that are inserted together, in order, by what the action that inserts them calls them."""
    overview: Overview = field(default_factory=Overview)
    """The columns of a handoff in the list of all handoffs."""

    def names_profile(self, profile: str) -> str:
        """The root field whose value is the name of a profile, as `profile_in` says; empty for another profile."""
        has_own = self.profiles[profile].evidence or profile == self.default_profile
        return "" if has_own else self.profile_in


# The keys of a contract that a profile may change: those that count once a handoff is found.
CHANGEABLE: Final = (
    "status",
    "unread",
    "heading",
    "fields",
    "closed",
    "ordered",
    "upstream",
    "terms",
    "checks",
    "transitions",
    "reads",
    "routing",
    "groups",
    "overview",
    "fence",
)
