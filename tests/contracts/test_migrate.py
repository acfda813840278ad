"""Contracts of an earlier language: what they are answered, and how they are rewritten."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from contracts.problems import problems

from handoff_lsp.cli.main import main
from handoff_lsp.contracts.language1 import CannotMigrate, KeyChange, OldPart, Rebuilt, Renamed
from handoff_lsp.contracts.migrate import migrate
from handoff_lsp.features.contract_files.file import ContractFile
from handoff_lsp.features.contract_files.problems import problems as file_problems
from handoff_lsp.features.own_files import corrections
from handoff_lsp.text import Source, Span, apply_edits

# Rows of a language that never was, so that each way to rewrite has a case.


def _signs(part: OldPart) -> list[tuple[str, object]]:
    return [("signs", {"enough": part.data.get("enough", 2), "keys": part.mapping.moved("shape")})]


def _limits(part: OldPart) -> list[tuple[str, object]]:
    if part.data.get("minimum") == 13:
        raise CannotMigrate("13 has no equal")
    return [("range", [part.data.get("minimum"), part.data.get("maximum")])]


ROWS: tuple[KeyChange, ...] = (
    Renamed("Contract", "about", "description"),
    Renamed("Contract", "signs", "hints"),
    Renamed("Marker", "text", "body"),
    Renamed("Field", "instead_of", "wrong_names"),
    Rebuilt("Fence", ("shape", "enough"), _signs),
    Rebuilt("Field", ("minimum", "maximum"), _limits),
    Rebuilt("Field", ("gone",), lambda _part: []),
)


def changed(text: str) -> str:
    found = migrate(text, ROWS)
    assert not found.left
    again = migrate(found.text, ROWS)
    assert (again.text, again.changes) == (found.text, 0)
    return found.text


def test_renamed_at_every_place_and_nothing_else() -> None:
    before = """\
# The first line.
about:   'kept as it is'   # and this
fields:
  about: {instead_of: [a], "about": about}   # a field's name and its own key
  b:
    items:
      fields: {c: {+instead_of: [x]}}
signs:
- text: about

- {title: text, text: 'instead_of: a'}
profiles:
  p: {fields: {d: {instead_of: null}}}
"""
    after = """\
# The first line.
description:   'kept as it is'   # and this
fields:
  about: {wrong_names: [a], "about": about}   # a field's name and its own key
  b:
    items:
      fields: {c: {+wrong_names: [x]}}
hints:
- body: about

- {title: text, body: 'instead_of: a'}
profiles:
  p: {fields: {d: {wrong_names: null}}}
"""
    assert changed(before) == after


def test_a_value_is_moved_as_it_is_written() -> None:
    before = """\
fence:
  tag: story
  enough: 3   # of four
  # The keys.
  shape:   # in this order
    - a  # first
    # then
    - 'b c'

  root: x
"""
    after = """\
fence:
  tag: story
  # The keys.
  # of four
  signs:
    enough: 3
    keys:   # in this order
      - a  # first
      # then
      - 'b c'

  root: x
