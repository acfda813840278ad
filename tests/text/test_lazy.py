"""A pattern that is compiled at its first use answers as a compiled one."""

from __future__ import annotations

import pkgutil
import re
from importlib import import_module

import pytest

import handoff_lsp
from handoff_lsp.text.lazy import LazyPattern, lazy_pattern


def test_it_answers_as_a_compiled_one() -> None:
    lazy, compiled = lazy_pattern(r"(?P<word>b+)", re.IGNORECASE), re.compile(r"(?P<word>b+)", re.IGNORECASE)
    assert lazy.pattern == compiled.pattern
    for text in ("aBBa", "none", "", "bb"):
        for method in ("match", "fullmatch", "search"):
            assert repr(getattr(lazy, method)(text)) == repr(getattr(compiled, method)(text))
        assert lazy.findall(text) == compiled.findall(text)
        assert lazy.sub("x", text) == compiled.sub("x", text)
        assert lazy.split(text) == compiled.split(text)
        assert [found.span() for found in lazy.finditer(text)] == [found.span() for found in compiled.finditer(text)]
    assert (lazy.flags, dict(lazy.groupindex)) == (compiled.flags, {"word": 1})


def test_it_is_not_compiled_before(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = lazy_pattern("(")
    assert wrong.pattern == "("
    with pytest.raises(re.error):
        wrong.match("")
    with pytest.raises(AttributeError):
        wrong.no_such_name  # type: ignore[attr-defined]  # noqa: B018


def _every_pattern() -> list[LazyPattern]:
    found = []
    for module in pkgutil.walk_packages(handoff_lsp.__path__, "handoff_lsp."):
        try:
            known = vars(import_module(module.name)) if not module.name.endswith("__main__") else {}
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("handoff_lsp"):
                raise
            continue  # what an extra needs
        found += [value for value in known.values() if isinstance(value, LazyPattern)]
    return found


def test_every_pattern_compiles() -> None:
    patterns = _every_pattern()
    assert len(patterns) > 150
    for pattern in patterns:
        re.compile(pattern.pattern, pattern.flags)
