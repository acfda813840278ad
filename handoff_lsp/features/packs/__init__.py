"""What the prompts of a workspace say about contracts, all of them together."""
