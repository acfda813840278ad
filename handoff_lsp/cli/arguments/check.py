"""The arguments of `check`, of its baseline, and of `sync`."""

from __future__ import annotations

import os
import sys
from typing import Any

from handoff_lsp.cli import help_texts
from handoff_lsp.cli.arguments.parser import OptionGroup, add_config, add_excluding, add_severity
from handoff_lsp.cli.arguments.values import format_and_file, format_name, language, one_of
from handoff_lsp.cli.environment import FORMAT, agent_variable
from handoff_lsp.cli.usage import SEVERITIES


def add_check(commands: Any) -> None:
    """Add `check`."""
    check = commands.add_parser(
        "check", help="check files and folders", description=help_texts.CHECK_ABOUT, epilog=help_texts.CHECK_MORE
    )
    check.add_argument("paths", nargs="*", metavar="PATH", help="files and folders, or - (default: this folder)")
    _add_output(check.add_argument_group("output"))
    _add_rules(check.add_argument_group("rules"))
    _add_fixes(check.add_argument_group("fixes"))
    _add_files(check.add_argument_group("files and settings"))
    _add_known(check.add_argument_group("known findings and the cache"))


def _add_output(group: OptionGroup) -> None:
    group.add_argument(
        "--output-format",
        type=format_name,
        metavar="FORMAT",
        help=f"(default: {_default_format()}; see below)",
    )
    group.add_argument(
        "-o",
        "--output",
        action="append",
        default=[],
        type=format_and_file,
        metavar="FORMAT:FILE",
        help="also write a file in a format, such as sarif:findings.sarif; may be repeated",
    )
    group.add_argument("--statistics", action="store_true", help="print the number of findings of each rule instead")
    group.add_argument("-q", "--quiet", action="store_true", help="print only findings, no summary")
    group.add_argument(
        "--color",
        type=one_of("auto", "always", "never"),
        default="auto",
        metavar="auto|always|never",
        help="color output (default: auto; NO_COLOR and FORCE_COLOR are respected)",
    )
    group.add_argument("--lang", type=language, metavar="LANG", help=help_texts.LANG)
    group.add_argument(
        "--fail-on",
        type=one_of(*SEVERITIES),
        default="error",
        metavar="|".join(SEVERITIES),
        help="lowest severity that fails (default: error)",
    )
    group.add_argument("--exit-zero", action="store_true", help="exit with 0 even if there are findings")


def _default_format() -> str:
    """The format without the option, and why it is not text."""
    variable = agent_variable(os.environ, terminal=sys.stdout.isatty())
    return f"agent, as {variable} is set" if variable and not os.environ.get(FORMAT) else "text, for AI agents agent"


def _add_rules(group: OptionGroup) -> None:
    group.add_argument(
        "--select", action="append", default=[], metavar="RULE[,…]", help="show only findings of these rules"
    )
    group.add_argument(
        "--ignore", action="append", default=[], metavar="RULE[,…]", help="show no findings of these rules"
    )
    group.add_argument(
        "--drift",
        action="store_true",
        help="only the findings about prompts, then what these emit, handle and document of each contract",
    )
    add_severity(group)


def _add_fixes(group: OptionGroup) -> None:
    group.add_argument("--fix", action="store_true", help="write safe fixes to the files")
    group.add_argument("--unsafe-fixes", action="store_true", help="with --fix or --diff: unsafe fixes, too")
    group.add_argument("--diff", action="store_true", help="show the fixes as a diff, write nothing")
    group.add_argument("--fix-only", action="store_true", help="write fixes, and report no findings")
    group.add_argument("--exit-non-zero-on-fix", action="store_true", help="exit with 1 if anything was fixed")


def _add_files(group: OptionGroup) -> None:
    add_config(group, "for all files")
    add_excluding(group)
    group.add_argument("--examples", action="store_true", help="also check examples in documents about a format")
    group.add_argument(
        "--changed",
        nargs="?",
        const=True,
        metavar="BASE",
        help="check only files that git says changed since the last commit, or since the branch left BASE",
    )
    group.add_argument("--staged", action="store_true", help="check only files staged in git, as they are staged")
    group.add_argument("--stdin-filename", metavar="NAME", help="file name for standard input")
    group.add_argument("--agent", metavar="NAME", help="standard input is the final message of this agent")


def _add_known(group: OptionGroup) -> None:
    group.add_argument("--baseline", metavar="FILE", help="file of known findings, instead of the config's")
    group.add_argument("--no-baseline", action="store_true", help="show known findings, too")
    group.add_argument("--no-cache", action="store_true", help="neither read nor write the cache")
    group.add_argument(
        "--cache-dir",
        metavar="DIR",
        help="folder of the cache (default: $HANDOFF_LSP_CACHE_DIR, else in the user's cache folder)",
    )


def add_baseline(commands: Any) -> None:
    """Add `baseline`."""
    baseline = commands.add_parser(
        "baseline",
        help="list the known findings of a repository, for check to leave out",
        description=help_texts.BASELINE_ABOUT,
        epilog=help_texts.BASELINE_MORE,
    )
    baseline.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default: this folder)")
    baseline.add_argument("-o", "--output", metavar="FILE", help="its file (default: that of the config)")
    baseline.add_argument("--force", action="store_true", help="also add new findings, or write it anew")
    add_config(baseline, "for all files")


def add_sync(commands: Any) -> None:
    """Add `sync`."""
    sync = commands.add_parser(
        "sync",
        help="keep the marked copies in prompts equal to their contracts",
        description=help_texts.SYNC_ABOUT,
        epilog=help_texts.SYNC_MORE,
    )
    sync.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default: this folder)")
    shown = sync.add_mutually_exclusive_group()
    shown.add_argument("--check", action="store_true", help="write nothing; list the files that would change")
    shown.add_argument("--diff", action="store_true", help="write nothing; show the changes as a diff")
    sync.add_argument("-q", "--quiet", action="store_true", help="print no summary")
    sync.add_argument("--force-exclude", action="store_true", help="also ignore named files")
    add_config(sync, "for all files")
