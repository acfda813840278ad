"""Random edits of all cases, and the laws that must hold whatever comes out: `make fuzz`."""
