"""``--changed`` and ``--staged``: the files that git says changed, in place of all files of a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from handoff_lsp.workspace.disk.files import MAX_BYTES, UnreadableFile, decode_text
from handoff_lsp.workspace.disk.git import changed_files, contents, root_of, staged_objects


class GitFiles:
    """The files of work trees that changed since ``base`` (empty: since the last commit), or that are staged.

    ``base`` is None for staged files. Each work tree is asked once. The methods raise GitError.
    """

    def __init__(self, base: str | None) -> None:
        self._base = base
        self._of_root: dict[Path, dict[Path, str]] = {}  # the objects of staged files, empty for changed ones
        self._contents: dict[Path, bytes] = {}

    @property
    def staged(self) -> bool:
        """Whether the staged content counts, not the file on the disk."""
        return self._base is None

    def below(self, path: Path) -> Iterator[Path]:
        """The files in a folder, spelled as the folder is; of a file, the file itself if it changed."""
        real = Path(os.path.realpath(path)) if os.path.isdir(path) else _real(path)
        root = root_of(real if os.path.isdir(real) else real.parent)
        if root not in self._of_root:
            self._of_root[root] = self._ask(root)
        for file in self._of_root[root]:
            if file == real or file.is_relative_to(real):
                yield path / file.relative_to(real)

    def load(self, paths: list[Path]) -> None:
        """Get the staged content of files, all at once."""
        reals = [_real(path) for path in paths]
        for root, objects in self._of_root.items():
            wanted = {each: objects[each] for each in reals if objects.get(each)}
            found = contents(root, list(wanted.values()))
            self._contents.update(zip(wanted, found, strict=True))

    def text(self, path: Path) -> str:
        """The staged text of a loaded file. Raises UnreadableFile."""
        content = self._contents.get(_real(path))
        if content is None and not os.path.lexists(path):
            raise UnreadableFile(path, "no such file or folder")
        if content is None:
            raise UnreadableFile(path, "a merge conflict, so its content is not staged")
        return decode_text(path, content, limit=MAX_BYTES)

    def _ask(self, root: Path) -> dict[Path, str]:
        if self._base is None:
            return staged_objects(root)
        files = changed_files(root, self._base or None)
        return {file: "" for file in files if not file.is_symlink()}


def _real(file: Path) -> Path:
    """A file as git lists it: in the real folder, but a link itself, not its target."""
    return Path(os.path.realpath(file.parent)) / file.name
