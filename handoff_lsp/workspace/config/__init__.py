"""The config: where it is found, its values, and which one applies to a document."""
