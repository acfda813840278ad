"""The names and values of a contract, in all its profiles, as prompts may write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from handoff_lsp.contracts.model import COMMENT, Field, Value, is_name
from handoff_lsp.contracts.names import key_name, nearest
from handoff_lsp.contracts.patterns import PatternError, check_pattern, literals_in, occurs, search
from handoff_lsp.contracts.per_field import ContractPart, once_per_field
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.lazy_dataclass import lazy_dataclass

# The paths of statements about markers and files: no field has this path.
MARKER, FILE = "(marker)", "(file)"
# A tag that is more than the name of a notation.
_OWN_TAG = lazy_pattern(r"\w+[_:-]\w[\w:-]*")
# A name of several words, which is hardly ever about anything else.
_TELLING = lazy_pattern(r"[^\W\d]+[ _-][^\W\d]+|[a-z][A-Z]")
# Names of several words that any report may have.
_COMMON = lazy_pattern(
    r"acceptance_criteria|affected_areas|agent_(?:id|name|type)|change_requests|commands_run|critical_findings|current_\w+"
    r"|(?:completed|remaining)_tasks|task_breakdown|executive_summary|exit_code|failed_tests|final_verdict|spec_compliance"
    r"|files_(?:affected|changed|created|modified)|implementation_order|issue_(?:number|title|type|url)|issues_found"
    r"|key_decisions|last_commit|max_iterations|next_(?:action|phase|steps?)|recommended_next|open_questions|pr_url"
    r"|project_overview|quality_gates|review_findings|risk_level|root_causes|service_name|session_id|(?:started|updated)_at"
    r"|tech_stack|test_(?:command|results)|testing_strategy|total_tests"
)
# Words for a handoff of any contract.
_ANY_HANDOFF = lazy_pattern(r"(?i)\bhand-?offs?\b|\benvelope\b|ハンドオフ|引き?継ぎ?")
_MARKS = "#*`_\"' \t:："
# A word at least this similar to a value counts as a misspelling of it.
_SLIP = 0.8


@lazy_dataclass(frozen=True)
class KnownField:
    """A field of a contract. ``titles`` and ``values`` (by their spelling) are those of all its profiles."""

    path: str
    field: Field
    titles: frozenset[str]
    values: Mapping[str, Value]

    @property
    def is_closed(self) -> bool:
        """Whether other values are wrong."""
        return bool(self.values) and not self.field.open

    def meant(self, text: str) -> Value | None:
        """The value that a wrong one probably means; None if none is near."""
        for value in self.values.values():
            if key_name(text) in map(key_name, (value.value, *value.instead_of)):
                return value
        near = nearest(text, self.values, cutoff=_SLIP)
        return self.values[near] if near is not None else None


class ContractWords(ContractPart):
    """The vocabulary of one contract."""

    def __init__(self, entry: ContractEntry) -> None:
        self._entry = entry
        self.contract: str = entry.name

    @cached_property
    def fields(self) -> Mapping[str, KnownField]:
        """The fields by their dotted paths, root fields and those inside objects."""
        found: dict[str, Field] = {}
        titles: dict[str, set[str]] = {}
        values: dict[str, dict[str, Value]] = {}
        for profile in self._entry.data["profiles"]:
            for path, field in self._entry.spec(profile).walk():
                found.setdefault(path, field)
                titles.setdefault(path, set()).update((field.title or path.rpartition(".")[2], *field.aliases))
                if field.kind.is_choice:
                    for value in field.values:
                        values.setdefault(path, {}).setdefault(value.value, value)
        return {
            path: KnownField(path, field, frozenset(titles[path]), values.get(path, {}))
            for path, field in found.items()
        }

    @cached_property
    def labels(self) -> Mapping[str, tuple[str, ...]]:
        """The paths of the fields by their written names, as these are compared; those nearest to the root first."""
        found: dict[str, list[str]] = {}
        for path in sorted(self.fields, key=lambda path: path.count(".")):
            for written in (*sorted(self.fields[path].titles), *([path] if "." in path else [])):
                paths = found.setdefault(label_name(written), [])
                if path not in paths:
                    paths.append(path)
        return {label: tuple(paths) for label, paths in found.items()}

    def plain_names(self, prose: str) -> Iterator[re.Match[str]]:
        """The matches of that pattern, found faster in long texts."""
        begun, pattern = self._begun, self.plain_pattern
        if begun is None or pattern is None:
            return
        at = 0
        while (start := begun.search(prose, at)) is not None:
            match = pattern.match(prose, start.start())
            if match is not None:
                yield match
            at = match.end() if match is not None else start.start() + 1

    @cached_property
    def _begun(self) -> re.Pattern[str] | None:
        """A pattern of what ``plain_pattern`` may match: without a look behind, its first characters are known."""
        return re.compile(self._plain_names) if self._plain_names else None

    @cached_property
    def _plain_names(self) -> str:
        titles = {title for known in self.fields.values() if known.values for title in known.titles}
        names = {form for title in titles for form in (title, title if title.isupper() else title.lower())}
        return "|".join(sorted(map(re.escape, names), key=len, reverse=True))

    @cached_property
    def plain_pattern(self) -> re.Pattern[str] | None:
        """A pattern of the names, outside code, of fields with values; None without such a field."""
        return re.compile(rf"(?<![\w`/.-])(?:{self._plain_names})(?![\w/-]|\.\w)") if self._plain_names else None

    @cached_property
    def telling(self) -> frozenset[str]:
        """The names, as they are compared, that hardly anything else has."""
        titles = {title for known in self.fields.values() for title in known.titles}
        names = {label_name(title) for title in titles if _TELLING.search(title)}
        return frozenset(name for name in names if _COMMON.fullmatch(name) is None)

    @cached_property
    def in_capitals(self) -> bool:
        """Whether the names of its root fields are written in capitals."""
        return all(title.isupper() for known in self.fields.values() for title in known.titles if "." not in known.path)

    @cached_property
    def _edges_of_run(self) -> tuple[str, str]:
        run = self._entry.part("run") or {}
        opening, closing = (str(run.get(key) or "") for key in ("opening", "closing"))
        return ("" if is_name(opening) else opening, "" if is_name(closing) else closing)

    @property
    def opening_line(self) -> str:
        """The whole line before a handoff; empty without one."""
        return self._edges_of_run[0] if not self.comment else ""

    @property
    def closing_line(self) -> str:
        """The whole line that ends a handoff; empty without one."""
        return self._edges_of_run[1]

    @cached_property
    def lines(self) -> frozenset[str]:
        """Both of them."""
        return frozenset({self.opening_line, self.closing_line} - {""})

    @cached_property
    def comment(self) -> str:
        """The word with which the comment around a handoff begins; empty without one."""
        opening = self._edges_of_run[0]
        return opening.removeprefix(COMMENT).strip() if opening.startswith(COMMENT) else ""

    def _tags_that_are(self, role: str) -> tuple[str, ...]:
        tags = (self._entry.part("fence") or {}).get("tags") or {}
        return tuple(tag for tag, its in tags.items() if its == role and _OWN_TAG.fullmatch(tag))

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """The tags of fences that only this contract has, the one that is written first."""
        return self._tags_that_are("own")

    @cached_property
    def old_tags(self) -> tuple[str, ...]:
        """Older ones, of which the reader knows nothing any more; none without a new one."""
        return self._tags_that_are("old") if self.tags else ()

    @cached_property
    def files(self) -> tuple[str, ...]:
        """The paths of its handoffs from the root, and globs of them."""
        returned = (self._entry.part("returns") or {}).values()
        globs = (glob for one in returned for glob in one.get("files") or ())
        return tuple(dict.fromkeys([*(self._entry.part("locations") or ()), *globs]))

    @cached_property
    def marks(self) -> Mapping[str, frozenset[str]]:
        """Its markers and its files, as prompts write them, by ``MARKER`` and ``FILE``; without those that it lacks."""
        markers = self.lines | {self.comment, *self.tags} - {""}
        files = {
            "/".join(file.rsplit("/", count)[-count:]) for file in self.files for count in (1, file.count("/") + 1)
        }
        return {kind: found for kind, found in ((MARKER, markers), (FILE, frozenset(files))) if found}

    def nearest_to_root(self, field: KnownField) -> KnownField:
        """The same field in another profile, if it is nearer to the root there: one name, and the same values."""
        paths = {path: None for title in sorted(field.titles) for path in self.labels.get(label_name(title), ())}
        same = [path for path in paths if self.fields[path].values.keys() == field.values.keys()]
        return self.fields[min(same, key=lambda path: path.count("."), default=field.path)]

    @cached_property
    def edges(self) -> frozenset[str]:
        """The paths of the fields that begin or end a handoff, or are its status."""
        run = self._entry.part("run") or {}
        return frozenset(
            str(path) for path in (run.get("opening"), run.get("closing"), self._entry.part("status")) if path
        )

    def is_telling(self, label: str) -> bool:
        """Whether hardly anything else has a label: by its words, or by its capitals."""
        return label_name(label) in self.telling or (self.in_capitals and label.isupper() and len(label) > 1)

    def named(self, label: str) -> list[KnownField]:
        """The fields that a label may name, those nearest to the root first.

        Names in capitals are written in capitals; case matters nowhere else.
        """
        fields = [self.fields[path] for path in self.labels.get(label_name(label), ())]
        return [one for one in fields if label.isupper() or not all(map(str.isupper, one.titles))]

    def is_named_in(self, text: str) -> bool:
        """Whether a text names handoffs of this contract, or the file of one."""
        return self.is_called_in(text) or self.is_located_in(text)

    @cached_property
    def called(self) -> str:
        """The pattern of the name of its handoffs: without ``called``, the compound name of a contract of one's own."""
        own = ""
        if self._entry.origin is not None and "-" in self.contract:
            name = re.escape(self.contract)
            own = rf"`{name}`|\b{name} (?:handoffs?|results?|reports?|blocks?|returns?|envelopes?)\b"
        return str(self._entry.part("called") or own)

    def is_called_in(self, text: str | bytes) -> bool:
        """Whether a text, perhaps in UTF-8, has the name of its handoffs."""
        utf8 = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
        return bool(self.called) and occurs(self.called, utf8)

    @cached_property
    def locations(self) -> tuple[str, ...]:
        """The paths of handoffs, and the line before one."""
        return (*(self._entry.part("locations") or ()), *([self.opening_line] if self.opening_line else []))

    def is_located_in(self, text: str) -> bool:
        """Whether a text has the path of a handoff, or the line before one."""
        return any(place in text for place in self.locations)

    def is_meant_in(self, sentence: str) -> bool:
        """Whether a sentence of a prompt about this contract is about a handoff of it."""
        return _ANY_HANDOFF.search(sentence) is not None or self.is_named_in(sentence)

    def has_signs(self, path: str, text: str) -> bool:
        """Whether a document has one of the signs without which nothing is a handoff of this contract."""
        signs = self._entry.part("signs")
        return not signs or any(_is_seen(sign, path, text) for sign in signs)


