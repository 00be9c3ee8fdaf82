"""Draws how long small batches take, beside what others have published: a panel for each function, and a table."""

from __future__ import annotations

from typing import Any

import markup
import themed
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

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
SIZE = 6.6, 5.4  # inches
SIZES, TIMES = (16, 64, 256, 1024), (1, 10, 100, 1_000, 10_000)  # named on the axes, with "µs" at the last one
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
    with rc_context(themed.STYLE):
        figure = Figure(SIZE, layout="constrained")
        for ax, (function, shown) in zip(figure.subplots(2, 2).flat, FUNCTIONS.items(), strict=True):
            _draw(ax, shown, curves(stored, published, arm, function))
        name = "batches" if published is None else "batches-beside"
        return themed.svg(figure, name, f"Microseconds a batch for {arm}, by the number of states")


def _draw(ax: Axes, shown: str, drawn: Curves) -> None:
    for who, points in drawn.items():
        look, elsewhere = LOOKS[who]
        ax.plot(points.keys(), points.values(), "o--" if elsewhere else "o-", color=themed.colour(look))
    ax.set(
        title=shown, xlabel="states in a batch", xscale="log", yscale="log", xlim=(14, 1150), ylim=(TIMES[0], TIMES[-1])
    )
    ax.set_xticks(SIZES, map(str, SIZES))
    ax.set_yticks(TIMES, [*(f"{time:,}" for time in TIMES[:-1]), f"{TIMES[-1]:,} µs"])
    ax.tick_params(which="both", length=0)
    ax.minorticks_off()
    ax.grid(axis="y")


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
