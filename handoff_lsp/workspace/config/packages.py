"""Contracts of Python packages that are installed where handoff-lsp runs. Nothing of a package is imported or run.

A package declares the folder of its contracts as an entry point of the group ``handoff_lsp.contracts``, whose value
is the module that the folder is:

    [project.entry-points."handoff_lsp.contracts"]
    acme = "acme_handoffs.contracts"
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.config.contract_files import MAX_FILES, SUFFIXES

GROUP = "handoff_lsp.contracts"

_MODULE = lazy_pattern(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*\Z")


class Package(NamedTuple):
    """The contract files of an installed package. ``looked``: the folders on whose content they depend.

    ``problem``: the reason why it has none, if any.
    """

    files: list[Path]
    looked: list[Path]
    problem: str | None


def find_package(name: str) -> Package:
    """The contracts of an installed package, by the name with which it is installed."""
    looked = [Path(folder) for folder in sys.path if folder and os.path.isdir(folder)]
    try:
        distribution = metadata.distribution(name)
    except (metadata.PackageNotFoundError, ValueError):
        return Package([], looked, "is not installed where handoff-lsp runs")
    try:
        points = list(distribution.entry_points.select(group=GROUP))
        roots = [str(distribution.locate_file("")), *_editable(distribution), *map(str, looked)]
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        return Package([], looked, f"has metadata that cannot be read ({type(error).__name__})")
    if not points:
        return Package([], looked, f"declares no contracts: it has no entry point `{GROUP}`")
    files: list[Path] = []
    for point in points:
        module = point.value.partition(":")[0].strip()
        folder = _folder(module, roots) if _MODULE.match(module) else None
        if folder is None:
            return Package(files, looked, f"has no folder for its entry point `{point.name} = {point.value}`")
        looked.append(folder)
        try:
            found = sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES and path.is_file())
        except OSError as error:
            return Package(files, looked, f"has a folder that cannot be read: {error.strerror or error}")
        if not found:
            return Package(files, looked, f"has no contracts in `{module}`: no file ends in .yaml or .yml")
        files += found
        if len(files) > MAX_FILES:
            return Package([], looked, f"has more than {MAX_FILES} contracts")
    return Package(list(dict.fromkeys(files)), looked, None)


def _editable(distribution: metadata.Distribution) -> Iterator[str]:
    """The folders of a package that is installed from its sources, as pip notes them."""
    import json
    from urllib.parse import unquote, urlsplit

    noted = distribution.read_text("direct_url.json")
    data = json.loads(noted) if noted else {}
    if isinstance(data, dict) and isinstance(about := data.get("dir_info"), dict) and about.get("editable"):
        url = urlsplit(str(data.get("url")))
        if url.scheme == "file":
            yield from (unquote(url.path), os.path.join(unquote(url.path), "src"))


def _folder(module: str, roots: list[str]) -> Path | None:
    """The folder of a module, found by its name alone."""
    parts = module.split(".")
    for root in roots:
        path = Path(root, *parts)
        if path.is_dir():
            return path
        if path.with_name(f"{path.name}.py").is_file():
            return path.parent
    return None
