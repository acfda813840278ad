"""``handoff-lsp explain``: explain a rule, a contract, a profile or a field."""

from __future__ import annotations

import argparse
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator

from handoff_lsp.cli.new import resolver_for
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.usage import CLEAN, UsageError
from handoff_lsp.features.pages.topics import UnknownTopic, listing, page

_WIDEST = 100


def explain(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    registry = resolver_for(arguments, None).registry(None)
    if arguments.list:
        if arguments.name is not None:
            raise UsageError("`--list` takes no name", "explain")
        markdown = listing(registry)
    elif arguments.name is None:
        raise UsageError("give a rule, CONTRACT or CONTRACT.FIELD; `--list` lists all rules and contracts", "explain")
    else:
        try:
            markdown = page(arguments.name, registry).markdown
        except UnknownTopic as error:
            raise UsageError(str(error), "explain") from error
    if arguments.output_format == "markdown":
        _print(markdown)
    else:
        print_page(markdown)
    return CLEAN


def print_page(markdown: str) -> None:
    """Print Markdown of our own as text for a terminal."""
    _print(as_text(markdown, _columns()))


def _print(text: str) -> None:
    sys.stdout.write("\n".join(printable(line) for line in text.split("\n")).rstrip("\n") + "\n")


def _columns() -> int:
    return max(min(shutil.get_terminal_size((_WIDEST, 24)).columns, _WIDEST), 40)


_FENCE = re.compile(r"^(`{3,}|~{3,})")
_ITEM = re.compile(r"^(\s*)([-*]|\d+\.) ")
_CODE = re.compile(r"(`+[^`]+`+)")


def as_text(markdown: str, columns: int) -> str:
    """Markdown of our own as text for a terminal: wrapped, without emphasis, escapes and fences."""
    return re.sub(r"\n{3,}", "\n\n", "\n".join(_as_lines(markdown, columns))).strip("\n")


def _as_lines(markdown: str, columns: int) -> Iterator[str]:
    fence = ""
    paragraph: list[str] = []
    for line in [*markdown.split("\n"), ""]:
        opened = _FENCE.match(line)
        item = _ITEM.match(line)
        if fence or opened or not line.strip() or item or line.startswith(("#", "---", "|")):
            yield from _wrapped(paragraph, columns)
            paragraph = []
        if fence:
            if opened and line.strip() == fence:
                fence = ""
            else:
                yield f"    {line}"
        elif opened:
            fence = opened.group(1)
        elif line.startswith("#"):
            yield _capitals(_plain(line.lstrip("# ")))
        elif line.startswith("---") or not line.strip():
            yield ""
        elif line.startswith("|"):
            yield _plain(line)
        else:
            paragraph.append(line)
    yield from _wrapped(paragraph, columns)


def _wrapped(paragraph: list[str], columns: int) -> Iterator[str]:
    if not paragraph:
        return
    item = _ITEM.match(paragraph[0])
    indent = " " * item.end() if item else ""
    text = " ".join([paragraph[0].rstrip(), *(line.strip() for line in paragraph[1:])])
    yield from textwrap.wrap(
        _plain(text), columns, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _capitals(text: str) -> str:
    """A heading in capitals; code stays as it is."""
    return "".join(part if index % 2 else part.upper() for index, part in enumerate(_CODE.split(text)))


def _plain(text: str) -> str:
    """A line without emphasis and without the backslashes that keep signs from being Markdown; code stays as it is."""
    parts = _CODE.split(text)
    return "".join(
        part if index % 2 else re.sub(r"\\([^\w\s])", r"\1", re.sub(r"(?<!\\)\*\*", "", part))
        for index, part in enumerate(parts)
    )
