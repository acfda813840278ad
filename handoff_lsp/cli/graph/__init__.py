"""``handoff-lsp graph``: who emits what, who handles it, and where prompts and contracts disagree."""
