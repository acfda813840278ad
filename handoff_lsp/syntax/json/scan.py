"""The tokens of JSON and of its common misspellings: patterns, strings, numbers and literals.

Every repeat in a pattern is possessive: a scan that fails has read its characters once and gives none back.
"""

from __future__ import annotations

import json
import re

from handoff_lsp.language import say
from handoff_lsp.syntax.json.tree import JsonKind, JsonScalar
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

_DOUBLE = "\u201c\u201d\u201e"
_SINGLE = "\u2018\u2019\u201a"
QUOTES = "\"'" + _DOUBLE + _SINGLE
# Blanks and invisible characters that are no white space to JSON.
_ODD = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u2064\u3000\ufeff"
# A comma and its substitutes: the semicolon, and the full-width comma of Japanese and Chinese keyboards.
COMMAS = ",;\uff0c"
_BARE = rf"[^ \t\n\r{_ODD}{COMMAS}:\uff1a={{}}\[\]{QUOTES}/#]"
_WS = r"[ \t\n\r]*+"
# Look-ahead skips this, as it will be removed. The bound limits the cost of unclosed comments.
_GAP = rf"(?>[ \t\n\r{_ODD}]++|(?://|#)[^\n\r]*+|/\*(?>[^*]|\*(?!/)){{0,300}}+\*/)*+"
_IN_STRING = r'[^"\\\x00-\x1f]*+(?>\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*+'
_STRING = rf'"({_IN_STRING})"'
# Digits are bounded so that a number too long for int() is left to the careful path.
_QUICK_NUMBER = r"(-?(?:0|[1-9][0-9]{0,99}+)(?>\.[0-9]++)?+(?>[eE][-+]?[0-9]++)?+)"
_QUICK_SCALAR = rf"(?:{_STRING}|{_QUICK_NUMBER}|(true|false|null))"

# A whole member or item up to the comma or bracket after it, when nothing is wrong with it.
QUICK_MEMBER = lazy_pattern(rf"{_WS}{_STRING}{_WS}:{_WS}(?:{_QUICK_SCALAR}{_WS}([,}}])|([\[{{]))")
QUICK_ITEM = lazy_pattern(rf"{_WS}(?:{_QUICK_SCALAR}{_WS}([,\]])|([\[{{]))")
# The items of a list up to its last one, and that one with the bracket, when all are strings.
PLAIN_ITEMS = lazy_pattern(rf'(?>{_WS}"{_IN_STRING}"{_WS},)++')
LAST_PLAIN_ITEM = lazy_pattern(rf"{_WS}{_STRING}{_WS}\]")
ITEM_LINE = lazy_pattern(rf"{_WS}{_STRING}{_WS},{_WS}")
QUICK_MARK = lazy_pattern(rf"{_WS}([,}}\]])")

SPACE = lazy_pattern(_WS)
ODD = lazy_pattern(rf"[{_ODD}]++")
REST_OF_LINE = lazy_pattern(r"[^\n\r]*+")
BLANK_REST = lazy_pattern(r"[ \t]*+(?:\r\n|\n|\r|\Z)")
ONLY_SPACE_LEFT = lazy_pattern(rf"{_GAP}\Z")
COMMA_AHEAD = lazy_pattern(rf"{_GAP},")
COLON_LIKE = lazy_pattern(r"=>|->|=|\uff1a")
COLON_AHEAD = lazy_pattern(rf"{_GAP}(?::|=|->|\uff1a)")
CLOSING_QUOTE_AHEAD = lazy_pattern(r'"(?=[ \t]*+(?:[,:}\]\r\n]|\Z))')
# From an inner quote of a text to its end: a quote with something behind it that may follow a value, after pairs.
_INNER = r'[^"\\\n\r]*+(?>\\[^\n\r][^"\\\n\r]*+)*+'
_VALUE_END = r"(?=[ \t]*+(?:[,}\]\r\n]|\Z))"
TEXT_END = lazy_pattern(rf'(?>{_INNER}"{_INNER}"(?!{_VALUE_END}))*+{_INNER}"{_INNER}"{_VALUE_END}')
BARE_QUOTE = lazy_pattern(r'\\.|(")')
MEMBER_LINE = lazy_pattern(rf"""^[ \t]*+(?>"{_IN_STRING}"|'[^'\\\r\n]*+')[ \t]*+:""", re.MULTILINE)
CONFLICT = lazy_pattern(r"^(?><{7}|={7}|>{7}|\|{7})(?:[ \t][^\n\r]*+)?$", re.MULTILINE)
DOTS = lazy_pattern(r"\.{2,}+|…")

