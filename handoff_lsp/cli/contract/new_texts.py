"""The text of a small contract of each form, and of documents for its cases."""

from __future__ import annotations

import json
from collections.abc import Mapping

from handoff_lsp.contracts.model import Form
from handoff_lsp.text.named_tuple import NamedTuple

_HEAD = """\
# The format `{name}`. Its cases are in `{name}.cases.md`: `handoff-lsp contract test` runs them.
contract: {name}
title: {title}
about: What one agent leaves for the next one.
status: status
unread: treated as failed
"""

# How a handoff is recognized: enough signs, or ordinary text gets findings.
_FORMS: Mapping[Form, str] = {
    "document": """\
heading: '{title}: {{what it is about}}'
detect: # a whole Markdown document: signs with weights, and the sum that is enough
  enough: 4
  signs:
    - {{weight: 3, title: '(?i)^{title}\\b'}}
    - {{weight: 1, has: status}}
    - {{weight: 1, has: summary}}
    - {{weight: 1, has: open_questions}}
""",
    "section": """\
section: # a section of a document: its heading, and enough of the fields in it
  title: '(?i)^{title}\\b'
  holds: [{{some: [status, summary, open_questions], enough: 2}}]
  labels: true
""",
    "run": """\
run: # lines of `KEY: value`, in a text or a fence, that begin with one key and at most one word behind it
  opening: report
""",
    "fence": """\
fence: # a fence with a tag of its own, with JSON in it
  tags: {{{word}: own}}
  syntax: json
""",
    "file": """\
file: # a whole file: its path, and enough of the keys in it
  syntax: json
  path: '(^|/){escaped}\\.json$'
  holds: [{{some: [status, summary, open_questions], enough: 2}}]
locations: ['{name}.json']
""",
}
_CARRIERS: Mapping[Form, str] = {
    "document": "[section]",
    "section": "[bold-label, plain-label]",
    "run": "[plain-label]",
    "fence": "[json]",
    "file": "[json]",
}
_OPENING = """\
  report:
    title: {upper}
    carriers: [plain-label]
    type: line
    about: The task that it is about, in one word.
"""
_FIELDS = """\
  status:
    title: {titles[0]}
    carriers: {carriers}
    type: enum
    values:
      - {{value: done, about: Everything is done., then: Starts the next agent}}
      - {{value: blocked, about: A question has to be answered first., then: Asks a human}}
      - {{value: failed, about: It cannot be done., then: Stops}}
    required: true
    because: the next step depends on it
  summary:
    title: {titles[1]}
    carriers: {carriers}
    type: {text}
    about: What was done, in a sentence.
    required: true
    because: the next agent begins with it
  open_questions:
    title: {titles[2]}
    carriers: {carriers}
    type: integer
    about: How many questions are open.
  question:
    title: {titles[3]}
    carriers: {carriers}
    type: {text}
    about: What has to be answered.
    required: {{status: blocked}}
    because: the human would not know the question
checks:
  done-leaves-nothing-open:
    when: {{status: done}}
    at: open_questions
    one_of: 0
    message: The status is done, but {{open_questions}} questions are open
    because: they would be lost
reads: [summary]
routing: # the first one whose condition holds
  - {{when: {{status: done}}, action: advance, reason: Starts the next agent.}}
  - {{when: {{status: blocked}}, action: ask, reason: A human answers the question.}}
  - {{action: stop, reason: Nothing advances without a valid status.}}
"""


class Names(NamedTuple):
    """A contract's name, and the words that documents have for it: ``nightly-report``, ``Nightly report``."""

    name: str

    @property
    def title(self) -> str:
        """The name as a heading."""
        words = self.name.replace("_", "-").replace("-", " ")
        return words[:1].upper() + words[1:]

    @property
    def word(self) -> str:
        """The name as one word, such as a fence's tag."""
        return self.name.replace("-", "_")


def contract_text(names: Names, form: Form, schema: str = "") -> str:
    """A small contract of a form. ``schema``: the path of the JSON Schema from its folder; empty without one."""
    first = f"# yaml-language-server: $schema={schema}\n" if schema else ""
    is_text = form == "document"
    fields = (_OPENING if form == "run" else "") + _FIELDS
    return first + (_HEAD + _FORMS[form] + "fields:\n" + fields).format(
        name=names.name,
        escaped=names.name.replace(".", "\\."),
        title=names.title,
        word=names.word,
        upper=names.word.upper(),
        titles=_titles(form),
        carriers=_CARRIERS[form],
        text="text" if is_text else "line",
    )


def _titles(form: Form) -> list[str]:
    fields = ["status", "summary", "open_questions", "question"]
    if form in {"fence", "file"}:
        return fields
    if form == "run":
        return [field.upper() for field in fields]
    return ["Status", "Summary", "Open questions", "Question"]


def cases_text(names: Names, form: Form) -> str:
    """The case file of such a contract, with the documents and without what is expected of them."""
    done = {"status": "done", "summary": "The login page is built.", "open_questions": 0}
    blocked = {**done, "status": "blocked", "open_questions": 1}
    question = {"question": "Which tenant is the default?"}
    cases: list[tuple[str, dict[str, object], bool]] = [
        ("A sound one starts the next agent", done, True),
        ("A blocked one with its question goes to a human", {**blocked, **question}, True),
        ("A blocked one must have its question", blocked, False),
        ("A failed one stops the pipeline", {**done, "status": "failed"}, True),
        ("A word that is no status", {**done, "status": "finished"}, True),
        ("Done with open questions", {**done, "open_questions": 2}, True),
        ("Without a status", {key: value for key, value in done.items() if key != "status"}, True),
        ("Without a summary", {key: value for key, value in done.items() if key != "summary"}, False),
    ]
    path = f" {names.name}.json" if form == "file" else ""
    parts = [f"# Cases of `{names.name}`\n\nHow to write one: `handoff-lsp contract test --help`.\n"]
    for title, values, states_route in cases:
        document = _document(names, form, values)
        routes = "routes none\n" if states_route else ""
        parts.append(f"## {title}\n~~~~document{path}\n{document}~~~~\n{routes}")
    if form == "run":
        values = {key: value for key, value in done.items() if key != "summary"}
        lines = _document(names, form, values).partition("\n")[2]
        parts.append(f"## Lines without the first key are ordinary text\n~~~~document\n{lines}~~~~\n")
    return "\n".join(parts)


def _document(names: Names, form: Form, values: Mapping[str, object]) -> str:
    titles = dict(zip(("status", "summary", "open_questions", "question"), _titles(form), strict=True))
    if form in {"fence", "file"}:
        text = json.dumps({titles[key]: value for key, value in values.items()}, indent=2)
        return f"```{names.word}\n{text}\n```\n" if form == "fence" else f"{text}\n"
    if form == "document":
        sections = (f"\n## {titles[key]}\n\n{value}\n" for key, value in values.items())
        return f"# {names.title}: the login page\n{''.join(sections)}"
    lines = [f"{titles[key]}: {value}\n" for key, value in values.items()]
    if form == "run":
        return f"{names.word.upper()}: login-page\n{''.join(lines)}"
    return f"## {names.title}\n\n{''.join(f'- **{titles[key]}**: {value}{chr(10)}' for key, value in values.items())}"
