"""Parts of a contract that can never take effect."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from handoff_lsp.contracts.cel_shapes import values_of
from handoff_lsp.contracts.field_types import TextForm
from handoff_lsp.contracts.model import Detect, Field, Marker
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.patterns import PatternError, match_whole
from handoff_lsp.contracts.problems import KeyPath
from handoff_lsp.contracts.resolve import ContractProblem, placed
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.contracts.stated import RELATIONS, is_relation

_WHOLE = re.compile(r"[+-]?\d{1,100}")
_NUMBER = re.compile(r"[+-]?\d{1,100}(?:\.\d{1,100})?")


def impossible(spec: Spec, data: Any) -> Iterator[ContractProblem]:
    """The problems of one profile: forms that nothing reaches, doubled names and values, routes past the last one."""
    yield from _forms(spec)
    yield from _routes(spec, data)
    yield from _checks(spec, data)
    yield from _evidence(spec)
    for path, field in _all_fields(spec.fields, ("fields",)):
        yield from _example(field, path, spec, data)
        yield from _limits(field, path, spec, data)
        yield from _doubled_values(field, path, spec, data)
        if field.fields:
            yield from _doubled_titles(field.fields, (*path, "fields"), spec, data)
    file = spec.contract.file
    if file is None or file.syntax != "log":  # a log has tags in their place
        yield from _doubled_titles(spec.fields, ("fields",), spec, data)


def _forms(spec: Spec) -> Iterator[ContractProblem]:
    contract = spec.contract
    if contract.detect is not None:
        yield from _detect(contract.detect, ("detect",))
    yield from _markers(contract.signs, ("signs",))
    yield from _markers(contract.examples, ("examples",))
    yield from _markers(contract.templates, ("templates",))
    for name, prose in contract.prose.items():
        yield from _detect(prose.detect, ("prose", name, "detect"))
    for part, form in (("section", contract.section), ("run", contract.run)):
        if form is not None and len(set(form.holds)) < form.enough:
            if form.holds or not any(getattr(form, key, "") for key in ("says", "opening", "first_line")):
                yield _too_few((part, "enough"), form.enough, len(set(form.holds)), "`holds`")
    run = contract.run
    if run is not None and run.last_line and not run.first_line:
        yield ContractProblem(("run", "last_line"), "a last line needs a `first_line`", True)
    fence = contract.fence
    if fence is not None and len(set(fence.shape)) < fence.enough:
        if fence.shape and (fence.shaped_tags or not fence.tag_decides):
            yield _too_few(("fence", "enough"), fence.enough, len(set(fence.shape)), "`shape`")
    file = contract.file
    if file is not None and file.known and len(set(file.known)) < file.known_enough:
        yield _too_few(("file", "known_enough"), file.known_enough, len(set(file.known)), "`known`")


def _detect(detect: Detect, path: KeyPath) -> Iterator[ContractProblem]:
    weights = [marker.weight for marker in detect.markers if marker.weight > 0]
    content = [marker.weight for marker in detect.markers if marker.weight > 0 and not marker.path]
    if sum(weights) < detect.enough:
        message = f"all markers weigh {sum(weights)}, so that `enough`, {detect.enough}, is never reached"
        yield ContractProblem((*path, "enough"), message)
    elif sum(content) < detect.content:
        message = f"all markers of the text weigh {sum(content)}, so that `content`, {detect.content}, is never reached"
        yield ContractProblem((*path, "content"), message)
    if path[0] != "prose":
        yield from _markers(detect.markers, (*path, "markers"))


def _markers(markers: Iterable[Marker], path: KeyPath) -> Iterator[ContractProblem]:
    for index, marker in enumerate(markers):
        ways = [marker.path, marker.title, marker.section, marker.value, marker.labels, marker.text]
        ways.append(marker.front_matter)
        if len([way for way in ways if way]) != 1:
            message = "a marker has one of `path`, `title`, `section`, `value`, `labels`, `text` and `front_matter`"
            yield ContractProblem((*path, index), message)
        if marker.matches and not marker.front_matter:
            message = "`matches` is about the value of a key: it needs `front_matter`"
            yield ContractProblem((*path, index, "matches"), message, True)


def _evidence(spec: Spec) -> Iterator[ContractProblem]:
    for index, sign in enumerate(spec.contract.profiles[spec.profile].evidence):
        if not (sign.has or sign.path or sign.title or sign.form or sign.value):
            message = "such evidence is never found: it needs `has`, `path`, `title`, `form` or `value`"
            yield ContractProblem(("profiles", spec.profile, "evidence", index), message)


def _too_few(path: KeyPath, enough: int, there: int, of: str) -> ContractProblem:
    return ContractProblem(path, f"{of} names {there}, so that `{path[-1]}`, {enough}, is never reached")


def _checks(spec: Spec, data: Any) -> Iterator[ContractProblem]:
    """Checks without anything that must hold, or with too much of it."""
    for name, check in spec.contract.checks.items():
        path = placed(data, spec.profile, ("checks", name))
        relations = [key for key in RELATIONS if _is_given(key, getattr(check, key))]
        correct: object = check.correct
        own = ["check"] if check.check and not is_relation(check.check) else []
        if len(own + relations) > 1:
            named = " and ".join(f"`{key}`" for key in own + relations)
            yield ContractProblem((*path, relations[-1]), f"a check has only one of {named}", True)
        elif not own and not relations:
            message = f"nothing says what must hold: `check`, or one of {', '.join(f'`{key}`' for key in RELATIONS)}"
            yield ContractProblem(path, message, True)
        elif relations and ("{" in check.at or ":" in check.at):
            message = f"`{relations[0]}` is about the value of one field, or of one in each item: write a `check`"
            yield ContractProblem((*path, "at"), message)
        elif not relations and not check.message:
            yield ContractProblem(path, f"`message` is missing in `{name}`: only a relation has one of its own", True)
        elif correct is True:
            message = "`true` is the value that a relation asks for, and here is no one value: write it as CEL"
            yield ContractProblem((*path, "correct"), message)


def _is_given(relation: str, operand: Any) -> bool:
    return operand is not None and (relation in {"one_of", "none_of"} or operand not in ("", []))


def _routes(spec: Spec, data: Any) -> Iterator[ContractProblem]:
    routing = spec.contract.routing
    if routing and not spec.contract.status:
        message = "routes decide on a status: name its field in `status`"
        yield ContractProblem(placed(data, spec.profile, ("routing",)), message, True)
    for index, route in enumerate(routing):
        path = placed(data, spec.profile, ("routing", index))
        last = index == len(routing) - 1
        if last and route.when != "true":
            message = "the last route has a condition, so that nothing decides a handoff of which none holds"
            yield ContractProblem((*path, "when"), message, True)
        if not last and route.when == "true":
            yield ContractProblem(path, "this route has no condition, so that those below are never reached")


def _example(field: Field, path: KeyPath, spec: Spec, data: Any) -> Iterator[ContractProblem]:
    """An example that is no value of its field's type."""
    text = field.example
    if not text or _is_right(field, text):
        return
    where = placed(data, spec.profile, (*path, "example"))
    yield ContractProblem(where, f"this is no value of the field: {_wanted(field)}")


