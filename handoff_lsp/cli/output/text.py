"""Findings for people: the line that each is about, with a caret under it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from handoff_lsp.cli.output.first_run import FirstRun
from handoff_lsp.cli.output.format import Document, Look
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.cli.output.words import remarks
from handoff_lsp.cli.printable import printable
from handoff_lsp.language import counted, later, say, say_count
from handoff_lsp.reports.report import Finding
from handoff_lsp.text import Source, width, widths
from handoff_lsp.text.lazy import lazy_pattern

# The most cells of a document's line to show.
LINE_CELLS = 120
# The most skipped files to list.
SKIPPED_NAMED = 3
_TAB = "    "
# The cells of the line number before a document's line.
_GUTTER = 7

COLORS = {"error": "1;31", "warning": "1;33", "information": "1;36", "hint": "1;35"}
# What the summary calls the findings of each severity.
SEVERITY_NOUNS = {
    "error": later("error"),
    "warning": later("warning"),
    "information": later("info"),
    "hint": later("hint"),
}
BOLD, DIM = "1", "2"


class Output:
    """Prints each document's findings at once, and the summary at the end."""

    def __init__(self, write: Callable[[str], object], look: Look) -> None:
        self._write = write
        self._look = look
        self._first_run = FirstRun()

    def document(self, document: Document) -> None:
        """Print the findings of one document."""
        self._first_run.add(document.report)
        for finding in document.report.findings:
            self._write(self._finding(document.source, finding) + "\n\n")

    def finish(self, summary: Summary) -> None:
        """Print the summary."""
        self._write(closing(summary, self._look))
        if not self._look.quiet:
            self._write("".join(f"{line}\n" for line in self._first_run.lines(summary)))

    def _finding(self, source: Source, finding: Finding) -> str:
        line, column = finding.line, finding.column
        tint = COLORS.get(finding.severity, BOLD)
        where, what = f"{printable(finding.path)}:{line}:{column}:", f"{finding.severity}[{finding.rule}]"
        head, *more = self._lines(f"{where} {what} ", finding.message, "  ")
        head = head.replace(where, self._paint(where, BOLD), 1).replace(what, self._paint(what, tint), 1)
        content = source.lines.line_text(line - 1)
        bom = int(line == 1 and content.startswith("\ufeff"))
        first, end = column - 1 + bom, finding.range.end
        last = max(end.column - 1 + bom, first) if end.line == line else len(content)
        cells = LINE_CELLS if self._look.width is None else min(LINE_CELLS, self._look.width - _GUTTER)
        text, before, carets = excerpt(content, first, last, skip=bom, cells=cells)
        gutter = f"{line:>4} |"
        under = " " * (len(gutter) - 1) + "|"
        return "\n".join(
            (
                head,
                *more,
                f"{self._paint(gutter, DIM)} {text}".rstrip(),
                f"{self._paint(under, DIM)} {' ' * before}{self._paint('^' * carets, tint)}",
                *self._remarks(finding, " " * (len(gutter) - 1)),
            )
        )

    def _remarks(self, finding: Finding, indent: str) -> Iterator[str]:
        """The note, the help and the places in other documents, each on lines of its own."""
        for related in finding.related:
            if related.path != finding.path:
                start = related.range.start
                lead = f"{indent}= {printable(related.path)}:{start.line}:{start.column}: "
                yield from (self._paint(each, DIM) for each in self._lines(lead, related.message, f"{indent}  "))
        for label, text in remarks(finding):
            first, *more = self._lines(f"{indent}= {label}: ", text, f"{indent}  ")
            yield from (first.replace(label, self._paint(label, BOLD), 1), *more)

    def _lines(self, lead: str, text: str, indent: str) -> list[str]:
        """A text behind its lead, wrapped between words on a terminal."""
        line = lead + printable(text)
        return [line] if self._look.width is None else wrapped(line, self._look.width, indent)

    def _paint(self, text: str, code: str) -> str:
        return paint(text, code, self._look)


def paint(text: str, code: str, look: Look) -> str:
    """A text in a color."""
    return f"\x1b[{code}m{text}\x1b[0m" if look.color else text


def headline(finding: Finding, where: str, look: Look) -> str:
    """A finding on one line, after its place."""
    what = paint(f"{finding.severity}[{finding.rule}]", COLORS.get(finding.severity, BOLD), look)
    return f"{where} {what} {printable(finding.message)}\n"


# What stays on one line: a word, or a character of a script without blanks, each with its brackets and stops.
_UNIT = lazy_pattern(r"[「『（]*(?:[^\s\u3000-\u9fff\uff00-\uff60]+|\S)[、。，．：；？！ー」』）]*|\s+")


