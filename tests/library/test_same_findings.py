"""The command, the server and the library give the same findings on every case, each through its own door.

Each case is a project of its own: a folder with its document, the documents around it and its options as a config.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from case_files import Case, read_cases
from server.client import LspClient
from server.test_diagnostics import PULL

from handoff_lsp import Finding, Fix, Project, Range, Report, check_text
from handoff_lsp.cli.main import main
from handoff_lsp.engine import Options

CASES = read_cases()
_SEVERITIES = {1: "error", 2: "warning", 3: "information", 4: "hint"}
_CLIENT: dict[str, Any] = {**PULL, "general": {"positionEncodings": ["utf-32"]}}
_ACTIONS: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-32"]},
    "workspace": {"workspaceEdit": {"documentChanges": True}},
    "textDocument": {
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}},
            "isPreferredSupport": True,
        }
    },
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The documents of all cases, in order."""
    root = tmp_path_factory.mktemp("cases")
    return [written(case, root / f"{number:04}") for number, case in enumerate(CASES)]


def written(case: Case, folder: Path) -> Path:
    path = case.path or "document.md"
    for name, text in ((path, case.text), *case.beside, (".handoff-lsp.toml", _config(case.options))):
        full = folder / name
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(text.encode())
    return folder / path


def _config(options: Options) -> str:
    assert options.contract is options.mode is None and not options.disabled, "no case sets these"
    names = {*options.profiles, *options.settings}
    contracts = {
        name: {
            **({"profile": options.profiles[name]} if name in options.profiles else {}),
            **options.settings.get(name, {}),
        }
        for name in names
    }
    lines = ["examples = true"] if options.examples else []
    lines += ["[rules]", *(f"{json.dumps(code)} = {json.dumps(level)}" for code, level in options.severities.items())]
    for name, decided in contracts.items():
        lines += [f"[contracts.{name}]", *(f"{key} = {json.dumps(value)}" for key, value in decided.items())]
    return "".join(f"{line}\n" for line in lines)


@pytest.fixture(scope="module")
def reports(files: list[Path]) -> list[Report]:
    """The library's reports of all cases."""
    return [Project(folder_of(file)).check(file) for file in files]


def folder_of(file: Path) -> Path:
    return next(parent for parent in file.parents if (parent / ".handoff-lsp.toml").exists())


def test_cases_have_findings_and_fixes_to_compare(reports: list[Report]) -> None:
    findings = [finding for report in reports for finding in report.findings]
    assert len(findings) > 1_000
    assert len([finding for finding in findings if finding.fix or finding.choices]) > 300
    assert any(report.findings[0].related for report in reports if report.findings)


def test_the_command_finds_the_same(files: list[Path], reports: list[Report], monkeypatch: pytest.MonkeyPatch) -> None:
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    monkeypatch.chdir(files[0].anchor)
    monkeypatch.setattr(sys, "stdout", printed)
    code = main(["check", "--output-format", "json", *map(str, files)])
    printed.flush()
    found = json.loads(printed.buffer.getvalue())
    assert code == 1
    of_file: dict[str, list[Any]] = {}
    for finding in found["findings"]:
        of_file.setdefault(finding["path"], []).append(_data(finding))
    for file, report in zip(files, reports, strict=True):
        shown = file.relative_to(file.anchor).as_posix()
        assert of_file.pop(shown, []) == [_data_of(finding) for finding in report.findings]
    assert of_file == {}


def _data(finding: dict[str, Any]) -> tuple[Any, ...]:
    """The parts of a finding in JSON that the doors share."""
    fixes = [finding["fix"]] if finding["fix"] else finding["choices"]
    return (
        finding["rule"],
        finding["check"],
        finding["severity"],
        finding["message"],
        finding["note"],
        finding["range"],
        [(fix["title"], fix["safe"], fix["edits"]) for fix in fixes],
    )


def _data_of(finding: Finding) -> tuple[Any, ...]:
    """The same of the library's finding."""
    return (
        finding.rule,
        finding.check,
        finding.severity,
        finding.message,
        finding.note,
        _range(finding.range, first=1),
        [
            (fix.title, fix.safe, [{"range": _range(edit.range, first=1), "text": edit.text} for edit in fix.edits])
            for fix in _fixes(finding)
        ],
    )


def _fixes(finding: Finding) -> tuple[Fix, ...]:
    return (finding.fix,) if finding.fix is not None else finding.choices


