"""What an editor shows, one module a feature: pure functions from an analysis and an offset to plain dataclasses."""
