"""The config: found, read, checked, and followed by the command."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from handoff_lsp.cli.main import main
from handoff_lsp.contracts.problems import KeyPath
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.workspace.config.config_file import Config, ConfigError, find_config, load_config
from handoff_lsp.workspace.config.model import config_schema
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.config.toml_places import toml_places

# A small contract of a workspace; no other one has its format.
CONTRACT = """\
contract: standup
title: Standup note
about: What an agent did yesterday and what it does today.
status: mood
unread: nobody reads the note
default_profile: plain
profiles:
  plain: {about: The only one.}
detect:
  enough: 4
  content: 2
  signs:
    - {weight: 4, title: '(?i)^standup\\b'}
settings:
  team: {about: Whose standup it is., default: ''}
  strict: {about: Whether all is told., default: false}
  people: {about: Who is there., default: []}
fields:
  mood:
    title: Mood
    type: enum
    carriers: [section]
    required: true
    about: How it goes.
    values:
      - {value: good, about: All is well.}
      - {value: bad, about: Help is needed.}
"""
STANDUP = "# Standup of Monday\n\n## Mood\nmeh\n"


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def config(folder: Path, text: str) -> Path:
    return write(folder / ".handoff-lsp.toml", text)


def error(path: Path) -> ConfigError:
    with pytest.raises(ConfigError) as raised:
        load_config(path)
    return raised.value


def found(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[tuple[str, str]]:
    capsys.readouterr()
    main(["check", "--output-format", "json", *arguments])
    data: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["findings"]
    return [(finding["rule"], finding["severity"]) for finding in data]


class Clock:
    """A clock that the test advances."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


# Finding


def test_the_nearest_folder_decides(tmp_path: Path) -> None:
    own = config(tmp_path, "")
    shared = write(tmp_path / "a" / "pyproject.toml", "[tool.handoff-lsp]\n")
    write(tmp_path / "a" / "b" / "pyproject.toml", "[tool.other]\nname = 'handoff-lsp'\n")
    write(tmp_path / "a" / "b" / "x.md", "")
    assert find_config(tmp_path) == own
    assert find_config(tmp_path / "x.md") == own
    assert find_config(tmp_path / "a" / "b" / "x.md") == shared
    assert find_config(tmp_path / "a" / "b") == shared
    nearer = config(tmp_path / "a", "")
    assert find_config(tmp_path / "a" / "b") == nearer
    assert find_config(tmp_path / "nowhere" / "x.md") == own


def test_a_broken_pyproject_counts_only_with_our_table(tmp_path: Path) -> None:
    own = config(tmp_path, "")
    shared = write(tmp_path / "a" / "pyproject.toml", "dev = ['handoff-lsp']\n[tool.x\n")
    assert find_config(tmp_path / "a") == own
    shared.write_text("[tool.handoff-lsp]\nexamples = \n", encoding="utf-8")
    assert find_config(tmp_path / "a") == shared


# Reading


