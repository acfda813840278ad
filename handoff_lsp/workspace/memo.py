"""Decides whether a computed result is still valid; no other module does.

A result is kept with its reads: the questions that were asked while it was computed, each with its answer at that time.
An answer is a revision: a value that changes with the text, file or config it describes. The result is valid while each
question has the same answer. An event only says what changed; a result that depends on it is verified at its next use.
The disk sends no events of its own, so it is asked again after a moment.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Collection, Hashable, Iterator, Set
from contextlib import suppress
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar, cast  # noqa: TID251  # ours is not generic

T = TypeVar("T")

# How long an answer of the disk is trusted: in seconds, or as a multiple of the time that it took, if that is longer.
TRUSTED_FOR = 0.5
PATIENCE = 20

# Answers of the disk that are kept. Beyond the first number, those that are no longer trusted are dropped.
_ROOM = 2_000
MAX_LOOKS = 20_000


class Reads:
    """The questions that a result was computed from, each with its answer."""

    __slots__ = ("_answers", "_settled", "contradictory", "texts")

    def __init__(self) -> None:
        self._answers: dict[tuple[Callable[..., object], tuple[Hashable, ...]], object] = {}
        self._settled: tuple[Any, ...] = ()  # the same, one after the other
        self.texts: Set[str] = frozenset()  # the other files whose texts were read
        self.contradictory: bool = False  # a question was asked again and had another answer

    def ask(self, question: Callable[..., T], *about: Hashable) -> T:
        """The answer to a question. The result depends on it from now on."""
        answer = question(*about)
        first = self._answers.setdefault((question, about), answer)
        self.contradictory |= first is not answer and first != answer
        return answer

    def __iter__(self) -> Iterator[tuple[Callable[..., object], tuple[Hashable, ...], object]]:
        """Each question, what it was about, and its answer."""
        for (question, about), answer in self._answers.items():
            yield question, about, answer
        at, settled = 0, self._settled
        while at < len(settled):
            end = at + 2 + settled[at + 1]
            yield settled[at], settled[at + 2 : end], settled[end]
            at = end + 1

    def hold(self) -> bool:
        """Whether every question still has the same answer, and always had."""
        if self.contradictory:
            return False
        for question, about, answer in self:
            now = question(*about)
            if now is not answer and now != answer:
                return False
        return True

    def settle(self) -> None:
        """Take a third of the room, once nothing more is asked: a server has these for each file of a workspace."""
        self._settled = tuple(
            chain.from_iterable((question, len(about), *about, answer) for question, about, answer in self)
        )
        self._answers = {}
        self.texts = frozenset(self.texts)  # one object, where they are none


_NOTHING = Reads()


class Result(NamedTuple, Generic[T]):
    """A result, the revision that its caller gave, and its other reads."""

    value: T
    revision: object
    reads: Reads


class Results:
    """The newest results of each kind about one thing, such as a file."""

    def __init__(self) -> None:
        self._newest: dict[Hashable, Result[Any]] = {}

    def for_revision(self, kind: Hashable, revision: object, make: Callable[[], T]) -> T:
        """The result of ``make``, computed again only for another revision."""
        result = self._newest.get(kind)
        if result is None or result.revision != revision:
            result = self._newest[kind] = Result(make(), revision, _NOTHING)
        return cast("T", result.value)

    def verified(self, kind: Hashable, revision: object, make: Callable[[Reads], T]) -> T:
        """The result of ``make``, computed again for another revision or when one of its reads has changed."""
        result = self._newest.get(kind)
        if result is None or result.revision != revision or not result.reads.hold():
            reads = Reads()
            result = self._newest[kind] = Result(make(reads), revision, reads)
        return cast("T", result.value)

    def newest(self, kind: Hashable) -> Result[Any] | None:
        """The last result of a kind, valid or not; None before the first."""
        return self._newest.get(kind)

    def forget(self, kind: Hashable) -> None:
        """Have a result computed again at its next use."""
        self._newest.pop(kind, None)

    def drop(self, is_over: Callable[[object], bool]) -> None:
        """Drop the results whose revision has a part that no revision will have again."""
        for kind, result in list(self._newest.items()):
            if isinstance(result.revision, tuple) and any(map(is_over, result.revision)):
                del self._newest[kind]


class _Answer(NamedTuple):
    """An answer of the disk, the time it was read, and the time until which it is trusted."""

    read: float
    until: float
    value: object


class Memo:
    """The answers of the disk and the results about files, one memo for each session or run."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.revision: int = 0  # grows when anything on disk, of the configs or of the settings may have changed
        self.events: int = 0  # of any kind
        self.computed: int = 0  # how many results were computed for `until_event`
        self._answers: dict[tuple[Hashable, ...], _Answer] = {}
        self._room = _ROOM
        self._about: dict[str, Results] = {}
        self._others: list[Results] = []
        self._until_event: dict[str, Result[Any]] = {}  # by file; with the revision at which it was last verified
        self._watched: dict[str, Callable[[str], bool]] = {}  # names for the texts of several files, and which they are
        self._readers: dict[str, set[str]] = {}  # by file: the others whose result was computed from its text

    # events

    def disk_changed(self) -> None:
        """Files, configs or settings may have changed: have each result verified at its next use."""
        self.revision += 1
        self.events += 1
        self._answers.clear()

    def changed(self, full: str) -> bool:
        """Have the results verified that read the text of a file. Whether there are any about other files."""
        self.events += 1
        self._forget(full)
        readers = set(self._readers.get(self.real(full), ()))
        for name, matches in self._watched.items():
            if name in self._readers and matches(full):
                readers |= self._readers[name]
        for reader in readers:
            self._until_event[reader] = self._until_event[reader]._replace(revision=-1)
        return bool(readers)

    def watch(self, name: str, matches: Callable[[str], bool]) -> None:
        """Let a name in ``Reads.texts`` mean the texts of all files for which ``matches`` is true."""
        self._watched[self.real(name)] = matches

    # answers and results

    def real(self, full: str) -> str:
        """The path with its links resolved; it need not exist."""
        return self.look(os.path.realpath, full) or full

    def look(self, question: Callable[..., T], *about: Hashable, patience: float = PATIENCE) -> T | None:
        """The answer of the disk to a question, asked again after a moment; None if it fails."""
        key, now = (question, about), self.clock()
        answer = self._answers.get(key)
        if answer is not None and now < answer.until:
            return cast("T | None", answer.value)
        value = None
        with suppress(OSError, ValueError):
            value = question(*about)
        done = self.clock()
        self._note(key, value, done, max(TRUSTED_FOR, (done - now) * patience))
        return value

    def note(self, key: tuple[Hashable, ...], value: object) -> None:
        """Keep an answer that was computed in steps."""
        self._note(key, value, self.clock(), math.inf)

    def noted(self, key: tuple[Hashable, ...], age: float) -> object:
        """A kept answer that is younger than ``age`` seconds; None without one."""
        answer = self._answers.get(key)
        return answer.value if answer is not None and self.clock() - answer.read < age else None

    def about(self, full: str) -> Results:
        """The results about a file, each verified at every use."""
        results = self._about.get(full)
        if results is None:
            results = self._about[full] = Results()
        return results

    def results(self) -> Results:
        """New results, which are kept as long as the memo."""
        self._others.append(results := Results())
        return results

    def until_event(self, full: str, make: Callable[[Reads], T], *, verify: bool = False) -> T:
        """The result about a file, verified only after an event; with ``verify`` also now."""
        result = self._until_event.get(full)
        if result is None or verify or result.revision != self.revision:
            if result is None or not result.reads.hold():
                self._forget(full)
                self.computed += 1
                reads = Reads()
                result = Result(make(reads), self.revision, reads)
                reads.texts = {self.real(text) for text in reads.texts}
                for text in reads.texts:
                    self._readers.setdefault(text, set()).add(full)
                reads.settle()
            result = self._until_event[full] = result._replace(revision=self.revision)
        return cast("T", result.value)

    # room

    def keep_only(self, wanted: Collection[str]) -> None:
        """Drop the results about all other files."""
        kept = set(wanted)
        for full in self._until_event.keys() - kept:
            self._forget(full)
        for full in self._about.keys() - kept:
            del self._about[full]

    def drop(self, is_over: Callable[[object], bool]) -> None:
        """Drop the results whose revision has a part that no revision will have again, such as contracts of the past.

        A file that nothing asks about would else keep the contracts of its last use.
        """
        for results in (*self._about.values(), *self._others):
            results.drop(is_over)

    def _forget(self, full: str) -> None:
        result = self._until_event.pop(full, None)
        for text in result.reads.texts if result is not None else ():
            readers = self._readers[text]
            readers.discard(full)
            if not readers:
                del self._readers[text]

    def _note(self, key: tuple[Hashable, ...], value: object, now: float, trusted_for: float) -> None:
        if len(self._answers) > self._room:
            self._answers = {asked: answer for asked, answer in self._answers.items() if now < answer.until}
            if len(self._answers) > MAX_LOOKS:
                self._answers.clear()
            self._room = max(_ROOM, 2 * len(self._answers))  # so that dropping costs little for each answer
        self._answers[key] = _Answer(now, now + trusted_for, value)
