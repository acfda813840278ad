"""Ordinary Markdown gets no finding at all: every ``*.md`` that this machine's installed packages brought."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.text import Source

ROOT = Path(__file__).parent.parent
_MOST = 1000


def _markdown() -> Iterator[Path]:
    folders = [
        Path(sysconfig.get_paths()["purelib"]),
        Path(sys.base_prefix),
        Path("/usr/lib/node_modules"),
        Path("/usr/local/lib/node_modules"),
        Path("/usr/share/doc"),
    ]
    for folder in folders:
        if folder.is_dir():
            yield from folder.rglob("*.md")


def test_the_markdown_of_installed_packages_is_silent() -> None:
    options, registry = Options(), builtin()
    seen, told = 0, []
    for path in _markdown():
        if seen == _MOST or path.is_dir():
            break
        try:
            text = path.read_bytes().decode("utf-8")
        except (UnicodeDecodeError, OSError):
            continue
        seen += 1
        findings = analyze(Source(text), path.as_posix(), registry, options).findings
        told += [(path.as_posix(), finding) for finding in findings]
    if not seen:
        pytest.skip("no package with a Markdown file is installed here")
    assert told == []


def test_our_own_pages_are_silent() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "examples" / "README.md"]
    told = {}
    for page in pages:
        findings = analyze(Source(page.read_text(encoding="utf-8")), page.as_posix(), builtin(), Options()).findings
        if findings:
            told[page.name] = findings
    assert told == {}
