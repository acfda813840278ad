"""`python tests/promises.py`: the tests that docs/promises.md names, for pytest."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "promises.md"


def named() -> list[str]:
    """The node ids of the page, each once, in its order."""
    return list(dict.fromkeys(re.findall(r"`(tests/[\w/]+/?test_\w+\.py(?:::\w+)?)`", PAGE.read_text("utf-8"))))


if __name__ == "__main__":
    print("\n".join(named()))
