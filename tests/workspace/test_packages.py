"""Contracts of installed packages: a real one in a folder of ``sys.path``, nothing of which is run."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from cli.test_config import CONTRACT, STANDUP, write

from handoff_lsp.cli.main import main
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.features.contract_files.file import contract_file
from handoff_lsp.features.contract_files.problems import problems as contract_problems
from handoff_lsp.text import Source
from handoff_lsp.workspace.config.packages import find_package
from handoff_lsp.workspace.config.resolver import Resolver


class Site:
    """A folder in which packages are installed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()

    def install(self, name: str, points: str, **files: str) -> Path:
        """A package with entry points and files in its module's folder `contracts`; a module that must not run."""
        module = name.replace("-", "_")
        about = self.folder / f"{module}-1.2.dist-info"
        write(about / "METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
        write(about / "entry_points.txt", points)
        write(self.folder / module / "__init__.py", "raise SystemExit('this was run')\n")
        for stem, text in files.items():
            write(self.folder / module / "contracts" / f"{stem}.yaml", text)
        self.touch()
        return self.folder / module / "contracts"

    def touch(self) -> None:
        os.utime(self.folder, ns=(os.stat(self.folder).st_mtime_ns + 1_000_000_000,) * 2)


POINT = "[handoff_lsp.contracts]\nacme = acme_handoffs.contracts\n"
CONFIG = 'contract-packages = ["acme-handoffs"]\n'


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Site:
    found = Site(tmp_path_factory.mktemp("env") / "site")
    monkeypatch.syspath_prepend(str(found.folder))
    return found


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "standup.md", STANDUP)
    write(tmp_path / ".handoff-lsp.toml", CONFIG)
    return tmp_path


def problems(root: Path, resolver: Resolver | None = None) -> list[tuple[str, int | None, str, str]]:
    found = (resolver or Resolver()).problems(root / "x.md")
    return [(one.path.name, one.line, one.rule, one.message) for one in found]


