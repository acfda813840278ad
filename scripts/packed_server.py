"""This clone's server as a wheel for the VS Code extension: `python scripts/packed_server.py` writes it to
editors/vscode/server.

The extension then installs the server that it was made with, on any machine. Its files are stored and not compressed:
the package of the extension compresses them together, to little more than half.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

ROOT = Path(__file__).parent.parent
TARGET = ROOT / "editors" / "vscode" / "server"


def pack(target: Path = TARGET) -> Path:
    """Write the wheel, the only file in its folder, and return its path. Raises CalledProcessError if pip fails."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", folder, str(ROOT)], check=True)
        (built,) = Path(folder).glob("*.whl")
        wheel = target / built.name
        with ZipFile(built) as packed, ZipFile(wheel, "w", ZIP_STORED) as stored:
            for entry in packed.infolist():
                stored.writestr(entry, packed.read(entry), compress_type=ZIP_STORED)
    return wheel


if __name__ == "__main__":
    print(pack().relative_to(ROOT))
