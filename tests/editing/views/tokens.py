"""The semantic tokens: ``line: «text» type.modifier``, those of a line on one line."""

from __future__ import annotations

from collections.abc import Iterator

from editing.editor import Editor


def view(editor: Editor, words: str) -> str:
    """The tokens in order; with ``selected`` those of the selection alone."""
    everything = editor.request("textDocument/semanticTokens/full")["data"]
    whole = editor.range(0, len(editor.text_of()))
    assert editor.request("textDocument/semanticTokens/range", range=whole)["data"] == everything
    data = editor.request("textDocument/semanticTokens/range", range=editor.range())["data"]
    lines: dict[int, list[str]] = {}
    for line, shown in _tokens(editor, data if words == "selected" else everything):
        lines.setdefault(line, []).append(shown)
    return "\n".join(f"{line + 1}: {'  '.join(shown)}" for line, shown in lines.items())


def _tokens(editor: Editor, data: list[int]) -> Iterator[tuple[int, str]]:
    legend = editor.client.capabilities["semanticTokensProvider"]["legend"]
    line = column = 0
    for down, along, length, kind, modifiers in zip(*[iter(data)] * 5, strict=True):
        line, column = line + down, along if down else column + along
        range_ = {
            "start": {"line": line, "character": column},
            "end": {"line": line, "character": column + length},
        }
        names = [name for bit, name in enumerate(legend["tokenModifiers"]) if modifiers >> bit & 1]
        yield line, f"«{editor.slice(range_)}» {'.'.join([legend['tokenTypes'][kind], *names])}"
