"""From a text to a value: enums, numbers, patterns, placeholders, words for nothing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import takewhile
from math import isfinite
from typing import Literal

from handoff_lsp.binding.slot import ProblemKind
from handoff_lsp.contracts.arguments import Given, almost_given, arguments_of, given, takes_arguments
from handoff_lsp.contracts.model import Field, Value
from handoff_lsp.contracts.names import key_name, nearest, slip_of
from handoff_lsp.contracts.patterns import match_whole, search
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# The lookbehinds let a run of blanks match only from its first one, which keeps the search linear.
_DETAIL = lazy_pattern(r"(?<!\s)\s+[—–-]+\s|(?<!\s)\s*[(（]|(?<!\s)\s*[:：]\s|(?<!\s)\s+//?\s|,\s")
# A full stop or closing emphasis with more after it, or a comment.
_SENTENCE = lazy_pattern(r"(?:[.;!][*_`~]*|(?<![*_`~])[*_`~]++[.;!]?)(?:\s|$)|(?<!\s)\s*<!--")
# The boundary between two sentences.
_FULL_STOP = lazy_pattern(r"(?<!\d)[.!?][*_`]*\s")
# Signs between a value and the text beside it.
_SET_OFF = lazy_pattern(
    r"(?<!\s)\s*[—–:：()（）;,|·]\s*|(?<!\s)\s+(?:-{1,2}|/{1,2}|=|→|->)\s+|[.!](?=[*_`]*(?:\s|$))|\*\*"
)
# Text that is struck through is withdrawn.
_STRUCK = lazy_pattern(r"~~[^~\n]+~~")
# Words for nothing, which are never slips for another value.
NO = frozenset({"no", "none", "not", "null", "nothing", "nope", "never"})
# No value of an enum is longer, in code points, so a tail cannot begin later.
_LONGEST = 1_000
# Words before a value that is not the current one.
_NOT_IT = lazy_pattern(
    r"\b(?:not|no|never|if|when|unless|until|pending|expected|target|previous(?:ly)?|prior|original(?:ly)?|old|former(?:ly)?|"
    r"was|were|from|instead|sin|si|cuando|antes|anterior|previo)\b",
    re.IGNORECASE,
)
_ANGLES = lazy_pattern(r"<(?=[^<>\n]*[\w… ])[^<>\n]*+>")
# Elements of HTML, without names that a template may use as placeholders: `<summary>`, `<title>`, `<body>`.
_ELEMENT = lazy_pattern(
    r"(?i)<(?:details|div|span|br|hr|p|b|i|pre|ul|ol|li|dl|dt|dd|table|thead|tbody|tfoot|tr|td|th|h[1-6]|img|svg|html|"
    r"strong|em|kbd|samp|sub|sup|wbr|blockquote|figure|figcaption|iframe|article|aside|nav|fieldset|textarea|noscript)>"
)
_BRACES = lazy_pattern(r"\{[^{}\n]+\}")
_EMPHASIS_END = lazy_pattern(r"(?<=\S)(?:\*{1,3}|_{1,3}|`+)(?!\w)")
# A word longer than `_SHORTEST_SLIP` and at least this similar to a value of an open enum counts as a slip.
_SLIP = 0.85
# The same for a word with exactly the letters of the value.
_MIXED_UP = 0.75
_SHORTEST_SLIP = 4
_INTEGER = lazy_pattern(r"[+-]?\d{1,18}")
_MARKS = "*_`~"
# Signs around a word for nothing: a bullet, emphasis, brackets, quotes, a full stop.
AROUND_NOTHING = " \t\r\n-–—*_`~\"'()[]（）.。"
_SAID = lazy_pattern(f"[^{re.escape(AROUND_NOTHING)}]")


# A comment, as in Markdown.
_COMMENT = lazy_pattern(r"<!--.*?(?:-->|$)", re.DOTALL)
# Signs between a remark and the value beside it.
_AROUND_REMARK = " \t\r\n—–-:：()（）;,.。!|·→>\"'" + "*_`~"


# The longest text (code points) whose value is kept, and the most that are kept of one field.
_SHORT = 100
_MOST_KEPT = 20_000


class ReadValue(NamedTuple):
    """A value read from text. ``start`` and ``end``: the offsets of its token in that text."""

    data: object
    start: int
    end: int
    problem: ProblemKind | Literal[""] = ""
    groups: dict[str, tuple[int, int]] = {}  # noqa: RUF012  (never written to)


Tables = tuple[dict[str, Value], dict[str, Value], dict[str, Value]]


@once_per_field
def tables(field: Field) -> Tables:
    """An enum's values by spelling, by spelling without case and blanks, and by the words written instead.

    Those of an open one are the offered: what is none of them is a value of its own. Values with arguments are only in
    the last one, by words without any.
    """
    values = field.offered if field.open else field.values
    fixed = [value for value in values if not arguments_of(value.value)]
    exact = {value.value: value for value in fixed}
    loose = {key_name(value.value): value for value in fixed}
    words = [(word, value) for value in reversed(values) for word in value.instead_of]
    wrong = {key_name(word): value for word, value in words if not arguments_of(word)}
    return exact, loose, wrong


def trim(text: str, start: int, end: int, chars: str | None = None) -> tuple[int, int]:
    """A range of a text without blanks (or ``chars``) at its ends."""
    while start < end and (text[start].isspace() if chars is None else text[start] in chars):
        start += 1
    while end > start and (text[end - 1].isspace() if chars is None else text[end - 1] in chars):
        end -= 1
    return start, end


def _bare(field: Field, text: str, start: int, end: int, quotes: bool) -> tuple[int, int]:
    """A range of a text without the marks around an enum's value."""
    return _without_markup(text, start, end, quotes, emoji=not _has_emoji(field))


