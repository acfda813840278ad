"""Runs of ``key: value`` lines that are handoffs: in running text, in fences, in comments."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial

from handoff_lsp.contracts.model import RUN_TAGS, Content, Field, RunForm
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.contracts.spec import NameTable
from handoff_lsp.recognition.candidate import Candidate
from handoff_lsp.recognition.evidence import Evidence, best_of, met_by
from handoff_lsp.recognition.fences import fence_json, fence_keys
from handoff_lsp.recognition.signs import is_said
from handoff_lsp.syntax.lines.keyvalue import key_names, read_pairs
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Node
from handoff_lsp.syntax.markdown.tree import label_keys
from handoff_lsp.text import Fragment, Span
from handoff_lsp.text.lazy import lazy_pattern

# The length limit of a run with an opening key, in lines.
_MOST_LINES = 500
# The most blocks without a label between two labels of one run. The higher limit needs a label that may have a longer
# text, and no repeated label.
_MOST_BETWEEN = 2
_MOST_BETWEEN_NEW = 6
_BETWEEN = frozenset({"paragraph", "list", "quote", "html", "table", "fence"})
# A fence with this many fields is a handoff of its own.
_OWN_FIELDS = 3
# The blocks in whose lines no run begins.
_NO_RUN = frozenset({"code", "html", "front-matter", "table", "row"})
# The blocks that end a run.
_ENDS_RUN = _NO_RUN | {"heading", "fence", "rule"}
_PLACEHOLDER = lazy_pattern(r"[{<].*[}>]")
_LEAD = lazy_pattern(r"[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?")
# The end of the first words of a value, such as those of `None (as before)`.
_FIRST_WORDS_END = lazy_pattern(r"[.,;:(（。、—–]|[ \t]-[ \t]")
_BLANK_LINE = lazy_pattern(r"(?>\r\n|\r|\n)[ \t]*(?:\r\n|\r|\n)")


def find_runs(tree: MarkdownTree, entry: ContractEntry, run: RunForm, *, named: bool) -> Iterable[Candidate]:
    """The runs of a document that are a contract's. ``named``: the document or the config names the contract."""
    names = entry.names
    if run.comment:
        yield from _in_comments(tree, entry, run)
    elif run.first_line:
        yield from _between_lines(tree, entry, run)
    elif run.opening_field:
        yield from _opened(tree, entry, run, names)
    else:
        for evidence, found in label_evidence(tree, entry, run):
            if named or evidence.suffices:
                yield _labelled_run(tree, evidence, found)


def _known(keys: Iterable[str], names: NameTable) -> set[str]:
    return {found for key in keys if (found := names.folded.get(fold_name(key))) is not None}


def label_evidence(tree: MarkdownTree, entry: ContractEntry, run: RunForm) -> Iterator[tuple[Evidence, set[str]]]:
    """The evidence for runs in places where labels name root fields, and the fields that are named."""
    if "text" in run.within:
        for group, found in _groups(tree, entry):
            blocks = range(group[0], group[-1] + 1)
            text, span = tree.source.text, Span(tree.block_start(group[0]), tree.block(group[-1]).span.end)
            says = partial(_says, entry, text, span)
            ways = [Evidence(entry, "run", blocks, found.__contains__, says, asked) for asked in run.holds]
            yield best_of(ways), found
    if "fence" in run.within:
        for node, found in _labelled_fences(tree, entry.names):
            ways = [_fence_evidence(node, entry, found, asked) for asked in run.holds]
            yield best_of(ways), found


def _fence_evidence(node: Node, entry: ContractEntry, found: set[str], asked: Content) -> Evidence:
    text = node.fragment().text
    says = partial(_says, entry, text, Span(0, len(text)))
    return Evidence(entry, "run", node, found.__contains__, says, asked)


