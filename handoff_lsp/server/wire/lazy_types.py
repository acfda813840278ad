"""Loads lsprotocol so that attrs makes each of its 554 classes at its first use: a session begins with 65 of them.

To make all of them takes a third of a start, and 18 MB. While the module is loaded, ``attrs.define`` only notes each
class; attrs itself makes it when it is first called or asked for its fields. A class is completed in place, so its
instances have a ``__dict__`` in place of slots; apart from that nothing differs.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import attrs

from handoff_lsp.text.lazy_dataclass import Later

# What is asked of a class before it has an instance.
_FIRST = ("__init__", "__attrs_attrs__")


def load_types() -> None:
    """Import ``lsprotocol``. Without effect on its classes if it was imported already."""
    define = attrs.define
    vars(attrs)["define"] = _noting(define)
    try:
        from lsprotocol import types as types
    finally:
        vars(attrs)["define"] = define
    with suppress(ImportError):
        from lsprotocol import _hooks

        # That would make all classes, to replace the names of types in their fields by the types.
        vars(_hooks)["_resolved_forward_references"] = True


def _noting(define: Any) -> Any:
    def note(cls: Any = None, **options: Any) -> Any:
        if cls is None or options or any(name in vars(cls) for name in _FIRST):
            return define(cls, **options)

        def make() -> None:
            from lsprotocol.types import ALL_TYPES_MAP

            for name in _FIRST:
                delattr(cls, name)
            # attrs gives the methods of each class a copy of its module's 800 names, to look types up in.
            module, cls.__module__ = cls.__module__, ""
            define(cls, slots=False)
            cls.__module__ = module
            attrs.resolve_types(cls, ALL_TYPES_MAP, {})

        for name in _FIRST:
            setattr(cls, name, Later(name, make))
        return cls

    return note