@once_per_field
def _has_emoji(field: Field) -> bool:
    """Whether an emoji is a part of one of an enum's values, and so no decoration beside them."""
    return any(_is_emoji(char) for value in field.values for char in value.value)


def _without_markup(text: str, start: int, end: int, quotes: bool, *, emoji: bool = True) -> tuple[int, int]:
    marks = _MARKS + ("\"'" if quotes else "")
    while True:
        before = (start, end)
        start, end = trim(text, start, end)
        start, end = trim(text, start, end, marks)
        while emoji and start < end and _is_emoji(text[start]):
            start += 1
        while emoji and end > start and _is_emoji(text[end - 1]):
            end -= 1
        if (start, end) == before:
            return start, end


def _is_emoji(char: str) -> bool:
    return not char.isascii() and (
        unicodedata.category(char) in {"So", "Sk", "Cs"} or char in "\ufe0f\u200d\u2713\u2717"
    )


def is_placeholder(text: str) -> bool:
    """Whether a text as a whole is a placeholder: ``<...>``, ``{...}``."""
    text = text.strip().strip("`\"'")
    waits = bool(_ANGLES.fullmatch(text) or _BRACES.fullmatch(text)) and not text.startswith(("<http", "<!--"))
    return waits and not is_element(text)


def is_element(text: str) -> bool:
    """Whether a text is the opening tag of an element of HTML and nothing else."""
    return _ELEMENT.fullmatch(text) is not None


def is_choice(text: str, field: Field) -> bool:
    """Whether a text offers an enum's values as a choice: ``a | b | c``."""
    if "|" not in text and "/" not in text:
        return False
    exact, loose, _ = tables(field)
    values = 0
    for part in re.split(r"[|/]|\bor\b", text):
        start, end = _bare(field, part, 0, len(part), quotes=True)
        word = re.sub(r"^.*:\s*", "", part[start:end]).strip(_MARKS + "<>{}().'\" ")
        values += word in exact or key_name(word) in loose
    # `n/a` is itself a value that holds a slash.
    return values >= 2 and text.strip(" `*_") not in exact


