"""Plots a run over time with Matplotlib; each function returns a figure."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from io import BytesIO
from typing import Any

import numpy as np
from cycler import cycler
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.text import Text

from qddot.base.checked import index
from qddot.base.errors import QddotError
from qddot.base.system import files, notebook
from qddot.motion.simulate.runs.ledger import LOSSES, Ledger
from qddot.motion.simulate.runs.recording import Recording
from qddot.motion.simulate.runs.samples import Arrays
from qddot.motion.simulate.runs.saved_runs import SIMULATE, checked_path
from qddot.papers.draw import lettering
from qddot.papers.draw.labels import Words, plain, symbol

COLOURS = ("#1f6fb4", "#d1492e", "#2a9d62", "#8a56b8", "#c98a12", "#16a0a8", "#b03a78", "#6b7280")
STYLE: dict[str, Any] = {
    "axes.prop_cycle": cycler(color=COLOURS),
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#6b7280",
    "axes.labelcolor": "#374151",
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.grid": True,
    "grid.color": "#e5e7eb",
    "grid.linewidth": 0.8,
    "xtick.color": "#6b7280",
    "ytick.color": "#6b7280",
    "legend.frameon": False,
    "legend.handlelength": 2.0,
    "legend.handletextpad": 0.5,
    "legend.columnspacing": 1.2,
    "lines.linewidth": 1.6,
    "figure.dpi": 110,
    "font.size": 10,
}
DASHES = ("-", "--", ":", "-.", (0, (6, 1, 1, 1, 1, 1)), (0, (9, 3)))  # of curves that have the same colour
WIDE = 9.0  # inches
# of rates and torques, by the unit of the coordinate
UNITS = {("qd", "rad"): "rad/s", ("qd", "m"): "m/s", ("tau", "rad"): "N·m", ("tau", "m"): "N"}
WORK = {"work": "work of the motors", "external": "work of external forces"}
FORMATS = {".png": "PNG", ".pdf": "PDF", ".svg": "SVG"}


class Picture(Figure):
    """This figure shows itself once in a notebook; pyplot does not manage it, so that it need not be closed.

    Chinese characters for which no font is installed are text in SVG; lang: the language of its words
    """

    def __init__(self, lang: str, **look: Any) -> None:
        self.lang = lang
        super().__init__(**look)

    def draw(self, renderer: Any) -> None:
        """Draws the figure as Matplotlib does. raises QddotError: a raster image or PDF has words without a font"""
        if not self._lacks_font():
            super().draw(renderer)
        elif self.canvas.get_default_filetype() == "svg":
            with rc_context(lettering.AS_TEXT):
                super().draw(renderer)
        else:
            lettering.complain(self.lang)
            super().draw(renderer)

    def _lacks_font(self) -> bool:
        return any(map(lettering.lacks_font, self.findobj(Text)))

    def _repr_png_(self) -> bytes | None:
        return None if self._lacks_font() else self._written("png")

    def _repr_svg_(self) -> str | None:
        return self._written("svg").decode() if self._lacks_font() else None

    def _written(self, form: str) -> bytes:
        buffer = BytesIO()
        self.savefig(buffer, format=form, bbox_inches="tight")
        return buffer.getvalue()

    def show(self, warn: bool = True) -> None:
        """Shows the figure in a notebook. raises QddotError: there is none"""
        if not notebook.show(self):
            raise QddotError("no-notebook-for-figure")


def motion(run: Recording, arm: int = 0, lang: str = "", width: float = WIDE) -> Figure:
    """Returns a figure of coordinates, rates and torques of one arm of a run over time; width: in inches."""
    words, one = Words(lang), one_arm(run.arrays, arm)
    with rc_context({**STYLE, **words.style(str(one.attrs["model"]))}):
        efforts = "torques" if set(one.units) == {"rad"} else "torques and forces"
        quantities = {"q": "coordinates", "qd": "rates"} | ({"tau": efforts} if one.attrs["torque"] != "none" else {})
        panels = [(name, unit, places) for name in quantities for unit, places in _by_unit(one, name).items()]
        height = 1 + (2.2 if len(panels) == len(quantities) else 1.7) * len(panels)
        figure = Picture(words.lang, figsize=(width, _height(height, width)), layout="constrained")
        axes = figure.subplots(len(panels), 1, sharex=True)
        told = set[str]()
        for ax, (name, unit, places) in zip(axes, panels, strict=True):
            names, looks = _names(one, name), _looks(one, name)
            for k in places:
                (line,) = ax.plot(one["time"], one[name][:, k], label=names[k], **looks[k])
                if f"{name}_lower" in one:  # of an enclosed run: the bounds of the true solution
                    tube = (one[f"{name}_{side}"][:, k] for side in ("lower", "upper"))
                    ax.fill_between(one["time"], *tube, color=line.get_color(), alpha=0.25, linewidth=0)
            ax.set_title("" if name in told else words(quantities[name]))
            told.add(name)
            ax.set_ylabel(f"[{unit}]")
        for ax in axes if len(panels) > len(quantities) or one.positions != one.joints else axes[:1]:
            _legend(ax)
        _time_axis(axes[-1], words)
        figure.suptitle(_heading(one, words), x=0.01, ha="left", fontsize=10, color="#6b7280")
    return figure


def energy(ledger: Ledger, arm: int = 0, lang: str = "", width: float = WIDE) -> Figure:
    """Returns a figure of K, P and E of one arm over time, with work and losses below; width: in inches."""
    words, one = Words(lang), one_arm(ledger.arrays, arm)
    accounts = {name: text for name, text in {**WORK, **LOSSES}.items() if name in one}
    with rc_context({**STYLE, **words.style(str(one.attrs["model"]))}):
        figure = Picture(words.lang, figsize=(width, _height(6.5 if accounts else 4.5, width)), layout="constrained")
        panels = figure.subplots(2 if accounts else 1, 1, sharex=True, squeeze=False)
        top = panels[0, 0]
        for values, text, colour in (
            (one["P"], "potential energy P", COLOURS[0]),
            (one["K"], "kinetic energy K", COLOURS[1]),
            (one["K"] + one["P"], "total energy E", "#111827"),
        ):
            thickness = 2.2 if colour == "#111827" else 1.4
            top.plot(one["time"], values, label=words(text), color=colour, linewidth=thickness)
        top.set_title(words("energy"))
        top.set_ylabel("[J]")
        top.legend(ncols=3, loc="lower right", bbox_to_anchor=(1, 1.0))
        if accounts:
            below = panels[1, 0]
            for (name, text), colour in zip(accounts.items(), COLOURS[2:], strict=False):
                below.plot(one["time"], one[name], label=words(text), color=colour)
            below.set_title(words("losses") if not set(WORK) & set(accounts) else words("work and losses"))
            below.set_ylabel("[J]")
            below.legend(ncols=4, loc="lower right", bbox_to_anchor=(1, 1.0))
        _time_axis(panels[-1, 0], words)
        figure.suptitle(_heading(one, words), x=0.01, ha="left", fontsize=10, color="#6b7280")
    return figure


def energies(ledger: Ledger, labels: Sequence[str], lang: str = "") -> Figure:
    """Returns a figure of the total energy E of every arm of a batch over time. labels: what each arm is called"""
    words, runs = Words(lang), ledger.arrays
    if len(labels) != runs.shape[0]:
        raise QddotError("labels-of-arms", count=len(labels), arms=runs.shape[0])
    with rc_context({**STYLE, **words.style(str(runs.attrs["model"]), *labels)}):
        figure = Picture(words.lang, figsize=(WIDE, 4.5), layout="constrained")
        ax = figure.subplots()
        for arm, label in enumerate(labels):
            one = one_arm(runs, arm)
            ax.plot(one["time"], one["K"] + one["P"], label=plain(label))
        ax.set_title(words("total energy E"))
        ax.set_ylabel("[J]")
        ax.legend(ncols=4, loc="lower right", bbox_to_anchor=(1, 1.0))
        _time_axis(ax, words)
        figure.suptitle(_heading(runs, words), x=0.01, ha="left", fontsize=10, color="#6b7280")
    return figure


def one_arm(arrays: Arrays, arm: int) -> Arrays:
    """Returns the samples of one arm of a run. raises QddotError: no such arm"""
    return arrays.of_arm(index(arm, "arm", len(arrays["arm"])))


def _names(run: Arrays, variable: str) -> list[str]:
    """Returns the symbols of the entries of q, q̇ or τ; quasi-velocities have no dot, and are indices of τ."""
    if variable == "q":
        return [symbol(name) for name in run.positions]
    return [symbol(name, variable if name in run.positions else f"quasi {variable}") for name in run.joints]


def _by_unit(run: Arrays, variable: str) -> dict[str, list[int]]:
    """Returns the places of the entries of q, q̇ or τ by their units; numbers of quaternions have the unit 1."""
    own = dict(zip(run.joints, run.units, strict=True))
    lengths = {name: "m" if name.startswith("p_") else "1" for name in run.positions if name not in own}
    units = [{**own, **lengths}[name] for name in (run.positions if variable == "q" else run.joints)]
    groups: dict[str, list[int]] = {}
    for k, unit in enumerate(units):
        groups.setdefault(UNITS.get((variable, unit), unit), []).append(k)
    return groups


def _legend(ax: Any) -> None:
    """Draws the legend above a panel, whose rows are read from left to right."""
    handles, names = ax.get_legend_handles_labels()
    columns = min(8, len(names))
    order = [k for column in range(columns) for k in range(column, len(names), columns)]
    chosen = [handles[k] for k in order], [names[k] for k in order]
    ax.legend(*chosen, ncols=columns, loc="lower right", bbox_to_anchor=(1, 1.0))


def _looks(run: Arrays, variable: str) -> list[dict[str, Any]]:
    """Returns the colour and the dashes of each curve: a coordinate has the same ones in all panels, and alone."""
    names = [*run.positions, *(name for name in run.joints if name not in run.positions)]
    drawn = run.positions if variable == "q" else run.joints
    return [
        {"color": COLOURS[k % len(COLOURS)], "linestyle": DASHES[k // len(COLOURS) % len(DASHES)]}
        for k in map(names.index, drawn)
    ]


def _height(usual: float, width: float) -> float:
    """Returns the height of a figure, which is lower if it is narrower than usual, as in a document [inches]."""
    return usual if width >= WIDE else 0.9 * usual * width / WIDE


def _heading(run: Arrays, words: Words) -> str:
    return f"{about(run, words)}{words(', ')}{words('step')} {run.attrs['step']:g} s"


def about(run: Arrays, words: Words) -> str:
    """Returns the model and the method of a run in words."""
    model = words.called(str(run.attrs["model"]), str(run.attrs.get("title", "")))
    return plain(f"{model} · {run.attrs['method']}")


def _time_axis(ax: Any, words: Words) -> None:
    ax.set_xlabel(f"{words('time')} [s]")
    ax.margins(x=0.01)


def save(figure: Any, path: Any, maker: str = SIMULATE, overwrite: bool = False) -> None:
    """Writes a figure; the suffix decides the format (.png, .pdf, .svg).

    maker: the command that draws it; overwrite: whether a file is replaced that another one made
    raises QddotError: it cannot be written, or may not be replaced
    """
    target = checked_path(path, FORMATS, overwrite, maker)
    write = partial(figure.savefig, format=target.suffix[1:], dpi=150)
    files.save({target: write}, str(target), maker, overwrite)


def finite(values: Any) -> Any:
    """Returns the rows without NaN."""
    return values[np.isfinite(values).all(axis=-1)]
