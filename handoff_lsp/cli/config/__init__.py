"""``handoff-lsp config`` and ``handoff-lsp init``: showing and writing a config."""
