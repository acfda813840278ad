"""Final messages of agents that owe nothing: prose, lists, tables and code as models write them, from a seed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random

_DONE = [
    "I've finished the {thing} and all tests pass.",
    "The {thing} now works as described in the task.",
    "Done! The {thing} has been updated.",
    "I looked into the {thing} and found the cause of the problem.",
    "Everything is in place: the {thing} is ready for review.",
    "I could not finish the {thing}: the database was not reachable, so I am blocked for now.",
    "The status of the {thing} is good; nothing else needs attention.",
    "{thing} の修正が完了しました。テストもすべて成功しています。",
    "He terminado con {thing}; todas las pruebas pasan.",
    "Ich habe {thing} fertiggestellt, alle Tests laufen durch.",
]
_THINGS = [
    "login form",
    "retry logic",
    "CSV export",
    "payment webhook",
    "search index",
    "`UserService`",
    "CI job",
    "API",
]
_FILES = ["src/login.ts", "app/models/user.py", "docs/guide.md", "internal/auth/token.go", "tests/test_export.py"]
_STEPS = [
    "added a guard for empty input",
    "renamed the helper",
    "removed the dead branch",
    "wrote a test for the expired token",
    "updated the handoff notes of the team",
    "fixed the error message",
]
_HEADINGS = ["Summary", "Changes", "What I did", "Results", "Next steps", "Notes", "Tests", "Open questions", "変更点"]


def narratives(count: int, seed: int) -> Iterator[str]:
    """So many messages, each different; the same for the same seed."""
    random = Random(seed)
    seen: set[str] = set()
    while len(seen) < count:
        text = _message(random)
        if text not in seen:
            seen.add(text)
            yield text


def _message(random: Random) -> str:
    parts = [_sentence(random)]
    for _ in range(random.randint(0, 5)):
        if random.random() < 0.5:
            marks = random.choice(["## ", "### ", "**", ""])
            title = random.choice(_HEADINGS)
            parts.append(f"{marks}{title}{'**' if marks == '**' else ':' if not marks else ''}")
        parts.append(random.choice(_PARTS)(random))
    if random.random() < 0.3:
        parts.append(
            random.choice(["Let me know if you need anything else!", "Ready for the next task. 🎉", "以上です。"])
        )
    ending = random.choice(["\n", "", "\r\n"])
    return ("\r\n\r\n" if ending == "\r\n" else "\n\n").join(parts) + ending


def _sentence(random: Random) -> str:
    return " ".join(random.choice(_DONE).format(thing=random.choice(_THINGS)) for _ in range(random.randint(1, 3)))


def _bullets(random: Random) -> str:
    mark = random.choice(["- ", "* ", "1. ", "- [x] ", "- ✅ "])
    return "\n".join(f"{mark}`{random.choice(_FILES)}`: {random.choice(_STEPS)}" for _ in range(random.randint(1, 5)))


def _table(random: Random) -> str:
    rows = [f"| `{random.choice(_FILES)}` | {random.randint(1, 90)} | ok |" for _ in range(random.randint(1, 4))]
    return "\n".join(["| file | lines | state |", "| --- | --- | --- |", *rows])


def _code(random: Random) -> str:
    bodies = {
        "bash": f"$ npm test\n{random.randint(3, 300)} passed, 0 failed",
        "python": "def retry(times: int) -> None:\n    ...",
        "json": json.dumps({"passed": random.randint(1, 99), "failed": 0, "ok": True}, indent=2),
        "diff": "-old line\n+new line",
        "": "error: connection refused",
    }
    language = random.choice(list(bodies))
    return f"```{language}\n{bodies[language]}\n```"


def _labels(random: Random) -> str:
    return "\n".join(
        random.sample(
            [
                f"Files changed: {random.randint(1, 9)}",
                "Tests: all green",
                f"Duration: {random.randint(1, 60)} min",
                "Result: it works",
                f"Branch: feature/{random.choice(['login', 'export'])}",
            ],
            random.randint(1, 3),
        )
    )


_PARTS: list[Callable[[Random], str]] = [_sentence, _bullets, _table, _code, _labels]
