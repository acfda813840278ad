"""Where agents are defined, by program, and what the workspace says that they owe."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from handoff_lsp.workspace.agents import definitions
from handoff_lsp.workspace.agents.definitions import AgentDefinition, definitions_in
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.memo import Memo

PROMPT = "## Output\n\nEmit an `AGENT_RESULT` block.\n"
TOML = f"name = \"builder\"\ndescription = \"Builds.\"\ndeveloper_instructions = '''\n{PROMPT}'''\n"


def write(root: Path, path: str, text: str) -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8", newline="")
    return file


def found(root: Path) -> dict[str, AgentDefinition]:
    return dict(definitions_in(str(root), Memo()))


def front_matter(name: str) -> str:
    return f"---\nname: {name}\ndescription: Builds.\n---\n\n{PROMPT}"


PLACES = [
    (".claude/agents/b.md", front_matter("builder")),
    (".claude/agents/team/b.md", front_matter('"builder"')),
    ("agents/builder.md", PROMPT),
    ("agents/builder-agent.md", PROMPT),
    ("plugins/pack/agents/b.md", front_matter("builder # the name")),
    (".codex/agents/b.toml", TOML),
    (".gemini/agents/b.md", front_matter("builder")),
    (".opencode/agent/builder.md", PROMPT),
    (".opencode/agents/builder.md", PROMPT),
    ("opencode.json", json.dumps({"agent": {"builder": {"prompt": PROMPT}}})),
    (".github/agents/builder.agent.md", f"---\ndescription: Builds.\n---\n\n{PROMPT}"),
    (".github/agents/b.agent.md", front_matter("'Builder'")),
    (".cursor/agents/b.md", front_matter("builder").replace("\n", "\r\n")),
    (".qwen/agents/b.md", "\ufeff" + front_matter("builder")),
    (".factory/droids/b.md", front_matter("builder")),
    (".kiro/agents/b.json", json.dumps({"name": "builder", "prompt": PROMPT})),
    (".kiro/agents/builder.md", PROMPT),
]


@pytest.mark.parametrize(("path", "text"), PLACES)
def test_each_program_has_its_places(tmp_path: Path, path: str, text: str) -> None:
    write(tmp_path, path, text)
    definition = found(tmp_path)["builder"]
    assert definition.path == path
    assert "AGENT_RESULT" in definition.prompt
    (tmp_path / ".git").mkdir()
    (owed,) = Resolver().agents.owed_by("builder", tmp_path / "x.md")
    assert (owed.contract, owed.where) == ("agent-result", "message")
    line = text.replace("\\n", "").count("\n", 0, text.find("Emit")) + 1
    assert owed.known_from.endswith(f"its definition (`{path}`, line {max(line, 1)})") or path.endswith(".json")


@pytest.mark.parametrize(
    ("path", "prompt"), [(".kiro/agents/b.json", "file://./prompts/b.md"), ("opencode.json", "{file:./prompts/b.md}")]
)
def test_a_prompt_may_be_in_a_file_of_its_own(tmp_path: Path, path: str, prompt: str) -> None:
    told = {"name": "builder", "prompt": prompt}
    write(tmp_path, path, json.dumps(told if path.startswith(".kiro") else {"agent": {"builder": told}}))
    file = write(tmp_path, os.path.join(os.path.dirname(path), "prompts/b.md"), PROMPT)
    definition = found(tmp_path)["builder"]
    assert (tmp_path / definition.prompt_path).samefile(file)
    assert definition.prompt == PROMPT


def test_the_config_of_codex_names_the_files_of_its_agents(tmp_path: Path) -> None:
    write(tmp_path, ".codex/config.toml", '[agents]\nmax_threads = 4\n[agents.builder]\nconfig_file = "roles/b.toml"\n')
    write(tmp_path, ".codex/roles/b.toml", f"developer_instructions = '''\n{PROMPT}'''\n")
    assert found(tmp_path)["builder"].path == ".codex/roles/b.toml"


def test_the_name_that_an_agent_gives_itself_counts_before_the_name_of_a_file(tmp_path: Path) -> None:
    write(tmp_path, ".claude/agents/builder.md", front_matter("tester"))
    write(tmp_path, ".claude/agents/x.md", front_matter("builder"))
    assert {name: one.path for name, one in found(tmp_path).items()} == {
        "tester": ".claude/agents/builder.md",
        "builder": ".claude/agents/x.md",
        "x": ".claude/agents/x.md",
    }


def test_the_first_folder_with_an_agent_counts(tmp_path: Path) -> None:
    write(tmp_path, ".gemini/agents/builder.md", PROMPT)
    write(tmp_path, ".claude/agents/builder.md", PROMPT)
    assert found(tmp_path)["builder"].path == ".claude/agents/builder.md"


@pytest.mark.parametrize(
    ("path", "content"),
    [
        (".claude/agents/builder.md", "x" * (definitions.MAX_BYTES + 1)),
        (".claude/agents/builder.md", b"\xff\xfeb\0u\0i\0"),
        (".claude/agents/builder.md", b"\x00\x01"),
        (".claude/agents/README.md", PROMPT),
        (".codex/agents/builder.toml", "developer_instructions = "),
        (".codex/agents/builder.toml", "developer_instructions = 3"),
        (".codex/config.toml", "agents = 3"),
        (".codex/config.toml", "[agents.builder]\nconfig_file = 3"),
        ("opencode.json", '{"agent": ['),
        ("opencode.json", '{"agent": {"builder": 3}}'),
        ("opencode.json", "[" * 100_000),
        (".kiro/agents/builder.json", '{"prompt": "file://./none.md"}'),
        (".kiro/agents/builder.json", '{"prompt": "file://a\\u0000b"}'),
    ],
)
def test_a_file_that_holds_no_definition_defines_nothing(tmp_path: Path, path: str, content: str | bytes) -> None:
    file = write(tmp_path, path, "")
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert "builder" not in found(tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege there")
def test_no_link_and_no_path_leads_out_of_the_root(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    write(outside, "builder.md", PROMPT)
    (root / ".claude" / "agents").mkdir(parents=True)
    (root / ".claude" / "agents" / "builder.md").symlink_to(outside / "builder.md")
    (root / "agents").symlink_to(outside)
    (root / ".gemini").mkdir()
    (root / ".gemini" / "agents").symlink_to(outside)
    write(root, ".kiro/agents/kiro.json", json.dumps({"prompt": "file://../../../outside/builder.md"}))
    write(root, "opencode.json", json.dumps({"agent": {"o": {"prompt": f"{{file:{outside / 'builder.md'}}}"}}}))
    assert found(root) == {}


def test_only_so_many_files_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(definitions, "MAX_FILES", 3)
    for number in range(9):
        write(tmp_path, f".claude/agents/a{number}.md", PROMPT)
    assert len(found(tmp_path)) == 3


def test_a_changed_definition_changes_the_answer(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    file = write(tmp_path, ".claude/agents/builder.md", "Builds.\n")
    now = [0.0]
    agents = Resolver(clock=lambda: now[0]).agents
    assert agents.owed_by("builder", tmp_path / "x.md") == ()
    file.write_text(PROMPT, encoding="utf-8")
    now[0] += 1.0
    assert [one.contract for one in agents.owed_by("builder", tmp_path / "x.md")] == ["agent-result"]
    file.unlink()
    now[0] += 1.0
    assert agents.owed_by("builder", tmp_path / "x.md") == ()


def test_a_changed_prompt_in_a_file_of_its_own_changes_the_answer(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    write(tmp_path, ".kiro/agents/builder.json", json.dumps({"prompt": "file://./p.md"}))
    file = write(tmp_path, ".kiro/agents/p.md", "Builds.\n")
    now = [0.0]
    agents = Resolver(clock=lambda: now[0]).agents
    assert agents.owed_by("builder", tmp_path / "x.md") == ()
    file.write_text(PROMPT, encoding="utf-8")
    now[0] += 1.0
    assert [one.contract for one in agents.owed_by("builder", tmp_path / "x.md")] == ["agent-result"]


def known(root: Path, config: str, agent: str = "builder") -> tuple[list[str], tuple[str, ...]]:
    (root / ".git").mkdir(exist_ok=True)
    write(root, ".handoff-lsp.toml", config)
    told = Resolver().agents.known(agent, root / "x.md")
    return [one.contract for one in told.owed], told.disagreements


def test_the_config_counts_before_the_definition_and_the_disagreement_is_reported(tmp_path: Path) -> None:
    write(tmp_path, ".claude/agents/builder.md", PROMPT)
    place = "its definition (`.claude/agents/builder.md`, line 3) asks for `agent-result`"
    assert known(tmp_path, "") == (["agent-result"], ())
    nothing = known(tmp_path, "[agents.builder]\nreturns = false\n")
    assert nothing == ([], (f"the config says that it owes nothing, which counts; {place}",))
    other = known(tmp_path, '[agents.builder]\nreturns = "status-block"\n')
    assert other == (["status-block"], (f"the config says that it owes `status-block`, which counts; {place}",))
    same = known(tmp_path, '[agents.builder]\nreturns = "agent-result"\n')
    assert same == (["agent-result"], ())
    file = known(tmp_path, '[agents.builder]\nwhere = "file"\nfiles = ["out/*.md"]\n')
    assert file == (["agent-result"], (f"the place `file` of the config counts; {place} in `message`",))


def test_a_contract_that_names_the_agent_decides_what_it_owes(tmp_path: Path) -> None:
    write(tmp_path, ".claude/agents/sdd-apply.md", PROMPT)
    owed, told = known(tmp_path, "", "sdd-apply")
    assert owed == ["result-envelope"]
    assert told == ()


def test_a_file_that_a_definition_says_to_write_is_owed(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    write(
        tmp_path,
        ".claude/agents/builder.md",
        "## Output\n\nSave the `AGENT_RESULT` block to `handoffs/<run>/builder.md`.\n",
    )
    agents = Resolver().agents
    returned = agents.returned_in(tmp_path / "handoffs/7/builder.md")
    assert returned is not None
    assert (returned.agent, [one.contract for one in returned.owed]) == ("builder", ["agent-result"])
    assert agents.returned_in(tmp_path / "handoffs/7/other.md") is None


def test_a_definition_may_add_a_place_to_what_a_contract_says(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    write(
        tmp_path, ".claude/agents/sdd-apply.md", "## Output\n\nSave the Result Contract to `out/{change}/apply.md`.\n"
    )
    told = Resolver().agents.known("sdd-apply", tmp_path / "x.md")
    (owed,) = told.owed
    assert (owed.contract, owed.where, owed.files) == ("result-envelope", "either", ("out/*/apply.md",))
    (disagreement,) = told.disagreements
    assert disagreement.startswith("its definition (`.claude/agents/sdd-apply.md`, line 3) writes the handoff to ")


def test_an_agent_that_a_contract_excepts_owes_nothing_whatever_its_prompt_shows(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    text = "---\nname: verifier\ncontract_handoff_writer: true\n---\n\nEmit an `agent_contract_handoff` block.\n"
    write(tmp_path, ".claude/agents/verifier.md", text)
    assert Resolver().agents.owed_by("verifier", tmp_path / "x.md") == ()
    write(tmp_path, ".claude/agents/verifier.md", text.replace("true", "false"))
    assert len(Resolver().agents.owed_by("verifier", tmp_path / "x.md")) == 1
