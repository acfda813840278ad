"""Parts of a contract that can never take effect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from handoff_lsp.contracts.cel_shapes import group_names, values_of
from handoff_lsp.contracts.field_types import TextForm
from handoff_lsp.contracts.limits import limited_in
from handoff_lsp.contracts.model import LABEL_CARRIERS, Content, Detect, Field, FileForm, Sign
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.patterns import PatternError, match_whole
from handoff_lsp.contracts.problems import KeyPath, leads_on, listed
from handoff_lsp.contracts.resolve import ContractProblem, placed
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.contracts.stated import RELATIONS, is_relation
from handoff_lsp.text.lazy import lazy_pattern

# Takes a problem of one profile by its key, None if this profile does not have it.
TakesProblem = Callable[[tuple[Any, ...], Callable[[], ContractProblem] | None], None]

# The most lists of sections: each heading of a document is looked at for each of them.
MAX_EACH = 100

_WHOLE = lazy_pattern(r"[+-]?\d{1,100}")
_NUMBER = lazy_pattern(r"[+-]?\d{1,100}(?:\.\d{1,100})?")


def impossible(spec: Spec, data: Any, note: TakesProblem) -> Iterator[ContractProblem]:
    """The problems of one profile: forms that nothing reaches, doubled names and values, routes past the last one.

    ``note`` gets those that are none if another profile does not have them.
    """
    yield from _forms(spec)
    yield from _routes(spec, data)
    yield from _checks(spec, data)
    yield from _evidence(spec)
    yield from _bodies(spec, data)
    lists = 0
    for path, field, holder in _all_fields(spec.fields, ("fields",)):
        lists += bool(field.each)
        if field.each and lists > MAX_EACH:
            yield _at(spec, data, (*path, "each"), f"more than {MAX_EACH} lists of sections", True)
            return
        yield from _example(field, path, spec, data)
        yield from _limits(field, path, spec, data)
        yield from _acyclic(field, path, spec, data)
        _idle(field, holder, path, spec, data, note)
        yield from _doubled_values(field, path, spec, data)
        yield from _sections(field, path, spec, data)
        if field.fields:
            yield from _doubled_titles(field.fields, (*path, "fields"), spec, data)
    if not spec.is_log:  # a log has tags in their place
        yield from _doubled_titles(spec.fields, ("fields",), spec, data)


# What a sign is looked for in, by its place; others are passed over there.
_DOCUMENT = ("path", "title", "text", "has", "children", "value")
_LOOKED_AT: Mapping[str, Sequence[str]] = {
    "detect": _DOCUMENT,
    "prose": ("path", "title", "text", "has", "value"),
    "signs": ("path", "title", "text", "has", "value"),
    "quotations": ("above", "title"),
    "examples": (*_DOCUMENT, "unless_last"),
    "templates": _DOCUMENT,
    "evidence": ("path", "title", "has", "value", "form"),
}


def _forms(spec: Spec) -> Iterator[ContractProblem]:
    contract = spec.contract
    if contract.detect is not None:
        yield from _detect(contract.detect, ("detect",))
        yield from _labels(contract.detect.signs, spec, ("detect", "signs"))
    for key in ("signs", "quotations", "examples", "templates"):
        yield from _signs(getattr(contract, key), (key,), key)
        yield from _labels(getattr(contract, key), spec, (key,))
    keyed = contract.fence or contract.run or contract.file
    if contract.closed and not keyed and not any("front-matter" in field.carriers for field in spec.fields.values()):
        message = (
            "`closed` has no effect here: it is for keys, and a Markdown document may have more labels and sections"
        )
        yield ContractProblem(("closed",), message, True)
    for name, prose in contract.prose.items():
        yield from _detect(prose.detect, ("prose", name, "detect"))
    for part, form in (
        ("section", contract.section),
        ("run", contract.run),
        ("fence", contract.fence),
        ("file", contract.file),
    ):
        for index, asked in enumerate(form.holds if form is not None else ()):
            yield from _content(asked, (part, "holds", index))
    run = contract.run
    if run is not None and not run.marked and not run.holds:
        message = "a run needs `holds` or an `opening`; otherwise any lines match"
        yield ContractProblem(("run",), message, True)
    if run is not None and run.last_line and not run.first_line:
        yield ContractProblem(
            ("run", "closing"), "a last line as `closing` needs an `opening` that is a line, too", True
        )
    fence = contract.fence
    if fence is not None and not fence.tags:
        yield ContractProblem(("fence", "tags"), "a fence needs a tag, such as `{json: shared}`", True)
    if fence is not None and not fence.holds:
        for tag, role in fence.tags.items():
            if role in {"shared", "wrong"}:
                message = (
                    f"other formats use the tag `{tag}`, too: add `holds` for the content of this contract's fences"
                )
                yield ContractProblem(("fence", "tags", tag), message)
    if contract.file is not None:
        yield from _log(contract.file)


def _content(asked: Content, path: KeyPath) -> Iterator[ContractProblem]:
    if not (asked.needs or asked.some or asked.telling or asked.value):
        message = "empty condition: use `needs`, `some`, `telling` or `value`"
        yield ContractProblem(path, message)
    there = len(set(asked.some))
    if there < asked.enough and (asked.some or asked.enough > 1):
        message = f"`some` names {there}, so `enough` ({asked.enough}) is never reached"
        yield ContractProblem((*path, "enough"), message)


def _labels(signs: Sequence[Sign], spec: Spec, path: KeyPath) -> Iterator[ContractProblem]:
    """Signs about fields that are always labels, which detection does not read."""
    for index, sign in enumerate(signs):
        field = spec.fields.get(sign.has)
        if field is not None and field.carriers and LABEL_CARRIERS.issuperset(field.carriers):
            message = (
                f"`{sign.has}` is a label, and `has` is for sections and keys: use `text` with a pattern of its line"
            )
            yield ContractProblem((*path, index, "has"), message)


def _log(form: FileForm) -> Iterator[ContractProblem]:
    """Keys of a log that say nothing, and an example that is no entry."""
    for key in ("entry", "continues", "example"):
        if getattr(form, key) and (form.syntax != "log" or not form.entry):
            what = "for logs" if form.syntax != "log" else "for `entry`, which is missing"
            yield ContractProblem(("file", key), f"`{key}` has no effect here: it is {what}", True)
            return
    with suppress(PatternError):  # a problem of its own
        if form.entry and form.example and match_whole(form.entry, form.example) is None:
            yield ContractProblem(("file", "example"), "the example does not match `entry`")


def _detect(detect: Detect, path: KeyPath) -> Iterator[ContractProblem]:
    weights = [sign.weight for sign in detect.signs if sign.weight > 0]
    content = [sign.weight for sign in detect.signs if sign.weight > 0 and not sign.of_path]
    if sum(weights) < detect.enough:
        message = f"all signs weigh {sum(weights)}, so `enough` ({detect.enough}) is never reached"
        yield ContractProblem((*path, "enough"), message)
    elif sum(content) < detect.content:
        message = f"all signs of the text weigh {sum(content)}, so `content` ({detect.content}) is never reached"
        yield ContractProblem((*path, "content"), message)
    yield from _signs(detect.signs, (*path, "signs"), str(path[0]))


def _signs(signs: Iterable[Sign], path: KeyPath, where: str) -> Iterator[ContractProblem]:
    """Signs of nothing, and what is not looked at where they are."""
    ways = _LOOKED_AT[where]
    for index, sign in enumerate(signs):
        given = [key for key in ("path", "title", "above", "text", "has", "value", "form") if getattr(sign, key)]
        for key in (*given, *(key for key in ("children", "unless_last") if getattr(sign, key))):
            if key not in ways:
                message = f"`{key}` has no effect here: a sign has {listed(ways)}"
                yield ContractProblem((*path, index, key), message, True)
        if not given:
            yield ContractProblem((*path, index), f"empty sign: it needs {listed(ways)}")
        elif where == "quotations" and not sign.above:
            yield ContractProblem((*path, index), "a quotation needs a heading `above` it")
        if sign.children and not sign.has:
            message = "`children` needs `has`, which names their field"
            yield ContractProblem((*path, index, "children"), message, True)


def _evidence(spec: Spec) -> Iterator[ContractProblem]:
    signs = spec.contract.profiles[spec.profile].evidence
    yield from _signs(signs, ("profiles", spec.profile, "evidence"), "evidence")


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
            message = f"a check needs `check`, or one of {', '.join(f'`{key}`' for key in RELATIONS)}"
            yield ContractProblem(path, message, True)
        elif relations and ("{" in check.at or ":" in check.at):
            message = f"`{relations[0]}` needs the value of one field, or of one in each item: use `check`"
            yield ContractProblem((*path, "at"), message)
        elif not relations and not check.message:
            yield ContractProblem(
                path, f"`message` is missing in `{name}`: only relations have a default message", True
            )
        elif correct is True:
            message = "`true` needs a relation with one value: write the value as CEL"
            yield ContractProblem((*path, "correct"), message)


def _is_given(relation: str, operand: Any) -> bool:
    return operand is not None and (relation in {"one_of", "none_of"} or operand not in ("", []))


def _routes(spec: Spec, data: Any) -> Iterator[ContractProblem]:
    routing = spec.contract.routing
    if routing and not spec.contract.status:
        message = "routes need a status: name its field in `status`"
        yield ContractProblem(placed(data, spec.profile, ("routing",)), message, True)
    for index, route in enumerate(routing):
        path = placed(data, spec.profile, ("routing", index))
        last = index == len(routing) - 1
        if last and route.when != "true":
            message = "the last route has a condition: a handoff that matches no route gets no decision"
            yield ContractProblem((*path, "when"), message, True)
        if not last and route.when == "true":
            yield ContractProblem(path, "this route has no condition, so the routes below are never reached")


def _example(field: Field, path: KeyPath, spec: Spec, data: Any) -> Iterator[ContractProblem]:
    """An example that is no value of its field's type."""
    text = field.example
    if not text or _is_right(field, text):
        return
    where = placed(data, spec.profile, (*path, "example"))
    yield ContractProblem(where, f"invalid value: {_wanted(field)}")


