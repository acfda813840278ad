"""The sdist and the wheel of `make dist`: complete, and described so that the package index can show it."""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

import handoff_lsp

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an sdist and a wheel. Built without a network: the build's requirements are those of the tests."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    return folder


def metadata(dist: Path) -> Message:
    (wheel,) = dist.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        (name,) = [name for name in packed.namelist() if name.endswith(".dist-info/METADATA")]
        return message_from_bytes(packed.read(name))


def test_every_link_and_picture_of_the_description_is_a_whole_address(dist: Path) -> None:
    description = metadata(dist).get_payload(decode=True)
    assert isinstance(description, bytes)
    page = MarkdownIt("commonmark").enable("table").render(description.decode())
    addresses = re.findall(r'(?:href|src)="([^"]*)"', page)
    assert len(addresses) > 20
    assert [address for address in addresses if not address.startswith("https://")] == []
    raw, files = "https://raw.githubusercontent.com/", "https://github.com/handoff-lsp/handoff-lsp/blob/HEAD/"
    assert all(address.startswith(raw) for address in re.findall(r'src="([^"]*)"', page))
    paths = [address.removeprefix(files) for address in addresses if address.startswith(files)]
    assert [path for path in paths if not (ROOT / path.partition("#")[0]).exists()] == []


def test_readers_of_the_index_install_from_it(dist: Path) -> None:
    description = metadata(dist).get_payload(decode=True)
    assert isinstance(description, bytes)
    assert b"`pip install handoff-lsp`, or `uvx handoff-lsp`" in description


def test_the_metadata(dist: Path) -> None:
    found = metadata(dist)
    assert (found["Name"], found["Version"]) == ("handoff-lsp", handoff_lsp.__version__)
    assert found["Description-Content-Type"] == "text/markdown"
    labels = {line.split(",")[0] for line in found.get_all("Project-URL", [])}
    assert labels == {"Homepage", "Documentation", "Repository", "Issues", "Changelog"}


def test_the_wheel_holds_all_that_runs_and_nothing_else(dist: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    assert {"handoff_lsp/cli/main.py", "handoff_lsp/_schemas/contracts.json", "handoff_lsp/py.typed"} <= set(names)
    assert [name for name in names if not name.startswith(("handoff_lsp/", "handoff_lsp-"))] == []


def test_the_sdist_brings_the_pins_that_the_formula_installs(dist: Path) -> None:
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as packed:
        names = packed.getnames()
    assert f"handoff_lsp-{handoff_lsp.__version__}/requirements/run.txt" in names


def test_the_build_asks_for_nothing_that_the_tests_do_not_install() -> None:
    """So `make dist` needs no network, and its tools are pinned by their hashes."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    dev = project["project"]["optional-dependencies"]["dev"]
    assert set(project["build-system"]["requires"]) <= set(dev)
