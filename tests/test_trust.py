"""No program, no connection and no file outside of the workspace is opened, by Python's own audit events."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
from case_files import read_cases
from server import client

import handoff_lsp

ROOT = Path(handoff_lsp.__file__).parents[1]
# Runs the command and writes each event that matters, with its first argument, as a line of a file.
WATCHED = """
import os, sys
log = open(sys.argv.pop(1), "a", encoding="utf-8", errors="surrogateescape", buffering=1)
ALONE = ("socket.connect", "socket.bind", "socket.send", "socket.get", "subprocess.", "os.system", "os.exec",
         "os.posix_spawn", "os.spawn", "os.fork", "os.startfile", "pty.", "webbrowser.", "urllib.")
READ = ("open", "os.listdir", "os.scandir")
WRITE = ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.link", "os.symlink", "os.truncate", "os.chmod")
def watch(event, arguments):
    if event in READ + WRITE and not isinstance(arguments[0], int):
        if event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            event = "write"
        log.write(f"{event} {os.path.abspath(os.fsdecode(arguments[0] or '.'))}\\n")
    elif event == "compile" and os.path.exists(str(arguments[1])):
        log.write(f"{event} {arguments[1]}\\n")
    elif event.startswith(ALONE):
        log.write(f"{event} {str(arguments[:1])!r}\\n")
sys.addaudithook(watch)
from handoff_lsp.cli.main import main
sys.exit(main())
"""
# Paths to a file that is a handoff itself: from the root, beside, absolute, encoded, through links, of Windows.
LEADING_OUT = (
    "../outside/design.md",
    "docs/../../outside/design.md",
    "out/design.md",
    "link.md",
    "{outside}/design.md",
    "file://{outside}/design.md",
    "%2e%2e/outside/design.md",
    "..\\outside\\design.md",
    "~/design.md",
    "https://handoffs.invalid/design.md",
    "\\\\handoffs.invalid\\share\\design.md",
    "$(touch {outside}/executed)",
)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working folder: documents of cases of all formats, documents and a config that name files outside of it, and
    modules that must not be imported."""
    root, outside = tmp_path / "root", tmp_path / "outside"
    for number, case in enumerate(read_cases()[::12]):
        here = root / f"case-{number}"
        for path, text in ((case.path or "report.md", case.text), *case.beside):
            _put(here / path, text)
    (root / ".git").mkdir()
    for module in ("sitecustomize", "usercustomize", "conftest", "yaml", "json", "handoff_lsp_plugin"):
        _put(root / f"{module}.py", f"open({str(outside / 'executed')!r}, 'w')\n")
    sound = (ROOT / "examples" / "openspec" / "changes" / "dark-mode" / "design.md").read_text(encoding="utf-8")
    _put(outside / "design.md", sound)
    _put(outside / "contract.yaml", "title: X\n")
    (root / "out").symlink_to(outside)
    (root / "link.md").symlink_to(outside / "design.md")
    _put(root / "bad" / ".handoff-lsp.toml", 'contract-files = ["../../outside/contract.yaml", "../out/*.yaml"]\n')
    _put(root / "linked" / ".handoff-lsp.toml", 'contract-files = ["out/contract.yaml", "out"]\n')
    (root / "linked" / "out").symlink_to(outside)
    for folder in ("bad", "linked"):
        _put(root / folder / "design.md", sound)
    for number, path in enumerate(LEADING_OUT):
        named = path.format(outside=outside)
        _put(root / f"named-{number}" / "design.md", sound.replace("openspec/changes/dark-mode/design.md", named))
        _put(
            root / f"named-{number}" / "report.md",
            f"# A\n\n```agent_contract_handoff\n"
            f'{{"agent_status": {{"plan_status": "COMPLETE", "agent_id": "a12345"}}, "evidence_report": {{'
            f'"files_checked": ["{named}"], "commands_run": ["touch {outside}/executed"]}}}}\n```\n\n'
            f"<!-- {named} --> [a]({named}) `{named}` <script src='{named}'></script>\n",
        )
    monkeypatch.chdir(root)
    monkeypatch.setenv("HOME", str(outside))
    # An empty part of PYTHONPATH would be the working folder.
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return root


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))


@pytest.fixture
def happened(root: Path, tmp_path: Path) -> Callable[[], list[str]]:
    """The events that break a promise: running a file of the workspace, reading outside of it, and any other that is
    not about the user's cache or Python's."""
    # This package, Python and its packages, and the user's cache.
    own = [ROOT / "handoff_lsp", ROOT / "schemas", *map(Path, {sys.prefix, sys.base_prefix, sys.exec_prefix})]
    own += [*map(Path, sysconfig.get_paths().values()), cache := Path(os.environ["HANDOFF_LSP_CACHE_DIR"])]

    def breaches() -> list[str]:
        events = (tmp_path / "events").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        seen = {event.partition(" ")[2] for event in events}
        assert any(Path(one).is_relative_to(root / "case-0") for one in seen), "nothing was watched"
        mine = [root.resolve(), *(one.resolve() for one in own)]
        found = []
        for event in dict.fromkeys(events):
            name, _, rest = event.partition(" ")
            path = Path(os.path.realpath(rest))
            if name == "compile":
                allowed = not path.is_relative_to(mine[0])
            elif name in ("open", "os.listdir", "os.scandir"):
                allowed = path == ROOT or any(path.is_relative_to(one) for one in mine)  # an import lists the clone
            else:
                bytecode = path.parent.name == "__pycache__" and not path.is_relative_to(mine[0])
                allowed = bytecode or path.is_relative_to(cache.resolve())
            if not allowed:
                found.append(event)
        return found

    return breaches


