"""The paths of the editors that tests drive: those that `.ci/editors` has installed, then the machine's."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

# For Chromium: nothing is asked of the network.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"]
FLAGS += ["--disable-component-update", "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"]


def cache() -> Path:
    """The folder that `.ci/editors` keeps the editors in; the environment may name another one."""
    named = os.environ.get("HANDOFF_LSP_CACHE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "handoff-lsp-editors"


def program(name: str) -> str:
    """The path of an editor's executable. Without one the test is skipped, with the command to install it."""
    found = shutil.which(name, path=os.pathsep.join([str(cache() / "bin"), os.environ.get("PATH", os.defpath)]))
    if found is None:
        pytest.skip(f"no {name} here: `bash .ci/editors {name}` installs it")
    return found
