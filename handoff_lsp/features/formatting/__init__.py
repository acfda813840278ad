"""Formatting of documents and ranges."""