def test_its_contracts_count_and_none_of_its_code_is_run(
    site: Site, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site.install("acme-handoffs", POINT, standup=CONTRACT)
    write(root / ".handoff-lsp.toml", CONFIG + '[contracts.standup]\nteam = "x"\n')
    assert main(["check", "--output-format", "json"]) == 1
    out, err = capsys.readouterr()
    assert ([one["rule"] for one in json.loads(out)["findings"]], err) == (["invalid-value"], "")
    assert "acme_handoffs" not in sys.modules
    assert main(["explain", "standup"]) == 0


def test_a_contract_extends_one_of_a_package_by_its_name(site: Site, root: Path) -> None:
    site.install("acme-handoffs", POINT, standup=CONTRACT)
    write(root / ".handoff-lsp.toml", CONFIG + 'contract-files = ["contracts"]\n')
    patch = "fields: {mood: {+values: [so-so]}}\n"
    own = write(root / "contracts" / "own.yaml", f"contract: evening\nextends: standup\n{patch}")
    resolver = Resolver()
    assert problems(root, resolver) == []
    values = [one.value for one in resolver.registry(own)["evening"].contract.fields["mood"].values]
    assert values == ["good", "bad", "so-so"]
    own.write_text(f"contract: standup\nextends: standup\n{patch}")
    resolver = Resolver()
    assert problems(root, resolver) == []
    entry = resolver.registry(own)["standup"]
    assert (entry.origin, entry.package, len(entry.contract.fields["mood"].values)) == (own, "", 3)
    own.write_text(CONTRACT)
    assert problems(root) == [
        (
            "own.yaml",
            1,
            "invalid-contract",
            "`standup` is in the package `acme-handoffs`: write `extends: standup` to change it, "
            "or choose another name",
        )
    ]


@pytest.mark.parametrize(
    ("points", "files", "message"),
    [
        (None, {}, "the package `acme-handoffs` is not installed where handoff-lsp runs"),
        (
            "[console_scripts]\na = b:c\n",
            {},
            "the package `acme-handoffs` declares no contracts: it has no entry point",
        ),
        (
            "[handoff_lsp.contracts]\na = ../../etc\n",
            {},
            "the package `acme-handoffs` has no folder for its entry point",
        ),
        (
            "[handoff_lsp.contracts]\na = acme_handoffs.gone\n",
            {},
            "the package `acme-handoffs` has no folder for its entry point `a = acme_handoffs.gone`",
        ),
        ("[handoff_lsp.contracts]\nnonsense\n", {}, "the package `acme-handoffs` "),
        (
            "[handoff_lsp.contracts]\na = acme_handoffs\n",
            {},
            "the package `acme-handoffs` has no contracts in `acme_handoffs`: no file ends in .yaml or .yml",
        ),
        (
            POINT,
            {"bad": "contract: bad\nfields: {a: {typ: line}}\n", "standup": CONTRACT},
            "the package `acme-handoffs`: bad.yaml:1: `title` is missing (and 2 more)",
        ),
        (
            POINT,
            {"bad": CONTRACT.replace("standup", "status-block"), "standup": CONTRACT},
            "the package `acme-handoffs`: bad.yaml:1: `status-block` is built in: write `extends: status-block`",
        ),
    ],
)
def test_one_problem_and_everything_else_is_checked(
    site: Site,
    root: Path,
    capsys: pytest.CaptureFixture[str],
    points: str | None,
    files: dict[str, str],
    message: str,
) -> None:
    if points is not None:
        site.install("acme-handoffs", points, **files)
    own = CONTRACT.replace("contract: standup", "contract: other")
    write(root / "contracts" / "other.yaml", own)
    theirs = "[contracts.whatever]\nx = 1\n[rules]\n'whatever/check' = 'off'\n"
    write(root / ".handoff-lsp.toml", f'\n{CONFIG}contract-files = ["contracts"]\n{theirs}')
    ((name, line, rule, told),) = problems(root)
    assert (name, line, rule, told.startswith(message)) == (".handoff-lsp.toml", 2, "invalid-contract", True), told
    assert ("standup" in Resolver().registry(root / "x.md")) == ("standup" in files)
    assert main(["check", "standup.md"]) == 2
    out, err = capsys.readouterr()
    assert "invalid-value" in out and f".handoff-lsp.toml:2: {message}" in err


def test_a_package_that_comes_changes_and_goes_is_noticed(site: Site, root: Path) -> None:
    now = [0.0]
    resolver, path = Resolver(clock=lambda: now[0]), root / "x.md"

    def names() -> list[str]:
        now[0] += 1
        return [name for name in resolver.registry(path).names if name not in builtin()]

    assert (names(), len(problems(root, resolver))) == ([], 1)
    folder = site.install("acme-handoffs", POINT, standup=CONTRACT)
    assert (names(), problems(root, resolver)) == (["standup"], [])
    write(folder / "other.yml", CONTRACT.replace("contract: standup", "contract: other"))
    assert (names(), problems(root, resolver)) == (["other", "standup"], [])
    before = resolver.registry(path)
    assert names() and resolver.registry(path) is before
    (folder / "other.yml").write_text("contract: other\n")
    assert (names(), len(problems(root, resolver))) == (["other", "standup"], 1)  # the last good one
    for file in (site.folder / "acme_handoffs-1.2.dist-info").iterdir():
        file.unlink()
    (site.folder / "acme_handoffs-1.2.dist-info").rmdir()
    site.touch()
    assert names() == []
    assert "not installed" in problems(root, resolver)[0][3]


def test_where_the_folder_is(site: Site, tmp_path: Path) -> None:
    module = "[handoff_lsp.contracts]\nacme = acme_handoffs.contracts.here\n"
    folder = site.install("acme-handoffs", module, standup=CONTRACT)
    write(folder / "here.py", "raise SystemExit('this was run')\n")
    assert find_package("Acme.Handoffs") == ([folder / "standup.yaml"], find_package("acme_handoffs").looked, None)
    # Installed from its sources, which are elsewhere.
    site.install("beta", "[handoff_lsp.contracts]\nbeta = beta_formats\n")
    write(tmp_path / "my code" / "src" / "beta_formats" / "a.yaml", CONTRACT)
    noted = {"url": (tmp_path / "my code").as_uri(), "dir_info": {"editable": True}}
    write(site.folder / "beta-1.2.dist-info" / "direct_url.json", json.dumps(noted))
    assert find_package("beta").files == [tmp_path / "my code" / "src" / "beta_formats" / "a.yaml"]
    for odd in ("", " ", "../x", "a" * 5_000, "a\nb", "*"):
        assert find_package(odd).problem == "is not installed where handoff-lsp runs"


def test_the_actions_of_contract_know_them(site: Site, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site.install("acme-handoffs", POINT, standup=CONTRACT)
    write(root / ".handoff-lsp.toml", CONFIG + 'contract-files = ["contracts"]\n')
    write(root / "contracts" / "own.yaml", "contract: evening\nextends: standup\ntitle: Evening note\n")
    assert main(["contract", "lint", "contracts/own.yaml"]) == 0
    assert "evening: 1 of 1 file" in capsys.readouterr().out
    write(root / ".handoff-lsp.toml", 'contract-packages = ["gone"]\ncontract-files = ["contracts"]\n')
    assert main(["contract", "lint"]) != 0
    assert "the package `gone` is not installed where handoff-lsp runs" in capsys.readouterr().out


def test_an_open_contract_beside_those_of_a_package(site: Site, root: Path) -> None:
    site.install("acme-handoffs", POINT, standup=CONTRACT)
    write(root / ".handoff-lsp.toml", CONFIG + 'contract-files = ["contracts/*.yaml"]\n')
    own = write(root / "contracts" / "own.yaml", CONTRACT.replace("contract: standup", "contract: other"))

    def told(text: str) -> list[str]:
        file = contract_file(Source(text), own, Resolver())
        assert file is not None
        return [problem.message for problem in contract_problems(file)]

    extending = "contract: standup\nextends: standup\ntitle: Ours\n"
    assert told(extending) == []
    assert told(CONTRACT)[0].startswith("`standup` is in the package `acme-handoffs`: write `extends: standup`")
    own.write_text(extending)
    assert told(extending) == []
    file = contract_file(Source(extending), own, Resolver())
    assert file is not None
    base = file.base("standup")
    assert base is not None and base.package == "acme-handoffs"
