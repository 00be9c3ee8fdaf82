"""Computes the quantities of the equations of motion exactly: M(q) q̈ + C(q, q̇) q̇ + G(q) + springs + friction = τ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any, Self

from qddot.dynamics import coriolis, kinematics
from qddot.dynamics.derivation import Derivation
from qddot.dynamics.dynamics import Dynamics
from qddot.dynamics.effects import with_inertias
from qddot.dynamics.of_model import dynamics_of
from qddot.dynamics.parallel import Before
from qddot.equations import routes
from qddot.equations.array import ExactArray
from qddot.equations.centres import Centres, OwnCentres
from qddot.equations.shortest import Choice, converted, shortest
from qddot.errors import QddotError, did_you_mean, is_one_of, near, shortened
from qddot.model.bodies import listed
from qddot.model.model import Model
from qddot.numbers.exact import Ring
from qddot.spatial import Motion, Number

QUANTITIES = ("M", "christoffel", "C", "B", "C2", "h", "G", "springs", "friction", "tau", "K", "P", "L")
KINEMATICS = ("A", "T", "T_tool", "p_c", "J", "J_c", "J_tool")  # of the links: where they are and how they move
SHOWN = ("M", "h", "G")  # the quantities that are shown by default
SYMMETRIC = {"U_ijk": (1, 2), "h_ikm": (1, 2), "m_ijk": (0, 1), "b_ijk": (1, 2)}  # steps, and in which axes
MOST_COORDINATES = 7  # of arms whose steps are all computed to be shown
JOINT_PARTS = ("springs", "friction")  # quantities of joints, beside those of the bodies


class Steps(Mapping[str, ExactArray]):
    """These are a route's intermediate results by name; each becomes an exact array when it is asked for."""

    def __init__(self, ring: Ring, nested: Mapping[str, Any]) -> None:
        self._ring, self._nested = ring, nested
        self._made: dict[str, ExactArray] = {}

    def __getitem__(self, name: str) -> ExactArray:
        if name not in self._made:
            if name not in self._nested:
                raise KeyError(f"{name}; {did_you_mean(name, self._nested)}")
            nested = self._nested[name]
            found = nested() if callable(nested) else nested
            self._made[name] = ExactArray(self._ring, found, name, SYMMETRIC.get(name))
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._nested)

    def __len__(self) -> int:
        return len(self._nested)

    def __repr__(self) -> str:
        return f"<steps {', '.join(self)}>"

    def _repr_markdown_(self) -> str:
        from qddot.equations import heads

        short = len(self._ring.coordinates) <= MOST_COORDINATES
        return heads.catalogue(self, lambda name: short or name in self._made or not callable(self._nested[name]))


