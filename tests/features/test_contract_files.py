"""Contract files in an editor: the place of the cursor, completion, hover, and texts that are half typed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from cpu import at_most
from server.contract_file_client import CONTRACT

from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import builtin, schemas_folder
from handoff_lsp.features.contract_files.completion import complete
from handoff_lsp.features.contract_files.file import ContractFile
from handoff_lsp.features.contract_files.hover import hover
from handoff_lsp.features.contract_files.language import about_key, hint_of, keys_of, owner_of
from handoff_lsp.features.contract_files.names import definition, references
from handoff_lsp.features.contract_files.place import place_at
from handoff_lsp.features.contract_files.problems import problems
from handoff_lsp.text import Source, Span

CURSOR = "‸"
FILES = sorted(path.name for path in (schemas_folder() / "contracts").glob("*.yaml"))


def file_of(text: str) -> ContractFile:
    """A contract file among the built-in contracts."""
    return ContractFile(Source(text), None, {entry.name: entry for entry in builtin()}, True)


def at(replaced: str, marked: str, text: str = CONTRACT) -> tuple[ContractFile, int]:
    """The contract with a part replaced by a text with a cursor."""
    assert replaced in text
    whole = text.replace(replaced, marked, 1)
    offset = whole.index(CURSOR)
    return file_of(whole.replace(CURSOR, "", 1)), offset


def labels(replaced: str, marked: str) -> list[str]:
    """What is offered at the cursor; each edit covers the cursor and is in its line."""
    file, offset = at(replaced, marked)
    items = complete(file, offset)
    for item in items:
        assert item.edit.span.holds(offset)
        assert "\n" not in item.edit.span.of(file.text)
    return [item.label for item in items]


@cache
def text_of(name: str) -> str:
    """The text of a built-in contract."""
    return Path(schemas_folder() / "contracts" / name).read_text(encoding="utf-8")


def scalars(node: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any, bool]]:
    """Each scalar of a composed document with its path, and whether it is a key."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield path, key, True
            yield from scalars(value, (*path, key.value))
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            yield from scalars(value, (*path, index))
    elif node.end_mark.index > node.start_mark.index:
        yield path, node, False


@pytest.mark.parametrize("name", FILES)
def test_the_place_is_that_of_the_yaml(name: str) -> None:
    text = text_of(name)
    source = Source(text)
    first: dict[int, tuple[tuple[str | int, ...], Any, bool]] = {}
    for each in scalars(yaml.compose(text, Loader=yaml.CSafeLoader)):
        first.setdefault(id(each[1]), each)  # where an alias leads to it, it has more paths
    found = list(first.values())
    for path, node, is_key in random.Random(name).sample(found, min(len(found), 120)):
        if text[node.start_mark.index] in "&!" or not node.value:
            continue
        quoted = node.style in {"'", '"'}
        offset = node.start_mark.index + (1 if quoted else 0) + (0 if node.style in {"|", ">"} else 1)
        if node.style in {"|", ">"}:
            offset = text.index("\n", node.start_mark.index) + len("\n          ")
        place = place_at(source, offset)
        assert place is not None and place.path == path, (name, text[node.start_mark.index - 20 : offset + 20])
        assert (place.kind == "key") == is_key or place.kind == "either"
        if not is_key and place.style in {"plain", "'", '"'}:
            written = text[place.span.start : offset]
            assert written == text[node.start_mark.index + quoted : offset]


