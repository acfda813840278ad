"""The shape of a contract: everything handoff-lsp knows about one format, as data.

These dataclasses are the file format of ``schemas/contracts/*.yaml`` and of a user's own contracts, and the
data that the rest of the engine reads. They are plain so that a built-in contract loads in milliseconds; pydantic
validates files against them (``contracts/load.py``) and publishes them as ``schemas/contract.schema.json``, where the
text under each attribute is its description.

A *condition* is a CEL expression. Its names are the contract's root fields and:

- ``settings``, and the contract's own ``terms`` and ``counts``;
- each of its ``companions``: an object with the root fields of that document;
- ``offered``: an object with the list of offered values for each root enum;
- ``document``: ``name`` is the file name without folders, ``title`` the first heading of level 1, and ``head`` the
  quoted lines above the first heading of level 2.

A field that is absent or has a wrong value has no value: a condition that needs it does not apply, and nothing is
reported. An absent section reads as an empty text, list or object.

A *message* is a text with CEL expressions in ``{...}``, which are replaced by their values.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, TypeVar, dataclass_transform

from handoff_lsp.contracts.field_types import KINDS, FieldKind, FieldType
from handoff_lsp.contracts.per_field import ContractPart
from handoff_lsp.text.lazy_dataclass import lazy_dataclass

C = TypeVar("C")


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def _part(cls: type[C]) -> type[C]:
    """A dataclass that only mypy freezes: Python takes 10 ms to generate the methods that would freeze all of these."""
    return lazy_dataclass(slots=True, kw_only=True, repr=False, unsafe_hash=True)(cls)


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
# Where the reader of a return looks for a handoff, and which one it takes of several.
ReturnPlace = Literal["message", "file", "either", "both"]
ReturnTaken = Literal["any", "first", "last", "only"]
# Actions with which the pipeline continues as if nothing were wrong.
GOES_ON: frozenset[RouteAction] = frozenset({"advance", "continue"})


@_part
class Relation:
    """A relation that a value must satisfy.

    If it has several keys, all must hold. A check has one of them, for the value at `at`.
    """

    __pydantic_config__ = STRICT

    one_of: ComparedValue = None
    """The required value, or a list of allowed values."""
    none_of: ComparedValue = None
    """The forbidden value, or a list of forbidden values."""
    matches: Pattern = ""
    """A pattern that must occur in the value's text."""
    lacks: Pattern = ""
    """A pattern that must not occur in the value's text."""
    same_as: ValuePath = ""
    """The path of a value that must be equal."""
    count_of: ValuePath = ""
    """The path of a list; the value must be the number of its items. A Markdown list is not \
counted if it has several parts, subsections, or an item that may be more than one thing."""
    sum_of: list[ValuePath] = field(default_factory=list)
    """The paths of numbers; the value must be their sum."""
    at_least: float | ValuePath | None = None
    """The smallest allowed number, or its path."""
    at_most: float | ValuePath | None = None
    """The largest allowed number, or its path."""


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
class Value(ContractPart):
    """One value of an enum, or one mark of a row. A string is short for its `value`."""

    __pydantic_config__ = STRICT

    value: str
    """The value, spelled as the reader of the handoff expects it. A name in braces is an argument: in `superseded by \
{adr}` it is the field `adr` if the enum has one among its `fields`, and otherwise any text on the line. Conditions \
see the value as written here, and the argument as `status.adr`."""
    about: str = ""
    """The meaning of the value."""
    then: str = ""
    """The orchestrator's reaction to the value."""
    instead_of: list[str] = field(default_factory=list)
    """Words that people write for this value: they are not accepted, but this value is offered as their correction."""
    because: dict[OwnWord, str] = field(default_factory=dict)
    """For one of `instead_of`: why it is wrong, if that needs its own sentence."""
    deprecated: str = ""
    """The reason not to use the value any more, and its alternative; empty for a current value."""
    replaced_by: OwnValue = ""
    """The value that replaces it, if both mean the same."""


@_part
class Unwanted:
    """Content that does not belong in a field of JSON, at any depth of its value."""

    __pydantic_config__ = STRICT

    about: str
    """Its name in messages: `an IP address`."""
    key: Pattern = ""
    """A pattern for the key; left out: any key. Items of a list use the key of the list."""
    value: Pattern = ""
    """A pattern for the text or number of that key; left out: any value."""
    because: str = ""
    """The reason."""


