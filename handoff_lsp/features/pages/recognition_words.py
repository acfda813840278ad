"""How a contract's handoffs are recognised, in words, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from handoff_lsp.contracts.model import Contract, Detect, Fence, FileForm, Marker, RunForm, SectionForm
from handoff_lsp.features.pages.markup import code

# A pattern is shown in full up to this length.
_LONGEST = 240
_MOST = 12


def recognised(contract: Contract) -> list[str]:
    """One sentence for each form in which a handoff of the contract may be written."""
    told: list[str] = []
    if contract.detect is not None:
        told.append(_document(contract, contract.detect))
    if contract.section is not None:
        told.append(_section(contract, contract.section))
    if contract.run is not None:
        told.append(_run(contract, contract.run))
    if contract.fence is not None:
        told.append(_fence(contract.fence))
    if contract.file is not None:
        told.append(_file(contract.file))
    return told


def mentioned(contract: Contract) -> list[str]:
    """One sentence for each thing that other documents must say for handoffs of the contract to come out right."""
    told: list[str] = []
    for prose in contract.prose.values():
        names = ", ".join(code(name) for name in prose.mentions)
        where = f", in each section whose heading matches {_pattern(prose.section)}" if prose.section else ""
        said = f"{prose.about[:1].upper()}{prose.about[1:]} mentions {names}{where}."
        signs = f" Recognised {_signs(contract, prose.detect)}."
        told.append(said if any(signs in other for other in told) else said + signs)
    return told


def _document(contract: Contract, detect: Detect) -> str:
    return f"A whole Markdown document, {_signs(contract, detect)}."


def _signs(contract: Contract, detect: Detect) -> str:
    """By what a document is recognised, in words."""
    signs = "; ".join(f"{sign} ({marker.weight})" for marker in detect.markers for sign in signs_of(contract, marker))
    return f"by signs whose weights come to at least {detect.enough}, {detect.content} of them from its text: {signs}"


def signs_of(contract: Contract, marker: Marker) -> Iterator[str]:
    """A marker in words."""
    if marker.path:
        yield f"its path matches {_pattern(marker.path)}"
    if marker.title:
        yield f"its title matches {_pattern(marker.title)}"
    if marker.section:
        yield f"a section {_title(contract, marker.section)}"
    if marker.value:
        yield f"a value of {_title(contract, marker.value)}"
    if marker.labels:
        yield f"the fields of {_title(contract, marker.labels)}"
    if marker.text:
        yield f"its text matches {_pattern(marker.text)}"


def _section(contract: Contract, form: SectionForm) -> str:
    what = "sections or labels" if form.labels else "sections"
    keys = _keys(_titles(contract, form.needs), _titles(contract, form.holds), form.enough, what)
    return f"A section of a document whose heading matches {_pattern(form.title)}{_with(contract, keys, form.telling)}."


# What the data of a fence or file are written in.
_SYNTAX: Mapping[str, str] = {"json": "JSON", "yaml": f"{code('key: value')} lines", "log": "log"}


def _run(contract: Contract, form: RunForm) -> str:
    if form.comment:
        return f"A comment `<!-- {form.comment} … -->` that holds {code('key: value')} lines."
    where = {"text": "in running text", "fence": "in a fence", "comment": "in a comment"}
    places = " or ".join(where[place] for place in form.within)
    lines = f"Lines of {code('key: value')} {places}"
    if form.opening:
        end = f" and end with {_title(contract, form.closing)}" if form.closing else ""
        return f"{lines} that begin with {_title(contract, form.opening)}{end}."
    keys = _keys(_titles(contract, form.needs), _titles(contract, form.holds), form.enough, "labels")
    return f"{lines}{_with(contract, keys, form.telling)}."


def _fence(form: Fence) -> str:
    kind = _SYNTAX[form.syntax]
    start = " with which the document begins" if form.at_start else ""
    shape = _keys([code(key) for key in form.needs], [code(key) for key in form.shape], form.enough, "keys")
    ways = [f"a value of {code(key)} that matches {_pattern(pattern)}" for key, pattern in form.says.items()]
    ways += [" and ".join(shape)] if shape else []
    shaped = f"holds {kind} with {', or with '.join(ways)}" if ways else f"holds {kind}"
    if not form.tag_decides:
        return f"A fence{start} that is tagged {_tags([form.tag, *form.shaped_tags])} and {shaped}."
    told = f"A fence{start} that is tagged {code(form.tag)} and holds {kind}"
    return f"{told}, or one tagged {_tags(form.shaped_tags)} that {shaped}." if form.shaped_tags else f"{told}."


def _tags(tags: Sequence[str]) -> str:
    names = [code(tag) for tag in tags if tag] + (["with nothing"] if "" in tags else [])
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _file(form: FileForm) -> str:
    keys = _keys([code(key) for key in form.needs], [code(key) for key in form.holds], form.enough, "keys")
    told = f"A whole {_SYNTAX[form.syntax]} file whose path matches {_pattern(form.path)}"
    known = _keys([], [code(key) for key in form.known], form.known_enough, "keys")
    ways = [" and ".join(keys)] if keys else []
    return f"{told} and that has {', or '.join([*ways, *known])}." if ways or known else f"{told}."


def _keys(needs: list[str], some: list[str], enough: int, what: str) -> list[str]:
    """What must be there, in words: all of some names, and enough of others."""
    told = [f"the {what} {_listed(needs)}"] if needs else []
    return [*told, f"at least {enough} of the {what} {_listed(some)}"] if some else told


def _with(contract: Contract, keys: list[str], telling: Sequence[str]) -> str:
    """What must be there, as the end of a sentence."""
    told = [*keys, *([f"one of {_listed(_titles(contract, telling))} in any case"] if telling else [])]
    return f", with {'; '.join(told)}" if told else ""


def _titles(contract: Contract, names: Sequence[str]) -> list[str]:
    return [_title(contract, name) for name in names]


def _listed(names: list[str]) -> str:
    shown = names if len(names) <= _MOST else [*names[:_MOST], f"{len(names) - _MOST} more"]
    return ", ".join(shown)


def _title(contract: Contract, name: str) -> str:
    field = contract.fields.get(name)
    return code(field.title if field is not None else name)


def _pattern(pattern: str) -> str:
    return code(pattern, _LONGEST)
