"""The error that an agent reads as the result of a tool."""

from __future__ import annotations


class ToolError(Exception):
    """A call that cannot be answered; the message says what is wrong and what to do."""
