"""A pattern that is compiled at its first use answers as a compiled one."""

from __future__ import annotations

import re

import pytest

from handoff_lsp.text.lazy import lazy_pattern


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