# A bare value: a URL's or path's slashes and an inner = or # belong to it, a comment does not.
_SLASH = r"/(?![/*])"
WORD = lazy_pattern(rf"(?>{_BARE}++|{_SLASH}|://|[=#])*+")
# Further words on the same line, except the next key.
MORE_WORDS = lazy_pattern(rf"(?>[ \t{_ODD}]++(?:{_BARE}|{_SLASH})(?>{_BARE}++|{_SLASH}|[=#])*+(?![ \t{_ODD}]*+[:=]))*+")
KEY_WORD = lazy_pattern(rf"(?>{_BARE}++|{_SLASH})*+")
PLAIN_KEY = lazy_pattern(r"[\w$.\-]++")

STRING = lazy_pattern(_STRING)
_LOOSE: dict[str, re.Pattern[str]] = {
    '"': lazy_pattern(r'"([^"\\\n\r]*+(?>\\[^\n\r][^"\\\n\r]*+)*+\\?+)("?+)'),
    # An apostrophe between two letters is part of the text.
    "'": lazy_pattern(r"'((?>[^'\\\n\r]++|\\[^\n\r]|(?<=\w)'(?=\w))*+\\?+)('?+)"),
}
_CURLY_DOUBLE = lazy_pattern(
    rf"[{_DOUBLE}]((?>[^{_DOUBLE}\"\\\n\r]++|\\[^\n\r]|\"(?![ \t]*+(?:[,:}}\]\r\n]|\Z)))*+\\?+)([{_DOUBLE}\"]?+)"
)
_CURLY_SINGLE = lazy_pattern(
    rf"[{_SINGLE}]((?>[^{_SINGLE}\\\n\r]++|\\[^\n\r]|(?<=\w)\u2019(?=\w))*+\\?+)([{_SINGLE}]?+)"
)
_LOOSE.update(dict.fromkeys(_DOUBLE, _CURLY_DOUBLE))
_LOOSE.update(dict.fromkeys(_SINGLE, _CURLY_SINGLE))

# The colon of a URL makes no key of the bare word before it.
_KEY_COLON = {True: lazy_pattern(rf"{_GAP}:"), False: lazy_pattern(rf"{_GAP}:(?!//)")}

# A text with more defects than these is read no further.
MAX_DEFECTS = 10_000
_TROUBLE = lazy_pattern(
    r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})'
    r"|(\\u[0-9a-fA-F]{0,3}+|\\x[0-9a-fA-F]{0,2}+|\\[^\n\r]|\\)|([\x00-\x1f])|(\")"
)
_CONTROL = {chr(number): json.dumps(chr(number))[1:-1] for number in range(0x20)}


class Trouble(NamedTuple):
    """A piece of a string's body that JSON does not allow, its place in the text, and its replacement."""

    kind: str
    start: int
    end: int
    repair: str


class Quoted(NamedTuple):
    """A string in any quotes; ``body`` is its JSON form without the quotes, ``end`` an offset (code points)."""

    end: int
    body: str
    closed: bool
    troubles: list[Trouble]
    guessed: bool  # an apostrophe was read as part of the text

    @property
    def dangling(self) -> bool:
        """Whether the text ends in a backslash that would escape a quote inserted after it."""
        return bool(self.troubles) and self.troubles[-1].end == self.end and self.troubles[-1].repair == "\\\\"


