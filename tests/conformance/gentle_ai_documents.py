"""Random verify results and remediations: valid ones with up to three changes."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

CHANGE = "openspec/changes/add-cache"
BODY = "\n## Verification Report\n\n**Change**: add-cache\n\n```text\n9 passed\n```\n\n### Verdict\nPASS\n"
SPEC = "# Cache\n\n### Requirement: Entries expire\n\n#### Scenario: An old one\n\n#### Scenario: A new one\n"
ODD_BLANKS = ["\f", "\x85", "\xa0", "\u2003", "\u3000", "\t", "  "]
ODD_WORDS = [
    "none",
    "N/A",
    "todo",
    "passed",
    "not run",
    "-",
    "none.",
    "npm t > log",
    "<command>",
    "null",
    "{x}",
    "'none'",
]
ODD_NUMBERS = ["00", "-1", "+1", "1.0", "one", '"1"', "1 # ok", "٣", "9" * 19, "2"]
ODD_RATIOS = ["3/4", "5/4", "0/0", "04/4", "4 / 4", "4/4/4", "4", "4/4 ok", "all", '"4/4"']
ODD_HASHES = ["sha256:ABC", "sha256:" + "A" * 64, "unavailable", "sha256:" + "a" * 63, "`sha256:" + "a" * 64 + "`"]
ODD_VERDICTS = ["PASS", "passed", '"pass"', "pass # all green", "fail", "pass_with_warnings", "blocked"]
GARBAGE = ["# a note", "---", "- x", "...", "a line of prose", "key:", ": value", "<!-- note -->", "  nested: x", "`"]
TAGS = ["yml", "YAML", " yaml", "yaml title", "", "json", "text", "`yaml"]
ENDS = ["````", "``` end", "    ```", "\t```", "~~~", "``` ", ""]


class Draft:
    """A document while it is made: its parts, each a list of lines."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.before: list[str] = []
        self.opening, self.closing = "```yaml", "```"
        self.fields: list[str] = []
        self.between: list[str] = []
        self.evidence: Any = None
        self.evidence_opening, self.evidence_closing = "```json", "```"
        self.after = ""
        self.files: dict[str, str] = {}
        self.text: Callable[[str], str] = lambda text: text

    def set(self, key: str, value: str) -> None:
        self.fields = [f"{key}: {value}" if line.startswith(f"{key}:") else line for line in self.fields]

    def envelope(self) -> str:
        return "\n".join([self.opening, *self.fields, self.closing]) + "\n"

    def build(self) -> str:
        made = "".join(f"{line}\n" for line in self.before) + self.envelope() + "".join(f"{x}\n" for x in self.between)
        if self.evidence is not None:
            inner = self.evidence if isinstance(self.evidence, str) else json.dumps(self.evidence, indent=2)
            made += f"{self.evidence_opening}\n{inner}\n{self.evidence_closing}\n"
        return self.text(made + self.after)


def digest(rng: random.Random) -> str:
    return "sha256:" + "".join(rng.choice("0123456789abcdef") for _ in range(64))


