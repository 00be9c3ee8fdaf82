"""Samples of a simulation are named arrays over arms and times; an xarray Dataset of them is made on demand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qddot.base.errors import SimulationError
from qddot.base.records import record
from qddot.base.words.message import Words

if TYPE_CHECKING:
    import xarray as xr


POSITION = "position"  # the dimension of q where q has more numbers than q̇
ENERGY_TOLERANCE = "energy_tolerance"  # the attribute with the fraction of the exchanged energy that may be missing
UNKNOWN = 0.01  # that fraction where a file does not say it


class Variable(NamedTuple):
    """A variable has an array over named dimensions, and attributes such as its units."""

    dims: tuple[str, ...]
    values: Any
    attrs: Mapping[str, Any] = {}


@record(eq=False)
class Arrays:
    """These are variables over the dimensions arm, time and joint, with those dimensions' own values.

    They have the same contents as an xarray Dataset, without xarray, which takes half a second to load.
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

    def plain(self, name: str) -> NDArray[np.float64]:
        """Returns the array of a variable, without the dimension of arms where the run began as one of a single arm."""
        values: NDArray[np.float64] = self[name]
        return values[0] if self.attrs["single"] else values

    @property
    def shape(self) -> tuple[int, int]:
        """Returns how many arms and how many times there are."""
        return len(self["arm"]), len(self["time"])

    @property
    def joints(self) -> list[str]:
        """Returns the names of the coordinates."""
        return list(map(str, self["joint"]))

    @property
    def positions(self) -> list[str]:
        """Returns the names of the entries of q, which are those of the coordinates where no joint has a quaternion."""
        return list(map(str, self[POSITION])) if POSITION in self.coords else self.joints

    def refuse_quaternions(self, what: Words) -> None:
        """Raises SimulationError where joints have quaternions, which `what` does not support yet."""
        if POSITION in self.coords:
            raise SimulationError("quaternions-in-a-run", where=str(self.attrs["model"]), what=what)

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