@_part
class Field(ContractPart):
    """One field: its notation, its content, and when it is required."""

    __pydantic_config__ = STRICT

    title: str = ""
    """The heading, label or key as written; left out: the field's name."""
    aliases: list[str] = field(default_factory=list)
    """Other spellings of the title that readers accept, including those in other languages."""
    also: list[str] = field(default_factory=list)
    """Other titles of sections and labels that may contain an enum's value if no title of the field does. They refer \
to this field only if one of its values follows them."""
    instead_of: list[str] = field(default_factory=list)
    """Wrong names that refer to this field, such as another profile's; the fix renames them."""
    about: str = ""
    """The meaning of the field."""
    read_by: str = ""
    """The reader of the field, and its purpose."""
    type: FieldType = "any"
    """The type of its content. `line`: one line of text; `text`: a section of prose; `rows`: a list whose items have \
marks; `checklist`: a list with boxes; `table`: a table, each row an object with the table's headings as keys; `map`: \
arbitrary names with values as in `items`, written as keys or as a list of `name: value`; `timestamp`: ISO 8601 in UTC \
with `Z` or `+00:00`; `pattern`: a line that matches `pattern`, whose named groups become children."""
    carriers: list[Carrier] = field(default_factory=list)
    """The notations in which it may be written; the first one is used for insertion. Left out: the default of its \
parent. `title`: the heading of the whole handoff; `front-matter`: a key of the YAML between `---` lines at the \
beginning of the document, and the fields below it are keys as well; `table`, `subheading`: in addition to `section`, \
a single value may be in the table row with its name, or in the first heading of the section; `bold-list-label`: `- \
**Label**: value`; `body`: it has no name and is the lists, the table or the text directly in the section of its \
parent."""
    each: Pattern = ""
    """For a `list` in Markdown: a pattern (RE2) for headings of sections that are the items, such as `^Phase \
(?P<n>\\d+): (?P<title>.+)`. The sections are in the handoff, or in the section of the object or item that has the \
list as a field, all on one level. The `fields` of `items` describe such a section and are sections, labels or its \
`body`; named groups and `index`, from 0, are values of the item as well. An inserted section has the `title` of \
`items` as its heading, with groups in braces; left out: a heading made from the pattern."""
    values: list[Value] = field(default_factory=list)
    """The values of an enum, or the marks of rows."""
    offers: list[OwnValue] = field(default_factory=list)
    """The values that messages, quick fixes and completion name; left out: all. The other values are accepted as \
well: words of other variants and of older readers. A profile lists its values here, and conditions refer to them as \
`offered.NAME`."""
    judgement: bool = False
    """True if only the author can choose the value: no quick fix chooses one."""
    open: bool | Literal["words"] = False
    """True if an enum accepts other values as well: completion offers its own values, and a misspelled one is a \
finding. `words`: it accepts other values only if they have several words."""
    marked: bool = False
    """True if each item of `rows` must have a mark."""
    mentions: list[str] = field(default_factory=list)
    """Names that the section must mention, such as `SPEC.md`, with a statement about each."""
    paths: bool | Literal["written"] = False
    """True if it names files of the workspace, which should exist. `written`: the files that its author wrote, or \
their number; a hook fills them in."""
    verbatim: bool = False
    """True if it quotes other texts, so nothing in it counts as a placeholder."""
    unwanted: list[Unwanted] = field(default_factory=list)
    """Content that does not belong in it."""
    names: DefinitionName = ""
    """The kind of name that it contains: a key of `definitions`, such as `agents`."""
    naming: list[NamePattern] = field(default_factory=list)
    """Patterns of the names in the value, each with a group `name`. The first match counts, anywhere in the value. \
Left out: the whole value is the name."""
    introduces: bool = False
    """True if it gives a new thing its name, as the file that assigns a task does. In the documents that `inside` of \
the kind of name lists, this defines the name."""
    acyclic: bool = False
    """For a field with `names`: true if the thing introduced beside it depends on the named things. A cycle of such \
dependencies is a finding."""
    tag: str = ""
    """In a log, the tag of the entries for a root field: a list contains the text of each entry, an object the last \
entry with its `index`, `time`, `tag` and `text`, and any other field the text of the last entry."""
    deprecated: str = ""
    """The reason not to use the field any more, and its alternative; empty for a current field."""
    replaced_by: FieldTitle = ""
    """The title of the field that replaces it, if the content stays the same."""
    tolerate: list[Tolerance] = field(default_factory=list)
    """Differences that are ignored when a value is compared. `detail`: text after a dash, a colon or a comma, or in \
brackets; `sentence`: text after a period or the end of emphasis, or in a comment; `lead`: text before the value, \
separated by dashes, colons or brackets and without another value; `blanks`: blanks before and after the value, not \
those between its words; `restated`: an enum that a Markdown handoff repeats, if all places agree; a place in \
a later round, such as `Re-verification`, counts in place of the earlier ones."""
    pattern: Pattern = ""
    """An RE2 pattern that the whole value must match. Named groups become children: digits as integers. An `integer` \
may have one as well."""
    pattern_about: str = ""
    """The pattern in words, for messages."""
    refused: Pattern = ""
    """An RE2 pattern that the reader rejects: a text that contains a match is wrong. `pattern_about` describes the \
right form."""
    minimum: float | None = None
    """The smallest number allowed; for a list the fewest items, for a text the fewest characters."""
    maximum: float | None = None
    """The largest number allowed; for a list the most items, for a text the most characters."""
    unique: bool = False
    """True if items must not repeat."""
    required: bool | Condition = False
    """Whether the field is required: yes, no, or a condition."""
    because: str = ""
    """The reason for the requirement and the consequence of a missing field, as a sentence for people."""
    forbidden: Condition = ""
    """A condition under which the field must be absent or empty."""
    forbidden_because: str = ""
    """The reason."""
    absent_when: list[Any] = field(default_factory=lambda: [None])
    """JSON values that count as absent. `" "`: any text that is empty or only blanks."""
    filled: bool | Condition = False
    """Whether an empty section counts as missing: yes, no, or a condition."""
    fields: dict[str, Field] = field(default_factory=dict)
    """The fields inside an object, in their written order. For an enum: the arguments of its values."""
    defaults: dict[Literal["every"] | FieldType, Field] = field(default_factory=dict)
    """Defaults for these fields by type, as the contract's `defaults`."""
    items: Field | None = None
    """The items of a list. In Markdown, a `pattern` splits the text of each item, and lists among the `fields` are \
nested below it: `tasks[].subtasks[]`. Such an item is an object with its `text`, the groups and the lists."""
    closed: bool = False
    """True if unknown children are findings."""
    first: bool = False
    """True if the section must be the first of the handoff."""
    anywhere: bool = False
    """True if its label may be anywhere in the document, not only before the first section."""
    in_template: bool | None = None
    """Whether a template must declare it; left out: if it is required without a condition."""
    fillable: str = ""
    """Its content in an inserted skeleton: a text or, in JSON, a JSON value; left out: made from the type."""
    example: str = ""
    """A valid value for skeletons and tests, if none can be made from the type."""
    severity: dict[RuleCode, Severity] = field(default_factory=dict)
    """Severities of rules for this field, by rule."""
    upstream: dict[Defect, list[str]] = field(default_factory=dict)
    """The tokens that the original system's validator reports, by defect; `{value}` is the value found. `missing`: \
the field is absent (includes the tokens of its children if upstream reports those as well); `value`: a value outside \
the enum or pattern; `type`: a value of the wrong type; `unknown`: an unknown child; `misplaced`: a child that belongs \
somewhere else; `duplicate`: a repeated child (left out: upstream uses one of them); `malformed`: a line among the \
children that is not `key: value` (left out: upstream skips it)."""

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
    """A requirement across fields: a condition, or a relation of the value at `at`."""

    __pydantic_config__ = STRICT

    rule: CheckRule = ""
    """The rule that reports it: `count-mismatch`, `contradiction`, `time-order`, … Left out: `count-mismatch` for \
`count_of` and `sum_of`, otherwise `contradiction`."""
    check: Condition = ""
    """The condition that must hold, if it is not a relation of the value at `at`."""
    when: Condition = ""
    """The condition under which the check applies; left out: always."""
    at: MarkedPath
    """The path of the field that the finding marks. `[]` after a list's name checks each item, with its value as \
`this` and the previous one as `previous`: `update_contracts[].contract`. `holder` is then the item itself; a `when` \
with one of these names is evaluated for each item as well. `entries[{CEL}]` is the item with that number."""
    message: Message = ""
    """The problem, the value found and the value expected; left out: made from the relation."""
    because: str = ""
    """The orchestrator's reaction."""
    related: list[MarkedPath] = field(default_factory=list)
    """Paths of the other fields that are involved; `log:entries[{CEL}]` points into the companion `log`. Left out: \
the fields of the relation."""
    correct: Correction = ""
    """A CEL expression for the right value of `at`, if a single one exists. `true`: the value that the relation \
requires; this is the default for `same_as`, `count_of` and `sum_of`."""
    severity: Severity = "error"
    """The severity of its findings."""
    upstream: list[Message] = field(default_factory=list)
    """Upstream's tokens for it, with `{...}` as in a message."""