def _sections(field: Field, path: KeyPath, spec: Spec, data: Any) -> Iterator[ContractProblem]:
    """Lists of sections in places without sections, and content of a section that is not a field."""
    if field.each:
        items = field.items
        doubled = [*group_names(field.each), "index"]
        if field.type != "list":
            yield _at(spec, data, (*path, "each"), "sections as items need `type: list`", True)
        elif spec.contract.detect is None and spec.contract.section is None:
            message = "sections are in Markdown: add `detect` or `section`"
            yield _at(spec, data, (*path, "each"), message, True)
        elif field.carriers:
            message = "a list of sections has no heading: put it in an object with `carriers: [section]`"
            yield _at(spec, data, (*path, "carriers"), message, True)
        if items is not None and items.kind.holds != "fields":
            yield _at(spec, data, (*path, "items", "type"), "a section as an item must be an `object` with `fields`")
        for name in items.fields if items is not None else ():
            if name in doubled:
                message = f"`{name}` is already a value of each item: a group of `each`, or its number"
                yield _at(spec, data, (*path, "items", "fields", name), message, True)


def _bodies(spec: Spec, data: Any) -> Iterator[ContractProblem]:
    """Fields that are the content of a section, where their parent is none."""
    stack: list[tuple[Mapping[str, Field], KeyPath, bool]] = [(spec.fields, ("fields",), False)]
    while stack:
        fields, path, in_section = stack.pop()
        for name, field in fields.items():
            if "body" in field.carriers and not in_section:
                message = "`body` is for fields of an object in a section, or of items of `each`"
                yield _at(spec, data, (*path, name, "carriers"), message)
            if field.fields:
                stack.append((field.fields, (*path, name, "fields"), "section" in field.carriers))
            if field.items is not None and field.items.fields:
                stack.append((field.items.fields, (*path, name, "items", "fields"), bool(field.each)))