def test_everything_a_config_says(tmp_path: Path) -> None:
    write(tmp_path / "contracts" / "standup.yaml", CONTRACT)
    text = """\
examples = true
contract-files = ["contracts/*.yaml"]
exclude = ["vendor/**"]
disable = ["status-block"]

[contracts.agent-contract]
profile = "gaia-5.0"
consolidation_required = true
writable_sections = ["a"]

[contracts.standup]
team = "x"
strict = false
people = []

[rules]
count-mismatch = "information"

[[files]]
pattern = "docs/turns/*.md"
contract = "standup"
mode = "template"
[files.rules]
empty-value = "off"
"""
    path = config(tmp_path, text)
    loaded = load_config(path)
    assert loaded.path == path
    assert (loaded.examples, loaded.disable) == (True, frozenset({"status-block"}))
    assert (loaded.contract_files, loaded.exclude) == (((tmp_path, "contracts/*.yaml"),), ((tmp_path, "vendor/**"),))
    assert loaded.profiles == {"agent-contract": "gaia-5.0"}
    assert loaded.settings["agent-contract"] == {"consolidation_required": True, "writable_sections": ["a"]}
    assert loaded.settings["standup"] == {"team": "x", "strict": False, "people": []}
    assert loaded.rules == {"count-mismatch": "information"}
    assert loaded.files[0].contract == "standup"
    table = write(tmp_path / "p" / "pyproject.toml", "[project]\nname = 'x'\n[tool.handoff-lsp]\nexamples = true\n")
    assert load_config(table).examples is True


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("examples = true\nexlude = []\n", 2, "unknown key `exlude`; did you mean `exclude`?"),
        ("contract_files = []\n", 1, "unknown key `contract_files`; did you mean `contract-files`?"),
        ("\nzzz = 1\n", 2, "unknown key `zzz`"),
        ("examples = 'yes'\n", 1, '`examples` must be `true` or `false`, not the text "yes"'),
        ("exclude = 'vendor'\n", 1, '`exclude` must be a list, not the text "vendor"'),
        ("exclude = [\n  'a',\n  # comment = 1\n  3,\n]\n", 4, "`exclude[1]` must be a string, not `3`"),
        ("rules = []\n", 1, "`rules` must be a table, not a list"),
        ("[contracts.agent-contrat]\n", 1, "unknown contract `agent-contrat`; did you mean `agent-contract`?"),
        ("disable = ['missing-status']\n", 1, '`disable` is for contracts; for a rule, set `missing-status = "off"`'),
        ("disable = ['status-blok']\n", 1, "unknown contract `status-blok`; did you mean `status-block`?"),
        (
            "[contracts.agent-contract]\n\nprofile = 'gaia-5.1'\n",
            3,
            "unknown profile `gaia-5.1` of `agent-contract`; did you mean `gaia-5.0`?",
        ),
        (
            "contracts.agent-contract.'consolidation-required' = true\n",
            1,
            "unknown setting `consolidation-required` of `agent-contract`; did you mean `consolidation_required`?",
        ),
        (
            "[contracts]\nagent-contract = { profile = 'gaia-5.0',   consolidation_required = 1 }\n",
            2,
            "`contracts.agent-contract.consolidation_required` must be `true` or `false`, not `1`",
        ),
        (
            "[contracts.agent-contract]\nwritable_sections = 'a'\n",
            2,
            '`contracts.agent-contract.writable_sections` must be a list of texts, not the text "a"',
        ),
        (
            "[contracts.agent-contract]\nwritable_sections = [1]\n",
            2,
            "`contracts.agent-contract.writable_sections` must be a list of texts, not a list with other things in it",
        ),
        ('[rules]\n"count-mismatc" = "off"\n', 2, "unknown rule `count-mismatc`; did you mean `count-mismatch`?"),
        (
            "[rules]\ncount-mismatch = 'info'\n",
            2,
            '`rules.count-mismatch` is "info", but it must be one of `error`, `warning`, `information`, `hint`, `off`; '
            "did you mean `information`?",
        ),
        ("[rules]\ncount-mismatch = false\n", 2, "`rules.count-mismatch` must be a string, one of `error`"),
        ("[[files]]\npattern = 'a'\n[[files]]\nmode = 'handoff'\n", 3, "`files[1]` has no `pattern`"),
        ("[[files]]\npatern = 'a'\n", 2, "unknown key `patern`; did you mean `pattern`?"),
        (
            "[[files]]\npattern = 'a'\n[[files]]\npattern = 'b'\n[files.rules]\nx = 'off'\n",
            6,
            "unknown rule `x`",
        ),
        ("[[files]]\npattern = 'a'\nmode = 'tempalte'\n", 3, '`files[0].mode` is "tempalte", but it must be one of'),
        ("[[files]]\npattern = '../a'\n", 2, 'the pattern "../a" leads out of the folder of the config file with'),
        ("exclude = ['/etc']\n", 1, 'the pattern "/etc" is an absolute path'),
        ("contract-files = ['../x.yaml']\n", 1, 'the pattern "../x.yaml" leads out of the folder'),
        ("contract-files = ['x.yaml']\n", 1, 'the pattern "x.yaml" matches no file'),
        ("a = \n", 1, "not TOML: invalid value"),
        ("a = 1\na = 2\n", 2, "not TOML: cannot overwrite a value"),
        ("b = 1\na = '''\n\n", 2, "not TOML: "),
        ("a = " + "[" * 20_000, None, "nested too deeply"),
        ("a = " + "[" * 400 + "]" * 400, None, "nested too deeply"),
        ("[contracts.agent-contract]\na = " + "{a = " * 60 + "1" + "}" * 60, None, "nested too deeply"),
        ("b = 1\na = " + "9" * 5_000, 2, "not TOML: a number has too many digits"),
        ("b = 1\na = " + "9_" * 5_000 + "9", 2, "not TOML: a number has too many digits"),
        ("examples = 0x" + "f" * 5_000, 1, "`examples` must be `true` or `false`, not a number"),
        ("a = 2026-02-30\n", 1, "not TOML: invalid date"),
        ("x = 1\n" + "a." * 100_000 + "a = 1\n", 2, "a key has more than 50 parts"),
        ("exclude = [" + '"a",' * 1_001 + "]", 1, "`exclude` has more than 1,000 items"),
        ('[[files]]\npattern = "a"\n' * 1_001, 1, "`files` has more than 1,000 items"),
        (f'exclude = ["{"[" * 2_001}"]', 1, f'the pattern "{"[" * 100}…" has more than 2,000 characters'),
        (f'exclude = ["a/{"[" * 256}"]', 1, f'the pattern "a/{"[" * 98}…" has a name of more than 255 characters'),
        (f'contract-files = ["{"*a" * 1_001}"]', 1, f'the pattern "{"*a" * 50}…" has more than 2,000 characters'),
        ("[[prompts.allow]]\nvalue = 'x'\n", 1, "`prompts.allow[0]` has no `because`"),
        ("[[prompts.allow]]\nvalue = 'x'\nbecause = ''\n", 3, "`prompts.allow[0].because` is empty; give the reason"),
        ("[[prompts.allow]]\nbecause = 'x'\n", 1, "this entry would allow everything; give a `field`, a `value` or"),
        ("[[prompts.allow]]\nvalues = 'x'\nbecause = 'x'\n", 2, "unknown key `values`; did you mean `value`?"),
        ("[prompts]\nalow = []\n", 2, "unknown key `alow`; did you mean `allow`?"),
        ("[[prompts.allow]]\nvalue = 1\nbecause = 'x'\n", 2, "`prompts.allow[0].value` must be a string, not `1`"),
        ("[agents.x]\nreturns = true\n", 2, "`agents.x.returns` must be a string or `false`, not `true`"),
        ("[agents.x]\nwhere = 'mesage'\n", 2, '`agents.x.where` is "mesage", but it must be one of `message`, `file`'),
        ("a = [" + "1," * 100_000 + "]", None, "has more than 100,000 values"),
    ],
)
def test_what_is_wrong_with_a_config(tmp_path: Path, text: str, line: int | None, message: str) -> None:
    path = config(tmp_path, text)
    told = error(path)
    assert (told.path, told.line, told.rule) == (path, line, "invalid-config")
    assert told.message.startswith(message)
    assert str(told) == (f"{path}:{line}: {told.message}" if line else f"{path}: {told.message}")


