"""What was found out, and whether it is still true: the one place that decides so.

A result is kept with all that it was made from: the questions that were asked and the revision (anything that changes
with what it stands for) that each had as its answer. It holds while the same questions have the same answers. Nothing
is thrown away because of an event: an event only says what changed, and what depends on it is verified when it is next
asked for. The disk, which says nothing by itself, is asked again after a moment.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Hashable
from contextlib import suppress
from typing import Any, Generic, NamedTuple, TypeVar, cast

T = TypeVar("T")

# How long (in seconds) an answer of the disk is trusted, or for so many times as long as it took to find it.
TRUSTED_FOR = 0.5
PATIENCE = 20

# Answers of the disk that are kept.
MAX_LOOKS = 20_000


class Reads:
    """What a result was made from: questions, each with the revision that was its answer."""

    __slots__ = ("_answers", "texts")

    def __init__(self) -> None:
        self._answers: dict[tuple[Callable[..., object], tuple[Hashable, ...]], object] = {}
        self.texts: set[str] = set()  # the files whose texts had a part

    def ask(self, question: Callable[..., T], *about: Hashable) -> T:
        """The answer to a question, on which the result depends from now on."""
        answer = question(*about)
        self._answers[question, about] = answer
        return answer

    def hold(self) -> bool:
        """Whether every question would have the same answer now."""
        for (question, about), answer in self._answers.items():
            now = question(*about)
            if now is not answer and now != answer:
                return False
        return True


_NOTHING = Reads()


class Result(NamedTuple, Generic[T]):
    """A result, the one revision that its caller knew, and what it was made from besides."""

    value: T
    revision: object
    reads: Reads


class Results:
    """The newest results of each kind about one thing, such as a file."""

    def __init__(self) -> None:
        self._newest: dict[Hashable, Result[Any]] = {}

    def at(self, kind: Hashable, revision: object, make: Callable[[], T]) -> T:
        """A result that depends on one revision alone, which the caller knows."""
        known = self._newest.get(kind)
        if known is None or known.revision != revision:
            known = self._newest[kind] = Result(make(), revision, _NOTHING)
        return cast("T", known.value)

    def of(self, kind: Hashable, revision: object, make: Callable[[Reads], T]) -> T:
        """A result that depends on that and on whatever ``make`` asks."""
        known = self._newest.get(kind)
        if known is None or known.revision != revision or not known.reads.hold():
            reads = Reads()
            known = self._newest[kind] = Result(make(reads), revision, reads)
        return cast("T", known.value)

    def newest(self, kind: Hashable) -> Result[Any] | None:
        """A result as it was last made, whether it still holds or not."""
        return self._newest.get(kind)

    def forget(self, kind: Hashable) -> None:
        """Make a result anew when it is next asked for."""
        self._newest.pop(kind, None)


class _Answer(NamedTuple):
    """An answer of the disk, when it was found, and until when it is trusted."""

    found: float
    until: float
    value: object


class Memo:
    """Answers of the disk and results about files. One for a session or a run."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.revision = 0  # grows when anything on disk, of the configs or of the settings may have changed
        self.made = 0  # how many results that are taken for true have been made
        self._answers: dict[tuple[Hashable, ...], _Answer] = {}
        self._about: dict[str, Results] = {}
        self._sure: dict[str, Result[Any]] = {}  # by file; the revision is that at which it was last verified
        self._readers: dict[str, set[str]] = {}  # by file: those whose sure result was made from its text

    # events

    def disk_changed(self) -> None:
        """Anything on disk may have changed, or what it is read by: verify each result when it is next used."""
        self.revision += 1
        self._answers.clear()

    def changed(self, full: str) -> bool:
        """The text of a file changed: verify what was made from it. Whether a result about another file was."""
        self._forget(full)
        readers = self._readers.get(self.real(full), ())
        for reader in readers:
            self._sure[reader] = self._sure[reader]._replace(revision=-1)
        return bool(readers)

    # answers and results

    def real(self, full: str) -> str:
        """Where a path leads by its links, which need not be there."""
        return self.look(os.path.realpath, full) or full

    def look(self, question: Callable[..., T], *about: Hashable, patience: float = PATIENCE) -> T | None:
        """What a question about the disk has as its answer, asked again after a moment; None where it fails."""
        key, now = (question, about), self.clock()
        known = self._answers.get(key)
        if known is not None and now < known.until:
            return cast("T | None", known.value)
        value = None
        with suppress(OSError, ValueError):
            value = question(*about)
        done = self.clock()
        self._note(key, value, done, max(TRUSTED_FOR, (done - now) * patience))
        return value

    def note(self, key: tuple[Hashable, ...], value: object) -> None:
        """Take note of an answer that was found in steps."""
        self._note(key, value, self.clock(), 0.0)

    def noted(self, key: tuple[Hashable, ...], age: float) -> object:
        """An answer that is no older than so many seconds; None where there is none."""
        known = self._answers.get(key)
        return known.value if known is not None and self.clock() - known.found < age else None

    def about(self, full: str) -> Results:
        """The results about a file, each verified whenever it is asked for."""
        results = self._about.get(full)
        if results is None:
            results = self._about[full] = Results()
        return results

    def sure(self, full: str, make: Callable[[Reads], T], *, verify: bool = False) -> T:
        """The result about a file that is verified only after an event, or now (``verify``)."""
        known = self._sure.get(full)
        if known is None or verify or known.revision != self.revision:
            if known is None or not known.reads.hold():
                self._forget(full)
                self.made += 1
                reads = Reads()
                known = Result(make(reads), self.revision, reads)
                reads.texts = {self.real(text) for text in reads.texts}
                for text in reads.texts:
                    self._readers.setdefault(text, set()).add(full)
            known = self._sure[full] = known._replace(revision=self.revision)
        return cast("T", known.value)

    # what is kept

    def keep_only(self, wanted: Collection[str]) -> None:
        """Keep no results but those about some files."""
        kept = set(wanted)
        for full in self._sure.keys() - kept:
            self._forget(full)
        for full in self._about.keys() - kept:
            del self._about[full]

    def _forget(self, full: str) -> None:
        known = self._sure.pop(full, None)
        for text in known.reads.texts if known is not None else ():
            readers = self._readers[text]
            readers.discard(full)
            if not readers:
                del self._readers[text]

    def _note(self, key: tuple[Hashable, ...], value: object, now: float, trusted_for: float) -> None:
        if len(self._answers) > MAX_LOOKS:
            self._answers.clear()
        self._answers[key] = _Answer(now, now + trusted_for, value)
