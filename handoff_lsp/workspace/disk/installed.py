"""What is installed: Python, this package and the packages beside it. Imports little: the start of the server asks."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from handoff_lsp import __version__


def installed() -> list[object]:
    """Their names, sizes and times, as plain data for JSON: results are kept for as long as these stay the same."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    found: list[object] = [__version__, sys.version]
    for folder in sys.path:
        with suppress(OSError):
            found += sorted(name for name in os.listdir(folder or ".") if name.endswith((".dist-info", ".egg-info")))
    folders = [package]
    for folder in folders:
        found.append(folder)
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                with suppress(OSError):  # gone meanwhile, or the lock of an editor, which is a link to nothing
                    if not entry.is_dir():
                        about = entry.stat()
                        found.append([entry.name, about.st_size, about.st_mtime_ns])
                    elif entry.name != "__pycache__":
                        folders.append(entry.path)
    return found