def is_nothing(text: str, empty_words: frozenset[str]) -> bool:
    """Whether a text means nothing: blank, or one of the contract's words for it, perhaps followed by a reason."""
    said = _SAID.search(text)
    if said is None:
        return True
    line = text.find("\n", said.start())
    if line >= 0 and _SAID.search(text, line):
        return False  # without a copy of a long text
    text = text.strip(AROUND_NOTHING)
    head = _DETAIL.split(text, maxsplit=1)[0].strip(AROUND_NOTHING)
    return len(head) < 40 and head.casefold() in empty_words


def read_enum(field: Field, raw: str) -> ReadValue:
    """An enum's value as the field tolerates it. ``data`` is the value's own spelling."""
    exact = tables(field)[0]
    start, end = 0, len(raw)
    if raw in exact:
        return ReadValue(raw, start, end)
    if "markup" in field.tolerate:
        raw = _seen(raw)
    if "markup" in field.tolerate or "blanks" in field.tolerate:
        start, end = trim(raw, start, end)
    if is_placeholder(raw) or is_choice(raw, field):
        return ReadValue(None, *trim(raw, 0, len(raw)), "placeholder")
    if "markup" in field.tolerate:
        start, end = _bare(field, raw, start, end, "quotes" in field.tolerate)
    word = raw[start:end]
    if "trailing-punctuation" in field.tolerate and word.rstrip(".,;")[-1:] in _MARKS:  # `**complete**.`
        start, end = _bare(field, raw, start, start + len(word.rstrip(".,;")), "quotes" in field.tolerate)
        word = raw[start:end]
    if _spelled(word, field, exact) is None:
        for tail in _tails(field, word):
            head = _bare(field, word, 0, tail.start(), "quotes" in field.tolerate)
            if _spelled(word[head[0] : head[1]], field, exact) is not None:
                start, end = start + head[0], start + head[1]
                word = raw[start:end]
                break
    value = _spelled(word, field, exact)
    if value is None and (found := _with_arguments(field, word)) is not None:
        return _read_arguments(found, raw, start)
    if value is None and "lead" in field.tolerate and (behind := _behind_lead(field, raw, start, end)) is not None:
        start, end = behind
        value = _spelled(raw[start:end], field, exact)
    if value is None and field.open:
        return _read_open(field, raw, start, end)
    return (
        ReadValue(value.value, start, end) if value else ReadValue(None, *_meant_part(field, raw, start, end), "value")
    )


def _with_arguments(field: Field, word: str) -> Given | None:
    """The value with arguments that a text is, without a tail that the field tolerates."""
    if not takes_arguments(field):
        return None
    heads = (word[: tail.start()] for tail in _tails(field, word))
    return next((found for head in (*heads, word) if (found := given(field, head)) is not None), None)


def _read_arguments(found: Given, raw: str, start: int) -> ReadValue:
    """A value with its arguments as groups. One that is to be filled in leaves the value open."""
    end = start + max(last for _, last in found.arguments.values())
    groups = {
        name: trim(raw, start + first, start + last, _MARKS + " \t\"'")
        for name, (first, last) in found.arguments.items()
    }
    if any(first == last or is_placeholder(raw[first:last]) for first, last in groups.values()):
        return ReadValue(None, start, end, "placeholder")
    return ReadValue(found.value.value, start, end, groups=groups)


