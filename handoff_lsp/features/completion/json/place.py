"""The place for an insertion in a JSON handoff, even a broken one, and the edit that makes it."""

from __future__ import annotations

from handoff_lsp.binding.bodies.json import JsonBody
from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.features.completion.item import make_edit
from handoff_lsp.syntax.json.parse import JsonLocation, JsonMember, JsonNode, JsonPath, JsonTree, parse_json
from handoff_lsp.text import Edit, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.writing.json_placement import outer_edit
from handoff_lsp.writing.skeleton import Skeleton

_AFTER_TOKEN = lazy_pattern(r"[ \t]*(?:[,:}\]\r\n]|\Z)")
_BREAK = lazy_pattern(r"[\r\n]")
_WORD = lazy_pattern(r"[\w-]*")
_COMMENT = r"//[^\n\r]*+|#[^\n\r]*+|/\*(?>[^*]++|\*(?!/))*+(?:\*/|\Z)"
_NEXT = lazy_pattern(rf"(?>\s++|{_COMMENT})*+(\S?)")
_SEPARATOR = lazy_pattern(rf"{_COMMENT}|([,;])")


# In JSON longer than this (code points), insertions are not tried out first.
_LONGEST_TRIED = 50_000


class InsertionPoint(NamedTuple):
    """The place for an insertion: the span to replace, in offsets of the body, and the commas around it.

    ``offset``: the cursor. ``comma``: a comma if one must follow, else empty. ``before``: the offset of a missing comma
    before it, None without one.
    """

    handoff: Handoff
    body: JsonBody
    start: int
    end: int
    offset: int
    comma: str
    before: int | None

    @property
    def text(self) -> str:
        return self.body.fragment.text

    @property
    def quoted(self) -> bool:
        """Whether a quote is typed already."""
        return self.text[self.start : self.start + 1] == '"' and self.end > self.start

    def edit(self, made: Skeleton, span: Span | None = None) -> Edit:
        """The edit in the document that inserts ``made``; ``span``: the span of the body to replace instead."""
        source = self.handoff.source.text
        edit = outer_edit(source, self.body.fragment, span or Span(self.start, self.end), made)
        return make_edit(source, edit.span, Skeleton(edit.text, edit.snippet or ""))

    def fits(self, plain: str, span: Span | None = None) -> bool:
        """Whether inserting a text adds no fatal defect to the JSON. The answer is the same for all texts of a kind."""
        text = self.text
        if len(text) > _LONGEST_TRIED:
            return True
        start, end = span or Span(self.start, self.end)
        before = start if self.before is None else self.before
        comma = "" if self.before is None else ","
        done = f"{text[:before]}{comma}{text[before:start]}{plain}{text[end:]}"
        return _broken(parse_json(done)) <= _broken(self.body.tree)

    def more(self) -> tuple[Edit, ...]:
        """The edit that adds the missing comma before it; empty if none is missing."""
        if self.before is None:
            return ()
        return (
            outer_edit(
                self.handoff.source.text, self.body.fragment, Span(self.before, self.before), Skeleton(",", ",")
            ),
        )


def _broken(tree: JsonTree) -> int:
    return sum(defect.fatal for defect in tree.defects)


def place_at(handoff: Handoff, body: JsonBody, offset: int, at: JsonLocation | None) -> InsertionPoint:
    """The place at an offset of the body; ``at``: the JSON location there, None for a body without any JSON."""
    text = body.fragment.text
    node = at.node if at is not None else None
    start, end = _token(text, node, offset)
    value = at.member.value if at is not None and at.member is not None and at.role == "value" else None
    if node is None and value is not None and not _BREAK.search(text, offset, value.end):
        end = value.end if value.kind not in {"object", "array"} else end  # the value after the cursor is replaced
    following = _NEXT.match(text, end)
    comma = "" if following is None or following[1] in {"", ",", "}", "]", ":"} else ","
    return InsertionPoint(handoff, body, start, end, offset, comma, _missing_before(text, at, start))


def _token(text: str, node: JsonNode | None, inner: int) -> tuple[int, int]:
    """The span to replace: the token at the cursor; of an unclosed string only the word that is being typed."""
    if node is None:
        return inner, inner
    word = _WORD.match(text, inner)
    end = word.end() if word else inner
    if node.closed and _AFTER_TOKEN.match(text, node.end) and not _BREAK.search(text, node.start, node.end):
        end = node.end
    return node.start, end


def _missing_before(text: str, at: JsonLocation | None, start: int) -> int | None:
    """The end of the member or item before a new one in the same container; None if a comma follows it."""
    box = at.container if at is not None else None
    if at is None or box is None:
        return None
    own = at.member
    if box.kind == "object" and at.role == "value":
        return None  # after its key
    ends = [
        (child.end, child.value.closed if isinstance(child, JsonMember) and child.value is not None else True)
        for child in (box.members if box.kind == "object" else box.items)
        if child is not own and child.end <= start and not (isinstance(child, JsonMember) and child.value is None)
    ]
    if not ends:
        return None
    end, closed = ends[-1]
    if not closed or end == start or any(found[1] for found in _SEPARATOR.finditer(text, end, start)):
        return None
    return end


# ── fields ───────────────────────────────────────────────────────────────────────────────────────────────────────


class FieldAtPath(NamedTuple):
    """The field at a path: its dotted path, its declaration, and whether its text is the path of a file."""

    path: str
    field: Field
    is_path: bool


def field_at(spec: Spec, path: JsonPath) -> FieldAtPath | None:
    """The contract's field at a path of keys and indexes; None if it declares none."""
    dotted, field, is_path = "", Field(type="object", fields=spec.fields), False
    for part in path:
        if isinstance(part, int):
            items = field.items
            if field.names and (items is None or items.kind.untyped):
                items = Field(type="line", names=field.names, naming=field.naming)
            if items is None:
                return None
            dotted, field = f"{dotted}[]", items
            continue
        name = name_of(field, part)
        if name is not None:
            dotted, field = f"{dotted}.{name}" if dotted else name, field.fields[name]
            is_path = bool(field.paths)
        elif field.kind.holds == "pairs":
            dotted, field = f"{dotted}[]", field.items or Field(type="line")
        elif is_path and part == _PATH_KEY and not field.fields:
            dotted, field = f"{dotted}.{part}", Field(type="line")
        else:
            return None
    return FieldAtPath(dotted, field, is_path)


# The member that holds the path, in an object of a list of files.
_PATH_KEY = "path"


def name_of(field: Field, key: str) -> str | None:
    """The name of the child field with ``key`` as its title or alias; None without one."""
    return next((name for name, child in field.fields.items() if key in (child.title, *child.aliases)), None)