def _watched(tmp_path: Path, *arguments: str) -> list[str]:
    # As in the installed command, the working folder is no place for modules.
    return [sys.executable, "-P", "-c", WATCHED, str(tmp_path / "events"), *arguments]


def test_the_command_only_reads_and_only_the_workspace(
    root: Path, tmp_path: Path, happened: Callable[[], list[str]]
) -> None:
    command = _watched(tmp_path, "check", "--output-format", "json", ".")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert '"findings"' in done.stdout, done.stderr
    assert happened() == []
    assert not (tmp_path / "outside" / "executed").exists()


def test_the_watch_sees_what_it_must(tmp_path: Path) -> None:
    """Of the program itself, so that the tests here can fail."""
    breaking = WATCHED.partition("from handoff_lsp")[0] + (
        "import socket, subprocess, sys\n"
        "subprocess.run([sys.executable, '-c', ''])\n"
        "open('/etc/hostname').close()\n"
        "open('written', 'w').close()\n"
        "os.listdir('/etc')\n"
        "s = socket.socket(); s.settimeout(1)\n"
        "try: s.connect(('127.0.0.1', 9))\n"
        "except OSError: pass\n"
    )
    subprocess.run([sys.executable, "-c", breaking, str(tmp_path / "events")], cwd=tmp_path, check=False, timeout=60)
    events = (tmp_path / "events").read_text(encoding="utf-8")
    for event in (
        "subprocess.Popen",
        "open /etc/hostname",
        f"write {tmp_path}/written",
        "os.listdir /etc",
        "socket.connect",
    ):
        assert event in events


def test_the_server_only_reads_and_only_the_workspace(
    root: Path, tmp_path: Path, happened: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "SERVER", _watched(tmp_path, "server"))
    asked = (
        "hover",
        "definition",
        "references",
        "documentLink",
        "codeLens",
        "codeAction",
        "completion",
        "foldingRange",
    )
    session = client.LspClient(rootUri=root.as_uri())
    try:
        for document in sorted(root.glob("[bcln]*/*.md")):
            text, uri = document.read_bytes().decode("utf-8", "surrogatepass"), document.as_uri()
            session.open(text, uri)
            found = session.diagnostics(1, uri)
            for line, written in enumerate(text.splitlines()):
                if "outside" not in written and "design.md" not in written:
                    continue
                at = {"line": line, "character": max(0, written.find("design.md"))}
                where = {"textDocument": {"uri": uri}, "position": at, "range": {"start": at, "end": at}}
                extra = {"context": {"diagnostics": found, "includeDeclaration": True, "triggerKind": 1}}
                for name in asked:
                    session.request(f"textDocument/{name}", {**where, **extra})
        session.request("workspace/executeCommand", {"command": "handoff.listHandoffs", "arguments": []})
    finally:
        session.kill()  # it has published about the broken configs, which is not the matter here
    assert happened() == []
    assert not (tmp_path / "outside" / "executed").exists()


def _cut_off() -> list[str] | None:
    """A prefix with which a command has no network but its own loopback; None where this machine has no such prefix."""
    for prefix in (["unshare", "--net"], ["unshare", "--map-root-user", "--net"], ["sudo", "-n", "unshare", "--net"]):
        if (
            shutil.which(prefix[0])
            and subprocess.run([*prefix, "true"], capture_output=True, check=False).returncode == 0
        ):
            return prefix
    return None


def test_without_any_network_nothing_is_missing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prefix = _cut_off()
    if prefix is None:
        pytest.skip("no command may leave the network here: unshare")
    listed = [*prefix, sys.executable, "-c", "import socket; print([name for _, name in socket.if_nameindex()])"]
    assert subprocess.run(listed, capture_output=True, text=True, check=True).stdout.strip() == "['lo']"

    command = [sys.executable, "-P", "-m", "handoff_lsp", "check", "--no-cache", "--output-format", "json", "."]
    alone, connected = (
        subprocess.run([*before, *command], capture_output=True, text=True, check=False) for before in (prefix, [])
    )
    assert '"findings"' in alone.stdout
    assert (alone.returncode, alone.stdout, alone.stderr) == (connected.returncode, connected.stdout, connected.stderr)

    document = sorted(root.glob("case-*/*.md"))[0]
    found = []
    for before in (prefix, []):
        monkeypatch.setattr(client, "SERVER", [*before, sys.executable, "-P", "-m", "handoff_lsp", "server"])
        with client.LspClient(rootUri=root.as_uri()) as session:
            session.open(document.read_text(encoding="utf-8"), document.as_uri())
            found.append(session.diagnostics(1, document.as_uri()))
    assert found[0] == found[1]
