"""`python -m tests.mutation --seed 20 --count 100`: slips in the code, and those that no test notices."""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from pathlib import Path

if __package__ == "tests.mutation":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from mutation.judge import judge
from mutation.sample import ROOMS, Slip, reason_of, sample_of


def main() -> int:
    parser = argparse.ArgumentParser(prog="make mutation", description=__doc__)
    parser.add_argument("--seed", type=int, default=None, help="of the sample (default: another each time)")
    parser.add_argument("--count", type=int, default=100, help="how many slips (default: %(default)s)")
    parser.add_argument("--only", type=int, nargs="+", default=None, help="these numbers of the sample")
    parser.add_argument(
        "--at-least", type=float, default=90, help="the lowest score that passes (default: %(default)s)"
    )
    parser.add_argument("--processes", type=int, default=2, help="how many at once (default: %(default)s)")
    given = parser.parse_args()
    seed = given.seed if given.seed is not None else random.SystemRandom().randrange(1_000_000)
    print(f"seed {seed}", flush=True)
    sample = dict(enumerate(sample_of(seed, given.count)))
    wanted = {number: slip for number, slip in sample.items() if not given.only or number in given.only}
    equal = {number: reason for number, slip in wanted.items() if (reason := reason_of(slip))}

    def tell(number: int, found: str, reaching: int) -> None:
        before, after = wanted[number].diff()
        told = found or f"NOT NOTICED by {reaching} tests that reach it\n    {before}\n    {after}"
        print(f"{number} {wanted[number].path}:{wanted[number].line} {told}", flush=True)

    noticed = judge({number: slip for number, slip in wanted.items() if number not in equal}, given.processes, tell)
    return _print(wanted, equal, noticed, given.at_least)


def _print(slips: dict[int, Slip], equal: dict[int, str], noticed: dict[int, str], least: float) -> int:
    rooms = {number: slip.path.split("/")[1] for number, slip in slips.items()}
    made, same = Counter(rooms.values()), Counter(rooms[number] for number in equal)
    seen = Counter(rooms[number] for number, test in noticed.items() if test)
    for room in ROOMS:
        print(f"{room}: {seen[room]} of {made[room] - same[room]} noticed, {same[room]} change nothing")
    score = 100 * seen.total() / max(len(noticed), 1)
    print(f"all: {seen.total()} of {len(noticed)} noticed ({score:.0f} %), {len(equal)} change nothing")
    return 0 if score >= least else 1


if __name__ == "__main__":
    sys.exit(main())
