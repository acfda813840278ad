"""What the editor shows of the orchestrator's decision: lens, hints, the list of handoffs."""
