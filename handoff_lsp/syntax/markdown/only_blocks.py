"""Imports markdown-it's block rules without the rest of it, which takes longer than all else in a short run."""

from __future__ import annotations

import sys
from importlib.util import find_spec, module_from_spec
from typing import Any

_NAME = "markdown_it"


def defer_main() -> None:
    """Have the package ``markdown_it`` run its ``__init__`` only when something in it is asked for.

    Its modules can be imported before that; a program that uses all of markdown-it notices nothing.
    """
    if _NAME in sys.modules:
        return
    spec = find_spec(_NAME)
    if spec is None or spec.loader is None:
        return
    package = module_from_spec(spec)
    loader = spec.loader

    def whole(name: str) -> Any:
        del package.__getattr__
        loader.exec_module(package)
        return getattr(package, name)

    package.__getattr__ = whole  # type: ignore[method-assign]
    sys.modules[_NAME] = package
