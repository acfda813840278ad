"""The text of the config that ``init`` writes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from handoff_lsp.cli.config.found import FoundHandoffs
from handoff_lsp.rules.pages import SITE

# The schema of a config, for completion in editors that know the comment `#:schema`.
SCHEMA = f"{SITE}/schemas/config.schema.json"
# The most places and profiles of a contract to list.
_MOST = 3


def config_text(found: FoundHandoffs, profiles: Mapping[str, str], extend: str) -> str:
    """A config for the folder: ``profiles`` by contract, and the config that it extends, empty for none."""
    return "\n".join(_lines(found, profiles, extend)) + "\n"


def _lines(found: FoundHandoffs, profiles: Mapping[str, str], extend: str) -> Iterator[str]:
    yield f"#:schema {SCHEMA}"
    yield "# The config of handoff-lsp for this folder. `handoff-lsp config show FILE` shows its effect on a file."
    yield from _places(found)
    if extend:
        yield from [
            "",
            "# The config that applied here before: its settings count below these.",
            f"extend = {_text(extend)}",
        ]
    yield from ["", "# Files and folders to leave out. Named files are still checked, unless --force-exclude is given."]
    common = found.archives.most_common(_MOST)
    note = ", ".join(f"{count:,} in {name}" for name, count in common)
    archives = [name for name, _ in common] or ["archive"]
    yield f"# exclude = [{', '.join(map(_text, archives))}]" + (f"  # handoffs: {note}" if note else "")
    yield from ["", "# Contracts that are none of yours: their handoffs get no findings."]
    yield f"# disable = [{_text(next(iter(sorted(found.places)), 'status-block'))}]"
    for contract, profile in sorted(profiles.items()):
        number = len(found.places[contract])
        yield from ["", f"[contracts.{contract}]"]
        yield f"profile = {_text(profile)}  # counts where a handoff shows no other; all {number:,} have it"
    yield from ["", "# Severities: error, warning, information, hint or off."]
    yield "# [rules]"
    yield f'# {_most_frequent(found)} = "warning"'
    yield from ["", "# Settings of some files, such as their contract or their mode (handoff, template or example)."]
    yield "# [[files]]"
    yield f"# pattern = {_text('docs/templates/**')}"
    yield '# mode = "template"'


def _places(found: FoundHandoffs) -> Iterator[str]:
    if not found.places:
        yield from ["#", "# No handoffs were found here yet."]
        return
    yield from ["#", "# Found here:"]
    for contract in sorted(found.places):
        patterns = found.patterns(contract).most_common()
        more = f" and {len(patterns) - _MOST} more folders" if len(patterns) > _MOST else ""
        where = ", ".join(_text(name) for name, _ in patterns[:_MOST])
        profiles = [name for name, _ in found.profiles[contract].most_common()]
        used = ", ".join(profiles[:_MOST]) + ", …" * (len(profiles) > _MOST)
        yield f"# - {contract} ({used}): {len(found.places[contract]):,} in {where}{more}"


def _most_frequent(found: FoundHandoffs) -> str:
    rules = [finding.rule for finding in found.findings]
    return max(sorted(set(rules)), key=rules.count, default="path-not-found")


def _text(text: str) -> str:
    """A text as TOML, on one line and in printable characters: a path may have any."""
    return json.dumps(text) if text.isascii() else json.dumps(text, ensure_ascii=not text.isprintable())
