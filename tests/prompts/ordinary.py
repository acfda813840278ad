"""Ordinary prompts that promise nothing about a contract: made from a seed, in all shapes, with common words."""

from __future__ import annotations

import random
import re

_ROLES = ("planner", "reviewer", "tester", "writer", "triager", "designer", "auditor", "translator", "curator")
_FIELDS = re.findall(
    r"\w+", "status state phase priority severity outcome result progress mode risk verdict next summary"
)
_VALUES = re.findall(
    r"\S+",
    "open closed todo doing in-review merged draft published active archived low medium high urgent yes no on off "
    "passed failed running queued blocked done success error complete pending approved rejected",
)
_HEADINGS = ("Role", "Workflow", "Output", "Checklist", "Rules", "Tools", "Report", "Steps", "Handoff", "Boundaries")
_SENTENCES = (
    "Set the `{field}` of the ticket to `{value}`.",
    "If `{field}` is `{value}`, ask the user before you go on.",
    "The {field} is one of `{value}`, `{other}` or `{third}`.",
    "Never merge while the {field} is `{value}`.",
    "Return a short report with the {field} and what is left.",
    "Run `git status` and read its output; a `{value}` file is committed first.",
    "Use `{field}: {value}` in the front matter of the note.",
    "最後に `{field}` を `{value}` にする。",
    "Actualiza `{field}` a `{value}` cuando termines.",
)


def prompt(seed: int) -> tuple[str, str]:
    """The path and the text of one."""
    dice = random.Random(seed)
    role = dice.choice(_ROLES)
    path = dice.choice(
        [f".claude/agents/{role}.md", f"commands/{role}.md", f"skills/{role}/SKILL.md", f"docs/{role}.md", "AGENTS.md"]
    )
    parts = [f"---\nname: {role}\ndescription: {role} of the team\nmodel: inherit\n---\n\n# {role.title()}\n"]
    for title in dice.sample(_HEADINGS, dice.randint(2, 6)):
        parts.append(f"## {title}\n\n{dice.choice([_prose, _table, _list, _fence, _choice])(dice)}\n")
    return path, "\n".join(parts)


def _words(dice: random.Random) -> dict[str, str]:
    value, other, third = dice.sample(_VALUES, 3)
    return {"field": dice.choice(_FIELDS), "value": value, "other": other, "third": third}


def _prose(dice: random.Random) -> str:
    return " ".join(dice.choice(_SENTENCES).format(**_words(dice)) for _ in range(dice.randint(1, 5)))


def _table(dice: random.Random) -> str:
    rows = [f"| `{value}` | {dice.choice(_ROLES)} |" for value in dice.sample(_VALUES, 4)]
    return "\n".join([f"| {dice.choice(_FIELDS).title()} | Owner |", "|---|---|", *rows])


def _list(dice: random.Random) -> str:
    return "\n".join(f"- `{field}`: {dice.choice(_VALUES)}" for field in dice.sample(_FIELDS, dice.randint(2, 6)))


def _choice(dice: random.Random) -> str:
    return f"- `{dice.choice(_FIELDS)}`: " + " | ".join(f"`{value}`" for value in dice.sample(_VALUES, 4))


def _fence(dice: random.Random) -> str:
    fields = dice.sample(_FIELDS, dice.randint(2, 7))
    kind = dice.choice(["yaml", "json", "markdown", ""])
    if kind == "json":
        body = "{" + ", ".join(f'\n  "{field}": "{dice.choice(_VALUES)}"' for field in fields) + "\n}"
    elif kind == "markdown":
        body = "\n".join(f"## {field.title()}\n{dice.choice(_VALUES)}\n" for field in fields)
    else:
        body = "\n".join(f"{field}: {dice.choice(_VALUES)} | {dice.choice(_VALUES)}" for field in fields)
    return f"```{kind}\n{body}\n```"
