"""Keeps the code that attrs and cattrs generate for lsprotocol's 554 classes, a third of the time of a start.

Both make the text of a script and compile it. The text is the same at each start, so its compiled form is kept, under
the whole text: other versions make other texts. Only the call of ``compile`` is replaced, in these modules alone.
"""

from __future__ import annotations
import __future__

import builtins
from contextlib import suppress
from importlib import import_module
from types import CodeType, ModuleType
from typing import Any

from handoff_lsp.server.wire.kept import Kept

_GENERATORS = ("attr._make", "cattrs.gen")
# In the file names of these scripts. Scripts of other classes may have random numbers: attrs writes hashes into them.
_OF = " lsprotocol."


class GeneratedCode:
    """While it is in use, scripts that are known are not compiled again, and new ones are added to ``kept``."""

    def __init__(self, kept: Kept) -> None:
        self._kept = kept
        self._modules: list[ModuleType] = []

    def use(self) -> None:
        """Begin, before lsprotocol is imported."""
        if self._kept.path is None:
            return
        self._kept.load_code()
        for name in _GENERATORS:
            with suppress(ImportError):
                module = import_module(name)
                vars(module)["compile"] = self._compiler(_flags(module))
                self._modules.append(module)

    def finish(self) -> None:
        """Give these modules their builtin back, and free the memory."""
        for module in self._modules:
            vars(module).pop("compile", None)
        self._modules.clear()
        self._kept.code = {}

    def _compiler(self, flags: int) -> Any:
        code = self._kept.code

        def compile(script: Any, filename: Any, mode: str, *more: Any, **options: Any) -> Any:
            known = mode == "exec" and isinstance(script, str) and isinstance(filename, str) and not (more or options)
            if not known or _OF not in filename:
                return builtins.compile(script, filename, mode, *more, **options)
            key = f"{flags} {filename}\n{script}"
            found = code.get(key)
            if not isinstance(found, CodeType):
                # As in the module itself: this one's own `from __future__` must not count.
                found = code[key] = builtins.compile(script, filename, mode, flags, True)
                self._kept.is_changed = True
            return found

        return compile


def _flags(module: ModuleType) -> int:
    """The features of the future that a module has imported, which count in all that it compiles."""
    features = (getattr(__future__, name) for name in __future__.all_feature_names)
    return sum(feature.compiler_flag for feature in features if feature in vars(module).values())
