"""The reads of a result in a form that outlasts the run: each question by its name, with a digest of its answer.

A file's time and size are not enough here, for two edits may share them: the digest of a file is that of its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from handoff_lsp.contracts.options import Options
from handoff_lsp.contracts.registry import ContractEntry, Registry, builtin
from handoff_lsp.text.digest import text_digest
from handoff_lsp.workspace import packs
from handoff_lsp.workspace import surroundings as around
from handoff_lsp.workspace.known_files import Files, State
from handoff_lsp.workspace.memo import Reads

# A question's name, what it is about, and the digest of its answer: data for JSON.
Asked = tuple[str, list[Any], str]

_Question = Callable[..., Any]
_QUESTIONS: Mapping[str, _Question] = {
    "root": around.root_of,
    "inside": Files.inside,
    "exists": Files.exists_inside,
    "matching": Files.matching,
    "state": Files.state,
    "before": around.mentioning_before,
    "excess": around.excess_before,
    "documents": around.states_of,
    "prompts": packs.prompt_states,
}
_NAMES: Mapping[_Question, str] = {question: name for name, question in _QUESTIONS.items()}
# Their answers take as long as a check of all these documents, so it is asked whether one of these has changed.
_OF_DOCUMENTS = (around.are_too_many, around.introduced_names, around.introduced_places, around.circles_of)
_OF_PROMPTS = (packs.pack_of, packs.places_of, packs.agents_of)


class Lasting:
    """The lasting form of reads, for one run over ``files``, none of which is open."""

    def __init__(self, files: Files) -> None:
        self._files = files
        self._known: dict[int, tuple[object, str]] = {}  # options and registries by identity, with their digests
        self._states: dict[str, tuple[State, str]] = {}  # by path

    def written(self, reads: Reads) -> list[Asked] | None:
        """Reads as data; None if an answer may have changed since it was used."""
        if reads.contradictory:
            return None
        found: dict[tuple[str, tuple[Any, ...]], str] = {}
        indirect = False
        for question, (_, *about), answer in reads:
            if question in _OF_DOCUMENTS or question in _OF_PROMPTS:
                indirect = True
                key = ("documents", tuple(about[:2])) if question in _OF_DOCUMENTS else ("prompts", tuple(about[:1]))
                found[key] = self._now(*key)
            else:
                key = (_NAMES[question], tuple(about))
                found[key] = self._digest(*key, answer)
        # Only the digests of the answers themselves are surely those of what was used.
        if indirect and not (reads.hold() and all(self._now(*key) == digest for key, digest in found.items())):
            return None
        if not all(found.values()):
            return None
        return [(name, list(about), digest) for (name, about), digest in found.items()]

    def hold(self, asked: Iterable[Asked]) -> bool:
        """Whether each question has the same answer now."""
        return all(self._now(name, tuple(map(_hashable, about))) == digest for name, about, digest in asked)

    def settings(self, path: Path) -> str:
        """A digest of what a document is checked by: its name, its options and its contracts."""
        settings = self._files.settings
        return self._by(path, settings.options(path), settings.registry(path))

    def _by(self, path: Path, options: Options, registry: Registry) -> str:
        by = self._once(options, _of_options), self._once(registry, _of_registry)
        return digest_of((self._files.settings.name(path), *by))

    def _now(self, name: str, about: tuple[Any, ...]) -> str:
        return self._files.memo.look(self._asked_now, name, about) or ""

    def _asked_now(self, name: str, about: tuple[Any, ...]) -> str:
        return self._digest(name, about, _QUESTIONS[name](self._files, *about))

    def _digest(self, name: str, about: tuple[Any, ...], answer: Any) -> str:
        """The digest of an answer; empty if it is not known."""
        if name == "matching":
            return digest_of(None if answer is None else sorted(answer))
        if answer is None or name not in ("state", "before", "documents", "prompts"):
            return digest_of(answer)
        states = [(about[0], answer)] if name == "state" else answer
        if name in ("documents", "prompts"):
            states = (answer.states if name == "documents" else answer).items()
        each = [(full, self._of_state(full, state)) for full, state in states]
        return digest_of(each) if all(digest for _, digest in each) else ""

    def _of_state(self, full: str, state: State) -> str:
        """A digest of the text of a file and of what it is read by; empty if it is not known."""
        if state is None:
            return "absent"
        known = self._states.get(full)
        if known is None or (known[0] is not state and known[0] != state):
            content, options, registry = state
            text = self._files.digest(full, content)
            digest = text and f"{text} {self._by(Path(full), options, registry)}"
            known = self._states[full] = (state, digest)
        return known[1]

    def _once(self, value: object, describe: Callable[[Any], object]) -> str:
        known = self._known.get(id(value))
        if known is None:  # the value is kept, so that its identity stays its own
            known = self._known[id(value)] = (value, digest_of(describe(value)))
        return known[1]


def digest_of(value: object) -> str:
    """A digest of plain data: of equal data the same, in any process."""
    return text_digest(repr(value))


def _of_options(options: Options) -> object:
    return [
        (name, sorted(value) if isinstance(value, frozenset) else value)
        for name in Options.__dataclass_fields__
        for value in [getattr(options, name)]
    ]


def _of_registry(registry: Registry) -> object:
    own = builtin()
    return [entry.name if entry.name in own and entry is own[entry.name] else _of_entry(entry) for entry in registry]


def _of_entry(entry: ContractEntry) -> object:
    replaced = _of_entry(entry.replaces) if entry.replaces is not None else None
    return entry.name, str(entry.origin), entry.package, entry.data, replaced


def _hashable(about: Any) -> Any:
    return tuple(map(_hashable, about)) if isinstance(about, list) else about
