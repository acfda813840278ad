"""Documents of any size in every syntax, what is done with them, and the work that this takes, counted.

The work is the number of lines of Python that run, in our code and in the libraries: the same at every run, whatever
the machine does meanwhile.
"""

from __future__ import annotations

import json
import math
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

from editing.answering import ANSWERS, client, params_of

from benchmarks.prompts import prompt
from benchmarks.speed.documents import HEAD
from handoff_lsp.features.actions.fix_all import fix_all
from handoff_lsp.reports.make import report_of
from handoff_lsp.server.main import create_server
from handoff_lsp.server.wire.protocol import Refused
from handoff_lsp.text import Span
from handoff_lsp.workspace.store import TextChange

Measure = Callable[[Callable[[], object]], float]


def _markdown(number: int) -> str:
    items = (
        f"- decision {n}: the session is kept in `src/part_{n}.py`, since cookies are read twice\n"
        for n in range(number)
    )
    return HEAD + "".join(items) + "\n## For the next agent\nStart with `src/login.py`.\n\n## Open Questions\nnone\n"


def _sections(number: int) -> str:
    return HEAD + "".join(
        f"\n## Part {n}\n\nA paragraph with `code` and **weight**, status: x.\n" for n in range(number)
    )


def _rows(number: int) -> str:
    rows = "".join(f"| `src/part_{n}.py` | created | {n} lines |\n" for n in range(number))
    return HEAD + "\n## Files\n\n| file | state | size |\n| --- | --- | --- |\n" + rows


def _prose(number: int) -> str:
    return HEAD + "\n" + "".join(f"A line {n} with `code`, a [link](src/a_{n}.py) and words.\n" for n in range(number))


def _envelope(number: int) -> dict[str, Any]:
    return {
        "agent_status": {
            "plan_status": "IN_PROGRESS",
            "agent_id": "a1b2c3",
            "pending_steps": [],
            "next_action": "go on",
        },
        "evidence_report": {
            "patterns_checked": [f"pattern {n}" for n in range(number)],
            "files_checked": [f"src/file_{n}.py" for n in range(number)],
            "commands_run": [],
        },
    }


def _fence(number: int) -> str:
    return f"# Report\n\n```agent_contract_handoff\n{json.dumps(_envelope(number), indent=2)}\n```\n"


def _broken_fence(number: int) -> str:
    """The same with a comma after every last item, and single quotes."""
    return _fence(number).replace("\n    ]", ",\n    ]").replace('"src/', "'src/").replace('.py"', ".py'")


def _json(number: int) -> str:
    status = {"agent_id": "worker-7f3a", "agent_type": "worker", "status": "blocked", "task": "Add the button"}
    lists = {key: [f"the {key} of step {n}" for n in range(number)] for key in ("blockers", "findings", "warnings")}
    return json.dumps({**status, **lists}, indent=2)


def _pairs(number: int) -> str:
    pairs = "".join(f"DETAIL_{n}: the value of line {n}\n" for n in range(number))
    return f"# Result\n\nAGENT_RESULT: developer\nSTATUS: sucess\nNEXT: tester\n{pairs}"


def _handoffs(number: int) -> str:
    return "# Results\n\n" + "AGENT_RESULT: developer\nSTATUS: sucess\nNEXT: tester\n\nIt went well.\n\n" * number


def _yaml(number: int) -> str:
    items = "".join(f"  - item {n}: a value\n" for n in range(number))
    return HEAD.replace("open_questions: 0", f"open_questions: 0\nnotes:\n{items}")


def _front_matter(number: int) -> str:
    items = "".join(f"  - name_{n}\n" for n in range(number))
    return f"---\nname: worker\ndescription: Builds\ntools:\n{items}---\n\n" + prompt(1, 40).partition("---\n\n")[2]


def _log(number: int) -> str:
    return "".join(
        f"2026-02-{n // 1440 % 28 + 1:02}T{n // 60 % 24:02}:{n % 60:02}:00Z [COMMIT] wip: step {n}\n"
        for n in range(number)
    )


def _prompt(number: int) -> str:
    return prompt(1, number)


def _statements(number: int) -> str:
    lines = (
        f"If part {n} fails, set `STATUS` to `blocked` and say why in `BLOCKED_REASON`.\n\n" for n in range(number)
    )
    return prompt(1, 45) + "".join(lines)


