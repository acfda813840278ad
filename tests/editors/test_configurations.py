"""The configurations of editors that cannot run here: they have the documented form, and their servers answer.

Those of Helix and coc.nvim are checked, too. The page of each editor names the documentation of the form.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import editors.workspace as made
import pytest
from server.client import encode

import handoff_lsp
from handoff_lsp.contracts.registry import builtin

EDITORS = made.ROOT / "editors"
PAGES = ("emacs", "helix", "jetbrains", "sublime", "vim", "zed")

# Pages show these files; people copy from there.
SHOWN = ("helix/languages.toml", "helix/config.toml", "sublime/LSP.sublime-settings", "vim/coc-settings.json")


def data(path: str) -> Any:
    """The data of a configuration file."""
    text = (EDITORS / path).read_text(encoding="utf-8")
    return tomllib.loads(text) if path.endswith(".toml") else json.loads(text)


def commands() -> dict[str, list[str]]:
    """The command of each configuration that starts the server."""
    helix = data("helix/languages.toml")["language-server"]["handoff-lsp"]
    coc = data("vim/coc-settings.json")["languageserver"]["handoff-lsp"]
    zed = data("zed/settings.json")["lsp"]["handoff-lsp"]["binary"]
    return {
        "helix": [helix["command"], *helix["args"]],
        "coc": [coc["command"], *coc["args"]],
        "zed": [zed["path"], *zed["arguments"]],
        "sublime": data("sublime/LSP.sublime-settings")["clients"]["handoff-lsp"]["command"],
        "jetbrains": shlex.split(data("jetbrains/template.json")["programArgs"]["default"]),
    }


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> made.Workspace:
    return made.make(tmp_path_factory.mktemp("configurations"))


def answer(command: list[str], workspace: made.Workspace) -> dict[str, Any]:
    """The answer to `initialize` of the server that a command starts."""
    start = {"processId": None, "rootUri": workspace.root.as_uri(), "capabilities": {}}
    said = [
        {"id": 1, "method": "initialize", "params": start},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    done = subprocess.run(
        command,
        input=b"".join(map(encode, said)),
        env={**os.environ, **workspace.environment},
        cwd=workspace.root,
        capture_output=True,
        timeout=60,
        check=True,
    )
    return next(each["result"] for each in messages(done.stdout) if each.get("id") == 1)


def messages(out: bytes) -> Iterator[dict[str, Any]]:
    """The messages that a server wrote."""
    while head := re.match(rb"Content-Length: (\d+)\r\n(?:[^\r]+\r\n)*\r\n", out):
        end = head.end() + int(head.group(1))
        yield json.loads(out[head.end() : end])
        out = out[end:]


@pytest.mark.parametrize("editor", commands())
def test_what_is_started_is_the_server(editor: str, workspace: made.Workspace) -> None:
    assert answer(commands()[editor], workspace)["serverInfo"]["name"] == "handoff-lsp"


@pytest.mark.parametrize("editor", PAGES)
def test_each_page_has_the_same_sections(editor: str) -> None:
    page = (EDITORS / editor / "README.md").read_text(encoding="utf-8")
    for said in ("pip install", "handoff-lsp doctor", "## What works", "## Settings", "## Tested"):
        assert said in page, said
    for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", page):
        assert (EDITORS / editor / link).exists(), link


@pytest.mark.parametrize("path", SHOWN)
def test_pages_show_the_files_as_they_are(path: str) -> None:
    file = EDITORS / path
    assert f"\n{file.read_text(encoding='utf-8')}```" in file.with_name("README.md").read_text(encoding="utf-8")


def test_helix_knows_the_keys() -> None:
    said = data("helix/languages.toml")
    assert set(said) == {"language-server", "language"}
    assert set(said["language-server"]["handoff-lsp"]) <= {"command", "args", "config", "environment", "timeout"}
    assert {each["name"] for each in said["language"]} == {"markdown", "json", "log"}
    assert all(set(each) == {"name", "language-servers"} for each in said["language"])


def test_zed_has_an_extension() -> None:
    manifest, package = data("zed/extension.toml"), data("zed/Cargo.toml")
    assert set(manifest) <= {
        *("id", "name", "version", "schema_version", "description", "repository", "authors", "language_servers")
    }
    assert (manifest["schema_version"], package["lib"]["crate-type"]) == (1, ["cdylib"])
    assert manifest["version"] == package["package"]["version"] == handoff_lsp.__version__
    assert list(manifest["language_servers"]) == list(data("zed/settings.json")["lsp"]) == [manifest["id"]]
    server = manifest["language_servers"]["handoff-lsp"]
    assert set(server["language_ids"]) == set(server["languages"])
    assert f'"{manifest["id"]}"' in (EDITORS / "zed" / "src" / "lib.rs").read_text()


def test_sublime_commands_are_those_of_the_server(workspace: made.Workspace) -> None:
    session = data("sublime/LSP.sublime-settings")["clients"]
    assert set(session["handoff-lsp"]) == {"enabled", "command", "selector"}
    offered = answer(commands()["sublime"], workspace)["capabilities"]["executeCommandProvider"]["commands"]
    for each in data("sublime/Handoff.sublime-commands"):
        assert set(each) == {"caption", "command", "args"} and each["command"] == "lsp_execute"
        assert each["args"]["session_name"] in session and each["args"]["command_name"] in offered
        # Only whole values of the list itself are filled in.
        assert set(each["args"]["command_args"]) <= {"$file_uri"}


def test_jetbrains_has_a_template() -> None:
    template = data("jetbrains/template.json")
    assert set(template) == {"id", "name", "programArgs", "fileTypeMappings"}
    assert {"default"} <= set(template["programArgs"]) <= {"default", "windows", "mac", "unix"}
    patterns = [pattern for each in template["fileTypeMappings"] for pattern in each["fileType"]["patterns"]]
    assert all(each["languageId"] for each in template["fileTypeMappings"])
    for entry in builtin():
        for place in entry.contract.locations:
            assert any(fnmatch(Path(place).name, pattern) for pattern in patterns), place