"""
    assert changed(before) == after


def test_in_braces_and_behind_a_dash() -> None:
    assert changed("fence: {tag: a, shape: [b, 'c d'], enough: 3, root: x}\n") == (
        "fence: {tag: a, signs: {enough: 3, keys: [b, 'c d']}, root: x}\n"
    )
    assert changed("fields: {a: {minimum: 1, maximum: 3}, b: {gone: 1}, c: {gone: 1, type: x}}\n") == (
        "fields: {a: {range: [1, 3]}, b: {}, c: {type: x}}\n"
    )
    assert changed(
        "fields:\n  a:\n    gone: 1\n    type: x\n  b:\n    gone: |\n      # text\n\n\n  c: {type: y}\n"
    ) == ("fields:\n  a:\n    type: x\n  b:\n    {}\n\n\n  c: {type: y}\n")


def test_anchors_aliases_and_other_line_ends() -> None:
    before = "fields:\r\n  a: &one\r\n    minimum: 1\r\n    instead_of: [x]\r\n  b: *one\r\n  c: {items: *one}\r\n"
    assert changed(before) == (
        "fields:\r\n  a: &one\r\n    range: [1, null]\r\n    wrong_names: [x]\r\n  b: *one\r\n  c: {items: *one}\r\n"
    )


def test_what_it_cannot_do_is_reported_and_left() -> None:
    text = "about: x\nfields:\n  a: {minimum: 13}\n  b: {minimum: null}\n  c: {instead_of: [x], wrong_names: [y]}\n"
    found = migrate(text, ROWS)
    assert found.text == text.replace("about", "description")
    told = [(found.text[slice(*one.span)], one.message) for one in found.left]
    assert told == [
        ("instead_of", "`instead_of` is a key of language 1: `wrong_names` is there, too"),
        ("minimum", "`minimum` is a key of language 1: 13 has no equal"),
        ("minimum", "`minimum` is a key of language 1: it removes a key of the contract that it extends"),
    ]


def test_a_key_inside_of_what_moves_is_rewritten_too() -> None:
    rows = (Rebuilt("Field", ("fields",), lambda part: [("inner", part.mapping.moved("fields"))]),)
    text = "fields:\n  a:\n    fields:\n      b:\n        fields: {c: {type: x}}\n"
    found = migrate(
        text,
        (
            Rebuilt(
                "Field",
                ("fields",),
                lambda part: [("fields", {"x": part.mapping.moved("fields")})],
                lambda _key, value: "x" not in value,
            ),
        ),
    )
    assert yaml.safe_load(found.text)["fields"]["a"]["fields"]["x"]["b"]
    assert migrate(text, rows).text == "fields:\n  a:\n    inner:\n      b:\n        fields: {c: {type: x}}\n"


HEAD = "contract: story\ntitle: Story\nabout: One.\nrun: {opening: a}\nfields: {a: {type: line}}\n"


def test_the_version_of_the_language() -> None:
    assert problems(HEAD) == []
    assert problems(f"{HEAD}language: 2\n") == []
    assert problems(f"{HEAD}language: 1\nshape: x\n") == [
        ("1", "language 1 is no longer read; run `handoff-lsp contract migrate`")
    ]
    assert problems(f"{HEAD}language: 3\nwhatever: x\n") == [
        ("3", "language 3 is newer than this version of handoff-lsp, which reads 2")
    ]
    assert problems(f"{HEAD}language: -1\n") == [("-1", "unknown language -1; the current one is 2")]
    assert problems(f"{HEAD}language: two\n") == [("two", '`language` must be an integer, not the text "two"')]
    assert problems(f"{HEAD}language: yes\n") == [("yes", "`language` must be an integer, not `true`")]


def test_the_version_is_rewritten() -> None:
    assert migrate(f"language: 1  # old\n{HEAD}").text == f"language: 2  # old\n{HEAD}"
    newer = migrate(f"language: 3\n{HEAD}")
    assert [one.message for one in newer.left] == [
        "language 3 is newer than this version of handoff-lsp, which reads 2"
    ]
    assert migrate(HEAD) == (HEAD, 0, [])


def test_an_editor_offers_it_at_the_problem() -> None:
    text = f"\ufefflanguage: 1\n{HEAD}"
    file = ContractFile(Source(text), None, {}, named=True)
    (problem,) = file_problems(file)
    assert (problem.span.of(text), problem.data["fixable"]) == ("1", True)
    (fix,) = corrections(file, problem.span)
    assert (fix.title, apply_edits(text, fix.edits)) == (
        "Rewrite in the language of today",
        f"\ufefflanguage: 2\n{HEAD}",
    )
    assert corrections(file, Span(20, 21)) == []
    assert corrections(replace(file, source=Source(f"language: 3\n{HEAD}")), Span(10, 11)) == []


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    old, new = f"language: 1\r\n{HEAD}", f"language: 2\r\n{HEAD}"
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts/a.yaml").write_bytes(old.encode())
    (tmp_path / "contracts/b.yaml").write_text(HEAD.replace("story", "other"))
    (tmp_path / ".handoff-lsp.toml").write_text('contract-files = ["contracts/*.yaml"]\n')

    def run(*options: str) -> tuple[int, str, str]:
        code = main(["contract", "migrate", *options])
        return code, *capsys.readouterr()

    assert run("--check") == (1, "contracts/a.yaml: 1 change\n1 contract of 2 would be rewritten.\n", "")
    code, out, _ = run("--diff")
    assert code == 1 and "-language: 1\n+language: 2\n contract: story\n" in out
    assert (tmp_path / "contracts/a.yaml").read_bytes() == old.encode()
    assert run() == (0, "contracts/a.yaml: 1 change\n1 contract of 2 rewritten.\n", "")
    assert (tmp_path / "contracts/a.yaml").read_bytes() == new.encode()
    assert run() == (0, "0 contracts of 2 rewritten.\n", "")
    (tmp_path / "contracts/c.yaml").write_bytes(b"\0")
    (tmp_path / "contracts/d.yaml").write_text("a: [\n")
    (tmp_path / "contracts/e.yaml").write_text(f"language: 7\n{HEAD}")
    code, out, err = run()
    assert code == 2 and "contracts/c.yaml: binary" in err and "contracts/d.yaml: not YAML" in err
    assert out == (
        "contracts/e.yaml:1: language 7 is newer than this version of handoff-lsp, which reads 2\n"
        "0 contracts of 5 rewritten, 1 place left to change by hand.\n"
    )
    assert run("status-block")[0] == 2
    assert run("contracts/e.yaml")[0] == 1


# Excerpts of contracts as they were in language 1, with what becomes of them.

EXCERPTS = {
    "signs of a document": (
        """\
