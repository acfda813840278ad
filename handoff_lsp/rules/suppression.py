"""Comments that silence findings: ``<!-- handoff-ignore: rule -->`` and its block and file forms.

In YAML front matter they are comments of YAML: ``# handoff-ignore: rule``. In a fence there are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Fix
from handoff_lsp.rules.unused_suppression import RULE as UNUSED
from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.text import Edit, Span, eol_of
from handoff_lsp.text.lazy import lazy_pattern

_COMMENT = lazy_pattern(r"<!--\s*handoff-ignore(?P<form>-block|-file)?\s*(?::(?P<rules>[^>]*?))?\s*-->")
_YAML_COMMENT = lazy_pattern(
    r"(?:^|(?<=[ \t]))#[ \t]*handoff-ignore(?P<form>-block|-file)?[ \t]*(?::(?P<rules>[^#\r\n]*))?", re.M
)


class Suppression:
    """One comment: the rules that it silences and where. ``rules`` is empty if it silences all."""

    def __init__(self, comment: Span, rules: list[tuple[str, Span]], covers: Span) -> None:
        self.comment = comment
        self.rules = rules
        self.covers = covers
        self.used: set[str] = set()

    def silences(self, finding: Finding) -> bool:
        """Whether this comment silences a finding; remembers that it did."""
        if not (self.covers.start <= finding.span.start <= self.covers.end):
            return False
        named = {name for name, _ in self.rules}.intersection(finding.names)
        if self.rules and not named:
            return False
        self.used |= named or {finding.code}
        return True


def read_suppressions(tree: MarkdownTree, handoffs: Iterable[Handoff]) -> list[Suppression]:
    """All suppression comments of a document."""
    handoffs = list(handoffs)
    found = []
    for comment, match in _comments(tree):
        names = []
        for name in re.finditer(r"[\w./-]+", match["rules"] or ""):
            at = match.start("rules") + name.start()
            names.append((name.group(), Span(at, at + len(name.group()))))
        found.append(Suppression(comment, names, _covered(tree, handoffs, comment, match["form"] or "")))
    return found


def _comments(tree: MarkdownTree) -> Iterator[tuple[Span, re.Match[str]]]:
    text, front = tree.source.text, tree.front_matter
    for match in _YAML_COMMENT.finditer(text, front.span.start, front.span.end) if front is not None else ():
        yield Span(match.start(), match.start() + len(match.group().rstrip())), match
    for comment in tree.comments:
        match_here = _COMMENT.match(text, comment.start, comment.end)
        if match_here:
            yield comment, match_here


def _covered(tree: MarkdownTree, handoffs: list[Handoff], comment: Span, form: str) -> Span:
    text, lines = tree.source.text, tree.source.lines
    if form == "-file":
        return Span(0, len(text))
    if form == "-block":
        after = [handoff.span for handoff in handoffs if handoff.span.end >= comment.end]
        return min(after, key=lambda span: span.start) if after else Span(comment.end, comment.end)
    line = lines.line_of(comment.start)
    own = lines.line_span(line)
    alone = (
        not text[own.start : comment.start].strip()
        and not text[comment.end : lines.line_end(lines.line_of(comment.end))].strip()
    )
    if not alone:
        return own
    line = lines.line_of(comment.end) + 1
    while line < lines.count - 1 and not lines.line_text(line).strip():
        line += 1
    line = min(line, lines.count - 1)
    node = tree.block_at(lines.line_end(line))
    # A fence has no comments: one before it applies to all of it.
    return node.span if node is not None and node.kind == "fence" and node.first_line == line else lines.line_span(line)


def apply(findings: list[Finding], suppressions: list[Suppression], *, complete: bool) -> list[Finding]:
    """The findings that no comment silences, and one for every comment that silences nothing.

    Unless the findings are ``complete``, a comment may silence one that is not among them.
    """
    # Every comment is tried, so that each records its use.
    kept = [finding for finding in findings if not sum(item.silences(finding) for item in suppressions)]
    for item in suppressions if complete else ():
        idle = [(name, span) for name, span in item.rules if name not in item.used]
        if not item.rules and not item.used:
            kept.append(_unused(item, say("Unused suppression comment"), item.comment, item.comment))
        elif idle and len(idle) == len(item.rules):
            names = ", ".join(f"`{name}`" for name, _ in idle)
            kept.append(
                _unused(
                    item, say("Unused suppression: no finding of {names} here", names=names), item.comment, item.comment
                )
            )
        else:
            kept.extend(
                _unused(item, say("Unused suppression: no finding of `{name}` here", name=name), span, None)
                for name, span in idle
            )
    return kept


def _unused(item: Suppression, message: str, span: Span, remove: Span | None) -> Finding:
    fixes = (lambda: [Fix(say("Remove the comment"), (Edit(remove, ""),), safe=True)]) if remove is not None else None
    return Finding(UNUSED, None, span, message, fixes=fixes, unnecessary=True)


def ignore_edits(finding: Finding, tree: MarkdownTree, form: str) -> Iterator[Edit]:
    """Edits that may silence a finding, the best one first: ``form`` is "", "-block" or "-file".

    Whether an edit works and breaks nothing shows only when it is applied. Empty where no comment is possible.
    """
    front = tree.front_matter
    inside = front is not None and front.span.start < finding.span.start < front.span.end and form == ""
    words = f"handoff-ignore{form}: {finding.code}"
    comment = f"# {words}" if inside else f"<!-- {words} -->"
    if form == "-file":
        yield from _in_file(finding, tree, comment)
        return
    line = _line_to_comment(finding, tree, form)
    if line is not None:
        lines, text = tree.source.lines, tree.source.text
        start = lines.line_start(line) or int(text.startswith("\ufeff"))
        content = lines.line_text(line)
        indent = content[: len(content) - len(content.lstrip())]
        yield Edit(Span(start, start), f"{indent}{comment}{eol_of(text)}")


def _in_file(finding: Finding, tree: MarkdownTree, comment: str) -> Iterator[Edit]:
    """A comment for the whole file: at its beginning, after required first lines, or at its end."""
    lines, text, eol = tree.source.lines, tree.source.text, eol_of(tree.source.text)
    opening = next((handoff for handoff in _together(finding) if _begins_file(handoff)), None)
    if opening is None:
        front = tree.front_matter
        at = front.span.end if front is not None else int(text.startswith("\ufeff"))
        yield Edit(Span(at, at), f"{eol}{comment}{eol}" if front is not None else f"{comment}{eol}")
    elif opening.node is not None and opening.node.closed:
        at = lines.line_end(lines.line_of(opening.node.span.end))
        yield Edit(Span(at, at), f"{eol}{eol}{comment}")
    ended = "" if text.endswith(("\n", "\r")) else eol
    yield Edit(Span(len(text), len(text)), f"{ended}{eol}{comment}{eol}")


def _line_to_comment(finding: Finding, tree: MarkdownTree, form: str) -> int | None:
    """The line above which a comment applies to a finding or its handoff, else None.

    A fence and a run of ``key: value`` lines have no room for a comment, so it goes before them.
    """
    lines, handoff = tree.source.lines, finding.handoff
    if handoff is not None and _begins_file(handoff):
        return None
    if handoff is not None and handoff.node is not None:
        return lines.line_of(handoff.node.span.start)
    if handoff is not None and handoff.form == "run":
        return lines.line_of(handoff.span.start) if form == "-block" else None
    node = tree.block_at(finding.span.start)
    if node is not None and node.kind == "fence":
        return node.first_line
    inside = node is not None and node.kind in {"code", "table", "html"}
    return lines.line_of(finding.span.start) if not inside else None


def _together(finding: Finding) -> Iterable[Handoff]:
    return finding.handoff.together if finding.handoff is not None else ()


def _begins_file(handoff: Handoff) -> bool:
    return handoff.fence_form is not None and "at-start" in handoff.fence_form.reader