def wrapped(line: str, cells: int, indent: str) -> list[str]:
    """A line as lines of at most so many cells, broken between words, and between characters of Japanese.

    A word that is longer gets a line of its own.
    """
    if width(line) <= cells:
        return [line]
    lines, now, used = [], "", 0
    for unit in _UNIT.findall(line):
        size = width(unit)
        if now.strip() and used + size > cells:
            lines.append(now.rstrip())
            now, used = indent, len(indent)
            if unit.isspace():
                continue
        now, used = now + unit, used + size
    return [*lines, now.rstrip()] if now.strip() else lines


def excerpt(line: str, start: int, end: int, *, skip: int = 0, cells: int = LINE_CELLS) -> tuple[str, int, int]:
    """The shown part of a line and its carets: the text, the cells before the carets, and their number.

    ``start`` and ``end`` are columns in code points, which may lie beyond the line; ``skip`` characters at the
    beginning are not shown. A line of more than ``cells`` cells is cut around the finding.
    """
    start, end = min(max(start, skip), len(line)), min(max(end, skip), len(line))
    if len(line) > 8 * cells:
        # Only the surroundings of the finding are read, so that a line of megabytes costs as little as any other.
        low = max(start - 2 * cells, skip)
        shown, lengths = _cells(line[low : start + 4 * cells])
        cut_left, cut_right = low > skip, start + 4 * cells < len(line)
    else:
        low, cut_left, cut_right = skip, False, False
        shown, lengths = _cells(line[skip:])
    first, last = start - low, min(end - low, len(shown))
    left, right = 0, len(shown)
    if sum(lengths) > cells or cut_left or cut_right:
        left = first
        room = cells // 3 if sum(lengths[first:]) > cells * 2 // 3 or cut_right else cells - sum(lengths[first:]) - 2
        while left > 0 and room >= lengths[left - 1]:
            left -= 1
            room -= lengths[left]
        while left < first and lengths[left] == 0:
            left += 1  # a mark without its letter
        room = cells - 2 - sum(lengths[left:first])
        right = first
        while right < len(shown) and room >= lengths[right]:
            room -= lengths[right]
            right += 1
    head = "…" if left > 0 or cut_left else ""
    tail = "…" if right < len(shown) or cut_right else ""
    before = len(head) + sum(lengths[left:first])
    carets = max(sum(lengths[first : min(last, right)]), 1)
    return head + "".join(shown[left:right]) + tail, before, carets


def _cells(text: str) -> tuple[list[str], list[int]]:
    """Each character as shown, and its number of cells."""
    safe = printable(text)
    if safe == text:
        return list(text), widths(text)
    shown = [_TAB if char == "\t" else sign for char, sign in zip(text, safe, strict=True)]
    lengths = [len(_TAB) if char == "\t" else width for char, width in zip(text, widths(safe), strict=True)]
    return shown, lengths


def closing(summary: Summary, look: Look) -> str:
    """The end of a text: the failures, if its reader sees no other list of them, and the summary."""
    lines = list(failure_lines(summary)) if look.alone else []
    if summary.packs is not None and not look.quiet:
        from handoff_lsp.cli.graph.text import matrix_lines  # not before it is needed

        lines += [*matrix_lines(summary.packs, look, whole=False), ""]
    return "".join(f"{line}\n" for line in (*lines, *([] if look.quiet else summary_lines(summary))))


def failure_lines(summary: Summary) -> Iterator[str]:
    """The failures of a run as standard error has them."""
    for problem in summary.problems:
        yield f"handoff-lsp: error: {printable(problem.path)}:{problem.line}: {printable(problem.message)}"
    for failed in summary.failed:
        yield f"handoff-lsp: error: {failed.line}"


def summary_lines(summary: Summary) -> list[str]:
    """The summary as text."""
    lines = []
    files, handoffs = counted(summary.files, later("file")), counted(summary.handoffs, later("handoff"))
    skipped = say("; {skipped}", skipped=skipped_words(summary)) if summary.skipped else ""
    if summary.without_handoff and summary.packs is None:
        lines.append(
            say_count(
                "{number:,} file contains no known handoff.",
                "{number:,} files contain no known handoff.",
                summary.without_handoff,
            )
        )
    if summary.with_examples_only:
        lines.append(
            say_count(
                "{number:,} file contains only examples; `--examples` checks it, too.",
                "{number:,} files contain only examples; `--examples` checks them, too.",
                summary.with_examples_only,
            )
        )
    if failed := sum(bool(each.shown) for each in summary.failed):
        lines.append(
            say_count("{number:,} file could not be checked.", "{number:,} files could not be checked.", failed)
        )
    if summary.not_fixed:
        lines.append(
            say_count(
                "{number:,} file could not be fixed.", "{number:,} files could not be fixed.", len(summary.not_fixed)
            )
        )
    if summary.counts:
        parts = [
            counted(summary.counts[severity], noun)
            for severity, noun in SEVERITY_NOUNS.items()
            if summary.counts.get(severity)
        ]
        found = say(" and ").join(part for part in (", ".join(parts[:-1]), parts[-1]) if part)
        where = files if summary.files == 1 else say("{number} of {files}", number=summary.with_findings, files=files)
        lines.append(
            say(
                "Found {found} in {where} ({handoffs}){skipped}.",
                found=found,
                where=where,
                handoffs=handoffs,
                skipped=skipped,
            )
        )
    elif summary.files:
        lines.append(
            say("No findings in {files} ({handoffs}){skipped}.", files=files, handoffs=handoffs, skipped=skipped)
        )
    elif summary.skipped:
        lines.append(say("Nothing to check{skipped}.", skipped=skipped))
    elif summary.only_changed and not summary.broken:
        lines.append(say("No changed files to check."))
    elif not summary.broken:
        lines.append(say("No Markdown files found."))
    return lines + further_lines(summary)


