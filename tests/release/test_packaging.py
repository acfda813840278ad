"""The entries for other projects' lists, ready to submit: packaging/README.md says where each goes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

import handoff_lsp
from handoff_lsp.rules.pages import REPOSITORY, SITE
from handoff_lsp.workspace.config.config_file import OWN_NAME

ROOT = Path(__file__).parent.parent.parent
PACKAGING = ROOT / "packaging"
EXTENSION = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))


def test_the_entry_of_schemastore_has_the_keys_of_its_catalog() -> None:
    entry = json.loads((PACKAGING / "schemastore" / "catalog-entry.json").read_text(encoding="utf-8"))
    assert list(entry) == ["name", "description", "fileMatch", "url"]
    assert entry["fileMatch"] == [OWN_NAME]


def test_the_schema_of_that_entry_is_on_the_site_and_takes_a_config() -> None:
    import fastjsonschema

    entry = json.loads((PACKAGING / "schemastore" / "catalog-entry.json").read_text(encoding="utf-8"))
    schema = json.loads((ROOT / entry["url"].removeprefix(f"{SITE}/")).read_text(encoding="utf-8"))
    schema.setdefault("$schema", "http://json-schema.org/draft-07/schema#")
    check = fastjsonschema.compile(schema, use_default=False)
    check({"rules": {"missing-field": "warning"}})
    with pytest.raises(fastjsonschema.JsonSchemaException):
        check({"rules": {"missing-field": "loud"}})


def test_the_extension_names_its_repository_as_the_marketplaces_want_it() -> None:
    assert EXTENSION["repository"] == {"type": "git", "url": f"{REPOSITORY}.git", "directory": "editors/vscode"}
    assert EXTENSION["bugs"] == {"url": f"{REPOSITORY}/issues"}
    assert (ROOT / "editors" / "vscode" / EXTENSION["icon"]).is_file()


def test_no_link_of_the_extensions_page_needs_the_repository() -> None:
    page = MarkdownIt().render((ROOT / "editors" / "vscode" / "README.md").read_text(encoding="utf-8"))
    addresses = re.findall(r'(?:href|src)="([^"]*)"', page)
    assert addresses
    assert [address for address in addresses if not address.startswith(("https://", "#"))] == []


def test_the_entry_of_the_mcp_registry_starts_our_server() -> None:
    server = json.loads((PACKAGING / "mcp-registry" / "server.json").read_text(encoding="utf-8"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (package,) = server["packages"]
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", server["name"])
    assert f"\n<!-- mcp-name: {server['name']} -->\n" in readme, "the registry looks there for the owner"
    assert server["name"] == REPOSITORY.replace("https://github.com/", "io.github.")
    assert len(server["description"]) <= 100 and len(server["title"]) <= 100
    assert server["repository"] == {"url": REPOSITORY, "source": "github"}
    assert server["websiteUrl"].startswith(SITE)
    assert (package["registryType"], package["identifier"]) == ("pypi", project["name"])
    assert package["transport"] == {"type": "stdio"}
    assert [argument["value"] for argument in package["packageArguments"]] == ["mcp"]
    # `uvx` installs the package without its extras, so the extra's requirements are named.
    (with_,) = package["runtimeArguments"]
    assert (with_["name"], [with_["value"]]) == ("--with", project["optional-dependencies"]["mcp"])


def test_zed() -> None:
    manifest = tomllib.loads((ROOT / "editors" / "zed" / "extension.toml").read_text(encoding="utf-8"))
    entry = tomllib.loads((PACKAGING / "zed" / "extensions-entry.toml").read_text(encoding="utf-8"))
    assert manifest["repository"] == REPOSITORY
    (name,) = entry
    assert name == manifest["id"]
    assert entry[name] == {
        "submodule": f"extensions/{name}",
        "path": "editors/zed",
        "version": manifest["version"],
    }
    licenses = [ROOT / "LICENSE", ROOT / "editors" / "zed" / "LICENSE"]
    assert len({path.read_text(encoding="utf-8") for path in licenses}) == 1


def test_the_formula_says_what_the_command_says(tmp_path: Path) -> None:
    """`brew` is not available here: the formula's own test is carried out by hand, and its values are compared."""
    formula = (PACKAGING / "homebrew" / "Formula" / "handoff-lsp.rb").read_text(encoding="utf-8")
    assert f'homepage "{SITE}"' in formula
    assert 'license "MIT"' in formula
    assert re.search(rf"/handoff_lsp-{re.escape(handoff_lsp.__version__)}\.tar\.gz\"$", formula, re.MULTILINE)
    assert formula.count("\n  end\n") == 2
    assert (ROOT / "requirements" / "run.txt").is_file()

    (document,) = re.findall(r'\(testpath/"result\.md"\)\.write "(.*)"', formula)
    (rule,) = re.findall(r'assert_match "([\w-]+)"', formula)
    (tmp_path / "result.md").write_text(document.replace("\\n", "\n"), encoding="utf-8")
    command = Path(sys.executable).parent / "handoff-lsp"
    done = subprocess.run([command, "check", "result.md"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"[{rule}]" in done.stdout
