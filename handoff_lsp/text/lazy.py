"""Regular expressions that are compiled at their first use: a short run of the command needs a third of them."""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split", "flags", "groupindex")


def lazy_pattern(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """As ``re.compile``, later. A pattern that is wrong raises at its first use."""
    return cast("re.Pattern[str]", LazyPattern(pattern, flags))


class LazyPattern:
    """A pattern with the methods of a compiled one."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern = pattern
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self._flags)
        for each in _METHODS:  # from now on they are found without this method
            setattr(self, each, getattr(compiled, each))
        return getattr(compiled, name)
