"""The command ``handoff-lsp``: one module for each command, one for each output format."""
