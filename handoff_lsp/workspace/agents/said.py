"""What an agent's definition says that the agent owes: a handoff that its prompt shows or names as its own output."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from handoff_lsp.contracts.patterns import find_all, search
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.contracts.schemas import needs_of_contracts
from handoff_lsp.prompts.wording import coordinates, denies, leads_to_own, names_own, sentences
from handoff_lsp.recognition.prescan import possible_contracts
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.agents.definitions import AgentDefinition

_WRITES = lazy_pattern(
    r"\b(?:write|writes|save|create|persist|store|append|escribe|guarda|salva|grava|schreib\w*|speicher\w*|écris|"
    r"enregistre)\b[^.\n]{0,80}?[\s(`\"'](?P<path>[\w.{}<>$*~-]*/[\w./{}<>$*-]*\.(?:md|markdown|json|jsonl|ya?ml|log))\b"
    r"|[`「](?P<ja>[\w.{}<>$*-]*/[\w./{}<>$*-]*\.(?:md|json|ya?ml))[`」]?[^。\n]{0,20}(?:書き|保存|作成|出力)",
    re.IGNORECASE,
)
if TYPE_CHECKING:
    from handoff_lsp.workspace.agents.shown import Prompt

_PLACEHOLDER = lazy_pattern(r"\{[^{}/]*\}|<[^<>/]*>|\$\w+|YYYY-MM-DD|\bN{2,}\b")
# After the path of a file: the block is for the final message, and something else for the file, or for both.
_MESSAGE = lazy_pattern(
    r"\b(?:return\w*|repl(?:y|ies)|respon\w*|answer\w*|end|ends|finish\w*|emit\w*|output|message|devuel\w*|retorn\w*|"
    r"termin\w*|renvo\w*|antwort\w*|gib)\b|返|応答|回复|最终",
    re.IGNORECASE,
)
_LITERAL = lazy_pattern(r"[^\W\d_]")
# The fewest letters of a file's name that tell it from others.
_FEWEST_LETTERS = 3
_HANDOFF = lazy_pattern(r"hand-?off", re.IGNORECASE)
_OF_HANDOFF = lazy_pattern(r"hand-?off|status|report|result|return", re.IGNORECASE)


class Said(NamedTuple):
    """A statement of a definition: the agent owes a handoff of a contract.

    ``profile`` is that of the block which is shown, empty if that has no evidence of one. ``files``: globs of the file
    that it writes, ``only_file`` if it is to be in a file, perhaps an unknown one, and not in the final message.
    ``line`` is 1-based, in the file ``path``.
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


def what_it_says(definition: AgentDefinition, registry: Registry) -> tuple[Said, ...]:
    """The statements of a definition, the first one of each contract and profile, in the order of the text."""
    if coordinates(definition.agent, definition.prompt) or not _may_say(definition.prompt, registry):
        return ()
    from handoff_lsp.workspace.agents.shown import Prompt  # the engine, only for a prompt that may say something

    prompt = Prompt(definition.prompt, registry)
    found = sorted([*_shown(prompt), *_named(prompt, registry)], key=lambda one: one[1])
    elsewhere = tuple(path for path in _files(definition.prompt).globs if _HANDOFF.search(path))
    said: dict[tuple[str, str], Said] = {}
    for contract, offset, profile, files in found:
        entry = registry[contract]
        places = tuple(f"**/{place}" for place in entry.data.get("locations") or ())
        globs = places or files.globs
        line = definition.line + definition.prompt.count("\n", 0, offset)
        told = Said(contract, profile, globs or elsewhere, bool(places) or files.only, definition.prompt_path, line)
        said.setdefault((contract, profile), told)
    shown = {contract for contract, profile in said if profile}
    return tuple(one for (contract, profile), one in said.items() if profile or contract not in shown)


def may_write(definition: AgentDefinition) -> bool:
    """Whether a prompt names any file to write: cheap, for it is asked of each file that is checked."""
    return bool(_files(definition.prompt).globs)


def _may_say(prompt: str, registry: Registry) -> bool:
    """Whether a prompt may show or name a handoff: cheap, before the engine is loaded."""
    if any(entry.origin is not None for entry in registry):
        return True
    if possible_contracts(prompt, "", data_file=False, needs=needs_of_contracts()) != []:
        return True
    return any(search(called, prompt) for entry in registry if (called := _called(entry)))


def _called(entry: ContractEntry) -> str:
    """The pattern of the names of a contract's handoffs; empty without one."""
    return str(entry.part("called") or "")


# A contract, the offset of the statement in the prompt, a profile or nothing, and the files.
_FoundStatement = tuple[str, int, str, "_Files"]


class _Files(NamedTuple):
    """Whether a text says to write a file, and no message, and the globs of files that no other file matches."""

    only: bool
    globs: tuple[str, ...]


def _shown(prompt: Prompt) -> Iterator[_FoundStatement]:
    for block in prompt.blocks():
        if leads_to_own(block.lead, block.headings):
            yield block.contract, block.start, block.profile, _files(block.lead)


def _named(prompt: Prompt, registry: Registry) -> Iterator[_FoundStatement]:
    for entry in registry:
        called = _called(entry)
        for name in find_all(called, prompt.prose) if called else ():
            around = prompt.sentence(name.start, name.end)
            if names_own(around.before, around.after, around.headings) and not _denied(prompt, entry, around.section):
                yield entry.name, name.start, "", _files(around.before + around.after)


def _denied(prompt: Prompt, entry: ContractEntry, section: str) -> bool:
    """Whether a sentence of the same section says that the agent does not write it."""
    return any(denies(sentence) for sentence in sentences(section) for _ in find_all(_called(entry), sentence))


def _files(text: str) -> _Files:
    found, end = [], 0
    for match in _WRITES.finditer(text):
        found.append(_glob((match["path"] or match["ja"]).removeprefix("./")))
        end = match.end()
    only = bool(found) and not _MESSAGE.search(text, end)
    # With a message as well, a file that is not named like a handoff has something else in it.
    return _Files(only, tuple(dict.fromkeys(path for path in found if path and (only or _HANDOFF.search(path)))))


def _glob(path: str) -> str:
    """The glob of a path in a prompt; empty for one outside the root, or one that many other files match."""
    glob = _PLACEHOLDER.sub("*", path)
    if glob.startswith(("/", "~", "..")) or "/../" in glob:
        return ""
    *folders, name = glob.split("/")
    if len(_LITERAL.findall(name.rpartition(".")[0])) < _FEWEST_LETTERS and not any(map(_OF_HANDOFF.search, folders)):
        return ""
    return f"**/{glob.removeprefix('*/')}" if glob.startswith("*/") else glob
