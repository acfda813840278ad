"""A contract's fields with the values and places that a document has for them. Binding never judges."""
