"""The shape of a document: symbols, folding, selection, semantic tokens."""