def _says(entry: ContractEntry, text: str, span: Span, name: str, pattern: str) -> bool:
    """Whether a field has a value that matches in the lines of a run."""
    field = entry.contract.fields.get(name)
    pairs = (pair for pair in read_pairs(text, span) if entry.names.folded.get(fold_name(pair.key_text)) == name)
    return any(is_said(pair.value_text.strip(" `*_\"'"), pattern, field) for pair in pairs)


def _is_asked_for(entry: ContractEntry, run: RunForm, text: str) -> bool:
    """Whether a text has what one of the ways asks for, if there are any."""
    whole = Span(0, len(text))
    known = _known((pair.key_text for pair in read_pairs(text, whole)), entry.names)
    says = partial(_says, entry, text, whole)
    return not run.holds or any(met_by(asked, known.__contains__, says) for asked in run.holds)


def _groups(tree: MarkdownTree, entry: ContractEntry) -> Iterator[tuple[list[int], set[str]]]:
    """Groups of labeled blocks with little between them, and the root fields that they name."""
    group: dict[int, frozenset[str]] = {}
    for index, known in [*tree.of_blocks(_labelled_with(entry.names)), (-1, frozenset[str]())]:
        is_new = all(known.isdisjoint(found) for found in group.values())
        if group and (index < 0 or not _go_together(tree, entry, next(reversed(group)), index, new=is_new)):
            for blocks in _without_lead(tree, list(group), group, entry.contract.status):
                yield blocks, set().union(*(group[each] for each in blocks))
            group = {}
        group[index] = known


def _without_lead(
    tree: MarkdownTree, blocks: list[int], known: Mapping[int, frozenset[str]], status: str
) -> Iterator[list[int]]:
    """Split a group after the quotes at its beginning, unless only these have the status."""
    lead = next((at for at, index in enumerate(blocks) if tree.greens[index].kind != "quote"), 0)
    with_status = [at for at, index in enumerate(blocks) if status in known[index]]
    if lead and (not with_status or with_status[-1] >= lead):
        yield blocks[:lead]
        blocks = blocks[lead:]
    yield blocks


@once_per_field
def _labelled_with(names: NameTable) -> Callable[[MarkdownTree, int], frozenset[str] | None]:
    """A function that returns the fields that the labels of a block name; None if they name none."""
    return lambda tree, index: frozenset(_known(_keys_of(tree, index), names)) or None


def _keys_of(tree: MarkdownTree, index: int) -> tuple[str, ...]:
    """The keys of the labels in a block. To Markdown, labels right below a table are its last rows."""
    if tree.greens[index].kind == "table":
        return tree.block(index).once(_keys_in_rows)
    return label_keys(tree, index) or ()


def _keys_in_rows(table: Node) -> tuple[str, ...]:
    text = table.text
    return key_names(text[text.rfind("|") + 1 :])


def _go_together(tree: MarkdownTree, entry: ContractEntry, one: int, other: int, *, new: bool) -> bool:
    between = range(one + 1, other)
    if len(between) > (_MOST_BETWEEN_NEW if new else _MOST_BETWEEN):
        return False
    if len(between) > _MOST_BETWEEN and not _goes_on(tree, entry, one):
        return False
    return all(_may_be_value(tree, entry.names, index) for index in between)


def _goes_on(tree: MarkdownTree, entry: ContractEntry, index: int) -> bool:
    """Whether the value of the last label in a block may go on below it: not a word such as `success` or `None`."""
    pairs = read_pairs(tree.source.text, tree.block(index).span)
    known = [(field, pair.value_text) for pair in pairs if (field := _field_of(entry, pair.key_text)) is not None]
    if not known:
        return True
    field, text = known[-1]
    value = _FIRST_WORDS_END.split(text, maxsplit=1)[0].strip(" *_`").casefold()
    return not value or not (field.kind.is_choice or value in map(str.casefold, entry.contract.empty_words))


def _field_of(entry: ContractEntry, key: str) -> Field | None:
    """The root field that a key names."""
    return entry.contract.fields.get(entry.names.folded.get(fold_name(key), ""))


