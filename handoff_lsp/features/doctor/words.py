"""The signs that make a document a handoff, and those that it lacks, in words."""

from __future__ import annotations

from handoff_lsp.contracts.model import Contract, Form
from handoff_lsp.features.pages.markup import code
from handoff_lsp.features.pages.recognition_words import listed, sign_words, value_words, weighed
from handoff_lsp.recognition.evidence import Evidence, Seen
from handoff_lsp.text import Source
from handoff_lsp.text.lazy_dataclass import lazy_dataclass

# The most names of a list to show.
_MOST = 8


@lazy_dataclass(frozen=True, slots=True)
class SignInWords:
    """A sign that a handoff is recognized by, as Markdown, with its weight and its line (1-based) if it has them."""

    what: str
    weight: int | None
    line: int | None


def sign_of(contract: Contract, source: Source, seen: Seen) -> SignInWords:
    """A sign that a document has."""
    line = source.lines.line_of(seen.span.start) + 1 if seen.span is not None else None
    return SignInWords(sign_words(contract, seen.sign), seen.sign.weight, line)


def signs_here(source: Source, found: Evidence, line: int | None) -> tuple[SignInWords, ...]:
    """The signs of a handoff that a document has; ``line`` is that of the names."""
    contract = found.entry.contract
    if found.seen:
        return tuple(sign_of(contract, source, each) for each in found.seen)
    signs = [SignInWords(listed(found.names, contract, _MOST), None, line)] if found.names else []
    if found.form == "file" and found.path and contract.file is not None:
        signs.append(SignInWords(f"its path matches {code(contract.file.path, 240)}", None, None))
    return tuple(signs)


def _beginning(contract: Contract, form: Form) -> str:
    """What a handoff of a contract begins with."""
    run, section = contract.run, contract.section
    if form == "section" and section is not None:
        return f"a heading above it that matches {code(section.title, 240)}"
    if run is None or not run.marked:
        return "its beginning"
    if run.opening_field:
        opening = contract.fields.get(run.opening_field)
        return f"the line {code((opening.title if opening is not None else '') or run.opening)} with which it begins"
    return (
        f"the comment {code(f'<!-- {run.comment} … -->')}" if run.comment else f"the line {code(run.first_line, 240)}"
    )


def lacks_of(found: Evidence) -> tuple[str, ...]:
    """The missing signs, in words; empty for a handoff."""
    if found.suffices and not found.unsigned:
        return ()
    contract, lacks = found.entry.contract, []
    detect = found.detect
    if detect is not None:
        signs = weighed(contract, found.unseen)
        weight = f"{found.weight} of {detect.enough}, {found.text_weight} of {detect.content} by its text"
        return (f"weight: it has {weight}. Also counted: {signs}" if signs else f"weight: it has {weight}",)
    if not found.content:
        lacks.append("its content does not parse as the contract requires")
    if not found.begun:
        lacks.append(_beginning(contract, found.form))
    if found.needs:
        lacks.append(listed(found.needs, contract, _MOST))
    if found.more:
        lacks.append(f"{found.more} more of {listed(found.some, contract, _MOST)}")
    if found.telling:
        lacks.append(f"one of {listed(found.telling, contract, _MOST)}, to tell it from other formats")
    lacks += [value_words(name, pattern, contract) for name, pattern in found.unsaid.items()]
    if found.unsigned:
        signs = "; ".join(sign_words(contract, sign) for sign in contract.signs)
        lacks.append(f"one of the signs that tell it from other formats: {signs}")
    if not found.path and contract.file is not None:
        lacks.append(f"a path that matches {code(contract.file.path, 240)}")
    return tuple(lacks)
