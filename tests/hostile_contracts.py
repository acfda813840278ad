"""Contracts of up to 1 MB that would take long: each is read, or refused, in two seconds of CPU time at most."""

from __future__ import annotations

from collections.abc import Callable

_HEAD = """\
contract: slow
title: Slow
about: A contract that takes long.
status: status
unread: nobody reads it
default_profile: v1
"""
_PROFILES = "profiles:\n  v1: {about: The only version}\n"
_FORM = "section: {title: ^Report, holds: [status]}\n"
_STATUS = "fields:\n  status: {type: enum, values: [{value: open}, {value: done}]}\n"
_LAST = "  - {action: stop, reason: Somebody looks.}\n"


def _contract(
    *, profiles: str = _PROFILES, form: str = _FORM, fields: str = _STATUS, more: str = "", routes: str = ""
) -> str:
    return f"{_HEAD}{profiles}{form}{fields}{more}routing:\n{routes}{_LAST}"


def _lines(line: str, many: int) -> str:
    return "".join(line.replace("#", str(number)) for number in range(many))


def _list(item: str, many: int) -> str:
    return "[" + ", ".join(item.replace("#", str(number)) for number in range(many)) + "]"


def _values(many: int) -> str:
    return f"fields:\n  status: {{type: enum, values: {_list('{value: v#}', many)}}}\n"


def _check(line: str, many: int, at: str = "status") -> str:
    checks = f"  c#: {{rule: contradiction, at: {at}, message: Wrong, check: {line}}}\n"
    return "checks:\n" + _lines(checks, many)


_LITERALS = "".join(f"status == 'w{number}' || " for number in range(5_000)) + "false"
_WORDS = _list("'w#'", 5_000)