@_part
class Route:
    """The orchestrator's action under a condition.

    The first route whose condition holds decides. None advances or continues on a doubtful value: one that is invalid
    or contradicted, in a field that is always read, that a route needs for its condition, or a check of such a field.
    """

    __pydantic_config__ = STRICT

    when: Condition = "true"
    """The condition."""
    action: RouteAction
    """The action of the pipeline."""
    reason: str
    """The reason in words."""
    brief: Message = ""
    """The reason in a few words, as a message about the current handoff, such as the number of open questions; left \
out, or if a value in it is missing: the beginning of the reason."""
    reads: list[SomeField] = field(default_factory=list)
    """The fields and sections that the orchestrator reads beyond those it always reads."""


@_part
class AgentState:
    """The columns of `handoff-lsp monitor`, for a file with the state of the agent in a work tree of git."""

    __pydantic_config__ = STRICT

    task: SomeField = ""
    """The path of the field with the agent's task."""
    progress: SomeField = ""
    """The path of the field with its progress in a few words."""
    criteria: SomeField = ""
    """The path of the field with the success criteria."""
    passed: Expression = ""
    """A CEL expression: whether these criteria were met."""
    failed: Expression = ""
    """A CEL expression: true if something else says that they were not met, such as a log."""
    tested: Expression = ""
    """A CEL expression: false if they were never verified. Left out or without a value, they were."""
    blockers: SomeField = ""
    """The path of the field with the obstacles that stop the agent."""
    warnings: SomeField = ""
    """The path of the field with its concerns."""
    errors: SomeField = ""
    """The path of the field with failures that it does not repair itself."""
    checkpoints: list[Expression] = field(default_factory=list)
    """CEL expressions for commits that the branch must have: each a hash or the first line of a message. Of a list, \
the last one counts."""
    commits: list[str] = field(default_factory=list)
    """Prefixes of the messages of the agent's commits, such as `wip`; a colon follows them."""
    stale_minutes: int = 30
    """The longest time between two changes of the file while the agent is at work; a longer silence is shown as \
stale."""


