"""Checks of a folder that changes, each with a cache and without: both print the same."""

from __future__ import annotations

import io
import os
import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from unittest.mock import patch

from fuzz.mutations import mutation
from fuzz.run import Breach, Document
from fuzz.sessions import CONFIG, CONFIGS, FILES, Sessions
from handoff_lsp.cli.checking import cached
from handoff_lsp.cli.checking.cache import Cache
from handoff_lsp.cli.main import main
from handoff_lsp.language import choose_language

_STEPS = 24
# Edits of the same size may have the same time, too.
_SAME_TIME = (1_700_000_000 * 10**9,) * 2
_OTHER_CONFIGS = (
    'extend = "base.toml"\n',
    '[contracts.agent-contract]\nprofile = "strict"\n',
    '[[files]]\npattern = "turns/*"\nmode = "template"\n',
    'disable = ["agent-contract"]\n',
)
_IGNORED = ("turns/\n", "*.json\n", "!turns/\n", "# nothing\n", "docs\n*-2.md\n")


class Caches:
    """Random folders, one after another; all from one seed."""

    def __init__(self, cases: list[list[Document]], seed: int) -> None:
        self._content = Sessions(cases, seed)
        self._chance = random.Random(seed)
        self.steps = self.hits = 0

    def session(self) -> Iterator[Breach]:
        """One folder and its cache, for a few steps."""
        folder = Path(tempfile.mkdtemp(prefix="handoff-lsp-fuzz-")).resolve()
        (root := folder / "root").mkdir()
        here = os.getcwd()
        done: list[str] = []
        try:
            os.chdir(root)
            (root / ".git").mkdir()
            for path, text in self._content.documents().items():
                self._write(root, path, text)
            for _ in range(_STEPS):
                arguments = self._arguments(root)
                with self._counted():
                    # Twice, so that this state has been written, whatever the arguments of the last one were.
                    both = [_outcome([*arguments, "--cache-dir", str(folder / "cache")]) for _ in range(2)]
                for kind, found in zip(("a filled", "a fresh"), both, strict=True):
                    wanted = _outcome([*arguments, "--no-cache"])
                    if found != wanted:
                        told = f"{kind} cache changes `{' '.join(arguments)}` in {Path.cwd()}"
                        yield Breach(f"{told} after {done}\n{_different(found, wanted)}", "cache", "")
                        return
                self.steps += 1
                done.append(self._step(root))
        finally:
            os.chdir(here)
            choose_language("en")
            shutil.rmtree(folder, ignore_errors=True)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        get = Cache.get

        def counted(cache: Cache, path: Path, key: str) -> object:
            found = get(cache, path, key)
            self.hits += found is not None
            return found

        with patch.object(Cache, "get", counted), patch.object(cached, "FEWEST", 1):
            yield

    def _arguments(self, root: Path) -> list[str]:
        chance = self._chance
        inner = [path for path in root.iterdir() if path.is_dir() and path.name != ".git"]
        os.chdir(chance.choice(inner) if inner and chance.random() < 0.1 else root)
        found = ["check", str(root), "--output-format", "json" if chance.random() < 0.6 else "text"]
        found += ["--examples"] if chance.random() < 0.1 else []
        return found + (["--lang", "ja"] if chance.random() < 0.1 else ["--lang", "en"])

    def _step(self, root: Path) -> str:
        """Change something; what is returned says what."""
        chance = self._chance
        kind = chance.choice(
            ("write", "edit", "edit", "edit", "twin", "delete", "rename", "touch", "config", "git", "link")
        )
        files = sorted(path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts)
        path = chance.choice(files) if files else root / "none.md"
        name = path.relative_to(root).as_posix()
        with suppress(OSError, UnicodeDecodeError):
            if kind == "write" or not files:
                name = chance.choice(FILES)
                self._write(root, name, self._content.text(name))
            elif kind == "edit":
                text = path.read_text(encoding="utf-8")
                change = mutation(text, self._content.texts, chance)
                self._write(root, name, text[: change.span.start] + change.text + text[change.span.end :])
            elif kind == "twin":  # another text of the same size and time
                data = bytearray(path.read_bytes())
                alike = [text for _ in range(20) if len(text := self._content.text(name).encode()) == len(data)]
                alike = [text for text in alike if text != data]
                if alike:
                    data = bytearray(chance.choice(alike))
                elif data:
                    data[chance.randrange(len(data))] = chance.choice(b"abcdefx19- \n")
                    path.write_bytes(bytes(data))
                    os.utime(path, ns=_SAME_TIME)
            elif kind == "delete":
                path.unlink()
            elif kind == "rename":
                to = chance.choice([*FILES, f"{path.parent.relative_to(root).as_posix()}/x-{chance.randrange(4)}.md"])
                (root / to).parent.mkdir(parents=True, exist_ok=True)
                path.replace(root / to)
                name = f"{name} to {to}"
            elif kind == "touch":
                os.utime(path)
            elif kind == "config":
                config = chance.choice([*CONFIGS, *_OTHER_CONFIGS])
                name = repr(config)
                for each in (CONFIG, "base.toml"):
                    (root / each).unlink(missing_ok=True)
                if config is not None:
                    (root / CONFIG).write_text(config, encoding="utf-8")
                    (root / "base.toml").write_text(chance.choice(CONFIGS) or "", encoding="utf-8")
            elif kind == "git":
                name = self._git(root, path)
            elif kind == "link":
                (root / "linked").unlink(missing_ok=True)
                name = str(chance.choice((root.parent, path.parent, "turns")))
                (root / "linked").symlink_to(name)
        return f"{kind} {name}"

    def _git(self, root: Path, path: Path) -> str:
        """Change what git ignores, or where its work tree begins."""
        chance = self._chance
        if chance.random() < 0.6:
            ignored = chance.choice(_IGNORED)
            (root / ".gitignore").write_text(ignored, encoding="utf-8")
            return repr(ignored)
        place = chance.choice((root, path.parent)) / ".git"
        if place.is_dir():
            place.rmdir()
        else:
            place.mkdir()
        return str(place)

    def _write(self, root: Path, name: str, text: str) -> None:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "replace"))
        if self._chance.random() < 0.5:
            os.utime(path, ns=_SAME_TIME)


def _outcome(arguments: list[str]) -> tuple[int, str, str]:
    """The exit code of the command and its output."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        code = main(arguments)
    return code, *(stream.buffer.getvalue().decode() for stream in (out, err))  # type: ignore[attr-defined]


def _different(found: tuple[int, str, str], wanted: tuple[int, str, str]) -> str:
    lines = [(one, other) for a, b in zip(found, wanted, strict=True) for one, other in _lines(str(a), str(b))]
    return "\n".join(f"  {one!r}\n  instead of {other!r}" for one, other in lines[:3] if one != other)


def _lines(one: str, other: str) -> list[tuple[str, str]]:
    both = one.splitlines(), other.splitlines()
    length = max(map(len, both))
    padded = ([*lines, *[""] * (length - len(lines))] for lines in both)
    return [pair for pair in zip(*padded, strict=True) if pair[0] != pair[1]]
