"""A second reader of gentle-ai's machine results, our own code, as the reference for generated documents.

It gives the answers of upstream's parser, which are recorded for 800 documents beside this file, and shares nothing
with handoff-lsp. Sources: internal/sddstatus/verification.go, as of 2026-08-10.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

BLANKS = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
HASH = re.compile(r"sha256:[0-9a-f]{64}")
NOTHING = HASH.pattern.replace("[0-9a-f]{64}", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
LARGEST = 2**63 - 1

VERIFY = [
    "schema",
    "evidence_revision",
    "verdict",
    "blockers",
    "critical_findings",
    "requirements",
    "scenarios",
    "test_command",
    "test_exit_code",
    "test_output_hash",
    "build_command",
    "build_exit_code",
    "build_output_hash",
]
EXTENSION = {
    "authority_only_failure": "true",
    "missing_review_authority": "true",
    "substantive_failure": "false",
    "command_failed": "false",
    "observed_authority_revision": "",
}
REMEDIATION = [
    "schema",
    "status",
    "failed_evidence_revision",
    "lineage_id",
    "generation",
    "fix_batch",
    "focused_tests",
    "runtime_harness",
    "rollback_boundary",
]
EMPTY_WORDS = {
    "",
    *["n/a", "na", "none", "todo", "tbd", "pass", "passed", "success", "recorded", "placeholder"],
}


class Refused(Exception):
    """The reason why a document is refused."""


def number(text: str) -> int:
    if not re.fullmatch(r"[0-9]+", text, re.ASCII) or int(text) > LARGEST:
        raise Refused(f"no number: {text}")
    return int(text)


def ratio(text: str) -> tuple[int, int]:
    met, slash, total = text.partition("/")
    if not slash or number(met) > number(total):
        raise Refused(f"no ratio: {text}")
    return number(met), number(total)


def is_concrete(text: str) -> bool:
    text = text.strip(BLANKS)
    return text.lower() not in EMPTY_WORDS and not set(text) & set("{}<>")


def pairs(lines: Iterable[str], known: Iterable[str]) -> dict[str, str]:
    """The fields of an envelope, one per line."""
    known, found = set(known), {}
    for line in lines:
        if not line.strip(BLANKS):
            continue
        key, colon, value = (part.strip(BLANKS) for part in line.partition(":"))
        if not (colon and key and value) or key not in known or key in found:
            raise Refused(f"line: {line}")
        found[key] = value
    return found


# Verify results


def admit(text: str, specs: Mapping[str, str], folder: str) -> None:
    """Raises Refused unless a verify report is admitted beside the specs of its folder."""
    lines = text.replace("\r\n", "\n").strip(BLANKS).split("\n")
    ends = [at for at, line in enumerate(lines) if line.strip(BLANKS) == "```"]
    if lines[0].strip(BLANKS) != "```yaml" or not ends:
        raise Refused("no envelope")
    fields = pairs(lines[1 : ends[0]], [*VERIFY, *EXTENSION])
    extension = fields.keys() & EXTENSION.keys()
    if not set(VERIFY) <= fields.keys() or len(extension) not in {0, len(EXTENSION)}:
        raise Refused("missing")
    hashes = [fields[key] for key in ("evidence_revision", "test_output_hash", "build_output_hash")]
    hashes += [fields["observed_authority_revision"]] if extension else []
    if fields["schema"] != "gentle-ai.verify-result/v1" or not all(map(HASH.fullmatch, hashes)):
        raise Refused("schema or hash")
    if not is_concrete(fields["test_command"]) or not is_concrete(fields["build_command"]):
        raise Refused("command")
    blockers, critical = number(fields["blockers"]), number(fields["critical_findings"])
    codes = number(fields["test_exit_code"]), number(fields["build_exit_code"])
    requirements, scenarios = ratio(fields["requirements"]), ratio(fields["scenarios"])
    if fields["verdict"] not in {"pass", "pass_with_warnings", "fail"}:
        raise Refused("verdict")
    if extension:
        flags = all(fields[key] == value for key, value in EXTENSION.items() if value)
        empty = fields["test_output_hash"] == fields["build_output_hash"] == NOTHING
        if not (flags and empty and codes == (125, 125) and blockers and critical and fields["verdict"] == "fail"):
            raise Refused("extension")
    counts = spec_counts(specs, folder)
    if counts is not None and counts != (requirements[1], scenarios[1]):
        raise Refused("totals")
    full = requirements[0] == requirements[1] and scenarios[0] == scenarios[1]
    green = codes == (0, 0) and not blockers and not critical and full
    if not extension and (green == (fields["verdict"] == "fail") or (125 in codes and fields["verdict"] == "fail")):
        raise Refused("contradiction")


def spec_counts(specs: Mapping[str, str], folder: str) -> tuple[int, int] | None:
    below = [text for path, text in specs.items() if re.fullmatch(re.escape(folder) + r"/specs/(.*/)?spec\.md", path)]
    texts = below or [text for path, text in specs.items() if path == f"{folder}/spec.md"]
    if not texts:
        return None
    found = [sum(len(re.findall(pattern, text, re.M)) for text in texts) for pattern in SPEC_LINES]
    return found[0], found[1]


SPEC_LINES = (r"^### (?:Requirement|REQ-[0-9]+):\s+\S", r"^#### Scenario:\s+\S")


# Remediations


class Fence(NamedTuple):
    start: int
    end: int  # -1: open
    depth: int
    tag: str


def fences(lines: list[str]) -> list[Fence]:
    found: list[Fence] = []
    opened: tuple[int, int, str] | None = None
    for at, line in enumerate(lines):
        rest, depth = unquoted(line)
        if not rest.startswith("```"):
            continue
        tag = rest[3:]
        if opened is None:
            opened = at, depth, tag
        elif not tag and depth == opened[1]:
            found.append(Fence(opened[0], at, depth, opened[2]))
            opened = None
    return [*found, Fence(opened[0], -1, *opened[1:])] if opened else found


def unquoted(line: str) -> tuple[str, int]:
    depth = 0
    while (rest := line.lstrip(" \t")).startswith(">"):
        line, depth = rest[1:], depth + 1
    return rest.strip(BLANKS), depth


def complete(text: str) -> bool:
    """Whether upstream accepts a remediation of the document as complete, for the transaction that its result names."""
    lines = text.replace("\r\n", "\n").split("\n")
    all_fences = fences(lines)
    taken, last = None, -1
    for fence, evidence in pairwise(all_fences):
        if -1 in (fence.end, evidence.end) or fence.tag != "yaml" or evidence.tag != "json":
            continue
        if fence.depth or evidence.depth or "".join(lines[fence.end + 1 : evidence.start]).strip(BLANKS):
            continue
        try:
            taken, last = read_pair(lines, fence, evidence), evidence.end
        except (Refused, KeyError, TypeError, AttributeError):
            continue
    if taken is None or any(fence.end < 0 for fence in all_fences):
        return False
    claims = [claim(lines, fence) for fence in all_fences if fence.tag in {"yaml", "json"}]
    at = last + 1
    for fence in (fence for fence in all_fences if fence.start > last):
        if "".join(lines[at : fence.start]).strip(BLANKS) or holds_result(lines, fence):
            return False
        at = fence.end + 1
    return claims.count(taken) == 1 and not "".join(lines[at:]).strip(BLANKS)


Identity = tuple[str, str, int, int]


def read_pair(lines: list[str], fence: Fence, evidence: Fence) -> Identity:
    fields = pairs(lines[fence.start + 1 : fence.end], REMEDIATION)
    identity = (
        fields["failed_evidence_revision"],
        fields["lineage_id"],
        number(fields["generation"]),
        number(fields["fix_batch"]),
    )
    if not HASH.fullmatch(identity[0]) or not identity[2] or not identity[3]:
        raise Refused("identity")
    if len(identity[1]) > 128 or not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", identity[1]):
        raise Refused("lineage")
    wanted = {
        "schema": {"gentle-ai.remediation-result/v1"},
        "status": {"complete"},
        "focused_tests": {"passed"},
        "runtime_harness": {"passed", "not_applicable"},
        "rollback_boundary": {"recorded"},
    }
    if any(fields[key] not in values for key, values in wanted.items()):
        raise Refused("value")
    opening, closing = lines[evidence.start], lines[evidence.end]
    if opening.lstrip(BLANKS) != "```json" or not closing.startswith("```"):
        raise Refused("fence of the evidence")
    check_evidence("\n".join(lines[evidence.start + 1 : evidence.end]), identity, fields["runtime_harness"])
    return identity


SHAPE: dict[str, Any] = {
    "schema": str,
    "failed_evidence_revision": str,
    "lineage_id": str,
    "generation": int,
    "fix_batch": int,
    "commands": [{"command": str, "exit_code": int, "result": str}],
    "runtime_harness": {"status": str, "command": str, "result": str, "na_reason": str},
    "rollback": {"boundary": str, "evidence": str},
}


def check_evidence(text: str, identity: Identity, harness: str) -> None:
    try:
        data = fitted(json.loads(text, parse_constant=refuse, object_pairs_hook=list), SHAPE)
    except ValueError as error:
        raise Refused("JSON") from error
    named = tuple(data[key] for key in ("failed_evidence_revision", "lineage_id", "generation", "fix_batch"))
    commands, run, rollback = data["commands"], data["runtime_harness"], data["rollback"]
    if data["schema"] != "gentle-ai.remediation-evidence/v1" or named != identity or not commands:
        raise Refused("identity of the evidence")
    if any(
        each["exit_code"] or not is_concrete(each["command"]) or not is_concrete(each["result"]) for each in commands
    ):
        raise Refused("commands")
    reason = run["na_reason"].strip(BLANKS)
    if run["status"] != harness or not is_concrete(rollback["boundary"]) or not is_concrete(rollback["evidence"]):
        raise Refused("harness or rollback")
    if harness == "passed" and not (is_concrete(run["command"]) and is_concrete(run["result"]) and not reason):
        raise Refused("harness")
    told = len(reason.encode()) >= 20 and "because" in reason.lower() and is_concrete(reason)
    if harness != "passed" and (run["command"] or run["result"] or not told):
        raise Refused("reason")


def refuse(constant: str) -> Any:
    raise ValueError(constant)


def fitted(value: Any, shape: Any) -> Any:
    """A JSON value in the shape of a Go struct: names in any case, the last of two, zero where there is nothing."""
    if isinstance(shape, dict):
        found = {name: fitted(None, inner) for name, inner in shape.items()}
        for key, inner in value or ():
            name = key.casefold()
            if name not in shape:
                raise ValueError(key)
            found[name] = fitted(inner, shape[name])
        return found
    if isinstance(shape, list):
        if value is None:
            return []
        if not isinstance(value, list) or any(isinstance(item, tuple) for item in value):
            raise ValueError("no list")
        return [fitted(item, shape[0]) for item in value]
    if value is None:
        return shape()
    if type(value) is not shape:
        raise ValueError("type")
    return value


NAMES = {
    "failed_evidence_revision": ("failed_evidence_revision", "failed_verify_revision", "failedEvidenceRevision"),
    "lineage_id": ("lineage_id", "lineageId", "lineageID"),
    "generation": ("generation",),
    "fix_batch": ("fix_batch", "fixBatch"),
}


def claim(lines: list[str], fence: Fence) -> Identity | None:
    """The subject that a fence names, as it is read to count the fences with the same one."""
    inner = [unquoted(line)[0] for line in lines[fence.start + 1 : fence.end]]
    if fence.tag == "json":
        try:
            found = json.loads("\n".join(inner))
        except ValueError:
            return None
        fields = {key: str(value) for key, value in found.items()} if isinstance(found, dict) else {}
    else:
        cut = (line.partition(":") for line in inner if ":" in line)
        fields = {key.strip(BLANKS): value.strip(BLANKS) for key, _, value in cut}
    if fields.get("schema") != "gentle-ai.remediation-result/v1":
        return None
    said = [next((fields[key] for key in keys if fields.get(key)), "") for keys in NAMES.values()]
    numbers = [int(text) if re.fullmatch(r"[0-9]+", text, re.ASCII) else 0 for text in said[2:]]
    return said[0], said[1], numbers[0], numbers[1]


def holds_result(lines: list[str], fence: Fence) -> bool:
    """Whether a fence after the last pair is a result or evidence."""
    inner = [unquoted(line)[0] for line in lines[fence.start + 1 : fence.end]]
    said = {line[len("schema:") :].strip(BLANKS) for line in inner if line.startswith("schema:")}
    try:
        found = json.loads("\n".join(inner))
        said.add(str(found.get("schema")) if isinstance(found, dict) else "")
    except ValueError:
        pass
    return bool(said & {"gentle-ai.remediation-result/v1", "gentle-ai.remediation-evidence/v1"})
