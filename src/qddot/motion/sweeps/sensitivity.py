"""Sensitivities are the parts of a variable's variance that the drawn numbers explain, from a Saltelli design.

The first-order index is the part that a number explains by itself; the total index includes all its interactions.
Sources: Saltelli et al., "Variance based sensitivity analysis of model output", 2010, table 2 (b) and (f); the errors
are standard ones of a bootstrap over the design's rows (Archer, Saltelli & Sobol, 1997).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from qddot.base.errors import SweepError, did_you_mean
from qddot.motion.sweeps import loading

if TYPE_CHECKING:
    import xarray as xr

RESAMPLES = 200


def sensitivities(data: xr.Dataset, name: str) -> xr.Dataset:
    """Returns the first-order and total indices of a variable, and their standard errors, for each drawn number.

    Rows of the design in which a run has NaN are left out.
    raises SweepError: another design, no such variable, or one without variance
    """
    import xarray as xr

    if "saltelli" not in data.attrs["plan"]["design"]:
        raise SweepError("no-saltelli-design")
    if name not in data or data[name].dims[:1] != ("run",):
        names = [str(key) for key, array in data.items() if array.dims[:1] == ("run",)]
        raise SweepError("no-variable", name=repr(name), remedy=did_you_mean(name, names))
    drawn, values = data.attrs["drawn"], loading.values(data[name]).astype(float)
    rows = values.reshape(-1, len(drawn) + 2, *values.shape[1:])
    rows = rows[np.isfinite(rows).reshape(len(rows), -1).all(1)]
    if len(rows) < 2 or not (rows[:, :2].reshape(-1, *rows.shape[2:]).var(0) > 0).all():
        raise SweepError("variable-does-not-vary", name=name, count=len(rows))
    estimates = indices(rows)
    spread = np.std([indices(rows, part) for part in _resamples(len(rows))], axis=0, ddof=1)
    dims = ("parameter", *data[name].dims[1:])
    parts = {"first": estimates[0], "total": estimates[1], "first_error": spread[0], "total_error": spread[1]}
    coords = {"parameter": drawn, **{dim: data[dim] for dim in dims[1:] if dim in data.coords}}
    return xr.Dataset({key: (dims, part) for key, part in parts.items()}, coords, {"variable": name, "rows": len(rows)})


def indices(rows: Any, weights: Any = None) -> Any:
    """Returns the first-order and total indices, (2, d, …), of f at A, B and A with each column of B, (N, d + 2, …).

    weights: how often each row counts, (N,)
    """
    share = np.full(len(rows), 1 / len(rows)) if weights is None else weights / weights.sum()
    both = rows[:, :2] - np.tensordot(share, rows[:, :2], 1).mean(0)
    A, B, mixed = both[:, :1], both[:, 1:2], rows[:, 2:] - (rows[:, :1] - both[:, :1])
    variance = np.tensordot(share, both**2, 1).mean(0)
    first = np.tensordot(share, B * (mixed - A), 1) / variance
    total = np.tensordot(share, (A - mixed) ** 2, 1) / (2 * variance)
    return np.stack([first, total])


def _resamples(count: int) -> Any:
    """Yields how often each of `count` rows is drawn, in resamples that are the same at every call."""
    rng = np.random.default_rng(0)
    for _ in range(RESAMPLES):
        yield np.bincount(rng.integers(count, size=count), minlength=count)
