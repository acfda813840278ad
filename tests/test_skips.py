"""In CI a skipped test is a failure, so that nothing is left out unseen."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ABSENT = "no emacs here: `bash .ci/editors emacs` installs it"
SHARED = "no corpus: ../shared/corpus is not beside this clone"


@pytest.mark.parametrize(
    ("reason", "environment", "fails"),
    [
        (ABSENT, {}, False),
        (ABSENT, {"HANDOFF_LSP_NO_SKIPS": "1"}, True),
        (ABSENT, {"HANDOFF_LSP_NO_SKIPS": "1", "HANDOFF_LSP_NO_SHARED": "1"}, True),
        (SHARED, {"HANDOFF_LSP_NO_SKIPS": "1"}, True),
        (SHARED, {"HANDOFF_LSP_NO_SKIPS": "1", "HANDOFF_LSP_NO_SHARED": "1"}, False),
    ],
)
def test_a_skip(tmp_path: Path, reason: str, environment: dict[str, str], fails: bool) -> None:
    shutil.copy(Path(__file__).parent / "conftest.py", tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text(f"import pytest\n\ndef test_it():\n    pytest.skip({reason!r})\n")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("HANDOFF_LSP_", "PYTEST_"))}
    pytest_ = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"]
    done = subprocess.run(pytest_, cwd=tmp_path, env=clean | environment, capture_output=True, text=True, check=False)
    assert done.returncode == int(fails), done.stdout
    assert (reason in done.stdout) == fails
