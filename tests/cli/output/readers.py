"""Readers of every format as its consumers have them: from output to findings."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import unquote_to_bytes

from junitparser import Error, Failure, JUnitXml, TestCase, TestSuite


class Found(NamedTuple):
    """What a consumer gets: the place, the rule, the beginning of the words. None: not in the format."""

    path: str
    line: int
    column: int | None
    rule: str
    words: str


def read_json(text: str) -> list[Found]:
    return [_of_data(each) for each in json.loads(text)["findings"]]


def read_jsonl(text: str) -> list[Found]:
    lines = [json.loads(line) for line in text.splitlines()]
    assert lines[-1]["type"] == "summary"
    return [_of_data(each) for each in lines if each["type"] == "finding"]


def _of_data(each: dict[str, Any]) -> Found:
    start = each["range"]["start"]
    return Found(each["path"], start["line"], start["column"], each["rule"], each["message"])


def read_sarif(text: str) -> list[Found]:
    (run,) = json.loads(text)["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert run["columnKind"] == "unicodeCodePoints"
    found = []
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        (location,) = result["locations"]
        place, region = location["physicalLocation"]["artifactLocation"], location["physicalLocation"]["region"]
        assert place["uriBaseId"] in run["originalUriBaseIds"]
        path = os.fsdecode(unquote_to_bytes(place["uri"]))
        words = result["message"]["text"].split("\n")[0]
        found.append(Found(path, region["startLine"], region["startColumn"], result["ruleId"], words))
    return found


def workflow_command(line: str) -> tuple[str, dict[str, str], str]:
    """A workflow command as GitHub's runner reads it: name, properties, data."""
    line = line.lstrip()
    assert line.startswith("::")
    end = line.index("::", 2)
    name, _, given = line[2:end].partition(" ")
    properties = {}
    for each in given.strip().split(","):
        key, _, value = each.partition("=")
        for code, mark in (("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
            value = value.replace(code, mark)
        properties[key] = value
    data = line[end + 2 :]
    for code, mark in (("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        data = data.replace(code, mark)
    return name, properties, data


def read_github(text: str) -> list[Found]:
    found = []
    for line in _lines(text):
        name, place, data = workflow_command(line)
        assert name in {"error", "warning", "notice"}
        rule = re.fullmatch(r"handoff-lsp \((.*)\)", place["title"])
        assert rule is not None
        column = int(place["col"]) if "col" in place else None
        words = data.split("\n")[0].split(": ", 1)[1]
        found.append(Found(place["file"], int(place.get("line", 0)), column, rule[1], words))
    return found


def logging_command(line: str) -> tuple[dict[str, str], str]:
    """A logging command as the agent of Azure Pipelines reads it: properties, data."""
    start = line.index("##vso[")
    end = line.index("]", start)
    name, _, given = line[start + 6 : end].partition(" ")
    assert name == "task.logissue"
    properties = dict(each.split("=", 1) for each in given.split(";") if each)
    return {key: _azure(value) for key, value in properties.items()}, _azure(line[end + 1 :])


def _azure(text: str) -> str:
    for code, mark in (("%3B", ";"), ("%0D", "\r"), ("%0A", "\n"), ("%5D", "]"), ("%AZP25", "%")):
        text = text.replace(code, mark)
    return text


def read_azure(text: str) -> list[Found]:
    found = []
    for line in _lines(text):
        place, data = logging_command(line)
        assert place["type"] in {"error", "warning"}
        where = int(place.get("linenumber", 0)), int(place.get("columnnumber", 0))
        found.append(Found(place["sourcepath"], *where, place["code"], data.split("\n")[0]))
    return found


def read_gitlab(text: str) -> list[Found]:
    issues = json.loads(text)
    marks = [issue["fingerprint"] for issue in issues]
    assert len(set(marks)) == len(marks)
    found = []
    for issue in issues:
        place = issue["location"]
        begin = place["positions"]["begin"] if "positions" in place else {"line": place["lines"]["begin"], "column": 0}
        found.append(Found(place["path"], begin["line"], begin["column"], issue["check_name"], issue["description"]))
    return found


def read_junit(text: str) -> list[Found]:
    xml = JUnitXml.fromstring(text.encode())
    cases = [case for suite in xml for case in suite]
    assert all(isinstance(suite, TestSuite) for suite in xml)
    failed = [sum(isinstance(each, kind) for case in cases for each in case.result) for kind in (Failure, Error)]
    assert (xml.tests, xml.failures, xml.errors) == (len(cases), *failed)
    # GitLab shows only one of the cases of a suite with the same class and name.
    assert len({(case.classname, case.name) for case in cases}) == len(cases)
    return [_of_case(case) for case in cases if case.result or case.system_out]


def _of_case(case: TestCase) -> Found:
    attributes = case._elem.attrib
    words = case.system_out.split("\n")[1] if case.system_out else case.result[0].message
    # `invalid-value status`, or `warning: invalid-value status` in a case that passes
    rule = case.name.partition(": ")[2] if case.system_out else case.name
    return Found(attributes["file"], int(attributes["line"]), int(attributes["column"]), rule.split(" ")[0], words)


# The pattern of analysis-model, the library of Jenkins' Warnings plugin, for `--output-format=parseable`.
_JENKINS = re.compile(r"(?P<path>.*):(?P<line>\d+): \[(?P<category>\D\d*)\((?P<symbol>.*)\), .*?\] (?P<message>.*)")


def read_pylint(text: str) -> list[Found]:
    found = []
    for line in _lines(text):
        match = _JENKINS.fullmatch(line)
        assert match is not None, line
        assert match["category"] in "EWICF"
        found.append(Found(match["path"], int(match["line"]), None, match["symbol"], match["message"]))
    return found


def read_rdjson(text: str) -> list[Found]:
    """Columns are those of bytes."""
    found = []
    for each in json.loads(text)["diagnostics"]:
        start = each["location"].get("range", {}).get("start", {"line": 0, "column": 0})
        words = each["message"].split("\n")[0]
        found.append(Found(each["location"]["path"], start["line"], start["column"], each["code"]["value"], words))
    return found


def _lines(text: str) -> list[str]:
    """The lines of a log, each ended by a line feed."""
    return text.split("\n")[:-1]


READERS: dict[str, Callable[[str], list[Found]]] = {
    "json": read_json,
    "jsonl": read_jsonl,
    "sarif": read_sarif,
    "github": read_github,
    "azure": read_azure,
    "gitlab": read_gitlab,
    "junit": read_junit,
    "pylint": read_pylint,
    "rdjson": read_rdjson,
}
