"""Completion in JSON."""
