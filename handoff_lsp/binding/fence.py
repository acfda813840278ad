"""The faults of a handoff's fence, as its contract's reader sees it."""

from __future__ import annotations

from handoff_lsp.contracts.model import Fence
from handoff_lsp.language import later, say, translated
from handoff_lsp.syntax.lines.flat import BLANKS
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Node
from handoff_lsp.syntax.markdown.line_fences import MARKER, line_fence_at
from handoff_lsp.text import Fragment, Span
from handoff_lsp.text.named_tuple import NamedTuple


class FenceFault(NamedTuple):
    """The reason why a reader ignores a fence, its place, and the replacement of ``span`` that corrects it, if any."""

    kind: str
    span: Span
    message: str
    replacement: str | None


def find_fence_faults(
    node: Node,
    tree: MarkdownTree,
    body: Fragment | None,
    fence: Fence,
    *,
    tagged: bool,
    example: bool = False,
    is_json: bool = False,
) -> list[FenceFault]:
    """All faults for which the contract's reader ignores a fence of the tree.

    ``tagged``: the contract was recognized by the fence's tag. ``body`` is its content, None if it was not read;
    ``is_json``: the content is JSON, but the contract wants lines. An ``example`` may be anywhere.
    """
    words = node.info.split()
    word = words[0] if words else ""
    faults: list[FenceFault] = []
    lines = node.source.lines
    opening = Span(node.opening.start, node.opening.start + len(node.marker))
    early = _not_first(node, tree) if "at-start" in fence.reader and not example else None
    if early is not None:
        faults.append(early)
    if is_json:
        message = say("The envelope is JSON, but its reader takes `key: value` lines")
        faults.append(FenceFault("json", opening, message, None))
    elif not tagged:
        if fence.tags.get(word.lower()) != "shared":
            span = node.info_span if node.info else node.opening
            replacement = fence.tag if node.info else node.marker + fence.tag
            faults.append(
                FenceFault(
                    "tag",
                    span,
                    _tag_message(fence, node.info),
                    replacement,
                )
            )
    elif word != fence.tag and fence.tags.get(word) != "own":
        faults.append(
            FenceFault(
                "tag",
                node.info_span,
                say("The fence is tagged `{info}`, not `{tag}`", info=node.info, tag=fence.tag),
                fence.tag,
            )
        )
    elif "with-info" not in fence.reader and (len(words) > 1 or node.info_span.start != opening.end):
        faults.append(
            FenceFault(
                "info",
                Span(opening.end, node.info_span.end),
                say("The fence's info line must be `{tag}` alone", tag=fence.tag),
                fence.tag,
            )
        )
    cut = "cut" in fence.reader
    tilde_or_long = node.marker[0] != MARKER[0] or (node.marker != MARKER and not cut)
    if "backticks" in fence.reader and tilde_or_long:
        message = _wrong_marker(node.marker)
        faults.append(FenceFault("marker", opening, message, None))
    before = Span(lines.line_start(lines.line_of(node.opening.start)), node.opening.start).of(node.source.text)
    if early is not None:
        pass  # once it is moved to its place, nothing surrounds it
    elif ">" in before:
        faults.append(
            FenceFault("quoted", opening, say("The fence is in a quote, whose marks become part of the block"), None)
        )
    elif "unindented" in fence.reader and before not in ("", "\ufeff"):
        faults.append(
            FenceFault(
                "indented",
                opening,
                say("The fence is not at the beginning of its line"),
                None,
            )
        )
    ending = _closing_line(node).strip() if early is not None else _closing_line(node)
    if "unindented" in fence.reader and node.closing is not None and ending != MARKER:
        message = say("The closing line must be {marker} alone, at the beginning of its line", marker=MARKER)
        faults.append(FenceFault("closing", node.closing, message, None))
    if fence.by_line:
        faults += _bare_faults(node, fence) if "bare" in fence.reader and word == fence.tag else []
        faults += [] if faults or example or _is_seen(node, tree, fence) else [_unseen(node, tree, fence, before)]
    if cut and body is not None:
        at = body.text.find(MARKER)
        if at >= 0:
            message = say("`{marker}` inside the block: the reader ends the block here", marker=MARKER)
            faults.append(FenceFault("cut", body.outer_span(at, at + len(MARKER)), message, None))
    return faults


def _wrong_marker(marker: str) -> str:
    """The message about a fence of tildes, or of more backticks than its reader accepts."""
    used = f"`{marker}`" if marker[0] != MARKER[0] else say("{number} backticks", number=len(marker))
    return say("The fence uses {marker}, but its reader accepts only three backticks", marker=used)


