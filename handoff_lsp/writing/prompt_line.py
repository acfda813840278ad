"""The line, row or code span that is inserted into a prompt for a field that its list or skeleton lacks."""

from __future__ import annotations

import re
from collections.abc import Sequence

from handoff_lsp.contracts.model import Field
from handoff_lsp.prompts.statement import Notation
from handoff_lsp.prompts.view import PromptView
from handoff_lsp.prompts.vocabulary import KnownField, label_name
from handoff_lsp.text import Edit, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.writing.skeleton import Stops, fill_in, json_value, placeholder
from handoff_lsp.writing.words import name_among

# Behind a name in a list: the end of its code or emphasis, a remark in brackets, and a colon or dash.
_SEPARATOR = lazy_pattern(r"(?P<marks>[`*_\"]*)[ \t]*(?:\([^()\n]*\))?(?P<sign>[ \t]*(?:[:：][*_]*|[—–-](?=[ \t])))?")
_REMARK = lazy_pattern(r"[*_]*(?:[ \t]*\([^()\n]*\))?")
_BETWEEN = lazy_pattern(r"(?:[ \t]*\([^()\n]*\))?(?P<sign>[ \t]*[,、，/|][ \t]*)")
# Before and behind a name on a line of a skeleton.
_LABEL_BEFORE = lazy_pattern(r"[ \t>]*(?:[-*+][ \t]+)?[*_`]*")
_LABEL_BEHIND = lazy_pattern(r"[*_`\"]*[ \t]*[:：][*_]*[ \t]*")
_KEY_BEFORE = lazy_pattern(r"[ \t>]*\"")
_HEADING_BEFORE = lazy_pattern(r"[ \t>]*(?P<signs>#{1,6})[ \t]+")
_NUMBER = lazy_pattern(r"\d+(?=[.)][ \t])")


def as_written(field: KnownField, others: Sequence[str]) -> str:
    """The name of a field in the spelling of the other names of a list: `Next Step` or `next_step`."""
    return name_among(field.path, field.field, others, sorted(field.titles), label_name)


def inserted(
    view: PromptView, known: Sequence[tuple[int, Span]], place: int, name: str, field: Field, notation: Notation
) -> Edit | None:
    """The insertion of a field into a list of fields; None in a notation that it does not know.

    ``known``: the numbers of the fields of the list in the contract, and the places of their names; ``place``: the
    number of the missing one.
    """
    before = max((one for one in known if one[0] < place), default=None)
    behind = min((one for one in known if one[0] > place), default=None)
    if notation == "code":
        return _code(view, before, behind, name)
    if notation == "skeleton":
        return _line(view, before, behind, name, field)
    anchor = before or behind
    if anchor is None:
        return None
    made = _row(view.text, anchor[1], name, field) if notation == "table" else _item(view.text, anchor[1], name, field)
    if before is not None:
        end = _end_of_item(view, before[1]) if notation == "list" else _line_end(view.text, before[1].end)
        return Edit(Span(end, end), _break(view.text) + made)
    start = _line_start(view.text, anchor[1].start)
    return Edit(Span(start, start), made + _break(view.text))


def _code(view: PromptView, before: tuple[int, Span] | None, behind: tuple[int, Span] | None, name: str) -> Edit | None:
    anchor = before or behind
    code = view.code_around(anchor[1].start) if anchor is not None else None
    if code is None:
        return None
    between = _BETWEEN.match(view.prose, code.span.end)
    sign = between["sign"] if between is not None else ", "
    if before is None:
        return Edit(Span(code.span.start, code.span.start), f"`{name}`{sign}")
    remark = _REMARK.match(view.prose, code.span.end)
    end = remark.end() if remark is not None else code.span.end
    return Edit(Span(end, end), f"{sign}`{name}`")


def _item(text: str, span: Span, name: str, field: Field) -> str:
    lead = _NUMBER.sub(lambda match: str(int(match[0]) + 1), text[_line_start(text, span.start) : span.start])
    found = _SEPARATOR.match(text, span.end)
    marks, sign = (found["marks"], found["sign"] or ":") if found is not None else ("", ":")
    return f"{lead}{name}{marks}{sign} {_about(field)}"


