"""Tolerant parsers: a tree for any text, every defect with its place and its repair. They know no contract."""
