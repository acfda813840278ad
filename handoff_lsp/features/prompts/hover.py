"""Hover in a prompt: the page about a value or a field that it names, and who else in the pack says it."""

from __future__ import annotations

from collections.abc import Mapping

from handoff_lsp.contracts.names import nearest
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages import contract_pages as pages
from handoff_lsp.features.pages.hover_names import Hover
from handoff_lsp.features.pages.markup import code, paragraphs, prose
from handoff_lsp.features.prompts.pack_around import InPack, around, others_lines, spec_with
from handoff_lsp.language import later, say, translated
from handoff_lsp.prompts.statement import Act, Enumeration, PromptStatement, PromptStatements
from handoff_lsp.prompts.vocabulary import FILE, MARKER, KnownField, vocabulary_of
from handoff_lsp.text import Source, Span

FOOTER = "\n\n---\n\n"
# The most fields that the page about an unknown one lists.
_MOST_TITLES = 12

_HERE: Mapping[Act, str] = {
    "emits": later("**This prompt** has its agent write it."),
    "handles": later("**This prompt** says how to react to it."),
    "forbids": later("**This prompt** says never to write it."),
    "mentions": later("**This prompt** only mentions it."),
}


def prompt_hover(context: Context, offset: int, known: Hover | None) -> Hover | None:
    """The page for an offset in a prompt. ``known`` is that of the handoff there, to which it adds the pack."""
    here = around(context)
    found = _at(context.source, here.said, offset) if here is not None else None
    if here is None or found is None:
        return known
    if isinstance(found, Enumeration):
        return known or _enumeration_page(context, found)
    one, span = found
    if known is None or known.span.end - known.span.start > span.end - span.start:
        known = Hover(span, _page(context, one))
    body, _, footer = known.markdown.rpartition(FOOTER)
    facts = [translated(_HERE[one.act]), *others_lines(context, here, one), *_lacking(here, one)]
    return Hover(known.span, paragraphs(body or footer, *facts) + (FOOTER + footer if body else ""))


def _at(source: Source, said: PromptStatements, offset: int) -> tuple[PromptStatement, Span] | Enumeration | None:
    """The statement at an offset with the span of its words there, else the enumeration around it."""
    for one in said.statements:
        if one.span.holds(offset):
            return one, one.span
    line = source.lines.line_span(source.lines.line_of(offset))
    for one in said.statements:
        # Its label, which may be in the same code span.
        if one.value and one.label and one.path not in (MARKER, FILE) and line.start <= one.span.start <= line.end:
            start = source.text.rfind(one.label, line.start, one.span.start)
            span = Span(start, start + len(one.label))
            if start >= 0 and span.holds(offset):
                return PromptStatement(
                    one.contract, one.path, one.label, "", one.act, one.speaker, one.sure, span
                ), span
    return next((each for each in said.enumerations if each.path and each.span.holds(offset)), None)


def _page(context: Context, one: PromptStatement) -> str:
    words = vocabulary_of(context.registry[one.contract])
    if one.path in words.marks:
        return _mark_page(context, one)
    field = words.fields.get(one.path)
    if field is None:
        return _unknown_field_page(context, one, [title for known in words.fields.values() for title in known.titles])
    spec = spec_with(context, one.contract, one.path, one.value)
    declared = pages.field_at(spec, one.path) or field.field
    if not one.value:
        return pages.field_page(spec, one.path, declared)
    value = next((each for each in declared.values if each.value == one.value), None)
    if value is None:
        return _unknown_value_page(context, one, field)
    return pages.value_page(spec, one.path, declared, value)


def _mark_page(context: Context, one: PromptStatement) -> str:
    """The page about a marker or the name of a file."""
    spec = spec_with(context, one.contract, "")
    title, name, known = prose(spec.contract.title), code(one.value), one.value == one.label
    if one.path == FILE:
        words = say("{name} holds the {title}.", name=name, title=title)
        wrong = say("{name} does not hold the {title}.", name=name, title=title)
    else:
        words = say("{name} is a marker: the reader of the {title} looks for it.", name=name, title=title)
        wrong = say("{name} is no marker of the {title}.", name=name, title=title)
    meant = "" if known else say("Did you mean {name}?", name=code(one.label))
    return paragraphs(words if known else wrong, meant, pages.footer(spec))


def _unknown_value_page(context: Context, one: PromptStatement, field: KnownField) -> str:
    spec = spec_with(context, one.contract, one.path)
    declared = pages.field_at(spec, one.path) or field.field
    meant = field.meant(one.value)
    title = code(pages.title_of(spec, one.path, declared))
    return paragraphs(
        say("**{value}** is no value of {field}.", value=code(one.value), field=title),
        say("It probably means {value}: {about}", value=code(meant.value), about=prose(meant.about or meant.then))
        if meant is not None
        else "",
        say("**{field}** must be one of", field=title) if field.is_closed else "",
        pages.values_list(declared, pages.MOST_VALUES),
        pages.footer(spec),
    )


def _unknown_field_page(context: Context, one: PromptStatement, titles: list[str]) -> str:
    spec = spec_with(context, one.contract, "")
    near = nearest(one.label, titles)
    shown = [field.title or name for name, field in spec.fields.items()]
    more = ", …" if len(shown) > _MOST_TITLES else ""
    return paragraphs(
        say(
            "{name} is not a field{where}. Known fields: {titles}.",
            name=code(one.label),
            where="",
            titles=", ".join(map(code, shown[:_MOST_TITLES])) + more,
        ),
        say("Did you mean {name}?", name=code(near)) if near is not None else "",
        pages.footer(spec),
    )


def _enumeration_page(context: Context, found: Enumeration) -> Hover:
    """The page about the field of a list of values, with those that it leaves out."""
    spec = spec_with(context, found.contract, found.path)
    field = vocabulary_of(context.registry[found.contract]).fields[found.path]
    declared = pages.field_at(spec, found.path) or field.field
    left = [value.value for value in declared.offered if value.value not in found.values]
    page = pages.field_page(spec, found.path, declared)
    body, _, footer = page.rpartition(FOOTER)
    out = say("**Left out here:** {values}", values=", ".join(map(code, left))) if left else ""
    return Hover(found.span, paragraphs(body, out) + FOOTER + footer)


def _lacking(here: InPack, one: PromptStatement) -> list[str]:
    """What no prompt does with a value, where prompts do it with others of its field."""
    if not one.value or one.act == "forbids" or one.path in (MARKER, FILE):
        return []
    all_of_them = here.pack.said.get((one.contract, one.path), ())
    values = {act: {each.statement.value for each in all_of_them if each.statement.act == act} for act in _HERE}
    lines = []
    if values["emits"] - {""} and one.value not in values["emits"]:
        lines.append(say("No prompt has its agent write it."))
    if values["handles"] - {""} and one.value not in values["handles"]:
        lines.append(say("No prompt says how to react to it."))
    return lines
