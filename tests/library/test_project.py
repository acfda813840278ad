"""A project: its config, its own contracts and the files around each handoff, as the command has them."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from library.test_functions import PATH, SOUND, WRONG

from handoff_lsp import ConfigError, Project, UnknownNameError, UnreadableFile

OWN = """\
language: 2
contract: desk
title: Desk
about: What is on a desk.
status: state
default_profile: plain
profiles:
  plain: {about: The only one.}
detect: {enough: 3, signs: [{has: state, weight: 3}]}
fields:
  state: {type: enum, required: true, about: How it is., values: [tidy, full]}
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with a broken handoff, a sound one and an ordinary document."""
    put(tmp_path, PATH, WRONG)
    put(tmp_path, "handoffs/board/tester-handoff.md", SOUND)
    put(tmp_path, "README.md", "# Read me\n")
    put(tmp_path, ".handoff-lsp.toml", "")
    return tmp_path


def put(root: Path, name: str, text: str) -> None:
    """Write a file."""
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text, encoding="utf-8")


def test_check_and_parse_one_file(root: Path) -> None:
    project = Project(root)
    report = project.check(PATH)
    assert (report.path, [finding.rule for finding in report.findings]) == (PATH, ["invalid-value"])
    assert project.check(root / PATH) == report
    (handoff,) = project.parse(PATH)
    assert handoff.status is None
    assert f"{PATH}:5:1" in report.feedback()


def test_the_root_may_have_two_names(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    link = tmp_path_factory.mktemp("other") / "link"
    link.symlink_to(root)
    for project, path in ((Project(link), root / PATH), (Project(root), link / PATH)):
        assert project.check(path).path == PATH
    (root / "out.md").symlink_to(link.parent / "x.md")
    with pytest.raises(ValueError, match="is outside the project"):
        Project(root).check(link.parent / "x.md")


def test_all_files_in_the_order_of_their_names(root: Path) -> None:
    project = Project(root)
    assert [path.relative_to(root).as_posix() for path in project.walk()] == [
        "README.md",
        PATH,
        "handoffs/board/tester-handoff.md",
    ]
    assert [(report.path, len(report.handoffs), report.ok) for report in project.check_all()] == [
        ("README.md", 0, False),
        (PATH, 1, False),
        ("handoffs/board/tester-handoff.md", 1, True),
    ]


def test_the_working_folder_does_not_count(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = list(Project(root).check_all())
    monkeypatch.chdir("/")
    assert list(Project(root).check_all()) == before


def test_config_changes_count_at_once(root: Path) -> None:
    project = Project(root)
    assert project.check(PATH).errors
    put(root, ".handoff-lsp.toml", '[rules]\ninvalid-value = "off"\n')
    assert project.check(PATH).findings == ()
    assert project.check_text(WRONG, "another.md").path == "another.md"
    put(root, ".handoff-lsp.toml", 'exclude = ["handoffs"]\n')
    assert [path.name for path in project.walk()] == ["README.md"]
    assert project.check(PATH).errors, "a file that is named is checked"


def test_files_around_count_at_once(root: Path) -> None:
    from rules.test_across_files import turn

    project = Project(root)
    for status, expected in (("NEEDS_INPUT", ["illegal-transition"]), ("IN_PROGRESS", [])):
        put(root, "turns/turn-1.md", turn(status))
        report = project.check_text(turn("COMPLETE"), "turns/turn-2.md")
        assert [finding.rule for finding in report.findings if finding.rule == "illegal-transition"] == expected


def test_own_contracts(root: Path) -> None:
    put(root, "contracts/desk.yaml", OWN)
    put(root, ".handoff-lsp.toml", 'contract-files = ["contracts/*.yaml"]\n')
    project = Project(root)
    text = project.new("desk")
    assert "## state" in text
    report = project.check_text(text.replace("<tidy | full>", "tidyy"), "desk.md")
    assert [(finding.contract, finding.rule) for finding in report.errors] == [("desk", "missing-status")]
    with pytest.raises(UnknownNameError, match="did you mean `desk`"):
        project.new("dsk")


@pytest.mark.parametrize(
    ("config", "contract", "words"),
    [
        ("rules = 3\n", "", "rules"),
        ('[rules]\ninvalid-valu = "off"\n', "", "invalid-value"),
        ("= \n", "", "TOML"),
        ('contract-files = ["contracts/*.yaml"]\n', "contract: [\n", "YAML"),
    ],
)
def test_a_broken_config_or_contract_is_an_error(root: Path, config: str, contract: str, words: str) -> None:
    """Else a file would count as clean that was never checked as it should be."""
    project = Project(root)
    put(root, "contracts/desk.yaml", contract)
    put(root, ".handoff-lsp.toml", config)
    for call in (lambda: Project(root), lambda: project.check(PATH), lambda: list(project.check_all())):
        with pytest.raises(ConfigError, match=words) as raised:
            call()
        assert raised.value.line is not None
        assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


def test_what_cannot_be_read_is_an_error(root: Path) -> None:
    project = Project(root)
    (root / "a.md").write_bytes(b"\xff\xfe\x00")
    for path, words in (("a.md", "UTF-16"), ("none.md", "no such file"), ("handoffs", "a folder")):
        with pytest.raises(UnreadableFile, match=words) as raised:
            project.check(path)
        assert raised.value.path == root / path
        assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)
    with pytest.raises(UnreadableFile):
        list(project.check_all())
    failed: list[UnreadableFile] = []
    assert len(list(project.check_all(on_error=failed.append))) == 3
    assert [error.reason for error in failed] == ["UTF-16, but handoffs are UTF-8"]
    for wrong in (root / "none", root / PATH):
        with pytest.raises(UnreadableFile):
            Project(wrong)


def test_a_final_message_is_checked_for_what_its_agent_owes(root: Path) -> None:
    (root / ".handoff-lsp.toml").write_text('[agents.helper]\nreturns = "result-envelope"\n', encoding="utf-8")
    project = Project(root)
    report = project.check_return("All done.", "helper")
    assert [finding.rule for finding in report.findings] == ["missing-handoff"]
    assert "**Status**: <" in report.feedback() and not report.ok
    assert project.check_return("All done.", "sdd-apply").findings  # by the contracts
    assert not project.check_return("All done.", "somebody").findings
    envelope = "**Status**: success\n**Summary**: Done.\n**Artifacts**: None\n**Next**: sdd-verify\n**Risks**: None\n"
    assert not project.check_return(envelope, "helper").errors
    misplaced = project.check_return("All done.", "helper", earlier=[envelope])
    assert [finding.rule for finding in misplaced.findings] == ["misplaced-handoff"]