@pytest.mark.parametrize(
    ("replaced", "marked", "some", "without"),
    [
        ("at: left", "at: ‸", {"state", "owner", "left"}, {"document"}),
        ("at: left", "at: le‸", {"left"}, set()),
        ("rule: contradiction", "rule: ‸", {"contradiction", "count-mismatch"}, {"unknown-field"}),
        ("left == 0", "‸ == 0", {"left", "size", "document"}, {"this"}),
        ("state != 'done'", "state != '‸'", {"open", "done"}, {"left"}),
        ("state != 'done'", "state in ['open', '‸']", {"open", "done"}, {"left"}),
        ("\"state != 'done' || left == 0\"", "'state != ''‸'''", {"open", "done"}, {"left"}),
        ('"{left} is left"', "'It''s {‸} left'", {"left", "state"}, {"contradiction"}),
        ("state != 'done'", "document.‸", {"name", "title", "head"}, {"state"}),
        ("left == 0", "‸ == 0", {"size", "has", "timestamp"}, {"matches", "exists", "split"}),
        ("left == 0", "owner.‸", {"matches", "split", "trim"}, {"exists", "join", "size", "left"}),
        ("left == 0", "owner.st‸", {"startsWith"}, {"exists"}),
        ("left == 0", "document.title.‸", {"matches"}, {"title"}),
        ("left == 0", "document.‸", {"title"}, {"matches"}),
        ("left == 0", "left.‸", set(), {"matches"}),
        ("left == 0", "offered.state.‸", {"exists"}, {"state"}),
        ("left == 0", "nothing.‸", set(), {"matches"}),
        ("{left} is", "{‸} is", {"left", "state"}, set()),
        ("at: left", "at: left\n    when: {‸}", {"left", "state", "document.title"}, {"size", "this", "document.left"}),
        ("at: left", "at: left\n    when: {st‸: open}", {"state"}, {"size"}),
        ("at: left", "at: left\n    when: {state: ‸}", {"open", "done"}, {"left", "true"}),
        ("at: left", "at: left\n    when: {state:o‸}", {"left", "state"}, {"open", "done"}),  # one key, without a blank
        ("at: left", "at: left\n    when: {state:‸\n      }", {"open", "done"}, {"left"}),  # at the end of its line
        ("at: left", "at: left\n    when: {state: [open, ‸]}", {"open", "done"}, {"left"}),
        ("at: left", "at: left\n    when: {state: {none_of: ‸}}", {"open", "done"}, {"left"}),
        ("at: left", "at: left\n    when: {left: {‸}}", {"none_of", "at_least", "count_of"}, {"state", "open"}),
        ("at: left", "at: left\n    when: {left: {at_least: ‸}}", {"left", "state"}, {"open"}),
        ("at: left", "at: left\n    sum_of: [‸]", {"left", "state"}, {"open"}),
        ("at: left", "at: state\n    one_of: ‸", {"open", "done"}, {"left"}),
        ("at: left", "at: left\n    ‸", {"one_of", "count_of", "when"}, {"left"}),
        ("{left} is", "{left} ‸is", set(), {"left"}),
        ("type: enum", "type: ‸", {"enum", "checklist"}, {"required"}),
        ("title: State", "‸", {"about", "aliases", "pattern"}, {"type", "required", "contract"}),
        ("reads: [owner]", "reads: [‸]", {"owner", "left"}, set()),
        ("reads: [owner]", "reads: ‸", {"owner", "left"}, set()),
        ("action: advance", "action: ‸", {"advance", "stop"}, set()),
        ("then: it is", "‸, then: it is", {"about", "instead_of"}, {"then", "value"}),
        ("required: true", "severity: {‸}", {"missing-field", "invalid-value"}, set()),
        ("required: true", "severity: {invalid-value: ‸}", {"error", "off"}, {"missing-field"}),
        ("required: true", "required: ‸", {"true", "false", "owner"}, set()),
        ("checks:", "ext‸\nchecks:", {"extends", "detect"}, {"fields", "contract"}),
        ("default_profile: v1", "default_profile: ‸", {"v1"}, set()),
        ("status: state", "extends: ‸\nstatus: state", {"status-block"}, {"ticket"}),
        ("{about: The only one}", "\n    fields:\n      ‸", {"state", "owner", "left"}, {"type"}),
        ("{about: The only one}", "\n    ‸", {"about", "evidence", "fields"}, {"contract"}),
        ("required: true", "offers: [‸]", {"open", "done"}, {"left"}),
        ("checks:", "defaults: {‸}\nchecks:", {"every", "integer"}, {"state"}),
        ("checks:", "defaults: {integer: {‸}}\nchecks:", {"minimum", "title"}, {"state", "every"}),
        ("left == 0", "state in offered.‸", {"state"}, {"left", "document"}),
        ("status: state", "profile_in: ‸\nstatus: state", {"state", "owner"}, {"document"}),
        ("  - {action: stop", "  - ‸\n  - {action: stop", {"when", "action"}, set()),
        ("about: What", "about: |\n  A text\n‸\nterms: {}\n# What", {"called", "extends"}, {"terms", "about"}),
        ("about: What", "about: |\n  A text\n  ‸\nterms: {}\n# What", set(), {"called"}),
        ("about: What", "about: ‸What", set(), {"state", "true"}),
        ("checks:", "transitions: {of: state, by: owner, allowed: {open: [‸]}}\nchecks:", {"open", "done"}, {"left"}),
        ("# yaml", "# ‸yaml", set(), {"contract"}),
        ("at: left", "at:\n      le‸", {"left"}, set()),
        ("at: left", "at: le\n      f‸", set(), set()),
        ("required: true", "severity: {missing\n      -fi‸}", set(), set()),
    ],
)
def test_completion(replaced: str, marked: str, some: set[str], without: set[str]) -> None:
    found = set(labels(replaced, marked))
    assert some <= found
    assert not without & found
    if not some:
        assert not found