def _may_be_value(tree: MarkdownTree, names: NameTable, index: int) -> bool:
    """Whether a block may be the value of the label above it."""
    kind = tree.greens[index].kind
    if kind != "fence":
        return kind in _BETWEEN
    fence = tree.block(index)
    return fence.closed and len(_known(_keys_in_fence(fence), names)) < _OWN_FIELDS


def _keys_in_fence(fence: Node) -> tuple[str, ...]:
    """The keys of a fence, which may be JSON."""
    if fence.fragment().text.lstrip().startswith("{"):
        root = fence_json(fence).root
        return tuple(str(member.key.value) for member in root.members) if root is not None else ()
    return fence_keys(fence)


def _labelled_run(tree: MarkdownTree, evidence: Evidence, found: set[str]) -> Candidate:
    entry, place = evidence.entry, evidence.place
    reasons = (_labels(entry, found),)
    if not isinstance(place, range):
        assert isinstance(place, Node), "labels are in blocks or in a fence"
        return Candidate(entry, "run", place.span, reasons, place, fragment=place.fragment())
    text = tree.source.text
    first, last = tree.block(place[0]), tree.block(place[-1])
    # The value of the last label may continue in the list below; that of an empty label begins there.
    following = place.stop
    ends_open = text[first.span.start : last.span.end].rstrip().endswith((":", "：", ":**"))
    kind = tree.greens[following].kind if following < len(tree.greens) else ""
    if kind == "list" and not ends_open:
        apart = text[last.span.end : tree.block_start(following)].strip(" \t") not in {"", "\n", "\r", "\r\n"}
        ends_open = not apart or _goes_on(tree, entry, place[-1])
    if ends_open and kind not in {"", "html"} and _may_be_value(tree, entry.names, following):
        last = tree.block(following)
    start = tree.source.lines.line_start(tree.source.lines.line_of(first.span.start))
    span = Span(max(start, int(text.startswith("\ufeff"))), last.span.end)
    return Candidate(entry, "run", span, reasons, fragment=Fragment(text, [span]))


def _labels(entry: ContractEntry, found: set[str]) -> str:
    fields = entry.contract.fields
    return "the labels " + ", ".join(fields[name].title for name in fields if name in found)


def _labelled_fences(tree: MarkdownTree, names: NameTable) -> Iterator[tuple[Node, set[str]]]:
    """The fences with labels of root fields, and the fields that are named."""
    for node in tree.fences():
        if node.info.partition(" ")[0].lower() in RUN_TAGS:
            found = _known(fence_keys(node), names)
            if found:
                yield node, found


def _in_comments(tree: MarkdownTree, entry: ContractEntry, run: RunForm) -> Iterator[Candidate]:
    text = tree.source.text
    opening = re.compile(rf"<!--\s*{re.escape(run.comment)}(?=\s|-->|$)")
    for span in tree.comments:
        found = opening.match(text, span.start, span.end)
        if found:
            closed = text.endswith("-->", found.end(), span.end)
            # The author did not mean the text below the first blank line of an unclosed comment to be in it.
            blank = None if closed else _BLANK_LINE.search(text, found.end(), span.end)
            end = span.end - 3 if closed else blank.start() if blank else span.end
            fragment = Fragment(text, [Span(found.end(), end)])
            # A closed comment without the contract's names only mentions such comments.
            if not closed or _is_asked_for(entry, run, fragment.text):
                yield Candidate(entry, "run", span, (f"a comment `{run.comment}`",), fragment=fragment)


