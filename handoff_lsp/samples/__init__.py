"""New handoffs and examples of a contract, each tried out by the engine."""
