"""The picture of a soak: memory and ratio over the number of edits, as SVG."""

from __future__ import annotations

from collections.abc import Sequence

_WIDTH, _HEIGHT, _LEFT, _GAP = 640, 120, 48, 56

# Readable on a light and on a dark page.
_INK, _MEMORY, _RATIO = "#808080", "#2f81f7", "#d29922"


def picture(rows: Sequence[Sequence[float]]) -> str:
    """The SVG of rows of edits, megabytes and ratio. Both scales begin at 0."""
    edits = [row[0] for row in rows]
    panels = [
        _panel("Memory of the server, MB", edits, [row[1] for row in rows], _MEMORY, 0),
        _panel("Edit to diagnostics, ratio to a bare server", edits, [row[2] for row in rows], _RATIO, 1),
    ]
    width, height = _WIDTH + _LEFT + 24, 2 * (_HEIGHT + _GAP)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" font-family="sans-serif" font-size="12">\n'
        f"<title>Memory and latency over {edits[-1]:,.0f} edits</title>\n{''.join(panels)}</svg>\n"
    )


def _panel(title: str, edits: list[float], values: list[float], color: str, number: int) -> str:
    top, most = number * (_HEIGHT + _GAP) + 28, max(values) * 1.1
    bottom = top + _HEIGHT

    def place(edit: float, value: float) -> str:
        return f"{_LEFT + edit / edits[-1] * _WIDTH:.1f},{bottom - value / most * _HEIGHT:.1f}"

    line = " ".join(place(edit, value) for edit, value in zip(edits, values, strict=True))
    marks = "".join(
        f'<text x="{_LEFT - 6}" y="{bottom - value / most * _HEIGHT + 4:.1f}" text-anchor="end">{value:.3g}</text>\n'
        for value in (0, max(values))
    )
    ticks = "".join(
        f'<text x="{_LEFT + part * _WIDTH:.0f}" y="{bottom + 16}" text-anchor="middle">{edits[-1] * part:,.0f}</text>\n'
        for part in (0, 0.5, 1)
    )
    return (
        f'<g fill="{_INK}">\n<text x="{_LEFT}" y="{top - 10}">{title}</text>\n{marks}{ticks}'
        f'<path d="M{_LEFT} {top}V{bottom}H{_LEFT + _WIDTH}" fill="none" stroke="{_INK}"/>\n'
        f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="1.5"/>\n</g>\n'
    )
