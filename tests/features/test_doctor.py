"""The doctor's reports on files: the config that applies, the recognition, and the reasons for both."""

from __future__ import annotations

from pathlib import Path

import pytest
from features.documents import markdown

import handoff_lsp
from handoff_lsp.features.doctor import installation as doctor
from handoff_lsp.features.doctor.file import FileReport
from handoff_lsp.features.doctor.installation import DoctorReport, document_at, examine, output_problems
from handoff_lsp.features.doctor.page import page
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.store import Workspace

SOUND = markdown("complete")
OURS = Path(handoff_lsp.__file__).parents[1]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project."""
    (tmp_path / ".git").mkdir()
    return tmp_path


def report(path: Path, text: str | None = None, **given: object) -> DoctorReport:
    """The report on a file; a given text is written to it first."""
    if text is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return examine(Workspace(Resolver(**given)), [document_at(path)])  # type: ignore[arg-type]


def of(path: Path, text: str | None = None, **given: object) -> FileReport:
    """The report on the file."""
    (file,) = report(path, text, **given).files
    return file


# The config


def test_the_folders_that_were_searched_up_to_the_one_that_decides(root: Path) -> None:
    (root / ".handoff-lsp.toml").write_text("")
    (root / "handoffs").mkdir()
    (root / "handoffs/pyproject.toml").write_text("[project]\nname = 'x'\n")
    told = report(root / "handoffs/login/a.md", SOUND)
    config = told.files[0].config
    assert (config.path, config.by, config.folder) == (
        str(root / ".handoff-lsp.toml"),
        "search",
        str(root / "handoffs/login"),
    )
    assert config.searched == tuple(map(str, (root / "handoffs/login", root / "handoffs", root)))
    assert config.passed == (str(root / "handoffs/pyproject.toml"),)
    assert f"- **Searched** `{root / 'handoffs/login'}`, `{root / 'handoffs'}`, `{root}`" in page(told)


def test_the_config_of_each_folder(root: Path) -> None:
    for name in ("one", "two"):
        (root / name).mkdir()
        (root / name / ".handoff-lsp.toml").write_text("")
    told = examine(Workspace(Resolver()), [], [root / "one" / "_", root / "two" / "_"])
    assert [config.path for config in told.folders] == [
        str(root / name / ".handoff-lsp.toml") for name in ("one", "two")
    ]


def test_a_config_that_is_named_is_not_looked_for(root: Path) -> None:
    (root / "other.toml").write_text("")
    config = of(root / "a.md", SOUND, explicit=root / "other.toml").config
    assert (config.path, config.by, config.searched) == (str(root / "other.toml"), "command line", ())
    config = of(root / "a.md", SOUND, overrides={"config": str(root / "other.toml"), "examples": True}).config
    assert (config.path, config.by, config.settings) == (str(root / "other.toml"), "settings", {"examples": True})


def test_the_patterns_that_match_and_what_is_left_out(root: Path) -> None:
    (root / ".handoff-lsp.toml").write_text(
        'exclude = ["old"]\n[[files]]\npattern = "old/*.md"\ncontract = "status-block"\n'
        '[[files]]\npattern = "new/*.md"\nmode = "template"\n'
    )
    file = of(root / "old/a.md", "# Notes\n")
    assert [(each["pattern"], each["contract"]) for each in file.patterns] == [("old/*.md", "status-block")]
    assert file.passed_over == "excluded by `old`"
    (recognised,) = file.recognised
    assert [sign.what for sign in recognised.signs] == ["named by the document or the config"]
    assert of(root / "node_modules/x/a.md", SOUND).passed_over == "a folder `node_modules` is not entered"
    assert of(root / "a.txt", SOUND).passed_over.startswith("only .md and .markdown and the data files")
    assert of(root / "handoffs/a.md", SOUND).passed_over == ""


def test_what_is_wrong_with_a_config_and_its_contracts_is_first(root: Path) -> None:
    (root / ".handoff-lsp.toml").write_text('contract-files = ["own.yaml"]\n[rules]\nmissing-stats = "error"\n')
    (root / "own.yaml").write_text("contract: own\n")
    told = report(root / "a.md", SOUND)
    found = {(Path(problem.path or "").name, problem.line) for problem in told.problems}
    assert (".handoff-lsp.toml", 3) in found
    assert any(name == "own.yaml" for name, _ in found)
    text = page(told)
    assert text.index("missing-stats") < text.index("## Installation")


# Recognized


def test_each_sign_has_its_weight_and_its_line(root: Path) -> None:
    (found,) = of(root / "handoffs/login/login-developer-handoff.md", SOUND).recognised
    told = {(sign.what, sign.weight, sign.line) for sign in found.signs}
    assert ("a section `Status`", 1, 3) in told
    assert ("a section `Status reason`", 2, 7) in told
    assert ("its path matches `(^|/)handoffs/`", 2, None) in told
    assert (found.contract, found.profile, found.line, found.form) == ("status-block", "developer", 1, "document")
    assert found.why_profile == "its evidence weighs 7"


@pytest.mark.parametrize(
    ("first", "config", "profile", "why"),
    [
        ("<!-- handoff: status-block profile=tester -->", "", "tester", "the document says so"),
        ("", 'profile = "tester"', "tester", "the config names it"),
        ("", "", "handoff", "it is the contract's default"),
    ],
)
def test_why_a_profile(root: Path, first: str, config: str, profile: str, why: str) -> None:
    (root / ".handoff-lsp.toml").write_text(f"[contracts.status-block]\n{config}\n")
    text = SOUND.replace("# Login — Handoff from Developer", "# Login — Handoff from some agent")
    (found,) = of(root / "handoffs/x.md", f"{first}\n{text}").recognised
    assert (found.profile, found.why_profile) == (profile, why)


def test_a_part_of_a_document_is_reported_with_its_line(root: Path) -> None:
    (found,) = of(root / "a.md", "# Report\n\n```agent_contract_handoff\n{}\n```\n").recognised
    assert (found.contract, found.form, found.line) == ("agent-contract", "fence", 3)
    assert [(sign.what, sign.line) for sign in found.signs] == [("a fence tagged agent_contract_handoff", 3)]
    assert found.errors > 0


# Not recognized, with the reason


@pytest.mark.parametrize(
    ("name", "text", "silence"),
    [
        ("notes.md", "# Notes\n", "not a handoff: no contract matches"),
        ("handoffs/a.md", f"<!-- handoff: none -->\n{SOUND}", "switched off in line 1: `handoff: none`"),
        ("docs/concepts/a-handoff.md", SOUND, "only examples, which are checked if `examples` is set"),
        ("handoffs/off.md", "```agent_contract_handoff\n{}\n```\n", "the config switches `agent-contract` off"),
        ("data.json", "{}", "a data file that matches no contract by name and content"),
        ("handoffs/a.md", SOUND, ""),
    ],
)
def test_why_there_is_silence(root: Path, name: str, text: str, silence: str) -> None:
    if name == "handoffs/off.md":
        (root / ".handoff-lsp.toml").write_text('disable = ["agent-contract"]\n')
    found = of(root / name, text).silence
    assert found.startswith(silence) if silence else found == ""


def test_what_it_nearly_is(root: Path) -> None:
    file = of(root / "notes.md", "# Notes\n\n## Status\ncomplete\n\n## Status reason\nno\n")
    assert file.recognised == ()
    nearest = file.near[0]
    assert (nearest.contract, nearest.form) == ("status-block", "document")
    assert ("a section `Status reason`", 2, 6) in [(sign.what, sign.weight, sign.line) for sign in nearest.signs]
    (lack,) = nearest.lacks
    assert lack.startswith("weight: it has 4 of 5, 4 of 4 by its text. Also counted: ")
    assert "the fields of `Abstract` (3)" in lack


def test_a_fence_and_a_file_that_are_nearly_one(root: Path) -> None:
    (near,) = of(root / "a.md", '```json\n{"failed_verify_revision": "x", "rollback": {}}\n```\n').near
    assert (near.contract, near.form, near.line) == ("remediation-evidence", "fence", 1)
    file = of(root / "status.json", '{"agent_id": "a", "agent_type": "dev", "status": "running"}')
    (near,) = file.near
    assert (near.contract, near.form) == ("agent-status", "file")
    assert near.lacks == (r"a path that matches `(^|/)\.agent/status\.json$`",)


@pytest.mark.parametrize(
    ("name", "text", "relevant"),
    [
        ("a.md", SOUND, True),
        ("notes.md", "# Notes\n\nSome text about `status`.\n", False),
        ("nearly.md", '```json\n{"failed_verify_revision": "x", "rollback": {}}\n```\n', True),
        ("named.md", "<!-- handoff: status-block -->\n", True),
        ("off.md", "<!-- handoff: none -->\n", False),
        ("turns/one.md", "Done.\n", True),
        (".agent/status.json", "", True),
        ("package.json", "{}", False),
        ("agents/dev.md", "# Dev\n\nEnd with an `AGENT_RESULT` block: `STATUS: success`.\n", True),
        ("docs/format.md", "# Format\n\nIt ends with an `AGENT_RESULT` block: `STATUS: success`.\n", False),
        ("agents/other.md", "# Dev\n\nSet `status: escalated` on the ticket.\n", False),
    ],
)
def test_what_an_editor_starts_the_server_for(root: Path, name: str, text: str, relevant: bool) -> None:
    (root / ".handoff-lsp.toml").write_text('[[files]]\npattern = "turns/*.md"\ncontract = "agent-contract"\n')
    assert of(root / name, text).relevant is relevant


def test_pages_about_handoffs_start_no_server() -> None:
    pages = [
        OURS / "README.md",
        OURS / "CHANGELOG.md",
        *(OURS / "docs").glob("*.md"),
        *OURS.glob("editors/*/README.md"),
    ]
    assert len(pages) > 10
    assert [page for page in pages if of(page).relevant] == []


def test_nothing_is_near_to_ordinary_notes(root: Path) -> None:
    assert of(root / "notes.md", "# Notes\n\nSome text about `status`.\n").near == ()


@pytest.mark.parametrize("data", [None, b"\0\1", b"\xff\xfea\0"])
def test_a_file_that_cannot_be_read_is_a_problem(root: Path, data: bytes | None) -> None:
    path = root / "a.md"
    if data is not None:
        path.write_bytes(data)
    told = report(path)
    assert told.files[0].unreadable
    assert [problem.path for problem in told.problems] == [str(path)]
    assert "**Not read**" in page(told)


# The installation


def test_what_the_package_needs_is_reported_with_versions(root: Path) -> None:
    whole = report(root / "a.md", SOUND)
    told = whole.server
    assert f"- pygls {told.dependencies['pygls']}" in page(whole).replace(", ", "\n- ")
    assert {"pygls", "pydantic", "cel-expr-python"} <= set(told.dependencies)
    assert "mypy" not in told.dependencies, "what only developers need"
    assert all(told.dependencies.values())
    assert "status-block" in told.builtin
    assert told.own == {}


def test_own_contracts_are_reported_with_their_files(root: Path) -> None:
    (root / ".handoff-lsp.toml").write_text('contract-files = ["own.yaml"]\n')
    (root / "own.yaml").write_text(
        "contract: own\ntitle: Own\nabout: One.\nstatus: state\nunread: nobody\ndefault_profile: p\n"
        "profiles: {p: {about: One.}}\nfile: {syntax: json, path: own, holds: [state]}\n"
        "fields: {state: {type: line, about: One.}}\n"
    )
    told = report(root / "a.md", SOUND)
    assert told.problems == ()
    assert told.server.own == {"own": str(root / "own.yaml")}
    assert "contract `own` from " in page(told)


def test_a_dependency_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_dependencies", lambda: ["pygls", "no-such-thing"])
    assert [problem.message for problem in doctor.installation_problems()] == ["no-such-thing is not installed"]


@pytest.mark.parametrize(("encoding", "is_wrong"), [("utf-8", False), ("cp1252", True), ("ascii", True), (None, True)])
def test_an_output_that_lacks_signs(encoding: str | None, is_wrong: bool) -> None:
    problems = output_problems(encoding)
    assert bool(problems) == is_wrong
    assert all("PYTHONUTF8=1" in problem.message for problem in problems)


def test_nothing_in_a_report_becomes_markup(root: Path) -> None:
    told = page(report(root / "a`b*c.md", SOUND))
    assert "## ``" in told
    assert "`agent" not in told.split("## ``")[1].split("- **Config**")[0].replace("`status-block`", "")


OWN = """\
contract: ticket
title: Ticket
about: What is left.
status: state
FORM
fields:
  state: {type: enum, title: State, values: [open, done], required: true, carriers: [list-label, plain-label]}
  owner: {type: line, title: Owner, required: true, carriers: [list-label, plain-label]}
  left: {type: integer, title: Left, required: true, carriers: [list-label, plain-label]}
  ticket: {type: line, title: TICKET, carriers: [plain-label]}
