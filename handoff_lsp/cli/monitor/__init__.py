"""`handoff-lsp monitor`: the agents of all work trees of a repository."""
