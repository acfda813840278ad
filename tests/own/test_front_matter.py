"""A contract in the form of MADR 4 (state in the front matter, content in sections): the command's answers."""

from __future__ import annotations

import pytest
from own.conftest import Own

MADR = """\
contract: adr
title: Decision record
about: An architectural decision, as MADR 4 writes it.
status: status
unread: nobody builds on it
default_profile: madr
profiles: {madr: {about: MADR 4.}}
heading: '{short title}'
detect:
  enough: 5
  signs:
    - {weight: 3, value: {status: 'proposed|rejected|accepted|deprecated|superseded by .+'}}
    - {weight: 2, has: decision-makers}
    - {weight: 2, has: options}
    - {weight: 2, has: outcome}
fields:
  status:
    carriers: [front-matter]
    type: enum
    open: words
    required: true
    values:
      - {value: proposed, about: Not decided yet.}
      - {value: rejected, about: Turned down.}
      - {value: accepted, about: Decided.}
      - {value: deprecated, about: No longer followed.}
  date: {carriers: [front-matter], type: pattern, pattern: '\\d{4}-\\d\\d-\\d\\d', pattern_about: a day}
  decision_makers: {title: decision-makers, carriers: [front-matter], type: list, items: {type: line}}
  context: {title: Context and Problem Statement, carriers: [section], type: text, required: true}
  options: {title: Considered Options, carriers: [section], type: list, required: true}
  outcome: {title: Decision Outcome, carriers: [section], type: text, required: true}
checks:
  chosen:
    rule: contradiction
    check: "outcome.contains('Chosen option:')"
    when: "status == 'accepted'"
    at: outcome
    message: The outcome of an accepted decision names the chosen option
routing:
  - {when: "status == 'accepted'", action: advance, reason: It is built.}
  - {action: ask, reason: The decision makers are asked.}
"""
RECORD = """\
---
status: {status}
date: 2026-03-01
decision-makers: [Ann, Bob]
---
# Use Postgres

## Context and Problem Statement

Where do orders go?

## Considered Options

* Postgres
* Files

## Decision Outcome

Chosen option: "Postgres", because it is there.
"""


@pytest.fixture(autouse=True)
def contract(own: Own) -> None:
    own.write("contracts/adr.yaml", MADR)


@pytest.mark.parametrize(
    ("status", "action"), [("accepted", "advance"), ("superseded by ADR-0005", "ask"), ("proposed", "ask")]
)
def test_a_record_is_read(own: Own, status: str, action: str) -> None:
    own.write("docs/0001.md", RECORD.format(status=status))
    assert own.found(".") == []
    (parsed,) = own.parsed("docs/0001.md")
    assert (parsed["contract"], parsed["fields"]["status"], parsed["routing"]["action"]) == ("adr", status, action)
    assert parsed["fields"]["decision_makers"] == ["Ann", "Bob"]
    assert parsed["fields"]["date"] == "2026-03-01"


def test_a_slip_in_the_front_matter_is_found(own: Own) -> None:
    own.write("docs/0001.md", RECORD.format(status="acepted"))
    assert own.found(".") == [("invalid-value", "status")]


def test_a_sentence_that_is_no_status_is_somebody_elses_front_matter(own: Own) -> None:
    own.write("docs/0001.md", "---\nstatus: published\ndecision-makers: [Ann]\n---\n# A post\n")
    assert own.found(".") == []
    assert "Nearly `adr` (document) - the key `decision-makers` in its front matter (2), line 3" in own.says(
        "doctor", "docs/0001.md"
    )


def test_a_new_record_has_front_matter_and_is_recognized(own: Own) -> None:
    _, out, err = own.run("new", "adr")
    assert not err
    assert out.startswith("---\nstatus: <proposed | rejected | accepted | deprecated>\n")
    own.write("docs/0001.md", out)
    (parsed,) = own.parsed("docs/0001.md")
    assert (parsed["contract"], parsed["status"]) == ("adr", None)


def test_the_page_of_the_contract_names_the_keys(own: Own) -> None:
    page = own.says("explain", "adr")
    assert "the key `status` in its front matter that matches `proposed|rejected" in page
    assert "the key `decision-makers` in its front matter (2)" in page


@pytest.mark.parametrize(
    ("marker", "message"),
    [
        ("{weight: 9, has: statsu}", "unknown key `statsu`; did you mean `status`?"),
        ("{weight: 9}", "empty sign: it needs"),
        ("{weight: 9, text: a, matches: b}", "`matches` is a key of language 1; run `handoff-lsp contract migrate`"),
        ("{weight: 9, text: a, above: b}", "`above` has no effect here"),
        ("{weight: 9, value: {status: '('}}", "invalid RE2 pattern"),
    ],
)
def test_a_sign_that_cannot_be_is_refused(own: Own, marker: str, message: str) -> None:
    own.write("contracts/adr.yaml", MADR.replace("    - {weight: 2, has: options}\n", f"    - {marker}\n"))
    own.write("docs/0001.md", RECORD.format(status="accepted"))
    code, _, err = own.run("check", "docs")
    assert code == 2
    assert message in err
