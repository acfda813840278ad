"""How deep JSON and YAML may nest: what goes deeper never reaches a library written in C, whose stack it would fill."""

from __future__ import annotations

# No handoff, contract or config nests deeper. A stack of 1 MB, as on Windows, holds seven times as much.
MAX_DEPTH = 100

# What begins a list or a mapping in YAML: a text with no more of these than levels allowed needs no closer look.
_OPENERS = "[{-?:"


def too_deep_yaml(text: str) -> int | None:
    """Where YAML nests deeper than ``MAX_DEPTH``, as an offset in code points; None where it does not.

    Goes by events, which libyaml makes without recursion. A text that is no YAML is looked at as far as it is.
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
