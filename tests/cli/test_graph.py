"""``handoff-lsp check --drift`` and ``handoff-lsp graph``: what prompts emit and handle, and where they disagree."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import Run
from cli.test_report import HOSTILE, cells, section, tree_of, words
from jsonschema import Draft202012Validator

from handoff_lsp.cli.main import main
from handoff_lsp.library.project import Project
from handoff_lsp.reports.data import data_of, from_data
from handoff_lsp.reports.pack import PackReport

ROOT = Path(__file__).parents[2]
PACK = ROOT / "examples" / "pack"
REVIEWER = "agents/reviewer.md"


@pytest.fixture
def pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the pack of the examples, which is the working folder."""
    monkeypatch.chdir(shutil.copytree(PACK, tmp_path / "pack"))
    return tmp_path / "pack"


@pytest.fixture
def agreeing(pack: Path) -> Path:
    """The same without its drift."""
    reviewer = pack / REVIEWER
    reviewer.write_text(reviewer.read_text(encoding="utf-8").replace("ESCALATED", "blocked"), encoding="utf-8")
    return pack


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main(list(arguments)) == code
    return capsys.readouterr().out


def schema(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    return found


def rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


class TestCheck:
    def test_drift_reports_only_findings_about_prompts(self, pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
        handoff = pack / "handoffs/board/backend-dev-handoff.md"
        handoff.write_text(handoff.read_text("utf-8").replace("complete", "compleet"), "utf-8")
        assert "invalid-value" in printed(capsys, "check", code=1)
        told = printed(capsys, "check", "--drift", "--output-format", "concise", code=1)
        assert "invalid-value" not in told
        assert f"{REVIEWER}:12:76: error[unknown-value-in-prompt]" in told

    def test_the_matrix_comes_after_the_findings(self, pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
        lines = rows(printed(capsys, "check", "--drift", code=1))
        assert ["complete", "yes", "backend-dev,", "reviewer", "build", "–", "1"] in lines
        assert ["failed", "yes", "backend-dev", "build", "–", "–"] in lines
        assert ["!", "ESCALATED", "no", "reviewer", "–", "–", "–"] in lines

    def test_an_agreeing_pack_is_clean(self, agreeing: Path, capsys: pytest.CaptureFixture[str]) -> None:
        told = printed(capsys, "check", "--drift")
        assert ["blocked", "yes", "backend-dev,", "reviewer", "build", "–", "–"] in rows(told)
        assert "No findings in" in told
        assert "!" not in told

    def test_without_prompts_it_says_so(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (here / "notes.md").write_text("# Notes\n", "utf-8")
        sentence = "No prompt says anything about a known contract, so there is nothing to compare."
        assert printed(capsys, "check", "--drift").startswith(sentence)
        assert printed(capsys, "graph").startswith(sentence)
        assert sentence in printed(capsys, "graph", "--output-format", "html")

    def test_it_works_in_an_empty_folder(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert "nothing to compare" in printed(capsys, "check", "--drift")

    @pytest.mark.parametrize(
        ("arguments", "code"),
        [((), 1), (("--exit-zero",), 0), (("--ignore", "unknown-value-in-prompt"), 0), (("no/such/file.md",), 2)],
    )
    def test_exit_codes_are_those_of_check(self, pack: Path, arguments: tuple[str, ...], code: int) -> None:
        assert main(["check", "--drift", *arguments]) == code

    @pytest.mark.parametrize("option", ["--select=values", "--statistics", "--diff", "--fix-only"])
    def test_what_does_not_go_with_it_is_refused(
        self, pack: Path, option: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["check", "--drift", option]) == 2
        assert "`--drift`" in capsys.readouterr().err

    def test_quiet_prints_findings_only(self, pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
        told = printed(capsys, "check", "--drift", "-q", code=1)
        assert "ESCALATED" in told
        assert "emitted by" not in told

    def test_a_named_file_is_compared_with_all_prompts(self, pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
        told = printed(capsys, "check", "--drift", "agents/backend-dev.md")
        assert ["complete", "yes", "backend-dev,", "reviewer", "build", "–"] in rows(told)  # its handoffs are not asked
        assert "!" not in told  # nor the findings of others

    def test_a_file_outside_any_workspace_is_in_no_pack(
        self, pack: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        elsewhere = shutil.copytree(pack / "agents", tmp_path / "agents")
        sentence = "nothing to compare"
        assert sentence in printed(capsys, "check", "--drift", str(elsewhere), code=1)
        told = printed(capsys, "check", "--drift", str(elsewhere), ".", code=1)
        assert ["!", "ESCALATED", "no", "reviewer", "–", "–", "–"] in rows(told) and sentence not in told

    def test_fixes_come_first(self, pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
        told = printed(capsys, "check", "--drift", "--fix", "--unsafe-fixes")
        assert "ESCALATED" not in told
        assert ["blocked", "yes", "backend-dev,", "reviewer", "build", "–", "–"] in rows(told)

    def test_json_has_the_packs_by_its_schema(self, pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
        data = json.loads(printed(capsys, "check", "--drift", "--output-format", "json", code=1))
        Draft202012Validator(schema("check")).validate(data)
        (row,) = (row for row in data["packs"][0]["contracts"][0]["rows"] if row["drift"])
        assert (row["field"], row["value"], row["known"]) == ("status", "ESCALATED", False)
        assert row["emitted"][0]["path"] == REVIEWER
        assert row["emitted"][0]["range"] == data["findings"][0]["range"]
        assert row["handled"] == []

    def test_json_has_no_packs_without_it(self, pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
        data = json.loads(printed(capsys, "check", "--output-format", "json", code=1))
        Draft202012Validator(schema("check")).validate(data)
        assert "packs" not in data

    def test_json_lines_have_an_object_for_each_pack(self, pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
        lines = printed(capsys, "check", "--drift", "--output-format", "jsonl", code=1).splitlines()
        assert [json.loads(line)["type"] for line in lines[-2:]] == ["pack", "summary"]

    def test_it_is_the_same_with_a_cache(self, pack: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        for number in range(12):
            (pack / f"notes-{number}.md").write_text("# Notes\n", "utf-8")
        arguments = ("check", "--drift", "--cache-dir", str(tmp_path / "cache"))
        first = printed(capsys, *arguments, code=1)
        assert printed(capsys, *arguments, code=1) == first
        (pack / REVIEWER).write_text("# Reviewer\n", "utf-8")
        assert "ESCALATED" not in printed(capsys, *arguments)

    def test_it_speaks_japanese(self, pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
        try:
            assert "プロンプト 3 個" in printed(capsys, "check", "--drift", "--lang", "ja", code=1)
        finally:
            main(["check", "--lang", "en", "-q", "--exit-zero"])

    def test_several_workspaces_have_a_table_each(
        self, pack: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        for name in ("one", "two"):
            shutil.copytree(PACK, pack.parent / "both" / name)
            (pack.parent / "both" / name / ".git").mkdir()
        monkeypatch.chdir(pack.parent / "both")
        told = printed(capsys, "check", "--drift", code=1).splitlines()
        assert [line for line in told if line in ("one", "two")] == ["one", "two"]
        assert sum(line.startswith("! ESCALATED") for line in told) == 2

    def test_too_many_prompts_are_no_clean_result(
        self, agreeing: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr("handoff_lsp.workspace.packs.MAX_PROMPTS", 2)
        assert "Too many prompts" in printed(capsys, "check", "--drift", code=2)
        assert "Too many prompts" in printed(capsys, "graph", "--output-format", "html", code=2)


class TestText:
    def test_all_fields_and_then_the_findings(self, pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
        told = printed(capsys, "graph")
        assert ["status_reason", "yes", "backend-dev,", "reviewer", "build", "–", "1"] in rows(told)
        assert (
            f"error[unknown-value-in-prompt] The Status block handoff has no `status` `ESCALATED`\n  {REVIEWER}" in told
        )

    @pytest.mark.parametrize("size", [72, 80, 120])
    def test_a_table_fits_the_terminal(self, pack: Path, size: int) -> None:
        from handoff_lsp.cli.graph.text import text_of
        from handoff_lsp.cli.output.format import Look
        from handoff_lsp.text import width

        for number in range(30):
            name = f"a-very-long-name-of-an-agent-{number}"
            (pack / "agents" / f"{name}.md").write_text((pack / "agents/backend-dev.md").read_text("utf-8"), "utf-8")
        lines = text_of(Project(pack).packs(), Look(width=size)).splitlines()
        assert [line for line in lines if width(line) > size and "  agents/" not in line] == []
        assert any("+3" in line for line in lines)


class TestJson:
    def test_it_follows_its_schema(self, pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
        data = json.loads(printed(capsys, "graph", "--output-format", "json"))
        Draft202012Validator(schema("graph")).validate(data)
        edges = {(one["sender"], one["receiver"]): one["values"] for one in data["packs"][0]["edges"]}
        assert edges == {
            ("backend-dev", "build"): ["complete", "blocked", "failed", "incomplete"],
            ("reviewer", "build"): ["complete", "blocked"],
        }

    def test_the_library_has_the_same(self, pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
        data = json.loads(printed(capsys, "graph", "--output-format", "json"))
        (report,) = Project(pack).packs()
        assert data_of(report) == {**data["packs"][0], "root": "."}
        assert from_data(PackReport, data["packs"][0]) == report

    def test_each_call_of_the_library_looks_again(self, pack: Path) -> None:
        project = Project(pack)
        assert [finding.rule for finding in project.packs()[0].findings] == ["unknown-value-in-prompt"]
        reviewer = pack / REVIEWER
        reviewer.write_text("\n\n" + reviewer.read_text("utf-8"), "utf-8")  # equal statements that have moved
        row = next(row for row in project.packs()[0].contracts[0].rows if row.value == "ESCALATED")
        assert row.emitted[0].range.start.line == row.drift[0].range.start.line == 14
        reviewer.unlink()
        assert project.packs()[0].findings == ()


class TestPage:
    def test_it_has_the_findings_the_drawing_and_the_tables(
        self, pack: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        tree = tree_of(printed(capsys, "graph", "--output-format", "html"))
        assert "disagree in 1 place" in words(tree.find(".//header"))
        assert "ESCALATED" in words(section(tree, "findings"))
        status = section(tree, "pack0-status-block")
        boxes = [words(group.find("text")) for group in status.iter("g") if group.find("rect") is not None]
        assert boxes == [
            "backend-dev",
            "reviewer",
            "build",
            "complete",
            "blocked",
            "failed",
            "incomplete",
            "! ESCALATED",
        ]
        drift = [group for group in status.iter("g") if group.get("class") == "link stop"]
        assert len(drift) == 1  # from the reviewer, and on to nobody
        table = {row[0].partition(" ")[0]: row[1:] for row in cells(status)}
        assert table["complete"] == ["yes", "backend-dev, reviewer", "build", "–", "1 handoff"]
        assert table["ESCALATED"][:3] == ["no", "reviewer", "–"]

    def test_text_of_prompts_stays_text(self, pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
        name = "a<script>b&'c"
        (pack / f"agents/{name}.md").write_text(
            f"# {HOSTILE}\n\nReturn `Status`, `Status reason` and `Abstract`.\n\n"
            f"- `status`: `complete` | `<b>{HOSTILE[:20]}`\n",
            "utf-8",
        )
        page = printed(capsys, "graph", "--output-format", "html")
        tree = tree_of(page)
        assert not list(tree.iter("script"))
        assert name in words(section(tree, "prompts"))

    def test_the_name_of_the_file_decides_the_format(self, pack: Path, tmp_path: Path) -> None:
        assert main(["graph", "-o", str(tmp_path / "a.html")]) == 0
        assert main(["graph", "-o", str(tmp_path / "a.json")]) == 0
        assert main(["graph", "-o", str(tmp_path / "a.txt")]) == 0
        assert (tmp_path / "a.html").read_text("utf-8").startswith("<!DOCTYPE html>")
        assert json.loads((tmp_path / "a.json").read_text("utf-8"))["packs"]
        assert "Status block handoff" in (tmp_path / "a.txt").read_text("utf-8")

    @pytest.mark.parametrize(
        "arguments", [("-o", REVIEWER), ("-o", "a.html", "--output-format", "json"), ("-o", "no/such/a.html"), ("-",)]
    )
    def test_what_cannot_be_written_is_refused(self, pack: Path, arguments: tuple[str, ...]) -> None:
        before = (pack / REVIEWER).read_bytes()
        assert main(["graph", *arguments]) == 2
        assert (pack / REVIEWER).read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "ends"),
    [
        (("-o", "a.md"), "`.html`, `.json` or `.txt`"),
        (("-o", "a.md", "--output-format", "text"), "`.txt`"),
        (("-o", "a.txt", "--output-format", "html"), "`.html`"),
    ],
)
def test_a_wrong_ending_names_those_that_work(pack: Path, run: Run, arguments: tuple[str, ...], ends: str) -> None:
    assert f"must end in {ends}\n".encode() in run("graph", *arguments, cwd=pack).stderr


def test_bad_input_is_no_crash(pack: Path, run: Run) -> None:
    (pack / "agents" / "binary.md").write_bytes(b"\xff\xfe\x00`status`")
    (pack / "agents" / "bom.md").write_bytes(
        "\ufeff# \U0001f4a5\r\n\r\nReturn `Status`, `Status reason`, `Abstract`.\r\n\r\n`status`: `done`\r\n".encode()
    )
    (pack / "agents" / "gone.md").symlink_to("nowhere.md")
    for form in ("text", "json", "html"):
        ran = run("graph", "--output-format", form, cwd=pack)
        assert ran.returncode == 0, ran.stderr
        assert b"Traceback" not in ran.stderr
        assert b"bom" in ran.stdout
        assert b"agents/binary.md (" in ran.stderr
    assert run("graph", "no-such-folder", cwd=pack).returncode == 2
