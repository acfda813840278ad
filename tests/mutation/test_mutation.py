"""The parts of `make mutation` that need no Cosmic Ray: slips in running code, and those that change nothing."""

from __future__ import annotations

import builtins
from types import ModuleType

import pytest
from server import client

from handoff_lsp.features.names import new_name
from handoff_lsp.rules import invalid_value
from handoff_lsp.rules.shared import choices
from mutation import forked, swap
from mutation.sample import ROOT, Equal, changes_code, equals


class _Slip:
    """A slip that a test makes itself, or, turned, the way back from it."""

    def __init__(self, module: ModuleType, before: str, after: str, turned: bool = False) -> None:
        self.path = module.__name__.replace(".", "/") + ".py"
        right = (ROOT / self.path).read_text(encoding="utf-8")
        assert before in right, f"{self.path} has changed: take another line"
        texts = right, right.replace(before, after)
        self._original, self._made = reversed(texts) if turned else texts
        self.line = right[: right.index(before)].count("\n") + 1

    def original(self) -> str:
        return self._original

    def made(self) -> str:
        return self._made


def test_a_slip_in_a_function_is_in_the_running_code() -> None:
    change = new_name, "word[:1].upper() + word[1:]", "word[:1].lower() + word[1:]"
    assert swap.is_inside_functions(_Slip(*change))
    try:
        swap.swap(_Slip(*change))
        assert new_name._capitalized("dod verifier", "Code Checker") == "dod verifier"
    finally:
        swap.swap(_Slip(*change, turned=True))
    assert new_name._capitalized("dod verifier", "Code Checker") == "Dod Verifier"


def test_a_run_counts_if_it_reaches_the_statement() -> None:
    change = new_name, "word[:1].upper() + word[1:]", "word[:1].lower() + word[1:]"
    other = new_name, "stem[:1].isupper()", "stem[:1].islower()"
    reached = set[int]()
    setattr(builtins, swap.HIT, reached.add)
    try:
        swap.count_hits({7: _Slip(*change), 8: _Slip(*other)})
        assert new_name._capitalized("", "Code Checker") == ""
        assert not reached  # no word, so the function ran, but not the statement
        assert new_name._capitalized("dod verifier", "Code Checker") == "Dod Verifier"
        assert reached == {7}
    finally:
        for each in (change, other):
            swap.swap(_Slip(*each, turned=True))
        delattr(builtins, swap.HIT)


def test_a_server_of_the_tests_has_their_slip(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "subprocess", forked.SUBPROCESS)
    change = invalid_value, "but must be {values}", "but may be {values}"
    swap.swap(_Slip(*change))
    try:
        with client.LspClient() as editor:
            editor.open("# Login — Handoff from Developer\n\n## Status\ncompleet\n")
            assert any("but may be one of" in found["message"] for found in editor.diagnostics(1))
    finally:
        swap.swap(_Slip(*change, turned=True))


def test_a_slip_outside_of_functions_needs_a_new_process() -> None:
    slip = _Slip(choices, "from __future__ import annotations\n", "from __future__ import annotations\n_ONE = 1\n")
    assert not swap.is_inside_functions(slip)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f(a: int | None): ...", "def f(a: int & None): ..."),
        ("def f() -> int | str: ...", "def f() -> int & str: ..."),
        ("a: int | str = 1", "a: int & str = 1"),
        ("def f(a, *, b): ...", "def f(a, /, b): ..."),
        ("@cache\ndef f(): ...", "\ndef f(): ..."),
        ("@overload\ndef f(): ...", "\ndef f(): ..."),
    ],
)
def test_what_no_test_can_notice_is_not_drawn(before: str, after: str) -> None:
    assert not changes_code(before, after)


@pytest.mark.parametrize(
    ("before", "after"),
    [("a = b or c", "a = b and c"), ("@dataclass\nclass A: ...", "class A: ..."), ("a: int = 1", "a: int = 2")],
)
def test_what_a_test_can_notice_is_drawn(before: str, after: str) -> None:
    assert changes_code(before, after)


@pytest.mark.parametrize("equal", equals(), ids=lambda equal: f"{equal.path}: {equal.after}"[:100])
def test_each_excuse_is_for_code_that_is_there(equal: Equal) -> None:
    lines = [line.strip() for line in (ROOT / equal.path).read_text(encoding="utf-8").splitlines()]
    assert equal.before in lines, "the line has changed: judge the slip again"
    assert equal.after not in lines
    assert len(equal.because.split()) > 3


def test_no_slip_has_two_excuses() -> None:
    assert len({equal[:3] for equal in equals()}) == len(equals())
