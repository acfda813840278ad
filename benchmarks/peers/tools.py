"""The compared tools, and for each a workspace with one bad and one good file."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

_TURN = """\
Done.

```agent_contract_handoff
{
  "agent_status": {
    "plan_status": "COMPLET",
    "agent_id": "ab7e4d2",
    "pending_steps": [],
    "next_action": "done",
  },
  "evidence_report": {
    "patterns_checked": ["timeout: 30"],
    "files_checked": [],
    "commands_run": [],
    "key_outputs": ["two stale values"],
    "verbatim_outputs": [],
    "cross_layer_impacts": [],
    "open_gaps": [],
    "verification": {"method": "test", "result": "pass"}
  },
  "consolidation_report": null,
  "approval_request": null
}
```
"""
_GOOD_TURN = _TURN.replace('"COMPLET"', '"COMPLETE"').replace('"done",', '"done"')
_SKILL = "---\nname: {name}\ndescription: Use when the demo is needed\n---\nUse it.\n"


@dataclass(frozen=True)
class Tool:
    """A tool with its workspace. The words `@check`, `@bad` … of a command are replaced by `words`."""

    name: str
    files: dict[str, str]
    words: dict[str, str]
    # Two rules with a finding in `@bad`: the first with a safe fix if the tool has any, the second if it has two rules.
    rules: tuple[str, str] = ("", "")

    def command(self, script: str) -> str:
        """The script for this tool."""
        for word, text in sorted(self.words.items(), key=lambda item: -len(item[0])):
            script = script.replace(f"@{word}", text)
        return script.replace("@first", self.rules[0]).replace("@second", self.rules[1])


_MARKDOWN = {"bad.md": "# Title!\n\ntext\n\n\nmore\n", "good.md": "# Title\n\ntext\n"}

TOOLS = (
    Tool(
        name="handoff-lsp",
        files={"bad.md": _TURN, "good.md": _GOOD_TURN},
        words={
            "check": "handoff-lsp check",
            "program": "handoff-lsp",
            "bad": "bad.md",
            "good": "good.md",
            "format": "--output-format",
            "config": "--config nowhere.toml",
        },
        rules=("invalid-json", "invalid-value"),
    ),
    Tool(
        name="ruff",
        files={"bad.py": "import os\n\n\ndef f():\n    x = 1\n", "good.py": "x = 1\n"},
        words={
            "check": "ruff check",
            "program": "ruff",
            "bad": "bad.py",
            "good": "good.py",
            "format": "--output-format",
            "config": "--config nowhere.toml",
        },
        rules=("F401", "F841"),
    ),
    Tool(
        name="rumdl",
        files=_MARKDOWN,
        words={
            "check": "rumdl check",
            "program": "rumdl",
            "bad": "bad.md",
            "good": "good.md",
            "format": "--output-format",
            "config": "--config nowhere.toml",
        },
        rules=("MD012", "MD026"),
    ),
    Tool(
        name="agnix",
        files={
            "bad/CLAUDE.md": "# Project\n\nBe helpful.\n",
            "bad/.claude/skills/demo-skill/SKILL.md": _SKILL.format(name="Demo-Skill"),
            "good/CLAUDE.md": "# Project\n\n- Build with `make`.\n",
        },
        words={
            "check": "agnix --strict",
            "program": "agnix",
            "bad": "bad",
            "good": "good",
            "format": "--format",
            "config": "--config nowhere.toml",
        },
        rules=("AS-004", "PE-005"),
    ),
    Tool(
        name="markdownlint-cli2",
        files=_MARKDOWN,
        words={
            "check": "markdownlint-cli2",
            "program": "markdownlint-cli2",
            "bad": "bad.md",
            "good": "good.md",
            "format": "--output-format",
            "config": "--config nowhere.jsonc",
        },
        rules=("MD012", "MD026"),
    ),
    Tool(
        name="check-jsonschema",
        files={
            "schema.json": '{"type": "object", "required": ["status"]}\n',
            "bad.json": "{}\n",
            "good.json": '{"status": 1}\n',
        },
        words={
            "check": "check-jsonschema --schemafile schema.json",
            "program": "check-jsonschema",
            "bad": "bad.json",
            "good": "good.json",
            "format": "--output-format",
            "config": "--schemafile nowhere.json",
        },
        rules=("required", "type"),
    ),
)


def folder_of(tool: Tool, folders: list[Path]) -> Path | None:
    """The first of the folders that has the tool's program, or None."""
    for folder in folders:
        if shutil.which(tool.words["program"], path=str(folder)):
            return folder
    return None


def version_of(tool: Tool, folder: Path) -> str:
    """The version that the tool prints, without its name."""
    ran = subprocess.run(
        [str(folder / tool.words["program"]), "--version"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    words = (ran.stdout or ran.stderr).split("\n", 1)[0].split()
    return next(word.lstrip("v") for word in words if word.lstrip("v")[:1].isdigit())