@_part
class Overview:
    """The columns of a handoff in the list of all handoffs, in addition to its status and its routing.

    The first entry with a value counts.
    """

    __pydantic_config__ = STRICT

    agent: list[Expression] = field(default_factory=list)
    """CEL expressions for the name of the agent that wrote the handoff: a field, or a quoted name if only one agent \
writes such handoffs. An empty text means no name."""
    agent_in_title: list[NamePattern] = field(default_factory=list)
    """Patterns of the handoff's heading with the agent's name as the group `name`. They are tried first."""
    next_agent: list[SomeField] = field(default_factory=list)
    """The paths of the fields that name the next agent, to which the handoff goes. They have `names`; a word \
that means no name, such as `done`, names none."""
    open_questions: list[CountedField] = field(default_factory=list)
    """The paths of the fields with the number of open questions: lists, whose items are counted, before a number that \
an author has counted."""
    changed: list[Expression] = field(default_factory=list)
    """CEL expressions for the time of the last change (ISO 8601 in UTC); left out: the time of the file."""
    state: AgentState | None = None
    """The columns of `handoff-lsp monitor`, if the file has the state of the agent in a work tree of git."""


@_part
class Return:
    """What some agents owe at the end of their runs: a handoff of this contract, and where its reader looks for it.

    An agent that no entry names owes nothing.
    """

    __pydantic_config__ = STRICT

    agents: list[str]
    """The names of the agents in their definitions and in hooks; `*` matches any characters: `sdd-*`."""
    unless: list[str] = field(default_factory=list)
    """Names that match `agents` but owe nothing, such as that of the orchestrator."""
    definition: Pattern = ""
    """A pattern found in the agent's definition. An agent without such a definition in the workspace owes nothing: \
needed for names that other systems use as well, such as `reviewer`."""
    unless_definition: Pattern = ""
    """A pattern found in the definitions of agents that owe nothing: those of a version that reports in another way."""
    profiles: list[ProfileName] = field(default_factory=list)
    """The profiles of its handoffs. If there are several, the evidence in the handoff decides between these; left \
out: the profile with the agent's name or, without such a profile, all."""
    where: ReturnPlace = "message"
    """Where the reader looks: in the agent's final message, in a file, in `either` of them, or in `both`."""
    files: list[str] = field(default_factory=list)
    """Globs of the file, from the root of the workspace."""
    if_written: bool = False
    """True if the agent may end without the file, for example when its work is suspended: the handoff is owed in a \
file that is there."""
    takes: ReturnTaken = "any"
    """The handoff that the reader takes if the message has several of this contract. `only`: it takes none then."""
    at_end: bool = False
    """True if nothing but blanks may follow it in the message."""
    instead: list[ContractName] = field(default_factory=list)
    """Contracts whose handoffs the reader accepts as well."""
    accepts: Pattern = ""
    """A pattern of other messages that the reader accepts, such as a short form that no contract describes."""
    because: str = ""
    """The orchestrator's reaction to a return without it."""


@_part
class Transitions:
    """The allowed order of status values in one agent's handoffs."""

    __pydantic_config__ = STRICT

    of: FieldPath
    """The path of the status."""
    by: FieldPath
    """The path of the field that names the agent."""
    allowed: dict[StatusValue, list[StatusValue]]
    """For each value, the values that may come next."""
    repeat: dict[StatusValue, int] = field(default_factory=dict)
    """For a value, how often it may occur in a row."""
    because: str = ""
    """The part of the system that enforces this, and its reaction."""
    across_files: bool = False
    """True if the handoffs in the other files of the folder come before those in this file, in the files' order."""


