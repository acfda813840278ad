"""Binding: a contract's fields with their values and places in a document. It never reports findings."""
