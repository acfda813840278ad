"""Checks a tag for the release workflow: `python scripts/release.py check v1.2.3` and `… notes v1.2.3`.

`check` fails unless every file that names the version names the tag's, and the changelog has a section for it. `notes`
prints that section, for the release's page.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
_HEADING = re.compile(r"^## \[?v?(?P<version>[^\]\s]+)\]?.*\n", re.MULTILINE)


def versions(root: Path = ROOT) -> dict[str, str]:
    """The version in each file that names it; empty where a file names none."""

    def text(name: str) -> str:
        return (root / name).read_text(encoding="utf-8")

    package = "handoff_lsp/__init__.py"
    extension = "editors/vscode/package.json"
    zed, crate = "editors/zed/extension.toml", "editors/zed/Cargo.toml"
    mason = "editors/neovim/submit/mason-registry/packages/handoff-lsp/package.yaml"
    registry = "packaging/mcp-registry/server.json"
    server = json.loads(text(registry))
    ci = "docs/ci.md"
    formula = "packaging/homebrew/Formula/handoff-lsp.rb"
    return {
        package: _only(r'^__version__ = "(.+)"$', text(package)),
        extension: json.loads(text(extension)).get("version", ""),
        zed: tomllib.loads(text(zed)).get("version", ""),
        crate: tomllib.loads(text(crate)).get("package", {}).get("version", ""),
        mason: _only(r"^  id: pkg:pypi/handoff-lsp@(.+)$", text(mason)),
        formula: _only(r'^  url ".*/handoff_lsp-(.+)\.tar\.gz"$', text(formula)),
        registry: ", ".join(sorted({server["version"], *(each["version"] for each in server["packages"])})),
        ci: _same(r"(?:rev: |handoff-lsp@)v(\d+\.\d+\.\d+)$", text(ci)),
    }


def notes(version: str, changelog: str) -> str:
    """The section of a version in a changelog, without its heading; empty if it has none."""
    parts = _HEADING.split(changelog)
    return next((text.strip() for name, text in zip(parts[1::2], parts[2::2], strict=True) if name == version), "")


def problems(tag: str, root: Path = ROOT) -> list[str]:
    """Why a tag cannot be released, one line each."""
    if not re.fullmatch(r"v\d+\.\d+\.\d+", tag):  # VS Code's marketplace has no other versions
        return [f'the tag is "{tag}", but must be of the form v1.2.3']
    wanted = tag.removeprefix("v")
    found = [
        f"{name} has {f'version {version}' if version else 'no version'}, but the tag is {tag}: write {wanted} there"
        for name, version in versions(root).items()
        if version != wanted
    ]
    if not notes(wanted, (root / "CHANGELOG.md").read_text(encoding="utf-8")):
        found.append(f"CHANGELOG.md has no text below a heading `## {wanted}`: rename `## Unreleased`")
    return found


def _only(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    return found[1] if found else ""


def _same(pattern: str, text: str) -> str:
    """The versions that a text names, each once."""
    return ", ".join(sorted(set(re.findall(pattern, text, re.MULTILINE))))


def main(arguments: list[str]) -> int:
    match arguments:
        case ["check", tag]:
            found = problems(tag)
            for line in found:
                print(f"error: {line}", file=sys.stderr)
            return 1 if found else 0
        case ["notes", tag]:
            print(notes(tag.removeprefix("v"), (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")))
            return 0
    print("usage: python scripts/release.py check|notes TAG", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
