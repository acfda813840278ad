"""The agents of a workspace: their definitions, and what they owe."""