def _behind_lead(field: Field, raw: str, start: int, end: int) -> tuple[int, int] | None:
    """The range of the value on a line that begins with something else; None unless there is exactly one.

    The value is set off by signs, spelled as in the contract or marked as code, and the only one on its line, because
    a sentence may use its word, too. The text before it names the field or means the same, as in `Approved — PASS`.
    Anything else, as in `Unit tests: PASS`, has a value of its own.
    """
    sentence = _FULL_STOP.search(raw, start, end)
    stop = sentence.start() if sentence is not None else end
    ranges: list[tuple[int, int]] = []
    begin = start
    for sign in [*_SET_OFF.finditer(raw, start, stop), None]:
        first, last = _bare(field, raw, begin, sign.start() if sign is not None else stop, True)
        begin = sign.end() if sign is not None else stop
        word = raw[first:last].rstrip(".,;")
        exact = any(value.value == word for value in field.values) or raw[max(first - 1, 0) : first] == "`"
        if exact and any(value.value.casefold() == word.casefold() for value in field.values):
            ranges.append((first, first + len(word)))
    words = {raw[first:last].casefold() for first, last in ranges}
    if len(words) != 1 or _NOT_IT.search(raw, start, ranges[0][0]) is not None:
        return None
    lead = raw[start : ranges[0][0]].strip(_MARKS + " \t—–-:：().,;!|·→")
    if _names(field, lead):
        return ranges[0]
    meant = next(one for one in field.values if one.value.casefold() in words)
    same = not lead or tables(field)[2].get(key_name(lead)) is meant
    return ranges[0] if same and len(outcomes_in(field, raw)) == 1 else None


def _names(field: Field, lead: str) -> bool:
    """Whether a text has one of a field's names in it."""
    titles = (field.title, *field.aliases, *field.also)
    return any(re.search(rf"(?i)(?<!\w){re.escape(title)}(?!\w)", lead) for title in titles)


def outcomes_in(field: Field, text: str) -> set[str]:
    """The outcomes of the values that occur in a text, spelled as in the contract."""
    outcomes, pattern = _value_words(field)
    return {outcomes[match.group()] for match in pattern.finditer(text)}


@once_per_field
def _value_words(field: Field) -> tuple[dict[str, str], re.Pattern[str]]:
    """Each value's outcome (the first clause of its ``then``, else the value itself), and a pattern for the values."""
    outcomes = {value.value: _CLAUSE.split(value.then, maxsplit=1)[0] or value.value for value in field.values}
    longest_first = sorted(outcomes, key=len, reverse=True)
    return outcomes, re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)")


_CLAUSE = lazy_pattern("[.;,]")


def _meant_part(field: Field, raw: str, start: int, end: int) -> tuple[int, int]:
    """The range of the wrong word in a wrong value, without the detail after it.

    That is a word written instead of a value, a slip for one, or else the emphasized beginning.
    """
    word, (exact, _, wrong) = raw[start:end], tables(field)
    for tail in _tails(field, word):
        head = _bare(field, word, 0, tail.start(), "quotes" in field.tolerate)
        first = word[head[0] : head[1]]
        if key_name(first) in wrong or slip_of(first, exact) is not None:
            return start + head[0], start + head[1]
    # An emphasized beginning is the value; the text after it only adds to it.
    closing = _EMPHASIS_END.search(word) if "sentence" in field.tolerate and _begins_emphasised(raw, start) else None
    return _bare(field, raw, start, start + closing.start(), True) if closing is not None else (start, end)


def _begins_emphasised(raw: str, start: int) -> bool:
    return raw[max(start - 1, 0) : start] in {"*", "_", "`"}


def _tails(field: Field, word: str) -> Iterator[re.Match[str]]:
    """The places where a value may end before a tail that the field tolerates."""
    if "detail" in field.tolerate:
        # `PASS: 12` is a count of passes.
        found = takewhile(_is_near, _DETAIL.finditer(word))
        yield from (one for one in found if not (field.judgement and word[one.end() : one.end() + 1].isdigit()))
    if "sentence" in field.tolerate:
        yield from takewhile(_is_near, _SENTENCE.finditer(word))


def _is_near(tail: re.Match[str]) -> bool:
    return tail.start() <= _LONGEST