def _at(spec: Spec, data: Any, path: KeyPath, message: str, is_key: bool = False) -> ContractProblem:
    return ContractProblem(placed(data, spec.profile, path), message, is_key)


def _limits(field: Field, path: KeyPath, spec: Spec, data: Any) -> Iterator[ContractProblem]:
    """Limits of something that values of the field do not have, and those that no value keeps."""
    limited = limited_in(field)
    given = {key: value for key in ("minimum", "maximum") if (value := getattr(field, key)) is not None}
    for key, value in given.items():
        if not limited:
            message = f"`{key}` has no effect here: it is for numbers, lists and texts"
            yield ContractProblem(placed(data, spec.profile, (*path, key)), message, True)
        elif limited != "number" and (value < 0 or value != int(value)):
            yield ContractProblem(
                placed(data, spec.profile, (*path, key)), f"a number of {limited} must be whole and at least 0"
            )
    if len(given) == 2 and given["minimum"] > given["maximum"]:
        message = "`minimum` is above `maximum`: every value is wrong"
        yield ContractProblem(placed(data, spec.profile, (*path, "minimum")), message, True)
    if field.unique and limited != "items":
        message = "`unique` has no effect here: it is for items"
        yield ContractProblem(placed(data, spec.profile, (*path, "unique")), message, True)


