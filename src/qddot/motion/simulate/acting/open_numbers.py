"""Numbers in forces whose values are not fixed yet are a sweep's distributions or a plant's parameters."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from qddot.base.records import record


@runtime_checkable
class Distribution(Protocol):
    """A distribution has a quantile function, and facts that distinguish it from others."""

    def values(self, u: Any) -> Any:
        """Returns the quantile for each u between 0 and 1: a fraction u of all values lies below it."""
        ...

    @property
    def facts(self) -> dict[str, list[float]]:
        """Returns the name and the numbers of the distribution, as written in a plan's file."""
        ...


@record()
class Parameter:
    """This number is a symbol of the model, by its name: each arm of a batch has its own."""

    name: str


Open = Distribution | Parameter