def _is_seen(sign: Mapping[str, Any], path: str, text: str) -> bool:
    pattern, there = next(
        ((sign[key], path if key == "path" else text) for key in ("path", "text") if key in sign), ("", "")
    )
    return bool(pattern) and search(str(pattern), there) is not None


def named_in(all_words: Sequence[ContractWords], text: str, utf8: bytes) -> frozenset[str]:
    """Those of some contracts of which a text, also given in UTF-8, names handoffs; it is read twice, not for each."""
    places = literals_in(text, tuple(dict.fromkeys(place for words in all_words for place in words.locations)))
    named = [words for words in all_words if not places.isdisjoint(words.locations)]
    if occurs(_any_of(tuple(words.called for words in all_words if words.called)), utf8):
        named += [words for words in all_words if words.is_called_in(utf8)]
    return frozenset(words.contract for words in named)


@lru_cache(maxsize=64)
def _any_of(patterns: tuple[str, ...]) -> str:
    """A pattern that matches wherever one of some patterns does."""
    union = "|".join(f"(?:{pattern})" for pattern in patterns)
    try:
        check_pattern(union)
    except PatternError:  # together they may be too large, or have groups of one name
        return ""  # matches anywhere
    return union


@lru_cache(maxsize=4096)
def label_name(label: str) -> str:
    """A label as it is compared: without marks around it, and words joined by ``_``."""
    return key_name(label.strip(_MARKS))


@once_per_field
def vocabulary_of(entry: ContractEntry) -> ContractWords:
    """The vocabulary of a contract, computed once."""
    return ContractWords(entry)
