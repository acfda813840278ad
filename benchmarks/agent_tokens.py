"""The tokens of `check`'s output for agents against those of text, on 100 broken handoffs of the tests' cases.

Tokens are those of `o200k_base`, if the package `bpe-openai` is installed: it holds the vocabulary, so nothing is
downloaded. Without it, words and signs are counted, as tokenizers split a text first, and the table says so.
"""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parent.parent
NUMBER, SEED = 100, 18
# Words and signs, each word in pieces of the length of a usual token.
_PIECES = re.compile(r"\w{1,6}|[^\w\s]|\n")


def counter() -> tuple[str, Callable[[str], int]]:
    """The name of the unit, and the function that counts."""
    try:
        import bpe_openai
    except ImportError:
        return "words and signs (no tokenizer: pip install bpe-openai)", lambda text: len(_PIECES.findall(text))
    encoding = bpe_openai.get_encoding("o200k_base")
    return "tokens of o200k_base", lambda text: len(encoding.encode(text))


def main() -> None:
    """Print the sums, and the number of documents on which the format for agents is not shorter."""
    sys.path.insert(0, str(ROOT / "tests"))
    from case_files import read_cases

    from handoff_lsp.cli.output.format import FORMATS, Document, Look
    from handoff_lsp.cli.output.summary import Summary
    from handoff_lsp.reports.make import report_of
    from handoff_lsp.reports.report import Report

    def output_of(name: str, report: Report, text: str, because: str) -> str:
        pieces: list[str] = []
        summary, made = Summary(), FORMATS[name].load()(pieces.append, Look(because=because))
        summary.add(report, named=True)
        made.document(Document(report, named=True, read=partial(str, text)))
        made.finish(summary)
        return "".join(pieces)

    unit, tokens = counter()
    cases = [case for case in read_cases() if report_of(case.analyze(), case.path, fixes=False).errors]
    sample = random.Random(SEED).sample(cases, NUMBER)
    rows: dict[str, list[int]] = {}
    for case in sample:
        report = report_of(case.analyze(), case.path or "handoff.md")
        for label, name, because in (
            ("text", "text", ""),
            ("agent", "agent", ""),
            ("agent, chosen by itself", "agent", "CLAUDECODE"),
            ("concise", "concise", ""),
        ):
            rows.setdefault(label, []).append(tokens(output_of(name, report, case.text, because)))
    text = rows["text"]
    print(f"{NUMBER} of {len(cases)} broken handoffs (seed {SEED}), one run of `check` each, in {unit}:")
    for label, counts in rows.items():
        fewer = sum(one < other for one, other in zip(counts, text, strict=True))
        ratio = sum(counts) / sum(text)
        print(f"  {label:<24} {sum(counts):>7,}  {ratio:5.2f} ×  median {median(counts):4.0f}  fewer in {fewer}")


if __name__ == "__main__":
    main()
