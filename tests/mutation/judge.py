"""Which tests notice a slip: all tests are collected once, and each slip is tried in a child of that process.

A child is given the changed code and runs only the tests that reach it, the fastest first, until one fails.
"""

from __future__ import annotations

import builtins
import importlib
import json
import os
import pkgutil
import re
import resource
import selectors
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping

import pytest

from mutation import swap
from mutation.imported import SLIP
from mutation.sample import ROOMS, ROOT, Slip

TESTS = (
    *("tests/test_cases.py", "tests/rules", "tests/binding", "tests/own", "tests/prompts", "tests/editing"),
    *("tests/features", "tests/reports"),
)
# Each of these takes longer than all cases of the findings, and says little about one function.
_SLOW = (
    "tests/features/test_doctor.py::test_pages_about_handoffs_start_no_server",
    "tests/features/test_decisions.py",
    "tests/features/schemas/test_fields_schema.py::test_what_parse_prints_is_valid",
    "tests/prompts/test_reading.py::test_hostile_prompts_are_read_in_linear_time",
)
_ARGUMENTS = (
    *("-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not heavy", "-k", "not CRLF"),
    *(f"--deselect={test}" for test in _SLOW),
    *TESTS,
)
# Seconds of a processor for a slip beyond three times those of its tests: it may make an endless loop, and a wall clock
# says little where others work.
_MORE_SECONDS = 20
_MOST_BYTES = 6_000_000_000


class Judge:
    """A plug-in of pytest that tries the slips in place of a run of the tests."""

    def __init__(self, slips: Mapping[int, Slip], processes: int, told: Callable[[int, str], None]) -> None:
        self._slips, self._processes, self._told = slips, processes, told
        self.verdicts: dict[int, str] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        _import_all()
        reached, seconds = self._reached(session)
        for number, found in self._in_children({
            number: lambda slip=slip, number=number: self._verdict(session, slip, reached.get(number, ()), seconds)
            for number, slip in self._slips.items()
        }):  # fmt: skip
            self.verdicts[number] = found
            self._told(number, found)
        return True

    def _reached(self, session: pytest.Session) -> tuple[dict[int, list[int]], dict[int, float]]:
        """By slip, the numbers of the tests that reach its function; by test, its seconds. All tests must pass."""
        parts = {part: lambda part=part: json.dumps(self._run_all(session, part)) for part in range(self._processes)}
        reached: dict[int, list[int]] = {}
        seconds: dict[int, float] = {}
        for _, told in self._in_children(parts):
            hits, took, failed = json.loads(told)
            if failed:
                raise SystemExit(f"this test fails without any slip: {failed}")
            seconds.update((int(test), time) for test, time in took.items())
            for number, tests in hits.items():
                reached.setdefault(int(number), []).extend(tests)
        return reached, seconds

    def _run_all(self, session: pytest.Session, part: int) -> tuple[dict[int, list[int]], dict[int, float], str]:
        hits: dict[int, set[int]] = {number: set() for number in self._slips}
        took: dict[int, float] = {}
        current = 0
        setattr(builtins, swap.HIT, lambda number: hits[number].add(current))
        for number, slip in self._slips.items():
            if swap.is_inside_functions(slip):
                swap.count_hits(slip, number)
        start = time.process_time()
        tests = range(part, len(session.items), self._processes)
        current = tests[0]
        for test, fails in _failing(session, tests):
            if fails:
                return {}, {}, session.items[test].nodeid
            took[test] = time.process_time() - start
            start, current = time.process_time(), test + self._processes
        return {number: sorted(tests) for number, tests in hits.items()}, took, ""

    def _verdict(self, session: pytest.Session, slip: Slip, reached: list[int], seconds: dict[int, float]) -> str:
        if not swap.is_inside_functions(slip) or not swap.swap(slip):
            return _in_new_process(slip)
        tests = _fastest_first(session, reached, seconds)
        most = int(time.process_time() + 3 * sum(seconds[test] for test in tests)) + _MORE_SECONDS
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))
        return next((session.items[test].nodeid for test, fails in _failing(session, tests) if fails), "")

    def _in_children(self, works: Mapping[int, Callable[[], str]]) -> Iterator[tuple[int, str]]:
        """What each work answers; "no end" for one that dies of its limits."""
        waiting, answers = list(works), dict[int, bytes]()
        with selectors.DefaultSelector() as selector:
            while waiting or answers:
                while waiting and len(answers) < self._processes:
                    number = waiting.pop(0)
                    reader, writer = os.pipe()
                    if not (child := os.fork()):
                        _work(works[number], writer)
                    os.close(writer)
                    selector.register(reader, selectors.EVENT_READ, (number, child))
                    answers[number] = b""
                for key, _ in selector.select():
                    number, child = key.data
                    piece = os.read(key.fd, 1 << 16)
                    answers[number] += piece
                    if not piece:
                        selector.unregister(key.fd)
                        os.close(key.fd)
                        os.waitpid(child, 0)
                        answer = answers.pop(number)
                        if answer.startswith(b"!"):
                            raise RuntimeError(answer.decode())
                        yield number, answer.decode().removeprefix("=") if answer.startswith(b"=") else "no end"


def _in_new_process(slip: Slip) -> str:
    """The test that notices a slip in what a module does when it is imported."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "--tb=no", "-p", "mutation.imported", *_ARGUMENTS],
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'tests'}{os.pathsep}{ROOT}", SLIP: json.dumps(slip)},
        cwd=ROOT, capture_output=True, text=True, errors="replace",
    )  # fmt: skip
    found = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", run.stdout, re.M)
    return "" if not run.returncode else found[1] if found else "no start"


def _work(work: Callable[[], str], writer: int) -> None:
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    answer = b""
    try:
        answer = ("=" + work()).encode()
    except MemoryError:
        pass
    except BaseException:
        answer = b"!" + traceback.format_exc().encode()
    finally:
        with os.fdopen(writer, "wb") as file:
            file.write(answer)
        os._exit(0)


def _failing(session: pytest.Session, numbers: Iterable[int]) -> Iterator[tuple[int, bool]]:
    """Run tests by their numbers; each with whether it fails."""
    tests = [*numbers]
    for number, following in zip(tests, [*tests[1:], None], strict=False):
        before = session.testsfailed
        item, after = session.items[number], session.items[following] if following is not None else None
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        yield number, session.testsfailed > before


def _fastest_first(session: pytest.Session, numbers: Iterable[int], seconds: Mapping[int, float]) -> list[int]:
    """The tests of one file stay together, as they may share a server."""
    files: dict[str, list[int]] = {}
    for number in sorted((one for one in numbers if one in seconds), key=seconds.__getitem__):
        files.setdefault(session.items[number].nodeid.partition("::")[0], []).append(number)
    return [number for _, tests in sorted(files.items(), key=lambda file: seconds[file[1][0]]) for number in tests]


def _import_all() -> None:
    for room in ROOMS:
        package = importlib.import_module(f"handoff_lsp.{room}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)


def judge(slips: Mapping[int, Slip], processes: int, told: Callable[[int, str], None]) -> dict[int, str]:
    """By number, the test that notices a slip; empty where none does."""
    judge = Judge(slips, processes, told)
    os.chdir(ROOT)
    pytest.main(["-s", *_ARGUMENTS], plugins=[judge])
    return judge.verdicts
