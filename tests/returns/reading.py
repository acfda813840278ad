"""Returns of agents as data: what an agent said last, what it wrote, and what the hook must make of it.

A file of returns is Markdown: `bad/NAME.md`, `good/NAME.md`. A return is a level 2 heading, words about it, and fences
of four tildes::

    ## The phase ends with a narrative

    From Gentleman-Programming/gentle-ai#3246 (a): what happened there, in our own words.

    ~~~~return sdd-apply missing-handoff
    All eleven tasks are done.
    ~~~~

`return AGENT RULE…` holds the final message and names the rules that must object to it, none for a good return.
`earlier` fences above it hold earlier messages of the same agent, `wrote PATH` fences the files that it wrote, and
`beside PATH` fences other files of the workspace. A `beside` fence above the first heading is there for every return of
the file. The letter in brackets is the row of the pain in the field, so that a count by row can be asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

RETURNS = Path(__file__).parent

_FENCE = re.compile(r"^~~~~(?P<kind>return|earlier|wrote|beside) ?(?P<info>[^\n]*)\n(?P<text>.*?)^~~~~$", re.M | re.S)
_FROM = re.compile(r"^From (?P<source>.+?) \((?P<row>[a-z])\): ", re.M)


@dataclass(frozen=True)
class Return:
    """One return. ``pack`` is the name of its file; texts end without the line break of their last line."""

    name: str
    pack: str
    agent: str
    message: str
    rules: tuple[str, ...] = ()
    source: str = ""
    row: str = ""
    earlier: tuple[str, ...] = ()
    wrote: dict[str, str] = field(default_factory=dict)
    beside: dict[str, str] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """The return's name in the output of a test."""
        return f"{self.pack}: {self.name}"


def read_returns(folder: str) -> list[Return]:
    """All returns of the files of a folder (`bad`, `good`), in order."""
    return [one for path in sorted((RETURNS / folder).glob("*.md")) for one in read_file(path)]


def read_file(path: Path) -> Iterator[Return]:
    """The returns of one file. Raises ``ValueError`` for a return that cannot be read."""
    head, *parts = re.split(r"^## (?=[^\n]*\n)", _outside(path.read_text(encoding="utf-8")), flags=re.M)
    shared = {info: _inside(text) for kind, info, text in _fences(head) if kind == "beside"}
    for part in parts:
        name = part.partition("\n")[0].strip()
        fences = list(_fences(part))
        returned = [(info.split(), text) for kind, info, text in fences if kind == "return"]
        if len(returned) != 1 or not returned[0][0]:
            raise ValueError(f"{path.name}: `{name}` needs one `return AGENT` fence")
        (agent, *rules), message = returned[0]
        told = _FROM.search(part)
        yield Return(
            name,
            path.stem,
            agent,
            _inside(message).removesuffix("\n"),
            tuple(rules),
            told["source"] if told else "",
            told["row"] if told else "",
            tuple(_inside(text).removesuffix("\n") for kind, _, text in fences if kind == "earlier"),
            {info: _inside(text) for kind, info, text in fences if kind == "wrote"},
            shared | {info: _inside(text) for kind, info, text in fences if kind == "beside"},
        )


def _fences(text: str) -> Iterator[tuple[str, str, str]]:
    for fence in _FENCE.finditer(text):
        yield fence["kind"], fence["info"].strip(), fence["text"]


def _outside(text: str) -> str:
    """The text with a mark before each line of a fence, so that no heading in it counts as one of the file."""
    return _FENCE.sub(lambda fence: fence[0].replace("\n", "\n\0").replace("\n\0~~~~", "\n~~~~"), text)


def _inside(text: str) -> str:
    return text.replace("\0", "")
