"""The addresses of the project are the same in every file that names them, and lead to a page."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.rules.pages import REPOSITORY, SITE, page_of, page_of_contract
from handoff_lsp.rules.registry import all_rules

ROOT = Path(__file__).parent.parent.parent

# Addresses of ours, as `owner/name` of GitHub or as a page of its sites.
OWN = re.compile(
    r"(?:github\.com|githubusercontent\.com)/([\w.-]+/handoff-lsp)\b|//([\w.-]+\.github\.io/handoff-lsp)\b"
)


def source_of(address: str) -> Path:
    """The page of docs/ from which the page at an address of the site is made."""
    return ROOT / "docs" / (address.removeprefix(f"{SITE}/").removesuffix("/") + ".md")


def tracked() -> list[Path]:
    """The files of the repository, new ones too."""
    names = subprocess.check_output(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, text=True
    )
    return [path for name in names.split("\0") if name and (path := ROOT / name).is_file()]


@pytest.mark.parametrize("code", all_rules())
def test_every_rule_has_a_page(code: str) -> None:
    assert source_of(page_of(code)).read_text(encoding="utf-8").startswith(f"# {code}\n")


@pytest.mark.parametrize("name", [entry.name for entry in builtin()])
def test_every_contract_has_a_page(name: str) -> None:
    assert source_of(page_of_contract(name)).is_file()


def test_every_file_names_the_same_repository_and_site() -> None:
    wanted = {REPOSITORY.removeprefix("https://github.com/"), SITE.removeprefix("https://")}
    named = {
        (path.relative_to(ROOT).as_posix(), repository or site)
        for path in tracked()
        if path.suffix not in {".jsonl", ".png"} and path != Path(__file__)
        for repository, site in OWN.findall(path.read_text(encoding="utf-8", errors="replace"))
    }
    assert {address for _, address in named} == wanted, sorted(named)
    assert {"pyproject.toml", "editors/vscode/package.json", "SECURITY.md"} < {name for name, _ in named}


def pages_outside_of_docs() -> list[str]:
    """README.md and its like, of the repository and of each editor."""
    names = [path.relative_to(ROOT).as_posix() for path in tracked()]
    return [name for name in names if re.fullmatch(r"(editors/.+/|packaging/|\.github/)?\w+\.md", name)]


@pytest.mark.parametrize("name", pages_outside_of_docs())
def test_every_link_of_a_page_outside_of_docs_leads_to_a_file(name: str) -> None:
    """Those of docs/ are checked with the site: `make docs`."""
    page = ROOT / name
    text = re.sub(r"(?ms)^ *(`{3,}|~{3,}).*?^ *\1", "", page.read_text(encoding="utf-8"))
    links = re.findall(r"\]\((?!\w+:|#)([^)#\s]+)", text) + re.findall(r"(?m)^\[[^\]]+\]: (?!\w+:|#)([^#\s]+)", text)
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_every_address_of_the_site_in_a_file_is_a_page() -> None:
    addresses = {
        address.split("#")[0].rstrip("/")
        for path in tracked()
        if path.suffix in {".md", ".json", ".yml", ".yaml", ".toml", ".rb"}
        for address in re.findall(re.escape(SITE) + r"/[\w/.-]+[\w/]", path.read_text(encoding="utf-8"))
    }
    assert addresses
    schemas = {address for address in addresses if address.startswith(f"{SITE}/schemas/")}
    assert [one for one in schemas if not (ROOT / one.removeprefix(f"{SITE}/")).is_file()] == []
    assert [one for one in addresses - schemas if not source_of(one).is_file()] == []
