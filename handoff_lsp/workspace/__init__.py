"""Documents and their config: open buffers over files on disk, and the results computed from them. Knows no LSP."""
