"""What an agent's definition says that the agent owes: a handoff that its prompt shows or names as its own output."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from handoff_lsp.contracts.patterns import find_all, search
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.contracts.schemas import needs_of_contracts
from handoff_lsp.recognition.prescan import possible_contracts
from handoff_lsp.workspace.agents.definitions import Definition
from handoff_lsp.workspace.agents.wording import coordinates, denies, leads_to_own, names_own, sentences

_WRITES = re.compile(
    r"\b(?:write|writes|save|create|persist|store|append|escribe|guarda|salva|grava|schreib\w*|speicher\w*|écris|"
    r"enregistre)\b[^.\n]{0,80}?[\s(`\"'](?P<path>[\w.{}<>$*~-]*/[\w./{}<>$*-]*\.(?:md|markdown|json|jsonl|ya?ml|log))\b"
    r"|[`「](?P<ja>[\w.{}<>$*-]*/[\w./{}<>$*-]*\.(?:md|json|ya?ml))[`」]?[^。\n]{0,20}(?:書き|保存|作成|出力)",
    re.IGNORECASE,
)
if TYPE_CHECKING:
    from handoff_lsp.workspace.agents.shown import Prompt

_PLACEHOLDER = re.compile(r"\{[^{}/]*\}|<[^<>/]*>|\$\w+|YYYY-MM-DD|\bN{2,}\b")
_OF_HANDOFF = re.compile(r"hand-?off|status|report|result|return", re.IGNORECASE)


class Said(NamedTuple):
    """A statement of a definition: the agent owes a handoff of a contract.

    ``profile`` is that of the block which is shown, empty if that has no evidence of one. ``files``: globs of the file
    that it writes, ``only_file`` if it is to be there and not in the final message. ``line`` is 1-based, in the file
    ``path``.
    """

    contract: str
    profile: str
    files: tuple[str, ...]
    only_file: bool
    path: str
    line: int

    @property
    def place(self) -> str:
        """The place of the statement, in words."""
        return f"`{self.path}`, line {self.line}"


def what_it_says(definition: Definition, registry: Registry) -> tuple[Said, ...]:
    """The statements of a definition, the first one of each contract and profile, in the order of the text."""
    if coordinates(definition.agent, definition.prompt) or not _may_say(definition.prompt, registry):
        return ()
    from handoff_lsp.workspace.agents.shown import Prompt  # the engine, only for a prompt that may say something

    prompt = Prompt(definition.prompt, registry)
    found = sorted([*_shown(prompt), *_named(prompt, registry)], key=lambda one: one[1])
    elsewhere = tuple(dict.fromkeys(path for path in _paths(definition.prompt) if _OF_HANDOFF.search(path)))
    said: dict[tuple[str, str], Said] = {}
    for contract, offset, profile, files in found:
        entry = registry[contract]
        places = tuple(f"**/{place}" for place in entry.data.get("locations") or ()) or files
        line = definition.line + definition.prompt.count("\n", 0, offset)
        told = Said(contract, profile, places or elsewhere, bool(places), definition.prompt_path, line)
        said.setdefault((contract, profile), told)
    shown = {contract for contract, profile in said if profile}
    return tuple(one for (contract, profile), one in said.items() if profile or contract not in shown)


def may_write(definition: Definition) -> bool:
    """Whether a prompt names any file to write: cheap, for it is asked of each file that is checked."""
    return any(True for _ in _paths(definition.prompt))


def _may_say(prompt: str, registry: Registry) -> bool:
    """Whether a prompt may show or name a handoff: cheap, before the engine is loaded."""
    if any(entry.origin is not None for entry in registry):
        return True
    if possible_contracts(prompt, "", data_file=False, needs=needs_of_contracts()) != []:
        return True
    return any(search(called, prompt) for entry in registry if (called := _called(entry)))


def _called(entry: ContractEntry) -> str:
    """The pattern of the names of a contract's handoffs; empty without one."""
    return str(entry.data.get("called") or "") if entry.may_have("called") else ""


# A contract, the offset of the statement in the prompt, a profile or nothing, and the globs of the file.
_Found = tuple[str, int, str, tuple[str, ...]]


def _shown(prompt: Prompt) -> Iterator[_Found]:
    for block in prompt.blocks():
        if leads_to_own(block.lead, block.headings):
            yield block.contract, block.start, block.profile, _files(block.lead)


def _named(prompt: Prompt, registry: Registry) -> Iterator[_Found]:
    for entry in registry:
        called = _called(entry)
        for name in find_all(called, prompt.prose) if called else ():
            around = prompt.sentence(name.start, name.end)
            if names_own(around.before, around.after, around.headings) and not _denied(prompt, entry, around.section):
                yield entry.name, name.start, "", _files(around.before + around.after)


def _denied(prompt: Prompt, entry: ContractEntry, section: str) -> bool:
    """Whether a sentence of the same section says that the agent does not write it."""
    return any(denies(sentence) for sentence in sentences(section) for _ in find_all(_called(entry), sentence))


def _files(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_paths(text)))


def _paths(text: str) -> Iterator[str]:
    """The globs of the files that a text says to write, from the root; of a path elsewhere none."""
    for match in _WRITES.finditer(text):
        path = (match["path"] or match["ja"]).removeprefix("./")
        glob = _PLACEHOLDER.sub("*", path)
        if not glob.startswith(("/", "~", "..")) and "/../" not in glob:
            yield f"**/{glob.removeprefix('*/')}" if glob.startswith("*/") else glob