def test_all_problems_are_reported(tmp_path: Path) -> None:
    config(tmp_path, "exlude = []\ndisable = ['x']\n[rules]\ny = 'off'\n")
    assert [told.line for told in Resolver().problems(tmp_path / "a.md")] == [1, 2, 4]


def test_the_line_in_a_pyproject(tmp_path: Path) -> None:
    path = write(tmp_path / "pyproject.toml", "[project]\nname = 'a'\n\n[tool.handoff-lsp]\nexampels = true\n")
    assert (error(path).line, error(path).message) == (5, "unknown key `exampels`; did you mean `examples`?")
    path.write_text("[project]\n", encoding="utf-8")
    assert error(path).message == "has no table [tool.handoff-lsp]"
    path.write_text("tool.handoff-lsp = 1\n", encoding="utf-8")
    assert error(path).message == "`tool.handoff-lsp` must be a table"


def test_a_config_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / ".handoff-lsp.toml"
    path.write_bytes(b"a = 1\n# caf\xe9\n")
    assert (error(path).line, error(path).message) == (2, "not UTF-8 (byte 0xe9 at offset 11)")
    path.write_bytes(b"\xef\xbb\xbfexamples = true\r\n")
    assert load_config(path).examples
    path.unlink()
    assert error(path).message == "no such file or folder"
    path.mkdir()
    assert error(path).message == "a folder, not a file"
    path.rmdir()
    path.symlink_to(tmp_path / "nowhere")
    assert Resolver().problems(tmp_path / "a.md")[0].message == "no such file or folder"


def key_lines(text: str) -> dict[KeyPath, int]:
    return {path: text.count("\n", 0, span.start) + 1 for path, span in toml_places(text).keys.items()}


