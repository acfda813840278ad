"""Runs git, so that it writes nothing, starts no program of a repository's config and opens no connection.

A repository's own config can name programs: a file system monitor, hooks, filters, external diffs, remotes. All of
them are switched off, here, in the arguments of `git` and by its `_filters`; docs/trust.md describes it.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

# The longest that one question may take (seconds).
TIMEOUT = 60.0
_SAFE = {"core.fsmonitor": "false", "core.hooksPath": os.devnull, "log.showSignature": "false"}
_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
    # Missing objects of a partial clone are not fetched. Before git 2.45 only the protocols can prevent it: none of
    # this name exists, and the config has no say in it.
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
}
# A hook of git sets these, and they would win over the folder.
_DROPPED = {
    *("GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_CONFIG", "GIT_DIR", "GIT_GRAFT_FILE", "GIT_NAMESPACE"),
    *("GIT_IMPLICIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_SHALLOW_FILE"),
    "GIT_WORK_TREE",
}
_INDEX = "GIT_INDEX_FILE"


class GitError(Exception):
    """git is missing, refuses, or does not know what was asked for; the message is for people."""


def run_git(
    folder: Path,
    *arguments: str,
    settings: dict[str, str] | None = None,
    keep_index: bool = False,
    given: bytes = b"",
    expected: Sequence[int] = (0,),
) -> subprocess.CompletedProcess[bytes]:
    """Ask git in a folder. Raises GitError, also for an exit code that is not ``expected``."""
    environment = {key: value for key, value in os.environ.items() if key not in _DROPPED} | _ENVIRONMENT
    if keep_index and os.environ.get(_INDEX):
        environment[_INDEX] = os.path.abspath(os.environ[_INDEX])
    config = {**_SAFE, **(settings or {})}
    if any("=" in key for key in config):  # `-c` would end the key there
        raise GitError(f"a filter in the config of git has `=` in its name: {folder}")
    options = [part for key, value in config.items() for part in ("-c", f"{key}={value}")]
    command = [_program(), "--no-pager", *options, *arguments]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            input=given,
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise GitError(f"git took longer than {TIMEOUT:g} s: {folder}") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise GitError(f"git cannot be run in {folder}: {reason or error}") from error
    if done.returncode not in expected:
        raise refusal(folder, done)
    return done


def refusal(folder: Path, done: subprocess.CompletedProcess[bytes]) -> GitError:
    """The error for an answer of git that is a refusal."""
    told = done.stderr.decode("utf-8", "replace").strip()
    if "not a git repository" in told:
        return GitError(f"no git repository: {folder}")
    first = told.partition("\n")[0].removeprefix("fatal: ").removeprefix("error: ")
    return GitError(f"git says: {first}" if first else f"git failed with exit code {done.returncode}: {folder}")


def _program() -> str:
    """The path of git. A folder of PATH that is relative is passed over, and so is the working folder on Windows."""
    name = "git.exe" if os.name == "nt" else "git"
    for folder in os.get_exec_path():
        path = os.path.join(folder, name)
        if os.path.isabs(folder) and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    raise GitError("git is not installed, or not on the PATH")