def _between_lines(tree: MarkdownTree, entry: ContractEntry, run: RunForm) -> Iterator[Candidate]:
    """Runs between two lines of their own. Without the last one, a run ends before a blank line or a heading."""
    text, lines = tree.source.text, tree.source.lines
    end = 0
    at = text.find(run.first_line) if tree.source.holds(run.first_line) else -1
    while at >= 0:
        first = lines.line_of(at)
        node = tree.block_at(at)
        fence = node if node is not None and node.kind == "fence" else None
        if at >= end and lines.line_text(first).strip("\ufeff \t") == run.first_line and _may_hold(run, node):
            last, closed = _last_line(tree, first, run, fence)
            whole = Span(at, max(lines.line_end(last), at))
            start = lines.line_start(first + 1) if first + 1 < lines.count else len(text)
            inside = Span(start, max(lines.line_start(last) if closed else whole.end, start))
            pieces = [inside]
            if fence is not None:
                body = fence.fragment()
                pieces = body.pieces(body.inner(inside.start), body.inner(inside.end)) or [inside]
            fragment = Fragment(text, pieces)
            if _is_asked_for(entry, run, fragment.text):
                end = whole.end
                yield Candidate(entry, "run", whole, (f"a line {run.first_line}",), fragment=fragment)
        at = text.find(run.first_line, at + len(run.first_line))


def _may_hold(run: RunForm, node: Node | None) -> bool:
    """Whether a run may begin in a block."""
    if node is None or node.kind != "fence":
        return "text" in run.within and (node is None or node.kind not in _NO_RUN)
    return "fence" in run.within and node.info.partition(" ")[0].lower() in RUN_TAGS


def _last_line(tree: MarkdownTree, first: int, run: RunForm, fence: Node | None) -> tuple[int, bool]:
    """The last line of a run after its first one, and whether it ends the run."""
    lines = tree.source.lines
    limit = min(first + _MOST_LINES, lines.count)
    if fence is not None:
        limit = min(limit, lines.line_of(fence.content.end) + (fence.closing is None))
    open_end = 0
    for number in range(first + 1, limit):
        line = lines.line_text(number).strip()
        if line == run.last_line and line:
            return number, True
        if line == run.first_line or (fence is None and line.startswith(("```", "~~~"))):
            return open_end or number - 1, False
        if not open_end and (not line or line.startswith("#")):
            if not run.last_line:
                return number - 1, False
            open_end = number - 1
    return open_end or limit - 1, False


def _opened(tree: MarkdownTree, entry: ContractEntry, run: RunForm, names: NameTable) -> Iterator[Candidate]:
    """Runs that begin with the opening key, at the beginning of any line."""
    field = entry.contract.fields[run.opening_field]
    title, text = field.title, tree.source.text
    fences: dict[int, list[int]] = {}
    at, end = text.find(title) if tree.source.holds(title) else -1, 0
    while at >= 0:
        if at >= end and _opens_line(tree, at, run, names):
            node = tree.block_at(at)
            if node is not None and node.kind == "fence":
                if "fence" in run.within and node.info.partition(" ")[0].lower() in RUN_TAGS:
                    fences.setdefault(node.span.start, []).append(at)
            elif node is not None and node.kind not in _NO_RUN:
                pieces = _extent(tree, at, run, names) if "text" in run.within else []
                if pieces:
                    end = pieces[-1].end
                    whole = Span(pieces[0].start, end)
                    yield Candidate(entry, "run", whole, (f"a line {title}:",), fragment=Fragment(text, pieces))
        at = text.find(title, at + len(title))
    for node in tree.fences() if fences else ():
        if node.span.start in fences:
            yield from _parts(node, entry, title, [node.fragment().inner(start) for start in fences[node.span.start]])


def _opens_line(tree: MarkdownTree, at: int, run: RunForm, names: NameTable) -> bool:
    """Whether an opening key begins its line, with at most one word or a placeholder after it."""
    text, lines = tree.source.text, tree.source.lines
    span = lines.line_span(lines.line_of(at))
    pairs = read_pairs(text, Span(max(span.start, int(text.startswith("\ufeff"))), span.end))
    if not pairs or pairs[0].key.start != at or names.folded.get(fold_name(pairs[0].key_text)) != run.opening_field:
        return False
    value = pairs[0].value_text.strip("`*_ ")
    return len(value.split()) <= 1 or bool(_PLACEHOLDER.fullmatch(value))


