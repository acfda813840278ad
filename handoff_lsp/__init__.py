"""handoff-lsp: checks a handoff while it is being written, and shows the orchestrator's decision about it.

The Python interface, besides the command and the server::

    import handoff_lsp

    analysis = handoff_lsp.analyze(text, "handoffs/board/backend-dev-handoff.md")
    for finding in analysis.findings:
        print(finding.code, finding.severity, finding.message)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handoff_lsp.engine import Analysis, Options

__version__ = "0.1.0"

__all__ = ["__version__", "analyze"]


def analyze(text: str, path: str = "", options: Options | None = None, *, root: str | None = None) -> Analysis:
    """The analysis of one text: its handoffs and their findings. Reads no config.

    ``path`` (with ``/``, from the root of the project) helps to recognize the format; the file need not exist. Reads no
    other file either, unless ``root`` names the folder that ``path`` is in: then rules may compare the handoff with the
    other files in that folder, and nowhere else. Spans are in code points of ``text``. Never raises on any text.
    """
    # Imported on demand: the command's `--version` does not need the engine.
    from handoff_lsp import engine
    from handoff_lsp.binding.handoff import NOWHERE
    from handoff_lsp.contracts.registry import builtin
    from handoff_lsp.text import Source

    chosen = options or engine.Options()
    around = None
    if root is not None and path:
        from dataclasses import replace
        from pathlib import Path

        from handoff_lsp.workspace.config.file_settings import Fixed
        from handoff_lsp.workspace.known_files import Files
        from handoff_lsp.workspace.surroundings import surroundings_of

        settings = Fixed(Path(root), builtin(), replace(chosen, contract=None, mode=None))
        around = surroundings_of(Files(settings), settings.path(path))
    return engine.analyze(Source(text), path, builtin(), chosen, around=around or NOWHERE)