class Quantities:
    """This has every quantity of one model's equations by one route; each is computed when it is asked for.

    τ = M q̈ + h + G + springs + friction with h = C q̇. Every quantity is an ExactArray: M (n, n),
    christoffel Γ_ijk (n, n, n), C (n, n), B (n, n(n−1)/2), C2 (n, n), h, G, springs, friction, tau (n),
    K, P and L scalars. K includes the rotors, P is gravity's alone, zero at the base's origin. Of the b
    bodies, A (b, 4, 4) in their parents' frames, and in base axes T (b, 4, 4), p_c (b, 3), J and J_c
    (b, 6, n), of the tool T_tool (4, 4) and J_tool (6, n); a Jacobian's rows are linear, then angular.
    `steps` has the route's own intermediate results.
    """

    def __init__(
        self,
        model: Model,
        route: str = "composite",
        ring: Ring | None = None,
        found: Derivation | None = None,
    ) -> None:
        self.model = model
        choice = shortest(model) if ring is None else Choice(ring)
        self.ring = choice.ring
        self.route = route if self.dynamics.has_bodies else routes.GIVEN
        self._found = found or routes.derive(model, route, self.ring, choice.M)
        # without long runs its derivation is quicker than the conversion of what it gives
        self._derives_at_once = found is None and self.route == routes.QUICKEST and not self._found.in_angles

    def __reduce__(self) -> tuple[Any, ...]:
        # a copy in another process derives again: polynomials cannot be pickled
        return type(self), (self.model, self.route)

    @property
    def n(self) -> int:
        return self.model.n

    @cached_property
    def in_joint_angles(self) -> Self:
        """The same quantities in the sines and cosines of the joints' own angles."""
        ring = self.ring.of_joints
        if ring is self.ring:
            return self
        if self._derives_at_once:
            return type(self)(self.model, self.route, ring)
        M, gamma, G = converted((self._found.M, self._found.christoffel, self._found.G), ring.convert)
        return type(self)(self.model, self.route, ring, Derivation(M, gamma, G))

    def in_angles(self, before: Before) -> Derivation:
        """Returns M, Γ and G in the absolute angles of long runs of parallel joints."""
        return self._found.in_angles or routes.in_angles(self.model, self.ring, self.dynamics.arm, before)

    @cached_property
    def dynamics(self) -> Dynamics:
        """Returns the dynamics over this ring."""
        return dynamics_of(self.model, self.ring)

    def _array(self, nested: Any, name: str, symmetric: tuple[int, int] | None = None) -> ExactArray:
        return ExactArray(self.ring, nested, name, symmetric)

    @cached_property
    def M(self) -> ExactArray:
        """Returns the mass matrix, rotors on its diagonal."""
        return self._array(with_inertias(self._found.M, self.dynamics.arm.effects), "M", (0, 1))

    @cached_property
    def christoffel(self) -> ExactArray:
        """Returns Γ_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i)."""
        return self._array(self._found.christoffel, "Γ", (1, 2))

    @cached_property
    def C(self) -> ExactArray:
        """Returns C_ij = Σ_k Γ_ijk q̇_k."""
        return self._array(coriolis.coriolis_matrix(self._found.christoffel, self.dynamics.arm.qd), "C")

    @cached_property
    def B(self) -> ExactArray:
        """Returns the factors of q̇_j q̇_k, columns (1,2), (1,3) … (n−1,n)."""
        found = self._array(coriolis.coriolis_products(self._found.christoffel), "B")
        found.places = tuple((i, j, k) for i in range(self.n) for j, k in combinations(range(self.n), 2))
        return found

    @cached_property
    def C2(self) -> ExactArray:
        """Returns the factors of q̇_j²."""
        return self._array(coriolis.centrifugal_matrix(self._found.christoffel), "C2")

    @cached_property
    def h(self) -> ExactArray:
        """Returns C q̇."""
        return self._array(coriolis.velocity_torques(self._found.christoffel, self.dynamics.arm.qd), "h")

    @cached_property
    def G(self) -> ExactArray:
        """Returns ∂P/∂q, gravity alone."""
        return self._array(self._found.G, "G")

    @cached_property
    def springs(self) -> ExactArray:
        """Returns k (q − q0) of each joint's springs."""
        return self._array(self.dynamics.torques_of("springs"), "springs")

    @cached_property
    def friction(self) -> ExactArray:
        """Returns c q̇ + f sgn q̇."""
        return self._array(self.dynamics.torques_of("friction"), "friction")

    @cached_property
    def tau(self) -> ExactArray:
        """Returns M q̈ + h + G + springs + friction, the torques that the motion requires of the joints."""
        qdd = ExactArray(self.ring, list(self.dynamics.arm.qdd))
        total = self.M @ qdd + self.h + self.G + self.springs + self.friction
        return self._array(list(total.entries), "tau")

    @cached_property
    def K(self) -> ExactArray:
        """Returns the kinetic energy of bodies and rotors."""
        return self._array(self.dynamics.kinetic_energy(), "K")

    @cached_property
    def P(self) -> ExactArray:
        """Returns P = −Σ m gᵀ p_c, without springs."""
        return self._array(self.dynamics.potential_energy(), "P")

    @cached_property
    def L(self) -> ExactArray:
        """Returns the Lagrangian K − P; springs and friction stand beside it, as torques."""
        return self._array((self.K - self.P).entries[0], "L")

    @cached_property
    def A(self) -> ExactArray:
        """Returns the pose of every body's frame in that of its parent, so that T_i = T_parent A_i."""
        return self._array([link.X.pose().matrix() for link in self.dynamics.arm.links], "A")

    @cached_property
    def T(self) -> ExactArray:
        """Returns the pose of every body's frame in the base frame."""
        return self._array([pose.matrix() for pose in kinematics.poses(self.dynamics.arm)], "T")

    @cached_property
    def T_tool(self) -> ExactArray:
        """Returns the pose of the tool's frame in the base frame."""
        return self._array(kinematics.tool_pose(self.dynamics.arm).matrix(), "T_tool")

    @cached_property
    def p_c(self) -> ExactArray:
        """Returns the centre of mass of every body in the base frame.

        A body that is described by its first moment has symbols cx1, cy1, cz1 for its centre in its own frame.
        """
        centres = self.centres
        return ExactArray(centres.ring, [list(p) for p in kinematics.centres_of_mass(centres.arm)], "p_c")

    @cached_property
    def J(self) -> ExactArray:
        """Returns the Jacobian of every body's origin in base axes, linear rows first."""
        arm = self.dynamics.arm
        T = kinematics.poses(arm)
        return self._array([_rows(kinematics.jacobian(arm, link.index, T=T)) for link in arm.links], "J")

    @cached_property
    def J_c(self) -> ExactArray:
        """Returns the Jacobian of every body's centre of mass in base axes, linear rows first; symbols as in p_c."""
        arm = self.centres.arm
        T = kinematics.poses(arm)
        centres = [kinematics.jacobian(arm, link.index, link.com, T) for link in arm.links]
        return ExactArray(self.centres.ring, [_rows(columns) for columns in centres], "J_c")

    @cached_property
    def J_tool(self) -> ExactArray:
        """Returns the Jacobian of the tool's origin in base axes, linear rows first."""
        return self._array(_rows(kinematics.tool_jacobian(self.dynamics.arm)), "J_tool")

    @cached_property
    def centres(self) -> Centres | OwnCentres:
        """Returns the mechanism in which every link has a centre of mass."""
        return Centres(self.model, self.ring)

    @cached_property
    def steps(self) -> Mapping[str, ExactArray]:
        """Returns the route's intermediate results; those of "com_jacobian" may have symbols cx1 … for centres."""
        # equations that were read from a file have no steps
        found = self._found if self._found.steps else routes.derive(self.model, self.route, self.ring)
        ring = self.ring
        if self.route == "com_jacobian":
            ring = self.centres.ring
        return Steps(ring, found.steps)

    def array(self, name: str) -> ExactArray:
        """Returns a quantity or a step by its name; raises QddotError for an unknown one."""
        if is_one_of(name, (*QUANTITIES, *KINEMATICS)):
            return getattr(self, name)  # type: ignore[no-any-return]
        known = (*QUANTITIES, *KINEMATICS, *self.steps)
        if not is_one_of(name, known):
            raise QddotError(f"no quantity {shortened(name)}", expected=", ".join(known), remedy=near(name, known))
        return self.steps[name]


def named(only: Any) -> list[str]:
    """Returns the names of quantities; a single name becomes a list of one."""
    return [only] if isinstance(only, str) else list(listed(only, "quantities"))


def _rows(columns: Sequence[Motion | None]) -> list[list[Number]]:
    """Returns a Jacobian's rows, linear first, of its columns; None stands for a joint that does not move the body."""
    twists = [Motion.zero() if column is None else column for column in columns]
    return [list(row) for row in zip(*((*twist.v, *twist.w) for twist in twists), strict=True)]