def _limits(field: Field, path: KeyPath, spec: Spec, data: Any) -> Iterator[ContractProblem]:
    """Limits of something that values of the field do not have, and those that no value keeps."""
    text = field.kind.json == "string" and not field.kind.is_choice and not field.has_groups
    for least, most, fits, of in (
        ("minimum", "maximum", field.kind.json == "number", "numbers"),
        ("min_items", "max_items", field.kind.holds_items, "items"),
        ("min_length", "max_length", text, "texts"),
        ("unique", "unique", field.kind.holds_items, "items"),
    ):
        given = {key: value for key in (least, most) if (value := getattr(field, key)) not in {None, False}}
        for key in given if not fits else ():
            where = placed(data, spec.profile, (*path, key))
            yield ContractProblem(where, f"`{key}` is for {of}, so that this is never looked at", True)
        if len(given) == 2 and given[least] > given[most]:
            where = placed(data, spec.profile, (*path, least))
            yield ContractProblem(where, f"`{least}` is above `{most}`, so that every value is wrong", True)


def _is_right(field: Field, text: str) -> bool:
    """Whether a text is a value of a field's type, as far as that is known from the text alone."""
    form = field.kind.text
    if isinstance(form, TextForm):
        return form.accepts(text)
    if field.kind.is_choice:
        return bool(field.open) or text in values_of(field)
    if field.kind.has_pattern:
        try:
            return not field.pattern or match_whole(field.pattern, text) is not None
        except PatternError:
            return True  # a problem of its own
    if field.kind.json == "boolean":
        return text in {"true", "false"}
    if field.kind.json == "number":
        return (_WHOLE if field.type == "integer" else _NUMBER).fullmatch(text) is not None
    return True


def _wanted(field: Field) -> str:
    """What a value of a field must be."""
    form = field.kind.text
    if isinstance(form, TextForm):
        return f"it must be {form.wanted}"
    if field.kind.is_choice:
        return "it must be one of its values"
    return "it must match `pattern`" if field.kind.has_pattern else f"it must be {field.kind.must_be}"


def _doubled_values(field: Field, path: KeyPath, spec: Spec, data: Any) -> Iterator[ContractProblem]:
    seen: set[str] = set()
    for index, value in enumerate(field.values):
        if value.value in seen:
            where = placed(data, spec.profile, (*path, "values", index, "value"))
            yield ContractProblem(where, f"the value `{value.value}` is there twice")
        seen.add(value.value)


def _doubled_titles(fields: Mapping[str, Field], path: KeyPath, spec: Spec, data: Any) -> Iterator[ContractProblem]:
    """Two fields with one title: only the first is ever found."""
    first: dict[tuple[str, bool], str] = {}
    for name, field in fields.items():
        key = (fold_name(field.title), "title" in field.carriers)
        other = first.setdefault(key, name)
        if other != name and field.title:
            where = placed(data, spec.profile, (*path, name, "title"))
            yield ContractProblem(
                where, f"`{other}` has the title `{field.title}`, too, so that this one is never found"
            )


def _all_fields(fields: Mapping[str, Field], path: KeyPath) -> Iterator[tuple[KeyPath, Field]]:
    """All fields, in items too, each with its path."""
    stack: list[tuple[KeyPath, Field]] = [((*path, name), field) for name, field in reversed(list(fields.items()))]
    while stack:
        where, field = stack.pop()
        yield where, field
        if field.items is not None:
            stack.append(((*where, "items"), field.items))
        stack += [((*where, "fields", name), child) for name, child in reversed(field.fields.items())]