def verify_draft(rng: random.Random) -> Draft:
    draft = Draft(rng)
    verdict = rng.choice(["pass", "pass", "pass_with_warnings", "fail", "fail"])
    bad = verdict == "fail"
    nothing = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    extended = bad and rng.random() < 0.3
    pairs = {
        "schema": "gentle-ai.verify-result/v1",
        "evidence_revision": digest(rng),
        "verdict": verdict,
        "blockers": "1" if bad else "0",
        "critical_findings": "2" if bad else "0",
        "requirements": "1/2" if bad else "2/2",
        "scenarios": "4/4",
        "test_command": "pytest -q tests",
        "test_exit_code": "125" if extended else "1" if bad else "0",
        "test_output_hash": nothing if extended else digest(rng),
        "build_command": "python -m build",
        "build_exit_code": "125" if extended else "0",
        "build_output_hash": nothing if extended else digest(rng),
    }
    if extended:
        pairs |= {"authority_only_failure": "true", "missing_review_authority": "true", "substantive_failure": "false"}
        pairs |= {"command_failed": "false", "observed_authority_revision": digest(rng)}
    draft.fields = [f"{key}: {value}" for key, value in pairs.items()]
    draft.after = rng.choice(["", BODY])
    if rng.random() < 0.4:
        places = rng.choice([["specs/cache/spec.md", "specs/http/v1/spec.md"], ["spec.md"]])
        draft.files = {f"{CHANGE}/{place}": SPEC * (2 // len(places)) for place in places}
    return draft


def remediation_draft(rng: random.Random) -> Draft:
    draft = Draft(rng)
    harness = rng.choice(["passed", "not_applicable"])
    lineage, generation, batch = rng.choice(["cache-1", "lineage-2"]), rng.randint(1, 3), rng.randint(1, 3)
    revision = digest(rng)
    pairs = {
        "schema": "gentle-ai.remediation-result/v1",
        "status": "complete",
        "failed_evidence_revision": revision,
        "lineage_id": lineage,
        "generation": str(generation),
        "fix_batch": str(batch),
        "focused_tests": "passed",
        "runtime_harness": harness,
        "rollback_boundary": "recorded",
    }
    draft.fields = [f"{key}: {value}" for key, value in pairs.items()]
    run: dict[str, Any] = {"status": harness, "command": "make serve", "result": "answers", "na_reason": ""}
    if harness != "passed":
        run |= {"command": "", "result": "", "na_reason": "Not run, because only two comments changed."}
    draft.evidence = {
        "schema": "gentle-ai.remediation-evidence/v1",
        "failed_evidence_revision": revision,
        "lineage_id": lineage,
        "generation": generation,
        "fix_batch": batch,
        "commands": [{"command": "pytest -q", "exit_code": 0, "result": "12 passed"}],
        "runtime_harness": run,
        "rollback": {"boundary": "cache.py", "evidence": "nothing else imports it"},
    }
    draft.before = rng.choice([[], ["# Apply progress", ""], ["# Progreso", "", "```bash", "make test", "```", ""]])
    return draft


# Changes to documents: of both kinds


def drop_field(draft: Draft) -> None:
    draft.fields.pop(draft.rng.randrange(len(draft.fields)))


def repeat_field(draft: Draft) -> None:
    draft.fields.append(draft.rng.choice(draft.fields))


def shuffle(draft: Draft) -> None:
    draft.rng.shuffle(draft.fields)


def garbage(draft: Draft) -> None:
    draft.fields.insert(draft.rng.randrange(len(draft.fields) + 1), draft.rng.choice(GARBAGE))


def decorate(draft: Draft) -> None:
    how = draft.rng.choice(["- {}", "> {}", "  {}", "\t{}", "* {}", "{}  ", "{},", "{}\f", "| {} |"])
    draft.fields = [how.format(line) for line in draft.fields]


def respell(draft: Draft) -> None:
    at = draft.rng.randrange(len(draft.fields))
    key, _, value = draft.fields[at].partition(":")
    how = draft.rng.choice(
        [str.upper, lambda text: text + "s", lambda text: text.replace("_", "-"), lambda text: f"`{text}`"]
    )
    draft.fields[at] = f"{how(key)}:{value}"


def space(draft: Draft) -> None:
    how = draft.rng.choice(["{}:{}", "{} : {}", "{}:\t{}", "{}:   {}"])
    draft.fields = [how.format(key, value.strip()) for key, _, value in (line.partition(":") for line in draft.fields)]


def quote_value(draft: Draft) -> None:
    at = draft.rng.randrange(len(draft.fields))
    key, _, value = draft.fields[at].partition(": ")
    draft.fields[at] = f"{key}: " + draft.rng.choice(['"{}"', "'{}'", "`{}`", "**{}**", "{} # ok", "{}."]).format(value)


def empty_value(draft: Draft) -> None:
    at = draft.rng.randrange(len(draft.fields))
    draft.fields[at] = draft.fields[at].partition(":")[0] + ":" + draft.rng.choice(["", " ", "\t"])


def unknown_field(draft: Draft) -> None:
    key = draft.rng.choice(["next_recommended", "mode", "lint_exit_code", "notes", "failed_verify_revision", "change"])
    draft.fields.append(f"{key}: x")


def blank_lines(draft: Draft) -> None:
    for _ in range(3):
        draft.fields.insert(draft.rng.randrange(len(draft.fields) + 1), draft.rng.choice(["", *ODD_BLANKS]))


def other_tag(draft: Draft) -> None:
    draft.opening = "```" + draft.rng.choice(TAGS)


def other_end(draft: Draft) -> None:
    draft.closing = draft.rng.choice(ENDS)


def indent(draft: Draft) -> None:
    by = draft.rng.choice([" ", "   ", "     ", "\t"])
    draft.opening, draft.closing = by + draft.opening, by + draft.closing


def blanks_behind(draft: Draft) -> None:
    draft.opening += draft.rng.choice(ODD_BLANKS)
    draft.closing += draft.rng.choice(ODD_BLANKS)


def windows(draft: Draft) -> None:
    draft.text = lambda text: text.replace("\n", "\r\n")


def old_mac(draft: Draft) -> None:
    draft.text = lambda text: text.replace("\n", "\r")


def mark(draft: Draft) -> None:
    draft.text = lambda text: "\ufeff" + text


def in_quote(draft: Draft) -> None:
    draft.text = lambda text: "".join(f"> {line}" for line in text.splitlines(keepends=True))


def odd_value(draft: Draft) -> None:
    key = draft.rng.choice([line.partition(":")[0] for line in draft.fields])
    odd = [*ODD_WORDS, "complete", "done"]
    for part, values in {
        "hash": ODD_HASHES,
        "revision": ODD_HASHES,
        "command": ODD_WORDS,
        "code": [*ODD_NUMBERS, "0", "1", "125"],
        "requirements": ODD_RATIOS,
        "scenarios": ODD_RATIOS,
        "verdict": ODD_VERDICTS,
        "blockers": ODD_NUMBERS,
        "findings": ODD_NUMBERS,
        "generation": ODD_NUMBERS,
        "batch": ODD_NUMBERS,
        "lineage": ["Cache-1", "cache_1", "a--b", "x" * 129, "cache-1 "],
        "schema": ["gentle-ai.verify-result/v2", "gentle-ai/verify-result", "v1"],
    }.items():
        if part in key:
            odd = values
    draft.set(key, draft.rng.choice(odd))


# To verify results


def something_before(draft: Draft) -> None:
    odd = [["# Report", ""], ["---", "a: b", "---"], ["<!-- x -->"], ["\u200b"], [""], ["\f"], ["\u3000", ""], ["\tx"]]
    draft.before = draft.rng.choice(odd)


def other_specs(draft: Draft) -> None:
    draft.files = {f"{CHANGE}/specs/a/spec.md": SPEC * draft.rng.randint(1, 3), f"{CHANGE}/spec.md": SPEC}


def second_envelope(draft: Draft) -> None:
    other = verify_draft(draft.rng).envelope()
    if draft.rng.random() < 0.5:
        draft.after = "\n" + other + draft.after
    else:
        draft.before = [*other.splitlines(), ""]


# To remediations


def parts_of(draft: Draft) -> list[dict[str, Any]]:
    data = draft.evidence
    if not isinstance(data, dict):
        return []
    parts = [data, *data.get("commands", []), data.get("runtime_harness"), data.get("rollback")]
    return [part for part in parts if isinstance(part, dict) and part]


def evidence_drop(draft: Draft) -> None:
    for part in draft.rng.sample(parts_of(draft), k=min(1, len(parts_of(draft)))):
        part.pop(draft.rng.choice(list(part)))


def evidence_rename(draft: Draft) -> None:
    for part in draft.rng.sample(parts_of(draft), k=min(1, len(parts_of(draft)))):
        key = draft.rng.choice(list(part))
        camel = key.partition("_")[0] + key.partition("_")[2].title().replace("_", "")
        part[draft.rng.choice([key.upper(), key.title(), camel, key + "s"])] = part.pop(key)


def evidence_value(draft: Draft) -> None:
    odd: list[Any] = [None, "", "none", "<x>", 0, 1, 1.5, True, "1", [], {}, "because", "passed", "not_applicable", " "]
    for part in draft.rng.sample(parts_of(draft), k=min(1, len(parts_of(draft)))):
        key = draft.rng.choice(list(part))
        if not isinstance(part[key], (dict, list)):
            part[key] = draft.rng.choice(odd)


def evidence_unknown(draft: Draft) -> None:
    for part in draft.rng.sample(parts_of(draft), k=min(1, len(parts_of(draft)))):
        part["notes"] = "see below"


def evidence_broken(draft: Draft) -> None:
    if isinstance(draft.evidence, dict):
        text = json.dumps(draft.evidence, indent=draft.rng.choice([None, 2]))
        swaps = [("}", ",}"), ('"', "'"), ("{", "{ // x\n"), (": 0", ": 00"), (": 0", ": NaN"), ("}", "")]
        draft.evidence = text.replace(*draft.rng.choice(swaps), 1)


def evidence_fence(draft: Draft) -> None:
    draft.evidence_opening = draft.rng.choice(
        ["```json ", "  ```json", "```JSON", "```", "````json", "```jsonc", "~~~json"]
    )
    draft.evidence_closing = draft.rng.choice(["```", "  ```", "``` ", "````", "```\t"])


def no_evidence(draft: Draft) -> None:
    draft.evidence = None


def text_between(draft: Draft) -> None:
    draft.between = [draft.rng.choice(["", "\t", "\u3000", "The evidence:", "---", "<!-- x -->", "## Evidence"])]


def text_after(draft: Draft) -> None:
    other = remediation_draft(draft.rng)
    choices = ["\n\n", "\nDone.\n", "\n---\n", "\n```text\nlog\n```\n", "\n```text\nlog\n", "</content>\n", " \t\n"]
    draft.after = draft.rng.choice([*choices, "\n" + other.envelope(), "\n" + other.build()])


def history(draft: Draft) -> None:
    other = remediation_draft(draft.rng)
    draft.rng.choice([drop_field, odd_value, no_evidence, garbage, unknown_field])(other)
    draft.before = [*draft.before, *other.build().splitlines(), "", "Next attempt.", ""]


def same_before(draft: Draft) -> None:
    first = draft.envelope()
    if draft.rng.random() < 0.3:
        first = first.replace("failed_evidence_revision", "failed_verify_revision")
    if draft.rng.random() < 0.3:
        fields = dict(line.split(": ", 1) for line in draft.fields if ": " in line)
        first = "```json\n" + json.dumps(fields) + "\n```\n"
    if draft.rng.random() < 0.3:
        first = "".join(f"> {line}\n" for line in first.splitlines())
    draft.before = [*draft.before, *first.splitlines(), ""]


BOTH = [drop_field, repeat_field, shuffle, garbage, decorate, respell, space, quote_value, empty_value, unknown_field]
BOTH += [
    blank_lines,
    other_tag,
    other_end,
    indent,
    blanks_behind,
    windows,
    old_mac,
    mark,
    in_quote,
    odd_value,
    odd_value,
]
KINDS: dict[str, tuple[Callable[[random.Random], Draft], list[Callable[[Draft], None]]]] = {
    "verify": (verify_draft, [*BOTH, odd_value, odd_value, something_before, other_specs, second_envelope]),
    "remediation": (
        remediation_draft,
        [
            *BOTH,
            evidence_drop,
            evidence_rename,
            evidence_value,
            evidence_value,
            evidence_unknown,
            evidence_broken,
            evidence_fence,
            no_evidence,
            text_between,
            text_after,
            text_after,
            history,
            same_before,
        ],
    ),
}
PATHS = {"verify": f"{CHANGE}/verify-report.md", "remediation": f"{CHANGE}/apply-progress.md"}


def document(kind: str, seed: int) -> tuple[Draft, str, list[str]]:
    """A document with its changes: the draft, its text and the names of the changes."""
    rng = random.Random(f"{kind} {seed}")
    make, mutations = KINDS[kind]
    draft = make(rng)
    chosen = rng.sample(mutations, k=rng.choice([0, 1, 1, 2, 3]))
    for mutate in chosen:
        mutate(draft)
    return draft, draft.build(), [mutate.__name__ for mutate in chosen]
