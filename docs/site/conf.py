"""Sphinx's settings for the site: the pages of docs/ as they are, with one address each. `make docs` builds it.

Sphinx with MyST, since MyST reads Markdown with markdown-it-py as we do, and since a link to nothing fails the build.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sphinx.application import Sphinx

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))

from handoff_lsp import __version__  # noqa: E402
from handoff_lsp.rules.pages import REPOSITORY, SITE  # noqa: E402

project = "handoff-lsp"
author = "The handoff-lsp developers"
version = release = __version__
html_title = f"handoff-lsp {version}"
html_baseurl = f"{SITE}/"
language = "en"

extensions = ["myst_parser"]
exclude_patterns = ["site", "gallery/*.cases.md"]
root_doc = "index"
myst_heading_anchors = 6
myst_links_external_new_tab = False
suppress_warnings = ["misc.highlighting_failure"]  # a fence may be in a language of ours, such as `editor`

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_favicon = str(ROOT / "editors" / "vscode" / "icon.png")
html_show_copyright = html_show_sphinx = html_copy_source = False
html_theme_options = {
    "source_view_link": f"{REPOSITORY}/blob/main/docs/{{filename}}",
    "top_of_page_buttons": ["view"],  # many pages are generated, and nobody edits those
}
highlight_language = "none"  # a fence without a language is text: output, or a handoff
pygments_style, pygments_dark_style = "friendly", "github-dark"

_GROUP = re.compile(r"^## (.+)\n((?:(?!## ).*\n?)*)", re.MULTILINE)
_PAGE = re.compile(r"^- \[[^]]*\]\((?!\.\./)([^)#]+)\.md\)", re.MULTILINE)

# A whole fence, in which nothing is a link, or the target of a link that is neither an address nor an anchor.
_LINK = re.compile(
    r"^ *(?P<fence>`{3,}|~{3,}).*?^ *(?P=fence)|\]\((?!\w+:|#)(?P<target>[^)#\s]+)(?P<anchor>#[^)\s]*)?\)",
    re.MULTILINE | re.DOTALL,
)

# The pages below a page, in the sidebar.
_BELOW = {"rules": "rules/*", "contracts": "contracts/*"}


def _sidebar(app: Sphinx, name: str, source: list[str]) -> None:
    """Give the home page the sidebar that its lists describe, and the tables of rules and contracts their pages."""
    if name == root_doc:
        for caption, text in _GROUP.findall(source[0]):
            source[0] += _toctree(_PAGE.findall(text), caption=caption)
    elif name in _BELOW:
        source[0] += _toctree([_BELOW[name]], glob="")


def _toctree(pages: list[str], **options: str) -> str:
    lines = [f":{key}: {value}" for key, value in {"hidden": "", "titlesonly": "", **options}.items()]
    return "\n".join(["\n```{toctree}", *lines, "", *pages, "```", ""])


def _outward(app: Sphinx, name: str, source: list[str]) -> None:
    """Lead a link to a file of the repository that is no page to that file on GitHub."""
    here = (Path(app.srcdir) / name).parent

    def link(match: re.Match[str]) -> str:
        if match["fence"]:
            return match[0]
        path = (here / match["target"]).resolve()
        if not path.exists() or (path.is_relative_to(app.srcdir) and path.suffix in {".md", ".png"}):
            return match[0]  # a page or a picture; MyST reports what is not there
        kind = "tree" if path.is_dir() else "blob"
        address = f"{REPOSITORY}/{kind}/main/{quote(path.relative_to(ROOT).as_posix())}"
        return f"]({address}{match['anchor'] or ''})"

    source[0] = _LINK.sub(link, source[0])


def _schemas(app: Sphinx, error: Exception | None) -> None:
    """Put the schemas beside the pages, each at the address that editors ask for."""
    folder = Path(app.outdir) / "schemas"
    folder.mkdir(exist_ok=True)
    for path in (ROOT / "schemas").glob("*.schema.json"):
        shutil.copy(path, folder)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", _sidebar)
    app.connect("source-read", _outward)
    app.connect("build-finished", _schemas)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
