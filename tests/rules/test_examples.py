"""The example on a rule's page is what the command prints for the documents that the page shows."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from handoff_lsp.cli.main import main
from handoff_lsp.rules.registry import all_rules

PAGES = Path(__file__).parents[2] / "docs" / "rules"
_FENCE = re.compile(r"(?:`([^`\n]+)`:\n\n)?~~~~\w+\n(.*?\n)~~~~", re.S)
_COMMAND = re.compile(r"`handoff-lsp check\b ?(.*)` reports:")
_ALSO = re.compile(r"^There is a file `([^`]+)`, too\.$", re.M)
# A page could not show the subject of these as a document.
_OWN = {"internal-error", "too-large"}


def _example(code: str) -> str:
    page = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    assert page.count("\n## Example\n") == 1
    return page.partition("\n## Example\n")[2]


@pytest.mark.parametrize("code", sorted(set(all_rules()) - _OWN))
def test_an_example_is_what_the_command_prints(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    example = _example(code)
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    shown = example.rpartition("~~~~text\n")[2].removesuffix("\n~~~~\n")
    documents, arguments = _COMMAND.split(example)[:2]
    files = {name or "handoff.md": text for name, text in _FENCE.findall(documents)}
    path = next(name for name in files if name != ".handoff-lsp.toml")
    if path.startswith("contracts/"):
        files[".handoff-lsp.toml"] = f'contract-files = ["{path}"]'
    for name, text in [*files.items(), *((name, "") for name in _ALSO.findall(documents))]:
        _write(tmp_path / name, text)
    if arguments:  # the first document is the message of an agent
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(files[path].encode())))
    main(["check", *(arguments.split() or [path])])
    printed = capsys.readouterr()
    assert shown in printed.out + printed.err


@pytest.mark.parametrize("code", sorted(_OWN))
def test_what_no_document_shows_has_an_example_too(code: str) -> None:
    assert f"[{code}]" in _example(code)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
