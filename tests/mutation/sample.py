"""Slips in the code: which ones there are, and a sample of them.

Cosmic Ray knows the slips and makes them; the sample is drawn here, since nearly all that it finds in typed code are
changes of annotations, and of a comparison into each of seven others.
"""

from __future__ import annotations

import ast
import difflib
import hashlib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import yaml

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("rules", "binding", "recognition", "features")

# A comparison becomes its opposite or moves its limit; the other changes are those that a person makes by mistake.
_COMPARISONS = "Eq_NotEq NotEq_Eq Lt_LtE Lt_GtE LtE_Lt LtE_Gt Gt_GtE Gt_LtE GtE_Gt GtE_Lt Is_IsNot IsNot_Is"
_ARITHMETIC = "Add_Sub Sub_Add Mul_Div Div_Mul FloorDiv_Mul Mod_Mul BitOr_BitAnd BitAnd_BitOr"
_OTHERS = (
    "AddNot ReplaceTrueWithFalse ReplaceFalseWithTrue ReplaceAndWithOr ReplaceOrWithAnd ReplaceBreakWithContinue "
    "ReplaceContinueWithBreak ExceptionReplacer NumberReplacer RemoveDecorator ZeroIterationForLoop "
    "ReplaceUnaryOperator_Delete_Not ReplaceUnaryOperator_Delete_USub"
)
OPERATORS = (
    *(f"core/ReplaceComparisonOperator_{name}" for name in _COMPARISONS.split()),
    *(f"core/ReplaceBinaryOperator_{name}" for name in _ARITHMETIC.split()),
    *(f"core/{name}" for name in _OTHERS.split()),
)
# Without a cache the same is computed again, and only type checkers read an overload.
_UNSEEN = {"cache", "lru_cache", "functools.cache", "once_per_field", "overload"}


# Slips that change nothing that anybody could see, each with its reason.
_EQUAL = Path(__file__).with_name("equal.yaml")


class Slip(NamedTuple):
    """One slip: the file below the root, the operator, its how-manieth place in the file, the 1-based line, a name.

    The name has no line number, so a change elsewhere in the file leaves the draw as it is.
    """

    path: str
    operator: str
    occurrence: int
    line: int
    name: str

    def made(self) -> str:
        """The text of the file with the slip."""
        from cosmic_ray.mutating import mutate_code
        from cosmic_ray.plugins import get_operator

        made = mutate_code(_read(self.path), get_operator(self.operator)(), self.occurrence)
        assert made is not None, self
        return made

    def original(self) -> str:
        """The text of the file without the slip."""
        return _read(self.path)

    def diff(self) -> tuple[str, str]:
        """The lines without the slip and with it, each stripped and joined by a space."""
        changed = list(difflib.ndiff(_read(self.path).splitlines(), self.made().splitlines()))
        before, after = (
            " ".join(line[2:].strip() for line in changed if line.startswith(sign)) for sign in ("- ", "+ ")
        )
        return before, after


def slips(path: str) -> Iterator[Slip]:
    """All slips in a file, those that change nothing included."""
    from cosmic_ray.ast import ast_nodes, get_ast
    from cosmic_ray.plugins import get_operator

    text = _read(path)
    lines, nodes = text.splitlines(), list(ast_nodes(get_ast(text)))
    seen: Counter[tuple[str, str]] = Counter()
    for operator in OPERATORS:
        made = get_operator(operator)()
        places = (start for node in nodes for start, _ in made.mutation_positions(node))
        for occurrence, (line, _) in enumerate(places):
            written = lines[line - 1].strip()
            seen[operator, written] += 1
            yield Slip(path, operator, occurrence, line, f"{path}/{operator}/{written}/{seen[operator, written]}")


def sample_of(seed: int, size: int) -> list[Slip]:
    """Some slips of all rooms, drawn by their names; one that the compiled code does not show is left out."""
    drawn: list[Slip] = []
    taken: set[tuple[str, int]] = set()
    every = (
        slip
        for room in ROOMS
        for file in sorted((ROOT / "handoff_lsp" / room).rglob("*.py"))
        for slip in slips(file.relative_to(ROOT).as_posix())
    )
    for slip in sorted(every, key=lambda slip: hashlib.sha256(f"{seed}/{slip.name}".encode()).digest()):
        if len(drawn) == size:
            break
        if (slip.path, slip.line) in taken or not changes_code(slip.original(), slip.made()):
            continue  # one for a line
        taken.add((slip.path, slip.line))
        drawn.append(slip)
    return drawn


class Equal(NamedTuple):
    """A slip that changes nothing: its file, the lines without it and with it, and the reason."""

    path: str
    before: str
    after: str
    because: str


@cache
def equals() -> list[Equal]:
    """The slips of `equal.yaml`."""
    return [Equal(**one) for one in yaml.safe_load(_EQUAL.read_text(encoding="utf-8"))]


def reason_of(slip: Slip) -> str:
    """Why nobody can see a slip; empty for all others."""
    return next((one.because for one in equals() if (one.path, one.before, one.after) == (slip.path, *slip.diff())), "")


def changes_code(before: str, after: str) -> bool:
    """Whether two texts of a module do different things; not if the second one is no Python."""
    try:
        return _judged(before) != _judged(after)
    except SyntaxError:
        return False


def _judged(text: str) -> str:
    """What a module does: without annotations, which no one evaluates, docstrings and caches."""
    return ast.dump(_Plain().visit(ast.parse(text)))


class _Plain(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        node.decorator_list = [one for one in node.decorator_list if ast.unparse(one).partition("(")[0] not in _UNSEEN]
        return self.generic_visit(node)

    def visit_arguments(self, node: ast.arguments) -> ast.AST:
        """A `*` between parameters is no multiplication."""
        node.args = [*node.posonlyargs, *node.args, *node.kwonlyargs]
        node.defaults = [*node.defaults, *(one for one in node.kw_defaults if one is not None)]
        node.posonlyargs, node.kwonlyargs, node.kw_defaults = [], [], []
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)


def _read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")
