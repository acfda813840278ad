"""What the run of a cell must show. Each function is true if the feature is there."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from benchmarks.peers.run import Ran

Holds = Callable[[Ran], bool]
ESCAPE = "\x1b["


def as_json(text: str) -> Any:
    """The first JSON value of a text, or None; a tool may print other lines around it."""
    for start in re.finditer(r"^[\[{]", text, re.MULTILINE):
        try:
            return json.JSONDecoder().raw_decode(text[start.start() :])[0]
        except ValueError:
            continue
    return None


def _bad(ran: Ran) -> str:
    return ran.tool.words["bad"]


def is_json(ran: Ran) -> bool:
    value = as_json(ran.out)
    return value is not None and _bad(ran) in json.dumps(value)


def is_jsonl(ran: Ran) -> bool:
    try:
        values = [json.loads(line) for line in ran.out.splitlines() if line.strip()]
    except ValueError:
        return False
    return bool(values) and all(isinstance(value, dict) for value in values) and _bad(ran) in ran.out and '"' in ran.out


def is_sarif(ran: Ran) -> bool:
    value = as_json(ran.out)
    results = value["runs"][0]["results"] if isinstance(value, dict) and value.get("version") == "2.1.0" else []
    return bool(results) and _bad(ran) in json.dumps(results)


def is_gitlab(ran: Ran) -> bool:
    value = as_json(ran.out)
    return isinstance(value, list) and bool(value) and all("fingerprint" in one and "location" in one for one in value)


def is_rdjson(ran: Ran) -> bool:
    value = as_json(ran.out)
    return isinstance(value, dict) and bool(value.get("diagnostics")) and "location" in value["diagnostics"][0]


def is_junit(ran: Ran) -> bool:
    start = ran.out.find("<?xml")
    try:
        root = ElementTree.fromstring(ran.out[max(start, 0) :].strip())
    except ElementTree.ParseError:
        return False
    return root.tag in ("testsuites", "testsuite") and root.find(".//failure") is not None


def lines(pattern: str) -> Holds:
    """True if a line of the output matches."""
    return lambda ran: re.search(pattern, ran.out + ran.err, re.MULTILINE) is not None


def codes(*wanted: str) -> Holds:
    """True if the script printed these words in this order, each `exit CODE`, where `!` is a code of its own: neither
    0 nor that of findings."""

    def holds(ran: Ran) -> bool:
        printed = re.findall(r"^exit (\d+)$", ran.out, re.MULTILINE)
        if len(printed) != len(wanted):
            return False
        return all(
            (code not in ("0", "1")) if want == "!" else code == want
            for code, want in zip(printed, wanted, strict=True)
        )

    return holds


def first_not_second(ran: Ran) -> bool:
    """The first rule is in the output, the second is not."""
    text = ran.out + ran.err
    return ran.tool.rules[0] in text and ran.tool.rules[1] not in text


def refused(ran: Ran) -> bool:
    """True if the tool refused an argument, or treated it as the name of a file that is not there."""
    signs = (
        r"unexpected argument|unrecognized subcommand|unrecognized arguments|[Nn]o such option|invalid choice"
        r"|invalid value|Invalid value for|Validation root not found|command not found"
    )
    return re.search(signs, ran.err) is not None or re.search(r"^Linting: 0 file", ran.out, re.MULTILINE) is not None


def all_of(*holds: Holds) -> Holds:
    return lambda ran: all(one(ran) for one in holds)


def no(holds: Holds) -> Holds:
    return lambda ran: not holds(ran)


def before_after(marker: str, before: Holds, after: Holds) -> Holds:
    """The output before the line `marker` and that after it."""

    def holds(ran: Ran) -> bool:
        head, _, tail = ran.out.partition(f"{marker}\n")
        return before(Ran(ran.code, head, "", ran.files, ran.tool)) and after(
            Ran(ran.code, tail, "", ran.files, ran.tool)
        )

    return holds


def severity_of(ran: Ran, name: str) -> str:
    """The severity of the first rule in a file that the script wrote: of JSON the key, of text the word. "" if none."""
    text, rule = ran.files.get(name, ""), ran.tool.rules[0]
    value = as_json(text)
    for one in _objects(value):
        if rule in (one.get("rule"), one.get("code")):
            return str(one.get("severity", one.get("level", "")))
    found = re.search(rf"(error|warning) {rule}", text)
    return found[1] if found else ""


def _objects(value: Any) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        return [value, *(one for inner in value.values() for one in _objects(inner))]
    return [one for inner in value for one in _objects(inner)] if isinstance(value, list) else []
