"""``handoff-lsp report``: one HTML page about the handoffs of folders, or of all work trees of a repository."""
