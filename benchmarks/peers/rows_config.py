"""Baselines, caches, configs, documentation and editors."""

from __future__ import annotations

import json

from benchmarks.peers import expect
from benchmarks.peers.rows import Row

_EXITS = 'echo "exit $?"'
_INITIALIZE = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"processId": None, "rootUri": None, "capabilities": {}},
    }
)


def _server(command: str) -> str:
    return (
        f"(printf 'Content-Length: {len(_INITIALIZE)}\\r\\n\\r\\n%s' '{_INITIALIZE}'; sleep 3) | timeout 20 {command}"
    )


def _watching(command: str, bad: str) -> str:
    return f"(timeout 8 {command} > watched 2>&1) & sleep 3; cp {bad} new-{bad}; wait; cat watched"


def _is_schema(ran: expect.Ran) -> bool:
    value = expect.as_json(ran.out)
    return isinstance(value, dict) and "properties" in value


ROWS = [
    Row(
        "A baseline of known findings",
        "exit code 0 with it, 1 for a new finding in the same file",
        expect.codes("0", "1"),
        f"@program baseline @bad > /dev/null\n@check @bad; {_EXITS}\n@check @bad; {_EXITS}",
        per={
            "handoff-lsp": "@program baseline > /dev/null\n"
            f"@check; {_EXITS}\nsed -i \"s/.two stale values./'new'/\" bad.md\n@check; {_EXITS}",
            "ruff": f"@check --add-noqa @bad > /dev/null 2>&1\n@check @bad; {_EXITS}\necho 'import sys' >> @bad\n@check @bad; {_EXITS}",
        },
        notes={"ruff": "by a comment at each finding (`--add-noqa`)"},
    ),
    Row(
        "A cache between runs",
        "files of a cache after a run",
        lambda ran: any("cache" in name for name in ran.files) or "cached" in ran.out,
        '@check @bad > /dev/null 2>&1\nfind "$HOME" -path "*cache*" -type f | grep -q . && echo cached',
        per={
            "handoff-lsp": "for n in 0 1 2 3 4 5 6 7 8 9; do cp @good $n.md; done  # it caches from ten files on\n"
            '@check > /dev/null 2>&1\nfind "$HOME" -path "*cache*" -type f | grep -q . && echo cached',
        },
    ),
    Row(
        "Watch files",
        "a finding in a file written later",
        lambda ran: "new-bad" in ran.out,
        _watching("@check --watch .", "@bad"),
        per={
            "agnix": "(timeout 8 agnix --strict --watch . > watched 2>&1) & sleep 3; mkdir new-bad; "
            "cp bad/CLAUDE.md new-bad; wait; cat watched",
            "markdownlint-cli2": _watching("@check --watch '*.md'", "bad.md"),
        },
    ),
    Row(
        "Explain a rule",
        "at least three lines that name the rule",
        lambda ran: ran.code == 0 and len(ran.out.splitlines()) >= 3 and ran.tool.rules[0] in ran.out,
        "@program explain @first",
        per={"ruff": "@program rule @first"},
    ),
    Row(
        "Explain a rule as JSON",
        "an object that names the rule",
        lambda ran: isinstance(expect.as_json(ran.out), dict) and ran.tool.rules[0] in ran.out,
        "@program explain @format json @first",
        per={"ruff": "@program rule --output-format json @first", "rumdl": "@program rule --output-format json @first"},
    ),
    Row(
        "Explain a key of its config",
        "at least two lines about a key of the config",
        lambda ran: ran.code == 0 and len(ran.out.splitlines()) >= 2 and "exclude" in ran.out,
        "@program config exclude",
    ),
    Row(
        "List the files it would check",
        "both files of the workspace, and exit code 0",
        lambda ran: ran.code == 0 and all(ran.tool.words[name] in ran.out for name in ("bad", "good")),
        "@check --show-files .",
    ),
    Row(
        "Write a suppression comment for each finding",
        "comments in the file, and exit code 0 with them",
        expect.codes("0"),
        f"@check --add-ignore @bad > /dev/null 2>&1\n@check @bad > /dev/null; {_EXITS}",
        per={"ruff": f"@check --add-noqa @bad > /dev/null 2>&1\n@check @bad > /dev/null; {_EXITS}"},
    ),
    Row(
        "Take over the config of another tool",
        "a config written from one of markdownlint",
        lambda ran: ran.code == 0 and any(name.endswith(".toml") for name in ran.files),
        "echo '{\"MD013\": false}' > .markdownlint.json\n@program import .markdownlint.json",
    ),
    Row(
        "List all rules",
        "both rules of the workspace in a list",
        lambda ran: (
            ran.code == 0 and all(rule in ran.out for rule in ran.tool.rules) and len(ran.out.splitlines()) > 10
        ),
        "@program rule",
        per={
            "handoff-lsp": "@program explain --list",
            "ruff": "@program rule --all",
            "agnix": "@program explain --list",
        },
    ),
    Row(
        "Write a first config",
        "a new config that the tool accepts",
        lambda ran: any(name not in ran.tool.files for name in ran.files) and "exit 0" in ran.out,
        f"@program init > /dev/null 2>&1\n@check @good > /dev/null; {_EXITS}",
    ),
    Row(
        "Show the config of a file",
        "a setting of the config file in the output",
        lambda ran: ran.code == 0 and expect.lines("never-this-folder")(ran),
        "@program config",
        per={
            "handoff-lsp": "echo 'exclude = [\"never-this-folder/**\"]' > .handoff-lsp.toml\n@program config show @bad",
            "ruff": "echo 'extend-exclude = [\"never-this-folder\"]' > ruff.toml\n@check --show-settings @bad",
            "rumdl": "printf '[global]\\nexclude = [\"never-this-folder\"]\\n' > .rumdl.toml\n@program config",
            "agnix": "echo 'exclude = [\"never-this-folder/**\"]' > .agnix.toml\n@program config",
            "markdownlint-cli2": """echo '{"ignores": ["never-this-folder"]}' > .markdownlint-cli2.jsonc\n@program --show-config""",
        },
    ),
    Row(
        "Origin of each setting",
        "the file of the setting beside it",
        lambda ran: (
            ran.code == 0 and expect.lines(r"never-this-folder.*(\.toml|project|file)|(\.toml).*never-this-folder")(ran)
        ),
        "@program config",
        per={
            "handoff-lsp": "echo 'exclude = [\"never-this-folder/**\"]' > .handoff-lsp.toml\n@program config show @bad",
            "ruff": "echo 'extend-exclude = [\"never-this-folder\"]' > ruff.toml\n@check --show-settings @bad",
            "rumdl": "printf '[global]\\nexclude = [\"never-this-folder\"]\\n' > .rumdl.toml\n@program config",
        },
    ),
    Row(
        "Settings of one run without a file",
        "a setting of the config given as an argument",
        expect.first_not_second,
        "@check --config 'ignore=\"@second\"' @bad",
        per={
            "ruff": "@check --config 'lint.ignore=[\"@second\"]' @bad",
            "rumdl": "@check --config 'global.disable=[\"@second\"]' @bad",
        },
    ),
    Row(
        "No config at all (`--isolated`)",
        "findings in spite of a config that excludes the file",
        lambda ran: ran.code == 1,
        "@check --isolated .",
        per={
            "handoff-lsp": "echo 'exclude = [\"bad.md\"]' > .handoff-lsp.toml\n@check --isolated .",
            "ruff": "echo 'exclude = [\"bad.py\"]' > ruff.toml\n@check --isolated .",
            "rumdl": "printf '[global]\\nexclude = [\"bad.md\"]\\n' > .rumdl.toml\n@check --no-config .",
            "agnix": "echo 'exclude = [\"bad/**\"]' > .agnix.toml\n@check --isolated .",
            "markdownlint-cli2": """echo '{"ignores": ["bad.md"]}' > .markdownlint-cli2.jsonc\n@check --no-config '*.md'""",
        },
    ),
    Row(
        "Completion in a shell",
        "a script for bash",
        lambda ran: ran.code == 0 and expect.lines(r"\bcomplete\b|COMPREPLY|_COMPLETE")(ran),
        "@program completions bash",
        per={
            "handoff-lsp": "@program completion bash",
            "ruff": "@program generate-shell-completion bash",
            "check-jsonschema": "_CHECK_JSONSCHEMA_COMPLETE=bash_source @program",
        },
    ),
    Row(
        "A JSON Schema of its config",
        "a schema with properties",
        _is_schema,
        "@program schema",
        per={
            "handoff-lsp": "@program schema config",
            "rumdl": "@program schema print",
            "markdownlint-cli2": 'cat "$(dirname "$(readlink -f "$(command -v @program)")")/schema/markdownlint-cli2-config-schema.json"',
        },
        notes={"markdownlint-cli2": "as a file of its package"},
    ),
    Row(
        "Language server",
        "an answer to `initialize` on standard output",
        lambda ran: '"capabilities"' in ran.out,
        _server("@program server"),
        per={"agnix": _server("agnix-lsp")},
    ),
    Row(
        "The parsed document as JSON",
        "the fields of a good file",
        lambda ran: ran.code == 0 and expect.as_json(ran.out) is not None,
        "@program parse @format json @good",
    ),
]
