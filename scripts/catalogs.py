"""The catalogs of translations in handoff_lsp/language: collected from the code, compared, compiled.

`python scripts/catalogs.py` lists what a catalog lacks. `make generate` adds new texts to each `.po` file, removes
those that the code no longer has, and compiles the `.mo` files; `--check` fails where one is stale.
"""

from __future__ import annotations

import io
import json
import re
import string
import sys
from collections.abc import Callable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_READ = re.compile(r"(?<![\w.])[A-Za-z_][\w.]*+(?!\()")
ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "handoff_lsp" / "language"
# The functions with texts as arguments: `say_count` has one for each English number, `counted` a noun.
KEYWORDS = {"say": None, "later": None, "say_count": (1, 2), "counted": (2,)}


def collected() -> Catalog:
    """The texts of the code, without translations."""
    found = Catalog(fuzzy=False)
    package = ROOT / "handoff_lsp"
    for name, _, text, comments, context in extract_from_dir(
        str(package), [("**.py", "python")], keywords=KEYWORDS, comment_tags=("For translators:",)
    ):
        found.add(
            text, locations=[(f"handoff_lsp/{Path(name).as_posix()}", 0)], auto_comments=comments, context=context
        )
    return found


def of_contracts() -> Catalog:
    """The texts of the built-in contracts, without translations."""
    from handoff_lsp.contracts.texts import texts_of

    found = Catalog(fuzzy=False)
    for data in json.loads((ROOT / "schemas" / "contracts.json").read_text(encoding="utf-8")):
        for text in texts_of(data):
            found.add(text, locations=[(f"schemas/contracts/{data['contract']}.yaml", 0)]).flags.clear()
    return found


def read(path: Path) -> Catalog:
    """The catalog in a `.po` file."""
    with path.open("rb") as file:
        return read_po(file, locale=path.stem)


def updated(path: Path, template: Catalog) -> Catalog:
    """A catalog with exactly the texts of the template. A text like an old one gets its translation, marked fuzzy."""
    old, catalog = read(path), Catalog(locale=path.stem, fuzzy=False)
    gone = {key(one.id): one for one in old if one.id and one.string and template.get(one.id) is None}
    for text in template:
        if not text.id:
            continue
        made = catalog.add(text.id, locations=text.locations, flags=text.flags - {"fuzzy"})
        before = old.get(text.id)
        if before is not None and isinstance(before.id, tuple) == isinstance(text.id, tuple):
            made.string = before.string
            made.flags |= before.flags & {"fuzzy"}
        elif near := get_close_matches(key(text.id), gone, 1, 0.75):
            found = gone[near[0]]
            if isinstance(found.id, tuple) == isinstance(text.id, tuple):
                made.string = found.string
                made.flags.add("fuzzy")
    return catalog


def key(text: str | tuple[str, ...]) -> str:
    """The English text of a message; the singular of two."""
    return text[0] if isinstance(text, tuple) else text


HEADER = (
    "Language: {language}\n"
    "MIME-Version: 1.0\n"
    "Content-Type: text/plain; charset=utf-8\n"
    "Content-Transfer-Encoding: 8bit\n"
    "Plural-Forms: {plural};\n"
)


class _Plain(Catalog):
    """A catalog without dates and versions in its header: the same translations are the same bytes."""

    def __iter__(self) -> Iterator[Message]:
        _, *messages = super().__iter__()
        yield Message("", HEADER.format(language=self.locale_identifier, plural=self.plural_forms.rstrip(";")))
        yield from messages


def _plain(sources: Sequence[Catalog]) -> _Plain:
    made = _Plain(locale=sources[0].locale_identifier, fuzzy=False)
    for one in (message for catalog in reversed(sources) for message in catalog):
        texts = one.string if isinstance(one.string, tuple) else (one.string,)
        if one.id and all(texts) and not one.fuzzy:
            made.add(one.id, one.string, one.locations, one.flags, user_comments=one.user_comments, context=one.context)
    return made


def po_text(catalog: Catalog) -> str:
    """A catalog as the text of a `.po` file, in the order of the code."""
    out = io.BytesIO()
    write_po(out, catalog, width=120, omit_header=True, sort_by_file=True, include_lineno=False)
    header = HEADER.format(language=catalog.locale_identifier, plural=catalog.plural_forms.rstrip(";"))
    lines = "".join(f'"{line}\\n"\n' for line in header.splitlines())
    return f'msgid ""\nmsgstr ""\n{lines}\n' + out.getvalue().decode("utf-8").strip("\n") + "\n"


def mo_bytes(*sources: Catalog) -> bytes:
    """The finished translations of some catalogs, compiled. The first one with a text wins."""
    out = io.BytesIO()
    write_mo(out, _plain(sources))
    return out.getvalue()


def catalogs() -> tuple[dict[str, str], dict[str, bytes]]:
    """The texts of all `.po` files and the bytes of all `.mo` files, by their paths from the root."""
    texts: dict[str, str] = {}
    compiled: dict[str, bytes] = {}
    for path in sorted(FOLDER.glob("*.po")):
        both = []
        for source, template in sources(path.stem):
            text = po_text(updated(source, template))
            texts[source.relative_to(ROOT).as_posix()] = text
            both.append(read_po(io.BytesIO(text.encode()), locale=path.stem))
        compiled[path.with_suffix(".mo").relative_to(ROOT).as_posix()] = mo_bytes(*both)
    return texts, compiled


def sources(code: str) -> list[tuple[Path, Catalog]]:
    """The `.po` files of a language, each with all texts that belong into it."""
    return [(FOLDER / f"{code}.po", collected()), (FOLDER / "contracts" / f"{code}.po", of_contracts())]


def gaps(catalog: Catalog, parts_of: Callable[[str], set[Any]] | None = None) -> Iterator[str]:
    """The faults of a catalog: texts without a finished translation, and translations with other parts."""
    parts_of = parts_of or parts
    for message in catalog:
        if not message.id:
            continue
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        if not all(strings):
            yield f"missing: {ids[0]}"
        elif message.fuzzy:
            yield f"fuzzy: {ids[0]}\n    {strings[0]}"
        else:
            wanted = parts_of(ids[-1])
            for text in strings:
                if parts_of(text) != wanted:
                    yield f"has other parts than the English text: {ids[-1]}\n    {text}"


def parts(template: str) -> set[tuple[str, str, str]]:
    """The parts of a template, each with its conversion and format."""
    found = string.Formatter().parse(template)
    return {(name, conversion or "", form or "") for _, name, form, conversion in found if name is not None}


def expressions(text: str) -> set[Any]:
    """The values that the CEL in a contract's text reads. A translation may put them into other words."""
    from handoff_lsp.contracts.lines import split_message

    lines = (_QUOTED.sub("", part) for literal, part in split_message(text) if not literal)
    return {name for line in lines for name in _READ.findall(line)}


def main() -> int:
    faults = 0
    for path in sorted(FOLDER.glob("*.po")):
        for source, template in sources(path.stem):
            for gap in gaps(updated(source, template), parts if source == path else expressions):
                faults += 1
                print(f"{source.relative_to(FOLDER)}: {gap}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
