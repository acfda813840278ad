"""Cases of contracts: documents with what is expected of them beside the lines, run by tests and by the command."""
