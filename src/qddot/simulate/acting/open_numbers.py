"""Numbers of forces that are not fixed yet: those that a sweep draws, and parameters of a plant in their place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class Distribution(Protocol):
    """A distribution has a quantile function, and facts that tell it from others."""

    def values(self, u: Any) -> Any:
        """Returns the values below which the parts u, between 0 and 1, of all values lie."""
        ...

    @property
    def facts(self) -> dict[str, list[float]]:
        """Returns the name and the numbers of the distribution, as a plan's file has them."""
        ...


@dataclass(frozen=True)
class Parameter:
    """This number is a symbol of the model, by its name: each arm of a batch has its own."""

    name: str


Open = Distribution | Parameter
