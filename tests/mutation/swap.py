"""A slip in running code: the functions of a module are given the code that they would have with it."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator, Mapping
from functools import cache
from types import CodeType, FunctionType
from typing import Protocol

from mutation.sample import ROOT

# A code object by its qualified name and its first line: two functions of a module may have one name, as overloads do.
_Codes = dict[tuple[str, int], CodeType]
# A built-in function, so that any module has it.
HIT = "_slip_was_reached"


class Slip(Protocol):
    """A slip: its file below the root, its 1-based line, and the text of the file without it and with it."""

    @property
    def path(self) -> str: ...

    @property
    def line(self) -> int: ...

    def original(self) -> str: ...

    def made(self) -> str: ...


def is_inside_functions(slip: Slip) -> bool:
    """Whether a slip is in the body of a function; else it changes what is done at the import."""
    return _outer(_compiled(slip, slip.made())) == _outer(_compiled(slip, slip.original()))


def swap(slip: Slip) -> int:
    """Give the functions of the slip's module their code with the slip; how many functions that were."""
    was, becomes = _codes(_compiled(slip, slip.original())), _codes(_compiled(slip, slip.made()))
    return _give(slip, {key: code for key, code in becomes.items() if was[key] != code})


def count_hits(slips: Mapping[int, Slip]) -> None:
    """Let the functions that contain slips call the built-in function ``HIT`` with a slip's number at its statement."""
    of_path: dict[str, list[tuple[int, Slip]]] = {}
    for number, slip in slips.items():
        of_path.setdefault(slip.path, []).append((number, slip))
    for numbered in of_path.values():
        first, changed = numbered[0][1], set[int]()
        was, tree = _codes(_compiled(first, first.original())), ast.parse(first.original())
        for number, slip in numbered:
            becomes = _codes(_compiled(slip, slip.made()))
            changed |= {key[1] for key, code in becomes.items() if was[key] != code}
            _call_before(tree, slip.line, f"{HIT}({number})")
        _give(first, {key: code for key, code in _codes(_compiled(first, tree)).items() if key[1] in changed})


def _call_before(tree: ast.Module, line: int, call: str) -> None:
    """Put a call before the innermost statement at a line, and into each lambda there, which runs at another time."""
    bodies = (body for node in ast.walk(tree) for body in _bodies(node))
    places = ((one.lineno, body, index) for body in bodies for index, one in enumerate(body) if _is_at(one, line))
    _, body, index = max(places, key=lambda place: place[0])
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda) and _is_at(node, line):
            first = ast.parse(call, mode="eval").body
            node.body = ast.Subscript(ast.List([first, node.body], ast.Load()), ast.Constant(1), ast.Load())
    body[index:index] = ast.parse(call).body


def _bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        if isinstance(body := getattr(node, name, None), list):
            yield body


def _is_at(node: ast.stmt | ast.Lambda, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or line)


def _give(slip: Slip, codes: _Codes) -> int:
    count = 0
    for one in functions().get(str(ROOT / slip.path), ()):
        code = codes.get((one.__code__.co_qualname, one.__code__.co_firstlineno))
        if code is not None and code.co_freevars == one.__code__.co_freevars:
            one.__code__ = code
            count += 1
    return count


@cache
def functions() -> dict[str, list[FunctionType]]:
    """All functions, by the paths of their files. Those made later run as they are."""
    found: dict[str, list[FunctionType]] = {}
    gc.unfreeze()  # else it lists nothing that tests/conftest.py froze
    for one in gc.get_objects():
        if isinstance(one, FunctionType):
            found.setdefault(one.__code__.co_filename, []).append(one)
    gc.freeze()
    return found


def _compiled(slip: Slip, text: str | ast.Module) -> CodeType:
    if isinstance(text, ast.Module):
        ast.fix_missing_locations(text)
    code: CodeType = compile(text, str(ROOT / slip.path), "exec", dont_inherit=True)
    return code


def _codes(module: CodeType) -> _Codes:
    return {(code.co_qualname, code.co_firstlineno): code for code in _all(module) if code.co_flags & 0x2}


def _all(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _all(constant)


def _outer(code: CodeType) -> object:
    """What a module or a class does, without the bodies of its functions."""
    within = (one if not isinstance(one, CodeType) else one.co_flags & 0x2 or _outer(one) for one in code.co_consts)
    return code.co_code, code.co_names, repr(list(within))
