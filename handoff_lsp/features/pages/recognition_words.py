"""The recognition of a contract's handoffs in words, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from handoff_lsp.contracts.model import Content, Contract, Detect, Fence, FileForm, RunForm, SectionForm, Sign
from handoff_lsp.features.pages.markup import code
from handoff_lsp.recognition.front_matter import FRONT_MATTER

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
        signs = f" Recognized {_signs(contract, prose.detect)}."
        sentences.append(claim if any(signs in other for other in sentences) else claim + signs)
    return sentences


def _document(contract: Contract, detect: Detect) -> str:
    return f"A whole Markdown document, {_signs(contract, detect)}."


def _signs(contract: Contract, detect: Detect) -> str:
    """The signs that a document is recognized by, in words."""
    signs = weighed(contract, detect.signs)
    return f"by signs with a total weight of at least {detect.enough}, {detect.content} of them from its text: {signs}"


def weighed(contract: Contract, signs: Iterable[Sign]) -> str:
    """Signs in words, each with its weight."""
    return "; ".join(f"{sign_words(contract, sign)} ({sign.weight})" for sign in signs)


def sign_words(contract: Contract, sign: Sign) -> str:
    """A sign in words."""
    parts = []
    if sign.path:
        parts.append(f"its path matches {_pattern(sign.path)}")
    if sign.title:
        parts.append(f"its title matches {_pattern(sign.title)}")
    if sign.has:
        kind = "the fields of" if sign.children else "a section"
        parts.append(_present(contract, sign.has) or f"{kind} {_title(contract, sign.has)}")
    for name, pattern in sign.value.items():
        value = f" that matches {_pattern(pattern)}" if pattern else ""
        present = _present(contract, name)
        parts.append(f"{present}{value}" if present else value_words(name, pattern, contract))
    if sign.text:
        parts.append(f"its text matches {_pattern(sign.text)}")
    return " and ".join(parts)


def _present(contract: Contract, name: str) -> str:
    """A key of the front matter in words; empty for a field that is written elsewhere."""
    field = contract.fields.get(name)
    if field is None or "front-matter" in field.carriers:
        return f"the key {code(name.removeprefix(FRONT_MATTER))} in its front matter"
    return ""


def _section(contract: Contract, form: SectionForm) -> str:
    what = "sections or labels" if form.labels else "sections"
    return f"A section of a document whose heading matches {_pattern(form.title)}{_with(form.holds, what, contract)}."


# The names of the notations of a fence or file.
_SYNTAX: Mapping[str, str] = {"json": "JSON", "yaml": f"{code('key: value')} lines", "log": "log"}


def _run(contract: Contract, form: RunForm) -> str:
    if form.comment:
        return f"A comment `<!-- {form.comment} … -->` that holds {code('key: value')} lines."
    where = {"text": "in running text", "fence": "in a fence"}
    places = " or ".join(where[place] for place in form.within)
    lines = f"Lines of {code('key: value')} {places}"
    if form.first_line:
        end = f" and before a line {code(form.last_line)}" if form.last_line else ""
        return f"{lines} below a line {code(form.first_line)}{end}."
    if form.opening_field:
        end = f" and end with {_title(contract, form.closing_field)}" if form.closing_field else ""
        return f"{lines} that begin with {_title(contract, form.opening_field)}{end}."
    return f"{lines}{_with(form.holds, 'labels', contract)}."


def _fence(form: Fence) -> str:
    kind = _SYNTAX[form.syntax]
    start = " with which the document begins" if "at-start" in form.reader else ""
    ways = [" and ".join(_keys(asked, "keys")) for asked in form.holds]
    shaped = f"holds {kind} with {', or with '.join(ways)}" if ways else f"holds {kind}"
    own = [tag for tag, role in form.tags.items() if role == "own"]
    others = [tag for tag, role in form.tags.items() if role in {"shared", "wrong"}]
    if not own:
        return f"A fence{start} that is tagged {_tags(others)} and {shaped}."
    sentence = f"A fence{start} that is tagged {_tags(own)} and holds {kind}"
    return f"{sentence}, or one tagged {_tags(others)} that {shaped}." if others else f"{sentence}."


def _tags(tags: Sequence[str]) -> str:
    names = [code(tag) for tag in tags if tag] + (["with nothing"] if "" in tags else [])
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def _file(form: FileForm) -> str:
    if form.syntax == "jsonl":
        sentence = f"A line of a JSON Lines file whose path matches {_pattern(form.path)}"
    else:
        syntax = "YAML" if form.syntax == "yaml" else _SYNTAX[form.syntax]
        sentence = f"A whole {syntax} file whose path matches {_pattern(form.path)}"
    ways = [" and ".join(keys) for asked in form.holds if (keys := _keys(asked, "keys"))]
    return f"{sentence} and that has {', or '.join(ways)}." if ways else f"{sentence}."


def _keys(asked: Content, what: str, contract: Contract | None = None) -> list[str]:
    """The required keys in words: as written, or as the titles of a contract's fields."""
    parts = [value_words(name, pattern, contract) for name, pattern in asked.value.items()]
    parts += [f"the {what} {listed(asked.needs, contract)}"] if asked.needs else []
    parts += [f"at least {asked.enough} of the {what} {listed(asked.some, contract)}"] if asked.some else []
    return [*parts, f"one of {listed(asked.telling, contract)} in any case"] if asked.telling else parts


def value_words(name: str, pattern: str, contract: Contract | None) -> str:
    """A value that makes a handoff, in words."""
    matching = f" that matches {_pattern(pattern)}" if pattern else ""
    return f"a value of {_title(contract, name)}{matching}"


def _with(ways: Sequence[Content], what: str, contract: Contract) -> str:
    """The required keys, as the end of a sentence; empty without any."""
    keys = ["; ".join(_keys(asked, what, contract)) for asked in ways]
    return f", with {', or with '.join(keys)}" if keys else ""


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
