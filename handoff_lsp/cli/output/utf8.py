"""Output for programs: UTF-8 in every locale, and everything else on standard error."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handoff_lsp.cli.output.summary import Summary


def write_utf8(text: str, *, to_stderr: bool = False) -> None:
    """Print to standard output, or standard error, in UTF-8, in every locale."""
    stream = sys.stderr if to_stderr else sys.stdout
    buffer = getattr(stream, "buffer", None)
    if buffer is None:
        stream.write(text)
    else:
        stream.flush()
        buffer.write(text.encode("utf-8"))


def tell_skipped(summary: Summary) -> None:
    """List the files that a walk skipped on standard error, as standard output is for programs."""
    if summary.skipped:
        from handoff_lsp.cli.output.text import skipped_words

        sys.stdout.flush()
        print(f"handoff-lsp: {skipped_words(summary)}", file=sys.stderr, flush=True)
