"""The second step of the action: runs ``handoff-lsp check`` with the inputs, and sets the outputs.

Every input is a variable (``INPUT_…``) and becomes an argument of its own; no shell reads it.
"""

from __future__ import annotations

import json
import os
import secrets
import shlex
import subprocess
import sys
from pathlib import Path


def arguments(environment: dict[str, str], report: Path) -> list[str]:
    """The arguments of ``handoff-lsp`` for the inputs; ``report``: the file for the numbers."""

    def wanted(name: str) -> str:
        return environment.get(f"INPUT_{name}", "").strip()

    annotated = wanted("ANNOTATIONS").lower() != "false"
    given = ["check", "--output-format", "github" if annotated else "text", "-o", f"json:{report}"]
    if wanted("SARIF_FILE"):
        given += ["-o", f"sarif:{wanted('SARIF_FILE')}"]
    fail_on = wanted("FAIL_ON") or "error"
    given += ["--exit-zero"] if fail_on == "never" else ["--fail-on", fail_on]
    for name in ("config", "baseline"):
        if wanted(name.upper()):
            given += [f"--{name}", wanted(name.upper())]
    paths = [path for line in environment.get("INPUT_PATHS", "").splitlines() if (path := line.strip())]
    return [*given, *shlex.split(wanted("ARGS")), "--", *(paths or ["."])]


def outputs(environment: dict[str, str], report: Path, code: int) -> dict[str, str]:
    """The outputs of the step; the numbers are empty if nothing was checked."""
    told = {"exit-code": str(code), "findings": "", "errors": "", "warnings": "", "handoffs": "", "sarif-file": ""}
    if report.is_file():
        summary = json.loads(report.read_text(encoding="utf-8"))["summary"]
        counts = {name: summary[name] for name in ("error", "warning", "information", "hint")}
        told |= {
            "findings": str(sum(counts.values())),
            "errors": str(counts["error"]),
            "warnings": str(counts["warning"]),
            "handoffs": str(summary["handoffs"]),
        }
        sarif = environment.get("INPUT_SARIF_FILE", "").strip()
        if sarif:
            told["sarif-file"] = os.path.relpath(Path(sarif).absolute(), environment.get("GITHUB_WORKSPACE") or ".")
    return told


def main() -> int:
    """Run the check. Returns its exit code."""
    environment = dict(os.environ)
    temporary = Path(environment["RUNNER_TEMP"]).absolute()
    target = Path(environment["GITHUB_OUTPUT"]).absolute()
    report = temporary / f"handoff-lsp-{secrets.token_hex(6)}.json"
    python = temporary / "handoff-lsp" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    try:
        os.chdir(environment.get("INPUT_WORKING_DIRECTORY", "").strip() or ".")
        given = arguments(environment, report)
    except (OSError, ValueError) as error:
        print(f"::error title=handoff-lsp::{' '.join(str(error).split())}")
        return 2
    # -I: a module in the checkout must not take the place of one of ours.
    code = subprocess.call([python, "-I", "-m", "handoff_lsp", *given])
    with target.open("a", encoding="utf-8") as file:
        for name, value in outputs(environment, report, code).items():
            end = f"end_{secrets.token_hex(16)}"  # a value cannot guess it
            file.write(f"{name}<<{end}\n{value}\n{end}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
