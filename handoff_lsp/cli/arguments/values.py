"""The types of argument values: each turns the given text into a value, or says why it cannot."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from handoff_lsp.cli.usage import did_you_mean


def one_of(*known: str) -> Callable[[str], str]:
    def read(given: str) -> str:
        if given not in known:
            meant = did_you_mean(given, known) or f": it is one of {', '.join(known)}"
            raise argparse.ArgumentTypeError(f"unknown value `{given}`{meant}")
        return given

    read.known = known  # type: ignore[attr-defined]  # for completion in a shell
    return read


def format_name(given: str) -> str:
    from handoff_lsp.cli.output.format import FORMATS

    return one_of(*FORMATS)(given)


def format_and_file(given: str) -> tuple[str, str]:
    """A format and a file, as in `sarif:findings.sarif`."""
    name, colon, path = given.partition(":")
    if not colon:
        raise argparse.ArgumentTypeError(f"`{given}` is not FORMAT:FILE, such as sarif:findings.sarif")
    if not path or path == "-":
        raise argparse.ArgumentTypeError(f"`{given}` names no file; standard output has `--output-format`")
    return format_name(name), path


def language(given: str) -> str:
    from handoff_lsp.language import known_language, languages

    known = known_language(given)
    if known is None:
        raise argparse.ArgumentTypeError(f"unknown language `{given}`: it is one of {', '.join(languages())}")
    return known


def port(given: str) -> int:
    if not given.isdecimal() or int(given) > 65_535:
        raise argparse.ArgumentTypeError(f"`{given}` is not a port")
    return int(given)


def pause(given: str) -> float:
    """A pause in seconds."""
    try:
        seconds = float(given)
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{given}` is no number of seconds; a PATH comes before --watch") from None
    if not 0.1 <= seconds <= 86_400:
        raise argparse.ArgumentTypeError(f"`{given}` is not between 0.1 and 86400 seconds")
    return seconds


def time_span(given: str) -> float:
    """A length of time in seconds."""
    units = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
    number, unit = given[:-1], given[-1:]
    if unit not in units or not number.isdecimal() or not number.isascii() or len(number) > 6 or not int(number):
        raise argparse.ArgumentTypeError(f"`{given}` is no length of time such as 90s, 45m, 2h or 1d")
    return float(int(number) * units[unit])


def beginning(given: str) -> float:
    """A time in the past, in seconds since 1970: a length of time before now, or the beginning of a local day."""
    import time
    from datetime import date, datetime

    try:
        day = date.fromisoformat(given)
    except ValueError:
        try:
            return time.time() - time_span(given)
        except argparse.ArgumentTypeError:
            raise argparse.ArgumentTypeError(
                f"`{given}` is no length of time such as 7d or 24h, and no date such as 2026-02-08"
            ) from None
    return datetime(day.year, day.month, day.day).astimezone().timestamp()
