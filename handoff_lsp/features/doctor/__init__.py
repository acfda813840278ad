"""What is installed, which config applies, and why a file is a handoff or not."""
