"""What type texts have: the narrowest of the engine's field types that reads all of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from handoff_lsp.binding.values import is_nothing, is_placeholder, read_text
from handoff_lsp.contracts.field_types import FieldType
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.names import key_name
from handoff_lsp.learn.words import words

# How text around a value is overlooked in Markdown.
TOLERANT = ["markup", "detail", "sentence", "case", "trailing-punctuation", "quotes"]
STATUS_NAMES = (
    "status",
    "state",
    "verdict",
    "result",
    "outcome",
    "decision",
    "conclusion",
    "next_status",
    "phase_status",
)
_CHOICE_NAMES = frozenset({*STATUS_NAMES, "severity", "priority", "risk", "level", "phase", "type", "kind", "mode"})
STATUS_WORDS = words(
    """
    done complete completed success succeeded failed failure blocked pass passed fail approved rejected accepted
    pending partial incomplete in_progress proposed draft ready open closed error ok warning superseded
    deprecated todo pass_with_warnings needs_changes approved_with_changes conditional
    """
)
# Types with a fixed form, the narrowest first.
_FORMS: tuple[FieldType, ...] = ("boolean", "integer", "number", "date", "timestamp", "url")
_MOST_VALUES = 8
_LONGEST_VALUE = 32
_MOST_WORDS = 4
# Fewer samples probably do not show all values; the texts of one sample are often alike.
_ENOUGH_SAMPLES = 8
_CHOICE = re.compile(r"\s*(?:\||(?<!\w)/(?!\w)|\bor\b)\s*")
_NOTHING = frozenset({"none", "n/a", "na", "-", "nothing"})


@dataclass
class Guess:
    """A type with its values, and what the author should look at."""

    type: FieldType
    values: list[str] = field(default_factory=list)
    open: bool = False
    tolerate: list[str] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)


def of_texts(name: str, texts: Sequence[str], *, markdown: bool, samples: int | None = None) -> Guess:
    """The type of texts that are one value each. Placeholders and words for nothing say nothing.

    ``samples``: how many samples the texts come from, if one may have several.
    """
    offered = [choice for text in texts for choice in choice_in(text)]
    real = [text for text in texts if is_real(text)]
    if offered:
        return _offered(list(dict.fromkeys(offered)), real, markdown=markdown)
    if not real:
        return Guess("line")
    for form in _FORMS:
        if all(not read_text(Field(type=form), text).problem for text in real):
            return Guess(form)
    words = [_word(text, markdown=markdown) for text in real]
    key = key_name(name)
    wanted = key in _CHOICE_NAMES
    alone = len(set(words)) == 1 and len(words) > 1 and not looks_like_status(name, ())
    if not alone and _is_choice(words, wanted):
        return _enum(words, markdown=markdown, samples=len(words) if samples is None else min(samples, len(words)))
    long = not markdown and any("\n" in text or len(text) > 200 for text in real)
    return Guess("text" if long else "line")


def is_real(text: str) -> bool:
    """Whether a text is a value: no placeholder, no choice, no word for an empty value."""
    return not (is_placeholder(text) or is_nothing(text, _NOTHING) or choice_in(text) or "…" in text[:2])


def choice_in(text: str) -> list[str]:
    """The values that a template's `a | b | c` offers; empty for any other text."""
    bare = text.strip().strip("`*_<>{}[]\"'")
    if "|" not in bare or "\n" in bare:
        return []
    parts = [part.strip(" `*_\"'<>{}") for part in bare.split("|")]
    short = all(part and ":" not in part and len(part) <= _LONGEST_VALUE and len(part.split()) <= 2 for part in parts)
    return parts if len(parts) >= 2 and short else []


def looks_like_status(name: str, guess_values: Sequence[str]) -> int:
    """How much a field looks like the status: 0 not at all, 3 by its name and its values."""
    key = key_name(name)
    named = 2 if key in STATUS_NAMES else 1 if key.endswith(("_status", "_state", "_verdict", "_result")) else 0
    valued = sum(key_name(value) in STATUS_WORDS for value in guess_values)
    return named + (1 if guess_values and 2 * valued >= len(guess_values) else 0)


def _word(text: str, *, markdown: bool) -> str:
    """A text without decoration and without the detail behind it, as a tolerant enum reads it."""
    if not markdown:
        return text
    read = read_text(Field(type="enum", open=True, tolerate=["markup", "detail", "quotes"]), text)
    word = str(read.data or text)
    return word.rstrip(".,;")


def _is_choice(words: Sequence[str], wanted: bool) -> bool:
    """Whether words are few that come again, or at least of a field that usually has a choice."""
    distinct = set(words)
    short = all(0 < len(word) <= _LONGEST_VALUE and len(word.split()) <= _MOST_WORDS for word in distinct)
    if not short or len(distinct) > _MOST_VALUES or not all(any(char.isalpha() for char in word) for word in distinct):
        return False
    return wanted or (len(words) >= 4 and 2 * len(distinct) <= len(words) and len(distinct) < 6)


def _enum(words: Sequence[str], *, markdown: bool, samples: int) -> Guess:
    counted = Counter(words)
    spelled: dict[str, str] = {}
    for word, _ in counted.most_common():
        spelled.setdefault(word.casefold(), word)
    folded = len(spelled) < len(counted)
    values = [word for word in dict.fromkeys(words) if word in spelled.values()]
    told = ", ".join(
        f"{word} {sum(counted[one] for one in counted if one.casefold() == word.casefold())}" for word in values
    )
    once = [word for word in values if counted[word] == 1]
    sure = samples >= _ENOUGH_SAMPLES and not once and len(values) > 1
    questions = [] if sure else [f"are these all the values? seen: {told}; then drop `open`"]
    tolerate = TOLERANT if markdown else ["case"] if folded else []
    return Guess("enum", values, not sure, list(tolerate), questions)


def _offered(offered: list[str], real: Sequence[str], *, markdown: bool) -> Guess:
    """The values that templates among the samples offer."""
    words = [_word(text, markdown=markdown) for text in real]
    if all(word.casefold() in {"true", "false"} for word in [*offered, *words]):
        return Guess("boolean")
    known = {value.casefold() for value in offered}
    new = [word for word in dict.fromkeys(words) if word.casefold() not in known and len(word) <= _LONGEST_VALUE]
    questions = [f"a template does not offer {', '.join(new)}"] if new else []
    return Guess("enum", [*offered, *new], bool(new), list(TOLERANT) if markdown else [], questions)
