"""A whole session for each editor: it gets its features in its form, and nothing beyond its capabilities.

The client of these sessions checks every message against the profile (``declared.py``). At the end only messages that a
client may ignore can be unread: requests to pull again, and progress.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

import pytest
import pytest_lsp
from lsprotocol import converters, types
from pytest_lsp import checks
from server.client import LspClient, Message, ResponseError, range_
from server.documents import CONTRACT, SOUND
from server.profiles import PROFILES, Profile
from server.test_across_files import STATUS

from handoff_lsp.text import Source

# A status that is missing, an answer that is left open, a path, an agent, a table: something for every feature. The
# an emoji precedes something on each of its lines.
BROKEN = (
    SOUND.replace("## Status\ncomplete\n\n", "")
    .replace("open_questions: 0", "open_questions: 2")
    .replace("- `src/login.py`\n", "- `src/login.py`: \U0001f600 see `src/session.py`\n")
    + "\n## Open Questions\n- Which port?\n- Which \U0001f600 host?\n"
)
AGENTS = CONTRACT.replace('"NOPE"', '"IN_PROGRESS"')
FREE = {
    "workspace/diagnostic/refresh",
    "workspace/codeLens/refresh",
    "workspace/inlayHint/refresh",
    "workspace/semanticTokens/refresh",
    "window/workDoneProgress/create",
    "$/progress",
}
# The requests at every place of a document, and for a document as a whole, by the server's capability.
AT_PLACES = {
    "hoverProvider": "textDocument/hover",
    "completionProvider": "textDocument/completion",
    "definitionProvider": "textDocument/definition",
    "referencesProvider": "textDocument/references",
    "documentHighlightProvider": "textDocument/documentHighlight",
    "selectionRangeProvider": "textDocument/selectionRange",
}
OF_ALL = {
    "documentSymbolProvider": "textDocument/documentSymbol",
    "foldingRangeProvider": "textDocument/foldingRange",
    "semanticTokensProvider": "textDocument/semanticTokens/full",
    "codeLensProvider": "textDocument/codeLens",
    "documentLinkProvider": "textDocument/documentLink",
    "documentFormattingProvider": "textDocument/formatting",
    "inlayHintProvider": "textDocument/inlayHint",
}
# The objects that a client may resolve, and the option for each.
RESOLVES = {
    "textDocument/completion": ("completionProvider", "completionItem/resolve"),
    "textDocument/codeLens": ("codeLensProvider", "codeLens/resolve"),
    "textDocument/documentLink": ("documentLinkProvider", "documentLink/resolve"),
    "textDocument/inlayHint": ("inlayHintProvider", "inlayHint/resolve"),
}
CHECKED = {
    "textDocument/completion": types.CompletionResponse,
    "textDocument/documentLink": types.DocumentLinkResponse,
}


class Session:
    """One client with a folder in which some agents have left their papers."""

    def __init__(self, profile: Profile, root: Path) -> None:
        self.profile = profile
        self.root = root
        (root / ".git").mkdir()
        (root / "src").mkdir()
        (root / "src" / "login.py").write_text("")
        (root / ".agent").mkdir()
        self.settings: Message = {}
        self.texts: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.answered: set[str] = set()
        self.client = LspClient(profile.capabilities, **profile.folder(root))
        self.client.replies["workspace/configuration"] = lambda asked: [self.settings for _ in asked["items"]]
        self.client.replies["workspace/applyEdit"] = self.apply_edit
        self.client.replies["window/showDocument"] = {"success": True}
        self._declared = converters.get_converter().structure(profile.capabilities, types.ClientCapabilities)

    # the client's doing

    def open(self, name: str, text: str) -> str:
        """Open a document."""
        uri = (self.root / name).as_uri()
        self.texts[uri], self.versions[uri] = text, 1
        self.client.open(text, uri)
        return uri

    def write(self, uri: str, text: str) -> None:
        """Replace the text of a document."""
        self.texts[uri] = text
        self.versions[uri] += 1
        self.client.change(self.versions[uri], {"text": text}, uri=uri)

    def codes(self, uri: str) -> list[str]:
        """The rules that a document breaks, in the way in which the client learns of it."""
        if self.profile.pull:
            return [item["code"] for item in self.client.pull(uri=uri)["items"]]
        return self.client.codes(self.versions[uri], uri)

    def diagnostics(self, uri: str) -> list[Message]:
        """The diagnostics of a document."""
        if self.profile.pull:
            items: list[Message] = self.client.pull(uri=uri)["items"]
            return items
        return self.client.diagnostics(self.versions[uri], uri)

    def severity(self, uri: str, awaited: int | None) -> int | None:
        """The severity of a missing status; pushed diagnostics may come after others that were on their way."""
        while True:
            found = {item["code"]: item["severity"] for item in self.diagnostics(uri)}
            if self.profile.pull or found.get("missing-status") == awaited:
                return found.get("missing-status")

    def request(self, method: str, params: Message) -> Any:
        """Send a request, and let pytest-lsp check the answer, too, if it has a check for it."""
        result = self.client.request(method, params)
        if result:
            self.answered.add(method)
        if method in CHECKED and self.profile.capabilities:
            made = converters.get_converter().structure({"id": 1, "jsonrpc": "2.0", "result": result}, CHECKED[method])
            checks.check_result_against_client_capabilities(self._declared, method, made.result)
        return result

    def offers(self, provider: str, option: str = "") -> Any:
        """The server's capability with a name."""
        offered = self.client.capabilities.get(provider)
        return offered if not option else isinstance(offered, dict) and offered.get(option)

    def offset(self, uri: str, position: Message) -> int:
        """A place in a document, counted as was agreed on."""
        encoding = self.profile.encoding
        return Source(self.texts[uri]).decode(position["line"], position["character"], encoding)  # type: ignore[arg-type]

    def places(self, uri: str) -> Iterator[Message]:
        """The start and the middle of every line."""
        for number, line in enumerate(self.texts[uri].splitlines()):
            for at in sorted({0, len(line) // 2}):
                units = line[:at].encode(
                    {"utf-8": "utf-8", "utf-16": "utf-16-le"}.get(self.profile.encoding, "utf-32-le")
                )
                character = len(units) // {"utf-8": 1, "utf-16": 2}.get(self.profile.encoding, 4)
                yield {"line": number, "character": character}

    def apply_edit(self, params: Message) -> Message:
        """Take an edit from the server."""
        for uri, text in self.edited(params["edit"]).items():
            self.write(uri, text)
        return {"applied": True}

    def edited(self, edit: Message) -> dict[str, str]:
        """The texts of documents after a workspace edit."""
        done = {uri: self.applied(uri, edits) for uri, edits in (edit.get("changes") or {}).items()}
        for change in edit.get("documentChanges") or ():
            if change.get("kind") == "create":
                self.texts[change["uri"]] = done[change["uri"]] = ""
            elif "kind" not in change:
                document = change["textDocument"]
                assert document["version"] in (None, self.versions.get(document["uri"]))
                done[document["uri"]] = self.applied(document["uri"], change["edits"])
        return done

    def applied(self, uri: str, edits: list[Message]) -> str:
        """The text of a document after edits."""
        text = self.texts.get(uri)
        if text is None:
            text = self.texts[uri] = Path(unquote(urlparse(uri).path)).read_text()
        spans = [
            (
                self.offset(uri, edit["range"]["start"]),
                self.offset(uri, edit["range"]["end"]),
                edit["newText"] if "newText" in edit else edit["snippet"]["value"],
            )
            for edit in edits
        ]
        for start, end, new in sorted(spans, reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def leave(self) -> None:
        """Close everything. No unread message is left that a client must act on."""
        for uri in self.versions:
            self.client.close(uri)
        self.client.request("shutdown", None)
        self.client.notify("exit", None)
        self.client.process.wait()
        left = [message for message in self.client.take_unread() if message["method"] not in FREE]
        cleared = [message for message in left if message["method"] == "textDocument/publishDiagnostics"]
        assert [message for message in left if message not in cleared] == []
        assert cleared == [] if self.profile.pull else all("version" not in each["params"] for each in cleared[-1:])
        assert self.client.stderr == b"", self.client.stderr.decode()


@pytest.fixture(params=PROFILES)
def session(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Session]:
    """A session of each of the clients."""
    session = Session(PROFILES[request.param], tmp_path)
    try:
        yield session
    finally:
        session.client.kill()


def begin(session: Session) -> None:
    """The server's first requests and registrations."""
    client, profile = session.client, session.profile
    assert client.capabilities["positionEncoding"] == profile.encoding
    assert bool(session.offers("diagnosticProvider")) is profile.pull
    expected = []
    if client.declared.can("workspace.didChangeConfiguration.dynamicRegistration"):
        expected.append("workspace/didChangeConfiguration")
    if profile.watches:
        expected.append("workspace/didChangeWatchedFiles")
    registered = [client.expect("client/registerCapability")["registrations"][0]["method"] for _ in expected]
    assert sorted(registered) == expected
    if profile.asks:
        client.expect("workspace/configuration")


def test_a_session_from_beginning_to_end(session: Session) -> None:
    begin(session)
    uri = session.open("handoffs/login-developer-handoff.md", BROKEN)
    found = session.diagnostics(uri)
    missing = next(item for item in found if item["code"] == "missing-status")
    assert missing["severity"] == 1

    # The status is put in, in the way that the client can take.
    context = {"diagnostics": [missing], "only": ["quickfix"]}
    asked = {"textDocument": {"uri": uri}, "range": missing["range"], "context": context}
    actions = session.request("textDocument/codeAction", asked)
    literals = session.client.declared.can("textDocument.codeAction.codeActionLiteralSupport")
    assert bool(actions) is bool(literals) or all("command" in action for action in actions)
    if actions:
        first = next(action for action in actions if "Status" in action["title"])
        if "edit" not in first and not isinstance(first.get("command"), (str, dict)):
            first = session.request("codeAction/resolve", first)
        edited = session.edited(first["edit"])
        assert list(edited) == [uri]
        session.write(uri, edited[uri])
    else:
        session.write(uri, BROKEN.replace("## Status reason", "## Status\ncomplete\n\n## Status reason"))
    assert "missing-status" not in session.codes(uri)

    for name, text in (("handoffs/report.md", AGENTS), (".agent/status.json", STATUS)):
        session.codes(session.open(name, text))
    for each in session.versions:
        everything(session, each)
    rename(session, next(each for each in session.versions if each.endswith("report.md")))
    empty = {AT_PLACES.get(name) or OF_ALL.get(name, "") for name in session.client.capabilities} - session.answered
    assert empty - {"", "textDocument/formatting"} == set(), "offered, but there was never an answer"
    run_time(session, uri)
    session.leave()


def everything(session: Session, uri: str) -> None:
    """Ask all that is offered, everywhere."""
    document = {"textDocument": {"uri": uri}}
    for position in session.places(uri):
        here = {**document, "position": position}
        for provider, method in AT_PLACES.items():
            if not session.offers(provider):
                continue
            more: Message = {"context": {"includeDeclaration": True}} if method.endswith("references") else {}
            if method.endswith("selectionRange"):
                more = {"positions": [position]}
            resolve(session, method, session.request(method, {**here, **more}))
        if session.offers("renameProvider"):
            with suppress(ResponseError):  # its message gives the reason why nothing can be renamed here
                if session.offers("renameProvider", "prepareProvider"):
                    assert session.request("textDocument/prepareRename", here)
                session.edited(session.request("textDocument/rename", {**here, "newName": "a7654321"}))
        if session.offers("documentOnTypeFormattingProvider"):
            typed = {"ch": "\n", "options": {"tabSize": 2, "insertSpaces": True}}
            session.request("textDocument/onTypeFormatting", {**here, **typed})
        span = {**document, "range": {"start": position, "end": position}}
        if session.offers("codeActionProvider"):
            for action in session.request("textDocument/codeAction", {**span, "context": {"diagnostics": []}}):
                if "edit" not in action and "command" not in action:
                    action = session.request("codeAction/resolve", action)
                session.edited(action.get("edit") or {})
    last = session.texts[uri].count("\n")
    everywhere = range_((0, 0), (last, 0))
    options = {"tabSize": 2, "insertSpaces": True}
    for provider, method in OF_ALL.items():
        if session.offers(provider):
            result = session.request(method, {**document, "range": everywhere, "options": options})
            resolve(session, method, result)
            if method == "textDocument/codeLens":
                run(session, result)
    if session.offers("semanticTokensProvider", "range"):
        session.request("textDocument/semanticTokens/range", {**document, "range": everywhere})
    if session.offers("documentRangeFormattingProvider"):
        asked = {**document, "range": everywhere, "options": options}
        session.applied(uri, session.request("textDocument/rangeFormatting", asked) or [])
    if session.offers("workspaceSymbolProvider"):
        session.request("workspace/symbol", {"query": ""})
    if session.offers("diagnosticProvider", "workspaceDiagnostics"):
        session.request("workspace/diagnostic", {"previousResultIds": []})


def rename(session: Session, uri: str) -> None:
    """Give an agent another id."""
    text = session.texts[uri]
    at = Source(text).encode(text.index("a0123456") + 2, session.profile.encoding)  # type: ignore[arg-type]
    here = {"textDocument": {"uri": uri}, "position": {"line": at[0], "character": at[1]}}
    if session.offers("renameProvider", "prepareProvider"):
        assert session.request("textDocument/prepareRename", here)
    edited = session.edited(session.request("textDocument/rename", {**here, "newName": "a7654321"}))
    assert edited[uri] == text.replace("a0123456", "a7654321")


def resolve(session: Session, method: str, result: Any) -> None:
    """Resolve the first result, if the server offers that."""
    provider, way = RESOLVES.get(method, ("", ""))
    if result and way and session.offers(provider, "resolveProvider"):
        items = result["items"] if isinstance(result, dict) else result
        if items:
            assert session.request(way, items[0])


def run(session: Session, lenses: list[Message] | None) -> None:
    """Click on every lens: its place is shown, or else reported in a message."""
    shown = session.client.declared.can("window.showDocument.support")
    for lens in lenses or ():
        command = lens["command"]
        if command["command"]:
            asked = {"command": command["command"], "arguments": command.get("arguments", [])}
            session.request("workspace/executeCommand", asked)
            told = session.client.expect("window/showDocument" if shown else "window/showMessage")
            assert told.get("selection") or "line " in told["message"]


def run_time(session: Session, uri: str) -> None:
    """The config changes on disk, then the client's settings do."""
    client = session.client
    before = session.texts[uri]
    broken = before.replace("## Status\n", "## Stand\n")
    assert broken != before
    session.write(uri, broken)
    assert "missing-status" in session.codes(uri)

    config = session.root / ".handoff-lsp.toml"
    config.write_text('[rules]\nmissing-status = "off"\n')
    if session.profile.watches:
        changes = [{"uri": config.as_uri(), "type": 1}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    else:
        client.save(uri)
    if session.profile.pull:
        client.expect("workspace/diagnostic/refresh")
    assert session.severity(uri, None) is None

    session.settings = {"rules": {"missing-status": "hint"}}
    pushed = None if session.profile.asks else {"handoff-lsp": session.settings}
    client.notify("workspace/didChangeConfiguration", {"settings": pushed})
    if session.profile.asks:
        client.expect("workspace/configuration")
    if session.profile.pull:
        client.expect("workspace/diagnostic/refresh")
    assert session.severity(uri, 4) == 4


@pytest.mark.parametrize("name", PROFILES)
def test_the_profiles_are_what_the_protocol_knows(name: str) -> None:
    """Each declaration can be read, and no part of it is lost."""
    made = converters.get_converter().structure(PROFILES[name].capabilities, types.ClientCapabilities)
    back = converters.get_converter().unstructure(made)
    lost = list(_lost(PROFILES[name].capabilities, back, ""))
    assert [path for path in lost if path not in UNKNOWN] == []


# Messages of clients that the current protocol lacks.
UNKNOWN = {".experimental", ".textDocument.inlayHint.resolveSupport.properties"}


def _lost(one: Any, other: Any, path: str) -> Iterator[str]:
    if isinstance(one, dict):
        for key, value in one.items():
            if not isinstance(other, dict) or key not in other:
                yield f"{path}.{key}"
            else:
                yield from _lost(value, other[key], f"{path}.{key}")


def test_pytest_lsp_is_the_one_with_the_checks() -> None:
    assert set(CHECKED) <= set(checks.RESULT_CHECKS)
    assert pytest_lsp.LspSpecificationWarning
