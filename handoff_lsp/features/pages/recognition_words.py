"""The recognition of a contract's handoffs in words, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from handoff_lsp.contracts.model import Contract, Detect, Fence, FileForm, Marker, RunForm, SectionForm
from handoff_lsp.features.pages.markup import code
from handoff_lsp.recognition.evidence import Asked, asked_by
from handoff_lsp.recognition.files import file_ways

# A pattern is shown in full up to this length.
_LONGEST = 240
_MOST = 12


def recognised(contract: Contract) -> list[str]:
    """One sentence for each form of the contract's handoffs."""
    sentences: list[str] = []
    if contract.detect is not None:
        sentences.append(_document(contract, contract.detect))
    if contract.section is not None:
        sentences.append(_section(contract, contract.section))
    if contract.run is not None:
        sentences.append(_run(contract, contract.run))
    if contract.fence is not None:
        sentences.append(_fence(contract.fence))
    if contract.file is not None:
        sentences.append(_file(contract.file))
    return sentences


def mentioned(contract: Contract) -> list[str]:
    """One sentence for each name that other documents must mention for handoffs of the contract to be right."""
    sentences: list[str] = []
    for prose in contract.prose.values():
        names = ", ".join(code(name) for name in prose.mentions)
        where = f", in each section whose heading matches {_pattern(prose.section)}" if prose.section else ""
        claim = f"{prose.about[:1].upper()}{prose.about[1:]} mentions {names}{where}."
        signs = f" Recognised {_signs(contract, prose.detect)}."
        sentences.append(claim if any(signs in other for other in sentences) else claim + signs)
    return sentences


def _document(contract: Contract, detect: Detect) -> str:
    return f"A whole Markdown document, {_signs(contract, detect)}."


def _signs(contract: Contract, detect: Detect) -> str:
    """The signs that a document is recognised by, in words."""
    signs = weighed(contract, detect.markers)
    return f"by signs whose weights come to at least {detect.enough}, {detect.content} of them from its text: {signs}"


def weighed(contract: Contract, markers: Iterable[Marker]) -> str:
    """Markers in words, each with its weight."""
    return "; ".join(f"{sign} ({marker.weight})" for marker in markers for sign in signs_of(contract, marker))


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
    if marker.front_matter:
        value = f" that matches {_pattern(marker.matches)}" if marker.matches else ""
        yield f"the key {code(marker.front_matter)} in its front matter{value}"


def _section(contract: Contract, form: SectionForm) -> str:
    what = "sections or labels" if form.labels else "sections"
    keys = _keys(asked_by(form), what, contract)
    return f"A section of a document whose heading matches {_pattern(form.title)}{_with(keys)}."


# The names of the notations of a fence or file.
_SYNTAX: Mapping[str, str] = {"json": "JSON", "yaml": f"{code('key: value')} lines", "log": "log"}


def _run(contract: Contract, form: RunForm) -> str:
    if form.comment:
        return f"A comment `<!-- {form.comment} … -->` that holds {code('key: value')} lines."
    where = {"text": "in running text", "fence": "in a fence", "comment": "in a comment"}
    places = " or ".join(where[place] for place in form.within)
    lines = f"Lines of {code('key: value')} {places}"
    if form.first_line:
        end = f" and before a line {code(form.last_line)}" if form.last_line else ""
        return f"{lines} below a line {code(form.first_line)}{end}."
    if form.opening:
        end = f" and end with {_title(contract, form.closing)}" if form.closing else ""
        return f"{lines} that begin with {_title(contract, form.opening)}{end}."
    return f"{lines}{_with(_keys(asked_by(form), 'labels', contract))}."


def _fence(form: Fence) -> str:
    kind = _SYNTAX[form.syntax]
    start = " with which the document begins" if form.at_start else ""
    shape = _keys(asked_by(form), "keys")
    ways = [f"a value of {code(key)} that matches {_pattern(pattern)}" for key, pattern in form.says.items()]
    ways += [" and ".join(shape)] if shape else []
    shaped = f"holds {kind} with {', or with '.join(ways)}" if ways else f"holds {kind}"
    if not form.tag_decides:
        return f"A fence{start} that is tagged {_tags([form.tag, *form.shaped_tags])} and {shaped}."
    sentence = f"A fence{start} that is tagged {code(form.tag)} and holds {kind}"
    return f"{sentence}, or one tagged {_tags(form.shaped_tags)} that {shaped}." if form.shaped_tags else f"{sentence}."


def _tags(tags: Sequence[str]) -> str:
    names = [code(tag) for tag in tags if tag] + (["with nothing"] if "" in tags else [])
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _file(form: FileForm) -> str:
    if form.syntax == "jsonl":
        sentence = f"A line of a JSON Lines file whose path matches {_pattern(form.path)}"
    else:
        syntax = "YAML" if form.syntax == "yaml" else _SYNTAX[form.syntax]
        sentence = f"A whole {syntax} file whose path matches {_pattern(form.path)}"
    ways = [" and ".join(keys) for way in file_ways(form) if (keys := _keys(way, "keys"))]
    return f"{sentence} and that has {', or '.join(ways)}." if ways else f"{sentence}."


def _keys(asked: Asked, what: str, contract: Contract | None = None) -> list[str]:
    """The required keys in words: as written, or as the titles of a contract's fields."""

    parts = [f"the {what} {listed(asked.needs, contract)}"] if asked.needs else []
    parts += [f"at least {asked.enough} of the {what} {listed(asked.some, contract)}"] if asked.some else []
    return [*parts, f"one of {listed(asked.telling, contract)} in any case"] if asked.telling else parts


def _with(keys: list[str]) -> str:
    """The required keys, as the end of a sentence; empty without any."""
    return f", with {'; '.join(keys)}" if keys else ""


def listed(names: Sequence[str], contract: Contract | None, most: int = _MOST) -> str:
    """At most ``most`` names as Markdown: keys as written, or fields of a contract by their titles."""
    shown = [_title(contract, name) for name in names[:most]]
    more = [f"{len(names) - most} more"] if len(names) > most else []
    return ", ".join([*shown, *more])


def _title(contract: Contract | None, name: str) -> str:
    field = contract.fields.get(name) if contract is not None else None
    return code(field.title if field is not None else name)


def _pattern(pattern: str) -> str:
    return code(pattern, _LONGEST)
