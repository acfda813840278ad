"""Markdown as a tree of blocks, updated after each edit."""
