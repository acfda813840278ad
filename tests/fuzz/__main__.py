"""`python -m tests.fuzz --seconds 120 --seed 13`: the regressions, then random edits for as long as one likes.

The seed is printed first. A broken law is printed with its document, which is kept in a file; the exit code is 1.
"""

from __future__ import annotations

import argparse
import logging
import math
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

if __package__ == "tests.fuzz":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import contract_slips

from fuzz.caches import Caches
from fuzz.run import Breach, Fuzz, documents, regressions
from fuzz.sessions import Sessions
from fuzz.wire import Wire
from handoff_lsp.contracts.registry import builtin


def main() -> int:
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=None, help="of the random edits (default: another each time)")
    parser.add_argument(
        "--slips", action="store_true", help="all slips in contracts, minutes, not a quarter of the time"
    )
    parser.add_argument("--most", type=int, default=5, help="breaches after which it stops (default: %(default)s)")
    arguments = parser.parse_args()
    seed = arguments.seed if arguments.seed is not None else random.SystemRandom().randrange(1_000_000)
    print(f"seed {seed}", flush=True)
    logging.disable(logging.CRITICAL)
    kept = Path(tempfile.gettempdir()) / "handoff-lsp-fuzz"
    count = 0
    for breach in _breaches(arguments.seconds, seed, arguments.seconds / 4 if not arguments.slips else math.inf):
        count += 1
        place = kept / f"{seed}-{count}" / breach.path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(breach.text.encode("utf-8", "surrogatepass"))
        print(f"\n{breach.law}\n  document: {place}", flush=True)
        if count == arguments.most:
            break
    return 1 if count else 0


def _breaches(seconds: float, seed: int, slips: float) -> Iterator[Breach]:
    yield from regressions()
    yield from _slips(seed, slips)
    fuzz, sessions, caches = Fuzz(documents(), seed), Sessions(documents(), seed), Caches(documents(), seed)
    wire = Wire(documents(), seed)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        yield from fuzz.session()
        yield from sessions.session()
        yield from caches.session()
        yield from wire.session()
    print(f"{fuzz.edits:,} edits, {fuzz.compared:,} comparisons, {fuzz.fixes:,} documents fixed", flush=True)
    print(f"{sessions.steps:,} steps of editors, {sessions.compared:,} comparisons with a fresh server", flush=True)
    print(f"{caches.steps:,} checks with and without the cache, which had {caches.hits:,} reports", flush=True)
    print(f"{wire.requests:,} requests over stdio, {wire.answers:,} answers with a content", flush=True)


def _slips(seed: int, seconds: float) -> Iterator[Breach]:
    """Names in contracts, built-in ones and the gallery's, with a letter dropped: 99 % are refused at their token."""
    found = [
        slip for name in [*builtin().names, *contract_slips.GALLERY_NAMES] for slip in contract_slips.slips(name, seed)
    ]
    random.Random(seed).shuffle(found)
    until = time.monotonic() + seconds
    taken, accepted = 0, []
    for slip in found:
        if time.monotonic() > until:
            break
        taken += 1
        if not contract_slips.answer(slip).at_token:
            accepted.append(slip)
    print(f"{taken:,} of {len(found):,} slips in contracts, {len(accepted)} not refused at their token", flush=True)
    for slip in accepted if len(accepted) > 0.01 * taken else ():
        text = contract_slips.text_of(slip.contract)
        law = f"a contract with `{slip.written}` for `{slip.name}` is not refused at its token"
        slipped = text[: slip.span.start] + slip.written + text[slip.span.end :]
        yield Breach(law, f"{slip.contract}.yaml", slipped)


if __name__ == "__main__":
    sys.exit(main())
