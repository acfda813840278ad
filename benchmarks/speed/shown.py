"""Figures in words."""


def milliseconds(value: float) -> str:
    """A time with its unit, in two or three digits."""
    if value >= 1000:
        return f"{value / 1000:.1f} s"
    return f"{value:.0f} ms" if value >= 10 else f"{value:.1f} ms"


def megabytes(value: float) -> str:
    """A size with its unit."""
    return f"{value:.0f} MB"


def times(value: float) -> str:
    """A ratio, in two or three digits."""
    return f"{value:.0f} ×" if value >= 10 else f"{value:.1f} ×" if value >= 0.995 else f"{value:.2f} ×"
