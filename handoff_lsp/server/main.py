"""The session over stdin and stdout, which `start.py` has begun, or over TCP for debugging."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from collections.abc import Callable, Coroutine

from lsprotocol import types

from handoff_lsp.language import ENGLISH, choose_language
from handoff_lsp.server.handlers import handlers
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.notifications import configuration, lifecycle
from handoff_lsp.server.publishing import diagnostics
from handoff_lsp.server.wire.first_answer import FirstAnswer
from handoff_lsp.server.wire.framing import BrokenFraming, read_body
from handoff_lsp.server.wire.pipes import CHUNK, Stdin, Stdout
from handoff_lsp.server.wire.protocol import UnreadableMessages
from handoff_lsp.server.wire.transport import InputStream

log: logging.Logger = logging.getLogger(__name__)

# The exit code if the input is not a message.
_BROKEN = 2
# When a start is over (seconds): by then an editor has sent its first requests.
SETTLED = 2.0
# In bytes, more than most texts take. Nothing is written to it, so the system gives no page for it.
_LARGEST_BLOCK = 4_000_000


def create_server(language: str | None = None) -> HandoffServer:
    """The server, with a handler for ``initialize`` only, which registers those that the client supports.

    ``language``: the one of its texts, instead of the client's.
    """
    handlers()  # imported here, so that the first client does not wait for it
    server = HandoffServer(diagnostics.push, _look_around)

    def on_initialize(params: types.InitializeParams) -> None:
        choose_language(language or params.locale or ENGLISH)
        lifecycle.initialize(server, params)

    server.feature(types.INITIALIZE)(on_initialize)
    return server


def _look_around(server: HandoffServer) -> None:
    """Check the documents again that depend on files which have changed since, and refresh the client's views."""
    if diagnostics.look_around(server):
        configuration.refresh_views(server)


def serve_pipes(
    stdin: Stdin, stdout: Stdout, first_answer: FirstAnswer, settled: Callable[[], None], language: str | None = None
) -> int:
    """Serve one client over stdin and stdout until it exits or is gone. Returns the exit code of the process.

    ``settled`` is called once, when the start is over.
    """
    _log_to_stderr()
    server = create_server(language)
    server.protocol.first_answer = first_answer
    server.protocol.set_writer(stdout)
    return _run(_pipes(server, stdin, stdout, settled))


def serve_tcp(host: str, port: int, language: str | None = None) -> int:
    """Serve one client over TCP, for debugging. Returns the exit code of the process."""
    _log_to_stderr()
    return _run(_tcp(create_server(language), host, port))


def _run(session: Coroutine[object, object, None]) -> int:
    # Everything loaded by now stays, so the garbage collector can skip it. To look for garbage in it would take a tenth
    # of the start.
    gc.freeze()
    gc.enable()
    # A check creates thousands of objects, which by default cause several collections. The old ones are looked at after
    # some hundred checks: by default the garbage of thousands would wait for that.
    gc.set_threshold(20_000, 3, 2)
    # glibc gives large blocks back to the system, unless a larger one was freed before: mallopt(3), M_MMAP_THRESHOLD.
    # The next text of the same length would wait for its pages again, which is a tenth of a keystroke.
    bytes(_LARGEST_BLOCK)
    try:
        asyncio.run(session)
    except SystemExit as exit_:  # pygls raises it on the ``exit`` notification
        return exit_.code if isinstance(exit_.code, int) else 1
    except KeyboardInterrupt:
        return 130
    return 0


async def _pipes(server: HandoffServer, stdin: Stdin, stdout: Stdout, settled: Callable[[], None]) -> None:
    source = InputStream(stdin)
    server.end = stdout.lost = source.end
    source.start()
    if not stdout.is_open:
        source.end()
    later = asyncio.get_running_loop().call_later(SETTLED, settled)
    try:
        await _messages(server, source.stream)
    finally:
        if not later.cancelled() and later.when() > asyncio.get_running_loop().time():
            later.cancel()
            settled()


async def _tcp(server: HandoffServer, host: str, port: int) -> None:
    over = asyncio.Event()
    taken = False

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal taken
        if taken:
            writer.close()
            return
        taken = True
        server.end = reader.feed_eof
        server.protocol.set_writer(writer)
        try:
            await _messages(server, reader)
        finally:
            over.set()

    listener = await asyncio.start_server(connected, host, port, limit=CHUNK)
    for socket in listener.sockets:
        print(f"handoff-lsp: listening on {':'.join(map(str, socket.getsockname()[:2]))}", file=sys.stderr, flush=True)
    async with listener:
        await over.wait()


async def _messages(server: HandoffServer, stream: asyncio.StreamReader) -> None:
    """Handle messages until the stream ends, then finish the work that they planned."""
    logging.getLogger("pygls.protocol.json_rpc").addFilter(UnreadableMessages())
    try:
        while (body := await read_body(stream)) is not None:
            server.protocol.take(body)
    except asyncio.IncompleteReadError:
        log.warning("The client was gone in the middle of a message")
    except BrokenFraming as error:
        print(f"handoff-lsp: error: {error}; this is a language server, which editors start", file=sys.stderr)
        raise SystemExit(_BROKEN) from error
    for _ in range(5):  # answers and checks that were planned: each is due within a few steps of the loop
        await asyncio.sleep(0)


def _log_to_stderr() -> None:
    if logging.getLogger().handlers:
        return  # the command line has configured logging
    form = "%(asctime)s %(levelname)s %(name)s: %(message)s"
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format=form)
    # pygls logs a warning for each cancellation that comes too late, and most do.
    logging.getLogger("pygls").setLevel(logging.ERROR)
