"""Hover and the pages of `explain`, as Markdown."""
