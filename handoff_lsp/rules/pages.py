"""The addresses of the documentation: those that a diagnostic, SARIF and a schema link to. None of them ever moves."""

from __future__ import annotations

# The project's two addresses. Every file that names them agrees: tests/release/test_addresses.py.
REPOSITORY = "https://github.com/handoff-lsp/handoff-lsp"
SITE = "https://handoff-lsp.github.io/handoff-lsp"


def page_of(code: str) -> str:
    """The address of a rule's page, by its code. Every rule of ``all_rules`` has one."""
    return f"{SITE}/rules/{code}/"


def page_of_contract(name: str) -> str:
    """The address of the page of a built-in contract, by its name; a project's own contracts have none."""
    return f"{SITE}/contracts/{name}/"
