"""The addresses of the project are written in many files, and are the same in all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.rules.pages import SITE, page_of, page_of_contract
from handoff_lsp.rules.registry import all_rules

ROOT = Path(__file__).parent.parent.parent


def source_of(address: str) -> Path:
    """The page of docs/ from which the page at an address of the site is made."""
    return ROOT / "docs" / (address.removeprefix(f"{SITE}/").removesuffix("/") + ".md")


@pytest.mark.parametrize("code", all_rules())
def test_every_rule_has_a_page(code: str) -> None:
    assert source_of(page_of(code)).read_text(encoding="utf-8").startswith(f"# {code}\n")


@pytest.mark.parametrize("name", [entry.name for entry in builtin()])
def test_every_contract_has_a_page(name: str) -> None:
    assert source_of(page_of_contract(name)).is_file()
