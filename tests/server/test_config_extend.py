"""An extended config in the server: its changes count at once, and its problems are shown in it."""

from __future__ import annotations

from pathlib import Path

from server.client import LspClient
from server.contract_file_client import ABLE, CONFIG, DOCUMENT, Files, fixes, marked

MARKED = "rules = { invalid-value = "


def test_a_change_of_the_extended_file_reaches_open_documents(tmp_path: Path) -> None:
    files = Files(tmp_path)
    base, nearer = tmp_path / ".handoff-lsp.toml", tmp_path / "pkg" / ".handoff-lsp.toml"
    nearer.parent.mkdir()
    nearer.write_text('extend = "../.handoff-lsp.toml"\n')
    document = (nearer.parent / "day.md").as_uri()

    def changed(client: LspClient) -> None:
        changes = [{"uri": base.as_uri(), "type": 2}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})

    with LspClient(ABLE) as client:
        client.open(DOCUMENT, document)
        found = client.diagnostics(1, document)
        assert [(item["code"], item["severity"]) for item in found] == [("invalid-value", 1)]
        base.write_text(f"{CONFIG}{MARKED}'warning' }}\n")
        changed(client)
        found = client.diagnostics(1, document)
        assert [(item["code"], item["severity"]) for item in found] == [("invalid-value", 2)]
        broken = f"{CONFIG}{MARKED}'hint' }}\nexlude = []\n"
        client.open(broken, base.as_uri())
        (problem,) = client.diagnostics(1, base.as_uri())
        assert (problem["code"], marked(broken, problem["range"])) == ("invalid-config", "exlude")
        assert fixes(client, base.as_uri(), problem["range"], [problem])
        missing = 'extend = "../gone.toml"\ncontract-packages = ["no-such-thing"]\n'
        client.open(missing, nearer.as_uri())
        (problem,) = client.diagnostics(1, nearer.as_uri())
        assert marked(missing, problem["range"]) == '"../gone.toml"'
        assert problem["message"] == 'there is no config file "../gone.toml"'
        named = missing.replace("gone", ".handoff-lsp")
        client.change(2, {"text": named}, uri=nearer.as_uri())
        (problem,) = client.diagnostics(2, nearer.as_uri())
        assert (problem["code"], marked(named, problem["range"])) == ("invalid-contract", '"no-such-thing"')
    assert files.contract.exists()
