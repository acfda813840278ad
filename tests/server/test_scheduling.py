"""Scheduling: checks that are requested more than once, and requests that go over all documents."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from server.client import TIMEOUT, LspClient, Message, ResponseError, edit
from server.test_graph import RESULT, opened, start, write

from handoff_lsp.server.wire.scheduling import Scheduler

CANCELLED, MODIFIED = -32800, -32801
PROSE = "\r\nSome prose about `this` and that.\r\n" * 10


def test_one_check_does_for_all_who_ask_for_it_before() -> None:
    done: list[str] = []

    async def session() -> None:
        checks = Scheduler(done.append)
        checks.mark_each("abcdef")
        await asyncio.sleep(0)
        checks.mark_each("ef")
        checks.mark("d")
        checks.mark_each("d")
        assert checks.awaits("f")
        for _ in range(20):
            await asyncio.sleep(0)
        assert not checks.awaits("f")

    asyncio.run(session())
    assert sorted(done) == list("abcdef")


def test_messages_get_through_between_the_checks_of_many() -> None:
    done: list[str] = []

    async def session() -> None:
        checks = Scheduler(done.append)
        checks.mark_each("abcdef")
        for _ in range(4):
            await asyncio.sleep(0)
        assert done == list("abc"[: len(done)])
        checks.forget("f")
        for _ in range(20):
            await asyncio.sleep(0)

    asyncio.run(session())
    assert done == list("abcde")


def test_the_check_of_a_change_is_not_the_one_before_it() -> None:
    done: list[str] = []

    async def session() -> None:
        checks = Scheduler(done.append)
        checks.mark("a")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        checks.mark_each("a")
        for _ in range(5):
            await asyncio.sleep(0)

    asyncio.run(session())
    assert done == ["a", "a"]


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace of 1,000 handoffs, and the definition of an agent that each of them names."""
    root = tmp_path_factory.mktemp("many")
    (root / ".git").mkdir()
    write(root / ".claude/agents/critic.md", "---\nname: critic\n---\n\n# critic\n")
    for number in range(1_000):
        write(root / f"done/{number // 50}/result-{number}.md", RESULT + PROSE)
    return root


DEFINITION, HANDOFF = (".claude/agents/critic.md", 1, 7), ("done/0/result-1.md", 2, 7)


@pytest.mark.parametrize("where", [DEFINITION, HANDOFF], ids=["definition", "handoff"])
def test_a_hover_gets_through_while_all_documents_are_read(many: Path, where: tuple[str, int, int]) -> None:
    with start(many, {}) as client:
        here = at_place(client, many, where)
        number, data = client.prepare("textDocument/references", {**here, "context": {"includeDeclaration": True}})
        client.write(data)
        for _ in range(3):
            client.request("textDocument/hover", {**here, "position": {"line": 0, "character": 0}})
        read = [message for message in client.take_unread() if message.get("id") == number]
        assert not read, "all documents were read before the hovers were answered"
        assert len(client.answer(number)) >= 1_000


def test_cancelled_while_all_documents_are_read(many: Path) -> None:
    with start(many, {}) as client:
        here = at_place(client, many, HANDOFF)
        number, data = client.prepare("textDocument/references", {**here, "context": {"includeDeclaration": True}})
        client.write(data)
        client.request("textDocument/hover", here)
        client.notify("$/cancelRequest", {"id": number})
        with pytest.raises(ResponseError) as error:
            client.answer(number)
        assert error.value.code == CANCELLED


def test_a_change_while_all_documents_are_read(many: Path) -> None:
    with start(many, {}) as client:
        here = at_place(client, many, HANDOFF)
        number, data = client.prepare("textDocument/rename", {**here, "newName": "judge"})
        client.write(data)
        client.request("textDocument/hover", here)
        client.change(2, edit((0, 0), (0, 0), "Something above\n\n"), uri=here["textDocument"]["uri"])
        with pytest.raises(ResponseError, match="changed in the meantime") as error:
            client.answer(number)
        assert error.value.code == MODIFIED
        client.diagnostics(2, here["textDocument"]["uri"])


def test_closed_while_all_documents_are_read(many: Path) -> None:
    with start(many, {}) as client:
        here = at_place(client, many, HANDOFF)
        number, data = client.prepare("textDocument/prepareRename", here)
        client.write(data)
        client.request("textDocument/hover", here)
        client.close(here["textDocument"]["uri"])
        client.published(here["textDocument"]["uri"])
        with pytest.raises(ResponseError, match="changed in the meantime"):
            client.answer(number)


def test_ended_while_all_documents_are_read(many: Path) -> None:
    client = start(many, {})
    try:
        here = at_place(client, many, HANDOFF)
        client.write(client.prepare("textDocument/references", {**here, "context": {"includeDeclaration": True}})[1])
        client.request("textDocument/hover", here)
        client.request("shutdown", None)
        client.notify("exit", None)
        assert client.process.wait(TIMEOUT) == 0
    finally:
        client.kill()


def at_place(client: LspClient, root: Path, where: tuple[str, int, int]) -> Message:
    """A place in a file, which is opened for it."""
    path, line, character = root / where[0], *where[1:]
    uri = opened(client, path, path.read_text(encoding="utf-8"))
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
