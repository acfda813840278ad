"""A contract's condition in words, made from its tests or from its tree: never a line of CEL."""

from __future__ import annotations

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.cel_tree import CelNode
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.contracts.stated import PATTERN_RELATIONS, Stated, Test, tests_in
from handoff_lsp.language import say
from handoff_lsp.rules.shared.relation_words import words

# The most parts of a condition that one sentence can hold.
_MOST_PARTS = 4
_FLIPPED = {"_&&_": "_||_", "_||_": "_&&_"}


def condition_text(spec: Spec, condition: str) -> str:
    """A condition for people, such as ```Status` is `blocked```; empty where a sentence cannot hold it."""
    if not condition:
        return ""
    if isinstance(condition, Stated):
        return _joined([_tests(spec, (test,)) for test in condition.tests], "and")
    return _words(spec, spec.conditions.tree(condition))


def now(handoff: Handoff | None, condition: str) -> str:
    """Whether a condition holds in a handoff: `` (now)`` or `` (not now)``; empty without a handoff."""
    if handoff is None:
        return ""
    return say(" (now)") if handoff.values.holds(condition) else say(" (not now)")


def _words(spec: Spec, node: CelNode) -> str:
    if node.kind == "loop":
        return _loop(spec, node)
    if node.kind == "call" and node.text in _FLIPPED:
        return _joined([_words(spec, part) for part in _parts(node, node.text)], "and" if node.text == "_&&_" else "or")
    if node.kind == "call" and node.text == "!_":
        return _negated(spec, node.parts[0])
    return _size(spec, node) or _tests(spec, tests_in(node)) or _compared(spec, node)


def _negated(spec: Spec, node: CelNode) -> str:
    """The opposite of a condition in words."""
    if node.kind == "call" and node.text in _FLIPPED:
        flipped = CelNode("call", node.at, _FLIPPED[node.text], tuple(_not(part) for part in node.parts))
        return _words(spec, flipped)
    if node.kind == "call" and node.text == "has":
        name = _name(spec, node.parts[0].path)
        return say("{title} is missing", title=name) if name else ""
    return _tests(spec, tests_in(_not(node)))


def _not(node: CelNode) -> CelNode:
    return CelNode("call", node.at, "!_", (node,))


def _parts(node: CelNode, operator: str) -> list[CelNode]:
    """The operands of a chain of one operator."""
    if node.kind != "call" or node.text != operator:
        return [node]
    return [part for side in node.parts for part in _parts(side, operator)]


def _joined(parts: list[str], word: str) -> str:
    """Parts of a sentence, joined by one of `and` and `or`; empty if one is empty, or they already mix both."""
    between, joints = _joints(word)
    others = _joints("or" if word == "and" else "and")
    mixed = any(other in part for part in parts for other in others)
    if not all(parts) or len(parts) > _MOST_PARTS or (len(parts) > 1 and mixed):
        return parts[0] if len(parts) == 1 else ""
    states = _states()
    together: dict[str, list[str]] = {}  # the subjects of each predicate: `a` and `b` are empty
    for part in parts:
        end = next((end for end in states if part.endswith(end)), "")
        together.setdefault(end or part, []).append(part.removesuffix(end))
    said = []
    for end, subjects in together.items():
        verb = end.replace(" is ", " are ") if word == "and" and len(subjects) > 1 else end
        said.append(between.join(subjects) + (verb if end in states else ""))
    return joints.join(said)


def _joints(word: str) -> tuple[str, str]:
    """What joins names, and what joins statements."""
    if word == "and":
        return say(" and "), say("{one} and {other}", one="", other="")
    return say(" or "), say("{one} or {other}", one="", other="")


def _states() -> tuple[str, ...]:
    """The ends of the statements that say the same of several names."""
    return (
        say("{title} is empty", title=""),
        say("{title} is filled in", title=""),
        say("{title} is missing", title=""),
        say("{title} is present", title=""),
    )


def _tests(spec: Spec, tests: tuple[Test, ...]) -> str:
    """Simple relations in words; a name that the contract defines for a condition by that condition."""
    return _joined([_test(spec, test) for test in tests], "and") if tests else ""


def _test(spec: Spec, test: Test) -> str:
    term = spec.conditions.terms.get(test.path)
    if term is not None and test.relation == "one_of" and test.operand in {(True,), (False,)}:
        tree = spec.conditions.tree(term)
        return _words(spec, tree) if test.operand == (True,) else _negated(spec, tree)
    if test.relation in PATTERN_RELATIONS or not all(_name(spec, path) for path in test.paths):
        return ""
    return words(spec, Stated([test]))


def _size(spec: Spec, node: CelNode) -> str:
    """Whether there are items: `size(list) == 0`, `list == []`."""
    if node.kind != "call" or len(node.parts) != 2:
        return ""
    counted, other = node.parts
    if node.text == "_==_" and other.kind == "list" and not other.parts:
        path, none = counted.path, True
    elif counted.kind == "call" and counted.text == "size" and counted.parts and other.kind == "constant":
        path = counted.parts[0].path
        none = (node.text, other.text) in {("_==_", "0"), ("_<_", "1"), ("_<=_", "0")}
        if not none and (node.text, other.text) not in {("_>_", "0"), ("_>=_", "1"), ("_!=_", "0")}:
            return ""
    else:
        return ""
    name = _name(spec, path)
    if not name:
        return ""
    return say("{title} is empty", title=name) if none else say("{title} is filled in", title=name)


def _compared(spec: Spec, node: CelNode) -> str:
    """Two values, or a value and a text, by their order; a value that is there at all."""
    if node.kind != "call":
        return ""
    if node.text == "has":
        name = _name(spec, node.parts[0].path)
        return say("{title} is present", title=name) if name else ""
    if node.text not in {"_<_", "_<=_", "_>_", "_>=_"} or not node.parts[0].path:
        return ""
    one, other = node.parts
    title, bound = _name(spec, one.path), _name(spec, other.path)
    if not title:
        return ""
    if not bound:  # texts with an order are dates
        later = (other.kind, node.text) == ("text", "_>=_")
        return say("{title} is `{date}` or later", title=title, date=other.text) if later else ""
    match node.text:
        case "_<_":
            return say("{title} is less than {bound}", title=title, bound=bound)
        case "_<=_":
            return say("{title} is at most {bound}", title=title, bound=bound)
        case "_>_":
            return say("{title} is more than {bound}", title=title, bound=bound)
    return say("{title} is at least {bound}", title=title, bound=bound)


def _loop(spec: Spec, node: CelNode) -> str:
    """`list.all(row, row.mark != '✗')`: no item has a value; `list.exists(…)`: one has it."""
    items, start, _, step, _ = node.parts
    name = _name(spec, items.path)
    if not name or step.kind != "call" or len(step.parts) != 2:
        return ""
    tests = tests_in(step.parts[1])
    if len(tests) != 1 or not tests[0].path.startswith(f"{node.text}.") or len(tests[0].operand) != 1:
        return ""
    relation, value = tests[0].relation, tests[0].operand[0]
    if (step.text, start.text, relation) == ("_&&_", "true", "none_of"):
        return say("no item of {name} is `{value}`", name=name, value=value)
    if (step.text, start.text, relation) == ("_||_", "false", "one_of"):
        return say("an item of {name} is `{value}`", name=name, value=value)
    return ""


def _name(spec: Spec, path: str) -> str:
    """A path as people call it; empty for none, and for a name that the contract defines for a condition."""
    if not path or path.partition(".")[0] in spec.conditions.terms:
        return ""
    return words(spec, Stated([Test(path, "one_of", ("",))])).removesuffix(say("{title} is empty", title=""))
