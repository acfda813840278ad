"""One case: a document, the findings and decisions that it expects, and the documents around it."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from handoff_lsp.binding.handoff import Handoff, Nowhere
from handoff_lsp.binding.introduced import Circle, DefinedAt, Introduced, Links, Thing, circles
from handoff_lsp.contracts.kinds import defined_name
from handoff_lsp.contracts.owed import Returned, agent_name, owed_by_contracts
from handoff_lsp.contracts.patterns import find_all
from handoff_lsp.contracts.registry import ContractEntry, Registry, builtin
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.names.introduced import things_of
from handoff_lsp.prompts.documents import is_agent
from handoff_lsp.prompts.pack import Pack, StatementPlace
from handoff_lsp.prompts.reading import read_document
from handoff_lsp.prompts.speakers import names_in
from handoff_lsp.prompts.statement import Enumeration, PromptStatement, PromptStatements
from handoff_lsp.text import Source
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.disk.globs import Glob
from handoff_lsp.workspace.packs import MIN_AGENTS


class Expected(NamedTuple):
    """A finding that a case expects: zero-based line of the document, code point columns.

    ``at``: the 1-based line of the case file in which it is written.
    """

    line: int
    start: int
    end: int
    rule: str
    severity: str | None
    words: str
    at: int


class FixedText(NamedTuple):
    """The document once the first fix of a rule's first finding is applied; ``at``: the line of its fence."""

    rule: str
    text: str
    at: int


class Decided(NamedTuple):
    """The action that a case expects for a handoff, ``none`` for no decision at all, and words of its reason."""

    action: str
    words: str
    at: int


@dataclass(frozen=True)
class Case:
    """One case of a case file. ``routes``: the decisions on the handoffs that have routes, in order.

    ``line`` and ``opening`` are the 1-based lines of its heading and of its document's fence; ``lines`` has the line
    in the case file of each line of the document.
    """

    name: str
    path: str
    text: str
    expected: tuple[Expected, ...]
    options: Options
    fixed: tuple[FixedText, ...] = field(default=())
    beside: tuple[tuple[str, str], ...] = field(default=())
    routes: tuple[Decided, ...] = field(default=())
    line: int = 1
    opening: int = 1
    lines: tuple[int, ...] = field(default=())
    agent: str = ""

    def analyze(self, text: str | None = None, registry: Registry | None = None) -> Analysis:
        """The analysis of the document, or of another text in its place; without a registry by built-in contracts."""
        contracts = registry if registry is not None else builtin()
        source = Source(self.text if text is None else text)
        around = Beside(self.path, dict(self.beside), contracts)
        return analyze(source, self.path, contracts, self._options(contracts), around=around)

    def _options(self, registry: Registry) -> Options:
        """The options, with what the agent owes by the contracts."""
        if not self.agent:
            return self.options
        owed = tuple(owed_by_contracts(registry, self.agent, self._definition))
        return replace(self.options, returned=Returned(agent_name(self.agent), owed)) if owed else self.options

    def _definition(self) -> str | None:
        named = (
            text for path, text in self.beside if agent_name(path).removesuffix("-agent") == agent_name(self.agent)
        )
        return next(named, None)

    def line_in_file(self, line: int) -> int:
        """The 1-based line of the case file for a zero-based line of the document."""
        return self.lines[min(line, len(self.lines) - 1)] if self.lines else self.opening


