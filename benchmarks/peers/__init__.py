"""The command lines of handoff-lsp and its peers, compared by running them: `python -m benchmarks.peers`."""
