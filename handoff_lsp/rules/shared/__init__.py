"""Helpers of the rules. No module here is a rule."""
