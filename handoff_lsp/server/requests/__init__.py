"""Requests from the client, one module for each method: open the document, ask the feature, convert the answer."""
