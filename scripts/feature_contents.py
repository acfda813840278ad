"""The table of contents of `handoff_lsp/features`: the modules that the server uses, from their own docstrings."""

from __future__ import annotations

import ast
from pathlib import Path

_ROOM = "handoff_lsp.features"
_HEAD = '''"""The features of an editor, one module each: pure functions from a document to plain dataclasses.

A feature takes an `Analysis`, or a `Context` (`context.py`) if it needs more than the document. The table lists the
modules that the server calls, with one line about each. `make generate` writes it.

'''
_WIDTH = 120


def feature_contents(root: Path) -> str:
    """The text of the room's ``__init__.py``. It imports nothing, so that a hook starts as fast as without it."""
    lines = {name: _summary(_path(root, f"{_ROOM}.{name}")) for name in sorted(_used(root))}
    wide = max(map(len, lines)) + 2
    table = [f"    {name:<{wide}}{_fitting(summary, _WIDTH - wide - 4)}" for name, summary in lines.items()]
    return _HEAD + "\n".join(table) + '\n"""\n'


def _used(root: Path) -> set[str]:
    """The modules that have a function the server imports, without the room's own name."""
    found: set[str] = set()
    for file in sorted((root / "handoff_lsp" / "server").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_ROOM):
                module = node.module or ""
                for imported in node.names:
                    if _path(root, f"{module}.{imported.name}").exists():
                        found.add(f"{module}.{imported.name}")
                    elif imported.name in _functions(_path(root, module)):
                        found.add(module)
    return {name.removeprefix(f"{_ROOM}.") for name in found}


def _path(root: Path, module: str) -> Path:
    return root.joinpath(*module.split(".")).with_suffix(".py")


def _functions(file: Path) -> set[str]:
    if not file.exists():
        return set()
    return {node.name for node in ast.parse(file.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)}


def _summary(file: Path) -> str:
    """The first paragraph of a module's docstring, as one line."""
    doc = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(doc.partition("\n\n")[0].split())


def _fitting(text: str, room: int) -> str:
    """A text on one line: in full, else cut before the last punctuation mark that makes it fit."""
    while len(text) > room:
        end = max(text.rfind(sign, 0, len(text) - 1) for sign in (". ", ": ", "; ", ", "))
        if end < 0:
            return text[: room - 1] + "…"
        text = f"{text[:end]}."
    return text
