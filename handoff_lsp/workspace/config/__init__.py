"""The config: where it is found, what it says, and which one applies to a document."""
