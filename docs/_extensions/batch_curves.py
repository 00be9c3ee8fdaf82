"""Draws how long small batches take, beside what others have published: a panel for each function, and a table."""

from __future__ import annotations

from collections.abc import Iterator
from math import log2, log10
from typing import Any

import markup

FUNCTIONS = {
    "inverse_dynamics": "τ",
    "inverse_dynamics_derivatives": "∂τ/∂q, ∂τ/∂q̇",
    "forward_dynamics": "q̈",
    "forward_dynamics_derivatives": "∂q̈/∂q, ∂q̈/∂q̇, M⁻¹",
}
LOOKS = {  # of each curve: its colour, and whether it was measured elsewhere
    "qddot float64": ("z", False),
    "qddot float32": ("y", False),
    "Pinocchio from Python": ("x", False),
    "Pinocchio, generated code": ("x", True),
    "GRiM, from arrays to arrays": ("measure", True),
    "GRiM, kernel alone": ("strong", True),
}
WIDTH, HEIGHT, LEFT, TOP, GAP = 258, 190, 64, 26, 66  # pixels of a panel, and round it
FIRST, LAST = 4, 10  # powers of two along
LEAST, MOST = 0, 4  # decades of microseconds
Curves = dict[str, dict[int, float]]


def curves(stored: dict[str, Any], published: dict[str, Any] | None, arm: str, function: str) -> Curves:
    """Returns microseconds a batch, by who and size."""
    found: Curves = {}
    for row in stored["rows"]:
        if (row["arm"], row["function"]) == (arm, function):
            who = f"qddot {row['dtype']}" if row["who"] == "qddot" else row["who"]
            found.setdefault(who, {})[row["batch"]] = row["least"]
    for row in published["rows"] if published else ():
        if row["function"] == function:
            found.setdefault(row["who"], {})[row["batch"]] = row["us"]
    return {who: found[who] for who in LOOKS if who in found}


def panels(stored: dict[str, Any], published: dict[str, Any] | None, arm: str) -> str:
    """Returns the picture."""
    parts = []
    for place, (function, shown) in enumerate(FUNCTIONS.items()):
        x, y = LEFT + (place % 2) * (WIDTH + GAP), TOP + (place // 2) * (HEIGHT + GAP)
        parts += [*_axes(x, y, shown), *_lines(x, y, curves(stored, published, arm, function))]
    width, height = LEFT + 2 * WIDTH + GAP + 12, TOP + 2 * HEIGHT + GAP + 38
    title = f"Microseconds a batch for {arm}, by the number of states"
    return markup.picture(title, width, height, parts)


def _across(states: float) -> float:
    return WIDTH * (log2(states) - FIRST) / (LAST - FIRST)


def _up(microseconds: float) -> float:
    return HEIGHT * (1 - (log10(microseconds) - LEAST) / (MOST - LEAST))


def _axes(x: float, y: float, shown: str) -> Iterator[str]:
    yield f'<text class="strong" x="{x + WIDTH / 2}" y="{y - 12}">{shown}</text>'
    for decade in range(LEAST, MOST + 1):
        across = y + _up(10.0**decade)
        yield f'<line class="ghost" x1="{x}" y1="{across:.1f}" x2="{x + WIDTH}" y2="{across:.1f}"/>'
        unit = " µs" if decade == MOST else ""
        yield f'<text class="end note" x="{x - 5}" y="{across:.1f}">{10.0**decade:,g}{unit}</text>'
    for power in range(FIRST, LAST + 1, 2):
        yield f'<text class="note" x="{x + _across(2**power):.1f}" y="{y + HEIGHT + 13}">{2**power}</text>'
    yield f'<text class="note" x="{x + WIDTH / 2}" y="{y + HEIGHT + 28}">states in a batch</text>'


def _lines(x: float, y: float, drawn: Curves) -> Iterator[str]:
    for who, points in drawn.items():
        look, elsewhere = LOOKS[who]
        path = " ".join(f"{x + _across(size):.1f},{y + _up(us):.1f}" for size, us in points.items())
        dashes = ' stroke-dasharray="5 4"' if elsewhere else ""
        yield f'<polyline class="{look}"{dashes} points="{path}"/>'
        for size, us in points.items():
            dot = f'cx="{x + _across(size):.1f}" cy="{y + _up(us):.1f}" r="3"'
            yield f'<circle class="spot {look}" {dot}><title>{who}, {size} states: {us:.3g} µs</title></circle>'


def legend(published: dict[str, Any] | None) -> str:
    """Returns which curve is whose."""
    shown = [who for who, (_, elsewhere) in LOOKS.items() if published or not elsewhere]
    marks = (f'<span class="spot {LOOKS[who][0]}">{"┅" if LOOKS[who][1] else "●"}</span>&nbsp;{who}' for who in shown)
    told = f" Dashed: {published['title']}, {published['date']}, {published['machine']}." if published else ""
    return f"{' &ensp;'.join(marks)}.{told}"


def table(stored: dict[str, Any], published: dict[str, Any] | None, arm: str) -> str:
    """Returns the numbers behind the picture, as a table."""
    shown = [who for who, (_, elsewhere) in LOOKS.items() if published or not elsewhere]
    rows = []
    for function, name in FUNCTIONS.items():
        found = curves(stored, published, arm, function)
        rows += [
            (name, str(size), *(f"{found[who][size]:.3g}" for who in shown)) for size in sorted(found["qddot float64"])
        ]
    return markup.table(("function", "states", *shown), rows)