def _range(range_: Range, *, first: int) -> dict[str, Any]:
    names = ("line", "column") if first else ("line", "character")
    start, end = (
        dict(zip(names, (place.line - 1 + first, place.column - 1 + first), strict=True))
        for place in (range_.start, range_.end)
    )
    return {"start": start, "end": end}


def test_the_server_finds_the_same(files: list[Path], reports: list[Report]) -> None:
    """Over a real connection, pulled for each file."""
    with LspClient(_CLIENT, workspaceFolders=[{"uri": folder_of(files[0]).parent.as_uri(), "name": "cases"}]) as client:
        assert client.capabilities["positionEncoding"] == "utf-32"
        for case, file, report in zip(CASES, files, reports, strict=True):
            items = client.pull(uri=file.as_uri())["items"]
            found = [(item["code"], item["message"], _placed(item["range"], case.text)) for item in items]
            assert found == [_shown(finding) for finding in report.findings], case.name
            for item, finding in zip(items, report.findings, strict=True):
                # Placeholders of a draft that nobody has touched yet are only hints in an editor.
                quiet = finding.rule == "placeholder-left" and item["severity"] == 4
                assert quiet or _SEVERITIES[item["severity"]] == finding.severity, case.name
        client.quiet()


def _placed(range_: dict[str, Any], text: str) -> dict[str, Any]:
    """A range of the server in a report, where a byte order mark has no column; editors take it away themselves."""
    if not text.startswith("\ufeff"):
        return range_
    return {
        end: {"line": place["line"], "character": max(place["character"] - (place["line"] == 0), 0)}
        for end, place in range_.items()
    }


def _shown(finding: Finding) -> tuple[Any, ...]:
    return finding.rule, finding.message, _range(finding.range, first=0)


def test_the_server_offers_the_same_fixes(files: list[Path], reports: list[Report]) -> None:
    """Each default fix of a sample of the cases is the preferred quick fix, with the same edits."""
    compared = 0
    with LspClient(
        _ACTIONS, workspaceFolders=[{"uri": folder_of(files[0]).parent.as_uri(), "name": "cases"}]
    ) as client:
        for case, file, report in list(zip(CASES, files, reports, strict=True))[::5]:
            fixed = [finding for finding in report.findings if finding.fix is not None]
            if not fixed:
                continue
            uri = file.as_uri()
            client.open(case.text, uri)
            diagnostics = client.diagnostics(1, uri)
            for finding in fixed:
                about = [item for item in diagnostics if (item["code"], item["message"]) == _shown(finding)[:2]]
                asked = {"range": _range(finding.range, first=0), "context": {"diagnostics": about}}
                actions = client.request("textDocument/codeAction", {"textDocument": {"uri": uri}, **asked})
                offered = {action["title"]: list(_edits(action)) for action in actions if "edit" in action}
                fix = finding.fix
                assert fix is not None
                if fix.title not in offered:
                    # Where several fields are missing in one place, one action adds them all.
                    assert any(title.startswith(("Insert all ", "Insert both ")) for title in offered), case.name
                    continue
                edits = [(_range(edit.range, first=0), edit.text) for edit in fix.edits]
                theirs = [(_placed(range_, case.text), new) for range_, new in offered[fix.title]]
                assert sorted(theirs, key=str) == sorted(edits, key=str), case.name
                compared += 1
        client.close_quietly()
    assert compared > 50


def _edits(action: dict[str, Any]) -> Iterator[tuple[Any, str]]:
    for change in action["edit"]["documentChanges"]:
        yield from ((edit["range"], edit["newText"]) for edit in change["edits"])


def test_a_text_alone_has_the_findings_that_its_case_expects() -> None:
    compared = 0
    for case in CASES:
        profile = next(iter(case.options.profiles.values()), None)
        plain = Options(severities=case.options.severities, profiles=case.options.profiles)
        if not case.beside and case.options == plain:
            report = check_text(case.text, case.path, profile=profile, agent=case.agent, rules=case.options.severities)
            found = sorted((finding.line, finding.column) for finding in report.findings)
            shift = case.text.startswith("\ufeff")
            expected = sorted((at.line + 1, max(at.start + 1 - (shift and at.line == 0), 1)) for at in case.expected)
            assert found == expected, case.name
            compared += 1
    assert compared > 900
