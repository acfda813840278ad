"""Notifications from the client, one module for each group: life cycle, documents, settings, files."""
