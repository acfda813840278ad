"""The pages about names and paths, which need the workspace, by their keys."""

from __future__ import annotations

from handoff_lsp.features.context import Context
from handoff_lsp.features.pages.name_pages import name_page
from handoff_lsp.features.pages.path_pages import path_page

_NAME, _PATH = "name:", "path:"


def name_key(kind: str, name: str) -> str:
    """The key by which ``workspace_page`` finds the page of a name."""
    return f"{_NAME}{kind}/{name}"


def path_key(path: str) -> str:
    """The key by which ``workspace_page`` finds the page of a path."""
    return f"{_PATH}{path}"


def workspace_page(key: str, context: Context) -> str | None:
    """The page with a key; None for a key of neither a name nor a path."""
    if key.startswith(_PATH):
        return path_page(key.removeprefix(_PATH), context)
    if key.startswith(_NAME):
        kind, _, name = key.removeprefix(_NAME).partition("/")
        return name_page(kind, name, context)
    return None
