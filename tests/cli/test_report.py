"""``handoff-lsp report``: the page about the handoffs of folders and of work trees, as data and as HTML."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
from cli.documents import BAD
from repositories import Repository
from tinyhtml5.parser import HTMLParser

from handoff_lsp.cli.main import main
from handoff_lsp.cli.report.data import Collected, HandoffRow, TimelineEntry
from handoff_lsp.cli.report.flow import hand_overs, in_order, ordered
from handoff_lsp.cli.report.page import page_of
from handoff_lsp.features.decision.hand_over import NamedAgent
from handoff_lsp.reports.make import problem_of

EXAMPLES = Path(__file__).parents[2] / "examples"
HOSTILE = "<script>alert('1')</script> \"&amp; \u202eabc\x1b[31m \ufffe \U0001f4a5 שלום"
Tree = Element
Report = Callable[..., Tree]


def tree_of(page: str) -> Tree:
    """The page, if it is HTML without any error."""
    parser = HTMLParser(namespace_html_elements=False)
    tree = parser.parse(page)
    assert parser.errors == []
    for element in tree.iter():
        element.tag = str(element.tag).rpartition("}")[2]  # without the namespace of SVG
    return tree


def words(element: Element | None) -> str:
    assert element is not None
    return " ".join("".join(element.itertext()).split())


def section(tree: Tree, name: str) -> Element:
    found = tree.find(f".//section[@id='{name}']")
    assert found is not None, f"no section {name}"
    return found


def cells(part: Element) -> list[list[str]]:
    """The first table of a part, row by row."""
    table = next(part.iter("table"))
    return [[words(cell) for cell in row if cell.tag in ("th", "td")] for row in table.iter("tr")][1:]


@pytest.fixture
def report(capfdbinary: pytest.CaptureFixture[bytes]) -> Report:
    """The page of the command."""

    def run(*arguments: str, code: int = 0) -> Tree:
        assert main(["report", *arguments]) == code
        return tree_of(capfdbinary.readouterr().out.decode("utf-8"))

    return run


# The examples


def test_what_needs_a_person_comes_first(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    tree = report()
    cards = [words(card) for card in section(tree, "stopped").iter("li")]
    assert cards[0].startswith("Backend Developer ■stop missing or unknown status: treated as failed")
    assert [re.findall("■stop|[?]ask", card) for card in cards] == [["■stop"], *[["?ask"]] * 5]
    assert words(tree.find(".//header/p")) == "6 of 9 handoffs wait for a person."


def test_the_words_for_a_decision_are_those_of_parse(
    report: Report, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(EXAMPLES)
    rows = {re.split(r":\d+ · ", row[0])[0].split()[-1]: row[2] for row in cells(section(report(), "handoffs"))}
    main(["parse", ".", "--output-format", "json"])
    lines = capfdbinary.readouterr().out.decode("utf-8").splitlines()
    parsed = {found["path"]: found["routing"] for line in lines if (found := json.loads(line))["routing"]}
    place = {path: next(full for full in rows if full.endswith(path)) for path in parsed}
    for path, routing in parsed.items():
        shown = rows[place[path]]
        assert routing["action"] in shown.split()[0]
        said = (routing["brief"], routing["reason"].replace("`", ""))
        assert any(one.rstrip(".").casefold() in shown.casefold() for one in said), path


def test_hand_overs_are_drawn_and_listed(report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    flow = section(report(), "flow")
    rows = cells(flow)
    assert ["Backend Reviewer", "Backend Developer", "1 retry"] in rows
    assert ["Backend Developer", "dod-checker", "1 stop"] in rows
    assert ["worker-7f3a", "a person", "2 ask"] in rows  # it names no next agent
    drawing = flow.find(".//svg")
    assert drawing is not None
    named = [words(drawing.find(f".//*[@id='{name}']")) for name in drawing.attrib["aria-labelledby"].split()]
    assert named[0] == "Agents and their hand-overs"
    assert {"Backend Developer", "dod-checker", "a person"} <= {words(text) for text in drawing.iter("text")}
    assert len([group for group in drawing.iter("g") if group.get("class", "").startswith("to ")]) == len(rows)


def test_the_timeline_has_the_entries_of_logs_and_the_times_of_handoffs(
    report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(EXAMPLES)
    timeline = section(report("worktree"), "timeline")
    assert [words(entry) for entry in timeline.iter("li")] == [
        "10:45:00 worker-7f3a completed ?ask marked completed, but its success criteria did not pass",
        "10:44:00 worker-7f3a STATUS blocked",
        "10:40:00 worker-7f3a TEST npm test -- export FAIL",
        "10:20:00 worker-7f3a COMMIT wip: add the button",
        "10:15:00 worker-7f3a READ src/export.ts",
        "10:00:00 worker-7f3a START Task: Add the export button",
    ]
    assert [words(day) for day in timeline.iter("h3")] == ["Sunday, 2026-02-08"]


def test_the_timeline_has_a_time_of_any_year(report: Report, tmp_path: Path) -> None:
    log = tmp_path / ".agent/activity.log"
    log.parent.mkdir()
    log.write_text("0001-01-01T00:00:00Z [START] go\n2026-02-08T10:00:00Z [STATUS] running\n", "utf-8")
    timeline = section(report(str(tmp_path)), "timeline")
    assert [head.text for head in timeline.iterfind(".//h3/time")] == ["Sunday, 2026-02-08", "Monday, 0001-01-01"]
    assert timeline.findall(".//li/time")[-1].get("datetime") == "0001-01-01T00:00:00Z"


def test_the_findings_are_those_of_check_with_their_pages(
    report: Report, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(EXAMPLES)
    part = section(report(), "findings")
    main(["check", "--output-format", "json", "--exit-zero"])
    found = json.loads(capfdbinary.readouterr().out)
    findings = found if isinstance(found, list) else found["findings"]
    shown = [item for details in part.iter("details") for item in details.iter("li")]
    assert len(shown) == len(findings) > 10
    links = {link.attrib["href"] for item in shown for link in item.iter("a")}
    assert {link.rstrip("/").rpartition("/")[2] for link in links} == {
        finding.get("code") or finding["rule"] for finding in findings
    }


# Safety and bounds


def made(**changed: object) -> HandoffRow:
    """A handoff that advances."""
    a, b = (NamedAgent(name.casefold(), name) for name in "AB")
    row = HandoffRow("a.md", 1, "status-block", a, True, (b,), "complete", "advance", "next is B", "", 0, 0, None)
    return replace(row, **changed)  # type: ignore[arg-type]


def test_hostile_texts_stay_texts() -> None:
    agent = NamedAgent("hostile", HOSTILE)
    collected = Collected(HOSTILE, 0.0, handoffs=[made(path=HOSTILE, sender=agent, receivers=(agent,), status=HOSTILE)])
    collected.handoffs.append(made(action="stop", decision=f"`{HOSTILE}`", rest=HOSTILE, contract=HOSTILE))
    collected.events.append(TimelineEntry(0.0, HOSTILE, HOSTILE, HOSTILE, HOSTILE))
    collected.unread.append((HOSTILE, HOSTILE))
    page = page_of(collected)
    tree = tree_of(page)
    assert list(tree.iter("script")) == []
    assert [key for element in tree.iter() for key in element.attrib if str(key).startswith("on")] == []
    assert not set("\u202e\x1b\ufffe") & set(page)
    assert "<script>alert('1')</script> \"&amp;" in words(tree.find(".//h1"))


def test_a_hostile_document_stays_text(report: Report, tmp_path: Path) -> None:
    text = BAD.replace("Backend", HOSTILE).replace("did it", HOSTILE).replace("compleet", HOSTILE)
    (tmp_path / "x-handoff.md").write_text(text, "utf-8")
    tree = report(str(tmp_path))
    assert not [*tree.iter("script"), *tree.iter("img")]


def test_the_page_may_load_nothing_but_its_style(report: Report) -> None:
    tree = report(str(EXAMPLES))
    policy = next(meta.attrib["content"] for meta in tree.iter("meta") if meta.get("http-equiv"))
    (style,) = (element.text or "" for element in tree.iter("style"))
    digest = b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    assert policy.startswith(f"default-src 'none'; style-src 'sha256-{digest}';")
    assert [element.tag for element in tree.iter() if "src" in element.attrib or "style" in element.attrib] == []
    assert "url(" not in style
    assert "@import" not in style


def test_headings_are_in_order_and_tables_have_heads(report: Report) -> None:
    tree = report(str(EXAMPLES))
    levels = [int(element.tag[1]) for element in tree.iter() if re.fullmatch(r"h\d", str(element.tag))]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    for table in tree.iter("table"):
        assert table[0].tag == "caption"
        assert {head.get("scope") for head in table.iter("th")} == {"col", "row"}
    anchors = {link.attrib["href"][1:] for link in tree.iter("a") if link.attrib["href"].startswith("#")}
    assert anchors <= {element.attrib["id"] for element in tree.iter() if "id" in element.attrib}


def test_the_same_input_gives_the_same_page() -> None:
    pages = {page_of(Collected("shop", 86_400.0, handoffs=[made(), made(action="ask")])) for _ in range(2)}
    assert len(pages) == 1
    assert "1970-01-02 00:00 UTC" in pages.pop()


def test_ten_thousand_handoffs_make_a_page_that_opens() -> None:
    collected = Collected("shop", 0.0)
    for number in range(10_000):
        agent, other = (NamedAgent(f"a{n}", f"Agent {n}") for n in (number, number + 1))
        action = ("stop", "ask", "retry", "continue", "advance")[number // 2_000]
        collected.handoffs.append(made(path=f"{number}.md", sender=agent, receivers=(other,), action=action))
        found = (problem_of(f"{number}.md", "empty-value", f"`{'x' * 100}` is empty", 1, (1, 1)) for _ in range(4))
        collected.findings[f"{number}.md"] = tuple(found)
        collected.events.append(TimelineEntry(float(number), agent.name, "STATUS", "running", "a.log"))
    page = page_of(collected)
    assert len(page) < 1_000_000
    tree = tree_of(page)
    assert "3,900 handoffs left out" in words(section(tree, "stopped"))
    assert "9,500 handoffs left out: 1,500 stop, 2,000 ask" in words(section(tree, "handoffs"))
    assert "of 10,000 are drawn" in words(section(tree, "flow"))
    assert "9,800 files left out" in words(section(tree, "findings"))
    assert "9,700 older lines left out" in words(section(tree, "timeline"))


# Hand-overs


def test_a_chain_is_in_order_and_a_cycle_ends() -> None:
    a, b, c = (NamedAgent(name, name.upper()) for name in "abc")
    pairs = ((b, c), (a, b), (c, a), (a, b))
    edges = ordered(hand_overs([made(sender=sender, receivers=(receiver,)) for sender, receiver in pairs]))
    totals = [(one.sender.name, one.receiver.name, one.total) for one in edges]
    assert totals == [("A", "B", 2), ("B", "C", 1), ("C", "A", 1)]
    assert [agent.name for agent in in_order(edges)] == ["A", "B", "C"]


def test_without_a_next_agent_only_what_needs_a_person_goes_somewhere() -> None:
    edges = hand_overs([made(receivers=()), made(receivers=(), action="ask")])
    assert [(one.sender.name, one.receiver.name, one.total) for one in edges] == [("A", "a person", 1)]


def test_an_agent_has_one_box_for_all_its_spellings(report: Report, tmp_path: Path) -> None:
    (tmp_path / "dev-handoff.md").write_text(BAD, "utf-8")
    reviewer = BAD.replace("Backend Developer", "Backend Reviewer").replace("dod-checker", "backend-dev")
    (tmp_path / "reviewer-handoff.md").write_text(reviewer, "utf-8")
    assert [row[:2] for row in cells(section(report(str(tmp_path)), "flow"))] == [
        ["Backend Reviewer", "Backend Developer"],
        ["Backend Developer", "dod-checker"],
    ]


def test_a_word_that_means_no_agent_is_none(report: Report, tmp_path: Path) -> None:
    (tmp_path / "dev-handoff.md").write_text(BAD.replace("dod-checker", "stop, surface to human"), "utf-8")
    assert [row[:2] for row in cells(section(report(str(tmp_path)), "flow"))] == [["Backend Developer", "a person"]]


# The command


def test_the_page_goes_to_a_file_and_replaces_the_last_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = tmp_path / "report.html"
    page.write_text("old")
    assert main(["report", str(EXAMPLES), "-o", "report.html"]) == 0
    tree_of(page.read_text("utf-8"))


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["-o", "a-handoff.md"], "`a-handoff.md`: the file name must end in `.html`"),
        (["-o", "gone/report.html"], "no such folder: gone"),
        (["-o", "folder.html"], "folder.html is a folder"),
        (["--worktrees", "gone"], "no such folder: gone"),
        (["--worktrees", ".", "folder.html"], "`--worktrees` takes one folder"),
        (["--worktrees"], "no git repository"),
    ],
)
def test_wrong_arguments(
    arguments: list[str],
    error: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a-handoff.md").write_text("mine")
    (tmp_path / "folder.html").mkdir()
    assert main(["report", *arguments]) == 2
    assert error in capsys.readouterr().err
    assert (tmp_path / "a-handoff.md").read_text() == "mine"


def test_a_working_folder_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert main(["report"]) == 2
    assert "the working folder is gone" in capsys.readouterr().err


def test_an_unreadable_file_is_named_on_the_page(report: Report, tmp_path: Path) -> None:
    (tmp_path / "dev-handoff.md").write_text(BAD, "utf-8")
    (tmp_path / "b-handoff.md").write_bytes(b"\xff\xfe\x00\xd8 \x00")
    tree = report(str(tmp_path), str(tmp_path / "gone.md"), code=2)
    assert "gone.md" in words(tree.find(".//footer"))
    assert len(cells(section(tree, "handoffs"))) == 1


def test_a_folder_without_handoffs_says_so(report: Report, tmp_path: Path) -> None:
    tree = report(str(tmp_path))
    assert words(tree.find(".//header/p")) == "No handoff was found."
    assert list(tree.iter("section")) == []


# Work trees


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository with a handoff on ``main``, a work tree of a blocked agent and one that is gone."""
    shop = Repository.new(tmp_path / "shop")
    shop.write(".gitignore", ".agent/\n")
    shop.write("dev-handoff.md", BAD)
    shop.commit("start", ".gitignore", "dev-handoff.md")
    tree = shop.worktree(tmp_path / "shop--worker-a1b2", "-b", "agent/worker-a1b2")
    state = json.loads((EXAMPLES / "worktree" / ".agent" / "status.json").read_text("utf-8"))
    tree.write(".agent/status.json", json.dumps({**state, "agent_id": "worker-a1b2", "status": "blocked"}))
    tree.write(".agent/activity.log", "2026-02-08T10:00:00Z [START] Task: <b>bold</b>\n")
    shop.worktree(tmp_path / "gone", "-b", "gone")
    (tmp_path / "gone" / ".git").unlink()
    (tmp_path / "gone" / ".gitignore").unlink()
    (tmp_path / "gone" / "dev-handoff.md").unlink()
    (tmp_path / "gone").rmdir()
    monkeypatch.chdir(shop.path)
    return shop


