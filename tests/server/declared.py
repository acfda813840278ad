"""The messages that a server may send to a client with certain capabilities: every message is checked against them.

From the LSP 3.17 and 3.18 specification; anything that it does not regulate is accepted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

Message = dict[str, Any]

# Requests of the server, and the capability that each needs.
REQUESTS = {
    "workspace/configuration": "workspace.configuration",
    "workspace/workspaceFolders": "workspace.workspaceFolders",
    "workspace/applyEdit": "workspace.applyEdit",
    "workspace/codeLens/refresh": "workspace.codeLens.refreshSupport",
    "workspace/inlayHint/refresh": "workspace.inlayHint.refreshSupport",
    "workspace/semanticTokens/refresh": "workspace.semanticTokens.refreshSupport",
    "workspace/foldingRange/refresh": "workspace.foldingRange.refreshSupport",
    "workspace/diagnostic/refresh": "workspace.diagnostics.refreshSupport",
    "window/workDoneProgress/create": "window.workDoneProgress",
    "window/showDocument": "window.showDocument.support",
}
# Those of every client.
PLAIN = {"client/registerCapability", "client/unregisterCapability", "window/showMessageRequest"}
NOTIFICATIONS = {"textDocument/publishDiagnostics", "window/logMessage", "window/showMessage", "$/progress"}

# The kinds of a client that lists none.
FIRST_SYMBOL_KINDS = range(1, 19)
FIRST_ITEM_KINDS = range(1, 19)


class Undeclared(AssertionError):
    """The server has used a capability that its client has not declared."""


def check(fine: object, why: str) -> None:
    """Fail with the reason."""
    if not fine:
        raise Undeclared(why)


class Declared:
    """One client's capabilities, and the check of the server's messages against them."""

    def __init__(self, capabilities: Mapping[str, Any]) -> None:
        self._capabilities = capabilities
        self._registered: set[str] = set()
        self._tokens: set[object] = set()
        self._commands: list[str] = []
        self._lens_resolve = False
        self.pulls = bool(self.can("workspace.diagnostics.refreshSupport")) and self._has("textDocument.diagnostic")

    def can(self, path: str) -> Any:
        """The capability at a dotted path; None if it is not declared."""
        found: Any = self._capabilities
        for part in path.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
        return found

    def asks(self, method: str, params: Any) -> None:
        """Note the tokens that the client gives with a request."""
        for name in ("workDoneToken", "partialResultToken"):
            if isinstance(params, Mapping) and name in params:
                self._tokens.add(params[name])

    def message(self, message: Message) -> None:
        """Check a request or notification of the server."""
        method, params = message["method"], message.get("params") or {}
        if "id" not in message:
            if method == "handoff/didChangeHandoffs":
                check(self.can("experimental.handoff.didChangeHandoffs") is True, f"{method}, which is not declared")
                return
            check(method in NOTIFICATIONS, f"the notification {method} is none that a client knows")
            if method == "textDocument/publishDiagnostics":
                check(not self.pulls, "diagnostics are pushed at a client that pulls")
                for item in params["diagnostics"]:
                    self._diagnostic(item, "textDocument.publishDiagnostics")
            elif method == "$/progress":
                check(params["token"] in self._tokens, f"progress of {params['token']!r}, which nobody has asked for")
            return
        check(method in REQUESTS or method in PLAIN, f"the request {method} is none that a client knows")
        if method in REQUESTS:
            check(self.can(REQUESTS[method]), f"{method} is sent, but {REQUESTS[method]} is not declared")
        if method == "window/workDoneProgress/create":
            self._tokens.add(params["token"])
        elif method == "workspace/applyEdit":
            self._edit(params["edit"])
        elif method == "client/registerCapability":
            for registration in params["registrations"]:
                path = f"{registration['method'].replace('/', '.')}.dynamicRegistration"
                check(self.can(path), f"{registration['method']} is registered, but {path} is not declared")
                check(registration["id"] not in self._registered, f"{registration['id']} is registered twice")
                self._registered.add(registration["id"])
        elif method == "client/unregisterCapability":
            for registration in params["unregisterations"]:
                check(registration["id"] in self._registered, f"{registration['id']} was not registered")
                self._registered.remove(registration["id"])

    def refused(self, params: Message) -> None:
        """The client has refused a registration."""
        self._registered -= {registration["id"] for registration in params["registrations"]}

    def answer(self, method: str, result: Any) -> None:
        """Check the answer to a request of the client's."""
        if result is not None and method in _ANSWERS:
            _ANSWERS[method](self, result)

    # the answers

    def _initialize(self, result: Message) -> None:
        offered = result["capabilities"]
        encodings = self.can("general.positionEncodings") or ["utf-16"]
        check(offered.get("positionEncoding", "utf-16") in encodings, "a position encoding that was not offered")
        self._commands = (offered.get("executeCommandProvider") or {}).get("commands", [])
        self._lens_resolve = bool((offered.get("codeLensProvider") or {}).get("resolveProvider"))
        if offered.get("diagnosticProvider") is not None:
            check(self._has("textDocument.diagnostic"), "pull is offered to a client that does not pull")
        rename, actions = offered.get("renameProvider"), offered.get("codeActionProvider")
        if isinstance(rename, Mapping):
            check(self.can("textDocument.rename.prepareSupport"), "options of rename, but no prepareSupport")
        if isinstance(actions, Mapping):
            literals = self.can("textDocument.codeAction.codeActionLiteralSupport")
            check(literals is not None, "options of code actions, but no codeActionLiteralSupport")
        for name in (offered.get("workspace") or {}).get("fileOperations") or {}:
            check(self.can(f"workspace.fileOperations.{name}"), f"fileOperations.{name} is not declared")

    def _completion(self, result: Any) -> None:
        items = result["items"] if isinstance(result, Mapping) else result
        if isinstance(result, Mapping):
            known = self.can("textDocument.completion.completionList.itemDefaults") or ()
            for name in result.get("itemDefaults") or {}:
                check(name in known, f"itemDefaults.{name} is not declared")
        for item in items:
            self._item(item)

    def _item(self, item: Message) -> None:
        able = self.can("textDocument.completion.completionItem") or {}
        kinds = self.can("textDocument.completion.completionItemKind.valueSet") or FIRST_ITEM_KINDS
        check(item.get("kind", 1) in kinds, f"the kind {item.get('kind')} of completion items is not declared")
        if item.get("insertTextFormat") == 2:
            check(able.get("snippetSupport"), "a snippet, but no snippetSupport")
        text = (item.get("textEdit") or {}).get("newText") or item.get("insertText") or ""
        if item.get("insertTextFormat") != 2:
            check("${" not in text, f"a snippet that is none: {text!r}")
        if isinstance(item.get("documentation"), Mapping):
            kind = item["documentation"]["kind"]
            check(kind in able.get("documentationFormat", ()), f"documentation as {kind} is not declared")
        for name, needed in (
            ("labelDetails", "labelDetailsSupport"),
            ("insertTextMode", "insertTextModeSupport"),
            ("preselect", "preselectSupport"),
            ("tags", "tagSupport"),
            ("commitCharacters", "commitCharactersSupport"),
            ("deprecated", "deprecatedSupport"),
        ):
            check(not item.get(name) or able.get(needed), f"{name} of a completion item, but no {needed}")
        if "insert" in (item.get("textEdit") or {}):
            check(able.get("insertReplaceSupport"), "insert and replace, but no insertReplaceSupport")

    def _hover(self, result: Message) -> None:
        contents = result["contents"]
        if isinstance(contents, Mapping) and "kind" in contents:
            known = self.can("textDocument.hover.contentFormat") or ["plaintext"]
            check(contents["kind"] in known, f"hover as {contents['kind']} is not declared")

    def _actions(self, result: list[Message]) -> None:
        able = self.can("textDocument.codeAction") or {}
        for action in result:
            if isinstance(action.get("command"), str):
                self._command(action)
                continue
            check(able.get("codeActionLiteralSupport"), "a code action that is no command, but no literals declared")
            for name, needed in (
                ("isPreferred", "isPreferredSupport"),
                ("disabled", "disabledSupport"),
                ("data", "dataSupport"),
            ):
                check(not action.get(name) or able.get(needed), f"{name} of a code action, but no {needed}")
            self._action(action)
            later = "edit" in (able.get("resolveSupport") or {}).get("properties", ())
            done = any(name in action for name in ("edit", "command", "disabled"))
            check(done or (later and able.get("dataSupport")), f"{action['title']!r} does nothing for this client")

    def _action(self, action: Message) -> None:
        if action.get("edit"):
            self._edit(action["edit"])
        if action.get("command"):
            self._command(action["command"])
        for item in action.get("diagnostics") or ():
            self._diagnostic(item, "textDocument.publishDiagnostics")

    def _command(self, command: Message) -> None:
        name = command["command"]
        if name == "handoff-lsp.choose":
            check(self.can("experimental.handoff.choose") is True, f"{name}, which is not declared")
            (argument,) = command["arguments"]
            check(len(argument["choices"]) > 1, f"a choice among {len(argument['choices'])}")
            self._actions([choice["action"] for choice in argument["choices"]])
            return
        # A lens that only shows something has no command to run.
        check(not name or name in self._commands, f"the command {name!r} is none of those that the server offers")

    def _lenses(self, result: list[Message]) -> None:
        for lens in result:
            check(lens.get("command") or self._lens_resolve, "a lens without a command")
            if lens.get("command"):
                self._command(lens["command"])

    def _symbols(self, result: list[Message]) -> None:
        able = self.can("textDocument.documentSymbol") or {}
        for symbol in _tree(result):
            if "location" not in symbol:
                check(able.get("hierarchicalDocumentSymbolSupport"), "a tree of symbols is not declared")
            self._symbol(symbol, able)

    def _workspace_symbols(self, result: list[Message]) -> None:
        able = self.can("workspace.symbol") or {}
        for symbol in result:
            self._symbol(symbol, able)
            if "range" not in symbol["location"]:
                check(able.get("resolveSupport"), "a symbol without a range, but no resolveSupport")

    def _symbol(self, symbol: Message, able: Mapping[str, Any]) -> None:
        kinds = (able.get("symbolKind") or {}).get("valueSet") or FIRST_SYMBOL_KINDS
        check(symbol["kind"] in kinds, f"the symbol kind {symbol['kind']} is not declared")
        check(not symbol.get("tags") or able.get("tagSupport"), "tags of a symbol are not declared")

    def _folds(self, result: list[Message]) -> None:
        limit = self.can("textDocument.foldingRange.rangeLimit")
        check(limit is None or len(result) <= limit, f"more than {limit} folds")
        for fold in result:
            collapsed = self.can("textDocument.foldingRange.foldingRange.collapsedText")
            check("collapsedText" not in fold or collapsed, "the text of a closed fold is not declared")

    def _definition(self, result: Any) -> None:
        for place in result if isinstance(result, list) else [result]:
            if "targetUri" in place:
                check(self.can("textDocument.definition.linkSupport"), "links of definitions are not declared")

    def _links(self, result: list[Message]) -> None:
        for link in result:
            check("tooltip" not in link or self.can("textDocument.documentLink.tooltipSupport"), "a link's tooltip")

    def _tokens_of(self, result: Message) -> None:
        line = end = 0
        start = 0
        overlapping = self.can("textDocument.semanticTokens.overlappingTokenSupport")
        data = result.get("data", [])
        check(len(data) % 5 == 0, "five numbers are a token")
        for down, right, length, _, _ in zip(*[iter(data)] * 5, strict=True):
            start = right if down else start + right
            check(down or overlapping or start >= end, f"overlapping tokens in line {line}")
            line, end = line + down, start + length

    def _edit(self, edit: Message) -> None:
        able = self.can("workspace.workspaceEdit") or {}
        changes = edit.get("documentChanges")
        if changes is not None:
            # File operations can be nowhere else: Neovim 0.11 declares only these, and takes both.
            check(able.get("documentChanges") or able.get("resourceOperations"), "documentChanges are not declared")
        for change in changes or ():
            if "kind" in change:
                known = able.get("resourceOperations") or ()
                check(change["kind"] in known, f"to {change['kind']} a file is not declared")
            for each in change.get("edits", ()):
                check("snippet" not in each or able.get("snippetEditSupport"), "an edit with a snippet is not declared")
                annotated = "annotationId" in each or "annotationId" in change
                check(not annotated or able.get("changeAnnotationSupport"), "annotations are not declared")
        annotations = edit.get("changeAnnotations")
        check(not annotations or able.get("changeAnnotationSupport"), "annotations are not declared")

    def _report(self, result: Message) -> None:
        for report in (result, *(result.get("relatedDocuments") or {}).values(), *_documents(result)):
            for item in report.get("items", ()) if "uri" in report or report is result else ():
                if "range" in item:
                    self._diagnostic(item, "textDocument.diagnostic")
        related = self.can("textDocument.diagnostic.relatedDocumentSupport")
        check(not result.get("relatedDocuments") or related, "related documents are not declared")

    def _diagnostic(self, item: Message, where: str) -> None:
        # Capabilities that exist only for push count for pull, too.
        able = {**(self.can("textDocument.publishDiagnostics") or {}), **(self.can(where) or {})}
        for name, needed in (
            ("relatedInformation", "relatedInformation"),
            ("codeDescription", "codeDescriptionSupport"),
            ("data", "dataSupport"),
        ):
            check(item.get(name) is None or able.get(needed), f"{name} of a diagnostic is not declared")
        known = (able.get("tagSupport") or {}).get("valueSet") or ()
        check(set(item.get("tags") or ()) <= set(known), "tags of a diagnostic are not declared")
        check(isinstance(item["message"], str), "a diagnostic's message is no text")

    def _has(self, path: str) -> bool:
        return self.can(path) is not None


def _tree(symbols: list[Message]) -> Iterator[Message]:
    for symbol in symbols:
        yield symbol
        yield from _tree(symbol.get("children") or [])


def _documents(result: Message) -> list[Message]:
    return [item for item in result.get("items", ()) if "uri" in item]


_ANSWERS: dict[str, Callable[[Declared, Any], None]] = {
    "initialize": Declared._initialize,
    "textDocument/completion": Declared._completion,
    "completionItem/resolve": Declared._item,
    "textDocument/hover": Declared._hover,
    "textDocument/codeAction": Declared._actions,
    "codeAction/resolve": Declared._action,
    "textDocument/codeLens": Declared._lenses,
    "textDocument/documentSymbol": Declared._symbols,
    "workspace/symbol": Declared._workspace_symbols,
    "textDocument/foldingRange": Declared._folds,
    "textDocument/definition": Declared._definition,
    "textDocument/documentLink": Declared._links,
    "textDocument/semanticTokens/full": Declared._tokens_of,
    "textDocument/semanticTokens/range": Declared._tokens_of,
    "textDocument/rename": Declared._edit,
    "textDocument/diagnostic": Declared._report,
    "workspace/diagnostic": Declared._report,
}
