"""Features in prompts: what they say about contracts, and who else in the pack says it."""
