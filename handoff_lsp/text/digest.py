"""The digest of a text, without the large library that ``hashlib`` loads."""

from __future__ import annotations

import sys
from importlib import import_module


def sha256_of(text: str) -> str:
    """The SHA-256 of a text in UTF-8, as hexadecimal digits."""
    try:
        module = import_module("_sha256" if sys.version_info < (3, 12) else "_sha2")
    except ImportError:
        module = import_module("hashlib")
    return str(module.sha256(text.encode("utf-8", "surrogatepass")).hexdigest())