@_part
class Sign:
    """One sign that identifies a document or a part of it. If it has several keys, all of them must match."""

    __pydantic_config__ = STRICT

    weight: int = 1
    """Its weight; negative for a sign of a different format."""
    path: Pattern = ""
    """A pattern found in the document's path, with `/` as separator. In `detect` a path never decides alone."""
    title: Pattern = ""
    """A pattern found in the title: for a document its first heading of level 1, for a section its own heading, and \
in `signs` the heading above the part."""
    above: Pattern = ""
    """For `quotations`: a pattern found in a heading above it, either an enclosing one or an earlier one of the same \
level."""
    text: Pattern = ""
    """A pattern found in the text of the document, or in `signs` of the part."""
    has: PresentKey = ""
    """A part that must be present: a root field by its name (its section or key; in `evidence` also its label), or \
the path of a key as written, such as `review.state`, in front matter, JSON or YAML."""
    children: int = 0
    """The number of fields inside the field of `has` that must be written in its section as well."""
    value: dict[PresentKey, Pattern] = field(default_factory=dict)
    """Values of keys or root fields, by their names as in `has`: patterns that must match the whole value. An empty \
pattern: one of the field's own values, or a word from their `instead_of`."""
    form: Form | None = None
    """For `evidence`: the form in which the handoff was found."""
    unless_last: bool = False
    """For `examples`: true if the sign does not apply to a filled-in block at the end of the document, which is the \
document's own."""

    @property
    def of_path(self) -> bool:
        """Whether it is a sign of the path alone."""
        return bool(self.path) and not (self.title or self.text or self.has or self.value)


@_part
class Detect(ContractPart):
    """How a whole Markdown document is recognized."""

    __pydantic_config__ = STRICT

    enough: int = 4
    """The sum of weights that is enough for this contract."""
    content: int = 2
    """The part of the sum that must come from the text and not from the path."""
    signs: list[Sign] = field(default_factory=list)
    """The signs, each with its weight."""


@_part
class Prose:
    """Required text of another document, such as an agent's definition or an orchestrator's command.

    Without it, the handoffs of its agents go wrong. Such a document is not a handoff. `detect` recognizes it by its
    path, title, text and front matter.
    """

    __pydantic_config__ = STRICT

    about: str
    """The kind of document, for messages: `the agent's definition`."""
    detect: Detect
    """How it is recognized."""
    section: Pattern = ""
    """A pattern of the headings of the sections to check; left out: the whole document. A document without such a \
section is ignored."""
    mentions: list[str] = field(default_factory=list)
    """Words that must occur there, in any case."""
    because: str = ""
    """The consequence of a missing mention."""
    severity: Severity = "warning"
    """The severity of its findings."""


@_part
class Content:
    """One way to recognize a section, a run, a fence or a file by its content.

    All its keys must match. A string is short for `some` with that one name. A section or a run contains root
    fields, by their names; a fence or a file contains keys, as written.
    """

    __pydantic_config__ = STRICT

    needs: list[ContentKey] = field(default_factory=list)
    """Names that must all be present."""
    some: list[ContentKey] = field(default_factory=list)
    """Names of which some must be present. `summary.scope` is a label in a section `summary`, or a key below a key."""
    enough: int = 1
    """The number of names from `some` that is enough."""
    telling: list[ContentKey] = field(default_factory=list)
    """Names of which one must be present, because other formats with the same names do not have them."""
    value: dict[ContentKey, Pattern] = field(default_factory=dict)
    """Required values: patterns that must match a whole value. An empty pattern: one of the field's own values, or a \
word from their `instead_of`."""


@_part
class SectionForm:
    """How a section of a document is recognized as a handoff of its own."""

    __pydantic_config__ = STRICT

    title: Pattern
    """A pattern found in its heading."""
    holds: list[Content] = field(default_factory=list)
    """Its content: the sections directly below it. One of several ways is enough; left out: its heading is enough."""
    labels: bool = False
    """True if a label in it counts like a section."""


