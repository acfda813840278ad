"""``handoff-lsp contract``: a module for each of its actions."""