class Beside(Nowhere):
    """The documents of a case around the one that is checked, by their paths."""

    def __init__(self, path: str, documents: Mapping[str, str], registry: Registry | None = None) -> None:
        self._path = path
        self._folder = posixpath.dirname(path)
        self._documents = documents
        self._registry = registry if registry is not None else builtin()

    def handoff(self, path: str, contract: str) -> Handoff | None:
        """The first handoff of a contract in the document at a path from the folder of the checked one."""
        name = posixpath.normpath(posixpath.join(self._folder, path))
        if name not in self._documents:
            return None
        handoffs = analyze(Source(self._documents[name]), name, self._registry, Options()).handoffs
        return next((handoff for handoff in handoffs if handoff.spec.name == contract), None)

    def exists(self, path: str) -> bool | None:
        """Whether a document, or a folder of one, is at a path; None for a case without other documents."""
        path = posixpath.normpath(path)
        if not self._documents or path.startswith(("/", "..")):
            return None
        return any(name == path or name.startswith(f"{path}/") for name in self._documents)

    def exists_beside(self, path: str) -> bool | None:
        """The same for a path from the folder of the checked document."""
        return self.exists(posixpath.join(self._folder, path))

    def defined(self, globs: Sequence[str], naming: Sequence[str] = ()) -> frozenset[str]:
        """The names of the documents that match globs, the checked one among them if there are others."""
        names = [*self._documents, self._path] if self._documents else []
        matching = [name for name in names if any(Glob(pattern).matches(name) for pattern in globs)]
        return frozenset(defined_name(name, globs, naming) for name in matching) - {""}

    def introduced(self, kind: str, globs: Sequence[str]) -> Introduced:
        """What the other documents that match globs introduce."""
        found = {
            name: analyze(Source(text), name, self._registry, Options()).handoffs
            for name, text in self._documents.items()
            if any(Glob(pattern).matches(name) for pattern in globs)
        }
        sources = {name: Source(self._documents[name]) for name in found}
        links = Links({name: things_of(handoffs, kind) for name, handoffs in found.items()})
        of_this = any(Glob(pattern).matches(self._path) for pattern in globs)
        return _Beside(links, sources, self._path, of_this)

    def example(self, registry: Registry, entry: ContractEntry, profile: str) -> str | None:
        """An example of a contract's handoffs."""
        from handoff_lsp.samples.example import example_text  # few documents have one

        return example_text(registry, entry, profile)

    def count(self, globs: Sequence[str], pattern: str) -> int | None:
        """The number of matches of a pattern in the documents of the first glob with any; None without one."""
        for glob in globs:
            matching = [
                text
                for name, text in self._documents.items()
                if Glob(glob).matches(posixpath.relpath(name, self._folder or "."))
            ]
            if matching:
                return sum(1 for text in matching for _ in find_all(pattern, text))
        return None

    @cached_property
    def _said(self) -> dict[str, tuple[Source, PromptStatements]]:
        found = {}
        for name, text in self._documents.items():
            said = read_document(Source(text), name, self._registry)
            if said is not None:
                found[name] = Source(text), said
        return found

    def pack(self) -> Pack:
        """What the other documents say about contracts."""
        return Pack([self._said[name][1] for name in sorted(self._said)])

    def agents(self) -> frozenset[str]:
        """The names of the agents that the documents define."""
        names = [*self._documents, self._path] if self._documents else []
        defined = (names_in(name, self._documents.get(name, "")) for name in names)
        return frozenset().union(*defined) if sum(map(is_agent, names)) >= MIN_AGENTS else frozenset()

    def places(self, path: str, one: PromptStatement | Enumeration) -> Sequence[StatementPlace]:
        """The places of a statement in one of the other documents."""
        source, said = self._said[path]
        name = posixpath.relpath(path, self._folder or ".")
        all_of_them = said.statements if isinstance(one, PromptStatement) else said.enumerations
        return tuple(StatementPlace(name, source, each.span) for each in all_of_them if each == one)

    def name_of(self, handoff: Handoff) -> str:
        """The path of a handoff's document from the folder of the checked one."""
        return posixpath.relpath(handoff.path, self._folder or ".")


class _Beside:
    """What the documents around a case introduce."""

    def __init__(self, links: Links, sources: Mapping[str, Source], own: str, of_this: bool) -> None:
        self._links = links
        self._sources = sources
        self._own = own
        self.of_this = of_this

    def names(self) -> frozenset[str] | None:
        """The names that the others introduce."""
        return self._links.all_names

    def places(self, name: str) -> Sequence[DefinedAt]:
        """The places where the others introduce a name."""
        folder = posixpath.dirname(self._own) or "."
        return [
            DefinedAt(name, posixpath.relpath(document, folder), self._sources[document], thing.span)
            for document, thing in self._links.by_name.get(name, ())
        ]

    def circles(self, own: Sequence[Thing]) -> Sequence[Circle]:
        """The circles that the names of the document are in."""
        return circles(self._links, self._own, own)
