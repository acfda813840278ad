"""Edit to diagnostics, as a ratio to a bare pygls server in the same run.

    python -m benchmarks.edit_latency [--edits 200] [--only WORD]

Both servers get the same document and the same edits, by turns, so that a busy machine slows both. An edit types one
letter into a line in the middle, or takes it out again; the time is from the write to the diagnostics of that version.
`cpu` is the ratio of the processor times of the two servers, which a busy machine changes least (Linux only).
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import median

from benchmarks.server_process import BARE, OURS
from benchmarks.speed.documents import ROWS, Document
from benchmarks.speed.editing import typed, written
from benchmarks.speed.session import Session


def compare(name: str, document: Document, folder: Path, edits: int, limit: float | None) -> bool:
    """Measure one document and print its row. Whether it is within its limit."""
    path = written(document, folder)
    with Session("bare", BARE, folder) as bare, Session("ours", OURS, folder) as ours:
        for session in (bare, ours):
            session.open(path, document.language)
        typed([(bare, document), (ours, document)], edits)
        busy, base = ours.cpu - ours.idle, bare.cpu - bare.idle
        ratio = median(ours.times) / median(bare.times)
        slow = sorted(ours.times)[int(len(ours.times) * 0.95)]
        figures = "".join(f"{seconds * 1e3:>10.2f}" for seconds in (median(bare.times), median(ours.times), slow))
        lines, cpu = document.text.count("\n"), busy / len(ours.times) / (base / len(bare.times))
        print(f"{name:<33}{lines:>7}{ours.found:>10}{figures}{ratio:>8.2f}{cpu:>8.2f}{limit or 0:>8.1f}", flush=True)
        return limit is None or ratio <= limit


def main() -> int:
    """Print the table. Returns 1 if a ratio is above its limit, else 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=200, help="measured edits for each document and server")
    parser.add_argument("--only", default="", help="only documents with this word in their names")
    args = parser.parse_args()

    print("document                           lines  findings   bare ms   ours ms    p95 ms   ratio     cpu   limit")
    within = []
    for name, make, lines, limit in ROWS:
        if args.only in name:
            with tempfile.TemporaryDirectory() as folder:
                within.append(compare(name, make(lines), Path(folder).resolve(), args.edits, limit))
    return 0 if all(within) else 1


if __name__ == "__main__":
    raise SystemExit(main())
