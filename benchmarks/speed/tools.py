"""The measured programs: handoff-lsp, the one of an earlier commit, the baselines, and the peers."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.server_process import ROOT

HERE = Path(__file__).parent
OURS, EARLIER, BARE, MARKDOWN_IT, PYTHON = (
    "handoff-lsp",
    "handoff-lsp, earlier",
    "bare pygls server",
    "importing markdown-it-py",
    "starting Python",
)
RUMDL, REMARK, CODE_MARKDOWN, CODE_JSON = "rumdl", "remark", "VS Code's Markdown server", "VS Code's JSON server"
MARKDOWNLINT, JSONSCHEMA, AGNIX, OPENSPEC = "markdownlint-cli2", "check-jsonschema", "agnix", "openspec"
_PACKAGES = {
    REMARK: ("unified-language-server", "remark", "remark-cli"),
    CODE_MARKDOWN: ("vscode-markdown-languageserver", "vscode-markdown-languageservice"),
    CODE_JSON: ("vscode-langservers-extracted",),
    MARKDOWNLINT: ("markdownlint-cli2",),
    OPENSPEC: ("@fission-ai/openspec",),
}
_MODULES = {
    BARE: "pygls",
    MARKDOWN_IT: "markdown-it-py",
}


@dataclass(frozen=True)
class Programs:
    """Where the programs are. `earlier` is the Python of an earlier handoff-lsp; `peers` is a folder."""

    ours: Path
    earlier: Path | None
    peers: Path | None
    commands: dict[str, list[str]] = field(default_factory=dict)  # those that ran, as they are shown, by program

    def note(self, name: str, command: list[str], folder: Path) -> None:
        """Note a command that runs in the folder. Programs are shown by name, files by their path in the folder."""
        words = [self._word(word, folder) for word in command]
        files = [index for index, word in enumerate(words) if word != command[index] and index]
        if len(files) > 2:
            words[files[1] + 1 :] = ["…"]
        found = self.commands.setdefault(name, [])
        if (shown := " ".join(words)) not in found:
            found.append(shown)

    def _word(self, word: str, folder: Path) -> str:
        for python in filter(None, (self.ours, self.earlier)):
            if word in (str(python), str(python.parent / OURS)):
                return "python" if word == str(python) else OURS
        for start, shown in (
            (f"{self.peers}/bin/", ""),
            (f"{self.peers}/node_modules/", "node_modules/"),
            (f"{self.peers}/", "benchmarks/speed/"),
            (f"{folder}/", ""),
            (f"{folder.parent}/", ""),
            (f"{ROOT}/", ""),
        ):
            if word.startswith(start):
                return shown + word.removeprefix(start)
        return f'"{word}"' if " " in word or "*" in word else word

    @property
    def env(self) -> dict[str, str]:
        """No user's settings; the peers' Node; Python keeps what it compiles, as in an installation."""
        path = [str(self.peers / "bin")] if self.peers else []
        left_out = ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "VIRTUAL_ENV", "CLAUDECODE")
        kept = {name: value for name, value in os.environ.items() if name not in left_out}
        no_reports = {"DO_NOT_TRACK": "1", "OPENSPEC_TELEMETRY": "0", "NO_COLOR": "1"}
        return {**kept, "PATH": os.pathsep.join([*path, os.environ["PATH"]]), **no_reports}

    def handoff_lsp(self, *arguments: str) -> dict[str, list[str]]:
        """The command of handoff-lsp, and of the earlier one."""
        pythons = {OURS: self.ours, EARLIER: self.earlier}
        # The installed command: `python -m` would prefer the package in the folder where it runs.
        return {name: [str(python.parent / OURS), *arguments] for name, python in pythons.items() if python}

    def peer(self, name: str, *command: str) -> dict[str, list[str]]:
        """The command of a peer, if the peers are installed."""
        if self.peers is None:
            return {}
        return {name: [str(self.peers / "bin" / command[0]), *command[1:]]}

    def servers(self, *, json: bool = False) -> dict[str, list[str]]:
        """The language servers for Markdown, or for JSON."""
        found = self.handoff_lsp("server") | {BARE: [str(self.ours), str(ROOT / "benchmarks" / "bare_server.py")]}
        if self.peers is None:
            return found
        packages = self.peers / "node_modules"
        if json:
            return found | self.peer(CODE_JSON, "vscode-json-language-server", "--stdio")
        found |= self.peer(RUMDL, "rumdl", "server")
        (self.peers / "remark.mjs").write_bytes((HERE / "remark.mjs").read_bytes())  # imports what is beside it
        found |= self.peer(REMARK, "node", str(self.peers / "remark.mjs"), "--stdio")
        worker = packages / "vscode-markdown-languageserver" / "dist" / "node" / "workerMain.js"
        return found | self.peer(CODE_MARKDOWN, "node", str(worker), "--stdio")

    def versions(self) -> dict[str, str]:
        """The version of each program, by its name."""
        return {
            OURS: self._commit(ROOT),
            **({EARLIER: self._commit(self.earlier.parents[2])} if self.earlier else {}),
            **{name: self._python(self.ours, package) for name, package in _MODULES.items()},
            PYTHON: self._printed([str(self.ours), "--version"]),
            **({"Node": self._printed([str(self.peers / "bin" / "node"), "--version"])} if self.peers else {}),
            **{name: self._installed(name) for name in self._peers()},
        }

    def _peers(self) -> list[str]:
        return [RUMDL, AGNIX, JSONSCHEMA, *_PACKAGES] if self.peers else []

    def _installed(self, name: str) -> str:
        assert self.peers is not None
        if name not in _PACKAGES:
            return self._printed([str(self.peers / "bin" / name), "--version"])
        lock = (self.peers / "package-lock.json").read_text(encoding="utf-8")
        packages = json.loads(lock)["packages"]
        return ", ".join(f"{package} {packages[f'node_modules/{package}']['version']}" for package in _PACKAGES[name])

    def _printed(self, command: list[str]) -> str:
        ran = subprocess.run(command, env=self.env, capture_output=True, text=True, check=True)
        return (ran.stdout or ran.stderr).split("\n", 1)[0].split()[-1].lstrip("v")

    def _python(self, python: Path, package: str) -> str:
        code = f"import importlib.metadata as m; print({package!r}, m.version({package!r}))"
        return subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True).stdout.strip()

    def _commit(self, folder: Path) -> str:
        ran = subprocess.run(
            ["git", "rev-parse", "--short=8", "HEAD"], cwd=folder, capture_output=True, text=True, check=False
        )
        return f"commit {ran.stdout.strip() or 'unknown'}"