def _row(text: str, span: Span, name: str, field: Field) -> str:
    lead, rest = text[_line_start(text, span.start) : span.start], text[span.end : _line_end(text, span.end)]
    marks = re.match(r"[`*_]*", rest)
    columns = len(re.findall(r"(?<!\\)\|", rest)) - 1
    cells = [*["…"] * (columns - 1), _about(field).replace("|", "\\|")][-columns:] if columns > 0 else []
    return " | ".join([f"{lead}{name}{marks[0] if marks is not None else ''}", *cells]) + " |"


def _about(field: Field) -> str:
    """The meaning of a field as an item has it: without its full stop, with its values."""
    about = " ".join(field.about.split()).rstrip(".")
    values = " | ".join(f"`{value.value}`" for value in field.offered) if field.kind.is_choice else ""
    return values or about or placeholder(field.title.lower())


def _line(
    view: PromptView, before: tuple[int, Span] | None, behind: tuple[int, Span] | None, name: str, field: Field
) -> Edit | None:
    """A line of a skeleton, in the notation of the line before or behind it."""
    text = view.text
    anchor = behind if behind is not None else before
    if anchor is None:
        return None
    span = anchor[1]
    start = _line_start(text, span.start)
    lead = text[start : span.start]
    if _KEY_BEFORE.fullmatch(lead):
        return _member(text, span, name, field, first=behind is not None)
    heading = _HEADING_BEFORE.fullmatch(lead)
    label = _LABEL_BEHIND.match(text, span.end) if _LABEL_BEFORE.fullmatch(lead) else None
    if heading is None and label is None:
        return None
    value = fill_in(name, field, Stops()).plain or placeholder("")
    value = placeholder(name.lower()) if "\n" in value else value
    nl = _break(text)
    made = f"{lead}{name}{nl}{value}{nl}" if label is None else f"{lead}{name}{label[0].rstrip()} {value}"
    if behind is not None:
        return Edit(Span(start, start), made + nl)
    end = _end_of_value(view, span, "#" if label is None else "")
    return Edit(Span(end, end), nl + (nl if label is None else "") + made.rstrip())


def _member(text: str, span: Span, name: str, field: Field, *, first: bool) -> Edit:
    """A member of a JSON object: before that of a span, or behind it if its value is on its line."""
    start, end = _line_start(text, span.start), _line_end(text, span.end)
    indent = text[start : span.start].rstrip('"')
    made = f'{indent}"{name}": {json_value(name, field, Stops(), indent).plain}'
    line = text[span.end : end].rstrip()
    if first or line.endswith(("{", "[")):
        return Edit(Span(start, start), f"{made},{_break(text)}")
    end = span.end + len(line)
    return Edit(Span(end, end), f"{'' if line.endswith(',') else ','}{_break(text)}{made}{',' * line.endswith(',')}")


def _end_of_value(view: PromptView, span: Span, sign: str) -> int:
    """The end of the value of the last label, or of the text below the last heading, of a fence."""
    text = view.text
    fence = next((node for node in view.fences if node.span.holds(span.start)), None)
    last = fence.content.end if fence is not None else len(text)
    indent = len(text[_line_start(text, span.start) : span.start]) - len(
        text[_line_start(text, span.start) : span.start].lstrip()
    )
    end = _line_end(text, span.end)
    while end < last:
        following = text[end + 1 : _line_end(text, end + 1)].rstrip("\r")
        inside = not following.lstrip().startswith("#") if sign else following[: indent + 1].isspace()
        if end + 1 >= last or not inside:
            break
        end = _line_end(text, end + 1)
    return min(end, last)


def _end_of_item(view: PromptView, span: Span) -> int:
    """The end of the item of a list that a name is in, with all below it."""
    items = [node.span for node in view.tree.walk() if node.kind == "item" and node.span.holds(span.start)]
    return min(items, key=lambda one: one.end - one.start).end if items else _line_end(view.text, span.end)


def _line_start(text: str, offset: int) -> int:
    return text.rfind("\n", 0, offset) + 1


def _line_end(text: str, offset: int) -> int:
    end = text.find("\n", offset)
    end = end if end >= 0 else len(text)
    return end - 1 if text[end - 1 : end] == "\r" else end


def _break(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
