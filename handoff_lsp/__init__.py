"""handoff-lsp: see what an orchestrator will make of a handoff while it is being written."""

__version__ = "0.1.0"
