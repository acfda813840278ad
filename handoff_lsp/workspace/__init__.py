"""Documents and their config: open buffers over files on disk, and what is known of them. Knows no LSP."""
