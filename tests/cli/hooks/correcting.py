"""An author who only does what a complaint of the hook says: follows its corrections, and fills in what it leaves open.

Nothing but the complaint and the complained-about text is read: no contract, no schema.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

_ORDER = re.compile(
    r"(?P<what>Replace|Delete) lines? (?P<first>\d+)(?: to (?P<last>\d+))?(?::)|"
    r"Insert before line (?P<before>\d+)(?: \(.*\))?:|(?P<end>Add at the end):"
)
# `handoff-lsp: the handoff in `a.md` has 1 error. …`, `handoff-lsp: your final message: [missing-handoff] …`
_ABOUT = re.compile(
    r"handoff-lsp: (?:.*? in )?(?:`(?P<file>[^`]+)`|your final message)(?: has |: \[(?P<rule>[\w-]+)\] |\. )"
)
# `1. line 4 of the message [invalid-value] …`, `2. handoffs/a.md:3:12 [invalid-value] …`
_FINDING = re.compile(
    r"\d+\. (?:line (?P<line>\d+) of the message|.*?:(?P<row>\d+):(?P<column>\d+)) \[(?P<rule>[\w/-]+)\]"
)
_QUOTED = re.compile(r'"([^"]+)"')
_CODE = re.compile(r"`([^`]+)`")
_APPENDED = re.compile(r"with this block at its end:|Write this into the file:")
_WANTED = re.compile(r"must be (?:one of )?(?=`)")
_PLACEHOLDER = re.compile(r"<([^<>\n]+)>")


class _Change(NamedTuple):
    """Lines from ``first`` to before ``last`` (from 0) become ``new``."""

    first: int
    last: int
    new: list[str]


@dataclass
class Told:
    """What a complaint says about one text: the rules, changes of lines, a block to emit, and values to choose."""

    rules: list[str] = field(default_factory=list)
    changes: list[_Change] = field(default_factory=list)
    block: list[str] = field(default_factory=list)
    whole: bool = False  # whether the block takes the place of all that was there
    chosen: list[tuple[int, str, str]] = field(default_factory=list)


def understood(complaint: str) -> dict[str, Told]:
    """What a complaint says, by the file that it is about; empty for the final message."""
    told: dict[str, Told] = {}
    about = Told()
    lines = complaint.split("\n")
    line, wrong = 0, ""
    at = 0
    while at < len(lines):
        text = lines[at]
        at += 1
        if named := _ABOUT.match(text):
            about = told.setdefault(named["file"] or "", Told())
            about.rules += [named["rule"]] if named["rule"] else []
        elif finding := _FINDING.match(text):
            about.rules.append(finding["rule"])
            line = int(finding["line"] or finding["row"]) - 1
            quoted = _QUOTED.search(text)
            wrong = quoted[1] if quoted else ""
            if (wanted := _WANTED.search(text)) and (choice := _CODE.match(text, wanted.end())):
                about.chosen.append((line, wrong, choice[1]))
            elif fitting := _fitting(text):
                about.chosen.append((line, wrong, fitting))
        elif text.startswith(("Choose one of ", "For example ")) and (choice := _CODE.search(text)):
            about.chosen = [one for one in about.chosen if one[:2] != (line, wrong)]
            about.chosen.append((line, wrong, choice[1]))
        elif order := _ORDER.fullmatch(text):
            handed, at = _fenced(lines, at)
            if order["what"]:
                new: list[str] = []
                if order["what"] == "Replace":
                    assert lines[at] == "with:"
                    new, at = _fenced(lines, at + 1)
                about.changes.append(_Change(int(order["first"]) - 1, int(order["last"] or order["first"]), new))
            else:
                place = -1 if order["end"] else int(order["before"]) - 1
                about.changes.append(_Change(place, place, handed))
        elif re.fullmatch("`{3,}", text):
            about.whole = _APPENDED.search(lines[at - 2]) is None
            about.block, at = _fenced(lines, at - 1)
    return told


def _fitting(message: str) -> str:
    """A value that fits, if the message has it without a list: another value, a form with letters for numbers."""
    if other := re.search(r'is "[^"]+", not "([^"]+)"', message):
        return other[1]
    wanted = message.partition(", but must be ")[2]
    return "1" if wanted == "an integer" else _numbered(wanted)


def corrected(text: str, told: Told) -> str:
    """The text as its author sends it again."""
    if told.block:
        before = "" if told.whole else text.strip("\n")
        return "\n\n".join(part for part in (before, filled("\n".join(told.block))) if part.strip())
    lines = text.split("\n")
    for at, wrong, choice in told.chosen:
        if not any(change.first <= at < change.last for change in told.changes) and wrong in lines[at]:
            lines[at] = lines[at].replace(wrong, choice) if wrong else f"{lines[at]} {choice}"
    for first, last, new in sorted(told.changes, key=lambda change: change.first % (len(lines) + 1), reverse=True):
        place = len(lines) if first < 0 else first
        lines[place : len(lines) if first < 0 else last] = filled("\n".join(new)).split("\n") if new else []
    return "\n".join(lines)


def path_of(shown: str) -> str:
    """The path of a file that a complaint asks for."""
    return _PLACEHOLDER.sub("board", shown)


def filled(block: str) -> str:
    """A block with its placeholders filled in: the first of several values, the example, else the words themselves."""
    return _PLACEHOLDER.sub(lambda found: _value(found[1], block[: found.start()].rpartition("\n")[2]), block)


def _value(placeholder: str, before: str) -> str:
    if " if " in placeholder:  # what another value does not ask for
        return ""
    if placeholder == "a number":
        return "1"
    first = placeholder.split(" | ")[0].split("e.g. ")[-1].strip(" …")
    name = _letters(first)
    if not first or (name and _letters(before).endswith(name)):  # the name of the field in place of a hint
        return "something"
    return _numbered(first)


def _numbered(form: str) -> str:
    return re.sub(r"\b[A-Z]\b", "0", form)


def _letters(text: str) -> str:
    return re.sub(r"[^a-z]", "", text.casefold())


def _fenced(lines: list[str], at: int) -> tuple[list[str], int]:
    fence = lines[at]
    assert re.fullmatch("`{3,}", fence), fence
    end = lines.index(fence, at + 1)
    return lines[at + 1 : end], end + 1
