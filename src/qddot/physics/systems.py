"""Defines systems: what has coordinates, rates, symbols and dynamics, from which functions are traced and compiled.

A `Model` is one, with links or with equations that are given entry by entry; a `ClosedSystem` is a closed chain with a
choice of independent coordinates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Protocol, Self

from qddot.base.records import record
from qddot.physics.independent import Independents, of_loops
from qddot.robot.closed_model import ClosedModel, names_of_conditions
from qddot.robot.model import Model


class System(Protocol):
    """A system is a mechanism with a choice of rates, along which its equations of motion are written.

    tree: its links and joints without loops; hash: the fingerprint of all that its functions depend on
    rates: the names of the rates; sizes: how many positions, velocities, rates and so on it has, by name
    """

    @property
    def name(self) -> str: ...
    @property
    def tree(self) -> Model: ...
    @property
    def hash(self) -> str: ...
    @property
    def rates(self) -> tuple[str, ...]: ...
    @property
    def sizes(self) -> Mapping[str, int]: ...
    @property
    def used_symbols(self) -> frozenset[str]: ...
    def with_given(self, names: Iterable[str]) -> Self: ...
    def with_values(self, values: Mapping[str, Any]) -> Self: ...


@record()
class ClosedSystem:
    """A closed system is a closed chain with the independent coordinates in which its equations are written.

    choice: with the places of the independent coordinates and of the independent conditions
    """

    model: ClosedModel
    choice: Independents

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def tree(self) -> Model:
        return self.model.tree

    @cached_property
    def hash(self) -> str:
        """Returns a fingerprint of the tree, its conditions, and the choice of coordinates and conditions."""
        content = repr((self.tree.hash, self.model.loops, self.model.rolling, self.model.conditions, self.choice))
        return sha256(content.encode()).hexdigest()[:16]

    @property
    def rates(self) -> tuple[str, ...]:
        return tuple(self.tree.coordinates[k] for k in self.choice.independent)

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        of_tree, m = self.tree.sizes, len(self.choice.independent)
        return {
            **of_tree,
            "rates": m,
            "directions": m if self.model.integrable else len(of_loops(self.model, self.choice).independent),
            "loop conditions": self.model.positional,
            "conditions": len(names_of_conditions(self.model)),
            "held": len(self.choice.conditions),
        }

    @property
    def used_symbols(self) -> frozenset[str]:
        return self.model.used_symbols

    def with_given(self, names: Iterable[str]) -> Self:
        """Returns this system, whose symbols are all of its tree, since its entries are derived and not given."""
        return self

    def with_values(self, values: Mapping[str, Any]) -> Self:
        """Returns the system with other defaults of symbols, and with the same choice of coordinates."""
        return replace(self, model=replace(self.model, tree=self.tree.with_values(values)))
