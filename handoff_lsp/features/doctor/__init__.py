"""The installation, the config that applies, and why a file is a handoff or not."""
