"""Names in contract files: declarations, uses and renames."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from features.test_contract_files import CURSOR, FILES, at, file_of, text_of
from server.contract_file_client import CONTRACT

from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import builtin, schemas_folder
from handoff_lsp.features.config_files.uses import config_uses
from handoff_lsp.features.contract_files.file import ContractFile
from handoff_lsp.features.contract_files.names import definition, references, rename
from handoff_lsp.features.contract_files.scalars import offsets_of
from handoff_lsp.features.contract_files.uses import uses
from handoff_lsp.features.names.new_name import Refusal
from handoff_lsp.text import Source, apply_edits

RICH = CONTRACT.replace(
    "checks:\n",
    """\
  steps:
    type: list
    title: Steps
    carriers: [section]
    items: {type: object, fields: {name: {type: line, title: Name}, size: {type: integer, title: Size}}}
terms:
  is_open: "state == 'open'"
  one_is_large: >-
    is_open &&
    steps.exists(step, step.size > 3 &&
      step.name != 'it is')
checks:
  each:
    {rule: contradiction, at: 'steps[].size', when: {is_open: true}, check: 'holder.name != '''' && this > 0',
     message: '{holder.name} and {size(steps)}'}
  small: {at: 'steps[].size', at_most: left, when: {holder.name: {none_of: ''}, state: [open]}}
  known: {at: state, none_of: [done], message: It is never done}
""",
).replace("{about: The only one}", "{about: The only one, fields: {left: {about: In this one}}}")


def where(file: ContractFile, offset: int) -> list[str]:
    """The lines with uses of a name, shortened."""
    lines = file.source.lines
    return [
        file.source.slice(lines.line_span(lines.line_of(use.use.span.start))).strip()[:22]
        for use in references(file, offset)
    ]


def test_the_test_contract_is_right() -> None:
    assert read_contract(RICH)[1] == []


@pytest.mark.parametrize(
    ("replaced", "marked", "expected"),
    [
        (
            "at: left",
            "at: le‸ft",
            [
                "v1: {about: The only o",
                "left: {type: integer, ",
                "small: {at: 'steps[].s",
                "check: \"state != 'done",
                "at: left",
                'message: "{left} is le',
            ],
        ),
        (
            "step.size",
            "step.si‸ze",
            [
                "items: {type: object, ",
                "steps.exists(step, ste",
                "{rule: contradiction, ",
                "small: {at: 'steps[].s",
            ],
        ),
        (
            "holder.name !=",
            "holder.na‸me !=",
            [
                "items: {type: object, ",
                "step.name != 'it is')",
                "{rule: contradiction, ",
                "message: '{holder.name",
                "small: {at: 'steps[].s",
            ],
        ),
        (
            "none_of: [done]",
            "none_of: [do‸ne]",
            ["values: [{value: open}", "known: {at: state, non", "check: \"state != 'done", "- {when: \"state == 'do"],
        ),
        ("when: {is_open", "when: {is_‸open", ["is_open: \"state == 'op", "is_open &&", "{rule: contradiction, "]),
        ("default_profile: v1", "default_profile: ‸v1", ["default_profile: v1", "v1: {about: The only o"]),
        (
            "state != 'done'",
            "state != 'do‸ne'",
            [
                "values: [{value: open}",
                "known: {at: state, non",
                "check: \"state != 'done",
                "- {when: \"state == 'do",
            ],
        ),
        (
            "reads: [owner]",
            "reads: [own‸er]",
            ["section: {title: '(?i)", "owner: {type: line, ti", "- {when: \"state == 'do"],
        ),
    ],
)
def test_uses_are_found_in_conditions_messages_routes_and_profiles(
    replaced: str, marked: str, expected: list[str]
) -> None:
    file, offset = at(replaced, marked, RICH)
    assert where(file, offset) == expected
    (target,) = definition(file, offset)
    name = target.span.of(RICH)
    assert name == target.origin.of(RICH)
    assert target.span in [one.use.span for one in references(file, offset) if one.use.declares]
    assert len(references(file, offset, declaration=False)) < len(expected)


def test_a_name_that_is_inherited_is_declared_in_the_other_file(tmp_path: Path) -> None:
    base = tmp_path / "base.yaml"
    base.write_text(CONTRACT)
    entry, problems = read_contract(CONTRACT, base)
    assert entry is not None and not problems
    check = "{rule: contradiction, check: left < 9, at: left, message: x}"
    text = f"contract: mine\nextends: ticket\nchecks:\n  more:\n    {check}\n"
    file = ContractFile(Source(text), tmp_path / "mine.yaml", {"ticket": entry}, True)
    (target,) = definition(file, text.index("at: left") + 5)
    assert (target.full, target.span.of(CONTRACT)) == (str(base), "left")
    assert CONTRACT[target.span.end] == ":"
    (target,) = definition(file, text.index("ticket"))
    assert (target.full, target.span.of(CONTRACT)) == (str(base), "ticket")
    # From there it is renamed in both files.
    found = rename(file, text.index("at: left") + 5, "rest")
    assert found is not None
    mine, its = (apply_edits(one.source.text, one.edits) for one in found)
    assert mine == text.replace("left <", "rest <").replace("at: left", "at: rest")
    assert its == renamed("at: left", "at: le‸ft", "rest", CONTRACT)


def test_a_built_in_contract_has_a_file_to_go_to() -> None:
    text = "contract: mine\nextends: status-block\n"
    file = file_of(text)
    (target,) = definition(file, text.index("status-block"))
    assert target.full == str(schemas_folder() / "contracts" / "status-block.yaml")


def renamed(replaced: str, marked: str, new: str, text: str = RICH) -> str:
    """The text after a rename at the cursor."""
    file, offset = at(replaced, marked, text)
    found = rename(file, offset, new)
    assert found is not None
    (one,) = found
    return apply_edits(file.text, one.edits)


def test_a_rename_changes_all_uses_and_back_again() -> None:
    once = renamed("at: left", "at: le‸ft", "remaining")
    assert "at: remaining" in once and "{remaining} is left" in once and "|| remaining == 0" in once
    assert "  remaining: {type: integer, title: Left" in once and "fields: {remaining: {about" in once
    assert "nothing_left" in once
    assert read_contract(once)[1] == []
    assert renamed("at: remaining", "at: rem‸aining", "left", once) == RICH
    term = renamed("when: {is_open", "when: {is_‸open", "opened")
    assert "is_open" not in term and term.count("opened") == 3


ITEMS = RICH.replace(
    "  steps:\n",
    """\
  plan:
    type: object
    title: Plan
    carriers: [section]
    fields:
      parts:
        type: list
        items:
          type: object
          fields:
            kind: {type: enum, title: Kind, values: [{value: large}, {value: small}]}
            cost: {type: object, fields: {hours: {type: integer}, kind: {type: line}}}
  steps:
""",
)


@pytest.mark.parametrize("place", ["plan.parts[]", "plan.parts[].cost", "plan.parts[].cost.hours"])
def test_the_holder_in_a_check_is_the_item_at_any_depth(place: str) -> None:
    when, check = "when: {holder.kind: large}", "check: holder.kind != 'small'"
    body = f"{{{when}, {check}, at: '{place}', rule: contradiction, message: x}}"
    text = ITEMS.replace("checks:\n", f"checks:\n  parts:\n    {body}\n")
    assert read_contract(text)[1] == []
    after = renamed("kind: {type: enum", "ki‸nd: {type: enum", "size", text)
    assert when.replace("kind", "size") in after and check.replace("kind", "size") in after
    assert "kind: {type: line}" in after
    for value in ("large", "small"):
        file, offset = at(f"value: {value}", f"value: {value}‸", text)
        assert where(file, offset) == ["kind: {type: enum, tit", body[:22]]


def test_the_holder_of_an_item_of_a_root_list_is_the_item() -> None:
    check = "{rule: contradiction, at: 'steps[]', check: holder.size > 0 && this.size < 9, message: '{holder.name}'}"
    text = RICH.replace("checks:\n", f"checks:\n  every:\n    {check}\n")
    assert read_contract(text)[1] == []
    assert check.replace("size", "days") in renamed("size: {type", "si‸ze: {type", "days", text)
    assert check.replace("name", "label") in renamed("name: {type", "na‸me: {type", "label", text)


def test_a_check_that_others_merge_in_has_the_names_of_its_own_items() -> None:
    check = "{rule: contradiction, at: 'steps[].size', check: holder.name != '' && this > 0, message: x}"
    text = RICH.replace(
        "checks:\n", f"checks:\n  every: &every\n    {check}\n  later:\n    <<: *every\n    check: this < 9\n"
    )
    assert read_contract(text)[1] == []
    assert check.replace("name", "label") in renamed("name: {type", "na‸me: {type", "label", text)


@pytest.mark.parametrize(
    ("replaced", "marked", "new", "why"),
    [
        ("at: left", "at: le‸ft", "owner", "the contract would be wrong"),
        ("at: left", "at: le‸ft", "is_open", "there already is a field `is_open`"),
        ("at: left", "at: le‸ft", "document", "`document` is a name of the contract language"),
        ('is_open: "', 'is_o‸pen: "', "left", "there already is a field `left`"),
        ('is_open: "', 'is_o‸pen: "', "this", "`this` is a name of the contract language"),
        ("at: left", "at: le‸ft", "is left", "a name has letters"),
        ("at: left", "at: le‸ft", "9", "a name has letters"),
        ("state != 'done'", "state != 'do‸ne'", "x", "a value is known outside"),
        ("title: Left, ", "", "x", "has no `title`"),
        ("rule: contradiction\n", "rule: contradicton\n", "x", "the contract has problems"),
    ],
)
def test_what_cannot_be_renamed_says_why(replaced: str, marked: str, new: str, why: str) -> None:
    text = RICH if CURSOR in marked else RICH.replace(replaced, marked)
    file, offset = at(replaced, marked, text) if CURSOR in marked else at("at: left", "at: le‸ft", text)
    with pytest.raises(Refusal, match=why):
        rename(file, offset, new)


def test_where_there_is_no_name_there_is_nothing_to_rename() -> None:
    for replaced, marked in (("title: Left", "ti‸tle: Left"), ("action: advance", "action: ad‸vance")):
        file, offset = at(replaced, marked, RICH)
        assert rename(file, offset, "x") is None
        assert definition(file, offset) == [] and references(file, offset) == []


@pytest.mark.parametrize("name", FILES)
def test_each_use_is_marked_at_its_word(name: str) -> None:
    text = text_of(name)
    file = file_of(text)
    found = uses(file)
    assert len(found) > 20
    for use in found:
        text_of_it = use.name.partition("=")[2]
        last = {"value": text_of_it, "title": text_of_it, "field": use.name.rpartition(".")[2]}.get(use.kind, use.name)
        assert use.span.of(text) == last or "\\" in use.span.of(text) or "''" in use.span.of(text)
    declared = {(use.kind, use.name) for use in found if use.declares}
    used = [use for use in found if not use.declares and use.kind in {"term", "profile", "definition"}]
    assert [use for use in used if (use.kind, use.name) not in declared] == []


@pytest.mark.parametrize("name", FILES)
def test_the_place_of_each_character_of_a_scalar_is_known(name: str) -> None:
    text = text_of(name)
    stack = [yaml.compose(text, Loader=yaml.CSafeLoader)]
    unknown = seen = 0
    while stack:
        node = stack.pop()
        if isinstance(node, yaml.ScalarNode):
            offsets = offsets_of(text, node)
            seen += 1
            unknown += offsets is None
            for char, offset in zip(node.value, offsets or (), strict=False):
                assert char.isspace() or text[offset] in {char, "\\"}
        else:
            stack += [part for item in node.value for part in (item if isinstance(item, tuple) else (item,))]
    assert unknown * 100 <= seen


def test_the_built_in_contracts_are_all_here() -> None:
    assert len(FILES) == len(builtin().names)


def test_a_config_uses_the_fields_of_what_an_agent_owes() -> None:
    text = '[agents.mover]\nreturns = "memo"\nmust = ["owner", "plan.end"]\n[agents.other]\nnever = ["owner"]\n'
    found = [(use.kind, use.name, use.of, use.span.of(text)) for use in config_uses(Source(text), Path("x.toml"))]
    assert found == [
        ("contract", "memo", "", "memo"),
        ("field", "owner", "memo", "owner"),
        ("field", "plan", "memo", "plan"),
        ("field", "plan.end", "memo", "end"),
    ]


def test_a_config_uses_a_contract_its_settings_and_its_profiles() -> None:
    text = """\
disable = ["ticket"]
[contracts.ticket]
profile = "v1"
strict = true
[contracts.other.more]
[rules]
"ticket/small" = "off"
[[files]]
pattern = "*.md"
contract = "ticket"
"""
    found = [(use.kind, use.name, use.of) for use in config_uses(Source(text), Path(".handoff-lsp.toml"))]
    assert found == [
        ("contract", "ticket", ""),
        ("contract", "ticket", ""),
        ("profile", "v1", "ticket"),
        ("setting", "strict", "ticket"),
        ("contract", "other", ""),
        ("setting", "more", "other"),
        ("contract", "ticket", ""),
        ("check", "small", "ticket"),
        ("contract", "ticket", ""),
    ]
