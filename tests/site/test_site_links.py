"""The check of links finds each kind of broken one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from handoff_lsp.rules.pages import REPOSITORY

ROOT = Path(__file__).parent.parent.parent


def check(site: Path) -> tuple[int, list[str]]:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "site_links.py", site], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr.splitlines()


@pytest.mark.parametrize(
    ("link", "is_there"),
    [
        ("rule/", True),
        ("rule/#why", True),
        ("rule/index.html#why", True),
        ("/rule/", True),
        ("#here", True),
        ("style.css?v=1", True),
        ("https://example.org/anything", True),
        (f"{REPOSITORY}/blob/main/README.md", True),
        (f"{REPOSITORY}/blob/main/README.md#install", True),
        (f"{REPOSITORY}/tree/main/tests", True),
        (f"{REPOSITORY}/issues", True),
        ("rules/", False),
        ("rule/#nothing", False),
        ("#nothing", False),
        ("picture.png", False),
        (f"{REPOSITORY}/blob/main/NOTHING.md", False),
        (f"{REPOSITORY}/blob/main/README.md#nothing", False),
    ],
)
def test_a_link(tmp_path: Path, link: str, is_there: bool) -> None:
    (tmp_path / "rule").mkdir()
    (tmp_path / "rule" / "index.html").write_text('<h2 id="why">Why</h2>\n<a href="../">home</a>')
    (tmp_path / "style.css").write_text("")
    (tmp_path / "index.html").write_text(f'<p id="here">\n<a href="{link}">x</a>')
    assert check(tmp_path) == ((0, []) if is_there else (1, [f"index.html:2: {link}"]))


def test_a_folder_without_pages_is_no_site(tmp_path: Path) -> None:
    assert check(tmp_path)[0] == 1
