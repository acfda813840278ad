"""Tasks of the server, and its end."""

from __future__ import annotations

import asyncio
import gc

from handoff_lsp.server.main import create_server


def test_a_task_that_the_end_leaves_unbegun_is_no_warning() -> None:
    """pytest makes the warning about a coroutine that nobody awaited an error."""
    server, begun = create_server(), []

    async def work() -> None:
        begun.append(True)

    async def session() -> None:
        server.spawn(work())
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()  # as the loop does at its end

    asyncio.run(session())
    gc.collect()
    assert begun == []
