"""The start over stdin and stdout: the first answer, then all that takes long to load."""

from __future__ import annotations

import gc

from handoff_lsp.server.wire.first_answer import FirstAnswer
from handoff_lsp.server.wire.kept import Kept, kept_path
from handoff_lsp.server.wire.pipes import Stdin, Stdout, claim_stdout

# Editors write their first message as soon as the process exists. One that does not is answered while the server loads,
# after so many seconds.
_PATIENCE = 0.03


def serve_stdio(language: str | None = None) -> int:
    """Serve one client over stdin and stdout until it exits or is gone. Returns the exit code of the process."""
    gc.disable()  # until the server runs: all that is loaded stays
    stdout = Stdout(claim_stdout())
    kept = Kept(kept_path())
    first_answer = FirstAnswer(kept, stdout)
    stdin = Stdin(0, first_answer.look)
    stdin.start()
    if kept.answers:
        first_answer.decided.wait(_PATIENCE)

    from handoff_lsp.server.wire.lean_asyncio import load_asyncio

    load_asyncio()

    from handoff_lsp.server.wire.lazy_types import load_types

    load_types()

    from handoff_lsp.server.main import serve_pipes

    return serve_pipes(stdin, stdout, first_answer, kept.write, language)
