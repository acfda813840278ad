"""What is to be written into a config file so that it turns a rule off for one document."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import NamedTuple

from handoff_lsp.text import eol_of
from handoff_lsp.workspace.config.config_file import OWN_NAME, SHARED_NAME, TABLE, relative_to
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text
from handoff_lsp.workspace.disk.globs import Glob

_MAGIC = re.compile(r"[*?\[]")


class Addition(NamedTuple):
    """What is written behind the text of a config file; ``before`` is None where there is no file yet."""

    path: Path
    before: str | None
    text: str


def turning_off(resolver: Resolver, path: Path, rule: str) -> Addition | None:
    """What turns a rule off for a file: in its config, else in a new one in its root. None where that cannot be."""
    if "files" in resolver.overrides(path):
        return None  # the settings say it, and go before the config
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
