"""What prompts say about contracts: agents' definitions, commands, skills and the pages that they refer to."""