def _read_open(field: Field, raw: str, start: int, end: int) -> ReadValue:
    """An unlisted value of an open enum, as written; a problem if it looks like a slip for a listed one."""
    if "detail" in field.tolerate and (tail := _DETAIL.search(raw, start, end)):
        start, end = _bare(field, raw, start, tail.start(), "quotes" in field.tolerate)
    word = raw[start:end]
    known, _, others = tables(field)
    wrong = key_name(word) in others
    if field.open == "words" and word not in known and len(word.split()) == 1 and word[:1].isalpha():
        known_by_case = {value.casefold(): value for value in known}
        right = known_by_case.get(word.casefold()) if "case" in field.tolerate else None
        return ReadValue(right, start, end) if right is not None else ReadValue(None, start, end, "value")
    if wrong or (len(word) > _SHORTEST_SLIP and _is_slip(word, known)):
        return ReadValue(None, start, end, "value")
    return ReadValue(word, start, end)


def _is_slip(word: str, known: Iterable[str]) -> bool:
    """Whether a word almost equals a known one, or has the letters of one in a different order."""
    near = nearest(word, known, cutoff=_MIXED_UP)
    if near is None:
        return False
    return sorted(near.casefold()) == sorted(word.casefold()) or nearest(word, known, cutoff=_SLIP) is not None


def _spelled(word: str, field: Field, exact: dict[str, Value]) -> Value | None:
    if word in exact:
        return exact[word]
    if "trailing-punctuation" in field.tolerate:
        word = word.rstrip(".,;")
    if "case" in field.tolerate:
        fixed = (value for value in field.values if not arguments_of(value.value))
        return next((value for value in fixed if value.value.casefold() == word.casefold()), None)
    return exact.get(word)


def meant(field: Field, word: str) -> tuple[Value | None, bool]:
    """The value that a wrong word most likely means, and whether only its spelling differs."""
    exact, loose, wrong = tables(field)
    key = key_name(word.strip(" .,;:!" + _MARKS))
    if key in loose:
        return loose[key], True
    if key in wrong:
        return wrong[key], False
    if "?" in word or "|" in word:  # a doubt, or a choice
        return None, False
    given_wrong = almost_given(field, word)
    if given_wrong is not None:
        return given_wrong[0], given_wrong[2]
    near = slip_of(word, {value: None for value in exact if not _is_negation(word, value)})
    if near is None and field.open and _is_slip(word, exact):  # that is why it is wrong
        near = nearest(word, exact, cutoff=_MIXED_UP)
    return (exact[near], False) if near else (None, False)


def correction(field: Field, word: str, value: Value) -> str:
    """What to write instead of a wrong word that means a value; empty if an argument of the value is unknown."""
    if not arguments_of(value.value):
        return value.value
    right = almost_given(field, word)
    return right[1] if right is not None and right[0] is value else ""


def _is_negation(word: str, value: str) -> bool:
    """Whether a word negates a value: the value with a prefix, as in `uncomplete`, or a word such as `no`."""
    one, other = key_name(word), key_name(value)
    return (len(one) > len(other) + 1 and one.endswith(other)) or (one in NO and other not in NO)


@once_per_field
def _read_before(_field: Field) -> dict[str, ReadValue]:
    """The values that were read for a field: those of a log or a long list are read again at every keystroke."""
    return {}


def read_text(field: Field, raw: str, empty_words: frozenset[str] = frozenset()) -> ReadValue:
    """The value of a line of text by the field's type, with offsets into ``raw``."""
    if len(raw) > _SHORT or not (field.kind.is_choice or field.kind.form is not None):
        return _read_text(field, raw, empty_words)
    before = _read_before(field)
    found = before.get(raw)
    if found is None:
        if len(before) >= _MOST_KEPT:
            before.clear()
        found = before[raw] = _read_text(field, raw, empty_words)
    return found