def further_lines(summary: Summary) -> list[str]:
    """What a summary says besides its counts: fixes, the baseline, and ignored files."""
    lines = [*_fix_lines(summary), *_baseline_lines(summary)]
    if summary.ignored and not summary.handoffs:  # a project may keep its handoffs out of git
        lines.append(
            say_count(
                "{number:,} path ignored by git; name one to check it.",
                "{number:,} paths ignored by git; name one to check it.",
                summary.ignored,
            )
        )
    return lines


def _fix_lines(summary: Summary) -> Iterator[str]:
    """The numbers of fixed findings, and of those left with a fix. A safe fix is tried only when it is applied."""
    left = sum(summary.counts.values())
    if summary.fixed and left:
        yield say("Fixed {words}; {number:,} remaining.", words=fixed_words(summary), number=left)
    elif summary.fixed:
        yield fix_line(summary, would=False)
    # After `--fix` a safe one that is left was tried in vain.
    safe, unsafe = 0 if summary.fixing else summary.fixable["safe"], summary.fixable["unsafe"]
    if safe and unsafe:
        yield say_count(
            "{number:,} finding is fixable with `--fix` ({unsafe:,} more with `--unsafe-fixes`).",
            "{number:,} findings are fixable with `--fix` ({unsafe:,} more with `--unsafe-fixes`).",
            safe,
            unsafe=unsafe,
        )
    elif safe:
        yield say_count(
            "{number:,} finding is fixable with `--fix`.", "{number:,} findings are fixable with `--fix`.", safe
        )
    elif unsafe:
        yield say_count(
            "{number:,} finding is fixable with `--fix --unsafe-fixes`.",
            "{number:,} findings are fixable with `--fix --unsafe-fixes`.",
            unsafe,
        )


def _baseline_lines(summary: Summary) -> Iterator[str]:
    if summary.baselined:
        yield say_count(
            "{number:,} finding is in the baseline.",
            "{number:,} findings are in the baseline.",
            summary.baselined,
        )
    if summary.baseline_removed:
        yield say_count(
            "{number:,} finding that is gone was removed from the baseline.",
            "{number:,} findings that are gone were removed from the baseline.",
            summary.baseline_removed,
        )
    if summary.baseline_gone:
        yield say_count(
            "{number:,} finding of the baseline is gone; `handoff-lsp baseline` removes it.",
            "{number:,} findings of the baseline are gone; `handoff-lsp baseline` removes them.",
            summary.baseline_gone,
        )


def fix_line(summary: Summary, *, would: bool) -> str:
    """The numbers of findings that were fixed, or would be."""
    words = fixed_words(summary)
    return say("Would fix {words}.", words=words) if would else say("Fixed {words}.", words=words)


def fixed_words(summary: Summary) -> str:
    """The numbers of fixed findings and of their files, in words."""
    return say(
        "{findings} in {files}",
        findings=counted(summary.fixed, later("finding")),
        files=counted(len(summary.fixed_paths), later("file")),
    )


def skipped_words(summary: Summary) -> str:
    """The skipped files of a walk with the reasons, as text; empty without any."""
    skipped = summary.skipped
    folders = sum(each.is_folder for each in skipped)
    numbers = [
        counted(number, one)
        for number, one in ((len(skipped) - folders, later("file")), (folders, later("folder")))
        if number
    ]
    named = [f"{printable(each.shown)}{'/' * each.is_folder} ({each.reason})" for each in skipped[:SKIPPED_NAMED]]
    more = say(" and {number:,} more", number=len(skipped) - SKIPPED_NAMED) if len(skipped) > SKIPPED_NAMED else ""
    if not skipped:
        return ""
    return say(
        "{numbers} skipped: {names}{more}", numbers=say(" and ").join(numbers), names=", ".join(named), more=more
    )
