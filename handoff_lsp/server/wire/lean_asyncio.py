"""Loads ``asyncio`` as a Python without OpenSSL has it: that takes 4 MB and a tenth of its time less.

A session over stdin and stdout encrypts nothing. ``import ssl`` elsewhere finds the library as ever.
"""

from __future__ import annotations

import sys


def load_asyncio() -> None:
    """Import ``asyncio``. Without effect if it or ``ssl`` was imported already."""
    if "asyncio" in sys.modules or "ssl" in sys.modules:
        return
    sys.modules["ssl"] = None  # type: ignore[assignment]  # an import of it raises ImportError, which asyncio expects
    try:
        import asyncio as asyncio
    finally:
        del sys.modules["ssl"]
