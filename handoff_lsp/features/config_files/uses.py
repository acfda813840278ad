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
    tokens = toml_places(source.text).tokens
    found = [use for token in tokens for use in _of(token, prefix, source.text)]
    returned = [token for token in tokens if _is_in_agent(token, prefix, "returns")]
    owed = {token.path[:-1]: token.span.of(source.text) for token in returned}
    found += [Use("contract", token.span.of(source.text), token.span) for token in returned]
    for token in tokens:
        contract = owed.get(token.path[:-2], "")
        if contract and _is_in_agent(token, prefix, "must", "never"):
            found += _fields(token.span, source.text, contract)
    return sorted(found, key=lambda use: use.span)


def _is_in_agent(token: TomlToken, prefix: tuple[str, ...], *keys: str) -> bool:
    """Whether a token is a value below one of some keys of an agent."""
    path = token.path[len(prefix) :] if token.path[: len(prefix)] == prefix else ()
    return token.kind == "value" and path[:1] == ("agents",) and path[2:3] in {(key,) for key in keys}


def _fields(span: Span, text: str, contract: str) -> Iterator[Use]:
    """A use for each field that a path with dots leads through."""
    at, name = span.start, ""
    for step in span.of(text).split("."):
        name = f"{name}.{step}" if name else step
        yield Use("field", name, Span(at, at + len(step)), of=contract)
        at += len(step) + 1


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