def _parts(node: Node, entry: ContractEntry, title: str, starts: list[int]) -> Iterator[Candidate]:
    """The runs in one fence: each up to the next one's opening key or a line of dashes between them."""
    fragment = node.fragment()
    text, outer = fragment.text, node.source.text
    for start, after in zip(starts, [*starts[1:], len(text)], strict=True):
        start = text.rfind("\n", 0, start) + 1
        after = text.rfind("\n", 0, after) + 1 if after < len(text) else after
        pieces = fragment.pieces(start, after)
        alone = len(starts) == 1 or not pieces
        span = node.span if alone else Span(pieces[0].start, pieces[-1].end)
        yield Candidate(entry, "run", span, (f"a line {title}:",), node, fragment=Fragment(outer, pieces))


def _extent(tree: MarkdownTree, at: int, run: RunForm, names: NameTable) -> list[Span]:
    """The extent of a run in running text, in pieces; empty if no key follows its opening.

    It is one piece, except for a run in a list item: there, each line without its indentation is a piece.
    """
    lines, text = tree.source.lines, tree.source.text
    first = lines.line_of(at)
    indent = _indent(tree, at)
    pieces = [Span(at if indent else lines.line_start(first), lines.line_end(first))]
    keys, closed, blank, through = 0, False, False, 0
    for line in range(first + 1, min(first + _MOST_LINES, lines.count)):
        span = lines.line_span(line)
        if not text[span.start : span.end].strip():
            blank = True
            continue
        if text[span.start : span.start + indent].strip():
            break
        span = Span(span.start + indent, span.end)
        words = text[span.start : span.end]
        nested = words[0] in " \t-*+" and not closed
        pairs = read_pairs(text, span)
        known = names.folded.get(fold_name(pairs[0].key_text)) if pairs and not words[0].isspace() else None
        own = bool(pairs) and (known is not None or pairs[0].key_text.isupper())
        if known == run.opening_field or closed:
            break
        if line > through and not own and (not nested or (blank and not words[0].isspace())):
            through = _closing_line(tree, at, line, run, names, blank=blank) if keys else 0
            if not through:
                break
        keys += own
        closed = known == run.closing_field and bool(run.closing_field)
        blank = False
        if indent:
            pieces[-1] = Span(pieces[-1].start, lines.line_start(line))
            pieces.append(span)
        else:
            pieces = [Span(pieces[0].start, span.end)]
    return pieces if keys else []


def _closing_line(tree: MarkdownTree, at: int, first: int, run: RunForm, names: NameTable, *, blank: bool) -> int:
    """The line of a run's closing key below a line that is no key of the run; 0 without one.

    Below a blank line only a pair continues the run. A heading, a fence, a table and the edge of a quote end it.
    ``blank``: whether there is a blank line above the first one.
    """
    lines, text = tree.source.lines, tree.source.text
    indent, quoted = _indent(tree, at), text.startswith(">", lines.line_start(lines.line_of(at)))
    for line in range(first, min(first + _MOST_LINES, lines.count)) if run.closing_field else ():
        span = lines.line_span(line)
        if not text[span.start : span.end].strip("> \t"):
            blank = True
            continue
        block = tree.block_at(span.end)
        pairs = read_pairs(text, span)
        ended = block is None or block.kind in _ENDS_RUN or text.startswith(">", span.start) != quoted
        if ended or text[span.start : span.start + indent].strip() or (blank and not pairs):
            return 0
        known = names.folded.get(fold_name(pairs[0].key_text)) if pairs else None
        if known == run.opening_field:
            return 0
        if known == run.closing_field and not text[span.start + indent].isspace():
            return line
        blank = False
    return 0


def _indent(tree: MarkdownTree, at: int) -> int:
    """The indentation, in code points, of the lines of a run that begins after a bullet or blanks; else 0."""
    lines, text = tree.source.lines, tree.source.text
    first = lines.line_of(at)
    lead = text[lines.line_start(first) : at]
    if not lead or not _LEAD.fullmatch(lead) or first + 1 >= lines.count:
        return 0
    start = lines.line_start(first + 1)
    return 0 if text[start : start + len(lead)].strip() else len(lead)
