"""Draws the range of each entry of M and G over a region: what is proved, and within it what is found."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from qddot.exact.equations.quantity_names import subscript
from qddot.papers.draw.labels import Words
from qddot.papers.draw.plot import COLOURS, STYLE, WIDE, Picture
from qddot.proof.bounds.branch import NOTHING
from qddot.proof.bounds.ranges import Range
from qddot.proof.bounds.table import rounded_down, rounded_up
from qddot.robot.model import Model
from qddot.robot.units import written_unit

ROW = 0.24  # inches
DIGITS = 3  # of proven ranges
POWER = re.compile(r"e([+-]\d+)")


def ranges(model: Model, entries: Mapping[str, Sequence[Range]], lang: str = "", width: float = WIDE) -> Figure:
    """Returns a figure with a bar for each entry that is not zero, and one panel for each array, by its letter."""
    words = Words(lang)
    shown = {
        letter: [each for each in listed if max(-each.low, each.high) > NOTHING] for letter, listed in entries.items()
    }
    shown = {letter: listed for letter, listed in shown.items() if listed}
    rows = [len(listed) for listed in shown.values()] or [1]
    with rc_context({**STYLE, **words.style("")}):
        height = ROW * sum(rows) + 0.9 * len(rows) + 0.3
        figure = Picture(words.lang, figsize=(width, height), layout="constrained")
        panels = figure.subplots(len(rows), 1, squeeze=False, height_ratios=rows)[:, 0]
        for ax, (letter, listed) in zip(panels, shown.items(), strict=False):
            _panel(ax, letter, listed, words)
            units = {written_unit(model, letter, each.place) for each in listed}
            ax.set_xlabel(f"[{units.pop() if len(units) == 1 else 'SI'}]")
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside upper right", ncols=2)
    return figure


def _panel(ax: Axes, letter: str, listed: Sequence[Range], words: Words) -> None:
    places = range(len(listed))
    ax.set_axisbelow(True)
    ax.use_sticky_edges = False  # room beside the longest bar
    ax.axvline(0, color="#6b7280", linewidth=0.8)
    ax.barh(places, [e.high - e.low for e in listed], 0.8, [e.low for e in listed], label=words("proved"), alpha=0.3)
    observed = [e.most - e.least for e in listed], [e.least for e in listed]
    ax.barh(places, observed[0], 0.3, observed[1], label=words("found"), color=COLOURS[0])
    # an entry that does not change is a mark
    ax.plot([e.least for e in listed], places, "|", color=COLOURS[0], markersize=6)
    ax.set_yticks(places, [f"${letter}_{{{subscript(e.place)}}}$" for e in listed])
    for place, e in zip(places, listed, strict=True):
        ax.text(1.01, place, _written(e), transform=ax.get_yaxis_transform(), va="center", size="small")
    ax.set_ylim(len(listed) - 0.4, -0.6)
    ax.set_title(f"${letter}$")


def _written(proved: Range) -> str:
    """Returns a range in numbers, without which a short bar says little."""
    least, most = rounded_down(proved.low, DIGITS), rounded_up(proved.high, DIGITS)
    bounds = [POWER.sub(lambda e: rf" \times 10^{{{int(e[1])}}}", bound) for bound in (least, most)]
    return f"$[{', '.join(bounds)}]$"
