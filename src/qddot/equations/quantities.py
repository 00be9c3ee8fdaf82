"""The quantities of the equations of motion: M(q) q̈ + C(q, q̇) q̇ + G(q) + springs + friction = τ, exact."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import combinations
from typing import Any

from qddot.dynamics import coriolis
from qddot.dynamics.derivation import Derivation
from qddot.dynamics.dynamics import Dynamics
from qddot.dynamics.effects import with_inertias
from qddot.dynamics.of_model import dynamics_of
from qddot.equations import routes
from qddot.equations.array import ExactArray
from qddot.equations.shortest import converted, shortest_ring
from qddot.errors import QddotError, did_you_mean, is_one_of, near, shortened
from qddot.model.model import Model
from qddot.numbers.exact import Ring

QUANTITIES = ("M", "christoffel", "C", "B", "C2", "h", "G", "springs", "friction", "tau", "K", "P")
SHOWN = ("M", "h", "G")  # where nothing else is asked for
JOINT_PARTS = ("springs", "friction")  # of the bodies' own equations


class Steps(Mapping[str, ExactArray]):
    """A route's intermediates by name, each made into an exact array when it is asked for."""

    def __init__(self, ring: Ring, nested: Mapping[str, Any]) -> None:
        self._ring, self._nested = ring, nested
        self._made: dict[str, ExactArray] = {}

    def __getitem__(self, name: str) -> ExactArray:
        if name not in self._made:
            if name not in self._nested:
                raise KeyError(f"{name}; {did_you_mean(name, self._nested)}")
            nested = self._nested[name]
            self._made[name] = ExactArray(self._ring, nested() if callable(nested) else nested, name)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._nested)

    def __len__(self) -> int:
        return len(self._nested)


class Quantities:
    """Every quantity of one model's equations, by one route: each an ExactArray that is made when it is asked for.

    τ = M q̈ + h + G + springs + friction with h = C q̇. Every quantity is an ExactArray: M (n, n),
    christoffel Γ_ijk (n, n, n), C (n, n), B (n, n(n−1)/2), C2 (n, n), h, G, springs, friction, tau (n),
    K and P scalars. K counts the rotors, P counts gravity alone, zero at the base's origin. `steps`
    has the route's own intermediates by name.
    """

    def __init__(
        self,
        model: Model,
        route: str = "composite",
        ring: Ring | None = None,
        found: Derivation | None = None,
    ) -> None:
        self.model = model
        self.ring = ring or shortest_ring(model)
        self.route = route if self.dynamics.has_bodies else routes.GIVEN
        self._found = found or routes.derive(model, route, self.ring)

    def __reduce__(self) -> tuple[Any, ...]:
        # derived again where it arrives: the polynomials do not travel
        return type(self), (self.model, self.route)

    @property
    def n(self) -> int:
        return self.model.n

    @cached_property
    def in_joint_angles(self) -> Quantities:
        """The same quantities in the sines and cosines of the joints' own angles."""
        ring = self.ring.of_joints
        if ring is self.ring:
            return self
        M, gamma, G = converted((self._found.M, self._found.christoffel, self._found.G), ring)
        return Quantities(self.model, self.route, ring, Derivation(M, gamma, G))

    @cached_property
    def dynamics(self) -> Dynamics:
        """The physics over this ring."""
        return dynamics_of(self.model, self.ring)

    def _array(self, nested: Any, name: str, symmetric: tuple[int, int] | None = None) -> ExactArray:
        return ExactArray(self.ring, nested, name, symmetric)

    @cached_property
    def M(self) -> ExactArray:
        """The mass matrix, rotors on its diagonal."""
        return self._array(with_inertias(self._found.M, self.dynamics.arm.effects), "M", (0, 1))

    @cached_property
    def christoffel(self) -> ExactArray:
        """Γ_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i)."""
        return self._array(self._found.christoffel, "Γ", (1, 2))

    @cached_property
    def C(self) -> ExactArray:
        """C_ij = Σ_k Γ_ijk q̇_k."""
        return self._array(coriolis.coriolis_matrix(self._found.christoffel, self.dynamics.arm.qd), "C")

    @cached_property
    def B(self) -> ExactArray:
        """What multiplies q̇_j q̇_k, columns (1,2), (1,3) … (n−1,n)."""
        found = self._array(coriolis.coriolis_products(self._found.christoffel), "B")
        found.places = tuple((i, j, k) for i in range(self.n) for j, k in combinations(range(self.n), 2))
        return found

    @cached_property
    def C2(self) -> ExactArray:
        """What multiplies q̇_j²."""
        return self._array(coriolis.centrifugal_matrix(self._found.christoffel), "C2")

    @cached_property
    def h(self) -> ExactArray:
        """C q̇."""
        return self._array(coriolis.velocity_torques(self._found.christoffel, self.dynamics.arm.qd), "h")

    @cached_property
    def G(self) -> ExactArray:
        """∂P/∂q, gravity alone."""
        return self._array(self._found.G, "G")

    @cached_property
    def springs(self) -> ExactArray:
        """k (q − q0) of each spring."""
        return self._array(self.dynamics.torques_of("springs"), "springs")

    @cached_property
    def friction(self) -> ExactArray:
        """c q̇ + f sgn q̇."""
        return self._array(self.dynamics.torques_of("friction"), "friction")

    @cached_property
    def tau(self) -> ExactArray:
        """M q̈ + h + G + springs + friction: what the motion requires of the joints."""
        qdd = ExactArray(self.ring, list(self.dynamics.arm.qdd))
        total = self.M @ qdd + self.h + self.G + self.springs + self.friction
        return self._array(list(total.entries), "tau")

    @cached_property
    def K(self) -> ExactArray:
        """Kinetic energy of bodies and rotors."""
        return self._array(self.dynamics.kinetic_energy(), "K")

    @cached_property
    def P(self) -> ExactArray:
        """−Σ m gᵀ p_c; springs apart."""
        return self._array(self.dynamics.potential_energy(), "P")

    @cached_property
    def steps(self) -> Mapping[str, ExactArray]:
        """The route's own intermediates; those of "com_jacobian" may have centres of mass cx1 … of their own."""
        # equations that were read from a file come without them
        found = self._found if self._found.steps else routes.derive(self.model, self.route, self.ring)
        ring = self.ring
        if self.route == "com_jacobian":
            ring = routes.Centres(self.model, self.ring).ring
        return Steps(ring, found.steps)

    def array(self, name: str) -> ExactArray:
        """A quantity or a step by its name."""
        if is_one_of(name, QUANTITIES):
            return getattr(self, name)  # type: ignore[no-any-return]
        known = (*QUANTITIES, *self.steps)
        if not is_one_of(name, known):
            raise QddotError(f"no quantity {shortened(name)}", expected=", ".join(known), remedy=near(name, known))
        return self.steps[name]