def test_work_trees_have_their_agents_and_handoffs(report: Report, shop: Repository) -> None:
    tree = report("--worktrees")
    agents = {row[0].split()[0]: row for row in cells(section(tree, "agents"))}
    assert {name: row[1] for name, row in agents.items()} == {
        "main": "-",
        "worker-a1b2": "blocked",
        "gone": "gone",
    }
    places = [row[0] for row in cells(section(tree, "handoffs"))]
    assert len([place for place in places if "dev-handoff.md" in place]) == 1  # the same in both work trees
    assert len([place for place in places if "shop--worker-a1b2/.agent/status.json" in place]) == 1
    assert "1 file that several work trees share counted once." in words(tree.find(".//footer"))
    assert "Task: <b>bold</b>" in words(section(tree, "timeline"))
    assert str(shop.path.parent) not in words(tree)


@pytest.mark.parametrize(("result", "actions"), [("PASS", ["advance"]), ("FAIL", ["ask", "advance"])])
def test_the_same_text_beside_other_files_counts_of_its_own(
    result: str, actions: list[str], report: Report, shop: Repository
) -> None:
    state = json.loads((EXAMPLES / "worktree" / ".agent" / "status.json").read_text("utf-8"))
    state |= {"status": "completed", "progress": "4/4: Done", "success_criteria": {"type": "test", "passed": True}}
    for name, last in (("a", "PASS"), ("b", result)):
        tree = shop.worktree(shop.path.parent / name, "-b", name)
        tree.write(".agent/status.json", json.dumps(state | {"agent_id": "worker-c3d4"}))
        tree.write(".agent/activity.log", f"2026-02-08T10:00:00Z [TEST] npm test -- {last}\n")
    rows = [row for row in cells(section(report("--worktrees"), "handoffs")) if "worker-c3d4" in row[0]]
    assert [row[2].split()[0][1:] for row in rows if "status.json" in row[0]] == actions


