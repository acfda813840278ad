"""VS Code's workbench in a user's words: open, type, problems, quick fixes, views."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from editors.vscode.probes import LINES, PROBLEMS, SQUIGGLES
from editors.vscode.window import ATTEMPT, PATIENCE, Window

if TYPE_CHECKING:
    from playwright.sync_api import Locator


@dataclass(frozen=True)
class Problem:
    """A row of the Problems panel."""

    file: str
    severity: str
    message: str
    source: str
    code: str
    at: str


# Opens a folder or a file of it in a window: `open_window(folder, file, settings={…})`.
Open = Callable[..., "Workbench"]


class Workbench(Window):
    # ── files and text

    def open_file(self, path: str) -> None:
        """Open a file by its path in the workspace, through Quick Open."""
        name = Path(path).name
        self.palette("Control+P", path, self.page.get_by_text(name, exact=True))
        self.eventually(self.active_file, name)
        self.eventually(self.text, bool)
        self.focus()

    def active_file(self) -> str | None:
        tab = self.page.locator(".editor-group-container.active .tab.active")
        if not tab.count():
            return None
        name = tab.get_attribute("data-resource-name") or ""
        return tab.get_attribute("aria-label") if name.startswith("webview-") else name

    def click_tab(self, text: str) -> None:
        self.page.locator(".tab").filter(has_text=text).first.click(timeout=PATIENCE * 1000)

    def focus(self) -> None:
        """Move the keyboard focus into the editor."""
        self.until_shown(lambda: self.press("Control+1"), self.page.locator(".editor-instance .monaco-editor.focused"))

    def go_to(self, line: int, column: int = 1) -> None:
        box = self.page.locator(".quick-input-widget input.input").first

        def went() -> bool:
            self.until_shown(lambda: self.press("Control+G"), box)
            box.fill(f":{line}:{column}", timeout=ATTEMPT)
            box.press("Enter", timeout=ATTEMPT)
            box.wait_for(state="hidden", timeout=ATTEMPT)
            return True

        self.eventually(went, True)
        place = f"Ln {line}, Col {column}"
        self.eventually(self.status, lambda items: any(place in item for item in items))

    def select_line(self, line: int) -> None:
        """Its text, without its end."""
        self.go_to(line)
        self.press("Home", "Shift+End")

    def save(self) -> None:
        self.press("Control+S")
        self.eventually(lambda: self.page.locator(".tab.active.dirty").count(), 0)

    def lines(self) -> list[str]:
        """The text of the active editor."""
        shown = self.page.locator(".editor-group-container.active .editor-instance .view-lines .view-line")
        return list(shown.evaluate_all(LINES))

    def text(self) -> str:
        return "\n".join(self.lines())

    def preview(self) -> Locator:
        """The body of the Markdown preview that is shown."""
        outer = self.page.frame_locator("iframe.webview.ready").last
        return outer.frame_locator("iframe#active-frame").locator("body")

    # ── results of the server

    def squiggles(self) -> list[tuple[str, str]]:
        """The severity and the text of each, from the top."""
        return [(kind, text) for kind, text in self.page.evaluate(SQUIGGLES)]

    def problems(self, file: str) -> list[Problem]:
        """The rows of a file in the Problems panel, which is opened and filtered for it."""
        panel = self.page.locator(".markers-panel")
        if not panel.is_visible():
            self.until_shown(lambda: self.run_command("Problems: Focus on Problems View"), panel)
        box = self.page.locator(".viewpane-filter:visible input, .markers-panel-action-filter:visible input").first
        if box.count() and box.input_value() != f"**/{file}":
            box.fill(f"**/{file}")
        rows = panel.locator(".monaco-list-row").evaluate_all(PROBLEMS)
        return [Problem(**row) for row in rows if row["file"] == file]

    def quick_fixes(self) -> list[str]:
        """The code actions at the cursor. The menu stays open for `take`."""
        menu = self.page.locator(".action-widget")
        self.until_shown(lambda: self.press("Control+."), menu.locator(".monaco-list-row"))
        rows = menu.locator(".monaco-list-row.action").all_inner_texts()
        return [" ".join(text.split()) for text in rows]

    def take(self, title: str) -> None:
        """Clicks a row of the open menu of quick fixes."""
        self.page.locator(".action-widget .monaco-list-row.action").filter(has_text=title).first.click()
        self.page.locator(".action-widget .monaco-list-row.action").first.wait_for(state="hidden")

    def complete(self) -> list[str]:
        """The completions at the cursor."""
        shown = self.page.locator(".suggest-widget.visible .monaco-list-row")
        self.until_shown(lambda: self.press("Control+Space"), shown)
        return shown.evaluate_all("rows => rows.map(row => row.querySelector('.label-name')?.innerText ?? '')")

    def accept(self, label: str) -> None:
        """Accept an item."""
        offered = self.page.locator(".suggest-widget.visible .monaco-list-row")
        offered.filter(has=self.page.get_by_text(label, exact=True)).first.click()

    def rename(self, new: str, *, preview: bool = False) -> None:
        """Rename what is at the cursor; with a preview, whose rows are `preview_rows`."""
        box = self.page.locator(".rename-box input.rename-input, .rename-box input").first
        self.until_shown(lambda: self.press("F2"), box)
        box.fill(new, timeout=ATTEMPT)
        box.press("Control+Enter" if preview else "Enter", timeout=ATTEMPT)

    def preview_rows(self) -> list[str]:
        """The rows of the preview of a rename."""
        rows = self.page.locator('.pane:has(.pane-header[aria-label^="Refactor Preview"]) .monaco-list-row')
        return list(rows.all_inner_texts())

    def hover(self, line: int, column: int) -> None:
        """Open the hover card of a place. Its content may come bit by bit: `card` reads it."""
        self.go_to(line, column)
        self.until_shown(lambda: self.press("Control+K", "Control+I"), self._card)

    def card(self) -> str:
        return "\n".join(self._card.all_inner_texts())

    @property
    def _card(self) -> Locator:
        return self.page.locator(".monaco-hover:not(.hidden) .hover-contents:visible")

    def lenses(self) -> list[str]:
        return [text.strip() for text in self.page.locator(".codelens-decoration a").all_inner_texts()]

    def click_lens(self, text: str) -> None:
        self.page.locator(".codelens-decoration a").filter(has_text=text).first.click(timeout=PATIENCE * 1000)

    # ── around the editor

    def status(self) -> list[str]:
        """The items of the status bar, by their labels for screen readers."""
        items = self.page.locator(".statusbar .statusbar-item:visible")
        return items.evaluate_all("items => items.map(item => item.getAttribute('aria-label') ?? item.innerText)")

    def click_status(self, text: str) -> None:
        item = self.page.locator(f'.statusbar .statusbar-item[aria-label*="{text}"] a').first
        item.click(timeout=PATIENCE * 1000)

    def notifications(self) -> list[str]:
        shown = self.page.locator(".notifications-toasts .notification-list-item-message:visible")
        return shown.all_inner_texts()

    def press_button(self, text: str, on: str = "") -> None:
        """A button of a notification."""
        toast = self.page.locator(".notifications-toasts .notification-list-item").filter(has_text=on)
        toast.locator(".monaco-button").filter(has_text=text).first.click(timeout=PATIENCE * 1000)

    def dismiss(self) -> None:
        """Clears away all notifications."""
        self.run_command("Notifications: Clear All Notifications")
        self.eventually(self.notifications, [])

    def view(self, name: str) -> list[str]:
        """The rows of a view of the side bar, opened if it is not."""
        pane = self._pane(name)
        if not pane.is_visible():
            self.until_shown(lambda: self.run_command(f"{name}: Focus on {name} View"), pane)
        rows = pane.locator(".monaco-list-row")
        return [" ".join((text or "").split()) for text in rows.all_inner_texts()]

    def groups(self, view: str) -> dict[str, list[str]]:
        """The rows of a view that is open, below the name of their group."""
        rows = (
            self._pane(view)
            .locator(".monaco-list-row")
            .evaluate_all(
                """rows => rows.map(row => [parseInt(row.dataset.index), parseInt(row.getAttribute('aria-level')),
              row.querySelector('.label-name').innerText, row.innerText]).sort((a, b) => a[0] - b[0])"""
            )
        )
        found: dict[str, list[str]] = {}
        group = ""  # a row may lack its group in the middle of a change
        for _, level, name, text in rows:
            if level == 1:
                group = name
                found[group] = []
            else:
                found.setdefault(group, []).append(" ".join(text.split()))
        return found

    def row(self, view: str, text: str) -> Locator:
        return self._pane(view).locator(".monaco-list-row").filter(has_text=text).first

    def _pane(self, name: str) -> Locator:
        return self.page.locator(f'.pane:has(.pane-header[aria-label^="{name}"])').first

    def widen_side_bar(self, width: int) -> None:
        """Drags its edge."""
        edge = self.page.locator(".part.sidebar").bounding_box()
        assert edge
        self.page.mouse.move(edge["x"] + edge["width"], 300)
        self.page.mouse.down()
        self.page.mouse.move(edge["x"] + width, 300, steps=5)
        self.page.mouse.up()
        self.page.mouse.move(700, 5)


def write_settings(folder: Path, settings: dict[str, Any]) -> None:
    """The settings of a workspace."""
    file = folder / ".vscode" / "settings.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(settings), "utf-8")
