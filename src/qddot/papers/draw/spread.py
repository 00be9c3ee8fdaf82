"""Draws the results of sweeps: histograms, tubes of quantiles over time, sensitivities with their errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure

from qddot.papers.draw.labels import Words
from qddot.papers.draw.plot import COLOURS, STYLE, Picture

if TYPE_CHECKING:
    import xarray as xr

INTERVAL = 1.96  # standard errors in half of an interval of 95 %


def histogram(array: xr.DataArray, bins: int, lang: str = "") -> Figure:
    """Returns a figure with histograms of a variable over all runs, one axes for each of its entries."""
    words, columns = Words(lang), _columns(array)
    with rc_context({**STYLE, **words.style("")}):
        figure = Picture(words.lang, figsize=(9, 1 + 2.2 * len(columns)), layout="constrained")
        axes = figure.subplots(len(columns), 1, squeeze=False)[:, 0]
        for ax, (label, values), colour in zip(axes, columns.items(), COLOURS * len(columns), strict=False):
            finite = values[np.isfinite(values)]
            ax.set_axisbelow(True)
            ax.hist(finite, bins=bins, color=colour)
            ax.set_title(label)
            ax.set_xlabel(_unit(array))
            ax.set_ylabel(words("runs"))
    return figure


def tube(quantiles: xr.DataArray, lang: str = "") -> Figure:
    """Returns a figure of quantiles over time: bands between the outer ones, and a line for the middle one."""
    words = Words(lang)
    levels, along = quantiles["quantile"].values, quantiles.dims[-1]
    joints = [str(name) for name in quantiles[along].values]
    with rc_context({**STYLE, **words.style("")}):
        figure = Picture(words.lang, figsize=(9, 1 + 2.2 * len(joints)), layout="constrained")
        axes = figure.subplots(len(joints), 1, sharex=True, squeeze=False)[:, 0]
        for ax, joint, colour in zip(axes, joints, COLOURS * len(joints), strict=False):
            rows = quantiles.sel({along: joint}).transpose("quantile", "time").values
            for k in range(len(levels) // 2):
                label = f"{levels[k]:g} … {levels[-1 - k]:g}"
                ax.fill_between(quantiles.time, rows[k], rows[-1 - k], color=colour, alpha=0.2, label=label, lw=0)
            if len(levels) % 2:
                middle = len(levels) // 2
                ax.plot(quantiles.time, rows[middle], color=colour, label=f"{levels[middle]:g}")
            ax.set_title(joint)
            ax.set_ylabel(_unit(quantiles))
            ax.legend(ncols=4, loc="lower right", bbox_to_anchor=(1, 1.0))
        axes[-1].set_xlabel(f"{words('time')} [s]")
    return figure


def sensitivity(indices: xr.Dataset, lang: str = "") -> Figure:
    """Returns a figure of first-order and total indices for each randomly drawn number, with intervals of 95 %."""
    words, first = Words(lang), _columns(indices.first, "parameter")
    with rc_context({**STYLE, **words.style("")}):
        figure = Picture(words.lang, figsize=(9, 1 + 2.4 * len(first)), layout="constrained")
        axes = figure.subplots(len(first), 1, squeeze=False)[:, 0]
        places = np.arange(indices.sizes["parameter"])
        for ax, label in zip(axes, first, strict=True):
            for shift, kind, text, colour in (
                (-0.2, "first", "first order", COLOURS[0]),
                (0.2, "total", "total", COLOURS[1]),
            ):
                values, errors = (_columns(indices[key], "parameter")[label] for key in (kind, f"{kind}_error"))
                bars = {"yerr": INTERVAL * errors, "capsize": 3, "ecolor": "#374151"}
                ax.bar(places + shift, values, 0.38, color=colour, label=words(text), **bars)
            ax.set_axisbelow(True)
            ax.set_xticks(places, [str(name) for name in indices.parameter.values])
            ax.set_title(f"{indices.attrs['variable']} {label}".strip())
            ax.legend(ncols=2, loc="lower right", bbox_to_anchor=(1, 1.0))
    return figure


def _columns(array: xr.DataArray, along: str = "run") -> dict[str, Any]:
    """Returns the numbers along a dimension for each entry of an array, by a label."""
    others = [dim for dim in array.dims if dim != along]
    if not others:
        return {str(array.name) if along == "run" else "": array.values}
    stacked = array.stack(entry=others).transpose(along, "entry")
    labels = [" ".join(map(str, key)) for key in stacked.indexes["entry"]]
    prefix = f"{array.name} " if along == "run" else ""
    return {f"{prefix}{label}": stacked.values[:, k] for k, label in enumerate(labels)}


def _unit(array: xr.DataArray) -> str:
    return f"[{array.attrs['units']}]" if array.attrs.get("units") else ""
