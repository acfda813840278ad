"""What was made of a document, kept as long as neither its text nor its config changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.kinds import Kind
from handoff_lsp.engine import MAX_LENGTH
from handoff_lsp.names.mentions import Mention, all_mentions
from handoff_lsp.text import Source
from handoff_lsp.workspace.known_files import Files, State

T = TypeVar("T")

_JOINTS = re.compile(r"[\s_-]+")


class Made(NamedTuple):
    """What was made of a document in a state, by what made it."""

    state: State
    results: dict[object, object]

    def result(self, make: Callable[[Source, Sequence[Handoff]], T], full: str, files: Files) -> T | None:
        """What a function makes of it, made once; None where the file cannot be read."""
        if make not in self.results:
            read = files.read(full)
            self.results[make] = make(read.source, read.handoffs) if read.source is not None else None
        return self.results[make]  # type: ignore[return-value]

    def bare_text(self, full: str, files: Files) -> str | None:
        """Its text as words are looked for in it; None where the file cannot be read."""
        if bare not in self.results:
            source = files.read(full).source
            fits = source is not None and len(source) <= MAX_LENGTH
            self.results[bare] = bare(source.text) if source is not None and fits else None
        return self.results[bare]  # type: ignore[return-value]


def bare(text: str) -> str:
    """A text without what joins words, and without case, so that a name is found in it however it is spelled."""
    return _JOINTS.sub("", text.casefold())


class Mentions:
    """Makes the mentions of a document, by the kinds of names that are known for it."""

    def __init__(self, kinds: Mapping[str, Kind]) -> None:
        self._kinds = kinds

    def __call__(self, source: Source, handoffs: Sequence[Handoff]) -> Sequence[tuple[Mention, Source]]:
        return [(mention, source) for mention in all_mentions(source, handoffs, self._kinds)]
