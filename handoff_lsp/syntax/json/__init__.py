"""Tolerant JSON."""
