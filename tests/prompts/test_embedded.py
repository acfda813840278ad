"""Prompts inside TOML, JSON and YAML: the texts that the parsers of these formats read, each character in its place."""

from __future__ import annotations

import json
import tomllib

import yaml
from hypothesis import given
from hypothesis import strategies as st

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.prompts.documents import is_prompt, names_defined
from handoff_lsp.prompts.embedded import embedded
from handoff_lsp.prompts.reading import read_document
from handoff_lsp.text import Source

PIECES = ("a", "`x`", "\n", "\t", '"', "'", "\\", "é", "🙂", "\u2028", "  ", "{", "# h\n")
TOKENS = (
    "developer_instructions = ",
    '"""',
    "'''",
    '"',
    "\\",
    "\n",
    "prompt: |",
    "  ",
    '{"prompt": "',
    "}",
    '"agent": {',
)
TEXTS = st.lists(st.sampled_from(PIECES)).map("".join)
JUNK = st.lists(st.sampled_from(TOKENS)).map("".join)


@given(TEXTS, st.booleans())
def test_a_string_of_json_keeps_the_place_of_each_character(text: str, ascii_only: bool) -> None:
    written = json.dumps({"name": "k", "prompt": text}, ensure_ascii=ascii_only)
    (found,) = embedded(".kiro/agents/k.json", written)
    assert (found.agent, found.text) == ("k", text)
    assert all(written[place] in (char, "\\") for char, place in zip(text, found.places, strict=False))
    assert found.places[-1] == written.rindex('"')


@given(TEXTS.filter(lambda text: "'''" not in text and not text.endswith("'")))
def test_a_literal_block_of_toml_is_as_it_is_written(text: str) -> None:
    written = f"x = 1\ndeveloper_instructions = '''\n{text}'''\n"
    (found,) = embedded(".codex/agents/a.toml", written)
    assert found.text == tomllib.loads(written)["developer_instructions"] == text
    assert "".join(written[place] for place in found.places[:-1]) == text


@given(TEXTS)
def test_a_block_of_toml_with_escapes_is_read_like_tomllib(text: str) -> None:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    written = f'developer_instructions = """\n{escaped}"""\n'
    (found,) = embedded(".codex/agents/a.toml", written)
    assert found.text == tomllib.loads(written)["developer_instructions"]


def test_a_line_of_toml_that_goes_on_in_the_next_one() -> None:
    written = 'developer_instructions = """\nOne \\\n   line.\\u0041"""\n'
    (found,) = embedded(".codex/agents/a.toml", written)
    assert found.text == tomllib.loads(written)["developer_instructions"] == "One line.A"


@given(st.lists(st.text("a`x #-:é🙂", max_size=8), min_size=1, max_size=8))
def test_a_block_of_yaml_is_read_without_its_indentation(rest: list[str]) -> None:
    lines = ["x", *rest]
    block = "".join(f"      {line}\n" for line in lines)
    written = f"agents:\n  - name: tester\n    prompt: |\n{block}    model: x\n"
    (found,) = embedded("agents/team.yaml", written)
    assert found.text.rstrip() == yaml.safe_load(written)["agents"][0]["prompt"].rstrip()
    assert found.agent == "tester"


@given(JUNK)
def test_what_cannot_be_read_is_left_alone(text: str) -> None:
    for path in (".codex/agents/a.toml", "opencode.json", ".kiro/agents/a.json", "agents/a.yaml"):
        for found in embedded(path, text):
            assert len(found.places) == len(found.text) + 1
            assert all(0 <= place <= len(text) for place in found.places)


def test_the_agents_of_one_file_have_their_own_names() -> None:
    text = '{"agent": {"Tester": {"prompt": "a"}, "reviewer": {"prompt": "b"}, "c": {"prompt": 3}, "d": 4}}'
    assert names_defined("opencode.json", text) == {"tester", "reviewer"}
    assert embedded("opencode.json", '{"agent": [1], "prompt": "x"}') == []
    assert not is_prompt("src/opencode.json/x.json") and is_prompt("opencode.json")


def test_each_agent_of_one_file_speaks_for_itself() -> None:
    """One coordinates the other, so that it handles what the other writes."""
    prompts = {
        "tester": "End with an `AGENT_RESULT` block with `STATUS: success`.",
        "orchestrator": "You are the orchestrator. In an `AGENT_RESULT` block, `STATUS: error` stops.",
    }
    text = json.dumps({"agent": {name: {"prompt": prompt} for name, prompt in prompts.items()}})
    said = read_document(Source(text), "opencode.json", builtin())
    assert said is not None
    values = {one.value: one for one in said.statements if one.value}
    assert {value: one.act for value, one in values.items()} == {"success": "emits", "error": "handles"}
    assert all(text[one.span.start : one.span.end] == value for value, one in values.items())
