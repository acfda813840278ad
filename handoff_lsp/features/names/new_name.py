"""A new name: a check that it fits wherever the old one is, and its spelling there."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from handoff_lsp.contracts.kinds import Kind
from handoff_lsp.contracts.names import key_name
from handoff_lsp.contracts.patterns import find_all, match_whole
from handoff_lsp.features.context import Context
from handoff_lsp.features.names.graph import NameNode, definitions_of, places_of
from handoff_lsp.names.mentions import MAX_NAME, OCCURS, Mention
from handoff_lsp.rules.rule import shown
from handoff_lsp.text.lazy import lazy_pattern

_WORDS = lazy_pattern(r"[\s_-]+")


class Refusal(Exception):
    """A rename that is refused; the message gives the user the reason."""


def check(context: Context, node: NameNode, kind: Kind, new: str, mentions: Sequence[Mention]) -> None:
    """Raise Refusal unless a new name fits wherever the old one is."""
    about = with_article(kind.about)
    cannot = f"`{shown(new)}` cannot be the name of {about}"
    if not new.strip():
        raise Refusal(f"The new name is empty, but {about} needs one")
    if new != new.strip() or any(not (char.isprintable() or char == "\u3000") for char in new) or len(new) > MAX_NAME:
        raise Refusal(f"{cannot}: it must be one line of at most {MAX_NAME} characters without blanks at its ends")
    if not new.strip(".") or (kind.pattern and match_whole(kind.pattern, new) is None):
        raise Refusal(f"{cannot}: it must be {kind.pattern_about or 'more than full stops'}")
    if kind.is_word(new):
        raise Refusal(f"{cannot}: it is a word of the format")
    for mention in mentions:
        reason = _refused(mention, kind, new)
        if reason:
            raise Refusal(f"{cannot}: {reason}")
    key = kind.key(new)
    if key == node.key:
        return
    other = node._replace(key=key)
    taken = key in kind.also or definitions_of(context, other, loosely=False)
    if taken or any(mention.rank != OCCURS for mention, _ in places_of(context, other, loosely=False)):
        raise Refusal(f"There already is {about} `{new}`")


def _refused(mention: Mention, kind: Kind, new: str) -> str:
    """The reason why a new name does not fit at a mention where the old one does; empty if it fits."""
    field = mention.field
    if field is not None and field.pattern and not field.naming and not field.has_groups:
        was_right = match_whole(field.pattern, mention.name) is not None
        is_wrong = was_right and match_whole(field.pattern, new) is None
        return f"`{field.title}` must be {field.pattern_about or field.pattern}" if is_wrong else ""
    patterns = field.naming if field is not None else kind.occurs if mention.rank == OCCURS else ()
    first = next((pattern for pattern in patterns if _is_whole(pattern, mention.name)), None)
    if first is None or _is_whole(first, new):
        return ""
    return f"it would not be recognized in place of `{mention.name}`"


def _is_whole(pattern: str, name: str) -> bool:
    """Whether a pattern matches a whole text as one name."""
    return [match.groups.get("name") for match in find_all(pattern, name)] == [(0, len(name))]


def style(node: NameNode, kind: Kind, new: str) -> Callable[[str], str]:
    """A function from a spelling of the old name to the new name in its style: case, joints and ending."""
    base = new[: len(new) - len(ending(kind, new))]

    def styled(written: str) -> str:
        if written == node.name:
            return new
        end = ending(kind, written)
        stem = written[: len(written) - len(end)]
        joint = next((char for char in written if char in " -_"), "")
        words = [word for word in _WORDS.split(base) if word]
        if joint or " " in base:
            text = (joint or "-").join(words) if len(words) > 1 else base
        else:
            text = base
        if stem.islower():
            text = text.lower()
        elif stem[:1].isupper() and not stem.isupper() and text.islower():
            text = _capitalized(text, stem)
        return text + end

    return styled


def _capitalized(text: str, like: str) -> str:
    """A text in the capitals of another one: `DoD Checker` makes `dod verifier` `DoD Verifier`, not `Dod`."""
    written = [word for word in _WORDS.split(like) if word]
    known = {word.casefold(): word for word in written}
    # `Code judge` capitalizes only its first word, `Code Judge` each.
    only_first = len(written) > 1 and all(word[:1].islower() for word in written[1:])

    def spelled(match: re.Match[str]) -> str:
        word = known.get(match[0], match[0])
        stays = not word.islower() or (only_first and match.start() > 0)
        return word if stays else word[:1].upper() + word[1:]

    return re.sub(r"[^\s_-]+", spelled, text)


def ending(kind: Kind, text: str) -> str:
    """The ending of a name that is ignored in comparisons, such as `-agent`; empty without one."""
    for suffix in kind.suffixes:
        if len(text) > len(suffix) and key_name(text).endswith(key_name(suffix)):
            return text[-len(suffix) :]
    return ""


def with_article(word: str) -> str:
    """A word with `a` or `an`."""
    return f"{'an' if word[:1].casefold() in 'aeiou' else 'a'} {word}"
