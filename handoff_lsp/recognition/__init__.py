"""Recognition: which parts of a document are handoffs, of which contract and profile."""
