"""Random edits of all cases, and the laws that must hold for every result: `make fuzz`."""
