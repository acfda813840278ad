"""What a prompt says is the same whether its text is read as a whole or in parts, and each prompt is parsed once."""

from __future__ import annotations

from pathlib import Path

import pytest

from handoff_lsp.cli.main import main
from handoff_lsp.prompts.chunk import Chunk, chunk_of, chunks_of
from handoff_lsp.prompts.view import PromptView
from handoff_lsp.syntax.markdown import build
from handoff_lsp.syntax.markdown.incremental import parse_markdown
from handoff_lsp.text import Source

ROOT = Path(__file__).parents[2]
DOCUMENTS = sorted(
    path for folder in ("examples", "docs", "tests/cases", "tests/prompts") for path in (ROOT / folder).rglob("*.md")
)

HARD = """Code `over
two lines` and ``with ` inside``, ` `` ` and an open ` one.

Nothing ` closes that.
 >
> `quoted` text

```
`fence`
```
| `a` | `b` |
| --- | --- |

- item `x`
  goes on `y

  in` a second paragraph
"""


@pytest.mark.parametrize("text", [HARD, HARD.replace("\n", "\r\n"), "", "`", "\n\n`a`", "`a`\n\n", "\n"])
def test_parts_of_hard_texts(text: str) -> None:
    _is_same_in_parts(text)


def test_parts_of_documents() -> None:
    assert len(DOCUMENTS) > 50
    for path in DOCUMENTS:
        _is_same_in_parts(path.read_text(encoding="utf-8"))


def _is_same_in_parts(text: str) -> None:
    view = PromptView(parse_markdown(Source(text)))
    whole = Chunk(view.prose)
    assert "".join(chunk.text for _, chunk in chunks_of(view.prose)) == view.prose
    assert list(view.codes) == list(whole.codes)
    blocks = {view.block(offset).start for offset in range(0, len(text), 7)}
    assert blocks <= {0, *whole.block_starts}


def test_a_long_text_is_not_kept() -> None:
    short, long = "word `code` " * 10, "word `code` " * 1_000
    assert chunk_of(short) is chunk_of("".join(short))
    assert chunk_of(long) is not chunk_of(long)


def test_check_parses_each_prompt_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    parsed: list[str] = []
    read = build.read_blocks

    def counted(source: Source, *rest: int) -> object:
        parsed.append(source.text)
        return read(source, *rest)

    monkeypatch.setattr("handoff_lsp.syntax.markdown.incremental.read_blocks", counted)
    pack = ROOT / "examples" / "pack"
    main(["check", str(pack), "--no-cache"])
    prompts = [path.read_text(encoding="utf-8") for path in sorted(pack.rglob("agents/*.md"))]
    assert len(prompts) > 1
    assert [parsed.count(text) for text in prompts] == [1] * len(prompts)
    assert capsys.readouterr().out
