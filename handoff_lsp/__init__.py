"""handoff-lsp: checks a handoff while it is being written, and shows the orchestrator's decision about it.

The Python interface, besides the command and the server::

    import handoff_lsp

    report = handoff_lsp.check_text(text, "handoffs/board/backend-dev-handoff.md")
    for finding in report.findings:
        print(finding.line, finding.severity, finding.message)

The names in ``__all__`` and their public attributes are the interface; docs/library.md describes it.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as of `typing`, which takes as long as all that a hook usually does
if TYPE_CHECKING:
    from handoff_lsp.contracts.model import Mode, RouteAction, Severity
    from handoff_lsp.library.checking import check_text, parse_text
    from handoff_lsp.library.making import new, schema
    from handoff_lsp.library.names import UnknownNameError
    from handoff_lsp.library.project import Project
    from handoff_lsp.reports.pack import (
        ContractMatrix,
        Drift,
        MatrixRow,
        PackEdge,
        PackReport,
        PromptPlace,
        PromptRow,
    )
    from handoff_lsp.reports.report import (
        Doubt,
        Edit,
        Finding,
        Fix,
        Handoff,
        Level,
        Position,
        Range,
        Related,
        Report,
        Routing,
    )
    from handoff_lsp.reports.verdict import Verdict, VerdictState
    from handoff_lsp.workspace.config.config_file import ConfigError
    from handoff_lsp.workspace.disk.files import UnreadableFile

__version__ = "0.1.0"

__all__ = [
    "ConfigError",
    "ContractMatrix",
    "Doubt",
    "Drift",
    "Edit",
    "Finding",
    "Fix",
    "Handoff",
    "Level",
    "MatrixRow",
    "Mode",
    "PackEdge",
    "PackReport",
    "Position",
    "Project",
    "PromptPlace",
    "PromptRow",
    "Range",
    "Related",
    "Report",
    "RouteAction",
    "Routing",
    "Severity",
    "UnknownNameError",
    "UnreadableFile",
    "Verdict",
    "VerdictState",
    "__version__",
    "check_text",
    "new",
    "parse_text",
    "schema",
]

# Imported on demand: the command's `--version` does not need the engine. Everything else is a report's.
_HOMES = {
    "ConfigError": "workspace.config.config_file",
    "ContractMatrix": "reports.pack",
    "Drift": "reports.pack",
    "MatrixRow": "reports.pack",
    "Mode": "contracts.model",
    "PackEdge": "reports.pack",
    "PackReport": "reports.pack",
    "Project": "library.project",
    "PromptPlace": "reports.pack",
    "PromptRow": "reports.pack",
    "RouteAction": "contracts.model",
    "Severity": "contracts.model",
    "UnknownNameError": "library.names",
    "UnreadableFile": "workspace.disk.files",
    "Verdict": "reports.verdict",
    "VerdictState": "reports.verdict",
    "check_text": "library.checking",
    "new": "library.making",
    "parse_text": "library.checking",
    "schema": "library.making",
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(f"{__name__}.{_HOMES.get(name, 'reports.report')}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