detect:
  enough: 5
  markers:
    - {weight: 4, title: '(?i)^story'}   # its title
    # What it has.
    - {section: summary}
    - {value: state}
    - weight: 3
      labels: parts
    - {weight: -10, path: '(^|/)readme'}
prose:
  lead:
    about: the lead's page
    detect: {enough: 1, content: 1, markers: [{front_matter: name, matches: 'lead-.*'}]}
    mentions: [Story]
""",
        """\
detect:
  enough: 5
  signs:
    - {weight: 4, title: '(?i)^story'}   # its title
    # What it has.
    - {has: summary}
    - {value: {state: ''}}
    - weight: 3
      has: parts
      children: 3
    - {weight: -10, path: '(^|/)readme'}
prose:
  lead:
    about: the lead's page
    detect: {enough: 1, content: 1, signs: [{value: {front_matter.name: 'lead-.*'}}]}
    mentions: [Story]
""",
    ),
    "a section and a run": (
        """\
section:
  title: (?i)^story
  says: state
  # Not what others have.
  holds:
    [state, summary,
     parts.one]   # and a label
  telling: [parts.one]
  enough: 2
run:
  within: [comment]
  comment: story
  tags: ["", text, txt, yaml, yml]
  holds: [state, summary]
  enough: 1
signs: [{front_matter: kind}]
""",
        """\
section:
  title: (?i)^story
  # Not what others have.
  holds:
    - some:
        [state, summary,
         parts.one]   # and a label
      enough: 2
      telling: [parts.one]
    - {value: {state: ''}}
run:
  opening: <!-- story
  holds: [{some: [state, summary]}]
signs: [{has: front_matter.kind}]
""",
    ),
    "a file": (
        """\
file:
  syntax: json
  path: story\\.json$
  holds: &keys [state, summary]
  enough: 3
  needs: [parts]
  # Or these.
  known: [state, parts, summary]
  known_enough: 3
groups: {all: {title: All, fields: *keys}}
""",
        """\
file:
  syntax: json
  path: story\\.json$
  holds:
    - {needs: [parts], some: &keys [state, summary], enough: 2}
    - {some: [state, parts, summary], enough: 3}
  # Or these.
groups: {All: *keys}
""",
    ),
    "a fence and its profiles": (
        """\
fence:
  tag: story
  legacy_tags: ["json:story"]
  shaped_tags: [json, ""]
  shape_taken: [json]
  by_line: true  # letter by letter
  marker: "```"
  cut_at: "```"
  says: {state: 'ope.'}
  shape: [state, summary]
  needs: [parts]
  reader: '(?s)```story\\n(?P<body>.*?)```'
  because: nobody reads it
profiles:
  early:
    fence:
      shape_taken: [""]
      indented: false
      cut_at: ""
  late:
    fence: {because: late, reader: '(?s)(?P<body>.*)', shape: [state, parts.one], enough: 1}
""",
        """\
fence:
  # letter by letter
  tags: {story: own, 'json:story': old, json: shared, '': wrong}
  reader: [by-line, backticks, cut]
  holds:
    - {value: {state: ope.}}
    - {needs: [parts], some: [state, summary], enough: 2}
  pattern: '(?s)```story\\n(?P<body>.*?)```'
  because: nobody reads it
profiles:
  early:
    fence:
      tags: {json: wrong, '': shared}
      reader: [by-line, backticks, unindented]
  late:
    fence: {because: late, pattern: '(?s)(?P<body>.*)', holds: [{value: {state: ope.}}, {some: [state, parts.one]}]}
""",
    ),
    "the rest": (
        """\
