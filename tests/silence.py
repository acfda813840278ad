"""`python tests/silence.py FOLDER`: ordinary files of public repositories, of which none may have a finding.

``silence.tsv`` has the repositories, each at a commit: specifications, manuals, and agents and skills of other systems.
One that is not in FOLDER yet is fetched there with git; then `handoff-lsp check` runs in each. Prints a line for each.
"""

from __future__ import annotations

import argparse
import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

TABLE = Path(__file__).with_suffix(".tsv")
# With fewer files than this share of those in the table, something was not read.
ENOUGH = 0.9


class Repository(NamedTuple):
    """A public repository at a commit, and the number of files that were checked in it."""

    name: str
    commit: str
    files: int


def table() -> list[Repository]:
    """The rows of ``silence.tsv``."""
    with TABLE.open(encoding="utf-8", newline="") as rows:
        return [
            Repository(row["repository"], row["commit"], int(row["files"]))
            for row in csv.DictReader(rows, delimiter="\t")
        ]


def fetch(repository: Repository, folder: Path, address: str) -> None:
    """Fetch one commit into a folder. Raises ``CalledProcessError``."""
    folder.mkdir(parents=True)
    git = ["git", "-C", str(folder)]
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "fetch", "--quiet", "--depth=1", address, repository.commit], check=True)
    subprocess.run([*git, "checkout", "--quiet", "FETCH_HEAD"], check=True)


def breaches(repository: Repository, folder: Path) -> list[str]:
    """The findings in a folder, and whether too few files were checked."""
    check = [sys.executable, "-m", "handoff_lsp", "check", "--no-cache", "--exit-zero", "--output-format", "json", "."]
    done = subprocess.run(check, cwd=folder, capture_output=True, check=True)
    told = json.loads(done.stdout)
    files = told["summary"]["files"]
    found = [f"{one['path']}: {one['rule']}: {one['message']}" for one in told["findings"]]
    if files < ENOUGH * repository.files:
        found.append(f"only {files:,} of {repository.files:,} files were checked")
    print(f"{repository.name}: {files:,} files, {len(told['findings'])} findings", flush=True)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="a folder for the repositories")
    parser.add_argument("--address", default="https://github.com/{}", help="where git finds one (default: %(default)s)")
    arguments = parser.parse_args()
    found = []
    for repository in table():
        folder = arguments.folder / repository.name.replace("/", "+")
        if not folder.is_dir():
            fetch(repository, folder, arguments.address.format(repository.name))
        found += [f"{repository.name}: {breach}" for breach in breaches(repository, folder)]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
