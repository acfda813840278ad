"""The programs of examples/library, run as they are, with agents and models that follow a script."""

from __future__ import annotations

import asyncio
import importlib.util
import subprocess
import sys
from ast import literal_eval
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest
from library.test_functions import PATH, SOUND, WRONG

import handoff_lsp

EXAMPLES = Path(__file__).parents[2] / "examples" / "library"
FAILED = SOUND.replace("\ncomplete\n\n## Status reason\n\n-", "\nfailed\n\n## Status reason\n\nNo owner.")


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Callable[..., ModuleType]:
    """Load an example by its name; a test of one whose packages are absent is skipped."""

    def load(name: str, *packages: str) -> ModuleType:
        for package in packages:
            pytest.importorskip(package, reason=f"`make examples` installs {package}")
        spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)  # so that its functions can be pickled
        monkeypatch.syspath_prepend(EXAMPLES)
        spec.loader.exec_module(module)
        return module

    return load


class Script:
    """An agent with the messages of a script. It keeps the prompts that it gets."""

    def __init__(self, *says: str) -> None:
        self._says: Iterator[str] = iter(says)
        self.told: list[str] = []

    def __call__(self, prompt: str) -> str:
        self.told.append(prompt)
        return next(self._says)


def feedback(message: str) -> str:
    """The feedback to an agent about a message."""
    return handoff_lsp.check_text(message, contract="status-block").feedback()


def test_an_orchestrator_sends_a_broken_handoff_back_and_goes_on(example: Callable[..., ModuleType]) -> None:
    developer, reviewer = Script(WRONG, SOUND), Script(SOUND)
    ended = example("orchestrator").run({"dev": developer, "review": reviewer}, ("dev", "review"), "Sort the board.")
    assert ended == "done"
    assert developer.told[1] == feedback(WRONG)
    assert "with:\n```\ncomplete\n```" in developer.told[1]
    assert "dev says: The board is sorted by due date." in reviewer.told[0]


def test_an_orchestrator_stops_where_the_handoff_says_so(example: Callable[..., ModuleType]) -> None:
    unasked = Script()
    run = example("orchestrator").run
    assert run({"dev": Script(FAILED), "review": unasked}, ("dev", "review"), "x").startswith("dev: stop: ")
    assert run({"dev": Script("No.", WRONG, WRONG)}, ("dev",), "x") == "dev: no sound handoff after 3 attempts"
    assert unasked.told == []


def test_an_orchestrator_takes_forty_lines() -> None:
    assert len((EXAMPLES / "orchestrator.py").read_text(encoding="utf-8").splitlines()) <= 40


def test_a_guard_for_langgraph(example: Callable[..., ModuleType]) -> None:
    module = example("langgraph_guard", "langgraph", "langchain_core")
    from langchain_core.language_models import FakeListChatModel

    def run(*says: str) -> dict[str, object]:
        state: dict[str, object] = module.graph(FakeListChatModel(responses=list(says)), "status-block").invoke(
            {"messages": [("user", "Sort the board.")]}
        )
        return state

    state = run(WRONG, SOUND)
    texts = [message.text for message in state["messages"]]  # type: ignore[attr-defined]
    assert texts == ["Sort the board.", WRONG, feedback(WRONG), SOUND]
    assert [handoff.status for handoff in state["handoffs"]] == ["complete"]  # type: ignore[attr-defined]
    assert state["attempts"] == 2
    assert run(WRONG, "Nothing to add.", WRONG)["handoffs"] == []


def test_a_guard_for_pydantic_ai(example: Callable[..., ModuleType]) -> None:
    module = example("pydantic_ai_guard", "pydantic_ai")
    from pydantic_ai import UnexpectedModelBehavior
    from pydantic_ai.messages import ModelMessage, ModelResponse, RetryFeedbackPart, TextPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel

    def model(*says: str) -> FunctionModel:
        script = iter(says)

        def answer(_messages: list[ModelMessage], _info: AgentInfo) -> ModelResponse:
            return ModelResponse(parts=[TextPart(next(script))])

        return FunctionModel(answer)

    result = asyncio.run(module.agent(model(WRONG, SOUND), "status-block").run("Sort the board."))
    (handoff,) = result.output
    assert (handoff.status, handoff.routing.action) == ("complete", "advance")
    retries = [
        part for message in result.all_messages() for part in message.parts if isinstance(part, RetryFeedbackPart)
    ]
    assert [part.content for part in retries] == [feedback(WRONG)]
    with pytest.raises(UnexpectedModelBehavior):
        asyncio.run(module.agent(model(WRONG, WRONG, WRONG), "status-block").run("Sort the board."))


def test_processes_find_what_one_finds(example: Callable[..., ModuleType], tmp_path: Path) -> None:
    for number in range(120):
        path = tmp_path / f"{number:03}" / PATH
        path.parent.mkdir(parents=True)
        path.write_text(WRONG if number % 3 == 0 else SOUND, encoding="utf-8")
    project = handoff_lsp.Project(tmp_path)
    assert list(example("processes").reports(tmp_path)) == list(project.check_all(fixes=False))
    ran = subprocess.run(
        [sys.executable, EXAMPLES / "processes.py", tmp_path], capture_output=True, text=True, check=True
    )
    assert ran.stdout == "    40 invalid-value\n"


def test_an_archive_over_dask(example: Callable[..., ModuleType]) -> None:
    """The whole program, as it is started, with workers of its own."""
    example("archive", "distributed")
    ran = subprocess.run([sys.executable, EXAMPLES / "archive.py", "2000"], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith("2,000 handoffs in ")
    counts = literal_eval(ran.stdout[ran.stdout.index("{") :])
    assert counts == {"advance": 1800, "stop": 200, "invalid-value": 200}
