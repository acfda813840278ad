"""Ordinary Markdown gets no finding: the files of pinned packages, in their pinned versions, and our own pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.text import Source

ROOT = Path(__file__).parent.parent
PINNED = re.compile(r"^([\w.-]+)==([\w.]+)", re.MULTILINE)
# At least this many pinned packages have a description in Markdown: with fewer the test would prove nothing.
_FEWEST = 15


def _markdown() -> Iterator[tuple[str, str]]:
    """Names and texts: the descriptions of the packages that are pinned, and the Markdown files in them.

    Other installed packages do not matter. A package that is not for this machine is skipped.
    """
    for name, version in PINNED.findall((ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8")):
        try:
            package = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue
        if package.version != version:
            continue
        about = package.metadata
        if (about.get("Description-Content-Type") or "").startswith("text/markdown"):
            text = about.get_payload() or about["Description"]
            yield f"{name}/README.md", str(text)
        for file in package.files or ():
            if file.suffix == ".md":
                yield f"{name}/{file.as_posix()}", Path(str(file.locate())).read_text(encoding="utf-8")


def test_the_markdown_of_pinned_packages_is_silent() -> None:
    options, registry = Options(), builtin()
    texts = dict(_markdown())
    assert len(texts) >= _FEWEST, sorted(texts)
    assert sum(map(len, texts.values())) > 50_000
    told = {
        path: found
        for path, text in texts.items()
        if (found := analyze(Source(text), path, registry, options).findings)
    }
    assert told == {}


def test_our_own_pages_are_silent() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "examples" / "README.md"]
    told = {}
    for page in pages:
        findings = analyze(Source(page.read_text(encoding="utf-8")), page.as_posix(), builtin(), Options()).findings
        if findings:
            told[page.name] = findings
    assert told == {}