@_part
class RunForm:
    """How a run of `key: value` lines is recognized as a handoff of its own."""

    __pydantic_config__ = STRICT

    within: list[Literal["text", "fence"]] = field(default_factory=lambda: ["text", "fence"])
    """Where it may be: in running text, in a fence without a tag or with a plain one."""
    opening: RunEdge = ""
    """Its beginning: the key of a root field, by its name; a whole line above it, such as `---HANDOFF---`; or a \
comment, such as `<!-- handoff`. Left out: any run that matches `holds`."""
    closing: RunEdge = ""
    """Its end: the value of a root field, by its name; or a whole line below it, such as `---END---`. Left out: the \
first blank line."""
    holds: list[Content] = field(default_factory=list)
    """Its content: labels. One of several ways is enough."""

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
    """Its syntax. `jsonl`: each line is a JSON object and a handoff of its own. `log`: each line is an entry of the \
form `2026-02-08T10:00:00Z [TAG] text`, or of the form `entry`."""
    path: Pattern
    """A pattern found in its path."""
    entry: Pattern = ""
    """For a log: a pattern that must match the whole line of an entry. Its named groups are parts of the entry; known \
ones are `time`, `tag` (compared with `tag` of fields) and `text` (left out: the whole line)."""
    continues: Pattern = ""
    """For `entry`: a pattern found in lines that continue the entry above; left out: indented lines."""
    example: str = ""
    """For `entry`: a valid one, for messages and new logs."""
    holds: list[Content] = field(default_factory=list)
    """Its content: keys. One of several ways is enough; left out: its path is enough."""

    @property
    def holds_json(self) -> bool:
        """Whether its content is JSON."""
        return self.syntax in {"json", "jsonl"}


TagRole = Literal["own", "old", "shared", "wrong"]
Reading = Literal["by-line", "bare", "any-case", "at-start", "last", "with-info", "backticks", "cut", "unindented"]


@_part
class Fence(ContractPart):
    """How a fence is recognized, and the requirements of its reader."""

    __pydantic_config__ = STRICT

    tags: dict[str, TagRole]
    """The tags (the first words of info strings) of its fences; the first one is used for new fences. `own`: a fence \
with this tag is this contract, whatever its content; `shared`: other formats use this tag as well, so the content \
must match `holds`. `old` is like `own` and `wrong` is like `shared`, but the reader ignores such a fence. `""`: no \
tag."""
    syntax: Literal["json", "yaml"] = "json"
    """Its syntax. `yaml`: `key: value` lines."""
    holds: list[Content] = field(default_factory=list)
    """The content of a fence with a `shared` or `wrong` tag: keys. One of several ways is enough."""
    reader: list[Reading] = field(default_factory=list)
    """The behavior of its reader. `by-line`: it reads line by line without Markdown or YAML. A fence begins and ends \
at a line of three backticks, indented or not. In a fence of `key: value` lines, names are case-sensitive, quotes and \
`#` are part of the value, and keys are not nested; `bare`: it accepts no blank after the tag and no indentation \
before the closing line; `any-case`: it accepts JSON keys in any case; `at-start`: it accepts a fence only at the \
beginning of the document, and ignores a second one; `last`: it uses the last of several, and the earlier ones are \
history; `with-info`: it accepts additional text after the tag; `backticks`: it accepts only three backticks as the \
marker; `cut`: it ends the block at the next three backticks, wherever they are; `unindented`: it accepts only a fence \
at the start of its line."""
    pattern: Pattern = ""
    """An RE2 pattern by which the reader finds the block in the document's text, without reading Markdown; the group \
`body` is the JSON. A block that it finds is a block in any Markdown context, and its fence has no findings. With a \
`shared` tag in place of the first one, the pattern finds those fences as well."""
    at_end: bool | Condition = False
    """Whether, or on which condition, the reader accepts the block only if nothing but other fences follows it and \
the handoffs directly after it."""
    once: list[RootField] = field(default_factory=list)
    """Root fields that identify the subject of a handoff: of two handoffs with the same subject, the reader accepts \
neither."""
    home: Pattern = ""
    """A pattern of the paths of the documents that the reader searches; elsewhere a handoff is a quotation, unless it \
is, as required, at the beginning of the document. Left out: all documents."""
    because: str = ""
    """The reader's reaction to a fence that it does not accept."""
    upstream: dict[FenceDefect, list[str]] = field(default_factory=dict)
    """Upstream's tokens, by defect. `unreadable`: a block that cannot be read; `unclosed`: a fence that is not closed \
(left out: those of `unreadable`)."""
    root: str = ""
    """The name of the block as a whole in findings."""

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
    """A decision made outside the document; conditions refer to it as `settings.NAME`."""

    __pydantic_config__ = STRICT

    about: str
    """The decision, and who makes it in the original system."""
    default: bool | str | list[str]
    """Its value without an entry in the config: `true` or `false`, a string, or a list of strings, such as `[]`. The \
config may set another one of this type."""

    @property
    def type(self) -> Literal["boolean", "strings", "string"]:
        """What it holds."""
        return (
            "boolean" if isinstance(self.default, bool) else "strings" if isinstance(self.default, list) else "string"
        )


