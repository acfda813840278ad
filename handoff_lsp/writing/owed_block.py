"""The block that an agent owes, to be filled in: the text, and its place at the end of a message or file."""

from __future__ import annotations

import re

from handoff_lsp.contracts.options import Options
from handoff_lsp.contracts.owed import Owed
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.text import Edit, Span
from handoff_lsp.writing.placement import settled
from handoff_lsp.writing.section_placement import blank_lines
from handoff_lsp.writing.skeleton import Skeleton
from handoff_lsp.writing.skeleton_document import new_document


def owed_spec(registry: Registry, owed: Owed, options: Options) -> Spec:
    """The contract that an agent owes, in the profile for a new handoff: the config's if it is possible, or the first.

    Raises KeyError if the registry has no such contract.
    """
    entry = registry[owed.contract]
    profiles = [name for name in owed.profiles if name in entry.contract.profiles]
    given = options.profiles.get(owed.contract, "")
    if given not in (profiles or entry.contract.profiles):
        given = next(iter(profiles), entry.contract.default_profile)
    return entry.spec(given, owed.demands)


def owed_block(registry: Registry, owed: Owed, options: Options) -> Skeleton:
    """The handoff that an agent owes, with its name and else placeholders. Without a line end at its end."""
    spec = owed_spec(registry, owed, options)
    made = new_document(spec)
    named = spec.contract.profile_in
    if not named:
        return made
    label = re.compile(rf"^({re.escape(spec.title(named))}: )(?:<.*>|\$\{{.*\}})$", re.MULTILINE)
    plain, snippet = (label.sub(lambda found: found[1] + owed.agent, text, count=1) for text in made)
    return Skeleton(plain, snippet)


def appended(text: str, block: Skeleton) -> Edit:
    """The edit that puts a block below the last line of a text, or into a blank one."""
    end = len(text.rstrip())
    if not text[:end].strip("\ufeff"):
        end = int(text.startswith("\ufeff"))
    before, after = blank_lines(text, end, len(text))
    return settled(text, Edit(Span(end, len(text)), before + block.plain + after, before + block.snippet + after))
