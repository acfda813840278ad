"""Digests, without the large library that ``hashlib`` loads."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from typing import Any


def sha256_of(text: str) -> str:
    """The SHA-256 of a text in UTF-8, as hexadecimal digits: one that other programs compute, too."""
    made = _function("_sha256" if sys.version_info < (3, 12) else "_sha2", "sha256")
    return str(made(_encoded(text)).hexdigest())


def text_digest(text: str) -> str:
    """A digest of a text, as hexadecimal digits: of two different texts, each has its own."""
    return digest(_encoded(text)).hex()


def digest(data: bytes) -> bytes:
    """The same for bytes: 16 of them."""
    return bytes(_function("_blake2", "blake2b")(data, digest_size=16).digest())


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


@cache
def _function(module: str, name: str) -> Any:
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError):  # a Python that has it elsewhere
        return getattr(import_module("hashlib"), name)
