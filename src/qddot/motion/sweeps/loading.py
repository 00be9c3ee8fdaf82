"""Reads variables of an answer, which may be on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qddot.base.errors import SweepError
from qddot.motion.simulate.runs import capacity

if TYPE_CHECKING:
    import xarray as xr


def values(array: xr.DataArray) -> Any:
    """Returns a variable's numbers. raises SweepError: they do not fit in memory"""
    capacity.check_free(
        2 * array.nbytes,  # what is computed from them is as large
        f"all of {array.name}, with what is computed from it, takes",
        lambda _: f"take a part: data.{array.name}[:1000]",
        SweepError,
    )
    return array.values
