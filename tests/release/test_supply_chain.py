"""What an installation contains is pinned by hash, and listed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
REQUIREMENTS = sorted((ROOT / "requirements").glob("*.txt"))
LISTER = Path(sys.executable).with_name("cyclonedx-py")


def _pinned(path: Path) -> list[str]:
    return re.findall(r"(?m)^(\S+==\S+)", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", REQUIREMENTS, ids=lambda path: path.stem)
def test_each_requirement_has_one_version_and_its_hashes(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    requirements = re.split(r"(?m)^(?=[A-Za-z])", re.sub(r"(?m)^\s*#.*\n", "", text))[1:]
    assert len(requirements) > 10
    for one in requirements:
        assert re.match(r"[\w.-]+==[\w.!+]+ ", one), one
        assert "--hash=sha256:" in one
    assert "://" not in text


@pytest.mark.skipif(not LISTER.exists(), reason="cyclonedx-py is not installed: make sbom")
def test_the_list_of_an_installation_has_each_pinned_package(tmp_path: Path) -> None:
    written = tmp_path / "list.cdx.json"
    command = [LISTER, "requirements", "requirements/run.txt", "--pyproject", "pyproject.toml", "-o", written]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    listed = json.loads(written.read_text(encoding="utf-8"))
    assert listed["bomFormat"] == "CycloneDX"
    assert listed["metadata"]["component"]["name"] == "handoff-lsp"
    packages = {f"{one['name']}=={one['version']}" for one in listed["components"]}
    assert packages == set(_pinned(ROOT / "requirements" / "run.txt"))
    for one in listed["components"]:
        assert one["purl"].startswith("pkg:pypi/")
        assert any(kind["alg"] == "SHA-256" for found in one["externalReferences"] for kind in found["hashes"])
