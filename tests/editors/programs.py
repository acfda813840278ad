"""Where the editors are that tests drive: what `.ci/editors` has installed, then what the machine has."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest


def cache() -> Path:
    """The folder that `.ci/editors` keeps the editors in; the environment may name another one."""
    named = os.environ.get("HANDOFF_LSP_CACHE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "handoff-lsp-editors"


def program(name: str) -> str:
    """The path of an editor's executable. Where there is none the test is skipped, with what would install it."""
    found = shutil.which(name, path=os.pathsep.join([str(cache() / "bin"), os.environ.get("PATH", os.defpath)]))
    if found is None:
        pytest.skip(f"no {name} here: `bash .ci/editors {name}` installs it")
    return found
