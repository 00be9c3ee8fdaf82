"""Draws how far numbers are from those of peers and of the literature: a row for each arm, a dot for each quantity."""

from __future__ import annotations

from typing import Any

import themed
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

ROUNDING = 2.0**-52  # the distance from 1 to the next double
LEAST, MOST = -17, -11  # decades of the picture, in which a dot at the left end is no difference
WIDTH, NAMES, EDGE, ROW, SCALE = 6.8, 2.0, 0.3, 0.2, 0.4  # inches: of the picture, left, right, an arm, above them
QUANTITIES = {"M": "x", "G": "y", "h": "measure", "tau": "z"}  # and the look of each
SHOWN = {"M": "M", "G": "G", "h": "h", "tau": "τ"}
STATES = {"Pinocchio": "{states} states an arm", "MuJoCo": "{states} states an arm", "literature": "The printed states"}


def picture(stored: dict[str, Any], source: str) -> str:
    """Returns the picture."""
    rows = stored[source]
    with rc_context({**themed.STYLE, "ytick.color": themed.STRONG, "grid.alpha": 0.5}):
        height = SCALE + ROW * len(rows)
        figure = Figure((WIDTH, height))  # one scale in all pictures, however long the names are
        left, right = NAMES / WIDTH, 1 - EDGE / WIDTH
        _draw(figure.add_axes((left, 0.0, right - left, ROW * len(rows) / height)), rows)
        return themed.svg(figure, f"differences-{source}", f"Largest relative differences from {source}", "differences")


def _draw(ax: Axes, rows: list[dict[str, Any]]) -> None:
    ax.axvline(ROUNDING, color=themed.colour("measure"), linewidth=1)
    for quantity, look in QUANTITIES.items():
        at = {
            place: min(max(row[quantity], 10.0**LEAST), 10.0**MOST) for place, row in enumerate(rows) if quantity in row
        }
        ax.plot(at.values(), at.keys(), "o", color=themed.colour(look), alpha=0.75, markersize=5, clip_on=False)
    decades = range(LEAST, MOST + 1)
    ax.set(xscale="log", xlim=(10.0**LEAST, 10.0**MOST), ylim=(len(rows) - 0.5, -0.5))
    ax.set_xticks([10.0**decade for decade in decades], ["0", *(f"$10^{{{decade}}}$" for decade in decades[1:])])
    ax.set_yticks(range(len(rows)), [row["arm"] for row in rows])
    ax.xaxis.tick_top()
    ax.tick_params(which="both", length=0, pad=8)
    ax.minorticks_off()
    ax.grid(axis="x")


def legend(stored: dict[str, Any], source: str) -> str:
    """Returns what the dots and the line are."""
    there = [name for name in QUANTITIES if name in stored[source][0]]
    dots = " ".join(f'<span class="spot {QUANTITIES[name]}">●</span>&nbsp;{SHOWN[name]}' for name in there)
    return f"{dots}; the line is 2⁻⁵², the rounding of a double. {STATES[source].format(**stored)}."
