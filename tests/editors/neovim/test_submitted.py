"""The entries for other projects' lists have the form that these want."""

from __future__ import annotations

import re

import yaml
from editors.neovim.driver import PLUGIN

import handoff_lsp

MASON = PLUGIN / "submit" / "mason-registry" / "packages" / "handoff-lsp" / "package.yaml"
LSPCONFIG = PLUGIN / "submit" / "nvim-lspconfig" / "lsp" / "handoff_lsp.lua"


def test_the_mason_entry_has_the_keys_of_their_schema() -> None:
    entry = yaml.safe_load(MASON.read_text(encoding="utf-8"))
    assert set(entry) == {"name", "description", "homepage", "licenses", "languages", "categories", "source", "bin"}
    assert entry["name"] == MASON.parent.name
    assert re.match("https?://", entry["homepage"])
    assert set(entry["categories"]) <= {"Compiler", "DAP", "Formatter", "LSP", "Linter", "Runtime"}
    assert entry["source"]["id"] == f"pkg:pypi/handoff-lsp@{handoff_lsp.__version__}"
    assert entry["bin"] == {"handoff-lsp": "pypi:handoff-lsp"}


def test_the_lspconfig_entry_is_data_with_its_documentation_first() -> None:
    """That Neovim loads it and attaches with it is in `test_setup.py`."""
    text = LSPCONFIG.read_text(encoding="utf-8")
    head, _, body = text.partition("---@type vim.lsp.Config\n")
    assert head.startswith("---@brief\n---\n--- https://")
    assert all(line.startswith("---") or not line for line in head.splitlines())
    assert body.startswith("return {\n  cmd = ")
    assert not re.search(r"require|create_user_command|\t", body)
