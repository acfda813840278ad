"""Properties of every code action on any document: no word of the author's is lost, and once is enough.

Documents are built from the skeletons of every contract. Words like ``zq7z語`` are the author's: in prose, lists,
values, comments, fences, JSON, they must all still be present after an action, each as often as before. Only a wrong
word in place of the status is replaced by the status.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from itertools import islice

import pytest
from features.documents import SAMPLES, analysed
from hypothesis import given, settings
from hypothesis import strategies as st

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Analysis
from handoff_lsp.features.actions.action import Action
from handoff_lsp.features.actions.offered import KINDS, each, find, fix_all, offered, organize, quick_fixes
from handoff_lsp.samples.new_handoff import new_handoff
from handoff_lsp.text import Span, apply_edits

WORD = re.compile(r"zq\d+z[語🙂é]?")
SUFFIXES = ("", "語", "🙂", "é")
PLACEHOLDER = re.compile(r"<[^<>\n]*>")
PATHS = ("report.md", "handoffs/login-developer-handoff.md", ".agent/status.json")


def skeletons() -> list[tuple[str, str]]:
    """A new handoff of each contract, of each profile where it has few, with a path for it; some in another form."""
    made = []
    for entry in builtin():
        for profile in islice(entry.contract.profiles, 8):
            path = next(iter(entry.contract.locations), "report.md")
            made.append((path, new_handoff(builtin(), entry, profile, "handoff", path).text))
    labels = (
        "# Login — Handoff from Tester\n\n**Status**: blocked\n\n## Status reason\n\n<why>\n\n## Abstract\n\n"
        "- outcome: <what>\n- verdict: n/a\n- open_questions: 1\n\n## Open Questions\n\n- <…>\n"
    )
    envelope = (
        "**Status**: success\n**Summary**: <what>\n**Artifacts**:\n- <a>\n**Next Recommended**: sdd-spec\n"
        "**Risks**:\n- WARNING: <x>\n**Skill Resolution**: none\n"
    )
    return [*made, ("handoffs/login-tester-handoff.md", labels), ("report.md", envelope)]


SKELETONS = skeletons()


class Draft:
    """A document in the making. Each step takes a number that decides where and what."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._words = 0

    def word(self, number: int) -> str:
        """A word of the author's, used once."""
        self._words += 1
        return f"zq{self._words}z{SUFFIXES[number % len(SUFFIXES)]}"

    def fill(self, number: int) -> None:
        """Fill in some of the placeholders."""
        found = list(PLACEHOLDER.finditer(self.text))
        for match in reversed(found[number % 3 :: 2]):
            made = f"{self.word(number)} {self.word(number + 1)}"
            self.text = self.text[: match.start()] + made + self.text[match.end() :]

    def prose(self, number: int) -> None:
        """Write something between two lines."""
        kinds = (
            "\n{} {}\n\n",
            "- {}\n  - {}\n",
            "\n```\n{}: {}\n```\n",
            "> {}\n> {}\n",
            "<!-- {} {} -->\n",
            "{}: {}\n",
            "### {} {}\n",
            "## {} {}\n\n",
            "| {} | {} |\n",
            "# {} {}\n",
            "  // {} {}\n",
        )
        lines = self.text.splitlines(keepends=True)
        made = kinds[number % len(kinds)].format(self.word(number), self.word(number + 1))
        lines.insert(number // 7 % (len(lines) + 1), made)
        self.text = "".join(lines)

    def detail(self, number: int) -> None:
        """Write something after a line."""
        lines = self.text.split("\n")
        lines[number % len(lines)] += ("", " —", " #", " (", ",", " <!--")[number // 5 % 6] + " " + self.word(number)
        self.text = "\n".join(lines)

    def shuffle(self, number: int) -> None:
        """Swap two sections, or two lines."""
        at = ("\n## ", "\n", ",")[number % 3]
        parts = self.text.split(at)
        one, other = number // 3 % len(parts), number // 11 % len(parts)
        parts[one], parts[other] = parts[other], parts[one]
        self.text = at.join(parts)

    def repeat(self, number: int) -> None:
        """Repeat a section or a line, without repeating the author's words in it."""
        at = ("\n## ", "\n")[number % 2]
        parts = self.text.split(at)
        parts.insert(number // 5 % len(parts), WORD.sub("again", parts[number // 3 % len(parts)]))
        self.text = at.join(parts)

    def damage(self, number: int) -> None:
        """Remove or add a token of JSON or Markdown."""
        marks = [index for index, char in enumerate(self.text) if char in '{}[]",:`#*|-']
        if marks:
            at = marks[number % len(marks)]
            self.text = self.text[:at] + ("", self.text[at] * 2, "'", "\n")[number // 7 % 4] + self.text[at + 1 :]

    def cut(self, number: int) -> None:
        """Cut the end off."""
        self.text = self.text[: number % (len(self.text) + 1)]

    def quote(self, _number: int) -> None:
        """Make all of it a quote."""
        self.text = "".join(f"> {line}" for line in self.text.splitlines(keepends=True))

    def join(self, number: int) -> None:
        """Append another handoff."""
        self.text += "\n" + SKELETONS[number % len(SKELETONS)][1]

    def eol(self, number: int) -> None:
        """Change the line ends, or add a byte order mark."""
        if number % 3:
            self.text = self.text.replace("\r\n", "\n").replace("\n", "\r\n")
        elif not self.text.startswith("\ufeff"):
            self.text = "\ufeff" + self.text


STEPS: list[Callable[[Draft, int], None]] = [
    Draft.fill,
    Draft.fill,
    Draft.prose,
    Draft.prose,
    Draft.detail,
    Draft.shuffle,
    Draft.shuffle,
    Draft.repeat,
    Draft.damage,
    Draft.cut,
    Draft.quote,
    Draft.join,
    Draft.eol,
]


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, str]:
    """A path, and a text that may be a handoff, or was one."""
    path, text = draw(st.sampled_from(SKELETONS))
    made = Draft(text)
    for step, number in draw(st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 10_000)), max_size=8)):
        step(made, number)
    return draw(st.sampled_from([path, path, *PATHS])), made.text


