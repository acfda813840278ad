"""Random edits of a text, most of them such as people and agents make."""

from __future__ import annotations

import random
from typing import NamedTuple

from handoff_lsp.text import Span

_PIECES = (
    *("\n", "\n\n", "\r\n", "\r", " ", "  ", "\t", "#", "## ", "# ", "- ", "- [ ] ", "> ", "|", "| --- |\n", ":", ": "),
    *("```", "```yaml\n", "```json\n", "~~~\n", "<!-- ", "-->", "<!-- handoff: status-block -->\n", "{", "}", "[", "]"),
    *(",", '"', "'", "\\", "null", "true", "0", "-1", '{"type": "x"}', "<…>", "<a | b>", "complete", "blocked", "…"),
    *(
        "\u2028",
        "\u00a0",
        "\ufeff",
        "\u0085",
        "語",
        "🙂",
        "é",
        "e\u0301",
        "\0",
        "\x0c",
        "**",
        "`",
        "_",
        "---\n",
        "===\n",
    ),
)


class Mutation(NamedTuple):
    """The replacement of a span."""

    span: Span
    text: str


def mutation(text: str, others: list[str], chance: random.Random) -> Mutation:
    """An edit: letters, lines or pieces that are deleted, doubled, moved, or come from elsewhere."""
    start = chance.randint(0, len(text))
    kind = chance.randrange(8)
    if kind == 0:  # a letter is missing
        return Mutation(Span(start, min(start + 1, len(text))), "")
    if kind == 1:  # a piece of syntax more
        return Mutation(Span(start, start), chance.choice(_PIECES))
    if kind == 2:  # a word less, or more
        end = min(len(text), start + chance.randint(1, 30))
        return Mutation(Span(start, end), "")
    if kind == 3:  # one letter for another
        return Mutation(Span(start, min(start + 1, len(text))), chance.choice(_PIECES))
    line, end = _line(text, start)
    if kind == 4:  # a line less
        return Mutation(Span(line, end), "")
    if kind == 5:  # a line twice
        return Mutation(Span(end, end), text[line:end])
    if kind == 6:  # lines of another document
        other = chance.choice(others)
        first, _ = _line(other, chance.randint(0, len(other)))
        return Mutation(Span(line, line), other[first : first + chance.randint(1, 200)])
    # a copy of a part at a second place
    first = chance.randint(0, len(text))
    return Mutation(Span(start, start), text[first : first + chance.randint(1, 60)])


def _line(text: str, offset: int) -> tuple[int, int]:
    end = text.find("\n", offset)
    return text.rfind("\n", 0, offset) + 1, len(text) if end < 0 else end + 1
