"""Measure, keep the figures in `docs/speed.json`, and write the tables of `docs/speed.md` and the README."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from datetime import date
from pathlib import Path

from benchmarks.speed import commands, editing
from benchmarks.speed.figures import Data, Part, Table
from benchmarks.speed.page import DATA, PAGES, page
from benchmarks.speed.tools import OURS, Programs

PARTS = ("start", "keystroke", "cold", "scan", "formats")


def measured(part: str, programs: Programs, folder: Path, asked: argparse.Namespace) -> dict[str, Table]:
    """The tables of one part."""
    rounds, edits, files = asked.rounds, asked.edits, asked.files
    match part:
        case "start":
            return {"start": editing.starts(programs, folder, rounds)}
        case "keystroke":
            times, memory = editing.keystrokes(programs, folder, edits)
            return {"keystroke": times, "memory": memory | editing.many_open(programs, folder)}
        case "cold":
            return {"cold": commands.cold(programs, folder, rounds)}
        case "scan":
            return {"scan": commands.scans(programs, folder, files, max(rounds // 5, 1))}
        case _:
            return {"formats": commands.own_formats(programs, folder, files // 10, max(rounds // 3, 1))}


def machine() -> dict[str, str]:
    """The machine."""
    models = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    memory = int(Path("/proc/meminfo").read_text().split()[1]) / 1024**2
    return {
        "processor": f"{len(os.sched_getaffinity(0))} × {models[0].partition(':')[2].strip()}",
        "memory": f"{memory:.0f} GB",
        "system": f"{platform.system()} {platform.release().split('-')[0]}",
    }


def keep(name: str, part: Part, versions: dict[str, str]) -> None:
    """Write the figures, with this part in place of its earlier ones."""
    parts: dict[str, Part] = json.loads(DATA.read_text(encoding="utf-8"))["parts"] if DATA.exists() else {}
    parts[name] = part
    data = Data(machine=machine(), versions=versions, parts={name: parts[name] for name in PARTS if name in parts})
    DATA.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")


def main() -> int:
    """Measure the asked parts; the figures of the others stay."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", type=Path, help="the folder of benchmarks/peers/install")
    parser.add_argument("--earlier", type=Path, help="the Python of an earlier handoff-lsp, to compare with")
    parser.add_argument("--ours", type=Path, default=Path(sys.executable), help="the Python of this one")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), help="measure these parts alone")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--page", action="store_true", help="measure nothing: write the page from docs/speed.json")
    asked = parser.parse_args()
    if not asked.page:
        earlier = asked.earlier.absolute() if asked.earlier else None
        peers = asked.peers.resolve() if asked.peers else None
        programs = Programs(asked.ours.absolute(), earlier, peers)
        versions = programs.versions()
        for name in asked.only:
            load = f"{os.getloadavg()[0]:.1f}"
            with tempfile.TemporaryDirectory(prefix="speed-") as folder:
                tables = measured(name, programs, Path(folder).resolve(), asked)
            ran = dict(programs.commands)
            programs.commands.clear()
            part = Part(date=str(date.today()), load=load, commit=versions[OURS], commands=ran, tables=tables)
            keep(name, part, versions)
    kept = json.loads(DATA.read_text(encoding="utf-8"))
    for path in PAGES:
        path.write_text(page(path.read_text(encoding="utf-8"), kept), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