class Word(NamedTuple):
    """The meaning of a bare word; ``defect`` is "" for valid JSON, ``repair`` is None where no repair exists."""

    kind: JsonKind
    value: JsonScalar
    defect: str = ""
    message: str = ""
    repair: str | None = None
    safe: bool = False
    fatal: bool = True


def decode(body: str) -> str:
    """The decoded text of a valid JSON string body."""
    return str(json.loads(f'"{body}"')) if "\\" in body else body


def quote(text: str) -> str:
    """The text as a JSON string, with only the required escapes."""
    return json.dumps(text, ensure_ascii=False)


def key_end(text: str, start: int, end: int) -> int:
    """The end of the string or word at ``start`` if a colon follows it, so that it is a key; -1 if not."""
    quoted = text[start] in QUOTES
    match = (_LOOSE[text[start]] if quoted else KEY_WORD).match(text, start, end)
    if match is None or match.end() == start or (quoted and not match[2]):
        return -1
    return match.end() if _KEY_COLON[quoted].match(text, match.end(), end) else -1


def read_quoted(text: str, start: int, end: int) -> Quoted:
    """The string with its opening quote at ``start``; without a closing quote it ends with its line."""
    match = _LOOSE[text[start]].match(text, start, end)
    assert match is not None  # the patterns require only the opening quote
    raw, mark = match.groups()
    stop = match.end()
    if not mark and stop < end:
        # On a finished line a comma at the end is more likely the separator than text.
        bare = raw.rstrip(" \t")
        if bare.endswith(","):
            raw = bare[:-1]
            stop = start + 1 + len(raw)
    apostrophe = "'" if text[start] == "'" else "\u2019"
    guessed = text[start] in "'" + _SINGLE and apostrophe in re.sub(r"\\.", "", raw)
    body, troubles = proper_body(raw, start + 1)
    return Quoted(stop, body, bool(mark), troubles, guessed)


def proper_body(raw: str, base: int) -> tuple[str, list[Trouble]]:
    """A string's body as valid JSON, and its defects (a bare double quote is not among them)."""
    parts: list[str] = []
    troubles: list[Trouble] = []
    beyond: tuple[str, re.Match[str], str] | None = None
    at = 0
    for match in _TROUBLE.finditer(raw):
        escape, control, mark = match.groups()
        if control is not None:
            kind, repair = "control-character", _escaped(control)
        elif escape is not None:
            kind = "bad-escape"
            repair = escape[1:] if len(escape) == 2 and escape[1] in QUOTES else "\\\\" + _escaped(escape[1:])
        elif mark is not None:
            kind, repair = "", '\\"'
        else:
            continue
        start, end = match.span()
        if kind and len(troubles) < MAX_DEFECTS:
            troubles.append(Trouble(kind, base + start, base + end, repair))
        elif kind:
            beyond = kind, match, repair
        parts += (raw[at:start], repair)
        at = end
    if beyond is not None:  # beyond the bound only the last one counts
        kind, match, repair = beyond
        troubles.append(Trouble(kind, base + match.start(), base + match.end(), repair))
    return "".join([*parts, raw[at:]]), troubles


def _escaped(text: str) -> str:
    """The text, or a control character's escape."""
    return _CONTROL.get(text, text)


