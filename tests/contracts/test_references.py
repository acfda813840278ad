"""References of contracts: each leads somewhere, or is reported at its token with the nearest name."""

from __future__ import annotations

import pkgutil
import random
from importlib import import_module

import contract_slips
import pytest
from contracts.problems import problems as told

import handoff_lsp.rules as rules
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.contracts.rule_codes import CHECK_RULES, RULES
from handoff_lsp.rules.registry import all_rules

CONTRACT = """\
contract: story
title: Story
about: A story of a team.
status: status
unread: nobody reads it
default_profile: plain
profiles:
  plain: {about: The only one}
detect:
  enough: 3
  content: 2
  signs:
    - {weight: 2, title: '(?i)story'}
    - {weight: 1, value: {status: ''}}
section: {title: '(?i)^story', holds: [{some: [status, points], enough: 2}]}
settings:
  strict: {about: Whether all counts, default: false}
definitions:
  people: {about: person}
terms:
  is_open: "status == 'open' || status == 'new'"
fields:
  status:
    type: enum
    values: [{value: new}, {value: open, instead_of: [opened], because: {opened: It is a state}}, {value: done}]
    severity: {invalid-value: warning}
  points: {type: integer, required: "is_open", because: they say how large it is}
  owner: {type: line, names: people, replaced_by: points}
  tasks: {type: checklist}
  kind: {type: line, carriers: [bold-label]}
  notes: {type: rows, values: [{value: ok}, {value: bad}]}
  acceptance: {type: object, fields: {text: {type: line}, count: {type: integer}}}
checks:
  counted:
    rule: contradiction
    when: "status == 'done'"
    check: "acceptance.count > 0 && notes.all(row, row.mark != 'bad')"
    at: acceptance.count
    message: "{acceptance.count} of {points}"
  marked:
    rule: contradiction
    check: "this == 'ok'"
    at: notes[]
    message: A note is bad
routing:
  - {when: "status in ['done']", action: advance, reason: It goes on., brief: "{points} points", reads: [owner]}
  - {action: stop, reason: It waits.}
reads: [status]
transitions: {of: status, by: owner, allowed: {new: [open], open: [done]}}
groups:
  Both: [status, points]
"""


def problems(text: str) -> list[tuple[str, str]]:
    """The problems of a contract: the text at their places, and their messages."""
    return told(text, {entry.name: entry for entry in builtin()})


def changed(old: str, new: str) -> list[tuple[str, str]]:
    """The problems with one text of the contract above replaced."""
    assert old in CONTRACT, old
    return problems(CONTRACT.replace(old, new, 1))


def test_the_contract_above_is_right() -> None:
    assert problems(CONTRACT) == []


