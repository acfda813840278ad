"""workspace/executeCommand: the commands, which editors can call without an extension of ours."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError, JsonRpcInvalidParams

from handoff_lsp.contracts.names import nearest
from handoff_lsp.rules.rule import shown
from handoff_lsp.server.commands.arguments import Arguments
from handoff_lsp.server.commands.check import check_workspace
from handoff_lsp.server.commands.doctor import doctor
from handoff_lsp.server.commands.export import export_json
from handoff_lsp.server.commands.lists import explain, list_contracts, list_handoffs, list_topics
from handoff_lsp.server.commands.show import go_to, show_prompt, show_routing
from handoff_lsp.server.commands.template import insert_template
from handoff_lsp.server.handlers import on_request
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.wire.protocol import Refused

log: logging.Logger = logging.getLogger(__name__)

Command = Callable[[HandoffServer, Arguments], Awaitable[Any]]

INSERT_TEMPLATE = "handoff.insertTemplate"
SHOW_ROUTING = "handoff.showRouting"
SHOW_PROMPT = "handoff.showPrompt"
EXPORT_JSON = "handoff.exportJson"
CHECK_WORKSPACE = "handoff.checkWorkspace"
GO_TO = "handoff.goTo"
LIST_HANDOFFS = "handoff.listHandoffs"
LIST_CONTRACTS = "handoff.listContracts"
LIST_TOPICS = "handoff.listTopics"
EXPLAIN = "handoff.explain"
DOCTOR = "handoff.doctor"

COMMANDS: dict[str, Command] = {
    INSERT_TEMPLATE: insert_template,
    SHOW_ROUTING: show_routing,
    SHOW_PROMPT: show_prompt,
    EXPORT_JSON: export_json,
    CHECK_WORKSPACE: check_workspace,
    GO_TO: go_to,
    LIST_HANDOFFS: list_handoffs,
    LIST_CONTRACTS: list_contracts,
    LIST_TOPICS: list_topics,
    EXPLAIN: explain,
    DOCTOR: doctor,
}


@on_request(
    types.WORKSPACE_EXECUTE_COMMAND,
    options=types.ExecuteCommandOptions(commands=list(COMMANDS)),
    row=180,
    summary=(
        "Insert a new handoff, show the routing and what a prompt says, export as JSON, check the workspace, go to a"
        " place, list all handoffs, contracts and topics, explain a topic, and examine the installation: "
        "[commands](commands.md), all without an extension. `handoff/didChangeHandoffs` notifies a client on "
        "request when the list may have changed."
    ),
    since="0.1",
)
async def execute(server: HandoffServer, params: types.ExecuteCommandParams) -> Any:
    """Run a command. Raises Refused with the reason if it cannot be executed."""
    command = COMMANDS.get(params.command)
    if command is None:
        near = nearest(params.command, COMMANDS, cutoff=0.6)
        meant = f"did you mean `{near}`?" if near else f"there are {', '.join(COMMANDS)}"
        raise Refused(f"there is no command `{shown(params.command)}`; {meant}", JsonRpcInvalidParams.CODE)
    try:
        return await command(server, Arguments(params.command, params.arguments, params.work_done_token))
    except Refused:
        raise
    except JsonRpcException as error:  # a request to the client failed
        raise Refused(f"{params.command}: the editor refused: {error.message}") from error
    except Exception as error:
        log.exception("%s failed", params.command)
        raise Refused(f"{params.command} failed; the server's log says why", JsonRpcInternalError.CODE) from error