def test_work_trees_of_the_same_name_lose_nothing(report: Report, shop: Repository) -> None:
    shop.git("rm", "-q", "dev-handoff.md")
    for number in "12":
        tree = shop.worktree(shop.path.parent / number / "shop", "-b", number)
        tree.write("dev-handoff.md", BAD + "\n" * int(number))
    page = report("--worktrees")
    files = [words(file) for file in section(page, "findings").iterfind(".//details/summary")]
    assert [file.split()[0] for file in files if "dev-handoff.md" in file] == [
        "1/shop/dev-handoff.md",
        "2/shop/dev-handoff.md",
        "shop--worker-a1b2/dev-handoff.md",
    ]
    places = [row[0] for row in cells(section(page, "handoffs"))]
    assert len([place for place in places if "/shop/dev-handoff.md" in place]) == 2
    assert str(shop.path.parent) not in words(page)


def test_a_changed_copy_counts_of_its_own(report: Report, shop: Repository) -> None:
    other = shop.path.parent / "shop--worker-a1b2" / "dev-handoff.md"
    other.write_text(BAD.replace("compleet", "complete"), "utf-8")
    places = [row[0] for row in cells(section(report("--worktrees"), "handoffs"))]
    assert len([place for place in places if "dev-handoff.md" in place]) == 2
