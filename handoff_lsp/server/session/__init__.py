"""One session: the open documents, the client and its capabilities, and the time of each report."""