# Each: the text that is replaced, the mistake, the token, the words; and a near miss that is right.
MISTAKES = {
    "a misspelled rule": (
        "rule: contradiction",
        "rule: contradicton",
        "contradicton",
        "did you mean `contradiction`",
        "rule: time-order",
    ),
    "a rule that reports no checks": (
        "rule: contradiction",
        "rule: invalid-value",
        "invalid-value",
        "reports no checks",
        "rule: count-mismatch",
    ),
    "a severity of no rule": (
        "{invalid-value: warning}",
        "{invalid-vlue: warning}",
        "invalid-vlue",
        "did you mean `invalid-value`",
        "{invalid-type: warning}",
    ),
    "enough markers": ("enough: 3", "enough: 4", "4", "`enough` (4) is never reached", "enough: 2"),
    "enough content": ("content: 2", "content: 9\n  # ", "9", "", "content: 3"),
    "enough of the section": (
        "points], enough: 2",
        "points], enough: 3",
        "3",
        "`some` names 2",
        "points, owner], enough: 3",
    ),
    "a value": (
        "\"status in ['done']\"",
        "\"status in ['don']\"",
        "'don'",
        "`status` is never `don`; did you mean `done`",
        "\"status in ['new', 'done']\"",
    ),
    "a value on the left": (
        "\"status == 'done'\"",
        "\"'dne' == status\"",
        "'dne'",
        "did you mean `done`",
        "\"'' != status\"",
    ),
    "a mark": ("row.mark != 'bad'", "row.mark != 'bd'", "'bd'", "did you mean `bad`", "row.text != 'bd'"),
    "a member of rows": ("row.mark", "row.mrk", "mrk", "did you mean `row.mark`", "row.text"),
    "the mark of an item": ("this == 'ok'", "this == 'oky'", "'oky'", "`this` is never `oky`", "this != 'bad'"),
    "a name in CEL": (
        "acceptance.count > 0",
        "acceptence.count > 0",
        "acceptence",
        "did you mean `acceptance`",
        "points > 0",
    ),
    "a member in CEL": (
        "acceptance.count > 0",
        "acceptance.cont > 0",
        "cont",
        "did you mean `acceptance.count`",
        "has(acceptance.count)",
    ),
    "this without items": ("acceptance.count > 0", "this > 0", "this", "only in a check at the items", "points > 0"),
    "a condition that is a text": (
        'required: "is_open"',
        'required: "owner"',
        '"owner"',
        "a condition must be true or false",
        "required: \"owner != ''\"",
    ),
    "a condition that is a number": (
        'required: "is_open"',
        'required: "size(tasks)"',
        '"size(tasks)"',
        "but this is a number",
        'required: "size(tasks) > 0"',
    ),
    "a member that is no condition": (
        'required: "is_open"',
        'required: "acceptance.count"',
        '"acceptance.count"',
        "a condition must be true or false",
        'required: "settings.strict"',
    ),
    "a setting": (
        'required: "is_open"',
        'required: "settings.strct"',
        "strct",
        "did you mean `strict`",
        'required: "settings.strict"',
    ),
    "a field without items": ("at: notes[]", "at: status[]", "status[]", "has no items", "at: notes[] "),
    "a path": (
        "at: acceptance.count",
        "at: acceptance.cont",
        "acceptance.cont",
        "did you mean `acceptance.count`",
        "at: acceptance.text",
    ),
    "an open brace": (
        '"{acceptance.count} of',
        '"{acceptance.count of',
        "{",
        "`{` has no counterpart",
        '"{acceptance.text} of',
    ),
    "a brace of a brief": ('"{points} points"', '"points} points"', "}", "`}` has no counterpart", '"points points"'),
    "a doubled key": (
        "reads: [status]",
        "reads: [status]\nreads: [owner]",
        "reads",
        "`reads` is a duplicate key",
        "reads: [status, owner]",
    ),
    "one title for two": (
        "owner: {type: line,",
        "owner: {type: line, title: points,",
        "points",
        "`points` has the title `points`, too",
        "owner: {type: line, title: Owner,",
    ),
    "one value twice": (
        "{value: ok}, {value: bad}",
        "{value: ok}, {value: ok}, {value: bad}",
        "ok",
        "duplicate value `ok`",
        "{value: ok}, {value: OK}, {value: bad}",
    ),
    "a patch of no field": (
        "{about: The only one}",
        "{about: One, fields: {pints: {required: true}}}",
        "pints",
        "did you mean `points`",
        "{about: One, fields: {pints: {type: line}}}",
    ),
    "a sign of nothing": (
        ", value: {status: ''}}",
        "}",
        "{weight: 1}",
        "empty sign: it needs `path`",
        ", text: status}",
    ),
    "a sign that has no effect here": (
        "value: {status: ''}}",
        "text: x, above: x}",
        "above",
        "`above` has no effect here",
        "text: x, title: x}",
    ),
    "a sign of a label, which detection does not read": (
        "{weight: 1, value: {status: ''}}",
        "{weight: 1, has: kind}",
        "kind",
        "`kind` is a label",
        "{weight: 1, has: status}",
    ),
    "a closed format of labels and sections": (
        "groups:",
        "closed: true\ngroups:",
        "closed",
        "`closed` has no effect here",
        "closed: true\nrun: {holds: [{some: [status, points], enough: 2}]}\ngroups:",
    ),
    "empty evidence": (
        "{about: The only one}",
        "{about: One, evidence: [{weight: 2}]}",
        "{weight: 2}",
        "empty sign: it needs",
        "{about: One, evidence: [{weight: 2, form: section}]}",
    ),
    "enough of a fence": (
        "groups:",
        "fence: {tags: {story: shared}, holds: [{some: [status], enough: 2}]}\ngroups:",
        "2",
        "`some` names 1",
        "fence: {tags: {story: shared}, holds: [{some: [status, points], enough: 2}]}\ngroups:",
    ),
    "an enum in items without values": (
        "{type: checklist}",
        "{type: list, items: {type: object, fields: {kind: {type: enum}}}}",
        "kind",
        "an enum needs `values`",
        "{type: list, items: {type: object, fields: {kind: {type: enum, values: [a]}}}}",
    ),
    "an example that is no number": (
        "points: {type: integer,",
        "points: {type: integer, example: many,",
        "many",
        "invalid value: it must be an integer",
        "points: {type: integer, example: '12',",
    ),
    "an example that is no value": (
        "severity: {invalid-value: warning}",
        "example: dne",
        "dne",
        "it must be one of its values",
        "example: done",
    ),
    "an example that is no date": (
        "{type: checklist}",
        "{type: date, example: today}",
        "today",
        "a date such as 2026-02-08",
        "{type: date, example: '2026-02-09'}",
    ),
    "an example that its pattern refuses": (
        "{type: checklist}",
        "{type: pattern, pattern: '[a-z]+', example: A1}",
        "A1",
        "it must match `pattern`",
        "{type: pattern, pattern: '[a-z]+', example: ab}",
    ),
    "a list for the route's reads": ("reads: [owner]", "reads: owner", "owner", "must be a list", "reads: []"),
    "a limit for numbers": (
        "{type: checklist}",
        "{type: boolean, minimum: 1}",
        "minimum",
        "`minimum` has no effect here: it is for numbers, lists and texts",
        "{type: number, minimum: 0.5}",
    ),
    "a limit that nothing keeps": (
        "{type: checklist}",
        "{type: line, minimum: 5, maximum: 4}",
        "minimum",
        "above `maximum`",
        "{type: line, minimum: 4, maximum: 4}",
    ),
    "a limit that is no number": (
        "{type: checklist}",
        "{type: list, maximum: many}",
        "many",
        'must be a number, not the text "many"',
        "{type: list, maximum: 3}",
    ),
    "a tab as indentation": (
        "  points: {type: integer,",
        "\tpoints: {type: integer,",
        "\t",
        "a tab is not allowed as indentation",
        "  points: {type:\tinteger,",
    ),
    "a name that no comment can have": (
        "contract: story",
        "contract: My Story",
        "My Story",
        "`My Story` cannot be the name of a contract",
        "contract: 物語-2.my_Story",
    ),
    "a pattern of a line": (
        "{type: checklist}",
        "{type: line, pattern: 'T-[0-9]+'}",
        "pattern",
        "`pattern` has no effect here: it is for `type: pattern` and integers",
        "{type: integer, pattern: '[1-3]'}",
    ),
    "a pattern of an item": (
        "{type: checklist}",
        "{type: checklist, items: {pattern: '(?P<id>T[0-9]+) .+'}}",
        "pattern",
        "`pattern` has no effect here",
        "{type: checklist, items: {type: pattern, pattern: '(?P<id>T[0-9]+) .+'}}",
    ),
    "a type without its pattern": (
        "{type: checklist}",
        "{type: pattern}",
        "tasks",
        "`type: pattern` needs `pattern`",
        "{type: pattern, pattern: '[a-z]+'}",
    ),
    "values without a type": (
        "{type: checklist}",
        "{values: [a, b], required: true}",
        "values",
        "`values` has no effect here: it is for enums and rows",
        "{type: enum, values: [a, b], required: true}",
    ),
    "values of a number": (
        "{type: checklist}",
        "{type: integer, values: ['1', '2']}",
        "values",
        "`values` has no effect here",
        "{type: any, values: ['1', '2']}",
    ),
    "values of a list": (
        "{type: checklist}",
        "{type: list, values: [a, b]}",
        "values",
        "`values` has no effect here",
        "{type: list, items: {type: enum, values: [a, b]}}",
    ),
    "items of no list": (
        "{type: checklist}",
        "{type: object, items: {type: line}}",
        "items",
        "`items` has no effect here: it is for lists and maps",
        "{type: map, items: {type: line}}",
    ),
    "fields of no object": (
        "{type: checklist}",
        "{type: list, fields: {n: {type: line}}}",
        "fields",
        "`fields` has no effect here: it is for objects",
        "{type: list, items: {type: object, fields: {n: {type: line}}}}",
    ),
    "fields of an item without a type": (
        "{type: checklist}",
        "{type: list, items: {fields: {n: {type: line}}}}",
        "fields",
        "`fields` has no effect here",
        "{type: list, items: {type: line, fields: {below: {type: list}}}}",
    ),
    "fields without a type": (
        "{type: checklist}",
        "{fields: {n: {type: line}}}",
        "fields",
        "`fields` has no effect here",
        "{type: table, items: {fields: {n: {type: line}}}}",
    ),
    "a number in quotes": (
        "{type: checklist}",
        "{type: integer, minimum: '1', maximum: 9}",
        "'1'",
        'must be a number, not the text "1": write it without quotes',
        "{type: integer, minimum: 1, maximum: 9}",
    ),
    "a weight in quotes": (
        "{weight: 2, title",
        "{weight: '2', title",
        "'2'",
        "must be an integer",
        "{weight: 2, title",
    ),
    "a truth in place of a number": (
        "{type: checklist}",
        "{type: integer, minimum: true}",
        "true",
        "must be a number, not `true`",
        "{type: integer, minimum: 1.0}",
    ),
    "a number that is none": (
        "{type: checklist}",
        "{type: line, minimum: .nan}",
        ".nan",
        "must be a number",
        "{type: number, minimum: -0.5}",
    ),
    "a limit without an end": (
        "{type: checklist}",
        "{type: line, maximum: .inf}",
        ".inf",
        "must be a number",
        "{type: line, maximum: 1000}",
    ),
    "a boolean in quotes": (
        "{type: checklist}",
        "{type: checklist, unique: 'no'}",
        "'no'",
        'must be true or false, not the text "no": write it without quotes',
        "{type: checklist, unique: no}",
    ),
    "a boolean or a word in quotes": (
        "severity: {invalid-value: warning}",
        "open: 'false'",
        "'false'",
        "must be true or false or one of `words`",
        "open: 'words'",
    ),
    "a condition in quotes": ('"is_open", because', "'no', because", "no", "did you mean `false`", "'false', because"),
    "a removal of no field": (
        "{about: The only one}",
        "{about: One, fields: {ownr: null}}",
        "ownr",
        "did you mean `owner`",
        "{about: One, fields: {tasks: null}}",
    ),
    "a sign": ("value: {status: ''}}", "has: statu}", "statu", "did you mean `status`", "has: status}"),
    "a sign's value": ("{status: ''}}", "{statu: ''}}", "statu", "did you mean `status`", "{status: new}}"),
    "a sign without values": ("{status: ''}}", "{owner: ''}}", "owner", "has no values", "{owner: ada}}"),
    "a sign without children": (
        "value: {status: ''}}",
        "has: acceptance, children: 3}",
        "acceptance",
        "has fewer fields of its own",
        "has: acceptance}",
    ),
    "a key of the front matter": (
        "value: {status: ''}}",
        "has: description}",
        "description",
        "is `front_matter.KEY`",
        "has: front_matter.description}",
    ),
    "a transition from": ("allowed: {new:", "allowed: {nw:", "nw", "did you mean `new`", "allowed: {done:"),
    "a transition to": ("new: [open]", "new: [opn]", "opn", "did you mean `open`", "new: [done]"),
    "the status of transitions": ("{of: status", "{of: sttus", "sttus", "did you mean `status`", "{of: status "),
    "reads": ("reads: [status]", "reads: [staus]", "staus", "did you mean `status`", "reads: [acceptance.text]"),
    "a route's reads": ("reads: [owner]", "reads: [ownr]", "ownr", "did you mean `owner`", "reads: [points]"),
    "a group": (
        "Both: [status, points]",
        "Both: [status, pints]",
        "pints",
        "did you mean `points`",
        "Both: [points]",
    ),
    "a companion": (
        "groups:",
        "companions: {log: {contract: activty-log, where: a.log}}\ngroups:",
        "activty-log",
        "did you mean `activity-log`",
        "companions: {log: {contract: activity-log, where: a.log}}\ngroups:",
    ),
    "a field of a companion": (
        "at: acceptance.count",
        "at: acceptance.count\n    related: ['log:status']",
        "log",
        "unknown companion",
        "at: acceptance.count\n    related: [status]",
    ),
    "evidence": (
        "{about: The only one}",
        "{about: One, evidence: [{has: pints}]}",
        "pints",
        "did you mean `points`",
        "{about: One, evidence: [{has: points}]}",
    ),
    "evidence by value": (
        "{about: The only one}",
        "{about: One, evidence: [{value: {pints: x}}]}",
        "pints",
        "did you mean `points`",
        "{about: One, evidence: [{value: {points: x}}]}",
    ),
    "a title that took the place": (
        "replaced_by: points",
        "replaced_by: pints",
        "pints",
        "did you mean `points`",
        "replaced_by: tasks",
    ),
    "a value that took the place": (
        "{value: new}",
        "{value: new, replaced_by: opn}",
        "opn",
        "did you mean `open`",
        "{value: new, replaced_by: open}",
    ),
    "a fence's shape": (
        "groups:",
        "fence: {tags: {story: own}, holds: [{some: [status, pints], enough: 2}]}\ngroups:",
        "pints",
        "did you mean `points`",
        "fence: {tags: {story: own}, holds: [{some: [status, points], enough: 2}]}\ngroups:",
    ),
    "a fence's needs": (
        "groups:",
        "fence: {tags: {story: own}, holds: [{needs: [pints]}]}\ngroups:",
        "pints",
        "did you mean `points`",
        "fence: {tags: {story: own}, holds: [{needs: [acceptance.text]}]}\ngroups:",
    ),
    "a section's telling": (
        "points], enough: 2",
        "points], telling: [pints], enough: 2",
        "pints",
        "did you mean `points`",
        "points], telling: [points], enough: 2",
    ),
    "a last route": (
        "{action: stop, reason",
        "{when: \"status == 'new'\", action: stop, reason",
        "when",
        "the last route has a condition",
        "{when: 'true', action: stop, reason",
    ),
    "a route for all above others": (
        "{when: \"status in ['done']\", action",
        "{action",
        '{action: advance, reason: It goes on., brief: "{points} points", reads: [owner]}',
        "never reached",
        "{when: \"status == 'done'\", action",
    ),
    "a word that is not there": ("{opened: It is", "{opend: It is", "opend", "did you mean `opened`", "{Opened: It is"),
    "a kind of names": ("names: people", "names: peple", "peple", "did you mean `people`", "names: people "),
    "a profile": (
        "default_profile: plain",
        "default_profile: pain",
        "pain",
        "did you mean `plain`",
        "default_profile: plain ",
    ),
    "a missing key": ("about: A story of a team.\n", "", "c", "`about` is missing", "about: x\n"),
    "a missing key of a check": (
        "    at: acceptance.count\n",
        "",
        "counted",
        "`at` is missing in `counted`",
        "    at: status\n",
    ),
    "an unknown key of a route": ("brief:", "breif:", "breif", "did you mean `brief`", "brief: "),
    "an unknown key of a value": (
        "{value: ok}",
        "{value: ok, abot: x}",
        "abot",
        "did you mean `about`",
        "{value: ok, about: x}",
    ),
    "a habit of JSON Schema": (
        "{type: checklist}",
        "{type: checklist, enum: [a]}",
        "enum",
        "`values` lists what an enum may be",
        "{type: checklist, filled: true}",
    ),
    "a habit for numbers": (
        "{type: checklist}",
        "{type: checklist, minItems: 1}",
        "minItems",
        "use `minimum`",
        "{type: checklist, minimum: 1}",
    ),
    "half an item": (
        "{type: checklist}",
        "{type: checklist, minimum: 1.5}",
        "1.5",
        "a number of items must be whole",
        "{type: number, minimum: 1.5}",
    ),
    "a habit for defects": (
        "{type: checklist}",
        "{type: checklist, upstream: {mising: [A]}}",
        "mising",
        "did you mean `missing`",
        "{type: checklist, upstream: {missing: [A]}}",
    ),
    "a habit for words": (
        "{type: checklist}",
        "{type: checklist, description: x}",
        "description",
        "use `about`",
        "{type: checklist, about: x}",
    ),
    "a text that YAML reads otherwise": (
        "{value: ok}",
        "{value: ok}, {value: no}",
        "no",
        "put it in quotes",
        "{value: ok}, {value: 'no'}",
    ),
    "values that are no texts": (
        "{value: ok}",
        "12",
        "12",
        "a string or a mapping of keys to values, not `12`: put it in quotes",
        "ok",
    ),
    "a short value twice": ("{value: ok}", "ok, ok", "ok", "duplicate value `ok`", "ok, fine"),
    "a mark that YAML reads otherwise": ("{value: ok}", "ok, no", "no", "not `false`: put it in quotes", "ok, 'no'"),
    "a key that YAML reads otherwise": (
        "  tasks: {",
        "  no: {type: line}\n  tasks: {",
        "no",
        "a key must be a string, not `false`: put it in quotes",
        "  'nope': {type: line}\n  tasks: {",
    ),
    "a habit for what is always there": (
        'required: "is_open"',
        "required: always",
        "always",
        "did you mean `true`",
        "required: true",
    ),
    "a habit for what may be there": (
        'required: "is_open"',
        "required: optional",
        "optional",
        "did you mean `false`",
        "required: no",
    ),
    "an operator of Python": (
        "acceptance.count > 0 &&",
        "acceptance.count > 0 and",
        "and",
        "did you mean `&&`",
        "acceptance.count > 0 || acceptance.text == ' and ' &&",
    ),
    "an equals sign": (
        "\"status == 'done'\"",
        "\"status = 'done'\"",
        "=",
        "did you mean `==`",
        "\"acceptance.text != '='\"",
    ),
    "a text for a list": ("reads: [status]", "reads: status", "status", 'a list, not the text "status"', "reads: []"),
    "a list for a mapping": ("{type: checklist}", "[checklist]", "tasks", "a mapping of keys to values", "{}"),
    "nothing for a text": ("title: Story", "title:", "title", "must be a string, not nothing", "title: ''"),
    "a type": ("type: integer", "type: integr", "integr", "did you mean `integer`", "type: number"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_reported_at_its_token_and_its_near_miss_is_not(name: str) -> None:
    old, new, token, words, near = MISTAKES[name]
    found = changed(old, new)
    assert any(at == token and words in message for at, message in found), found
    assert changed(old, near) == []


TABLE = """\
contract: memo
title: Memo
about: A note with a table of risks.
status: state
detect: {enough: 3, signs: [{weight: 3, title: ^Memo}]}
fields:
  state: {carriers: [bold-label], type: enum, values: [go, halt]}
  risks:
    carriers: [section]
    type: table
    items:
      type: object
      fields:
        level: {title: Level, aliases: [Grade of it], type: enum, values: [low, high]}
        days: {type: integer}
        reviewer: {type: line}
checks:
  checked: {CHECK}
routing: [{action: ask, reason: It asks.}]
"""


@pytest.mark.parametrize(
    ("check", "token", "words"),
    [
        ("at: 'risks[].levle', none_of: high", "'risks[].levle'", "did you mean `risks[].level`"),
        ("at: 'risks[].leve', none_of: high", "'risks[].leve'", "did you mean `risks[].level`"),
        ("at: 'risks[].levels', none_of: high", "'risks[].levels'", "did you mean `risks[].level`"),
        ("at: 'risks[].level', none_of: hgih", "hgih", "`this` is never `hgih`; did you mean `high`"),
        (
            "at: 'risks[]', check: \"this.level != 'hgih'\", message: High",
            "'hgih'",
            "`this.level` is never `hgih`; did you mean `high`",
        ),
        (
            "at: state, check: \"!risks.exists(r, r.levle == 'high')\", message: High",
            "levle",
            "did you mean `r.level`",
        ),
        ("at: 'risks[]', check: 'true', message: 'It is {this.levle}'", "levle", "did you mean `this.level`"),
    ],
)
def test_a_misspelled_column_or_value_of_a_table(check: str, token: str, words: str) -> None:
    ((at, message),) = problems(TABLE.replace("CHECK", check))
    assert at == token
    assert words in message


@pytest.mark.parametrize(
    "check",
    [
        "at: 'risks[].level', when: {state: go}, none_of: high",
        "at: 'risks[].level', none_of: ''",
        "at: 'risks[].days', none_of: ''",
        "at: 'risks[].owner', none_of: ''",
        "at: 'risks[].reviewed', one_of: 'yes'",
        "at: 'risks[]', check: \"this.Level != 'High'\", message: The cell as written",
        "at: 'risks[]', check: \"this['Grade of it'] != 'High'\", message: The cell as written",
        "at: 'risks[]', check: \"this['Fecha límite'] != '' && this['状態'] != ''\", message: Other columns",
        "at: state, check: \"risks.all(r, r.level == 'low' || r.note != '')\", message: A risk without a note",
    ],
)
def test_a_table_may_have_more_columns(check: str) -> None:
    assert problems(TABLE.replace("CHECK", check)) == []


def test_each_missing_key_is_named() -> None:
    found = problems("fields: {}\n")
    names = ("contract", "title", "about")
    assert [message for _, message in found] == [f"`{name}` is missing" for name in names]


def test_a_text_alone_is_a_value() -> None:
    short = CONTRACT.replace("{value: ok}, {value: bad}", "ok, bad", 1)
    entry, found = read_contract(short)
    long, _ = read_contract(CONTRACT)
    assert found == []
    assert entry is not None
    assert long is not None
    assert entry.contract.fields["notes"].values == long.contract.fields["notes"].values
    assert entry.spec("plain").fields["notes"].values == long.spec("plain").fields["notes"].values


def test_a_value_of_one_profile_may_be_in_a_condition_of_all() -> None:
    more = "{about: The only one}\n  more: {fields: {status: {values: [{value: new}, {value: late}]}}}"
    late = CONTRACT.replace("{about: The only one}", more, 1)
    assert problems(late.replace("'open' ||", "'late' ||")) == []
    wrong = problems(late.replace("'open' ||", "'lte' ||"))
    assert [at for at, _ in wrong] == ["'lte'"]


def test_a_key_that_one_profile_reads_has_an_effect() -> None:
    some = "{about: The only one}\n  more: {fields: {tasks: {type: enum}}}"
    text = CONTRACT.replace("{type: checklist}", "{type: any, values: [a, b], pattern: '[ab]'}", 1)
    assert [at for at, _ in problems(text.replace("{about: The only one}", some, 1))] == ["pattern"]
    text = CONTRACT.replace("{type: checklist}", "{values: [a, b]}", 1)
    assert [at for at, _ in problems(text)] == ["values"]
    assert problems(text.replace("{about: The only one}", some, 1)) == []


def test_values_of_an_open_enum_are_unknown() -> None:
    assert changed("severity: {invalid-value: warning}", "open: true\n    severity: {}") == []
    opened = CONTRACT.replace("severity: {invalid-value: warning}", "open: true", 1)
    assert problems(opened.replace("['done']", "['anything']")) == []


def test_the_codes_that_contracts_may_name_are_those_of_the_rules() -> None:
    assert set(RULES) == set(all_rules())
    modules = [import_module(f"{rules.__name__}.{name}") for _, name, _ in pkgutil.iter_modules(rules.__path__)]
    declaring = {module.RULE.code for module in modules if hasattr(module, "declared") and hasattr(module, "RULE")}
    assert set(CHECK_RULES) == declaring


def test_a_dropped_letter_is_refused_at_its_token_and_the_right_name_offered() -> None:
    """A sample; ``python tests/contract_slips.py --all`` takes every name."""
    small = [name for name in builtin().names if name != "agent-result"]
    found = random.Random(15).sample([slip for name in small for slip in contract_slips.slips(name)], 60)
    answers = [contract_slips.answer(slip) for slip in found]
    assert [slip for slip, got in zip(found, answers, strict=True) if not got.at_token] == []
    assert sum(got.named for got in answers) >= 0.95 * len(answers)