def test_lines_of_keys() -> None:
    text = '''\
# x = 1
a = """
b = 1
""" # [c]
"q.r" = [ 1, # ]
  { x = 1, y.z = "}" },
]
[t.'u v']
k.l = 1979-05-27 07:32:00
[[f]]
p = 1
[[f]]
p = [[1], [2,
3]]
[f.s]
q = true
'''
    lines = key_lines(text)
    assert (0, 1, "#") not in lines
    told = {
        ("a",): 2,
        ("q.r",): 5,
        ("q.r", 1, "x"): 6,
        ("q.r", 1, "y", "z"): 6,
        ("t",): 8,
        ("t", "u v"): 8,
        ("t", "u v", "k", "l"): 9,
        ("f",): 10,
        ("f", 0, "p"): 11,
        ("f", 1): 12,
        ("f", 1, "p"): 13,
        ("f", 1, "p", 1, 1): 14,
        ("f", 1, "s", "q"): 16,
    }
    assert {path: lines.get(path) for path in told} == told
    assert ("b",) not in lines
    for broken in ("a", "a =", "[", "[[a]", "a = [", "a = {", "= 1", 'a = "', "a = [" * 5_000):
        key_lines(broken)


def test_the_schema_knows_the_contracts_and_rules() -> None:
    properties = config_schema()["properties"]
    assert list(properties["contracts"]["properties"]) == builtin().names
    assert (
        properties["contracts"]["properties"]["agent-contract"]["properties"]["consolidation_required"]["type"]
        == "boolean"
    )
    assert "count-mismatch" in properties["rules"]["properties"]
    json.dumps(config_schema())


# Following


