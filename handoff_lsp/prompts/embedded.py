"""Prompts inside the definitions of agents in TOML, JSON and YAML, with the place of each of their characters.

What cannot be read is left alone: a string without an end, an unknown key, a prompt in a file of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from handoff_lsp.contracts.owed import agent_name
from handoff_lsp.syntax.json.parse import parse_json
from handoff_lsp.syntax.json.tree import JsonNode
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

_EMBEDS = lazy_pattern(
    r"(?i)(?:^|/)(?:\.codex/agents/[^\n]*\.toml|opencode\.jsonc?|\.kiro/agents/[^\n]*\.json"
    r"|(?:agents?|prompts|commands)/[^\n]*\.ya?ml)$"
)
_KEYS = "prompt|instructions|developer_instructions|system_prompt"
_TOML = lazy_pattern(
    r"(?m)^[ \t]*developer_instructions[ \t]*=[ \t]*(?:"
    r'"""(?:\r?\n)?(?P<basics>(?:[^\\"]|\\[\s\S]|"(?!""))*)"""'
    r"|'''(?:\r?\n)?(?P<literals>(?:[^']|'(?!''))*)'''"
    r'|"(?P<basic>(?:[^"\\\r\n]|\\[^\r\n])*)"'
    r"|'(?P<literal>[^'\r\n]*)')"
)
_TOML_NAME = lazy_pattern(r"(?m)^[ \t]*name[ \t]*=[ \t]*[\"']([^\"'\r\n]*)[\"']")
# A block of YAML: literal, or folded, which is the same for Markdown.
_BLOCK = lazy_pattern(
    rf"(?m)^(?P<indent>[ ]*)(?P<dash>-[ ]+)?[\"']?(?:{_KEYS})[\"']?[ ]*:[ ]*[|>][-+]?[ ]*(?:#[^\r\n]*)?\r?$"
)
_LINE = lazy_pattern(r"[^\n]*\n?")
_YAML_KEY = lazy_pattern(r"(?P<indent>[ ]*)(?P<dash>-[ ]+)?(?P<key>[\w.-]+)[ ]*:[ ]*(?P<value>[^\r\n#]*)")
_ESCAPE = lazy_pattern(
    r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|[ \t]*\r?\n\s*|[\s\S])|[\s\S]"
)


class Embedded(NamedTuple):
    """A prompt in another text. ``agent``: the agent's name, as it is compared; empty if it has none.

    ``places``: the offset of each character in the outer text, and of what follows the last one.
    """

    agent: str
    text: str
    places: list[int]

    def outer(self, span: Span) -> Span:
        """A span of the prompt in the outer text."""
        return Span(self.places[span.start], self.places[span.end])


def embeds(path: str) -> bool:
    """Whether a file may define agents with prompts in its data, by its path from the root, with ``/``."""
    return _EMBEDS.search(path) is not None


def embedded(path: str, text: str) -> list[Embedded]:
    """The prompts in a file, in order."""
    lower = path.lower()
    if lower.endswith(".toml"):
        return list(_in_toml(path, text))
    return list(_in_yaml(path, text) if lower.endswith((".yaml", ".yml")) else _in_json(path, text))


def _in_toml(path: str, text: str) -> Iterator[Embedded]:
    found = _TOML.search(text)
    if found is None:
        return
    kind = next(kind for kind in ("basics", "literals", "basic", "literal") if found[kind] is not None)
    named = _TOML_NAME.search(text)
    name = agent_name(named[1] if named is not None else path)
    start, end = found.span(kind)
    yield _unescaped(name, text, start, end) if kind.startswith("basic") else _plain(name, text, [(start, end)])


def _in_json(path: str, text: str) -> Iterator[Embedded]:
    root = parse_json(text).root
    if root is None:
        return
    agents = root.get("agent")
    if agents is not None:
        for member in agents.members:
            yield from _of_node(agent_name(str(member.key.value)), text, member.value)
    else:
        name = root.get("name")
        yield from _of_node(agent_name(str(name.value) if name is not None else path), text, root)


def _of_node(name: str, text: str, node: JsonNode | None) -> Iterator[Embedded]:
    prompt = node.get("prompt") if node is not None else None
    if prompt is None or prompt.kind != "string" or not prompt.closed or not isinstance(prompt.value, str):
        return
    made = _unescaped(name, text, prompt.start + 1, prompt.end - 1)
    if made.text == prompt.value:  # a broken escape is left alone
        yield made


def _in_yaml(path: str, text: str) -> Iterator[Embedded]:
    at = 0
    while (found := _BLOCK.search(text, at)) is not None:
        column = len(found["indent"]) + len(found["dash"] or "")
        lines, at = _block_lines(text, min(found.end() + 1, len(text)), column)
        if lines:
            yield _plain(_name_beside(path, text, found.start(), column), text, lines)


def _block_lines(text: str, at: int, column: int) -> tuple[list[tuple[int, int]], int]:
    """The lines of a block of YAML without their indentation, and the offset of its end."""
    lines: list[tuple[int, int]] = []
    indent = 0
    while at < len(text) and (match := _LINE.match(text, at)) is not None:
        line = match[0]
        own = len(line) - len(line.lstrip(" "))
        if line.strip():
            indent = indent or own
            if own <= column or own < indent:
                break
        lines.append((at + min(indent, own), match.end()))
        at = match.end()
    return lines, at


def _name_beside(path: str, text: str, at: int, column: int) -> str:
    """The name of the agent whose prompt is at an offset: a `name` beside it, else the key above, else the file's."""
    for line in reversed(text[:at].splitlines()):
        key = _YAML_KEY.match(line)
        if key is None:
            continue
        own = len(key["indent"]) + len(key["dash"] or "")
        if own == column and key["key"] == "name" and key["value"].strip():
            return agent_name(key["value"].strip().strip("\"'"))
        if own < column:
            return agent_name(key["key"]) if key["key"] != "agents" else ""
    return agent_name(path)


def _plain(name: str, text: str, spans: Iterable[tuple[int, int]]) -> Embedded:
    """A prompt in pieces, each of which is as it is written."""
    places = [place for start, end in spans for place in range(start, end)]
    return Embedded(name, "".join(map(text.__getitem__, places)), [*places, places[-1] + 1 if places else 0])


def _unescaped(name: str, text: str, start: int, end: int) -> Embedded:
    """A prompt in a string with escapes, of JSON or TOML."""
    parts, places = [], []
    for match in _ESCAPE.finditer(text, start, end):
        for char in _meant(match[0]):
            parts.append(char)
            places.append(match.start())
    return Embedded(name, "".join(parts), [*places, end])


def _meant(written: str) -> str:
    if len(written) == 1:
        return written
    if written[1:].isspace():  # the end of a line in TOML that does not count
        return ""
    if written[1] == "U":
        number = int(written[2:], 16) if len(written) == 10 else -1
        return chr(number) if 0 <= number < 0x110000 else "\ufffd"
    try:
        return str(json.loads(f'"{written}"'))
    except ValueError:
        return written
