"""The pairs of a YAML mapping with their places, for blocks that a format declares to be YAML."""

from __future__ import annotations

import re
from functools import lru_cache

from handoff_lsp.syntax.limits import MAX_DEPTH, too_deep_yaml
from handoff_lsp.syntax.lines.keyvalue import Pair
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# A longer block is read as plain `key: value` lines, which is linear for any text.
_MAX_LENGTH = 100_000


class YamlError(NamedTuple):
    """Where a text stops being YAML, as an offset in code points, and why."""

    at: int
    why: str


_NO_TOKEN = "found character that cannot start any token"
_TAB = "found a tab character that violates indentation"
# The parser's words, and ours.
_WORDS = {
    "mapping values are not allowed in this context": "unexpected `:`; quote a text with a colon",
    "did not find expected key": "a key is missing; check indentation and quotes",
    "did not find expected node content": "a value is missing",
    "did not find expected ',' or ']'": "`,` or `]` is missing",
    "did not find expected ',' or '}'": "`,` or `}` is missing",
    "did not find expected '-' indicator": "`-` is missing; check the indentation",
    "did not find expected <document start>": "unexpected text after the end of the first value",
    "found unexpected end of stream": "a quoted text has no closing quote",
    _NO_TOKEN: "unexpected character; quote a text that begins with it",
    _TAB: "a tab is not allowed as indentation",
    "could not find expected ':'": "`:` is missing after a key",
    "found unknown escape character": "unknown escape in a quoted text",
    "found undefined alias": "undefined alias",
    "found undefined tag handle": "undefined tag",
    "block sequence entries are not allowed in this context": "unexpected `-`; check the indentation",
}


def yaml_words(problem: str | None, sign: str) -> str:
    """A message of the YAML parser in our words; an unknown one stays. ``sign``: the character at its place."""
    if problem == _NO_TOKEN and sign == "\t":
        problem = _TAB
    return _WORDS.get(problem or "", problem or "the parser gives no reason")


# Most blocks are lines of `key: words`. If a value begins with a letter or digit, only `: ` and ` #` in it mean more to
# YAML: without these, each line is a pair as it is written. The parser takes a tenth of a short run to load.
_WORD = r"(?>[^\s#:]|:(?=[^\s:]))(?>[^\s:]|:(?=[^\s:]))*+"
_LINE = rf"[A-Za-z]\w{{0,60}}+:[ ]++(?=[A-Za-z0-9]|[^\x00-\x7f]){_WORD}(?>[ ]++{_WORD})*+[ ]*+"
_PLAIN = lazy_pattern(rf"(?=[A-Za-z])(?>{_LINE}\n)*+(?>{_LINE})?", re.ASCII)
_PLAIN_LINE = lazy_pattern(r"(?P<key>\w+):[ ]+(?P<value>[^\n]*[^ \n])", re.ASCII)


def _plain_pair(line: re.Match[str]) -> Pair:
    key, value = Span(*line.span("key")), Span(*line.span("value"))
    return Pair(key, value, Span(key.start, value.end), line["key"], line["value"], None)


def _is_plain(text: str) -> bool:
    # What cannot be printed are blanks and ends of lines of other kinds, and what YAML does not allow.
    return _PLAIN.fullmatch(text) is not None and text.replace("\n", " ").isprintable()


@lru_cache(maxsize=32)
def yaml_error(text: str) -> YamlError | None:
    """The first place that a YAML parser refuses; None for a text that it takes, or that is too long to ask it."""
    if len(text) > _MAX_LENGTH or _is_plain(text):
        return None
    deep = too_deep_yaml(text)
    if deep is not None:
        return YamlError(deep, f"it is nested deeper than {MAX_DEPTH} levels")
    import yaml

    try:
        yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = min(mark.index, len(text)) if mark is not None else 0
        words = yaml_words(error.problem, text[at : at + 1])
        return YamlError(len(text[: at + 1].rstrip()) - 1 if text[:at].strip() else at, words)
    except yaml.reader.ReaderError as error:
        return YamlError(min(error.position, len(text)), "a character that YAML does not allow")
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return YamlError(0, str(error))
    return None


@lru_cache(maxsize=32)
def read_yaml_pairs(text: str) -> tuple[Pair, ...] | None:
    """The root mapping's pairs in order, repeated keys kept; None if the text is not a YAML mapping.

    Spans are offsets in code points of ``text``. A scalar's ``value_text`` is its value (unquoted, unfolded), any
    other value's is its source. Input that nests too deep gives None. Never raises; builds no Python objects but text.
    """
    if len(text) > _MAX_LENGTH:
        return None
    if _is_plain(text):
        return tuple(map(_plain_pair, _PLAIN_LINE.finditer(text)))
    if too_deep_yaml(text) is not None:
        return None
    import yaml

    try:
        root = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError):
        return None
    if not isinstance(root, yaml.MappingNode):
        return None
    pairs = []
    for key, value in root.value:
        if not isinstance(key, yaml.ScalarNode):
            return None
        key_span = Span(key.start_mark.index, key.end_mark.index)
        value_span = Span(value.start_mark.index, value.end_mark.index)
        raw = text[value_span.start : value_span.end]
        trimmed = raw.rstrip()
        value_span = Span(value_span.start, value_span.start + len(trimmed))
        shown = value.value if isinstance(value, yaml.ScalarNode) else trimmed
        line = Span(key_span.start, max(value_span.end, key_span.end))
        pairs.append(Pair(key_span, value_span, line, key.value, shown, None))
    return tuple(pairs)