def test_severities(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert found(capsys) == [("invalid-value", "error")]
    config(bad.parent, "[rules]\ninvalid-value = 'warning'\n")
    assert found(capsys) == [("invalid-value", "warning")]
    assert main(["check"]) == 0
    config(bad.parent, "[rules]\ninvalid-value = 'off'\n")
    assert found(capsys) == []


def test_some_files(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config(
        bad.parent,
        "[rules]\ninvalid-value = 'hint'\n"
        "[[files]]\npattern = '*-handoff.md'\nmode = 'handoff'\n[files.rules]\ninvalid-value = 'warning'\n"
        "[[files]]\npattern = 'sub/**'\n[files.rules]\ninvalid-value = 'off'\n",
    )
    assert found(capsys) == [("invalid-value", "warning")]
    (bad.parent / "sub").mkdir()
    bad.rename(bad.parent / "sub" / "a-handoff.md")
    assert found(capsys) == []
    config(bad.parent, "[[files]]\npattern = 'notes.md'\ncontract = 'status-block'\n")
    write(bad.parent / "notes.md", "# Notes\n")
    assert ("missing-status", "error") in found(capsys, "notes.md")


def test_exclude_and_disable(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(bad.parent / "vendor" / "x" / "b-handoff.md", bad.read_text(encoding="utf-8"))
    assert len(found(capsys)) == 2
    config(bad.parent, "exclude = ['vendor/**']\n")
    assert len(found(capsys)) == 1
    assert len(found(capsys, "vendor/x/b-handoff.md")) == 1
    config(bad.parent, "exclude = ['a-*.md']\n")
    assert len(found(capsys, ".")) == 1
    config(bad.parent / "vendor", "exclude = ['x']\n")  # a nearer config has its own
    assert found(capsys, ".") == []
    config(bad.parent, "disable = ['status-block']\n")
    assert found(capsys) == []


def test_an_explicit_config(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config(bad.parent, "[rules]\ninvalid-value = 'off'\n")
    write(bad.parent / "conf" / "other.toml", "[rules]\ninvalid-value = 'hint'\n")
    assert found(capsys, "--config", "conf/other.toml") == [("invalid-value", "hint")]


def test_a_broken_config_is_exit_code_2(run: Any, tmp_path: Path) -> None:
    from_ = "# Turn\n\n```agent_contract_handoff\n{,}\n```\n"
    write(tmp_path / "good" / "b.md", from_)
    write(tmp_path / "broken" / "c.md", from_)
    write(tmp_path / "broken" / "d.md", from_)
    config(tmp_path / "broken", "[rules]\nempty-valu = 'off'\n")
    done = run("check")
    assert done.returncode == 2
    told = b"broken/.handoff-lsp.toml:2: unknown rule `empty-valu`; did you mean `empty-value`?"
    assert done.stderr == b"handoff-lsp: error: " + told + b"\n"
    assert b"good/b.md:" in done.stdout
    assert b"broken/" not in done.stdout
    assert b"2 files could not be checked." in done.stdout


@pytest.mark.parametrize("text", ["x = " + "9" * 5_000, "x = " + "[" * 300 + "]" * 300, "x = " + "[" * 20_000])
def test_a_config_that_python_cannot_read_is_exit_code_2(run: Any, bad: Path, text: str) -> None:
    config(bad.parent, text)
    for arguments in (["check"], ["check", str(bad)], ["parse", str(bad)], ["doctor", str(bad)]):
        done = run(*arguments)
        assert b"Traceback" not in done.stderr
        assert b".handoff-lsp.toml" in done.stderr + done.stdout
        assert done.returncode == (2 if arguments[0] != "doctor" else done.returncode)


def test_a_broken_explicit_config_checks_nothing(run: Any, bad: Path) -> None:
    write(bad.parent / "x.toml", "rulez = 1\n")
    done = run("check", "--config", "x.toml", "--output-format", "json")
    (problem,) = json.loads(done.stdout)["findings"]
    assert (done.returncode, problem["path"], problem["rule"]) == (2, "x.toml", "invalid-config")
    assert done.stderr == b"handoff-lsp: error: x.toml:1: unknown key `rulez`; did you mean `rules`?\n"


def test_a_broken_config_is_reported_where_nothing_is_to_be_checked(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config(here, "[\n")
    assert main(["check"]) == 2
    told = capsys.readouterr()
    assert told.err.startswith("handoff-lsp: error: .handoff-lsp.toml:1: not TOML: ")
    assert told.out == ""


# Contracts of the workspace


def test_a_contract_of_the_workspace_is_used(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "monday.md", STANDUP)
    assert found(capsys) == []
    write(here / "contracts" / "standup.yaml", CONTRACT)
    config(here, "contract-files = ['contracts/*.yaml']\n[contracts.standup]\nteam = 'x'\n")
    main(["check", "--output-format", "json"])
    (finding,) = json.loads(capsys.readouterr().out)["findings"]
    assert (finding["rule"], finding["contract"], finding["field"]) == ("invalid-value", "standup", "mood")
    assert finding["range"]["start"] == {"line": 4, "column": 1}


def test_a_broken_contract_is_reported_at_its_line(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here = bad.parent
    write(here / "monday.md", STANDUP)
    write(here / "contracts" / "standup.yaml", CONTRACT)
    write(here / "contracts" / "broken.yaml", CONTRACT.replace("standup", "other").replace("type: enum", "tipe: enum"))
    write(here / "contracts" / "worse.yaml", "contract: [\n")
    config(here, "contract-files = ['contracts/*.yaml']\n[contracts.other]\nteam = 'x'\n")
    assert main(["check"]) == 2
    told = capsys.readouterr()
    lines = told.err.splitlines()
    number = CONTRACT.splitlines().index("    type: enum") + 1
    assert lines[0] == f"handoff-lsp: error: contracts/broken.yaml:{number}: unknown key `tipe`; did you mean `type`?"
    assert lines[1].startswith("handoff-lsp: error: contracts/worse.yaml:2: not YAML: ")
    assert len(lines) == 2
    assert "monday.md:4:1: error[invalid-value]" in told.out  # the other contracts still work
    assert "a-handoff.md:4:1: error[invalid-value]" in told.out


def test_two_contracts_of_one_name(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(here / "a.yaml", CONTRACT)
    write(here / "b.yaml", CONTRACT)
    config(here, "contract-files = ['a.yaml', '*.yaml']\n")
    assert main(["check"]) == 2
    told = "b.yaml:1: the contract `standup` is already in a.yaml; this one is not used"
    assert capsys.readouterr().err == f"handoff-lsp: error: {told}\n"


def test_contract_files_stay_inside(tmp_path: Path) -> None:
    write(tmp_path / "out" / "standup.yaml", CONTRACT)
    inside = tmp_path / "in"
    config(inside, "contract-files = ['a/*.yaml']\n")
    (inside / "a").mkdir()
    (inside / "a" / "x.yaml").symlink_to(tmp_path / "out" / "standup.yaml")
    (told,) = Resolver().problems(inside / "x.md")
    assert (told.line, told.message) == (1, '"a/x.yaml" leads out of the folder of the config file by a symbolic link')
    (inside / "a" / "x.yaml").unlink()
    (inside / "a").rmdir()
    (inside / "a").symlink_to(tmp_path / "out")
    (told,) = Resolver().problems(inside / "x.md")
    assert "leads out of the folder" in told.message
    with pytest.raises(ConfigError):
        Resolver().require(inside / "x.md")


def test_a_contract_file_may_be_in_a_hidden_folder(here: Path) -> None:
    write(here / ".atl" / "deep" / "standup.yaml", CONTRACT)
    config(here, "contract-files = ['**/*.yaml']\n")
    assert Resolver().problems(None) == []
    assert "standup" in Resolver().registry(None)


def test_a_contract_file_may_be_anywhere_below(here: Path) -> None:
    write(here / "a" / "b" / "c" / "standup.yaml", CONTRACT)
    write(here / "node_modules" / "standup.yaml", CONTRACT)
    write(here / ".tox" / "standup.yaml", CONTRACT)
    for pattern in ("**/*.yaml", "a/**/standup.yaml", "a/*/c/*.yaml", "a/b/c/standup.yaml"):
        config(here, f"contract-files = ['{pattern}']\n")
        assert Resolver().problems(None) == []
        assert "standup" in Resolver().registry(None)


def test_a_hostile_contract_is_refused(here: Path) -> None:
    bomb = "".join(f"k{i + 1}: &a{i + 1} [{', '.join([f'*a{i}'] * 9)}]\n" for i in range(9))
    write(here / "x.yaml", "contract: x\nk0: &a0 [x]\n" + bomb)
    write(here / "y.yaml", "contract: y\nk: &a [*a]\n")
    config(here, "contract-files = ['*.yaml']\n")
    assert [told.message for told in Resolver().problems(None)] == [
        "too large: more than 50,000 values with all aliases written out"
    ] * 2


# The resolver


def test_nothing_changes_while_nothing_changes(here: Path) -> None:
    write(here / "standup.yaml", CONTRACT)
    config(here, "contract-files = ['*.yaml']\n[[files]]\npattern = 'a/*.md'\nmode = 'template'\n")
    clock = Clock()
    resolver = Resolver(clock=clock)
    first, other = here / "a" / "x.md", here / "b" / "x.md"
    options, registry = resolver.options(first), resolver.registry(first)
    for _ in range(3):
        clock.now += 10
        assert resolver.options(first) is options
        assert resolver.registry(first) is registry
        assert resolver.registry(other) is registry
    resolver.disk_changed()
    assert resolver.options(first) is options
    assert options.mode == "template"
    assert resolver.options(other).mode is None
    assert resolver.options(other) is resolver.options(here / "c" / "y.md")


def test_a_change_is_seen(here: Path) -> None:
    clock = Clock()
    resolver = Resolver(clock=clock)
    path = here / "a" / "x.md"
    assert resolver.config(path).path is None
    own = config(here, "[rules]\nempty-value = 'hint'\n")
    assert resolver.config(path).path is None  # trusted for a moment
    clock.now += 1
    assert resolver.config(path).path == own
    config(here, "[rules]\nempty-value = 'off'\n")
    clock.now += 1
    assert resolver.options(path).severities == {"empty-value": "off"}
    config(here, "[rules]\nempty-value = 'error'\n")
    resolver.disk_changed()
    assert resolver.options(path).severities == {"empty-value": "error"}
    own.unlink()
    clock.now += 1
    assert resolver.config(path) == Config(folder=here)


def test_a_broken_config_keeps_the_last_good_one(here: Path) -> None:
    resolver = Resolver()
    path = here / "x.md"
    for broken in ("[rules\n", "rulez = 1\n", "x = " + "9" * 5_000, "x = " + "[" * 20_000):
        config(here, "[rules]\nempty-value = 'hint'\n")
        resolver.disk_changed()
        assert resolver.require(path).rules == {"empty-value": "hint"}
        config(here, broken)
        resolver.disk_changed()
        assert resolver.config(path).rules == {"empty-value": "hint"}
        assert len(resolver.problems(path)) == 1
        with pytest.raises(ConfigError):
            resolver.require(path)
        assert Resolver().config(path).rules == {}


def test_a_change_of_contracts_is_seen(here: Path) -> None:
    clock = Clock()
    resolver = Resolver(clock=clock)
    config(here, "contract-files = ['contracts/*.yaml']\n")
    assert "matches no file" in resolver.problems(None)[0].message
    standup = write(here / "contracts" / "standup.yaml", CONTRACT)
    clock.now += 1
    assert resolver.problems(None) == []
    before = resolver.registry(None)
    assert "standup" in before
    config(here, "examples = true\ncontract-files = ['contracts/*.yaml']\n")
    clock.now += 1
    assert resolver.registry(None) is before  # only the config changed
    write(here / "contracts" / "other.yaml", CONTRACT.replace("contract: standup", "contract: other"))
    clock.now += 1
    assert resolver.registry(None).names[:2] == ["other", "standup"]
    standup.write_text(CONTRACT.replace("mood", "moood", 1), encoding="utf-8")
    clock.now += 1
    assert [told.path for told in resolver.problems(None)] == [standup]
    assert resolver.problems(None)[0].rule == "invalid-contract"
    assert resolver.require(None).examples  # the config itself is unchanged


def test_overrides_go_before_the_config(here: Path) -> None:
    config(here, "[rules]\nempty-value = 'hint'\ninvalid-value = 'hint'\n")
    over = {"examples": True, "rules": {"empty-value": "off"}, "contracts": {"agent-contract": {"profile": "gaia-5.4"}}}
    resolver = Resolver(overrides=over)
    options = resolver.options(here / "x.md")
    assert options.severities == {"empty-value": "off", "invalid-value": "hint"}
    assert options.examples
    assert options.profiles == {"agent-contract": "gaia-5.4"}
    resolver = Resolver(overrides={"rulez": {}})
    assert resolver.options(None).severities == {"empty-value": "hint", "invalid-value": "hint"}
    assert str(resolver.problems(None)[0]) == "<settings>: unknown key `rulez`; did you mean `rules`?"


@pytest.mark.parametrize(
    ("over", "message"),
    [
        ({"prompts": {"allow": [{"because": "x"}]}}, "`prompts.allow[0]`: this entry would allow everything; give a "),
        ({"prompts": {"allow": [{"field": "x"}]}}, "`prompts.allow[0]` has no `because`"),
        ({"files": [{"patern": "x"}]}, "`files[0]`: unknown key `patern`; did you mean `pattern`?"),
        ({"files": [{"pattern": "x", "contract": "nope"}]}, "`files[0].contract`: unknown contract `nope`"),
        ({"files": [{"pattern": "../x"}]}, '`files[0].pattern`: the pattern "../x" leads out '),
        ({"agents": {"r": {"returns": "nope"}}}, "`agents.r.returns`: unknown contract `nope`"),
        ({"agents": {"r": {"returns": "status-block", "must": ["no"]}}}, "`agents.r.must[0]`: unknown field `no`"),
        ({"agents": {"r": {"where": "here"}}}, '`agents.r.where` is "here", but it must be one of '),
        ({"contracts": {"status-block": {"profile": "x"}}}, "`contracts.status-block.profile`: unknown profile `x`"),
        ({"disable": ["nope"]}, "`disable[0]`: unknown contract `nope`"),
        ({"editor": {"links": {"x": "mailto:x"}}}, "`editor.links`: the URL for `x` must begin with "),
        ({"extend": "x"}, "`extend` is for config files"),
    ],
)
def test_a_problem_of_overrides_names_the_keys_that_lead_to_it(over: dict[str, Any], message: str, here: Path) -> None:
    """There is no line to show."""
    (problem,) = Resolver(overrides=over).problems(None)
    assert problem.message.startswith(message)


def test_names_of_documents(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = here / "docs" / "project"
    resolver = Resolver()
    assert resolver.name(None) == ""
    assert resolver.name(here / "a" / "x.md") == "a/x.md"
    config(project, "")
    assert resolver.name(project / "a" / "x.md") == "a/x.md"
    (here / "docs" / ".git").mkdir()
    assert Resolver().name(project / "a" / "x.md") == "project/a/x.md"
    monkeypatch.chdir(project)
    # Without a root only the last folders count: the location of a user's projects means nothing.
    assert Resolver().name(here / "b" / "x.md") == f"{here.name}/b/x.md"


def test_looking_is_cheap(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config(here, "")
    resolver = Resolver(clock=Clock())
    path = here / "x.md"
    resolver.options(path)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the disk was touched")

    monkeypatch.setattr(os, "stat", refuse)
    monkeypatch.setattr(os.path, "lexists", refuse)
    resolver.options(path)
    resolver.registry(path)
    resolver.problems(path)