def _read_text(field: Field, raw: str, empty_words: frozenset[str]) -> ReadValue:
    if field.kind.is_choice or (field.kind.untyped and field.open):
        return read_enum(field, raw)
    start, end = trim(raw, 0, len(raw))
    if is_placeholder(raw[start:end]):
        return ReadValue(None, start, end, "placeholder")
    if is_refused(field, raw):
        return ReadValue(None, start, end, "format")
    if field.kind.is_free or field.kind.holds != "value":
        empty = field.kind.holds == "prose" and is_nothing(raw, empty_words)
        return ReadValue("" if empty else raw[start:end], start, end)
    if "<!--" in raw:  # a remark beside the value
        raw = _COMMENT.sub(_blank, raw)
    whole = trim(raw, start, end)
    start, end = _without_markup(raw, start, end, quotes=True)
    if field.kind.has_pattern and not field.tolerate and start == whole[0]:
        # Signs that do not surround the value, such as those of its last word, belong to it if the pattern takes them.
        end = whole[1] if match_whole(field.pattern, raw[slice(*whole)]) else end
    if "detail" in field.tolerate and (tail := _DETAIL.search(raw, start, end)):
        start, end = _without_markup(raw, start, tail.start(), quotes=True)
    word = raw[start:end]
    if field.kind.form is not None:
        return ReadValue(word, start, end, "" if is_of_form(field, word) else "format")
    if field.kind.is_count:
        if field.pattern and _INTEGER.fullmatch(word) and match_whole(field.pattern, word) is None:
            return ReadValue(None, start, end, "format")
        return ReadValue(int(word), start, end) if _INTEGER.fullmatch(word) else ReadValue(None, start, end, "type")
    if field.kind.json == "number":
        number = _number(word)
        return ReadValue(number, start, end, "type" if number is None else "")
    if field.kind.words:
        if "|" in word and {part.strip().casefold() for part in word.split("|")} == set(field.kind.words):
            return ReadValue(None, start, end, "placeholder")
        truth = {"true": True, "false": False}.get(word.casefold())
        return ReadValue(truth, start, end) if truth is not None else ReadValue(None, start, end, "type")
    if field.kind.has_pattern:
        found = match_whole(field.pattern, word)
        if found is None:
            return ReadValue(None, start, end, "format")
        groups = {name: (start + first, start + last) for name, (first, last) in found.groups.items()}
        return ReadValue(group_values(field, raw, groups, word), start, end, groups=groups)
    return ReadValue(None, start, end, "type")


def _number(word: str) -> float | None:
    """A finite number; None for any other word. `NaN` and infinity are none: no limit applies to them."""
    try:
        number = float(word)
    except ValueError:
        return None
    return number if isfinite(number) else None


def remark_in(text: str, start: int) -> tuple[int, int] | None:
    """The range of a remark in a text from an offset on, without emphasis, signs, comments and struck-through text.

    None if no letter or digit is left.
    """
    if start >= len(text):
        return None
    bare = _seen(text[start:])
    first, last = trim(bare, 0, len(bare), _AROUND_REMARK)
    if not any(char.isalnum() for char in bare[first:last]):
        return None
    while not bare[first].isalnum():
        first += 1
    return start + first, start + last


def is_withdrawn(text: str) -> bool:
    """Whether all the words of a text are struck through."""
    return "~~" in text and remark_in(text, 0) is None


def _seen(text: str) -> str:
    """The text with blanks in place of comments and struck-through parts, so that offsets stay."""
    return _STRUCK.sub(_blank, _COMMENT.sub(_blank, text)) if "~~" in text or "<!--" in text else text


def _blank(found: re.Match[str]) -> str:
    return " " * len(found.group())


def is_refused(field: Field, text: str) -> bool:
    """Whether a text contains something that the field's reader refuses."""
    return bool(field.refused) and search(field.refused, text) is not None


def is_of_form(field: Field, text: str) -> bool:
    """Whether a text has the fixed form of its field's type, if there is one."""
    return field.kind.form is None or field.kind.form.accepts(text)


def group_values(field: Field, raw: str, groups: dict[str, tuple[int, int]], word: str) -> object:
    """A pattern's value for conditions: its named groups (digits as integers), or the text if it has none."""
    if not field.has_groups:
        return word
    return {
        name: int(raw[first:last]) if _INTEGER.fullmatch(raw[first:last]) else raw[first:last]
        for name, (first, last) in groups.items()
    }
