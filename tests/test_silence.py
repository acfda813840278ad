"""Ordinary Markdown gets no finding: the files of pinned packages, in their pinned versions, and our own pages.

`python tests/silence.py FOLDER` checks public repositories; it needs a network, so the nightly workflow runs it.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
import silence
from repositories import Repository

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


def test_the_markdown_of_npm_packages_is_silent() -> None:
    modules = ROOT / "editors" / "vscode" / "node_modules"
    if not modules.is_dir():
        pytest.skip("no packages of npm: `make test` installs them into editors/vscode/node_modules")
    lock = json.loads((ROOT / "editors" / "vscode" / "package-lock.json").read_text(encoding="utf-8"))
    pinned = [name for name in lock["packages"] if name and "node_modules" not in name.removeprefix("node_modules/")]
    pages = [page for name in pinned for page in sorted((modules.parent / name).rglob("*.md"))]
    assert len(pages) > 300
    told = {}
    for page in pages:
        text = page.read_text(encoding="utf-8")
        if found := analyze(Source(text), page.relative_to(modules).as_posix(), builtin(), Options()).findings:
            told[str(page)] = found
    assert told == {}


def test_a_finding_in_a_public_repository_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command of the nightly workflow, with repositories of this machine."""
    shown = ROOT / "examples" / "handoffs" / "board" / "backend-dev-handoff.md"
    rows = ["repository\tcommit\tfiles"]
    for name, text in (("someone/ordinary", "# Notes\n"), ("someone/handoffs", shown.read_text(encoding="utf-8"))):
        repository = Repository.new(tmp_path / "from" / name)
        repository.write("handoffs/board/backend-dev-handoff.md", text)
        repository.commit("text", ".")
        rows.append(f"{name}\t{repository.git('rev-parse', 'HEAD')}\t1")
    (tmp_path / "silence.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    monkeypatch.setattr(silence, "TABLE", tmp_path / "silence.tsv")
    monkeypatch.setattr(sys, "argv", ["silence.py", str(tmp_path / "to"), "--address", f"{tmp_path}/from/{{}}"])
    assert silence.main() == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "someone/ordinary: 1 files, 0 findings"
    assert told[1].startswith("someone/handoffs: 1 files, ") and "invalid-value" in told[2]
    shutil.rmtree(tmp_path / "to" / "someone+handoffs" / "handoffs")
    assert silence.main() == 1
    assert capsys.readouterr().out.endswith("someone/handoffs: only 0 of 1 files were checked\n")


def test_our_own_pages_are_silent() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "examples" / "README.md"]
    told = {}
    for page in pages:
        findings = analyze(Source(page.read_text(encoding="utf-8")), page.as_posix(), builtin(), Options()).findings
        if findings:
            told[page.name] = findings
    assert told == {}
