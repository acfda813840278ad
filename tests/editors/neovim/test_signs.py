"""The cheap look at a buffer: nothing that the engine recognises is missed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from case_files import read_cases
from editors.neovim.driver import PLUGIN, neovim_program
from editors.workspace import ROOT

from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.registry import builtin

_MARKDOWN = [case for case in read_cases() if not case.path.endswith((".json", ".log"))]


def run_lua(script: str, given: Any, folder: Path) -> Any:
    """What a Lua script answers that is given JSON: `local given = …`, and a `return`."""
    (folder / "given.json").write_text(json.dumps(given), encoding="utf-8")
    (folder / "script.lua").write_text(
        f"vim.opt.rtp:append([[{PLUGIN}]])\n"
        f"local given = vim.json.decode(io.open([[{folder / 'given.json'}]]):read('*a'))\n"
        f"io.stdout:write(vim.json.encode((function() {script} end)()))\n",
        encoding="utf-8",
    )
    command = [neovim_program(), "--clean", "--headless", "-n", "-l", str(folder / "script.lua")]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, timeout=60)
    return json.loads(done.stdout)


def test_every_handoff_of_the_cases_is_one_here_too(tmp_path: Path) -> None:
    script = """
        local recognise = require('handoff.recognise')
        return vim.tbl_map(function(one)
            return recognise.path(one.path) or recognise.text(vim.split(one.text, '\\n'))
        end, given)
    """
    found = run_lua(script, [{"path": case.path, "text": case.text} for case in _MARKDOWN], tmp_path)
    recognised = [bool(case.analyze().handoffs) for case in _MARKDOWN]
    missed = [case.name for case, wanted, there in zip(_MARKDOWN, recognised, found, strict=True) if wanted > there]
    assert sum(recognised) > 400
    assert missed == []


def test_ordinary_pages_are_none(tmp_path: Path) -> None:
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs" / "rules").glob("*.md"))]
    # A rule's example is a handoff in a fence, which Neovim starts the server for.
    texts = {page.name: page.read_text(encoding="utf-8").partition("\n## Example\n")[0] for page in pages}
    texts = {name: text for name, text in texts.items() if "```" not in text}
    script = (
        "return vim.tbl_map(function(text) return require('handoff.recognise').text(vim.split(text, '\\n')) end, given)"
    )
    found = run_lua(script, list(texts.values()), tmp_path)
    assert len(texts) > 10
    assert [name for name, there in zip(texts, found, strict=True) if there] == []


def test_patterns_mean_in_vim_what_they_mean_in_re2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    from vim_regex import vim_regex

    contracts = [entry.contract for entry in builtin()]
    patterns = [contract.section.title for contract in contracts if contract.section]
    patterns += [contract.file.path for contract in contracts if contract.file]
    patterns += [
        marker.title or marker.path for contract in contracts if contract.detect for marker in contract.detect.markers
    ]
    texts_of = [marker.text for contract in contracts if contract.detect for marker in contract.detect.markers]
    patterns += [text.replace("(?m)", "") for text in texts_of if text and r"\A" not in text and r"\n" not in text]
    patterns = sorted(filter(None, patterns))
    lines = {
        line.lstrip("# ")
        for case in _MARKDOWN
        for line in case.text.splitlines()
        if re.match(r"#|.*[:：]|.*\.md$", line)
    }
    texts = sorted(lines | {case.path for case in read_cases()})
    script = """
        return vim.tbl_map(function(pattern)
            local regex = vim.regex(pattern)
            return vim.tbl_map(function(text) return regex:match_str(text) ~= nil end, given.texts)
        end, given.patterns)
    """
    found = run_lua(script, {"patterns": [vim_regex(pattern) for pattern in patterns], "texts": texts}, tmp_path)
    expected = [[search(pattern, text) is not None for text in texts] for pattern in patterns]
    assert sum(map(sum, expected)) > 100
    assert found == expected


def test_what_vim_cannot_say_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    from vim_regex import vim_regex

    with pytest.raises(ValueError, match="no Vim regular expression"):
        vim_regex(r"(a)\1")
    sys.modules.pop("vim_regex")
