"""The pairs of a YAML mapping with their places, for blocks that a format declares to be YAML."""

from __future__ import annotations

from functools import lru_cache

from handoff_lsp.syntax.limits import too_deep_yaml
from handoff_lsp.syntax.lines.keyvalue import Pair
from handoff_lsp.text import Span

# A longer block is read as plain `key: value` lines, which is linear for any text.
_MAX_LENGTH = 100_000


@lru_cache(maxsize=32)
def read_yaml_pairs(text: str) -> tuple[Pair, ...] | None:
    """The root mapping's pairs in order, repeated keys kept; None if the text is not a YAML mapping.

    Spans are offsets in code points of ``text``. A scalar's ``value_text`` is its value (unquoted, unfolded), any
    other value's is its source. Input that nests too deep gives None. Never raises; builds no Python objects but text.
    """
    if len(text) > _MAX_LENGTH or too_deep_yaml(text) is not None:
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
