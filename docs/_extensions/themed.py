"""Gives figures of Matplotlib the colours of the page, in light and dark."""

from __future__ import annotations

from html import escape

from matplotlib.figure import Figure

from qddot.papers.draw import saved

COLOURS = {  # for each colour in Matplotlib's picture the colour of the page that replaces it
    "z": ("#0000f0", "var(--axis-z)"),
    "y": ("#0000f1", "var(--axis-y)"),
    "x": ("#0000f2", "var(--axis-x)"),
    "measure": ("#0000f3", "var(--measure)"),
    "strong": ("#0000f4", "currentcolor"),
    "soft": ("#0000f5", "var(--pst-color-text-muted)"),
}
STRONG, SOFT = COLOURS["strong"][0], COLOURS["soft"][0]
STYLE = {
    "font.size": 8,
    "text.color": STRONG,
    "axes.labelcolor": SOFT,
    "axes.edgecolor": "none",
    "axes.facecolor": "none",
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "figure.facecolor": "none",
    "grid.color": SOFT,
    "grid.linestyle": ":",
    "lines.markersize": 4,
    "xtick.color": SOFT,
    "ytick.color": SOFT,
}


def colour(look: str) -> str:
    """Returns the colour in Matplotlib that stands for one of the page."""
    return COLOURS[look][0]


def svg(figure: Figure, name: str, title: str, look: str = "") -> str:
    """Returns a figure as SVG in a page.

    name: begins the ids, which no other picture may have; title: what it shows, for those who cannot see it
    """
    text = saved.svg(figure, name)
    for stand_in, shown in COLOURS.values():
        text = text.replace(stand_in, shown)
    return text.replace("<svg", f'<svg class="drawing {look}" role="img" aria-label="{escape(title)}"', 1)
