"""Reads variables of an answer, which may be on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from qddot.base.errors import SweepError
from qddot.base.words.message import say
from qddot.motion.simulate.runs import capacity

if TYPE_CHECKING:
    import xarray as xr


def values(array: xr.DataArray) -> Any:
    """Returns a variable's numbers. raises SweepError: they do not fit in memory"""
    capacity.check_free(
        2 * array.nbytes,  # what is computed from them is as large
        say("all-of-variable-takes", name=array.name),
        lambda _: say("take-a-part", name=array.name),
        SweepError,
    )
    return array.values