def _bare_faults(node: Node, fence: Fence) -> list[FenceFault]:
    """The blanks around a fence's lines, for a reader that accepts none."""
    faults = []
    text, lines = node.source.text, node.source.lines
    first = lines.line_span(lines.line_of(node.opening.start))
    if first.end > node.opening.end and not text[node.opening.end : first.end].strip(BLANKS):
        message = say("Blanks follow `{tag}` on the opening line", tag=fence.tag)
        faults.append(FenceFault("blanks", Span(node.opening.end, first.end), message, ""))
    if node.closing is not None:
        start = lines.line_start(lines.line_of(node.closing.start))
        if start < node.closing.start:
            message = say("The closing line of the fence is indented")
            faults.append(FenceFault("blanks", Span(start, node.closing.start), message, ""))
    return faults


def _is_seen(node: Node, tree: MarkdownTree, fence: Fence) -> bool:
    """Whether a reader that goes line by line sees the same fence as Markdown, with the same end."""
    one = line_fence_at(tree, node.opening.start)
    closing = None if one is None or one.closing is None else one.closing.start
    ends = node.closing.start if node.closing is not None else None
    return one is not None and one.depth == 0 and one.tag == fence.tag and closing == ends


def _unseen(node: Node, tree: MarkdownTree, fence: Fence, before: str) -> FenceFault:
    """Why a reader that goes line by line misses a fence of the Markdown tree, or misses its end."""
    text, one = node.source.text, line_fence_at(tree, node.opening.start)
    if one is not None and one.tag == fence.tag and node.closing is not None:
        return FenceFault(
            "end", node.closing, say("The closing line of the fence must be three backticks alone"), MARKER
        )
    opening = Span(node.opening.start, node.opening.start + len(node.marker))
    if before.startswith("\ufeff"):
        return FenceFault("mark", Span(0, 1), say("A byte order mark precedes the fence"), "")
    if before.strip():
        return FenceFault("item", opening, say("The fence is in a list; only blanks may precede it on its line"), None)
    if node.marker != MARKER:
        message = _wrong_marker(node.marker)
        return FenceFault("marker", opening, message, None)
    if "\n" not in text[: node.span.end]:
        return FenceFault(
            "ends", opening, say("The reader does not support lines that end in a lone carriage return"), None
        )
    return FenceFault(
        "inside", opening, say("For a reader that goes line by line, an earlier fence is still open here"), None
    )


def _tag_message(fence: Fence, info: str) -> str:
    """The message about a fence with another tag, or with none."""
    if not info and fence.tag_decides:
        return say("This block has the keys of `{tag}`, but its fence has no tag", tag=fence.tag)
    if not info:
        return say("The fence has no tag; it must be tagged `{tag}`", tag=fence.tag)
    if fence.tag_decides:
        return say("This block has the keys of `{tag}`, but its fence is tagged `{info}`", tag=fence.tag, info=info)
    return say("The fence is tagged `{info}`, not `{tag}`", info=info, tag=fence.tag)


def _not_first(node: Node, tree: MarkdownTree) -> FenceFault | None:
    """The fault of a fence that should begin its document but does not; None if it does."""
    text = node.source.text
    before = text[: node.opening.start].strip(BLANKS)
    if not before:
        return None
    if before == "\ufeff":
        message = say("A byte order mark precedes the envelope, which must come first")
        return FenceFault("mark", Span(0, 1), message, "")
    first = next(iter(tree.blocks))
    if first.kind == "front-matter":
        lines = node.source.lines
        message = say("YAML front matter precedes the envelope, which must come first")
        return FenceFault("front-matter", lines.line_span(lines.line_of(first.span.start)), message, None)
    kind = _BLOCKS.get(first.kind, _BLOCKS["block"])
    if first.kind == "html" and first.text.startswith("<!--"):
        kind = _BLOCKS["comment"]
    message = say("A {kind} precedes the envelope, which must come first", kind=translated(kind))
    return FenceFault("not-first", node.opening, message, None)


_BLOCKS = {
    "heading": later("heading"),
    "paragraph": later("paragraph"),
    "list": later("list"),
    "table": later("table"),
    "quote": later("quote"),
    "fence": later("fence"),
    "comment": later("comment"),
    "block": later("block"),
}


def _closing_line(node: Node) -> str:
    """The line that closes a fence as it is written, without blanks at its end."""
    lines = node.source.lines
    return lines.line_text(lines.line_of(node.closing.start)).rstrip() if node.closing is not None else ""
