"""A Snapshot is a model in numbers, which can be read in other ways and evaluated in many states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np

from qddot.algebra.numbers.floats import Floats
from qddot.base.records import record
from qddot.inspect.comparison.places import Array
from qddot.physics.algorithms.kinematics import poses
from qddot.physics.mechanism import Link, Mechanism
from qddot.physics.of_model import dynamics_of
from qddot.robot.bodies import Symbol
from qddot.robot.loops import Loop
from qddot.robot.model import Model
from qddot.robot.rolling import Rolling


@record()
class Snapshot:
    """A snapshot is a model with numbers for its symbols; home is its mechanism at q = 0 in floats.

    closures: loops and wheels on its links, of a closed chain
    """

    model: Model
    values: Mapping[str, float]
    home: Mechanism
    closures: tuple[Loop | Rolling, ...] = ()

    @classmethod
    def of(
        cls,
        model: Model,
        values: Mapping[str, float],
        kind: type[Floats] = Floats,
        closures: tuple[Loop | Rolling, ...] = (),
    ) -> Snapshot:
        home = Mechanism.of(model, kind(values, dict.fromkeys(model.coordinates, 0.0)))
        return cls(model, values, home, closures)

    def read(self, model: Model, kind: type[Floats] = Floats) -> Snapshot:
        """Returns it with another model, or with numbers of another kind."""
        return self.of(model, self.values, kind, self.closures)

    def carrier(self, link: Link) -> Link | None:
        """Returns the nearest link, from this one inward, whose joint moves; None if none moves."""
        while link.dof is None and link.parent is not None:
            link = self.home.links[link.parent]
        return None if link.dof is None else link

    def above(self, link: Link) -> Link | None:
        """Returns the nearest link that carries this one and whose joint moves; None if none does."""
        return None if link.parent is None else self.carrier(self.home.links[link.parent])

    @cached_property
    def axes(self) -> Array:
        """Returns each joint's axis and its point nearest to the origin, at q = 0 in the base's frame, shape (n, 2, 3).

        The point of a sliding joint is 0, since it has none.
        """
        axes = np.zeros((self.model.n, 2, 3))
        for link, T in zip(self.home.links, poses(self.home), strict=True):
            if link.dof is not None and link.ratio is None:
                screw = T.adjoint(link.S)
                axes[link.dof, 0] = list(screw.w if link.kind.is_revolute else screw.v)
                axes[link.dof, 1] = list(screw.w.cross(screw.v)) if link.kind.is_revolute else 0.0
        return axes

    def equations(self, q: Array, qd: Array) -> tuple[Array, Array, Array]:
        """Returns M with armature, C = ½ ∂h/∂q̇ and G, (k, n, n), (k, n, n) and (k, n), in k states of shape (k, n)."""
        M, C, G = (np.array(part) for part in zip(*map(self._equations, q, qd), strict=True))
        return M, C, G

    def _equations(self, q: Array, qd: Array) -> tuple[Array, Array, Array]:
        names = self.model.coordinates
        state = (dict(zip(names, part.tolist(), strict=True)) for part in (q, qd))
        dynamics = dynamics_of(self.model, Floats(self.values, *state))
        parts = dynamics.mass_matrix(), dynamics.coriolis_matrix(), dynamics.gravity_torques()
        M, C, G = (np.array(part, dtype=float) for part in parts)
        return M, C, G


def shared_values(
    a: Model, b: Model, draw: Sequence[int] = ()
) -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
    """Returns the symbols' values in both models, and the drawn numbers of those that have none.

    A symbol without a value gets the same arbitrary number in both; a default of one model also holds in the other.
    draw: which of the possible numbers
    """
    defaults = {**b.defaults(), **a.defaults()}
    names = {**a.symbols, **b.symbols}
    generic = {name: float(np.random.default_rng([*name.encode(), *draw]).uniform(0.5, 1.5)) for name in names}
    used = a.used_symbols | b.used_symbols
    drawn = {name: number for name, number in generic.items() if name not in defaults and name in used}

    def values(model: Model) -> dict[str, float]:
        symbols: Mapping[str, Symbol] = model.symbols
        return {name: {**generic, **defaults, **model.defaults()}[name] for name in symbols}

    return values(a), values(b), drawn
