"""The orchestrator's decision about a handoff, by its contract's routes."""
