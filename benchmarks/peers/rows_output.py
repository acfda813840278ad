"""Formats, exit codes and terminals."""

from __future__ import annotations

import json

from benchmarks.peers import expect
from benchmarks.peers.rows import Row

_PACKAGE = "by a formatter of its own package"
_TEMPLATE = "by `markdownlint-cli2-formatter-template`, with a template of the user"
_PLACE = "error file=${fileName},line=${lineNumber}::${ruleName} ${ruleDescription}"


def _formatter(package: str, **options: str) -> str:
    """The script for markdownlint-cli2, which takes formatters from its config."""
    config = {"outputFormatters": [[f"markdownlint-cli2-formatter-{package}", options]]}
    printed = " 2>&1 > /dev/null" if package == "template" else "; cat report"
    return f"echo '{json.dumps(config)}' > .markdownlint-cli2.jsonc\n@check @bad{printed}"


def _format(name: str, shows: str, holds: expect.Holds, markdownlint: str = "", note: str = "", **per: str) -> Row:
    return Row(
        feature=f"`{name}`",
        shows=shows,
        shown=holds,
        script=f"@check @format {name} @bad",
        per=({"markdownlint-cli2": markdownlint} if markdownlint else {}) | per,
        notes={"markdownlint-cli2": note} if note else {},
    )


_EXITS = 'echo "exit $?"'


def _file(ran: expect.Ran, name: str) -> expect.Ran:
    """A run whose output is a file that it wrote."""
    return expect.Ran(ran.code, ran.files.get(name, ""), "", ran.files, ran.tool)


def _bad_named(ran: expect.Ran) -> bool:
    return ran.tool.words["bad"] in ran.out + ran.err


def _plain_findings(ran: expect.Ran) -> bool:
    return "bad" in ran.out and expect.ESCAPE not in ran.out


