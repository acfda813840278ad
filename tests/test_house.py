"""Properties of the code and its pages as a whole."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import HEAVY

ROOT = Path(__file__).parent.parent


def _types(module: ast.Module) -> Iterator[str]:
    """The classes of a module, nested ones too, and its type aliases."""
    for node in ast.walk(module):
        if isinstance(node, ast.ClassDef):
            yield node.name
    for node in module.body:
        if isinstance(node, ast.Assign):
            targets = [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            targets = [node.target.id]
        else:
            continue
        for name in targets:
            letters = name.lstrip("_")
            is_type = letters[:1].isupper() and (letters != letters.upper() or len(letters) == 1)
            if is_type and not (_is_type_variable(node.value) and (name.startswith("_") or name == "T")):
                yield name


def _is_type_variable(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "TypeVar"


def test_no_two_classes_or_type_aliases_share_a_name() -> None:
    modules = defaultdict(list)
    for path in sorted((ROOT / "handoff_lsp").rglob("*.py")):
        for name in _types(ast.parse(path.read_text(encoding="utf-8"))):
            modules[name].append(path.relative_to(ROOT).as_posix())
    assert len(modules) > 200
    # Each output format is a module with an `Output`, and other programs know the words of reports and the library.
    public = {"handoff_lsp/reports/report.py", "handoff_lsp/library/project.py"}
    shared = {
        name: paths
        for name, all_paths in modules.items()
        if name != "Output" and len(paths := [path for path in all_paths if path not in public]) > 1
    }
    assert shared == {}


def _named(page: Path) -> list[str]:
    """The paths and tests that a page names in backticks, and the files that it links to."""
    text = page.read_text(encoding="utf-8")
    quoted = re.findall(r"`((?:[\w-][\w.-]*/)+[\w.-]*(?:::\w+)?)`", text)
    linked = re.findall(r"\]\((?!https?:)([^)#\n]+)", text)
    return sorted({*quoted, *linked})


@pytest.mark.parametrize(
    "name", ["ARCHITECTURE.md", "CONTRIBUTING.md", "GLOSSARY.md", "docs/promises.md", "docs/style.md"]
)
def test_the_paths_and_tests_that_a_page_names_are_there(name: str) -> None:
    """From the root, from the page, or from the package."""
    page = ROOT / name
    named = _named(page)
    missing = []
    for each in named:
        path, _, test = each.partition("::")
        places = [folder / path for folder in (ROOT, page.parent, ROOT / "handoff_lsp")]
        there = next((place for place in places if place.exists()), None)
        if there is None or (test and f"def {test}(" not in there.read_text(encoding="utf-8")):
            missing.append(each)
    assert named
    assert missing == []


def test_what_the_fast_lane_leaves_out_is_there() -> None:
    for prefix in HEAVY:
        path, _, test = prefix.partition("::")
        assert (ROOT / path).exists(), prefix
        assert not test or f"def {test.partition('[')[0]}" in (ROOT / path).read_text(encoding="utf-8"), prefix
