"""The folder of the contracts and schemas, and the file in it that is read before any contract."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any


def schemas_folder() -> Path:
    """The folder of the contracts and schemas: inside the installed package, or beside it in a clone."""
    packed = Path(__file__).parent.parent / "_schemas"
    return packed if packed.is_dir() else Path(__file__).parent.parent.parent / "schemas"


@lru_cache(maxsize=1)
def needs_of_contracts() -> dict[str, Any]:
    """The needs of the built-in contracts, for ``possible_contracts``."""
    needs: dict[str, Any] = json.loads((schemas_folder() / "prescan.json").read_bytes())
    return needs
