"""The names of contracts, and of what they declare, in a config."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from handoff_lsp.features.contract_files.uses import Use
from handoff_lsp.text import Source, Span
from handoff_lsp.workspace.config.config_file import SHARED_NAME, TABLE
from handoff_lsp.workspace.config.toml_places import TomlToken, toml_places


def config_uses(source: Source, path: Path) -> list[Use]:
    """The uses of names of contracts in a config, in the order of the text."""
    prefix = TABLE if path.name == SHARED_NAME else ()
    found = (use for token in toml_places(source.text).tokens for use in _of(token, prefix, source.text))
    return sorted(found, key=lambda use: use.span)


def _of(token: TomlToken, prefix: tuple[str, ...], text: str) -> Iterator[Use]:
    path = token.path[len(prefix) :] if token.path[: len(prefix)] == prefix else ()
    written = token.span.of(text)
    is_key = token.kind != "value"
    if path[:1] == ("contracts",) and len(path) > 1:
        contract = str(path[1])
        if is_key and len(path) == 2:
            yield Use("contract", contract, token.span)
        elif is_key and len(path) == 3 and path[2] != "profile":
            yield Use("setting", str(path[2]), token.span, of=contract)
        elif not is_key and path[2:] == ("profile",):
            yield Use("profile", written, token.span, of=contract)
    elif not is_key and (path[:1] == ("disable",) or (path[:1] == ("files",) and path[2:] == ("contract",))):
        yield Use("contract", written, token.span)
    elif is_key and (path[:1] == ("rules",) or (path[:1] == ("files",) and path[2:-1] == ("rules",))):
        contract, slash, check = written.partition("/")
        if slash and len(path) > 1:
            middle = token.span.start + len(contract)
            yield Use("contract", contract, Span(token.span.start, middle))
            yield Use("check", check, Span(middle + 1, token.span.end), of=contract)
