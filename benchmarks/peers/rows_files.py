"""Choosing rules and files, and files that cannot be read."""

from __future__ import annotations

from benchmarks.peers import expect
from benchmarks.peers.rows import Row

_EXITS = 'echo "exit $?"'
_IN_CONFIG = "only in its config"
_GIT = "git init -q . && git add -A && git commit -qm first\n"


def _markdownlint(config: str) -> str:
    return f"echo '{config}' > .markdownlint-cli2.jsonc\n@check @bad"


def _agnix(config: str) -> str:
    return f"printf '{config}' > .agnix.toml\nagnix --strict --config .agnix.toml ."


def _different(ran: expect.Ran) -> bool:
    clean, _, empty = ran.out.partition("=====\n")
    return expect.as_json(clean) is not None and expect.as_json(clean) != expect.as_json(empty)


ROWS = [
    Row(
        "Select rules",
        "a finding of the selected rule, and none of another",
        expect.first_not_second,
        "@check --select @first @bad",
        per={
            "rumdl": "@check --enable @first @bad",
            "agnix": "@check --select @first @bad",
            "markdownlint-cli2": _markdownlint('{"config": {"default": false, "@first": true}}'),
        },
        notes={"markdownlint-cli2": _IN_CONFIG},
    ),
    Row(
        "Ignore rules",
        "no finding of the ignored rule, and one of another",
        expect.first_not_second,
        "@check --ignore @second @bad",
        per={
            "rumdl": "@check --disable @second @bad",
            "agnix": _agnix('[rules]\\ndisabled_rules = ["@second"]\\n'),
            "markdownlint-cli2": _markdownlint('{"config": {"@second": false}}'),
        },
        notes={"agnix": _IN_CONFIG, "markdownlint-cli2": _IN_CONFIG},
    ),
    Row(
        "Change the severity of a rule",
        "the rule with another severity in JSON, or in text where JSON needs a package",
        lambda ran: expect.severity_of(ran, "before") != expect.severity_of(ran, "after") != "",
        "@check @format json @bad > before\n@check @format json --severity @first=warning @bad > after; cat after",
        per={
            "rumdl": "@check --no-cache @format json @bad > before\n"
            "printf '[@first]\\nseverity = \"error\"\\n' > .rumdl.toml\n"
            "@check --no-cache @format json @bad > after; cat after",
            "ruff": "@check @format json @bad > before\n"
            "@check @format json --config 'lint.severity.@first=\"warning\"' @bad > after; cat after",
            "agnix": 'agnix --format json . > before\nprintf \'[rules.severity]\\n"@first" = "Error"\\n\' > .agnix.toml\n'
            "agnix --format json --config .agnix.toml . > after; cat after",
            "markdownlint-cli2": '@check @bad 2> before\necho \'{"config": {"@first": "warning"}}\' > .markdownlint-cli2.jsonc\n'
            "@check @bad 2> after",
        },
        notes={"rumdl": _IN_CONFIG, "markdownlint-cli2": _IN_CONFIG, "agnix": _IN_CONFIG},
    ),
    Row(
        "Suppress a finding by a comment",
        "the comment hides the finding",
        lambda ran: ran.code == 0 and not ran.crashed,
        "@check @bad",
        per={
            "handoff-lsp": "sed -i '1i <!-- handoff-ignore-file: invalid-json, invalid-value -->' bad.md\n@check @bad",
            "ruff": "printf 'import os  # noqa: F401\\n' > bad.py\n@check @bad",
            "rumdl": "printf '# A\\n\\n<!-- rumdl-disable MD012 -->\\n\\n\\nb\\n' > bad.md\n@check @bad",
            "agnix": "sed -i '2a <!-- agnix-disable-next-line PE-005 -->' bad/CLAUDE.md\nagnix --strict bad/CLAUDE.md",
            "markdownlint-cli2": "printf '# A\\n\\n<!-- markdownlint-disable MD012 -->\\n\\n\\nb\\n' > bad.md\n@check @bad",
        },
    ),
    Row(
        "Exclude files",
        "the bad file left out of a folder",
        expect.codes("1", "0"),
        f"@check .; {_EXITS}\n@check --exclude @bad .; {_EXITS}",
        per={
            "agnix": f"@check .; {_EXITS}\nprintf 'exclude = [\"bad/**\"]\\n' > .agnix.toml\nagnix --strict --config .agnix.toml .; {_EXITS}",
            "markdownlint-cli2": f"@check '*.md'; {_EXITS}\n@check '*.md' '!bad.md'; {_EXITS}",
            "check-jsonschema": f"@check *.json; {_EXITS}\n@check --exclude @bad *.json; {_EXITS}",
        },
        notes={"agnix": _IN_CONFIG},
    ),
    Row(
        "Exclude named files, too",
        "exit code 0 for a bad file that is named and excluded",
        lambda ran: ran.code == 0,
        "@check --force-exclude --exclude @bad @bad",
        per={
            "rumdl": "@check --exclude @bad @bad",
            "agnix": "printf 'exclude = [\"bad/**\"]\\n' > .agnix.toml\nagnix --strict --config .agnix.toml bad/CLAUDE.md",
            "markdownlint-cli2": "@check bad.md '!bad.md'",
        },
        refusal=True,
    ),
    Row(
        "`.gitignore` respected",
        "an ignored bad file left out of a folder",
        expect.codes("1", "0"),
        f"git init -q .\n@check .; {_EXITS}\necho '@bad' > .gitignore\n@check .; {_EXITS}",
        per={
            "markdownlint-cli2": f"git init -q .\n@check '*.md'; {_EXITS}\necho bad.md > .gitignore\n"
            f"""echo '{{"gitignore": true}}' > .markdownlint-cli2.jsonc\n@check '*.md'; {_EXITS}""",
        },
        notes={"markdownlint-cli2": _IN_CONFIG},
    ),
    Row(
        "Only files that changed in git",
        "nothing of a committed bad file, but a finding in a changed one",
        expect.codes("0", "1"),
        _GIT + f"@check --changed; {_EXITS}\necho >> @bad\n@check --changed; {_EXITS}",
        per={
            "agnix": _GIT + f"@check --changed; {_EXITS}\necho >> bad/CLAUDE.md\n@check --changed; {_EXITS}",
            "markdownlint-cli2": _GIT
            + f"@check --changed '*.md'; {_EXITS}\necho >> bad.md\n@check --changed '*.md'; {_EXITS}",
            "check-jsonschema": _GIT
            + f"@check --changed *.json; {_EXITS}\necho >> bad.json\n@check --changed *.json; {_EXITS}",
        },
    ),
    Row(
        "Staged text, not that of the disk",
        "the finding of the staged text, with a good file on the disk",
        lambda ran: ran.code == 1,
        "git init -q . && git add -A && cp @good @bad\n@check --staged",
        per={
            "agnix": "git init -q . && git add -A && cp good/CLAUDE.md bad/CLAUDE.md && rm -r bad/.claude\n@check --staged",
            "markdownlint-cli2": "git init -q . && git add -A && cp good.md bad.md\n@check --staged '*.md'",
            "check-jsonschema": "git init -q . && git add -A && cp good.json bad.json\n@check --staged *.json",
        },
    ),
    Row(
        "Standard input",
        "exit code 1 for bad text, 0 for good text",
        expect.codes("1", "0"),
        f"@check - < @bad; {_EXITS}\n@check - < @good; {_EXITS}",
        per={"agnix": f"@check - < bad/CLAUDE.md; {_EXITS}\n@check - < good/CLAUDE.md; {_EXITS}"},
    ),
    Row(
        "A name for standard input",
        "the name in the finding",
        lambda ran: expect.lines(r"named\.\w+.*:\d+")(ran),
        "@check --stdin-filename named.md - < @bad",
        per={
            "ruff": "@check --stdin-filename named.py - < @bad",
            "agnix": "@check --stdin-filename named.md - < bad/CLAUDE.md",
        },
    ),
    Row(
        "A named file that is missing is not clean",
        "an exit code other than 0",
        lambda ran: ran.code != 0,
        "@check nowhere.md",
        per={
            "ruff": "@check nowhere.py",
            "agnix": "@check nowhere/CLAUDE.md",
            "check-jsonschema": "@check nowhere.json",
        },
        refusal=True,
    ),
    Row(
        "An unreadable file is not clean",
        "an exit code other than 0, and a message with the file, which is not UTF-8",
        lambda ran: ran.code != 0 and expect.lines(r"\bbroken\b")(ran),
        "printf '# caf\\351\\n' > broken.md\n@check broken.md",
        per={
            "ruff": "printf 'x = \"caf\\351\"\\n' > broken.py\n@check broken.py",
            "agnix": "mkdir broken; printf '# caf\\351\\n' > broken/CLAUDE.md\n@check broken/CLAUDE.md",
            "check-jsonschema": 'printf \'{"status": "caf\\351"}\' > broken.json\n@check broken.json',
        },
    ),
    Row(
        "JSON distinguishes clean from nothing checked",
        "different JSON for a good file and for an empty folder",
        _different,
        "mkdir empty\n@check @format json @good; echo =====\n@check @format json empty",
        per={
            "markdownlint-cli2": """echo '{"outputFormatters": [["markdownlint-cli2-formatter-json", {"name": "report"}]]}' """
            "> .markdownlint-cli2.jsonc\n@check good.md; cat report; echo =====\nrm report; @check 'empty/*.md'; cat report",
            "check-jsonschema": "@check @format json @good; echo =====\n@check @format json",
        },
        refusal=True,
    ),
]
