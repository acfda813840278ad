"""What the orchestrator does with a handoff, by its contract's routes."""