@_part
class Companion:
    """Another document that is checked together with this one."""

    __pydantic_config__ = STRICT

    contract: ContractName
    """Its contract."""
    where: str
    """Its place: a path from this document's folder; or, in this document, `behind`, directly after this handoff with \
nothing between them; `before`, the handoff directly before this one; `nearest`, the last one of its contract that \
begins above this one, unless another handoff of this contract is in between; or `above`, the first one of its \
contract further up: if a term uses it, an error in it withholds this one, too, and a handoff without its own status \
only explains that one. Without a companion, conditions see an empty object."""

    @property
    def path(self) -> str:
        """The path of another document; empty for a handoff of this one."""
        return "" if self.where in {"behind", "before", "nearest", "above"} else self.where


@_part
class Count:
    """The number of matches in other files of the workspace; without such a file it has no value."""

    __pydantic_config__ = STRICT

    files: list[str]
    """Globs from this document's folder. The first glob that matches any file is used, with all files it matches."""
    pattern: Pattern
    """The RE2 pattern whose matches are counted."""


@_part
class Definition:
    """Names of one kind, such as those of agents. The definitions of all contracts apply to all documents."""

    __pydantic_config__ = STRICT

    files: list[str] = field(default_factory=list)
    """Globs of the files that define names of this kind, one name per file, from the root of the workspace. The name \
is the file's name without its suffix; if a glob ends with a complete file name, as in `changes/*/proposal.md`, it is \
the folder's name."""
    naming: list[NamePattern] = field(default_factory=list)
    """Patterns of the name within that name, each with a group `name`, such as `^(?P<name>\\d{4})-`: the first match \
counts, and a file without a match defines nothing. Left out: the whole name."""
    inside: list[str] = field(default_factory=list)
    """Globs of the documents in which fields define such names (`introduces`), from the root of the workspace."""
    unique: bool = True
    """True if a name that fields define twice, in one document of `inside` or in two, is a finding."""
    checked: bool = True
    """True if an undefined name is a finding when other names are defined. False if only a misspelling is: of one of \
`values` and `also`, or of a name in the document's own path."""
    also: list[str] = field(default_factory=list)
    """Names that exist without a file."""
    parts: bool = False
    """True if a part of a defined name is enough, such as `reviewer` for `backend-reviewer-agent`."""
    about: str = ""
    """The noun for messages: `agent`; left out: the kind without its last letter."""
    values: list[Value] = field(default_factory=list)
    """Names of the original system with their meanings: a root enum whose `names` is this kind has them after its own \
values. They need no definition in the workspace."""
    words: list[str] = field(default_factory=list)
    """Words in place of a name that are not names, such as `done`."""
    suffixes: list[str] = field(default_factory=list)
    """Optional endings of a name, such as `-agent`."""
    same: dict[str, list[str]] = field(default_factory=dict)
    """Other spellings of names."""
    written: list[NamePattern] = field(default_factory=list)
    """Patterns of names of this kind elsewhere in a handoff, such as in its title; the group `name` is the name."""
    occurs: list[NamePattern] = field(default_factory=list)
    """Patterns of possible names anywhere in a handoff; a match is a name if a field somewhere has it. The group \
`name` is the name."""
    in_paths: list[NamePattern] = field(default_factory=list)
    """Patterns of names within paths, anywhere in the workspace; the group `name` is the name."""
    not_in_paths: list[str] = field(default_factory=list)
    """Matches of `in_paths` that are not names, such as a folder `archive`."""
    pattern: Pattern = ""
    """An RE2 pattern that a new name must match completely; left out: any line of text."""
    pattern_about: str = ""
    """The pattern in words, for messages."""


@_part
class Profile:
    """A version or variant of a contract: its description, its signs, and its changes.

    Its other keys are changes to the contract's: `CHANGEABLE`. They are merged into it as a JSON merge patch (RFC
    7396): objects are merged by key, null removes, everything else replaces. `+KEY` adds to the list KEY; in
    `routing` it adds before the other routes, because the first match counts. A condition is replaced as a whole.
    """

    # `validate` looks at the changes: they have the shape of a patch.
    __pydantic_config__: ClassVar[Any] = {"extra": "ignore"}

    about: str = ""
    """Its description and its use; left out if `profile_in` finds it: the description of its value there."""
    evidence: list[Sign] = field(default_factory=list)
    """The signs of this profile: `path`, `title`, `has`, `value` and `form`. The profile with the greatest sum of \
weights wins, the first one if equal; left out: the field of `profile_in`, the config or the default decides."""