settings:
  strict: {type: boolean, about: Whether.}
  people: {type: strings, about: Who., default: [ann]}
companions:
  log: {contract: story, path: log.md}
  next: {contract: story, path: '', where: before}
  last:
    contract: story
    path: ""   # right behind
run: {first_line: '---STORY---', last_line: '---END---', holds: [state]}
fence: {tag: story, upstream: [BAD], unclosed: [OPEN]}
groups:
  head:
    title: The head
    fields: [state, summary]   # both
profiles:
  short:
    groups: {head: null}
    fields:
      more: {type: list, min_items: 1, max_items: 3}
      state: {restated: true}
  long:
    fields:
      short: {type: line, max_length: 80, min_length: 2}
      word: {type: enum, values: [a], tolerate: [case], restated: true}
      body: {type: object, unwanted: [{about: a, key: b}, {about: c, because: d}], unwanted_because: it leaks}
""",
        """\
settings:
  strict: {default: false, about: Whether.}
  people: {about: Who., default: [ann]}
companions:
  log: {contract: story, where: log.md}
  next: {contract: story, where: before}
  last:
    contract: story
    # right behind
    where: behind
run: {opening: '---STORY---', closing: '---END---', holds: [state]}
fence: {tags: {story: own}, upstream: {unreadable: [BAD], unclosed: [OPEN]}}
# both
groups: {The head: [state, summary]}
profiles:
  short:
    groups: {The head: null}
    fields:
      more: {type: list, minimum: 1, maximum: 3}
      state: {+tolerate: [restated]}
  long:
    fields:
      short: {type: line, maximum: 80, minimum: 2}
      word: {type: enum, values: [a], tolerate: [case, restated]}
      body: {type: object, unwanted: [{about: a, key: b, because: it leaks}, {about: c, because: d}]}
""",
    ),
}
FIELDS = """\
contract: story
title: Story
about: One.
fields:
  state: {type: enum, values: [open, done]}
  summary: {type: text}
  parts: {type: object, fields: {one: {type: line}, two: {type: line}, three: {type: line}}}
"""


@pytest.mark.parametrize("name", EXCERPTS)
def test_excerpts_of_language_1(name: str) -> None:
    old, new = EXCERPTS[name]
    told = [message for _, message in problems(FIELDS + old)]
    assert told and all(
        message.endswith("is a key of language 1; run `handoff-lsp contract migrate`") for message in told
    )
    found = migrate(FIELDS + old)
    assert (found.text, found.left) == (FIELDS + new, [])
    assert problems(found.text) == []
    assert migrate(found.text) == (found.text, 0, [])


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("fence: {tag: a, marker: '~~~'}\n", "`tag` is a key of language 1: `marker` was ~~~, and there is a word for"),
        ("run: {opening: state, tags: [md]}\n", "`tags` is a key of language 1: a run is in a fence without a tag or"),
        ("extends: status-block\nfence: {last: true}\n", "`last` is a key of language 1: it changes the fence of"),
        ("extends: x\nsection: {enough: 3}\n", "`enough` is a key of language 1: it changes a part of another one"),
        ("extends: x\nsection: {+telling: [a]}\n", "`+telling` is a key of language 1: it adds to a list of"),
        (
            "groups: {a: {title: A, fields: [state]}, b: {fields: [x]}}\n",
            "`groups` is a key of language 1: the title of `b`",
        ),
        ("run: {first_line: STORY}\n", "`first_line` is a key of language 1: `opening: STORY` is the field of that"),
        ("fence: {tag: a, says: 3}\n", "`tag` is a key of language 1: its value is not valid in language 1"),
        ("detect: {markers: [{section: a, labels: b}]}\n", "`section` is a key of language 1: it is a sign of several"),
    ],
)
def test_what_needs_a_person(text: str, reason: str) -> None:
    found = migrate(FIELDS + text)
    assert found.text in (FIELDS + text, FIELDS + text.replace("markers", "signs"))
    assert [one.message[: len(reason)] for one in found.left] == [reason]
    assert found.left[0].span.of(found.text) == reason.split("`")[1]


@pytest.mark.parametrize(
    "text", ["a: &a [*a]\n", "&a {fence: {tag: x, needs: &b [*b]}, x: *a}\n", "- a\n", "", "a: [", "\0"]
)
def test_no_text_breaks_it(text: str) -> None:
    try:
        found = migrate(text)
    except ValueError:
        return
    assert found.text == text
