"""The links that an editor shows, a line each: `line: text with «the link» → target`, resolved if necessary."""

from __future__ import annotations

from editing.editor import Editor


def view(editor: Editor, words: str) -> str:
    """The links in the order in which they are answered."""
    lines = []
    for link in editor.request("textDocument/documentLink") or []:
        later = "target" not in link
        if later:
            link = editor.client.request("documentLink/resolve", link)
        path, hash_, place = link["target"].partition("#")
        target = editor.path_of(path) + hash_ + place
        lines.append(f"{editor.shown(link['range'])} → {target}" + (" (resolved)" if later else ""))
    return "\n".join(lines) or "nothing"