@_part
class Contract:
    """One format."""

    __pydantic_config__ = STRICT

    contract: str
    """Its name, unique among all contracts."""
    extends: ContractName = ""
    """The contract that this one changes. The other keys are then changes, merged like those of a profile, and `+KEY` \
adds to the list KEY: `+values: [{value: waived}]`. With the name of a built-in contract as its own name, it replaces \
that contract."""
    language: int = LANGUAGE
    """The version of the contract language; left out: the current one, 2. `handoff-lsp contract migrate` rewrites a \
contract of an earlier version."""
    title: str
    """Its name for people."""
    about: str
    """Its description: what it is, who writes it and who reads it."""
    source: str = ""
    """The place where the format is defined."""
    status: FieldPath = ""
    """The path of the field that the orchestrator decides on; left out: the format has none, and nothing is decided."""
    unread: str = ""
    """What happens to a handoff without a readable status, such as `treated as failed`."""
    heading: str = ""
    """The heading of a new handoff, which must be enough to recognize it, with placeholders in braces: `{feature \
name} — Handoff from {agent role}`; left out: `title`. Number signs before it are its level, as in `### HANDOFF`, and \
sections are one level below; left out: 1 for a document, 2 for a section."""
    default_profile: ProfileName = ""
    """The profile if neither the block nor the config names one; left out: the first one."""
    profiles: dict[str, Profile] = field(default_factory=dict)
    """The versions and variants; left out: one, `default`, without changes."""
    profile_in: SomeRootField = ""
    """The root field whose value is the name of the profile, such as that of an agent. It applies to the profiles \
without `evidence`, and in each of them the field has only that value."""
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
    """Signs of which a section, a run, or a fence recognized by its keys needs one; without any it is a different \
format: `path`, `title`, `text`, and for front matter `has` and `value`. Left out: its fields are enough."""
    quotations: list[Sign] = field(default_factory=list)
    """Signs that a part of a document is only a quotation, such as an older report below its replacement, and not a \
current handoff. `above`, optionally with `title`; one is enough."""
    examples: list[Sign] = field(default_factory=list)
    """Signs that the document is about the format or is no longer in use, so a block in it is an example. One is \
enough unless one with a negative weight matches as well."""
    templates: list[Sign] = field(default_factory=list)
    """Signs that a block with an unfilled status in the document is a template. One is enough unless one with a \
negative weight matches as well. A whole document as a template is also checked inside a Markdown fence."""
    unfilled: list[SomeRootField] = field(default_factory=list)
    """Root fields that are filled in before all others: while all of them are placeholders, a block is a template."""
    empty_words: list[str] = field(default_factory=list)
    """Words for an empty value, such as `none`."""
    prose: dict[str, Prose] = field(default_factory=dict)
    """Requirements on other documents, so that their handoffs are right, by name."""
    settings: dict[str, Setting] = field(default_factory=dict)
    """Decisions for the config."""
    defaults: dict[Literal["every"] | FieldType, Field] = field(default_factory=dict)
    """Defaults for the root fields of a type, or of `every` type: a key that a field or its profile sets wins. In \
strings, `{name}` is the field's name, `{NAME}` the name in capitals, and `{Name}` its words with the first one \
capitalized."""
    fields: dict[str, Field]
    """The root fields, in order."""
    closed: bool = False
    """True if unknown root fields are findings: keys of JSON, YAML, a run of lines or front matter. Labels and \
sections of Markdown may always be added."""
    upstream: dict[Defect, list[str]] = field(default_factory=dict)
    """Upstream's tokens for the root, by defect as in a field. `elsewhere`: the document also exists at another of \
the contract's `locations`; `{name}` is its file name without the suffix."""
    ordered: bool = False
    """True if sections must have the order of the fields. With `reads`, the order matters only for \
the sections that it names."""
    terms: dict[str, Term] = field(default_factory=dict)
    """Names for CEL expressions and conditions, for use in conditions and messages; a term may use the terms above \
it."""
    companions: dict[str, Companion] = field(default_factory=dict)
    """Other documents whose values conditions may use, by name."""
    counts: dict[str, Count] = field(default_factory=dict)
    """Numbers that conditions may use, by name."""
    locations: list[str] = field(default_factory=list)
    """The allowed places of a document of this contract, from the root of the workspace. Of several with the same \
file name the first one is read."""
    usual: list[str] = field(default_factory=list)
    """Globs of other usual places of its documents: an editor starts the server in a folder with such a file. They \
are not signs."""
    definitions: dict[str, Definition] = field(default_factory=dict)
    """Names that the workspace defines, for `names` of fields."""
    checks: dict[str, Check] = field(default_factory=dict)
    """Requirements across fields, by name."""
    transitions: Transitions | None = None
    """The allowed order of status values."""
    returns: dict[str, Return] = field(default_factory=dict)
    """The agents that owe a handoff of this contract, by a name for each group."""
    called: Pattern = ""
    """A pattern of the names by which the definitions of agents call a handoff of this contract, such as \
`AGENT_RESULT`: an agent whose definition says "Emit an `AGENT_RESULT` block" owes it."""
    reads: list[SomeField] = field(default_factory=list)
    """The fields that the orchestrator always reads."""
    routing: list[Route] = field(default_factory=list)
    """The orchestrator's actions."""
    groups: dict[str, list[RootField]] = field(default_factory=dict)
    """Root fields that are inserted together, in order, by the name of the group in the code action."""
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
