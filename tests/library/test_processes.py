"""The library in several threads and in other processes."""

from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest
from case_files import read_cases
from library.test_functions import PATH, SOUND, WRONG

from handoff_lsp import Project, Report, UnknownNameError, check_text

# A report with NaN is equal to no copy of it: NaN is not equal to itself.
CASES = [(case.text, case.path) for case in read_cases()[::12] if "NaN" not in case.text]


def check(case: tuple[str, str]) -> Report:
    """Check a case. A function of a module, as other processes need it."""
    return check_text(*case)


def misspelt(_: int) -> Report:
    """Raise in another process."""
    return check_text("", contract="status-blok")


def check_project(project: Project) -> list[Report]:
    """All reports of a project."""
    return list(project.check_all())


def test_threads_find_what_one_finds() -> None:
    expected = list(map(check, CASES))
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(check, CASES * 3)) == expected * 3


def test_threads_share_a_project(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"{number}-handoff.md").write_text(WRONG if number % 2 else SOUND, encoding="utf-8")
    project = Project(tmp_path)
    paths = list(project.walk())
    expected = [project.check(path) for path in paths]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(project.check, paths * 5)) == expected * 5


def test_new_processes_find_the_same_and_their_reports_come_back(tmp_path: Path) -> None:
    """``spawn``: a new interpreter, which has nothing of this one."""
    (tmp_path / "a-handoff.md").write_text(WRONG, encoding="utf-8")
    project = Project(tmp_path)
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(check, CASES, chunksize=10))
        assert found == list(map(check, CASES))
        assert [report.feedback() for report in found] == [check(case).feedback() for case in CASES]
        with pytest.raises(UnknownNameError, match="did you mean `status-block`"):
            pool.submit(misspelt, 0).result()
        assert pool.submit(check_project, project).result() == list(project.check_all())


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_reports_of_all_cases_survive_pickling(protocol: int) -> None:
    for case in CASES:
        report = check(case)
        again = pickle.loads(pickle.dumps(report, protocol))
        assert (again, again.feedback(), hash(again)) == (report, report.feedback(), hash(report))


def test_a_pickled_project_is_its_folder(tmp_path: Path) -> None:
    (tmp_path / PATH).parent.mkdir(parents=True)
    (tmp_path / PATH).write_text(WRONG, encoding="utf-8")
    again = pickle.loads(pickle.dumps(Project(tmp_path)))
    assert again.root == tmp_path
    assert again.check(PATH).errors
