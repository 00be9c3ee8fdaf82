"""Has the quantities of a closed chain in the form in which answers about robots are read and judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.algebra.spatial import summed
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.exact.equations.quantities import Quantities
from qddot.robot.model import Model

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qddot.teach.check.closed_places import Place, Places


class ChainQuantities(Quantities):
    """These are the reduced equations of a closed chain, in the joints' own angles; rows are independent coordinates.

    reduced: the equations; near: a closed configuration in doubles, on whose branch answers are judged
    """

    def __init__(self, reduced: ReducedEquations, near: NDArray[np.float64]) -> None:
        super().__init__(reduced.model.tree, ring=reduced.coefficients.ring.of_joints)
        self.reduced, self.near = reduced, near

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.reduced, self.near)

    @property
    def n(self) -> int:
        return len(self.velocities)

    @property
    def velocities(self) -> tuple[str, ...]:
        return self.reduced.independent

    @property
    def shapes_of_loops(self) -> dict[str, tuple[int, ...]]:
        """Returns the shapes of the quantities that only closed chains have."""
        return {name: self.array(name).shape for name in ("R", "A", "phi")}

    @cached_property
    def in_joint_angles(self) -> Self:
        return self

    @cached_property
    def by_routes(self) -> dict[str, Quantities]:
        return {self.route: self}

    @property
    def _search(self) -> Places:
        from qddot.teach.check.closed_places import Places

        return Places(self.reduced, self.near)

    @cached_property
    def places(self) -> list[Place]:
        """Returns the states with closed loops in which answers are judged."""
        return self._search.every

    def prepare(self) -> None:
        """Computes the states; raises EvaluationError: a symbol has no value, or too few configurations are found."""
        _ = self.places

    def places_at(self, values: Mapping[str, Any]) -> list[Place]:
        """Returns such states for an answer with numbers: those values of symbols stand in the place of these."""
        return self._search.at(values)

    def with_tree(self, model: Model) -> ChainQuantities:
        """Returns the quantities of the chain with another tree of as many bodies and the same loops."""
        closed = replace(self.reduced.model, tree=model)
        return ChainQuantities(ReducedEquations(closed, self.reduced.choice), self.near)

    def array(self, name: str) -> ExactArray:
        if name not in self._arrays:
            array = self.reduced.array(name)
            entries = tuple(map(self.ring.convert, array.entries))
            self._arrays[name] = replace(array, ring=self.ring, entries=entries)
        return self._arrays[name]

    @property
    def has_lagrangian(self) -> bool:
        """Returns whether Lagrange's equations hold for u: not with rolling wheels, nor with quasi-velocities."""
        return self.reduced.model.integrable and not self.model.freedoms

    # along the motions

    def moving(self, value: Polynomial) -> Polynomial:
        """Returns a polynomial of any ring with q̇ = R u and q̈ = R u̇ + Ṙ u."""
        of, ring = self.reduced.coefficients, value.ring
        images: dict[str, Any] = {}
        present = set(value.variables())
        for k in of.dependent:
            name = ring.coordinates[k]
            for key, every in ((f"qd({name})", of.rates), (f"qdd({name})", of.accelerations)):
                if key in present:
                    images[key] = of.ring.convert(every[k])
        if not images:
            return value
        for image in images.values():
            ring = ring.joined(image.ring.of_joints)
        return ring.composed(value, {key: ring.convert(image) for key, image in images.items()})

    def slope(self, value: Any, j: int) -> Any:
        """Returns the derivative of a function of q and r_kj along the motion in which u_j = 1 is alone."""
        if isinstance(value, int):
            return 0
        of, ring = self.reduced.coefficients, value.ring
        parts = [
            ring.differentiate(value, name) * ring.convert(of.ring.convert(of.at(k, j)))
            for k, name in enumerate(ring.coordinates)
            if of.at(k, j)
        ]
        present = set(value.variables())
        for (k, l), name in of.names.items():
            if name in present:
                parts.append(value.derivative(name) * ring.convert(of.ring.convert(of.slope(k, l, j))))
        return summed(parts)

    def rate(self, value: Any) -> Any:
        """Returns d/dt along the motions of a function of q, r_kj and u."""
        if isinstance(value, int):
            return 0
        ring, names = value.ring, self.velocities
        parts = [self.slope(value, j) * ring.rate(name) for j, name in enumerate(names)]
        present = set(value.variables())
        parts += [
            value.derivative(f"qd({name})") * ring.acceleration(name) for name in names if f"qd({name})" in present
        ]
        return summed(parts)
