"""Reading case files: Markdown with documents, and what is expected of them beside the lines.

A case is a level 2 heading with a ``document`` fence (of four tildes) below it. In it, a line of carets is about the
line above: the carets are below the code points that the finding covers, then come the rule and, if it matters, the
severity and words of the message in quotes. The name of a contract's check, ``CONTRACT/CHECK``, will do
for its rule::

    compleet
    ^^^^^^^^ invalid-value error "must be one of"

A ``+`` in place of the carets (``+ missing-status``) is a finding with an empty range at that column. Every finding
must be expected and every expectation found. The fence's info line gives the document's path and options:
``contract=NAME`` (left out: the contract of the case file), ``profile=NAME``, ``examples``, ``rule:CODE=SEVERITY``,
``agent=NAME`` for the agent that returned the document, with its definition, if needed, as a document beside it; any
other ``key=value`` is a setting of the contract. A fence ``fixed RULE`` after it is the document once the first fix of
that rule's first finding is applied. A fence ``beside PATH`` is another document of the workspace.

A line ``routes ACTION "words"`` outside the fences states the decision on a handoff of the document, and words of its
reason: as many such lines as the document has handoffs with routes, in order. ``routes none`` in their place: nothing
is decided.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from handoff_lsp.cases.case import Case, Decided, Expected, FixedText
from handoff_lsp.contracts.names import did_you_mean
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.engine import Options
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.text.named_tuple import NamedTuple

_OPENING = re.compile(r"^~~~~(?P<kind>document|fixed|beside)(?P<info>[^\n]*)$")
_CLOSING = "~~~~"
_MARK = re.compile(
    r"^(?P<blank>\s*)(?P<carets>\^+|\+) (?P<rule>[a-z][\w./-]*)"
    r"(?: (?P<severity>error|warning|information|hint))?(?: \"(?P<words>[^\"]*)\")?$"
)
_LIKE_A_MARK = re.compile(r"^\s*\^+\s*[\w./-]*(\s|$)")
_ROUTES = re.compile(r"^routes (?P<action>advance|continue|retry|ask|stop|none)(?: \"(?P<words>[^\"]*)\")?$")
_SEVERITIES = ("error", "warning", "information", "hint", "off")


class CaseFileProblem(NamedTuple):
    """A line of a case file that cannot be read (1-based), with the reason."""

    line: int
    message: str


class CaseFile(NamedTuple):
    """The cases of a file, in order, and the problems of the file."""

    cases: list[Case]
    problems: list[CaseFileProblem]


class _Fence(NamedTuple):
    kind: str
    info: str
    line: int
    body: list[str]

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.body)


class _Part(NamedTuple):
    """The text below one heading: its fences, and its lines outside them with their numbers."""

    title: str
    line: int
    fences: list[_Fence]
    prose: list[tuple[int, str]]


def read_case_file(text: str, name: str, contract: str) -> CaseFile:
    """The cases of a file. ``name`` begins the names of its cases; ``contract``: the one its options are for."""
    problems: list[CaseFileProblem] = []
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    cases = [_case(part, name, contract, problems) for part in _parts(lines, problems)]
    return CaseFile([case for case in cases if case is not None], sorted(problems))


def _parts(lines: list[str], problems: list[CaseFileProblem]) -> list[_Part]:
    parts: list[_Part] = []
    fence: _Fence | None = None
    for number, line in enumerate(lines, 1):
        if fence is not None and _OPENING.match(line):
            problems.append(_unclosed(fence))
            fence = None
        if fence is not None:
            if line == _CLOSING:
                fence = None
            else:
                fence.body.append(line)
        elif line.startswith(_CLOSING):
            found = _OPENING.match(line)
            if found is None:
                problems.append(
                    CaseFileProblem(number, "a fence of a case is `document`, `fixed RULE` or `beside PATH`")
                )
            elif not parts:
                problems.append(CaseFileProblem(number, "a case begins with a heading `## …`"))
            fence = _Fence(found["kind"] if found else "", found["info"].strip() if found else "", number, [])
            if found is not None and parts:
                parts[-1].fences.append(fence)
        elif line.startswith("## "):
            parts.append(_Part(line[3:], number, [], []))
        elif parts:
            parts[-1].prose.append((number, line))
    if fence is not None:
        problems.append(_unclosed(fence))
    return parts


def _unclosed(fence: _Fence) -> CaseFileProblem:
    return CaseFileProblem(fence.line, "this fence is not closed with `~~~~`")


def _case(part: _Part, name: str, contract: str, problems: list[CaseFileProblem]) -> Case | None:
    document: _Fence | None = None
    fixed: list[FixedText] = []
    beside: list[tuple[str, str]] = []
    for fence in part.fences:
        if fence.kind == "beside":
            beside.append((fence.info, fence.text))
        elif fence.kind == "fixed":
            problems += _unknown_rule(fence.info, fence.line)
            fixed.append(FixedText(fence.info, fence.text, fence.line))
        elif document is None:
            document = fence
        else:
            problems.append(CaseFileProblem(fence.line, "a second document in one case: give it a heading of its own"))
    routes = list(_routes(part, problems))
    if document is None:
        if part.fences or routes:
            problems.append(CaseFileProblem(part.line, "this case has no `~~~~document`"))
        return None
    text, expected, lines = _split(document, problems)
    path, options, agent = _options(document, contract, problems)
    return Case(
        f"{name}: {part.title}",
        path,
        text,
        tuple(expected),
        options,
        tuple(fixed),
        tuple(beside),
        tuple(routes),
        part.line,
        document.line,
        tuple(lines),
        agent,
    )


def _routes(part: _Part, problems: list[CaseFileProblem]) -> Iterator[Decided]:
    for number, line in part.prose:
        found = _ROUTES.match(line)
        if found is not None:
            yield Decided(found["action"], found["words"] or "", number)
        elif line.startswith("routes "):
            message = 'a decision is `routes ACTION "words"`; the actions are advance, continue, retry, ask, stop, none'
            problems.append(CaseFileProblem(number, message))


def _split(fence: _Fence, problems: list[CaseFileProblem]) -> tuple[str, list[Expected], list[int]]:
    lines: list[str] = []
    numbers: list[int] = []
    expected = []
    for number, line in enumerate(fence.body, fence.line + 1):
        mark = _MARK.match(line)
        if mark is None or (mark["carets"] == "+" and mark["rule"] not in all_rules() and "/" not in mark["rule"]):
            if _LIKE_A_MARK.match(line):
                problems.append(CaseFileProblem(number, 'below a line: carets, the rule, its severity, "words"'))
            lines.append(line)
            numbers.append(number)
            continue
        problems += _unknown_rule(mark["rule"], number)
        if not lines:
            problems.append(CaseFileProblem(number, "this mark has no line above it"))
            continue
        start = len(mark["blank"])
        end = start + (len(mark["carets"]) if mark["carets"] != "+" else 0)
        found = Expected(len(lines) - 1, start, end, mark["rule"], mark["severity"], mark["words"] or "", number)
        expected.append(found)
    return "".join(f"{line}\n" for line in lines), expected, numbers


def _unknown_rule(code: str, line: int) -> Iterator[CaseFileProblem]:
    if code not in all_rules() and "/" not in code:  # whether a contract has such a check is known later
        yield CaseFileProblem(line, f"unknown rule `{code}`{did_you_mean(code, all_rules())}")


def _options(fence: _Fence, contract: str, problems: list[CaseFileProblem]) -> tuple[str, Options, str]:
    words = fence.info.split()
    path = words.pop(0) if words and "=" not in words[0] and words[0] != "examples" else ""
    for word in words:
        if "=" not in word and word != "examples":
            message = f"`{word}` is no option; use `examples`, `profile=…`, `contract=…`, `rule:…=…` or a setting"
            problems.append(CaseFileProblem(fence.line, message))
    given: dict[str, Any] = dict(word.split("=", 1) for word in words if "=" in word)
    name = given.pop("contract", contract)
    profile = given.pop("profile", None)
    agent = given.pop("agent", "")
    rules = {key.removeprefix("rule:"): given.pop(key) for key in list(given) if key.startswith("rule:")}
    for code, severity in rules.items():
        problems += _unknown_rule(code, fence.line)
        if severity not in _SEVERITIES:
            message = f"unknown severity `{severity}`{did_you_mean(severity, _SEVERITIES)}"
            problems.append(CaseFileProblem(fence.line, message))
    values = {key: value == "true" if value in {"true", "false"} else value.split(",") for key, value in given.items()}
    options = Options(
        severities=rules,
        profiles={name: profile} if profile else {},
        settings={name: values} if values else {},
        examples="examples" in words,
    )
    return path, options, agent


def unknown_names(case: Case, registry: Registry) -> Iterator[CaseFileProblem]:
    """Names in a case that no contract has: those of checks in its marks, and those in its options."""
    options = case.options
    marked = [(item.rule, item.at) for item in case.expected] + [(fixed.rule, fixed.at) for fixed in case.fixed]
    for code, at in [*marked, *((code, case.opening) for code in options.severities)]:
        owner, slash, check = code.partition("/")
        known = registry[owner].checks if slash and owner in registry else []
        if slash and check not in known:
            yield CaseFileProblem(at, f"unknown check `{code}`{did_you_mean(check, known)}")
    for name in dict.fromkeys([*options.profiles, *options.settings]):
        if name not in registry:
            yield CaseFileProblem(case.opening, f"unknown contract `{name}`{did_you_mean(name, registry.names)}")
            continue
        contract = registry[name].contract
        profile = options.profiles.get(name)
        if profile is not None and profile not in contract.profiles:
            message = f"`{name}` has no profile `{profile}`{did_you_mean(profile, contract.profiles)}"
            yield CaseFileProblem(case.opening, message)
        for setting in options.settings.get(name, {}):
            if setting not in contract.settings:
                message = f"`{name}` has no setting `{setting}`{did_you_mean(setting, contract.settings)}"
                yield CaseFileProblem(case.opening, message)
