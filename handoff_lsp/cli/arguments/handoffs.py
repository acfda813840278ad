"""The arguments of the commands that read or write handoffs: parse, new, explain, doctor, monitor, and their pages."""

from __future__ import annotations

from typing import Any

from handoff_lsp.cli import help_texts
from handoff_lsp.cli.arguments.parser import add_config, add_output_format, add_settings
from handoff_lsp.cli.arguments.values import language, one_of, pause, time_span


def add_parse(commands: Any) -> None:
    """Add `parse`."""
    parse = commands.add_parser(
        "parse",
        help="show parsed fields and the orchestrator's decision",
        description=help_texts.PARSE_ABOUT,
        epilog=help_texts.PARSE_MORE,
    )
    parse.add_argument("paths", nargs="+", metavar="FILE", help="files and folders, or - for standard input")
    add_output_format(parse, "table", "json")
    add_config(parse, "for all files")
    parse.add_argument("--examples", action="store_true", help="also show examples in documents about a format")
    parse.add_argument("--stdin-filename", metavar="NAME", help="file name for standard input")
    parse.add_argument("--agent", metavar="NAME", help="standard input is the final message of this agent")
    add_settings(parse)
    parse.add_argument("--lang", type=language, metavar="LANG", help=help_texts.LANG)


def add_new(commands: Any) -> None:
    """Add `new`."""
    new = commands.add_parser(
        "new", help="write a new handoff", description=help_texts.NEW_ABOUT, epilog=help_texts.NEW_MORE
    )
    new.add_argument(
        "contract", metavar="CONTRACT", nargs="?", help="the contract's name (default: by the path of FILE)"
    )
    new.add_argument("--profile", metavar="NAME", help="profile (default: by the path of FILE, else the config's)")
    new.add_argument(
        "--mode",
        type=one_of("handoff", "template"),
        default="handoff",
        metavar="handoff|template",
        help="kind of document (default: handoff)",
    )
    new.add_argument("-o", "--output", metavar="FILE", help="output file (default: standard output)")
    new.add_argument("--force", action="store_true", help="overwrite an existing file")
    add_config(new)


def add_explain(commands: Any) -> None:
    """Add `explain`."""
    explain = commands.add_parser(
        "explain",
        help="explain a rule, a contract or a field",
        description=help_texts.EXPLAIN_ABOUT,
        epilog=help_texts.EXPLAIN_MORE,
    )
    explain.add_argument(
        "name",
        nargs="?",
        metavar="NAME",
        help="a rule, CONTRACT/CHECK, CONTRACT, CONTRACT@PROFILE or CONTRACT[@PROFILE].FIELD[=VALUE]",
    )
    explain.add_argument("--list", action="store_true", help="list all rules and contracts")
    add_output_format(explain, "text", "markdown")
    add_config(explain)
    explain.add_argument("--lang", type=language, metavar="LANG", help=help_texts.LANG)


def add_doctor(commands: Any) -> None:
    """Add `doctor`."""
    doctor = commands.add_parser(
        "doctor",
        help="examine the installation, the config, and why a file is a handoff or not",
        description=help_texts.DOCTOR_ABOUT,
        epilog=help_texts.DOCTOR_MORE,
    )
    doctor.add_argument("paths", nargs="*", metavar="FILE", help="files and folders, or - (default: this folder)")
    doctor.add_argument(
        "--agent", dest="agents", action="append", metavar="NAME", help="only what this agent owes (may be repeated)"
    )
    doctor.add_argument("--stdin-filename", metavar="NAME", help="file name for standard input")
    add_output_format(doctor, "text", "json")
    add_config(doctor, "for all files")
    doctor.add_argument("--lang", type=language, metavar="LANG", help=help_texts.LANG)


def add_monitor(commands: Any) -> None:
    """Add `monitor`."""
    monitor = commands.add_parser(
        "monitor",
        help="show the agents of all work trees of a git repository",
        description=help_texts.MONITOR_ABOUT,
        epilog=help_texts.MONITOR_MORE,
    )
    monitor.add_argument(
        "path", nargs="?", default=".", metavar="PATH", help="a folder in the repository (default: this one)"
    )
    add_output_format(monitor, "text", "json", "markdown")
    monitor.add_argument(
        "--watch",
        nargs="?",
        type=pause,
        const=5.0,
        metavar="SECONDS",
        help="print again every SECONDS (default: 5) until Ctrl-C",
    )
    monitor.add_argument("--base", metavar="BRANCH", help="branch to merge into (default: that of the main work tree)")
    monitor.add_argument(
        "--stale",
        type=time_span,
        metavar="TIME",
        help="longest silence of a running agent, such as 90s, 45m or 2h (default: as its contract says; 30m)",
    )
    monitor.add_argument("--fail-on", metavar="NAME,...", help="exit with 1 if one of these needs attention")
    add_config(monitor, "for all work trees")


def add_report(commands: Any) -> None:
    """Add `report`."""
    report = commands.add_parser(
        "report",
        help="write an HTML page about handoffs: where they stopped, and the way from agent to agent",
        description=help_texts.REPORT_ABOUT,
        epilog=help_texts.REPORT_MORE,
    )
    report.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default: this folder)")
    report.add_argument(
        "--worktrees", action="store_true", help="all work trees of the git repository, with the agents in them"
    )
    report.add_argument("-o", "--output", metavar="FILE", help="its file, FILE.html (default: standard output)")
    add_config(report, "for all files")


def add_graph(commands: Any) -> None:
    """Add `graph`."""
    graph = commands.add_parser(
        "graph",
        help="show what prompts emit and handle of each contract, and where they disagree",
        description=help_texts.GRAPH_ABOUT,
        epilog=help_texts.GRAPH_MORE,
    )
    graph.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default: this folder)")
    graph.add_argument(
        "--output-format",
        type=one_of("text", "json", "html"),
        metavar="text|json|html",
        help="(default: text, or as FILE ends)",
    )
    graph.add_argument(
        "-o", "--output", metavar="FILE", help="its file, .html, .json or .txt (default: standard output)"
    )
    add_config(graph, "for all files")
    graph.add_argument("--lang", type=language, metavar="LANG", help=help_texts.LANG)
