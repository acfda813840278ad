"""VS Code's own front end and extension host without a screen: code-server, with the packed extension installed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

# Settings against network access, moving layouts and anything between a key and the editor.
QUIET: dict[str, Any] = {
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
    "workbench.reduceMotion": "on",
    "workbench.enableExperiments": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.colorTheme": "Default Light Modern",
    "window.commandCenter": False,
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "extensions.autoUpdate": False,
    "extensions.autoCheckUpdates": False,
    "extensions.ignoreRecommendations": True,
    "git.enabled": False,
    "remote.autoForwardPorts": False,
    "chat.disableAIFeatures": True,
    "files.autoSave": "off",
    "editor.accessibilitySupport": "off",
    "editor.minimap.enabled": False,
    "editor.occurrencesHighlight": "off",
    "editor.renderLineHighlight": "none",
    "editor.hover.delay": 100,
    # VS Code's own Markdown support opens a list at `#`, and fills it with words of the document.
    "[markdown]": {
        "editor.wordWrap": "off",
        "editor.quickSuggestions": {"other": False},
        "editor.wordBasedSuggestions": "off",
    },
    "handoff-lsp.trace.server": "verbose",
}


class CodeServer:
    """One process that serves any folder at its own address; the user's settings are one of its files."""

    def __init__(self, program: str, home: Path) -> None:
        self.program = program
        self.data = home / "data"
        (self.data / "User").mkdir(parents=True)
        (home / "config.yaml").write_text("auth: none\n", "utf-8")
        self.profile = ["--user-data-dir", str(self.data), "--extensions-dir", str(home / "extensions")]
        self.profile += ["--config", str(home / "config.yaml")]
        homes = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("DATA", "CONFIG", "CACHE")}
        # Without a gallery the page does not look for one. The Python of the tests is not the user's.
        self.env = {**os.environ, **homes, "EXTENSIONS_GALLERY": "{}", "VSCODE_PROXY_URI": ""}
        for name in ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME"):
            self.env.pop(name, None)
        self.log = home / "code-server.log"
        self.process: subprocess.Popen[bytes] | None = None
        self.port = 0

    def install(self, vsix: Path) -> None:
        command = [self.program, *self.profile, "--install-extension", str(vsix)]
        done = subprocess.run(command, env=self.env, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, f"the extension cannot be installed:\n{done.stdout}{done.stderr}"

    def start(self, environment: dict[str, str]) -> None:
        """Start it; it listens when this returns. The environment has the PATH where the extension finds servers."""
        self.env.update(environment)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        options = ["--auth", "none", "--bind-addr", f"127.0.0.1:{self.port}", "--disable-telemetry"]
        options += ["--disable-update-check", "--disable-getting-started-override", "--disable-proxy"]
        options += ["--reconnection-grace-time", "1"]  # a closed page's extension host ends at once
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [self.program, *self.profile, *options], env=self.env, stdout=log, stderr=log, start_new_session=True
            )
        for _ in range(600):
            if b"HTTP server listening" in self.log.read_bytes():
                return
            assert self.process.poll() is None, f"code-server ended:\n{self.log.read_text('utf-8')}"
            time.sleep(0.1)
        raise AssertionError(f"code-server did not start within a minute:\n{self.log.read_text('utf-8')}")

    def stop(self) -> None:
        if self.process is None:
            return
        for how in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, how)
                self.process.wait(timeout=10)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                continue
        self.process = None

    def user(self, settings: dict[str, Any]) -> None:
        """Create a new user with these settings, no stored state, and nothing installed by the extension.

        Settings of the machine (the server to run) are in a file of their own, as VS Code reads them only from there.
        """
        chosen = {**QUIET, **settings}
        machine = {name: value for name, value in chosen.items() if name.startswith("handoff-lsp.server.")}
        for kind, part in (("User", chosen), ("Machine", machine)):
            folder = self.data / kind
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(exist_ok=True)
            (folder / "settings.json").write_text(json.dumps(part, indent=1), "utf-8")

    def address(self, workspace: Path, file: Path | None = None) -> str:
        """The address of a folder or a `.code-workspace` file, with a file opened in it."""
        kind = "workspace" if workspace.suffix == ".code-workspace" else "folder"
        query = {kind: str(workspace)}
        if file is not None:
            uri = f"vscode-remote://127.0.0.1:{self.port}{quote(str(file))}"
            query["payload"] = json.dumps([["openFile", uri]])
        return f"http://127.0.0.1:{self.port}/?{urlencode(query)}"

    def storage(self) -> Path:
        """The folder in which the extension may keep an installed server."""
        return self.data / "User" / "globalStorage" / "handoff-lsp.handoff-lsp"

    def logs(self, pattern: str) -> str:
        """The newest extension host's logs with matching names, joined."""
        hosts = sorted((self.data / "logs").glob("*/exthost*"), key=lambda host: host.stat().st_ctime_ns)
        found = sorted(hosts[-1].rglob(pattern)) if hosts else []
        return "\n".join(log.read_text("utf-8", "replace") for log in found if log.is_file())
