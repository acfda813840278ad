"""The text to write into a config file to turn a rule off for one document."""

from __future__ import annotations

import json
import os
from pathlib import Path

from handoff_lsp.text import eol_of
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.config.config_file import OWN_NAME, SHARED_NAME, TABLE, relative_to
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text
from handoff_lsp.workspace.disk.globs import Glob

_MAGIC = lazy_pattern(r"[*?\[]")


class Addition(NamedTuple):
    """The text to append to a config file; ``before`` is its text, None without a file."""

    path: Path
    before: str | None
    text: str


def turning_off(resolver: Resolver, path: Path, rule: str) -> Addition | None:
    """The edit that turns a rule off for a file, in its config or a new one in its root, or None."""
    if "files" in resolver.overrides(path):
        return None  # settings override the config
    config = resolver.origin(path).path
    root = resolver.root(path)
    if config is None and root is not None:
        config, before = root / OWN_NAME, None
    elif config is not None and not resolver.problems(path):
        try:
            before = read_text(config)
        except UnreadableFile:
            return None
    else:
        return None
    name = relative_to(os.path.abspath(path), str(config.parent))
    return _addition(config, before, name, rule) if name is not None and name.isprintable() else None


def _addition(config: Path, before: str | None, name: str, rule: str) -> Addition | None:
    import tomllib

    table = ".".join([*(TABLE if config.name == SHARED_NAME else ()), "files"])
    pattern = _MAGIC.sub(lambda sign: f"[{sign[0]}]", name)
    written = f'[[{table}]]\npattern = {json.dumps(pattern, ensure_ascii=False)}\nrules = {{ {rule} = "off" }}\n'
    there = before or ""
    blank = "" if not there.strip() else "\n" if there.endswith("\n") else "\n\n"
    text = f"{blank}{written}".replace("\n", eol_of(there))
    try:
        tomllib.loads((there + text).removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None  # it has its files in one line
    return Addition(config, before, text) if Glob(pattern).matches(name) else None