def is_free(_name: str) -> bool:
    return True


def all_actions(analysis: Analysis) -> list[Action]:
    """All offered actions, but only two values of the status of each handoff."""
    everywhere = Span(0, len(analysis.source))
    found = [action for action in each(quick_fixes(analysis, everywhere)) if action.safe]
    seen: Counter[str] = Counter()
    places = dict.fromkeys(
        [everywhere, *(span for handoff in analysis.handoffs for span in (handoff.home(), handoff.span))]
    )
    others = [action for kind in KINDS[1:] for place in places for action in offered(analysis, place, kind, is_free)]
    for action in {(action.kind, action.key): action for action in others}.values():
        of = " ".join([action.kind, *action.key.split()[:2]])
        seen[of] += 1
        if seen[of] <= 2:
            found.append(action)
    return found


def exempt(analysis: Analysis, action: Action) -> Counter[str]:
    """The wrong word in place of the status that an action sets."""
    word, _, rest = action.key.partition(" ")
    if word != "status":
        return Counter()
    status = analysis.handoffs[int(rest.split()[0])].status
    if status is None or status.value is None:
        return Counter()
    found = status.problem.found if status.problem is not None else status.value.of(analysis.source.text)
    return Counter(WORD.findall(found) if len(found.split()) <= 1 else [])


def check(path: str, text: str) -> None:
    """Apply each action that is offered for a document."""
    analysis = analysed(text, path)
    words = Counter(WORD.findall(text))
    for action in all_actions(analysis):
        made = apply_edits(text, action.edits)
        lost = words - Counter(WORD.findall(made)) - exempt(analysis, action)
        assert not lost, f"{action.title} loses {lost}:\n{made}"
        # Line ends that were all the same still are.
        if "\r" in text and "\n" not in text.replace("\r\n", ""):
            assert "\n" not in made.replace("\r\n", ""), action.title
        if action.kind == "source.organize.handoff":
            assert Counter(made) == Counter(text), f"{action.title} is no permutation:\n{made}"
        if action.key and action.change.file is None and made != text:
            check_again(analysed(made, path), action, made)


def check_again(after: Analysis, action: Action, made: str) -> None:
    """Once is enough: the second time the action is not offered, or it undoes the first."""
    if action.key.startswith("fence"):
        again = find(after, action.kind, action.key, is_free)
        assert again is None or again.title != action.title
        return
    whole = {"source.fixAll.handoff": fix_all, "source.organize.handoff": organize}.get(action.kind)
    again = whole(after) if whole is not None else find(after, action.kind, action.key, is_free)
    assert again is None, f"{action.title} twice:\n{made}\n--- and then\n{apply_edits(made, again.edits)}"


@settings(max_examples=120, deadline=None, derandomize=True)
@given(documents())
def test_no_word_is_lost(document: tuple[str, str]) -> None:
    check(*document)


@pytest.mark.parametrize("name", SAMPLES)
def test_samples(name: str) -> None:
    for eol in ("\n", "\r\n"):
        check("report.md", SAMPLES[name].replace("\n", eol))
