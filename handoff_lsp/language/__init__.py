"""The language of messages, hovers and titles: English as it is in the code, or a catalog of this folder.

A text for people is written ``say("`{field}` is empty", field=slot.title)``. The English template is the key in
``ja.po``; `make generate` collects the templates and compiles ``ja.mo``, the file that is read. In English no catalog
is read. A process speaks one language: the command, the server and a program set it before their first document.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gettext import NullTranslations

ENGLISH = "en"

_language = ENGLISH
_catalog: NullTranslations | None = None


def say(template: str, /, **parts: object) -> str:
    """A text in the language that was chosen, with its parts. The template is a literal, as of `str.format`."""
    return (template if _catalog is None else _catalog.gettext(template)).format(**parts)


def say_count(one: str, many: str, number: int, /, **parts: object) -> str:
    """A text with a number, which the templates name ``{number}``: the singular's or the plural's."""
    if _catalog is None:
        return (one if number == 1 else many).format(number=number, **parts)
    return _catalog.ngettext(one, many, number).format(number=number, **parts)


def counted(number: int, one: str, many: str = "") -> str:
    """A number of things in words: ``1 error``, ``2 errors``, ``1,000 entries``."""
    noun = translated(one)
    return number_of(number, one, many) if noun == one else say("{number:,} {noun}", number=number, noun=noun)


def number_of(number: int, one: str, many: str = "") -> str:
    """A number of things in a text that stays English: ``1 commit``, ``2 commits``."""
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def later(text: str, /) -> str:
    """The same text, collected for the catalogs. For tables, which are made before the language is known."""
    return text


def translated(text: str, /) -> str:
    """The translation of a whole text, such as one marked with ``later``; the text itself without one."""
    return text if _catalog is None or not text else _catalog.gettext(text)


def language() -> str:
    """The language that was chosen: its code, such as ``en``."""
    return _language


@lru_cache(maxsize=1)
def languages() -> tuple[str, ...]:
    """The codes of all languages, English first."""
    from importlib.resources import files  # not before a language is asked for

    names = (entry.name for entry in files(__package__).iterdir())
    return ENGLISH, *sorted(name.removesuffix(".mo") for name in names if name.endswith(".mo"))


def known_language(tag: str) -> str | None:
    """The language of a tag or locale such as ``ja-JP`` or ``ja_JP.UTF-8``; None for one without a catalog."""
    code = tag.replace("_", "-").partition("-")[0].partition(".")[0].lower()
    return code if code == ENGLISH or code in languages() else None


def choose_language(tag: str) -> None:
    """Set the language of this process; English where the tag's language has no catalog."""
    global _language, _catalog
    _language = (known_language(tag) if tag else None) or ENGLISH
    _catalog = _read(_language) if _language != ENGLISH else None


@contextmanager
def in_language(tag: str) -> Iterator[None]:
    """Set the language for a while. Texts that were made before keep theirs."""
    before = _language
    choose_language(tag)
    try:
        yield
    finally:
        choose_language(before)


@lru_cache(maxsize=4)
def _read(code: str) -> NullTranslations:
    from gettext import GNUTranslations
    from importlib.resources import files

    with files(__package__).joinpath(f"{code}.mo").open("rb") as file:
        return GNUTranslations(file)
