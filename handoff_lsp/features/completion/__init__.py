"""Completion, one module for each kind of place."""
