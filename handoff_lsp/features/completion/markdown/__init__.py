"""Completion in Markdown."""