SLOW_CONTRACTS: dict[str, Callable[[], str]] = {
    "functions in a row": lambda: _contract(
        more=_check("\"'a#'" + """.replace('a','aa')""" * 25 + '.size() > 0"', 600)
    ),
    "values with arguments": lambda: _contract(
        fields="fields:\n  status: {type: enum, values: " + _list("'v# {a#} w {b#}'", 14_000) + "}\n"
    ),
    "unknown keys": lambda: _contract(more=_lines("key#: 1\n", 22_000)),
    "unknown keys of a field": lambda: _contract(fields=_STATUS + "  f:\n" + _lines("    key#: 1\n", 22_000)),
    "values that are no values": lambda: _contract(
        fields=f"fields:\n  status: {{type: enum, values: {_list('{v: #}', 16_000)}}}\n"
    ),
    "values that are numbers": lambda: _contract(
        fields=f"fields:\n  status: {{type: enum, values: {_list('#', 45_000)}}}\n"
    ),
    "values": lambda: _contract(fields=_values(14_000)),
    "values twice": lambda: _contract(fields=_values(8_000).replace("]}", f", {_list('{value: v#}', 8_000)[1:]}}}")),
    "values and wrong words": lambda: _contract(
        fields=_values(14_000),
        more=_check(f"'status in {_WORDS}'".replace("'w", "''w").replace("',", "'',").replace("']", "'']"), 1),
    ),
    "values and wrong comparisons": lambda: _contract(fields=_values(14_000), more=_check(f'"{_LITERALS}"', 1)),
    "values and many conditions": lambda: _contract(fields=_values(10_000), more=_check("\"status == 'w#'\"", 1_800)),
    "transitions": lambda: _contract(
        fields=_values(14_000),
        more="transitions:\n  of: status\n  by: status\n  allowed:\n" + _lines("    v#: []\n", 3_000),
    ),
    "transitions of none": lambda: _contract(
        more="transitions:\n  of: status\n  by: status\n  allowed:\n" + _lines("    w#: []\n", 22_000)
    ),
    "transitions to none": lambda: _contract(
        fields=_values(8_000), more=f"transitions: {{of: status, by: status, allowed: {{v1: {_list('w#', 22_000)}}}}}\n"
    ),
    "fields": lambda: _contract(fields=_STATUS + _lines("  f#: {type: line}\n", 10_000)),
    "fields of one title": lambda: _contract(fields=_STATUS + _lines("  f#: {type: line, title: T}\n", 1_900)),
    "checks": lambda: _contract(more=_check("'true'", 4_500)),
    "checks of no rule": lambda: _contract(more=_check("'true'", 1_900).replace("contradiction", "contradicton")),
    "checks of unknown names": lambda: _contract(
        fields=_STATUS + _lines("  f#: {type: line}\n", 1_000), more=_check("g# == ''", 900, "g#")
    ),
    "messages": lambda: _contract(
        more="checks:\n"
        + _lines("  c#: {rule: contradiction, at: status, message: '" + "{status}" * 200 + "', check: 'true'}\n", 500)
    ),
    "messages of many parts": lambda: _contract(
        more="checks:\n  c: {rule: contradiction, at: status, message: '"
        + "".join(f"{{status + ''{n}''}}" for n in range(40_000))
        + "', check: 'true'}\n"
    ),
    "routes": lambda: _contract(
        routes=_lines("  - {when: \"status == 'open' && #==#\", action: ask, reason: It asks.}\n", 6_500)
    ),
    "routes of one condition": lambda: _contract(
        routes=_lines("  - {when: \"status == 'open'\", action: ask, reason: It asks.}\n", 6_500)
    ),
    "routes of unknown names": lambda: _contract(
        routes=_lines("  - {when: \"stat# == 'open'\", action: ask, reason: It asks.}\n", 6_500)
    ),
    "reads": lambda: _contract(more=f"reads: {_list('f#', 45_000)}\n"),
    "reads and fields": lambda: _contract(
        fields=_STATUS + _lines("  field_of_many_#: {type: line}\n", 1_900),
        more=f"reads: {_list('field_of_mane_#', 38_000)}\n",
    ),
    "signs": lambda: _contract(form=f"detect: {{signs: {_list('{weight: 1, has: f#}', 9_000)}}}\n"),
    "signs of patterns": lambda: _contract(form=f"detect: {{signs: {_list('{weight: 1, text: p#}', 9_000)}}}\n"),
    "bad patterns": lambda: _contract(form=f"detect: {{signs: {_list('{weight: 1, text: (#}', 9_000)}}}\n"),
    "keys of a fence": lambda: _contract(
        form=f"fence: {{tags: {{slow: own}}, holds: [{{some: {_list('f#.g.h', 45_000)}}}]}}\n"
    ),
    "groups": lambda: _contract(more="groups:\n" + _lines("  g#: [f#]\n", 7_000)),
    "companions": lambda: _contract(
        more="companions:\n" + _lines("  g#: {contract: status-blok, where: a.md}\n", 8_000)
    ),
    "companions that exist": lambda: _contract(
        more="companions:\n" + _lines("  g#: {contract: status-block, where: a.md}\n", 8_000)
    ),
    "counts": lambda: _contract(more="counts:\n" + _lines("  g#: {files: [a.md], pattern: a}\n", 6_500)),
    "definitions": lambda: _contract(more="definitions:\n" + _lines("  g#: {files: [a.md], written: [b]}\n", 6_000)),
    "settings": lambda: _contract(more="settings:\n" + _lines("  g#: {about: a, default: a}\n", 8_000)),
    "severities": lambda: _contract(
        fields=_STATUS
        + "    severity:\n".replace("    ", "  s: {type: line, severity: {", 1)[:0]
        + "  s:\n    severity:\n"
        + _lines("      r#: error\n", 22_000)
    ),
    "profiles": lambda: _contract(profiles="profiles:\n" + _lines("  v#: {about: One}\n", 11_000)),
    "profiles and fields": lambda: _contract(
        profiles="profiles:\n" + _lines("  v#: {about: One}\n", 30),
        fields=_STATUS + _lines("  f#: {type: line}\n", 160),
    ),
    "profiles and values": lambda: _contract(
        profiles="profiles:\n" + _lines("  v#: {about: One}\n", 200), fields=_values(14_000)
    ),
    "profiles and routes": lambda: _contract(
        profiles="profiles:\n" + _lines("  v#: {about: One}\n", 200),
        routes=_lines("  - {when: \"status == 'open' && #==#\", action: ask, reason: It asks.}\n", 5_000),
    ),
    "profiles and reads": lambda: _contract(
        profiles="profiles:\n" + _lines("  v#: {about: One}\n", 200), more=f"reads: {_list('f#', 40_000)}\n"
    ),
    "profiles that remove": lambda: _contract(
        profiles=f"profiles:\n  v1:\n    fields:\n{_lines('      f#: null', 0)}" + _lines("      f#: null\n", 22_000)
    ),
    "profiles that add": lambda: _contract(
        profiles="profiles:\n  v1:\n    fields:\n" + _lines("      f#: {}\n", 22_000)
    ),
    "profiles that rename": lambda: _contract(
        profiles="profiles:\n  v1:\n    fields:\n" + _lines("      f#: null\n      g#: {type: line}\n", 1_900),
        fields=_STATUS + _lines("  f#: {type: line}\n", 1_900),
    ),
    "evidence": lambda: _contract(profiles=f"profiles:\n  v1:\n    evidence: {_list('{has: f#}', 15_000)}\n"),
    "words": lambda: _contract(
        fields=f"fields:\n  status: {{type: enum, values: [{{value: open, instead_of: {_list('w#', 45_000)}}}]}}\n"
    ),
    "words and reasons": lambda: _contract(
        fields="fields:\n  status:\n    type: enum\n    values:\n      - value: open\n"
        f"        instead_of: {_list('w#', 15_000)}\n        because:\n" + _lines("          x#: y\n", 15_000)
    ),
    "offers": lambda: _contract(fields=_values(8_000).replace("]}", f"], offers: {_list('w#', 20_000)}}}")),
    "defaults": lambda: _contract(
        fields=_STATUS + _lines("  f#: {type: line}\n", 1_900),
        more=f"defaults: {{line: {{aliases: {_list('a#', 30_000)}}}}}\n",
    ),
    "values of a definition": lambda: _contract(
        fields=_STATUS + _lines("  f#: {type: enum, names: kinds, values: [own]}\n", 1_900),
        more=f"definitions: {{kinds: {{values: {_list('v#', 30_000)}}}}}\n",
    ),
    "profiles and values of a definition": lambda: _contract(
        profiles="profiles:\n" + _lines("  v#: {fields: {f: {values: [own]}}}\n", 190),
        fields=_STATUS + "  f: {type: enum, names: kinds, values: [other]}\n",
        more=f"definitions: {{kinds: {{values: {_list('v#', 30_000)}}}}}\nprofile_in: f\n",
    ),
    "replaced values": lambda: _contract(
        fields=f"fields:\n  status: {{type: enum, values: {_list('{value: v#, replaced_by: w#}', 9_000)}}}\n"
    ),
    "replaced titles": lambda: _contract(fields=_STATUS + _lines("  f#: {type: line, replaced_by: t#}\n", 1_900)),
    "aliases": lambda: _contract(fields=f"{_STATUS}  f: {{type: line, aliases: {_list('a#', 45_000)}}}\n"),
    "titles and aliases": lambda: _contract(
        fields=f"{_STATUS}  f: {{type: line, aliases: {_list('a#', 40_000)}}}\n"
        + _lines("  f#: {type: line, replaced_by: t#}\n", 1_000)
    ),
    "terms": lambda: _contract(more="terms:\n" + _lines("  t#: \"status == 'open'\"\n", 1_900)),
    "terms as data": lambda: _contract(more="terms:\n" + _lines("  t#: {status: open}\n", 1_900)),
    "values of a condition": lambda: _contract(more=f"terms:\n  t: {{status: {_list('w#', 40_000)}}}\n"),
    "paths of a condition": lambda: _contract(more="terms:\n  t:\n" + _lines("    p#: 1\n", 20_000)),
    "numbers of a sum": lambda: _contract(more=f"checks:\n  c: {{at: status, sum_of: {_list('status.a#', 40_000)}}}\n"),
    "terms of terms": lambda: _contract(
        more="terms:\n  t0: 'true'\n" + "".join(f"  t{n}: t{n - 1} || t{n - 1}\n" for n in range(1, 1_900))
    ),
    "terms that choose": lambda: _contract(
        more="terms:\n  t0: status\n" + "".join(f'  t{n}: "true ? t{n - 1} : t{n - 1}"\n' for n in range(1, 1_900))
    ),
    "a long condition": lambda: _contract(more=_check('"' + "status == 'open' || " * 45_000 + 'false"', 1)),
    "a long sum": lambda: _contract(more=_check('"' + "1 + " * 200_000 + '1 == 1"', 1)),
    "a long list": lambda: _contract(more=_check(f'"status in {_list(chr(39) + "w#" + chr(39), 90_000)}"', 1)),
    "deep brackets": lambda: _contract(more=_check('"' + "(" * 400_000 + ")" * 400_000 + '"', 1)),
    "deep calls": lambda: _contract(more=_check('"' + "!" * 900_000 + 'true"', 1)),
    "deep members": lambda: _contract(more=_check('"status' + ".a" * 400_000 + '"', 1)),
    "deep loops": lambda: _contract(more=_check('"' + "[1].all(x, " * 60 + "true" + ")" * 60 + '"', 1_000)),
    "a path of many steps": lambda: _contract(more=_check("'true'", 1, "status" + ".a" * 450_000)),
    "a path of many brackets": lambda: _contract(more=_check("'true'", 1, "'status" + "[]" * 450_000 + "'")),
    "a path of many lines": lambda: _contract(more=_check("'true'", 1, "'status" + "[{1}]" * 150_000 + "'")),
    "a long rule": lambda: _contract(more=_check("'true'", 1).replace("contradiction", "c" * 900_000)),
    "long names": lambda: _contract(more="reads: [" + "f" * 450_000 + ", " + "g" * 450_000 + "]\n"),
    "long names of fields": lambda: _contract(
        fields=_STATUS + "".join(f"  {'f' * 800}{n}: {{type: line}}\n" for n in range(500)),
        more="reads: [" + ", ".join("f" * 800 + f"_{n}" for n in range(500)) + "]\n",
    ),
    "a long marker": lambda: _contract(
        more="checks:\n  c: {rule: contradiction, at: status, message: '" + "}" * 900_000 + "', check: 'true'}\n"
    ),
    "a missing key each": lambda: _contract(more="checks:\n" + _lines("  c#: {rule: contradiction}\n", 11_000)),
    "keys twice": lambda: _contract(more="checks:\n" + "  c: {}\n" * 22_000),
    "anchors": lambda: _contract(
        fields="fields:\n  status: &a {type: enum, values: [{value: open}]}\n" + _lines("  f#: *a\n", 8_000)
    ),
    "nested fields": lambda: _contract(
        fields=_STATUS + "  f0: " + "{type: object, fields: {f: " * 45 + "{}" + "}}" * 45 + "\n"
    ),
    "nested names": lambda: _contract(
        fields=_STATUS
        + "".join(f"  f{n}: " + "{type: object, fields: {f: " * 40 + "{}" + "}}" * 40 + "\n" for n in range(47)),
        more=f"reads: {_list('f1.f.f.f.f.f.f.f.f.f.f.g#', 30_000)}\n",
    ),
    "comments": lambda: _contract() + "# x\n" * 240_000,
    "blank lines": lambda: _contract() + "\n" * 990_000,
    "prose": lambda: _contract(more="prose:\n" + _lines("  p#: {about: x, detect: {signs: [{weight: 1}]}}\n", 4_500)),
    "unwanted": lambda: _contract(
        fields=f"{_STATUS}  f: {{type: any, unwanted: {_list('{about: x, key: k#}', 9_000)}}}\n"
    ),
    "absent when": lambda: _contract(fields=f"{_STATUS}  f: {{type: any, absent_when: {_list('[1]', 24_000)}}}\n"),
    "quotations": lambda: _contract(more=f"quotations: {_list('{above: a#}', 15_000)}\n"),
    "mentions": lambda: _contract(fields=f"{_STATUS}  f: {{type: text, mentions: {_list('m#', 45_000)}}}\n"),
    "globs": lambda: _contract(more=f"usual: {_list('a#', 45_000)}\n"),
    "related": lambda: _contract(more=_check(f"'true', related: {_list('f#', 45_000)}", 1)),
    "related companions": lambda: _contract(
        more="companions: {log: {contract: activity-log, where: a.log}}\n"
        + _check(f"'true', related: {_list(chr(39) + 'log:f#' + chr(39), 45_000)}", 1)
    ),
    "lists of sections": lambda: _contract(fields=_STATUS + _lines("  f#: {type: list, each: '^P#'}\n", 22_000)),
    "sections in sections": lambda: _contract(
        fields=_STATUS + "  f: " + "{type: list, each: '^P', items: {fields: {f: " * 22 + "{}" + "}}}" * 22 + "\n"
    ),
    "lists below lists": lambda: _contract(
        fields=_STATUS
        + "".join(
            f"  f{n}: "
            + "{type: list, items: {type: pattern, pattern: 'a', fields: {f: " * 20
            + "{}"
            + "}}}" * 20
            + "\n"
            for n in range(600)
        )
    ),
    "upstream": lambda: _contract(
        more=_check(f"'true', upstream: {_list(chr(39) + '{status}#' + chr(39), 45_000)}", 1)
    ),
}