def _acyclic(field: Field, path: KeyPath, spec: Spec, data: Any) -> Iterator[ContractProblem]:
    """References that nobody follows."""
    if not field.acyclic:
        return
    where = placed(data, spec.profile, (*path, "acyclic"))
    definition = spec.contract.definitions.get(field.names)
    if not field.names:
        yield ContractProblem(where, "`acyclic` needs `names`", True)
    elif definition is not None and not definition.inside:
        message = f"`{field.names}` has no effect here: no document defines them (`inside`)"
        yield ContractProblem(where, message, True)


def _idle(field: Field, holder: Field | None, path: KeyPath, spec: Spec, data: Any, note: TakesProblem) -> None:
    """Keys that the field's type does not read, unless its type in another profile does.

    ``holder``: the list of which the field is the item.
    """
    kind = field.kind
    # Completion offers the values of a text and of a written `any`.
    offers = kind.is_free or (kind.untyped and _is_written(data, placed(data, spec.profile, (*path, "type"))))
    keys: Sequence[tuple[str, object, bool, str]] = (
        ("pattern", field.pattern, kind.has_pattern or kind.is_count, "`type: pattern` and integers"),
        ("values", field.values, kind.is_choice or kind.has_marks or offers, "enums and rows"),
        ("items", field.items, kind.holds_items or kind.holds == "pairs", "lists and maps"),
        ("fields", field.fields, _reads_fields(field, holder), "objects"),
    )
    for key, value, is_read, what in keys:
        where = (*path, key)
        if value and (is_read or _is_written(data, placed(data, spec.profile, where))):
            message = f"`{key}` has no effect here: it is for {what}"
            problem = partial(ContractProblem, placed(data, spec.profile, where), message, True, is_idle=True)
            note(where, None if is_read else problem)


def _reads_fields(field: Field, holder: Field | None) -> bool:
    """Whether fields inside a field are bound; inside an item of a list, as columns or nested lists."""
    if field.kind.holds == "fields" or field.kind.is_choice or field.kind.has_pattern:
        return True
    in_rows = holder is not None and (holder.kind.holds == "table rows" or bool(holder.each))
    return in_rows or (holder is not None and any(child.kind.holds_items for child in field.fields.values()))


def _is_written(data: Any, path: KeyPath) -> bool:
    """Whether the file has the key, and not a default."""
    for step in path:
        if not leads_on(data, step):
            return False
        data = data[step]
    return True


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
            yield ContractProblem(where, f"duplicate value `{value.value}`")
        seen.add(value.value)


def _doubled_titles(fields: Mapping[str, Field], path: KeyPath, spec: Spec, data: Any) -> Iterator[ContractProblem]:
    """Two fields with one title: only the first is ever found."""
    first: dict[tuple[str, bool], str] = {}
    for name, field in fields.items():
        key = (fold_name(field.title), "title" in field.carriers)
        other = first.setdefault(key, name)
        if other != name and field.title:
            where = placed(data, spec.profile, (*path, name, "title"))
            yield ContractProblem(where, f"`{other}` has the title `{field.title}`, too: this field is never found")


def _all_fields(fields: Mapping[str, Field], path: KeyPath) -> Iterator[tuple[KeyPath, Field, Field | None]]:
    """All fields, in items too, each with its path, and an item with its list."""
    stack: list[tuple[KeyPath, Field, Field | None]] = [
        ((*path, name), field, None) for name, field in reversed(list(fields.items()))
    ]
    while stack:
        where, field, holder = stack.pop()
        yield where, field, holder
        if field.items is not None:
            stack.append(((*where, "items"), field.items, field))
        stack += [((*where, "fields", name), child, None) for name, child in reversed(field.fields.items())]