_PROPER = lazy_pattern(r"-?(?:0|[1-9][0-9]*+)((?>\.[0-9]++))?+((?>[eE][-+]?[0-9]++))?+")
_SHORT = lazy_pattern(r"([-+]?)(0|[1-9][0-9]*+)?(?>\.([0-9]*+))?+((?>[eE][-+]?[0-9]++))?+")
_ZEROS = lazy_pattern(r"([-+]?)0+([0-9]++(?>\.[0-9]++)?+(?>[eE][-+]?[0-9]++)?+)")
_HEX = lazy_pattern(r"([-+]?)0[xX]([0-9a-fA-F]{1,64}+)")
_GROUPED = lazy_pattern(r"-?[1-9][0-9]*+(?>_[0-9]++)++")
_UNFINISHED = lazy_pattern(r"[-+]?(?>[0-9]++(?>\.[0-9]*+)?+(?>[eE][-+]?)?+|\.)?+")

_LITERALS: dict[str, tuple[JsonKind, JsonScalar]] = {
    "true": ("boolean", True),
    "false": ("boolean", False),
    "null": ("null", None),
}
_FOREIGN = {
    "True": "true", "TRUE": "true", "False": "false", "FALSE": "false",
    "None": "null", "NULL": "null", "Null": "null", "undefined": "null",
}  # fmt: skip
_NOT_FINITE = {"nan": "nan", "NaN": "nan", "inf": "inf", "Infinity": "inf"}


def read_word(word: str) -> Word | None:
    """The meaning of a bare word in place of a value; None if it has none in JSON or related notations."""
    if word in _LITERALS:
        return Word(*_LITERALS[word])
    if word in _FOREIGN:
        name = _FOREIGN[word]
        kind, value = _LITERALS[name]
        return Word(
            kind,
            value,
            "python-literal",
            say("`{word}` where JSON wants `{name}`", word=word, name=name),
            name,
            word != "undefined",
        )
    sign = word[0] if word[0] in "+-" else ""
    if word[len(sign) :] in _NOT_FINITE:
        value = float(sign + _NOT_FINITE[word[len(sign) :]])
        fatal = word not in ("NaN", "Infinity", "-Infinity")
        return Word("number", value, "nan", say("`{word}` is not valid JSON", word=word), "null", False, fatal)
    return _read_number(word)


def _read_number(word: str) -> Word | None:
    if not (word[0] in "+-." or word[0].isdecimal()):
        return None
    match = _PROPER.fullmatch(word)
    if match:
        if match.lastindex:
            return Word("number", float(word))
        try:
            return Word("number", int(word))
        except ValueError:  # Python's limit on the digits of an int; json.loads has it too
            message = say("Number with more digits than Python reads")
            return Word("number", float(word), "bad-number", message)
    if len(word) > 4000:
        return None
    shown = _shown(word)
    repair = ""
    safe = True
    if (match := _SHORT.fullmatch(word)) and (match[2] or match[3]):
        sign, whole, fraction, exponent = match.groups()
        repair = ("-" if sign == "-" else "") + (whole or "0") + (exponent or "")
        if fraction is not None:
            repair = ("-" if sign == "-" else "") + (whole or "0") + "." + (fraction or "0") + (exponent or "")
    elif match := _HEX.fullmatch(word):
        repair = ("-" if match[1] == "-" else "") + str(int(match[2], 16))
    elif _GROUPED.fullmatch(word):
        repair = word.replace("_", "")
    elif match := _ZEROS.fullmatch(word):
        # Once octal, now decimal: only the author can decide.
        repair = ("-" if match[1] == "-" else "") + match[2]
        safe = False
    if repair:
        value = json.loads(repair)
        return Word(
            "number",
            value,
            "bad-number",
            say("`{word}` is not a JSON number, `{repair}` is", word=shown, repair=repair),
            repair,
            safe,
        )
    if _UNFINISHED.fullmatch(word):
        return Word("invalid", word, "bad-number", say("Unfinished number `{word}`", word=shown))
    return None


def _shown(word: str) -> str:
    return word if len(word) <= 40 else word[:37] + "..."


def bare_word(word: str) -> Word:
    """A bare word read literally, as a string without quotes."""
    message = say("`{word}` is not a JSON value; text needs double quotes", word=_shown(word))
    return Word("invalid", word, "unexpected", message, quote(word))
