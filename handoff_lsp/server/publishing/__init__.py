"""Diagnostics and lists that the server sends, pushed or pulled, of one document or of the workspace."""
