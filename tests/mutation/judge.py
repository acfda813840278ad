"""Which tests notice a slip: all tests are collected once, and each slip is tried in a child of that process.

A child is given the changed code and runs only the tests that reach it, the fastest first, until one fails.
"""

from __future__ import annotations

import builtins
import importlib
import json
import mmap
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
    *("tests/features", "tests/reports", "tests/contracts/test_seed.py", "tests/workspace/test_packages.py"),
    *(
        f"tests/server/test_{name}.py"
        for name in ("config_files", "contract_files", "contract_uses", "diagnostics", "words")
    ),
    *(
        f"tests/cli/test_{name}.py"
        for name in ("config_show", "doctor", "export", "fix", "graph", "monitor", "new", "schema", "sync")
    ),
    *("tests/cli/hooks/test_corrections.py", "tests/cli/hooks/test_returns.py", "tests/test_json_schemas.py"),
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
    *("-p", "mutation.forked"),
    "--hypothesis-profile=ci",  # the same examples each time, without a limit of time
    *(f"--deselect={test}" for test in _SLOW),
    *TESTS,
)
# Seconds of a processor for a test beyond three times its own: a slip may make an endless loop, and a wall clock says
# little where others work.
_MORE_SECONDS = 10
_MOST_BYTES = 6_000_000_000
_MOST_FAILING = 5
_SLOW_FROM = 0.3


# By the number of a test, its seconds of a processor.
_Seconds = Mapping[int, float]


class Judge:
    """A plug-in of pytest that tries the slips in place of a run of the tests."""

    def __init__(self, slips: Mapping[int, Slip], processes: int, told: Callable[[int, str, int], None]) -> None:
        self._slips, self._processes, self._told = slips, processes, told
        self.verdicts: dict[int, str] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        _import_all()
        swap.functions()  # found once for all children
        reached, seconds = self._reached(session)
        for number, found in self._in_children({
            number: lambda slip=slip, number=number: self._verdict(session, slip, reached.get(number, ()), seconds)
            for number, slip in self._slips.items()
        }):  # fmt: skip
            self.verdicts[number] = found
            self._told(number, found, len(reached.get(number, ())))
        return True

    def _reached(self, session: pytest.Session) -> tuple[dict[int, list[int]], dict[int, float]]:
        """By slip, the numbers of the tests that reach its statement; by test, its seconds.

        A test that fails without any slip is left out: one with a limit of time may do so where others work.
        """
        parts = {part: lambda part=part: json.dumps(self._run_all(session, part)) for part in range(self._processes)}
        reached: dict[int, list[int]] = {}
        seconds: dict[int, float] = {}
        for _, told in self._in_children(parts):
            hits, took, failed = json.loads(told)
            for test in failed:
                print(f"left out, as it fails without any slip: {test}", flush=True)
            if len(failed) > _MOST_FAILING:
                raise SystemExit("too many tests fail")
            seconds.update((int(test), time) for test, time in took.items())
            for number, tests in hits.items():
                reached.setdefault(int(number), []).extend(tests)
        return reached, seconds

    def _run_all(self, session: pytest.Session, part: int) -> tuple[dict[int, list[int]], dict[int, float], list[str]]:
        hits: dict[int, list[int]] = {number: [] for number in self._slips}
        # A byte for each slip, which the servers of the tests share.
        reached = mmap.mmap(-1, max(self._slips, default=0) + 1)
        took: dict[int, float] = {}
        failed: list[str] = []
        setattr(builtins, swap.HIT, lambda number: reached.__setitem__(number, 1))
        swap.count_hits({number: slip for number, slip in self._slips.items() if swap.is_inside_functions(slip)})
        start = time.process_time()
        for test, fails in _failing(session, range(part, len(session.items), self._processes)):
            if fails:
                failed.append(session.items[test].nodeid)
            else:
                took[test] = time.process_time() - start
                for number, tests in hits.items():
                    if reached[number]:
                        tests.append(test)
            reached[:] = bytes(len(reached))
            start = time.process_time()
        return hits, took, failed

    def _verdict(self, session: pytest.Session, slip: Slip, reached: list[int], seconds: _Seconds) -> str:
        if not swap.is_inside_functions(slip) or not swap.swap(slip):
            return _in_new_process(slip)
        tests = _likeliest_first(session, slip, reached, seconds)
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))

        def limited(test: int) -> None:
            most = int(time.process_time() + 3 * seconds[test]) + _MORE_SECONDS
            resource.setrlimit(resource.RLIMIT_CPU, (most, resource.RLIM_INFINITY))

        return next((session.items[test].nodeid for test, fails in _failing(session, tests, limited) if fails), "")

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


def _failing(
    session: pytest.Session, numbers: Iterable[int], before_each: Callable[[int], None] = lambda test: None
) -> Iterator[tuple[int, bool]]:
    """Run tests by their numbers; each with whether it fails."""
    tests = [*numbers]
    for number, following in zip(tests, [*tests[1:], None], strict=False):
        before_each(number)
        before = session.testsfailed
        item, after = session.items[number], session.items[following] if following is not None else None
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        yield number, session.testsfailed > before


def _likeliest_first(session: pytest.Session, slip: Slip, numbers: Iterable[int], seconds: _Seconds) -> list[int]:
    """First the tests whose names share words with the slip's module, then the fastest ones; the slow ones at the end.

    The tests of one file stay together, as they may share a server.
    """
    words = _words(slip.path.partition("/")[2])
    files: dict[tuple[bool, str], list[tuple[bool, int, float, int]]] = {}
    for number in numbers:
        name = session.items[number].nodeid
        is_slow = seconds[number] > _SLOW_FROM
        rank = is_slow, -len(words & _words(name)), seconds[number], number
        files.setdefault((is_slow, name.partition("::")[0]), []).append(rank)
    return [number for tests in sorted(sorted(tests) for tests in files.values()) for *_, number in tests]


def _words(name: str) -> set[str]:
    return set(re.findall(r"[a-z]{4,}", name.lower()))


def _import_all() -> None:
    importlib.import_module("handoff_lsp.server.main")  # each server would load it
    for room in ROOMS:
        package = importlib.import_module(f"handoff_lsp.{room}")
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)


def judge(slips: Mapping[int, Slip], processes: int, told: Callable[[int, str, int], None]) -> dict[int, str]:
    """By number, the test that notices a slip; empty where none does."""
    judge = Judge(slips, processes, told)
    os.chdir(ROOT)
    pytest.main(["-s", *_ARGUMENTS], plugins=[judge])
    return judge.verdicts
