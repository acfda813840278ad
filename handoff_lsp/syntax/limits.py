"""The limit on the nesting of JSON and YAML: deeper input would overflow the stack of a C library."""

from __future__ import annotations

# No handoff, contract or config nests deeper. A stack of 1 MB, as on Windows, holds seven times as much.
MAX_DEPTH = 100

# The openers of YAML lists and mappings: a text with no more of these than allowed levels needs no closer check.
_OPENERS = "[{-?:"


def too_deep_yaml(text: str) -> int | None:
    """The offset (code points) at which YAML nests deeper than ``MAX_DEPTH``, or None.

    Uses libyaml's events, which need no recursion. In invalid YAML, only the part before the error counts.
    """
    if sum(map(text.count, _OPENERS)) <= MAX_DEPTH:
        return None
    import yaml

    depth = 0
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > MAX_DEPTH:
                    return event.start_mark.index if event.start_mark is not None else 0
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
    except (yaml.YAMLError, ValueError):
        return None
    return None
