"""One session: the open documents, the client and its abilities, what it is told and when."""
