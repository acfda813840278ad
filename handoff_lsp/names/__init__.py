"""The names and paths that a handoff mentions."""