ROWS = [
    _format("json", "one JSON value that names the file", expect.is_json, _formatter("json", name="report"), _PACKAGE),
    _format(
        "jsonl",
        "a JSON object on each line",
        expect.is_jsonl,
        _formatter("template", template='{"file":"${fileName}","line":${lineNumber},"rule":"${ruleName}"}\n'),
        _TEMPLATE,
        ruff="@check @format json-lines @bad",
        rumdl="@check --quiet @format json-lines @bad",
    ),
    _format("sarif", "SARIF 2.1.0 with results", expect.is_sarif, _formatter("sarif", name="report"), _PACKAGE),
    _format(
        "github",
        "an annotation with its file",
        expect.lines(r"^::(error|warning|notice) .*file="),
        _formatter("template", template=f"::{_PLACE}\n"),
        _TEMPLATE,
    ),
    _format(
        "gitlab",
        "a list with fingerprints and locations",
        expect.is_gitlab,
        _formatter("codequality", name="report"),
        _PACKAGE,
    ),
    _format("junit", "XML of JUnit with a failure", expect.is_junit, _formatter("junit", name="report"), _PACKAGE),
    _format("rdjson", "diagnostics with locations", expect.is_rdjson, _formatter("rdjson", name="report")),
    _format(
        "azure",
        "a logging command with its file",
        expect.lines(r"^##vso\[task\.logissue .*(sourcepath|file)="),
        _formatter(
            "template",
            template="##vso[task.logissue type=error;sourcepath=${fileName};linenumber=${lineNumber}]${ruleName}\n",
        ),
        _TEMPLATE,
    ),
    _format(
        "pylint",
        "lines `FILE:LINE: [RULE] …`",
        expect.lines(r"^\S+:\d+: \[[\w-]+[^\]]*\] "),
        _formatter("template", template="${fileName}:${lineNumber}: [${ruleName}] ${ruleDescription}\n"),
        _TEMPLATE,
    ),
    _format(
        "concise",
        "one line for each finding, with file and line",
        expect.lines(r"^\S+:\d+[: ].*\w+"),
        "@check @bad",
        ruff="@check @format concise @bad",
        agnix="@check @bad",
    ),
    _format("grouped", "a line with only the file, above its findings", expect.lines(r"^bad[./]\w+(\.\w+)?:?$")),
    Row(
        "Several formats in one run",
        "two reports and findings on standard output",
        lambda ran: expect.is_sarif(_file(ran, "a.sarif")) and expect.is_junit(_file(ran, "b.xml")),
        "@check @format sarif --output-file a.sarif @format junit --output-file b.xml @bad",
        per={
            "handoff-lsp": "@check -o sarif:a.sarif -o junit:b.xml @bad",
            "agnix": "@check @format sarif @format json @bad",
            "markdownlint-cli2": "echo '"
            + json.dumps(
                {
                    "outputFormatters": [
                        ["markdownlint-cli2-formatter-sarif", {"name": "a.sarif"}],
                        ["markdownlint-cli2-formatter-junit", {"name": "b.xml"}],
                    ]
                }
            )
            + "' > .markdownlint-cli2.jsonc\n@check @bad",
            "check-jsonschema": "@check -o json -o text @bad",
        },
        notes={"markdownlint-cli2": _PACKAGE},
    ),
    Row(
        "Clean, findings and failure have their own exit codes",
        "0, 1 and a third code for a missing config",
        expect.codes("0", "1", "!"),
        f"@check @good; {_EXITS}\n@check @bad; {_EXITS}\n@check @config @bad; {_EXITS}",
        refusal=True,
    ),
    Row(
        "Choose the severity that fails",
        "exit code 0 for a finding below it, else 1",
        expect.codes("1", "0"),
        f"@check @bad; {_EXITS}\n@check --fail-on error @bad; {_EXITS}",
        per={
            "handoff-lsp": f"@check --fail-on warning @bad; {_EXITS}\n@check --fail-on warning --severity "
            f"invalid-json=information --severity invalid-value=information @bad; {_EXITS}",
            "rumdl": f"@check @bad; {_EXITS}\n@check --fail-on error @bad; {_EXITS}",
            "agnix": f"agnix --strict bad; {_EXITS}\nagnix bad; {_EXITS}",
            "markdownlint-cli2": f"@check @bad; {_EXITS}\n"
            """echo '{"config": {"default": "warning"}}' > .markdownlint-cli2.jsonc\n"""
            f"@check @bad; {_EXITS}",
        },
        notes={"markdownlint-cli2": "in its config, by rule"},
    ),
    Row(
        "`--exit-zero`",
        "exit code 0 and the findings",
        lambda ran: ran.code == 0 and _bad_named(ran),
        "@check --exit-zero @bad",
        per={"rumdl": "@check --fail-on never @bad"},
    ),
    Row(
        "Statistics of rules",
        "a line with the rule and its count",
        lambda ran: expect.lines(rf"^\W*1\b.*\b{ran.tool.rules[0]}\b|^\W*{ran.tool.rules[0]}\b.*\b1\b")(ran),
        "@check --statistics @bad",
    ),
    Row(
        "`FORCE_COLOR`",
        "color in a pipe",
        lambda ran: expect.ESCAPE in ran.out,
        "FORCE_COLOR=1 @check @bad 2>&1 | cat",
    ),
    Row(
        "`NO_COLOR`",
        "color on a terminal, and none with the variable",
        expect.before_after("=====", lambda ran: expect.ESCAPE in ran.out, _plain_findings),
        'script -qec "@check @bad" /dev/null; echo =====\nNO_COLOR=1 script -qec "@check @bad" /dev/null',
    ),
    Row(
        "A closed pipe is no crash",
        "no trace of a crash when the reader is gone",
        lambda ran: not ran.crashed,
        "(sleep 0.2; @check @bad) | true",
    ),
    Row(
        "A full disk is an error",
        "an exit code other than 0 and the reason, no trace of a crash",
        lambda ran: (
            ran.code != 0
            and not ran.crashed
            and expect.lines("(?i)no space|could not write|cannot write|failed to write")(ran)
        ),
        "@check @format json @bad > /dev/full",
        per={"markdownlint-cli2": "@check @bad > /dev/full 2>&1"},
    ),
]
