"""The start of the server, as a ratio to a bare pygls server in the same run.

    python -m benchmarks.startup [--runs 11]

Both start by turns, so that a busy machine slows both. The times are from the start of the process to the answer to
`initialize`, and to the first diagnostics of a document that is opened as soon as that has come. What a start keeps for
the next one, and Python's compiled modules, are written by a first pair of starts that is not counted.
"""

from __future__ import annotations

import argparse
from statistics import median
from time import perf_counter, sleep

from benchmarks.server_process import BARE, OURS, ServerProcess
from benchmarks.speed.documents import in_markdown

URI = "file:///nowhere/handoffs/developer-handoff.md"
CAPABILITIES = {"textDocument": {"publishDiagnostics": {"versionSupport": True, "relatedInformation": True}}}


def start(command: list[str], text: str) -> tuple[float, float]:
    """Start a server. Returns the times of its first answer and of the first diagnostics (seconds)."""
    began = perf_counter()
    with ServerProcess(command) as server:
        server.initialize(capabilities=CAPABILITIES)
        answered = perf_counter() - began
        item = {"uri": URI, "languageId": "markdown", "version": 1, "text": text}
        server.notify("textDocument/didOpen", {"textDocument": item})
        while server.read().get("method") != "textDocument/publishDiagnostics":
            pass
        published = perf_counter() - began
        number = server.request("shutdown", None)
        while server.read().get("id") != number:
            pass
        server.notify("exit", None)
        server.process.wait()
    return answered, published


def main() -> int:
    """Print the table. Returns 1 if a figure is above its limit, else 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=11, help="counted starts of each server")
    runs = parser.parse_args().runs
    text = in_markdown(60).text
    bare, ours = [], []
    for run in range(runs + 1):
        pair = start(BARE, text), start(OURS, text)
        if run:
            bare.append(pair[0])
            ours.append(pair[1])
        sleep(0.05)
    print("start to …                  bare ms   ours ms     ratio")
    ratios = []
    for place, name in enumerate(("answer to initialize", "first diagnostics")):
        theirs, own = (median(times[place] for times in found) for found in (bare, ours))
        ratios.append(own / theirs)
        print(f"{name:<25}{theirs * 1e3:>10.0f}{own * 1e3:>10.0f}{own / theirs:>10.2f}", flush=True)
    # 60 ms where the bare server takes 240.
    return 0 if ratios[0] <= 0.25 and ratios[1] <= 1 else 1


if __name__ == "__main__":
    raise SystemExit(main())
