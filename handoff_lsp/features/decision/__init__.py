"""The orchestrator's decision in an editor: lens, hints, the list of handoffs."""
