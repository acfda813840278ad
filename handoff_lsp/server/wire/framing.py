"""Read messages from the stream: headers, an empty line, and a body of ``Content-Length`` bytes."""

from __future__ import annotations

import asyncio

# The limits of a message (bytes, headers). A larger length is an error, and the body would never arrive.
MAX_BODY = 512_000_000
_MAX_HEADERS = 50


class BrokenFraming(Exception):
    """The input is not a message, so the start of the next one is unknown too."""


async def read_body(stream: asyncio.StreamReader) -> bytes | None:
    """The body of the next message; None at the end of the stream.

    Raises BrokenFraming, and IncompleteReadError if the stream ends in the middle of a message. The names of headers
    are as in HTTP: their case does not matter, and unknown ones are ignored.
    """
    length: int | None = None
    headers = 0
    while line := await _line(stream):
        if not line.endswith(b"\n"):
            raise asyncio.IncompleteReadError(line, None)
        if not line.strip():
            if not headers:
                continue  # blank lines between messages are ignored
            if length is None:
                raise BrokenFraming("a message without a header `Content-Length`")
            return await stream.readexactly(length)
        headers += 1
        name, colon, value = line.partition(b":")
        if not colon or headers > _MAX_HEADERS:
            raise BrokenFraming(f"no header of a message: {_shown(line)}")
        if name.strip().lower() == b"content-length":
            length = _length(value, length)
    if headers:
        raise asyncio.IncompleteReadError(b"", None)
    return None


async def _line(stream: asyncio.StreamReader) -> bytes:
    try:
        return await stream.readline()
    except ValueError as error:
        raise BrokenFraming("a header line of more than 64 KB") from error


def _length(value: bytes, before: int | None) -> int:
    """The number of bytes in a ``Content-Length`` header; ``before`` is the value of an earlier one."""
    digits = value.strip()
    length = int(digits) if digits.isdigit() and len(digits) < 20 else None
    if length is None or before not in (None, length):
        raise BrokenFraming(f"`Content-Length` is not a number: {_shown(digits)}")
    if length > MAX_BODY:
        raise BrokenFraming(f"a message of {length:,} bytes; the limit is {MAX_BODY:,}")
    return length


def _shown(data: bytes) -> str:
    return ascii(data[:60].decode("ascii", "replace").strip())
