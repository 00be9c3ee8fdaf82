"""Quantiles of all runs over time are exact if every run was kept, else they follow from counts between fixed edges.

The edges are quantiles of the first runs, so that about equally many runs lie between any two neighbours. Every chunk
counts its runs between the edges; counts add up in any order, and a quantile lies between two known edges.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from qddot.base.errors import SweepError, shortened
from qddot.motion.sweeps import loading

if TYPE_CHECKING:
    import xarray as xr

PILOT = 4096  # runs that set the edges
PARTS = 256
NAMES = ("q", "qd")


def edges_of(values: Any) -> Any:
    """Returns edges that divide some runs' values into PARTS parts of equal size, (runs, …) → (PARTS − 1, …)."""
    return np.nanquantile(values, np.arange(1, PARTS) / PARTS, axis=0)


def counted(values: Any, edges: Any) -> tuple[Any, Any]:
    """Returns how many of some runs' values, (runs, …), lie in each part, (PARTS, …), and the least and the largest."""
    # NaN is sorted after all numbers
    columns, lines = np.sort(values, axis=0).reshape(len(values), -1), edges.reshape(len(edges), -1)
    below = np.stack([np.searchsorted(column, line) for column, line in zip(columns.T, lines.T, strict=True)], axis=1)
    total = np.isfinite(columns).sum(0)
    counts = np.diff(np.concatenate([np.zeros_like(below[:1]), below, total[None]]), axis=0)
    last = columns[np.maximum(total - 1, 0), np.arange(columns.shape[1])]
    ends = np.stack([columns[0], last])
    shape = values.shape[1:]
    return counts.astype(np.int32).reshape(PARTS, *shape), ends.reshape(2, *shape)


def quantiles(data: xr.Dataset, name: str, levels: Sequence[float]) -> xr.DataArray:
    """Returns quantiles of q or qd over time, (quantile, time, joint or position).

    raises SweepError: as in `Swept.quantiles`
    """
    import xarray as xr

    try:
        fractions = np.array(levels, dtype=float).ravel()
        fits = bool(len(fractions) and ((fractions >= 0) & (fractions <= 1)).all() and (np.diff(fractions) > 0).all())
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise SweepError("levels-not-increasing", levels=shortened(levels))
    attrs: dict[str, Any] = {}
    if name in NAMES and name in data:
        values, attrs = np.nanquantile(loading.values(data[name]), fractions, axis=0), dict(data[name].attrs)
    elif name in NAMES and f"{name}_counts" in data:
        attrs = dict(data[f"{name}_edges"].attrs)
        values, attrs["within"] = _from_counts(data, name, fractions)
    else:
        raise SweepError("no-quantiles", name=shortened(name))
    along = str(data[name if name in data else f"{name}_edges"].dims[-1])
    coords = {"quantile": fractions, "time": data.time, along: data[along]}
    return xr.DataArray(values, coords, ("quantile", "time", along), name, attrs)


def _from_counts(data: xr.Dataset, name: str, levels: Any) -> tuple[Any, float]:
    """Returns quantiles, linear between the edges, and the largest distance of two edges that enclose one."""
    counts = loading.values(data[f"{name}_counts"]).sum(axis=0, dtype=np.int64)
    ends = data[f"{name}_ends"].values
    lowest, highest = np.nanmin(ends[:, 0], axis=0), np.nanmax(ends[:, 1], axis=0)
    edges = np.concatenate([lowest[None], np.clip(data[f"{name}_edges"].values, lowest, highest), highest[None]])
    below = np.concatenate([np.zeros_like(counts[:1]), counts.cumsum(0)])
    values, widest = np.empty((len(levels), *counts.shape[1:])), 0.0
    for place in np.ndindex(*counts.shape[1:]):
        at, line = below[:, *place], edges[:, *place]
        rank = levels * at[-1]
        upper = np.clip(np.searchsorted(at, rank), 1, len(at) - 1)
        share = (rank - at[upper - 1]) / np.maximum(at[upper] - at[upper - 1], 1)
        values[:, *place] = line[upper - 1] + np.clip(share, 0, 1) * (line[upper] - line[upper - 1])
        widest = max(widest, float((line[upper] - line[upper - 1]).max()))
    return values, widest
