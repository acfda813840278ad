"""The rules about prompts, and their helpers: loaded with the first prompt, for most documents are none."""
