"""A slip in running code: the functions of a module are given the code that they would have with it."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Protocol

from mutation.sample import ROOT

# A code object by its qualified name and its first line: two functions of a module may have one name, as overloads do.
_Codes = dict[tuple[str, int], CodeType]
# A built-in function, so that any module has it.
HIT = "_slip_was_reached"


class Slip(Protocol):
    """A slip: its file below the root, and the text of that without it and with it."""

    @property
    def path(self) -> str: ...

    def original(self) -> str: ...

    def made(self) -> str: ...


def is_inside_functions(slip: Slip) -> bool:
    """Whether a slip is in the body of a function; else it changes what is done at the import."""
    return _outer(_compiled(slip, slip.made())) == _outer(_compiled(slip, slip.original()))


def swap(slip: Slip) -> int:
    """Give the functions of the slip's module their code with the slip; how many functions that were."""
    was, becomes = _codes(_compiled(slip, slip.original())), _codes(_compiled(slip, slip.made()))
    return _give(slip, {key: code for key, code in becomes.items() if was[key] != code})


def count_hits(slip: Slip, number: int) -> None:
    """Let the functions that contain a slip call the built-in function ``HIT`` with a number first."""
    was, becomes = _codes(_compiled(slip, slip.original())), _codes(_compiled(slip, slip.made()))
    lines = {key[1] for key, code in becomes.items() if was[key] != code}
    tree = ast.parse(slip.original())
    call = ast.parse(f"{HIT}({number})").body
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            # The first line of a function's code is that of its first decorator.
            if min([node.lineno, *(one.lineno for one in node.decorator_list)]) in lines:
                node.body = [*call, *node.body]
    _give(slip, {key: code for key, code in _codes(_compiled(slip, tree)).items() if key[1] in lines})


def _give(slip: Slip, codes: _Codes) -> int:
    path, count = str(ROOT / slip.path), 0
    gc.unfreeze()  # else it lists nothing that tests/conftest.py froze
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename == path:
            code = codes.get((one.__code__.co_qualname, one.__code__.co_firstlineno))
            if code is not None and code.co_freevars == one.__code__.co_freevars:
                one.__code__ = code
                count += 1
    return count


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
