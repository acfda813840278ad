"""The pages of ``report`` and ``graph`` as a reader sees them: opened in Chromium, light and dark, narrow and wide."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from handoff_lsp.cli.graph.page import GraphPage
from handoff_lsp.cli.graph.page import page_of as graph_page_of
from handoff_lsp.cli.main import main
from handoff_lsp.cli.report.data import Collected, HandoffRow, TimelineEntry
from handoff_lsp.cli.report.page import page_of
from handoff_lsp.features.decision.hand_over import NamedAgent

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("examples", "many", "none", "prompts", "many prompts", "no prompts")
LOOKS = [(width, scheme) for width in (390, 1440) for scheme in ("light", "dark")]


@pytest.fixture(scope="module")
def axe() -> str:
    """axe-core, which checks a page for its readers' programs."""
    found = find_spec("axe_playwright_python")
    if found is None or found.origin is None:
        pytest.skip("no axe-core: requirements/editors.txt has it")
    return Path(found.origin).with_name("axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The examples; many agents with long names that no line can break; and nothing. Then the same of prompts."""
    folder = tmp_path_factory.mktemp("pages")
    found = {name: folder / f"{name}.html" for name in NAMES}
    assert main(["report", str(EXAMPLES), "-o", str(found["examples"])]) == 0
    many = Collected("x" * 300, 0.0)
    for number in range(60):
        sender, receiver = (NamedAgent(f"a{n}", f"{'名前' * 40}{n}") for n in (number % 9, number * 5 % 11))
        action = ("stop", "ask", "retry", "continue", "advance")[number % 5]
        texts = {"status": "z" * 90, "decision": "w" * 300, "rest": "v" * 300, "updated": None}
        row = HandoffRow("y" * 200, 1, "c", sender, True, (receiver,), action=action, errors=1, warnings=1, **texts)
        many.handoffs.append(row)
        many.events.append(TimelineEntry(0.0, "u" * 90, "t" * 90, "s" * 300, "a.log", action))
    found["many"].write_text(page_of(many), encoding="utf-8")
    found["none"].write_text(page_of(Collected("none", 0.0)), encoding="utf-8")
    pack = Path(shutil.copytree(EXAMPLES / "pack", folder / "pack"))
    (pack / ".git").mkdir()
    assert main(["graph", str(pack), "-o", str(found["prompts"])]) == 0
    for number in range(40):
        known = ("complete", "blocked", "failed", "incomplete")
        values = " | ".join(f"`{value}`" for bit, value in enumerate(known) if (number % 15 + 1) >> bit & 1)
        text = f"Return `Status`, `Status reason`, `Abstract`.\n\n- `status`: {values}\n- `next_phase`: `reviewer`\n"
        (pack / "agents" / f"{'n' * 90}-{number}.md").write_text(text, encoding="utf-8")
    assert main(["graph", str(pack), "-o", str(found["many prompts"])]) == 0
    found["no prompts"].write_text(graph_page_of(GraphPage("none", 0.0, ())), encoding="utf-8")
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_a_page_is_whole_and_accessible(
    browser: Any, axe: str, pages: dict[str, Path], name: str, width: int, scheme: str
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda sent: asked.append(sent.url))
    page.on("console", lambda said: complaints.append(said.text))
    page.goto(pages[name].as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    red = int(ground.removeprefix("rgb(").partition(",")[0])
    assert (red < 60) == (scheme == "dark")  # so the policy lets its style in
    page.evaluate(axe)
    results = page.evaluate("axe.run()")
    assert [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in results["violations"]] == []
    assert len(results["passes"]) > 10
    assert asked == [pages[name].as_uri()]
    assert complaints == []
    context.close()


@pytest.mark.parametrize("name", ["many", "many prompts"])
def test_the_drawing_stays_in_its_frame(browser: Any, pages: dict[str, Path], name: str) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 900})
    page.goto(pages[name].as_uri())
    outside = """[...document.querySelectorAll('svg rect, svg text')].filter(part => {
        const frame = part.ownerSVGElement.getBoundingClientRect(), box = part.getBoundingClientRect()
        return box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1
    }).length"""
    assert page.evaluate("document.querySelectorAll('svg rect').length") > 20
    assert page.evaluate(outside) == 0
    page.close()


@pytest.mark.parametrize(
    ("name", "picture", "first", "last", "least"),
    [
        ("examples", "report.png", "#stopped", "#flow svg", 600),
        ("prompts", "graph.png", "#pack0-status-block", "#pack0-status-block svg", 300),
    ],
)
def test_the_pictures_of_the_docs(
    browser: Any,
    pages: dict[str, Path],
    tmp_path: Path,
    name: str,
    picture: str,
    first: str,
    last: str,
    least: int,
) -> None:
    """`make screenshots` keeps them. They have no time and no version in them."""
    page = browser.new_page(viewport={"width": 900, "height": 900}, color_scheme="light")
    page.goto(pages[name].as_uri())
    top, drawing = (page.locator(one).first.bounding_box() for one in (first, last))
    height = drawing["y"] + drawing["height"] - top["y"]
    shot = tmp_path / picture
    page.screenshot(path=shot, full_page=True, clip={"x": 0, "y": top["y"] - 12, "width": 900, "height": height + 36})
    page.close()
    assert height > least
    images = os.environ.get("HANDOFF_LSP_IMAGES")
    if images:
        from PIL import Image  # needed only to remake the picture

        with Image.open(shot) as image:
            image.convert("RGB").quantize(64).save(Path(images) / picture, optimize=True)