def test_a_key_is_written_with_what_leads_to_its_value() -> None:
    file, offset = at("title: Ticket", CURSOR)
    written = {item.label: item.edit.text for item in complete(file, offset)}
    assert written["profile_in"] == "profile_in: "  # a name
    assert written["terms"] == "terms:"  # a mapping on lines of its own


@pytest.mark.parametrize(
    ("typed", "some", "without"),
    [
        ("fields:\n  ‸", {"abstract", "status"}, {"type"}),
        ("fields: {‸}", {"abstract", "status"}, {"type"}),
        ("fields:\n  a‸", {"abstract"}, set()),
        ("fields:\n  status: {about: x}\n  ‸", {"abstract"}, {"status"}),
        ("fields:\n  abstract:\n    fields:\n      ‸", {"verdict"}, {"status"}),
        ("fields:\n  status:\n    ‸", {"+values", "+carriers", "values", "about"}, {"+fields", "+about"}),
        ("fields:\n  status:\n    +v‸", {"+values"}, set()),
        ("fields:\n  status:\n    +values: [x]\n    ‸", {"+carriers"}, {"+values"}),
        ("checks:\n  ‸", {"open-questions-count"}, set()),
        ("profiles:\n  ‸", {"developer", "tester"}, set()),
        ("profiles:\n  developer:\n    ‸", {"+routing", "+reads", "routing", "fields"}, {"+fields"}),
        ("profiles:\n  developer:\n    fields: {‸}", {"abstract"}, set()),
        ("+ro‸", {"+routing"}, set()),
        ("‸", {"+routing", "+reads", "fields", "routing"}, {"+fields", "title", "+groups"}),
    ],
)
def test_an_extending_contract_has_the_names_of_its_base(typed: str, some: set[str], without: set[str]) -> None:
    text = f"contract: x\nextends: status-block\ntitle: X\n{typed}\n"
    offset = text.index(CURSOR)
    found = {item.label: item.edit.text for item in complete(file_of(text.replace(CURSOR, "")), offset)}
    assert some <= found.keys()
    assert not without & found.keys()
    assert found.get("+values", "+values: ") == "+values: "


@pytest.mark.parametrize(
    ("replaced", "marked", "written"),
    [
        ("at: left", "at:‸", " left"),
        ("at: left", "at: ‸", "left"),
        ("reads: [owner]", "reads:‸", " [owner]"),
        ("required: true", "required:‸", " owner"),
        ("status: state", "status:‸", " owner"),
        ("at: left", "at: left\n    when: {state:‸}", " open"),
        ("at: left", 'at: left\n    when: {state: "‸"}', "open"),
        ("left == 0", "left:‸", None),
    ],
)
def test_a_value_directly_after_its_colon_is_written_with_a_blank(
    replaced: str, marked: str, written: str | None
) -> None:
    file, offset = at(replaced, marked)
    found = {
        item.edit.text for item in complete(file, offset) if item.edit.text.strip(" []") in {"left", "owner", "open"}
    }
    assert written in found if written is not None else not {one for one in found if one.startswith(" ")}


def test_a_taken_name_below_a_quoted_key_is_reported_at_the_beginning() -> None:
    (problem,) = problems(file_of(CONTRACT.replace("contract: ticket", '"contract": status-block')))
    assert problem.span == Span(0, 0)
    assert problem.message.startswith("`status-block` is built in: ")


@pytest.mark.parametrize("broken", ["left: {type: [", "left: 'open", "left:\n\t- x", "left: {a: b}}"])
def test_a_broken_file_completes_too(broken: str) -> None:
    text = CONTRACT.replace("left: {type: integer", broken + "\n  left: {type: integer")
    file, offset = at("required: true", "re‸", text)
    assert "required" in [item.label for item in complete(file, offset)]
    file, offset = at("at: left", "at: ‸", CONTRACT.replace("routing:", "routing: [{"))
    assert [item.label for item in complete(file, offset)] == ["state", "owner", "left"]


def test_an_unreadable_file_has_its_last_valid_contract(tmp_path: Path) -> None:
    last, wrong = read_contract(CONTRACT, tmp_path / "ticket.yaml")
    assert last is not None, wrong
    file, offset = at("at: left", "at: ‸", CONTRACT.replace("title: Ticket", "title: a: b"))
    others = {**file.others, "ticket": last}
    for path, known in ((last.origin, True), (tmp_path / "other.yaml", False), (None, False)):
        items = complete(ContractFile(file.source, path, others, True), offset)
        assert ("owner" in [item.label for item in items]) is known, path
        assert bool(items) is known, path


