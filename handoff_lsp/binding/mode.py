"""The mode of a handoff: a real handoff, a template to fill in, or an example."""

from __future__ import annotations

import re
from collections.abc import Sequence

from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import is_placeholder
from handoff_lsp.contracts.model import Form, Mode
from handoff_lsp.text.lazy import lazy_pattern

_TEMPLATE_PATH = lazy_pattern(r"(^|[/_.-])templates?([/_.-]|$)", re.IGNORECASE)


def choose_mode(
    root: Slot,
    status: str,
    title: str,
    path: str,
    about: bool,
    templated: bool,
    form: Form,
    unfilled: Sequence[str] = (),
) -> Mode:
    """The mode of a handoff. ``status`` is the path of its status field, empty without one.

    ``about``: its document describes the format. ``templated``: without a filled-in status, it is a template.
    ``unfilled``: paths of fields; while all of them are placeholders, the handoff is a template.
    """
    if templated and (_is_unfilled(root, status) or _lacks(root, status)):
        return "template"
    if about:
        return "example"
    # A single placeholder may have been inserted by a quick fix.
    alone = len(unfilled) == 1 and _is_inserted(root, unfilled[0])
    waits = bool(unfilled) and all(_is_unfilled(root, name) for name in unfilled)
    if waits and not alone and not _is_wrong(root, status):
        return "template"
    parts = form in {"fence", "run", "file"}
    if _TEMPLATE_PATH.search(path) if parts else _is_template(root, status, title, path):
        return "template"
    return "example" if form not in {"document", "file"} and _shows_the_form(root, status) else "handoff"


def _is_template(root: Slot, status: str, title: str, path: str) -> bool:
    """Whether a document is a template: its title or its path shows it, and its status is not filled in yet."""
    if not is_placeholder_in(title) and not _TEMPLATE_PATH.search(path):
        return False
    if not status:
        return any(_waits(one) for one in root.walk())
    slot = next(iter(root.find(status)), None)
    return slot is None or not slot.raw.strip() or _is_unfilled(root, status)


def _is_unfilled(root: Slot, path: str) -> bool:
    slot = next(iter(root.find(path)), None)
    return slot is not None and slot.problem is not None and slot.problem.kind == "placeholder"


def _is_wrong(root: Slot, path: str) -> bool:
    """Whether a field holds a wrong value, which no template does."""
    slot = next(iter(root.find(path)), None)
    return slot is not None and slot.problem is not None and slot.problem.kind == "value"


def _is_inserted(root: Slot, path: str) -> bool:
    """Whether a field holds a placeholder of the kind that a quick fix inserts."""
    return any(slot.raw.lstrip(" `*_\"'").startswith("<") for slot in root.find(path))


# A placeholder in a form that is shown: brackets around words, links aside.
_BRACKETS = lazy_pattern(r"\[(?=[^\[\]\n]*[\w…])[^\[\]\n]*+\]")


# Fewer placeholders than this may just have been forgotten.
_MANY = 3


def _shows_the_form(root: Slot, status: str) -> bool:
    """Whether a handoff only shows its format: its status lists the choices, and most other fields are placeholders.

    With only a field or two open, it is an unfinished handoff.
    """
    slot = next(iter(root.find(status)), None)
    if slot is None or slot.problem is None or slot.problem.kind != "placeholder" or "|" not in slot.raw:
        return False
    if _is_inserted(root, status):
        return False
    leaves = [one for one in root.walk() if one.written and one.raw.strip() and not one.children and not one.items]
    open_ones = [one for one in leaves if _waits(one)]
    return len(open_ones) >= _MANY and 2 * len(open_ones) > len(leaves)


def _waits(slot: Slot) -> bool:
    if slot.problem is not None and slot.problem.kind == "placeholder":
        return True
    listed = slot.carrier == "json" and slot.item_maker is not None  # the brackets of a list
    return not listed and bool(_BRACKETS.fullmatch(slot.raw.strip(" \t*_`\"'")))


def _lacks(root: Slot, path: str) -> bool:
    """Whether a field is missing while others hold placeholders."""
    slot = next(iter(root.find(path)), None)
    if slot is not None and slot.written:
        return False
    return any(child.problem is not None and child.problem.kind == "placeholder" for child in root.children.values())


def is_placeholder_in(title: str) -> bool:
    """Whether a title has a placeholder in it, as a template's has.

    A placeholder that ends in `…` does not count: a code action inserted it.
    """
    return any(is_placeholder(part) and not part.endswith("…>") for part in _placeholder_parts(title))


def _placeholder_parts(title: str) -> list[str]:
    parts = []
    for opening, closing in (("{", "}"), ("<", ">")):
        start = title.find(opening)
        if start >= 0 and title.find(closing, start) > start:
            parts.append(title[start : title.find(closing, start) + 1])
    return parts
