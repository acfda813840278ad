"""Code actions: fixes, and rewriting a handoff."""
