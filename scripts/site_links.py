"""Checks the links of the built site without a network: `python scripts/site_links.py build/site`.

A link within the site must lead to a page and to an id in it, and one to a file of this repository on GitHub to a file
of this clone, and to a heading of it. Other addresses are not asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from markdown_it import MarkdownIt

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from seeds import anchor_of

from handoff_lsp.rules.pages import REPOSITORY

_FILES = (f"{REPOSITORY}/blob/main/", f"{REPOSITORY}/tree/main/")
_HERE = "http://site.invalid/"  # the address of the folder, for urljoin


class Page(HTMLParser):
    """The ids of a page, and its links with their lines, from 1."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[tuple[int, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            elif name in {"href", "src"} and value:
                self.links.append((self.getpos()[0], value))


@cache
def _page(path: Path) -> Page:
    return Page(path.read_text(encoding="utf-8"))


@cache
def _headings(path: Path) -> frozenset[str]:
    """The anchors that GitHub gives the headings of a Markdown file."""
    tokens = MarkdownIt().parse(path.read_text(encoding="utf-8"))
    return frozenset(
        anchor_of(tokens[at + 1].content) for at, token in enumerate(tokens) if token.type == "heading_open"
    )


def broken_links(site: Path) -> Iterator[str]:
    """A line for each link to nothing: the page, the line, the link."""
    for path in sorted(site.rglob("*.html")):
        name = path.relative_to(site).as_posix()
        for line, link in _page(path).links:
            if not _leads_somewhere(site, name, link):
                yield f"{name}:{line}: {link}"


def _leads_somewhere(site: Path, name: str, link: str) -> bool:
    start = next((start for start in _FILES if link.startswith(start)), None)
    if start is not None:
        target, _, heading = link.removeprefix(start).partition("#")
        file = ROOT / unquote(target)
        return file.exists() and (not heading or file.suffix != ".md" or unquote(heading) in _headings(file))
    address = urlsplit(urljoin(_HERE + name, link))
    if address.netloc != urlsplit(_HERE).netloc:
        return True
    page = site / unquote(address.path).lstrip("/")
    page = page / "index.html" if page.is_dir() else page
    if not page.is_file():
        return False
    return not address.fragment or page.suffix != ".html" or unquote(address.fragment) in _page(page).ids


def main() -> int:
    site = Path(sys.argv[1])
    broken = list(broken_links(site))
    for line in broken:
        print(line, file=sys.stderr)
    pages = list(site.rglob("*.html"))
    print(f"{sum(len(_page(page).links) for page in pages):,} links in {len(pages)} pages, {len(broken)} broken")
    return 1 if broken or not pages else 0


if __name__ == "__main__":
    sys.exit(main())
