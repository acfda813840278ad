"""New handoffs: skeletons of a contract, and where one goes in a document."""
