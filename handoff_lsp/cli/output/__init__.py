"""The formats of `check`, one module each."""
