"""Fixes: which are written, how, and which files stay as they are."""

from __future__ import annotations

from benchmarks.peers import expect
from benchmarks.peers.rows import Row

_EXITS = 'echo "exit $?"'


def _changed(ran: expect.Ran) -> bool:
    return any(ran.files.get(name) != text for name, text in ran.tool.files.items())


def _fixed_text(ran: expect.Ran) -> bool:
    """The output is a text of the workspace, with changes: neither the same nor a report."""
    text = ran.out.strip()
    same = [old for old in ran.tool.files.values() if set(text.splitlines()) & set(old.splitlines()) - {""}]
    return bool(same) and all(text != old.strip() for old in same) and text.splitlines()[-1] in same[0].splitlines()


def _only_safe(ran: expect.Ran) -> bool:
    """After both runs: the first changed the file, the second changed it again."""
    first, second = ran.files.get("first"), ran.files.get("second")
    return bool(first) and bool(second) and first not in ran.tool.files.values() and first != second


def _keeps_line_ends(ran: expect.Ran) -> bool:
    text = next((text for name, text in ran.files.items() if name == _name(ran)), "")
    fixed = text.replace("\r\n", "\n") not in ran.tool.files.values()
    return fixed and "755" in ran.out and text.count("\n") == text.count("\r\n") > 0


def _kept_and_reported(ran: expect.Ran) -> bool:
    failed = "exit 0" not in ran.out and "exit 101" not in ran.out
    return failed and ran.files.get("kept") == ran.tool.files[_name(ran)] and _changed(ran)


def _name(ran: expect.Ran) -> str:
    return next(
        iter(name for name in ran.tool.files if "bad" in name and (name.endswith("SKILL.md") or "/" not in name))
    )


_SKILL = "bad/.claude/skills/demo-skill/SKILL.md"

ROWS = [
    Row("`--fix`", "a changed file", _changed, "@check --fix @bad"),
    Row(
        "Unsafe fixes only on request",
        "a file that `--fix` changes, and an option that changes it further",
        _only_safe,
        "@check --fix @bad; cp @bad first\n@check --fix --unsafe-fixes @bad; cp @bad second",
        per={
            "agnix": "@check --fix bad; cat bad/CLAUDE.md "
            f"{_SKILL} > first\n@check --fix-unsafe bad; cat bad/CLAUDE.md {_SKILL} > second",
        },
    ),
    Row(
        "Only named rules are fixed",
        "the finding of one fixed, that of the other not",
        lambda ran: _changed(ran) and ran.code == 0,
        "@check --fix --select @first @bad",
        per={
            "rumdl": "@check --fix --enable @first @bad",
            "agnix": "@check --fix --select @first @bad",
            "markdownlint-cli2": """echo '{"config": {"default": false, "MD012": true}}' > .markdownlint-cli2.jsonc\n@check --fix @bad""",
        },
        notes={"markdownlint-cli2": "only in its config"},
    ),
    Row(
        "Show fixes as a diff, write nothing",
        "a unified diff, and the file as it was",
        lambda ran: not _changed(ran) and expect.lines(r"^@@ ")(ran),
        "@check --diff @bad",
        per={"agnix": "@check --fix --dry-run --show-fixes @bad", "markdownlint-cli2": "@check --diff @bad"},
    ),
    Row(
        "Fix standard input",
        "the fixed text on standard output",
        _fixed_text,
        "@check --fix - < @bad 2> /dev/null",
        per={"agnix": "@check --fix - < bad/CLAUDE.md", "markdownlint-cli2": "@program --format < @bad 2> /dev/null"},
    ),
    Row(
        "Exit code for written fixes",
        "exit code 1 although nothing is left",
        lambda ran: ran.code == 1 and _changed(ran),
        "@check --fix --exit-non-zero-on-fix --select @first @bad",
        per={
            "rumdl": "@check --fix --exit-non-zero-on-fix --enable @first @bad",
            "markdownlint-cli2": """echo '{"config": {"default": false, "MD012": true}}' > .markdownlint-cli2.jsonc\n@check --fix @bad""",
        },
    ),
    Row(
        "A fix keeps CRLF and the file's mode",
        "a changed file with CRLF on every line and mode 755",
        _keeps_line_ends,
        "sed -i 's/$/\\r/' @bad; chmod 755 @bad\n@check --fix @bad > /dev/null 2>&1\nstat -c %a @bad",
        per={
            "agnix": f"sed -i 's/$/\\r/' {_SKILL}; chmod 755 {_SKILL}\n@check --fix @bad > /dev/null 2>&1\nstat -c %a {_SKILL}"
        },
    ),
    Row(
        "A fix keeps a byte order mark",
        "a changed file that begins with the mark",
        lambda ran: (
            ran.out.startswith("ef bb bf")
            and _changed(ran)
            and not ran.files[_name(ran)].endswith(ran.tool.files[_name(ran)])
        ),
        "sed -i '1s/^/\\xef\\xbb\\xbf/' @bad\n@check --fix @bad > /dev/null 2>&1\nhead -c 3 @bad | od -An -tx1 | cut -c2-",
        per={
            "agnix": f"sed -i '1s/^/\\xef\\xbb\\xbf/' {_SKILL}\n@check --fix @bad > /dev/null 2>&1\nhead -c 3 {_SKILL} | od -An -tx1 | cut -c2-"
        },
    ),
    Row(
        "A read-only file stays as it is, even for root",
        "a file of mode 444 that stays as it was, and an exit code other than 0; with mode 644 it changes",
        _kept_and_reported,
        'chmod 444 @bad\n@check --fix @bad > report 2>&1; echo "exit $?"; cp @bad kept\nchmod 644 @bad; @check --fix @bad',
        per={
            "agnix": f'chmod 444 {_SKILL}\n@check --fix @bad > report 2>&1; echo "exit $?"; cp {_SKILL} kept\n'
            f"chmod 644 {_SKILL}; @check --fix @bad"
        },
    ),
]