# Each: the path of the document, and its text for a number of items.
DOCUMENTS: dict[str, tuple[str, Callable[[int], str]]] = {
    "items": ("handoffs/login/developer-handoff.md", _markdown),
    "sections": ("handoffs/login/developer-handoff.md", _sections),
    "rows": ("handoffs/login/developer-handoff.md", _rows),
    "prose": ("handoffs/login/developer-handoff.md", _prose),
    "outline": ("handoffs/login/developer-handoff.md", _yaml),
    "JSON fence": ("report.md", _fence),
    "broken JSON fence": ("report.md", _broken_fence),
    "JSON file": (".agent/status.json", _json),
    "log": (".agent/activity.log", _log),
    "pairs": ("report.md", _pairs),
    "handoffs": ("report.md", _handoffs),
    "front matter": (".claude/agents/worker.md", _front_matter),
    "prompt": (".claude/agents/worker.md", _prompt),
    "statements": (".claude/agents/worker.md", _statements),
}


def lines_run(work: Callable[[], object]) -> float:
    """How many lines of Python run during some work."""
    count = 0

    def line(_frame: FrameType, _event: str, _arg: object) -> Any:
        nonlocal count
        count += 1
        return line

    before = sys.gettrace()
    sys.settrace(lambda _frame, _event, _arg: line)
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def document_of(name: str, size: int) -> str:
    """A document of about ``size`` characters."""
    make = DOCUMENTS[name][1]
    least, more = len(make(10)), len(make(110)) - len(make(10))
    return make(max(10, 10 + round((size - least) / more * 100)))


def _middle(text: str) -> int:
    """A place in the middle of a document, in one of the lines that make it long: near the end of the line."""
    lines = text.split("\n")
    shapes = [re.sub(r"\d+", "0", line) for line in lines]
    usual, _ = Counter(filter(None, shapes)).most_common(1)[0]
    number = min((n for n, shape in enumerate(shapes) if shape == usual), key=lambda n: abs(n - len(lines) // 2))
    return sum(len(line) + 1 for line in lines[:number]) + len(lines[number]) - 2


def work_on(name: str, size: int, measure: Measure) -> Iterator[tuple[str, int, float]]:
    """Each feature, the length of the document and the work in it: the analysis first, then all others."""
    path, text = DOCUMENTS[name][0], document_of(name, size)
    server = create_server()
    server.client = client()
    for memo in (server.documents.memo, server.documents.resolver.memo):
        memo.clock = lambda: 0.0  # the disk is not asked again after a moment
    with tempfile.TemporaryDirectory() as folder:
        server.documents.set_folders([Path(folder)])
        full = Path(folder, path)
        uri = full.as_uri()
        document = server.documents.open(uri, full, 1, text)

        def analysis() -> Any:
            return server.documents.analysis(uri)

        yield "check", len(text), measure(analysis)
        middle = _middle(text)

        def edit() -> None:
            document.change(2, [TextChange(Span(middle, middle), "x")])
            analysis()

        yield "edit", len(text), measure(edit)
        yield "report", len(text), measure(lambda: report_of(analysis(), path))
        yield "fix all", len(text), measure(lambda: fix_all(analysis()))
        for handler in ANSWERS:
            for number, params in enumerate(params_of(server, handler.method, uri, middle)):

                def answer(params: Any = params, handler: Any = handler) -> None:
                    with suppress(Refused):  # an answer in words
                        handler.work(server, params)

                yield f"{handler.method.partition('/')[2]} {number or ''}".rstrip(), len(text), measure(answer)
        server.documents.close(uri)


def slope(lengths: list[int], work: list[float], least: float) -> float:
    """The power of the size with which the work grows between three sizes; what any size costs is left out.

    0 where it grows by less than ``least``.
    """
    first, second = work[1] - work[0], work[2] - work[1]
    if first <= 0 or second < least:
        return 0.0
    per_length = (second / (lengths[2] - lengths[1])) / (first / (lengths[1] - lengths[0]))
    return 1 + math.log(per_length) / math.log((lengths[2] + lengths[1]) / (lengths[1] + lengths[0]))
