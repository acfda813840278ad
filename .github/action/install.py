"""The first step of the action: installs handoff-lsp into an environment of its own, beside the job's packages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from pathlib import Path

_VERSION = re.compile(r"\d[0-9A-Za-z.!+-]*")


def main() -> int:
    """Install the version that is wanted. Returns the exit code."""
    version = os.environ.get("INPUT_VERSION", "").strip()
    if sys.version_info < (3, 11):  # noqa: UP036  # a job may bring any Python
        print("::error title=handoff-lsp::Python 3.11 or newer is needed: set `python-version`")
        return 2
    if version and not _VERSION.fullmatch(version):
        print("::error title=handoff-lsp::`version` must be a version such as 1.2.3")
        return 2
    wanted = f"handoff-lsp=={version}" if version else str(Path(__file__).resolve().parents[2])
    folder = Path(os.environ["RUNNER_TEMP"]) / "handoff-lsp"
    venv.create(folder, with_pip=True, clear=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    return subprocess.call([python, "-I", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wanted])


if __name__ == "__main__":
    sys.exit(main())