def test_an_item_of_a_list_is_known_in_its_check() -> None:
    text = CONTRACT.replace(
        "checks:\n",
        "  steps: {type: list, items: {type: object, fields: {name: {type: line}, "
        "kind: {type: enum, values: [{value: hard}]}}}}\n"
        "checks:\n  each: {rule: contradiction, at: 'steps[].name', check: \"holder.kind != ''\"}\n",
    )
    for marked, expected in (
        ("holder.‸", ["name", "kind"]),
        ("holder.kind == '‸", ["hard"]),
        ("ste‸", ["this", "previous", "holder"]),
    ):
        file, offset = at("holder.kind != ''", marked, text)
        assert set(expected) <= {item.label for item in complete(file, offset)}


@pytest.mark.parametrize(("marked", "taken"), [("le‸ft_over == 0", "left_over"), ("state == 'op‸en now'", "open now")])
def test_in_a_condition_all_of_the_name_or_text_is_replaced(marked: str, taken: str) -> None:
    file, offset = at("left == 0", marked)
    found = complete(file, offset)
    assert found and {item.edit.span.of(file.text) for item in found} == {taken}


@pytest.mark.parametrize(
    ("replaced", "marked", "says"),
    [
        ("required: true", "requ‸ired: true", "Whether the field is required"),
        ("at: left", "at: le‸ft", "**`left`** — integer"),
        ("left == 0", "le‸ft == 0", "**`left`** — integer"),
        ("  state:", "  st‸ate:", "`open`, `done`"),
        ("rule: contradiction", "rule: contra‸diction", "contradict each other"),
        ("action: advance", "action: ad‸vance", "one of `advance`"),
        ("about: The only one", "about: The only one, evidence: [{wei‸ght: 2}]", "a whole number"),
        ("{left} is", "{le‸ft} is", "**`left`** — integer"),
        ("nothing_left:", "nothing‸_left:", "{left} is left"),
    ],
)
def test_hover(replaced: str, marked: str, says: str) -> None:
    file, offset = at(replaced, marked)
    found = hover(file, offset)
    assert found is not None and says in found.markdown and found.span.holds(offset)


def test_each_key_has_a_description() -> None:
    for path in ((), ("fields", "a"), ("checks", "a"), ("routing", 0), ("detect",), ("profiles", "a"), ("fence",)):
        owner = owner_of(hint_of(path))
        assert owner is not None
        assert [key for key in keys_of(owner) if not about_key(owner, key)] == []


@pytest.mark.parametrize("seed", range(6))
def test_no_text_and_no_place_crashes(seed: int) -> None:
    draw = random.Random(seed)
    text = draw.choice([CONTRACT, text_of("status-block.yaml")[:6000]])
    for _ in range(40):
        cut = draw.randrange(len(text))
        broken = text[:cut] + draw.choice(["", "[", "{", "'", '"', ": ", "- ", "\n", "\t", "|\n", "]", "}", ","])
        broken += text[cut + draw.randrange(30) :]
        file, offset = file_of(broken), draw.randrange(len(broken))
        for item in complete(file, offset):
            assert item.edit.span.holds(offset)
        hover(file, offset)


BOMB = "a: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
HOSTILE = {
    "a bomb of aliases": f"contract: x\nextends: status-block\n{BOMB}fields: {{a: *a11}}\nchecks: {{a: {{at: ",
    "itself": "contract: x\nfields: &f\n  a: {fields: *f}\nchecks:\n  c:\n    at: ",
    "depth": "contract: x\nfields: " + "{a: " * 3000,
    "a long line": "contract: x\nfields: {a: '" + "x" * 200_000,
    "no YAML": "contract: x\n\0\x01: [",
    "a list": "- contract: x\n- ",
    "odd types": "contract: [x]\nextends: {a: b}\nprofiles: 4\nfields: [a]\nchecks: {c: 5}\nreads: [",
    "odd profiles": "contract: x\nprofiles: {a: {fields: 4}}\nfields: {a: 1}\nchecks: {c: {at: ",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_is_answered_soon(text: str) -> None:
    with at_most(10):
        for whole in (text, text + "}}", text + "\n"):
            file = file_of(whole)
            for offset in (0, len(text) // 2, len(text)):
                complete(file, offset)
                hover(file, offset)
                definition(file, offset)
                references(file, offset)
