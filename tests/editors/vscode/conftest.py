"""A window of VS Code for a test: real code-server and Chromium, the extension as it is packed, this clone's server.

Each test gets a new user, a new window and a folder of its own. Screenshots go to tests/editors/output/vscode
($HANDOFF_LSP_SHOTS), those of failures too.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from editors.programs import program
from editors.vscode.code_server import CodeServer
from editors.vscode.processes import descendants, is_server

if TYPE_CHECKING:
    from editors.vscode.workbench import Open, Workbench

ROOT = Path(__file__).resolve().parents[3]
EXTENSION = ROOT / "editors" / "vscode"
SHOTS = Path(os.environ.get("HANDOFF_LSP_SHOTS", ROOT / "tests" / "editors" / "output")) / "vscode"
SERVER = Path(sys.executable).parent / "handoff-lsp"


@pytest.fixture(scope="session")
def npm() -> Callable[..., None]:
    """Run npm in the extension's folder, with its dependencies installed."""
    command = program("npm")
    if not (EXTENSION / "node_modules").is_dir():
        _run([command, "ci", "--no-audit", "--no-fund"], EXTENSION)
    return lambda *arguments: _run([command, *arguments], EXTENSION)


@pytest.fixture(scope="session")
def vsix(npm: Callable[..., None]) -> Path:
    """The extension as `make vsix` packs it, with this clone's server."""
    ready = os.environ.get("HANDOFF_LSP_VSIX")
    if ready:
        return Path(ready)
    _run([sys.executable, "scripts/packed_server.py"], ROOT)
    npm("run", "--silent", "package")
    return EXTENSION / "dist" / "handoff-lsp.vsix"


@pytest.fixture(scope="session")
def wheelhouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The only folder in which pip finds packages in these tests. Empty until a test fills it."""
    return tmp_path_factory.mktemp("wheelhouse")


@pytest.fixture
def fill_wheelhouse(wheelhouse: Path) -> Callable[[], None]:
    """Put the server's dependencies into the wheelhouse, but not the server."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    needs = ["--only-binary", ":all:", "--require-hashes", "-r", str(ROOT / "requirements" / "run.txt")]
    return lambda: _run([*pip, "download", "--dest", str(wheelhouse), *needs], ROOT)


@pytest.fixture(scope="session")
def code_server(vsix: Path, wheelhouse: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[CodeServer]:
    server = CodeServer(program("code-server"), tmp_path_factory.mktemp("code-server"))
    server.install(vsix)
    server.start({"PATH": _plain_path(), "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheelhouse)})
    yield server
    server.stop()


def _plain_path() -> str:
    """A PATH with Python and the usual tools, and no language server of ours on it."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(folder for folder in folders if not (Path(folder) / "handoff-lsp").exists())


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """The examples, in a folder of the test's own."""
    return shutil.copytree(ROOT / "examples", tmp_path / "examples")


@pytest.fixture
def open_window(code_server: CodeServer, browser: Any) -> Iterator[Open]:
    with _windows(code_server, browser) as open_window:
        yield open_window


@pytest.fixture(scope="module")
def open_shared_window(code_server: CodeServer, browser: Any) -> Iterator[Open]:
    """For modules with tests that share one window, each with its own file."""
    with _windows(code_server, browser) as open_window:
        yield open_window


@contextmanager
def _windows(code_server: CodeServer, browser: Any) -> Iterator[Open]:
    from editors.vscode.workbench import Workbench  # needs Playwright, and a conftest cannot be skipped

    outside: set[str] = set()

    def asked(sent: Any) -> None:
        address = urlsplit(sent.url)
        host = address.hostname or ""
        # A preview loads files by an address, too, which its own service worker answers.
        ours = host == "127.0.0.1" or host.endswith(".vscode-resource.vscode-cdn.net")
        if address.scheme in ("http", "https", "ws", "wss") and not ours:
            outside.add(host)

    def open_window(folder: Path, file: str | None = None, settings: dict[str, Any] | None = None) -> Workbench:
        code_server.user({"handoff-lsp.server.path": str(SERVER), **(settings or {})})
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.on("request", asked)
        page.goto(code_server.address(folder, folder / file if file else None))
        window = Workbench(page, SHOTS).ready()
        SHOWN.append(window)
        if folder.suffix == ".code-workspace":
            window.with_folders()
        if file:
            window.eventually(window.active_file, Path(file).name)
            window.eventually(window.text, bool)
            window.focus()
        return window

    yield open_window
    for window in SHOWN:
        window.page.context.close()
    SHOWN.clear()
    _end_hosts(code_server)
    assert not outside, f"the page asked {outside}"


def _end_hosts(code_server: CodeServer) -> None:
    """Stop the extension hosts of closed pages and their processes, so that the next test meets none of them."""
    assert code_server.process is not None
    for process in descendants(code_server.process.pid):
        if "--type=extensionHost" in process.command or is_server(process.command):
            process.kill()


SHOWN: list[Workbench] = []


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Keep the screen of a failed test."""
    report: Any = yield
    if report.failed:
        for number, window in enumerate(SHOWN):
            window.screenshot(f"FAILED-{item.name}-{number}")
        if SHOWN and (server := item.funcargs.get("code_server")):
            (SHOTS / f"FAILED-{item.name}.log").write_text(server.logs("*"), "utf-8")
    return report
