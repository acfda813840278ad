"""A window of VS Code: its keys, its palette, and waiting for its content."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Error, Locator, Page
else:  # modules that import this are skipped if it is absent
    Error = pytest.importorskip("playwright.sync_api", reason="no playwright: requirements/editors.txt has it").Error

Value = TypeVar("Value")

# Long enough for a busy machine: a success takes much less, so only a failure costs this much.
PATIENCE = float(os.environ.get("HANDOFF_LSP_PATIENCE", "40"))
# The time of one attempt, in milliseconds: if the focus is lost meanwhile, it is repeated.
ATTEMPT = 4000


class Window:
    def __init__(self, page: Page, shots: Path) -> None:
        self.page = page
        self.shots = shots
        self.folder = Path()  # the workspace, if given

    # ── waiting: for conditions, never for a time

    def eventually(self, read: Callable[[], Value], wanted: Any, patience: float = PATIENCE) -> Value:
        """Wait until the probe's value is as wanted (equal, or accepted by a function), and return it."""
        end = time.monotonic() + patience
        while True:
            try:
                last: Value | Error = (value := read())
                if wanted(value) if callable(wanted) else value == wanted:
                    return value
            except Error as error:  # the content is being redrawn
                last = error
            assert time.monotonic() < end, f"not so within {patience:.0f} s: {last!r}; wanted: {wanted!r}"
            self.page.wait_for_timeout(50)

    def until_shown(self, do: Callable[[], object], shown: Locator, patience: float = PATIENCE) -> None:
        """Repeat an action until its result is shown: VS Code drops keys while it starts."""
        end = time.monotonic() + patience
        while True:
            do()
            try:
                shown.first.wait_for(state="visible", timeout=ATTEMPT)
                return
            except Error:
                assert time.monotonic() < end, f"nothing showed for {shown}"

    def ready(self) -> Self:
        self.page.locator(".monaco-workbench .statusbar").wait_for(timeout=PATIENCE * 2000)
        return self

    def with_folders(self) -> None:
        """Wait for the folders of a workspace file; reload if VS Code in a browser wrongly reads it as empty."""
        folders = self.page.locator(".explorer-folders-view .monaco-list-row")
        for _ in range(3):
            try:
                folders.first.wait_for(timeout=PATIENCE * 500)
                return
            except Error:
                self.page.reload()
                self.ready()
        raise AssertionError("VS Code shows no folder of the workspace file")

    # ── the palette

    def palette(self, key: str, text: str, wanted: Locator) -> None:
        """Open it, type, and accept the wanted row as soon as it is listed and selected."""
        box = self.page.locator(".quick-input-widget input.input").first
        chosen = self.page.locator(".quick-input-list .monaco-list-row.focused").filter(has=wanted)
        end = time.monotonic() + PATIENCE
        while True:
            self.until_shown(lambda: self.press(key), box)
            try:
                box.fill(text, timeout=ATTEMPT)
                chosen.wait_for(timeout=ATTEMPT)
                box.press("Enter", timeout=ATTEMPT)
                return
            except Error:  # the list of files or commands is not complete yet, or something else took the focus
                rows = self.page.locator(".quick-input-list .monaco-list-row").all_inner_texts()
                assert time.monotonic() < end, f"the palette does not offer {text!r} first, but {rows}"
                self.press("Escape")

    def run_command(self, title: str) -> None:
        """By its title in the palette."""
        self.palette("F1", ">" + title, self.page.get_by_text(title, exact=True))

    def choices(self) -> list[str]:
        """The rows of an open picker."""
        rows = self.page.locator(".quick-input-widget:visible .quick-input-list .monaco-list-row")
        return [" ".join(text.split()) for text in rows.all_inner_texts()]

    def choose(self, text: str) -> None:
        rows = self.page.locator(".quick-input-widget:visible .quick-input-list .monaco-list-row")
        rows.filter(has_text=text).first.click(timeout=PATIENCE * 1000)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, text: str) -> None:
        """Type a text key by key, as a user does."""
        self.page.keyboard.type(text, delay=25)

    def screenshot(self, name: str) -> Path:
        path = self.shots / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=path)
        return path
