"""The site as a reader sees it: built as `make docs` builds it, and opened in Chromium."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.rules.pages import SITE, page_of, page_of_contract
from handoff_lsp.rules.registry import all_rules

ROOT = Path(__file__).parent.parent.parent
WIDTHS = (390, 1440)
SCHEMES = ("light", "dark")

# A page of each kind: text, a long table, code, a page with the widest tables, all rules of the sources.
PAGES = (
    "",
    "rules/invalid-value/",
    "contracts/agent-contract/",
    "command-line/",
    "rules/",
    "seeds/",
    "gallery/README/",
)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """A test's output has no lines of a server."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site, from this clone's pages."""
    pytest.importorskip("sphinx", reason="no Sphinx: requirements/docs.txt has it")
    folder = tmp_path_factory.mktemp("site")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (options,) = re.findall(r"-m sphinx (.*) docs build/site$", makefile, re.MULTILINE)
    build = [sys.executable, "-m", "sphinx", *options.split(), "docs", str(folder)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """The address of a server of that folder."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture
def open_page(browser: Any, address: str) -> Iterator[Callable[..., Any]]:
    """Opens a page of the site. What the browser complains of, or asks of anything but the site, fails the test."""
    contexts: list[Any] = []
    wrong: list[str] = []

    def open_page(path: str, width: int = 1440, scheme: str = "light") -> Any:
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme))
        page = contexts[-1].new_page()
        page.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda sent: None if sent.url.startswith((address, "data:")) else wrong.append(sent.url))
        page.goto(address + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert wrong == []


def test_every_rule_contract_and_schema_has_its_address(site: Path) -> None:
    addresses = [page_of(code) for code in all_rules()] + [page_of_contract(entry.name) for entry in builtin()]
    assert [one for one in addresses if not (site / one.removeprefix(f"{SITE}/") / "index.html").is_file()] == []
    schemas = sorted(path.name for path in (ROOT / "schemas").glob("*.schema.json"))
    assert sorted(path.name for path in (site / "schemas").glob("*.json")) == schemas


def test_every_link_leads_somewhere(site: Path) -> None:
    check = [sys.executable, ROOT / "scripts" / "site_links.py", site]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_a_page_fits_its_window_and_is_light_or_dark(open_page: Callable[..., Any], width: int, scheme: str) -> None:
    for path in PAGES:
        page = open_page(path, width, scheme)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert page.locator("article h1").count() == 1, path
        red, green, blue = map(
            int, re.findall(r"\d+", page.evaluate("getComputedStyle(document.body).backgroundColor"))
        )
        assert (red + green + blue < 200) == (scheme == "dark"), path
        cut = """[...document.querySelectorAll('article pre, article .table-wrapper')].filter(
            box => box.scrollWidth > box.clientWidth && getComputedStyle(box).overflowX !== 'auto').length"""
        assert page.evaluate(cut) == 0, path


def test_lines_of_output_are_whole_on_a_wide_screen(open_page: Callable[..., Any]) -> None:
    page = open_page("", 1440)
    assert page.evaluate("[...document.querySelectorAll('pre')].every(box => box.scrollWidth <= box.clientWidth)")


def test_the_search_finds_a_rule_without_a_network(open_page: Callable[..., Any]) -> None:
    page = open_page("")
    page.get_by_placeholder("Search").first.fill("placeholder left")
    page.keyboard.press("Enter")
    page.locator("ul.search li a").first.wait_for()
    found = page.locator("ul.search li a").all_inner_texts()
    assert "placeholder-left" in found
    page.locator("ul.search li a", has_text="placeholder-left").first.click()
    assert page.locator("article h1").inner_text().startswith("placeholder-left")
    assert page.url.rstrip("/").split("?")[0].endswith("/rules/placeholder-left")


def test_the_sidebar_lists_the_pages_by_audience(open_page: Callable[..., Any]) -> None:
    page = open_page("")
    captions = page.locator(".sidebar-tree .caption-text").all_inner_texts()
    headings = re.findall(r"^## (.+)$", (ROOT / "docs" / "index.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert [caption.casefold() for caption in captions] == [heading.casefold() for heading in headings]


def test_a_reader_changes_between_light_and_dark(open_page: Callable[..., Any]) -> None:
    page = open_page("rules/invalid-value/")
    before = page.evaluate("document.body.dataset.theme")
    page.locator("button.theme-toggle:visible").first.click()
    assert page.evaluate("document.body.dataset.theme") != before
