"""``handoff-lsp sync``: marked copies of contracts in prompts."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.conftest import Run

from handoff_lsp.cli.main import main
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.rules.shared.copied import PARTS

EMPTY = "# Tester\n\n<!-- handoff: begin contract=agent-result part=skeleton -->\n<!-- handoff: end -->\n\nBye.\n"
FILLED = """# Tester

<!-- handoff: begin contract=agent-result part=skeleton -->

```
AGENT_RESULT: <agent result>
STATUS: <success | error | failure | suspended | blocked>
NEXT: <next>
```

<!-- handoff: end -->

Bye.
"""
OWN = """\
contract: nightly-report
title: Nightly report
about: What the nightly run returns.
fence:
  tags: {nightly: own}
status: state
unread: The run counts as failed
fields:
  state:
    title: State
    type: enum
    required: true
    values: [{value: green, about: All passed, then: Deploys}, red]
routing:
  - {when: {state: {one_of: [green]}}, action: advance, reason: Deploys}
  - {action: stop, reason: Waits for a person}
"""


@pytest.fixture
def tester(here: Path) -> Path:
    """A prompt with an empty copy, ``agents/tester.md`` in the working folder."""
    path = here / "agents" / "tester.md"
    path.parent.mkdir()
    path.write_text(EMPTY, encoding="utf-8")
    return path


def sync(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(["sync", *arguments])
    told = capsys.readouterr()
    return code, told.out + told.err


def test_an_empty_copy_is_filled_in_and_stays_as_it_is(tester: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sync(capsys) == (0, "Updated 1 copy in 1 file.\n")
    assert tester.read_text(encoding="utf-8") == FILLED
    assert sync(capsys) == (0, "Nothing to update in 1 copy.\n")
    assert tester.read_text(encoding="utf-8") == FILLED


def test_check_lists_the_files_and_writes_none(tester: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sync(capsys, "--check") == (1, "Would update: agents/tester.md\nWould update 1 copy in 1 file.\n")
    assert tester.read_text(encoding="utf-8") == EMPTY
    tester.write_text(FILLED, encoding="utf-8")
    assert sync(capsys, "--check", "-q") == (0, "")


def test_diff_shows_the_change_and_writes_nothing(tester: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["sync", "--diff"])
    told = capsys.readouterr()
    assert code == 1
    assert told.out.startswith("--- agents/tester.md\n+++ agents/tester.md\n")
    assert "+STATUS: <success | error | failure | suspended | blocked>\n" in told.out
    assert told.err == "Would update 1 copy in 1 file.\n"
    assert tester.read_text(encoding="utf-8") == EMPTY


def test_check_finds_an_outdated_copy_and_fixes_it(tester: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--output-format", "concise", "--no-cache"])
    told = capsys.readouterr().out
    assert "agents/tester.md:3:1: warning[outdated-copy] This copy of `skeleton` differs" in told
    assert main(["check", "--fix", "-q", "--no-cache"]) == 0
    assert tester.read_text(encoding="utf-8") == FILLED


def test_line_ends_and_byte_order_mark_stay(tester: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tester.write_bytes(b"\xef\xbb\xbf" + EMPTY.replace("\n", "\r\n").encode())
    assert sync(capsys)[0] == 0
    assert tester.read_bytes() == b"\xef\xbb\xbf" + FILLED.replace("\n", "\r\n").encode()


def test_a_copy_in_a_quotation_and_a_list_stays_in_it(tester: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tester.write_text(
        "> 1. <!-- handoff: begin contract=agent-result part=skeleton -->\n>    <!-- handoff: end -->\n",
        encoding="utf-8",
    )
    assert sync(capsys)[0] == 0
    lines = tester.read_text(encoding="utf-8").split("\n")
    assert lines[1:4] == [">", ">    ```", ">    AGENT_RESULT: <agent result>"]
    assert lines[-3:] == [">", ">    <!-- handoff: end -->", ""]
    assert sync(capsys, "--check")[0] == 0


def test_a_copy_that_lost_the_end_of_its_fence_is_mended(tester: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tester.write_text(FILLED.replace("NEXT: <next>\n```\n", "NEXT: <next>\n"), encoding="utf-8")
    assert sync(capsys)[0] == 0
    assert tester.read_text(encoding="utf-8") == FILLED


def test_a_mark_that_cannot_be_followed_is_an_error(tester: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = EMPTY.replace("part=skeleton", "part=skeletn")
    tester.write_text(wrong, encoding="utf-8")
    code, told = sync(capsys)
    assert code == 1
    assert told.startswith("agents/tester.md:3:48: Unknown part `skeletn`. Did you mean `skeleton`?\n")
    assert tester.read_text(encoding="utf-8") == wrong


def test_marks_in_a_fence_are_an_example(tester: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tester.write_text(f"```markdown\n{EMPTY}```\n", encoding="utf-8")
    assert sync(capsys) == (0, "No marked copies.\n")


def test_contracts_of_the_workspace_are_copied_too(tester: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path(".handoff-lsp.toml").write_text('contract-files = ["nightly.yaml"]\n', encoding="utf-8")
    contract = Path("nightly.yaml")
    contract.write_text(OWN, encoding="utf-8")
    tester.write_text(
        "<!-- handoff: begin contract=nightly-report part=values -->\n<!-- handoff: end -->\n", encoding="utf-8"
    )
    assert sync(capsys, "agents") == (0, "Updated 1 copy in 1 file.\n")
    told = tester.read_text(encoding="utf-8")
    assert "| State | Meaning | What happens then |\n| --- | --- | --- |\n| `green` | All passed | Deploys |" in told
    contract.write_text(OWN.replace("red]", "red, amber]"), encoding="utf-8")
    assert sync(capsys, "--check", "agents")[0] == 1
    assert sync(capsys, "agents")[0] == 0
    assert "| `amber` |" in tester.read_text(encoding="utf-8")


def test_what_happens_after_a_value_is_also_known_from_its_own_route(
    tester: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(".handoff-lsp.toml").write_text('contract-files = ["nightly.yaml"]\n', encoding="utf-8")
    Path("nightly.yaml").write_text(OWN.replace(", then: Deploys", ""), encoding="utf-8")
    tester.write_text(
        "<!-- handoff: begin contract=nightly-report part=values -->\n<!-- handoff: end -->\n", encoding="utf-8"
    )
    assert sync(capsys, "agents")[0] == 0
    assert "| `green` | All passed | Deploys |\n| `red` |  |  |\n" in tester.read_text(encoding="utf-8")


def test_the_copy_is_in_english_for_everybody(tester: Path, run: Run) -> None:
    for part in PARTS:
        mark = f"<!-- handoff: begin contract=status-block part={part} -->\n<!-- handoff: end -->\n"
        tester.write_text(mark, encoding="utf-8")
        assert run("sync", "-q", "agents", LANG="en_US.UTF-8").returncode == 0
        told = run("check", "--lang", "ja", "--no-cache", "--output-format", "concise", "agents").stdout.decode()
        assert "outdated-copy" not in told, part


def test_a_file_that_is_read_only_is_left_alone(tester: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tester.chmod(0o444)
    code, told = sync(capsys)
    assert code == 2
    assert "agents/tester.md: not fixed: read-only" in told
    assert tester.read_text(encoding="utf-8") == EMPTY


def test_what_cannot_be_read_is_an_error(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sync(capsys, "gone.md")[0] == 2
    assert sync(capsys, "-")[0] == 2


def test_what_a_walk_cannot_read_is_named(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "broken.md").write_bytes(b"<!-- handoff: begin contract=status-block part=values -->\xff")
    assert main(["sync", "--check"]) == 0
    assert capsys.readouterr().err == "handoff-lsp: 1 file skipped: broken.md (not UTF-8)\n"
    assert main(["sync", "--check", "broken.md"]) == 2


@pytest.mark.parametrize("part", PARTS)
def test_each_part_of_each_contract_is_copied_and_silent(
    part: str, tester: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = [
        entry for entry in builtin() if part != "values" or entry.contract.status in values_of(entry.contract.fields)
    ]
    marks = (f"<!-- handoff: begin contract={entry.name} part={part} -->\n<!-- handoff: end -->\n" for entry in entries)
    tester.write_text("# Agent\n\n" + "\n".join(marks), encoding="utf-8")
    assert sync(capsys, "-q") == (0, "")
    main(["check", "--no-cache", "--output-format", "concise", "--examples"])
    assert capsys.readouterr().out.startswith("No findings in 1 file")


def values_of(fields: dict[str, object]) -> list[str]:
    """The fields that are choices."""
    return [name for name, field in fields.items() if field.kind.is_choice]  # type: ignore[attr-defined]
