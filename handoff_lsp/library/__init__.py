"""What ``import handoff_lsp`` offers: plain functions and types over the engine, the config and the files."""
