"""Schemas of contracts: JSON Schemas of a handoff as written and as parsed, and those for models and editors."""
