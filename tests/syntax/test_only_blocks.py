"""Only markdown-it's block rules are imported, and nobody else who uses markdown-it notices."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """\
import sys
from handoff_lsp.syntax.markdown.incremental import parse_markdown
from handoff_lsp.text import Source
assert parse_markdown(Source("# A\\n\\n- b\\n")).titles == ["A"]
assert "markdown_it.main" not in sys.modules and "markdown_it.rules_inline" not in sys.modules
assert len(parse_markdown(Source("[a]: b 'c'\\n\\nd\\n")).greens)
{use}
"""


def _runs(use: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(use=use)], capture_output=True, timeout=60, check=False, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_program_can_use_all_of_it_later() -> None:
    _runs("from markdown_it import MarkdownIt\nassert MarkdownIt().render('*a*') == '<p><em>a</em></p>\\n'")
    _runs("import markdown_it\nassert markdown_it.__version__ and markdown_it.MarkdownIt and markdown_it.token.Token")
    _runs("import markdown_it.presets\nassert markdown_it.rules_block and markdown_it.presets.commonmark")
    _runs("import markdown_it\nassert not hasattr(markdown_it, 'no_such_name')\nassert markdown_it.MarkdownIt")


def test_one_that_used_it_before_keeps_it() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import markdown_it\nbefore = markdown_it\n" + PROGRAM.partition("assert")[0]
         + "import markdown_it\nassert markdown_it is before and markdown_it.MarkdownIt"],
        capture_output=True, timeout=60, check=False, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
