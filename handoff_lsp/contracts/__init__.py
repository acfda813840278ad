"""Formats: contract files as typed, validated data. Knows no document."""
