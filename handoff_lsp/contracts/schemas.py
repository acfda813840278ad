"""The folder of the contracts and schemas."""

from __future__ import annotations

from pathlib import Path


def schemas_folder() -> Path:
    """The folder of the contracts and schemas: inside the installed package, or beside it in a clone."""
    packed = Path(__file__).parent.parent / "_schemas"
    return packed if packed.is_dir() else Path(__file__).parent.parent.parent / "schemas"
