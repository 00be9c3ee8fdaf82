"""Samples of a simulation are named arrays over arms and times, an xarray Dataset where somebody asks for one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import xarray as xr


class Variable(NamedTuple):
    """A variable has an array over named dimensions, and what is told of it, such as its units."""

    dims: tuple[str, ...]
    values: Any
    attrs: Mapping[str, Any] = {}


@dataclass(frozen=True, eq=False)
class Arrays:
    """These are variables over the dimensions arm, time and joint, with those dimensions' own values.

    They are what an xarray Dataset has, without xarray, which takes half a second to load.
    """

    variables: Mapping[str, Variable]
    coords: Mapping[str, Variable]
    attrs: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, data: xr.Dataset) -> Arrays:
        """Returns a Dataset's arrays."""
        variables, coords = (
            {str(name): Variable(tuple(map(str, each.dims)), each.values, each.attrs) for name, each in part.items()}
            for part in (data.data_vars, data.coords)
        )
        return cls(variables, coords, {str(name): value for name, value in data.attrs.items()})

    def dataset(self) -> xr.Dataset:
        """Returns a Dataset of the same arrays."""
        import xarray as xr

        variables, coords = (
            {name: (each.dims, each.values, dict(each.attrs)) for name, each in part.items()}
            for part in (self.variables, self.coords)
        )
        return xr.Dataset(variables, coords, dict(self.attrs))

    def __contains__(self, name: str) -> bool:
        return name in self.variables

    def __getitem__(self, name: str) -> Any:
        """Returns the array of a variable or of a dimension."""
        return (self.variables.get(name) or self.coords[name]).values

    @property
    def shape(self) -> tuple[int, int]:
        """Returns how many arms and how many times there are."""
        return len(self["arm"]), len(self["time"])

    @property
    def joints(self) -> list[str]:
        """Returns the names of the coordinates."""
        return list(map(str, self["joint"]))

    @property
    def units(self) -> list[str]:
        """Returns the units of the coordinates."""
        return list(map(str, self["unit"]))

    def of_arm(self, arm: int) -> Arrays:
        """Returns the samples of one arm."""
        own = {
            name: Variable(each.dims[1:], each.values[arm], each.attrs) if each.dims[0] == "arm" else each
            for name, each in self.variables.items()
        }
        return Arrays(own, {name: each for name, each in self.coords.items() if name != "arm"}, self.attrs)


class Samples:
    """These are samples of one arm or of a batch."""

    def __init__(self, arrays: Arrays | Callable[[], Arrays]) -> None:
        self._given = arrays

    @cached_property
    def arrays(self) -> Arrays:
        """Returns the samples, which are described when they are asked for."""
        return self._given if isinstance(self._given, Arrays) else self._given()

    @cached_property
    def data(self) -> xr.Dataset:
        """Returns all samples as an xarray Dataset with the dimensions arm, time and joint, and with units."""
        return self.arrays.dataset()

    @property
    def time(self) -> NDArray[np.float64]:
        """Returns the samples' times [s], shape (time,)."""
        times: NDArray[np.float64] = self.arrays["time"]
        return times

    def _of(self, name: str) -> NDArray[np.float64]:
        """Returns a variable, without the dimension of arms for a single arm."""
        values: NDArray[np.float64] = self.arrays[name]
        return values[0] if self.arrays.attrs["single"] else values
