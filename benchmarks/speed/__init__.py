"""The page `docs/speed.md`, made by measuring handoff-lsp and its peers by turns: `python -m benchmarks.speed`."""