"""
LABELS = "- State: open\n- Owner: ann\n- Left: 3\n"


@pytest.mark.parametrize(
    ("form", "text", "lack"),
    [
        ("run: {opening: ticket}", LABELS, "the line `TICKET` with which it begins"),
        ("run: {opening: '---TICKET---', holds: [{needs: [state, owner, left]}]}", LABELS, "the line `---TICKET---`"),
        (
            "run: {opening: '<!-- ticket', holds: [{needs: [state, owner, left]}]}",
            LABELS,
            "the comment `<!-- ticket … -->`",
        ),
        (
            "section: {title: '(?i)^ticket', labels: true, holds: [{some: [state, owner, left], enough: 2}]}",
            f"## Tickt\n\n{LABELS}",
            "a heading above it that matches `(?i)^ticket`",
        ),
        (
            "run: {holds: [{some: [state, owner, left], enough: 2}]}\nsigns: [{text: 'relay'}]",
            LABELS,
            "one of the signs that tell it from other formats: its text matches `relay`",
        ),
    ],
)
def test_all_keys_without_the_sign_are_nearly_one(root: Path, form: str, text: str, lack: str) -> None:
    (root / "ticket.yaml").write_text(OWN.replace("FORM", form))
    (root / ".handoff-lsp.toml").write_text('contract-files = ["ticket.yaml"]\n')
    (near,) = of(root / "a.md", f"# Day\n\n{text}").near
    assert (near.contract, near.form, near.lacks) == ("ticket", form.partition(":")[0], (lack,))
    assert of(root / "b.md", f"# Day\n\n{text}".replace("- Left: 3\n", "").replace("- Owner: ann\n", "")).near == ()
