"""Computes the quantities of the equations of motion exactly: M(q) q̈ + C(q, q̇) q̇ + G(q) + springs + friction = τ.

QUANTITIES and KINEMATICS list all of them; code that needs all quantities reads these tables.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import combinations
from typing import Any, NamedTuple, Protocol, Self, TypeVar, overload

from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.base.errors import QddotError, check_one_of, did_you_mean, is_one_of
from qddot.exact.equations import routes
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.centres import Centres, OwnCentres
from qddot.exact.equations.dependent_quantities import EntriesByName
from qddot.exact.equations.routes import Route
from qddot.exact.equations.shortest_angles import ChosenAngles, converted, in_joint_angles, with_fewest_terms
from qddot.physics.algorithms import kinematics
from qddot.physics.algorithms.kinematics import jacobian_rows
from qddot.physics.derivation import Derivation
from qddot.physics.dynamics import Dynamics
from qddot.physics.effects import with_inertias
from qddot.physics.frames.parallel_joints import Before
from qddot.physics.of_model import dynamics_of, has_bodies
from qddot.robot.model import Model
from qddot.robot.placements import listed

SHOWN = ("M", "h", "G")  # the quantities that are shown by default
# steps, and the axes in which they are expressed
OF_LINKS = ("M_v", "M_w", "M_b", "D_links", "pseudo_inertia", "spatial_inertia", "composite_inertia")  # matrices
SYMMETRIC = {"U_ijk": (1, 2), "h_ikm": (1, 2), "h_links": (2, 3), "m_ijk": (0, 1), "b_ijk": (1, 2)}
SYMMETRIC |= dict.fromkeys(OF_LINKS, (1, 2))
MOST_COORDINATES = 7  # a notebook's list computes all steps of an arm with at most so many joints

Array_co = TypeVar("Array_co", covariant=True)


class Steps(Mapping[str, ExactArray]):
    """These are a route's intermediate results by name; each becomes an exact array at its first use."""

    def __init__(self, ring: Ring, nested: Mapping[str, Any]) -> None:
        self._ring, self._nested = ring, nested
        self._made: dict[str, ExactArray] = {}

    def __getitem__(self, name: str) -> ExactArray:
        if name not in self._made:
            if name not in self._nested:
                raise KeyError(f"{name}; {did_you_mean(name, self._nested)}")
            nested = self._nested[name]
            entries = nested() if callable(nested) else nested
            self._made[name] = ExactArray.of(self._ring, entries, name, SYMMETRIC.get(name))
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._nested)

    def __len__(self) -> int:
        return len(self._nested)

    def __repr__(self) -> str:
        return f"<steps {', '.join(self)}>"

    def _repr_markdown_(self) -> str:
        from qddot.exact.equations.arrays import in_notebooks

        short = len(self._ring.coordinates) <= MOST_COORDINATES
        nested = self._nested.items()
        computed = {name for name, entries in nested if short or name in self._made or not callable(entries)}
        return in_notebooks.catalogue(self, computed)


class Quantity(NamedTuple):
    """This is a quantity of the equations of motion.

    sentence: its definition
    symmetric: two axes that may be exchanged
    entries: computes the entries for an arm; None for a quantity that follows from others
    """

    name: str
    sentence: str
    entries: Callable[[Quantities], Any] | None = None
    symmetric: tuple[int, int] | None = None


def _jacobians(eq: Quantities) -> Any:
    mechanism = eq.dynamics.mechanism
    T = kinematics.poses(mechanism)
    return [jacobian_rows(kinematics.jacobian(mechanism, link.index, T=T)) for link in mechanism.links]


def _jacobians_of_centres(eq: Quantities) -> Any:
    mechanism = eq.centres.mechanism
    T = kinematics.poses(mechanism)
    return [jacobian_rows(kinematics.jacobian(mechanism, link.index, link.com, T)) for link in mechanism.links]


QUANTITIES: Mapping[str, Quantity] = {
    quantity.name: quantity
    for quantity in (
        Quantity(
            "M",
            "The mass matrix, with the armature on its diagonal.",
            lambda eq: with_inertias(eq.derivation.M, eq.dynamics.mechanism.effects),
            symmetric=(0, 1),
        ),
        Quantity(
            "christoffel",
            "Γ_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i).",
            lambda eq: eq.derivation.christoffel,
            (1, 2),
        ),
        Quantity("C", "C_ij = Σ_k Γ_ijk q̇_k."),
        Quantity("B", "The coefficients of q̇_j q̇_k, columns (1,2), (1,3) … (n−1,n)."),
        Quantity("C2", "The coefficients of q̇_j²."),
        Quantity("h", "The velocity torques C q̇."),
        Quantity("G", "The gravity torques ∂P/∂q, without springs.", lambda eq: eq.derivation.G),
        Quantity(
            "springs", "The spring torque k (q − q0) of each joint.", lambda eq: eq.dynamics.torques_of("springs")
        ),
        Quantity(
            "friction",
            "The friction torque c q̇ + f sgn q̇ of each joint.",
            lambda eq: eq.dynamics.torques_of("friction"),
        ),
        Quantity("tau", "M q̈ + h + G + springs + friction, the torques that the motion requires of the joints."),
        Quantity("K", "The kinetic energy of the bodies and the armature.", lambda eq: eq.dynamics.kinetic_energy()),
        Quantity("P", "The potential energy −Σ m gᵀ p_c, without springs.", lambda eq: eq.dynamics.potential_energy()),
        Quantity("L", "The Lagrangian K − P; springs and friction are not in it but added as torques."),
    )
}
# quantities of single links: poses and Jacobians
KINEMATICS: Mapping[str, Quantity] = {
    quantity.name: quantity
    for quantity in (
        Quantity(
            "A",
            "The pose of every body's frame in that of its parent, so that T_i = T_parent A_i.",
            lambda eq: [link.X.pose().matrix() for link in eq.dynamics.mechanism.links],
        ),
        Quantity(
            "T",
            "The pose of every body's frame in the base frame.",
            lambda eq: [pose.matrix() for pose in kinematics.poses(eq.dynamics.mechanism)],
        ),
        Quantity(
            "T_tool",
            "The pose of the tool's frame in the base frame.",
            lambda eq: kinematics.tool_pose(eq.dynamics.mechanism).matrix(),
        ),
        Quantity(
            "p_c",
            "The centre of mass of every body in the base frame; the centre of a body that is described by its first "
            "moment has symbols cx1, cy1, cz1 in its own frame.",
            lambda eq: [list(p) for p in kinematics.centres_of_mass(eq.centres.mechanism)],
        ),
        Quantity("J", "The Jacobian of every body's origin in base axes, linear rows first.", _jacobians),
        Quantity(
            "J_c",
            "The Jacobian of every body's centre of mass in base axes, linear rows first; it may contain the symbols "
            "of p_c.",
            _jacobians_of_centres,
        ),
        Quantity(
            "J_tool",
            "The Jacobian of the tool's origin in base axes, linear rows first.",
            lambda eq: jacobian_rows(kinematics.tool_jacobian(eq.dynamics.mechanism)),
        ),
    )
}
EVERY = {**QUANTITIES, **KINEMATICS}
OF_CENTRES = ("p_c", "J_c")  # these may contain auxiliary symbols of centres of mass


class ByName(Protocol[Array_co]):
    """This is an object that returns the quantities by name, as arrays of some kind."""

    def array(self, name: str) -> Array_co: ...


class Attribute:
    """This descriptor makes a quantity an attribute of an object with arrays by name.

    sentence: its docstring, by default what the tables say of the quantity
    """

    def __init__(self, sentence: str = "") -> None:
        self.sentence = sentence

    def __set_name__(self, owner: type, name: str) -> None:
        self.name, self.__doc__ = name, self.sentence or EVERY[name].sentence

    @overload
    def __get__(self, of: None, owner: type) -> Self: ...
    @overload
    def __get__(self, of: ByName[Array_co], owner: type) -> Array_co: ...
    def __get__(self, of: Any, owner: type) -> Any:
        return self if of is None else of.array(self.name)


class TorqueAttributes:
    """This has τ and the quantities that it consists of, such as M, C and G, as attributes."""

    M = Attribute()
    christoffel = Attribute()
    C = Attribute()
    B = Attribute()
    C2 = Attribute()
    h = Attribute()
    G = Attribute()
    tau = Attribute()


class Attributes(TorqueAttributes, ABC):
    """This has the quantities of one model's equations as attributes, which are exact arrays."""

    springs = Attribute()
    friction = Attribute()
    K = Attribute()
    P = Attribute()
    L = Attribute()
    A = Attribute()
    T = Attribute()
    T_tool = Attribute()
    p_c = Attribute()
    J = Attribute()
    J_c = Attribute()
    J_tool = Attribute()

    @abstractmethod
    def array(self, name: str) -> ExactArray:
        """Returns a quantity or a step by its name; raises QddotError for an unknown name."""


class Quantities(Attributes):
    """This has every quantity of one model's equations by one route; each is computed at its first use.

    `steps` has the route's intermediate results.
    """

    def __init__(
        self,
        model: Model,
        route: str = routes.QUICKEST,
        ring: Ring | None = None,
        derived: Derivation | None = None,
        dynamics: Dynamics | None = None,
    ) -> None:
        """ring: by default the ring in whose angles the equations are shortest

        derived: the derivation, if it exists already; dynamics: the dynamics over the ring, if they exist already

        raises QddotError: an unknown route
        """
        self.model = model
        self.route = routes.checked(route).name if has_bodies(model) else routes.GIVEN
        self._ring_choice = None if ring is None else ChosenAngles(ring, dynamics or dynamics_of(model, ring))
        self._stored = derived
        self._arrays: dict[str, ExactArray] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        # a copy in another process derives again, since polynomials cannot be pickled
        return type(self), (self.model, self.route)

    @property
    def n(self) -> int:
        return self.model.n

    @property
    def velocities(self) -> tuple[str, ...]:
        """Returns the names of the velocities, one for each row of M."""
        return self.model.coordinates

    @cached_property
    def _choice(self) -> ChosenAngles:
        return self._ring_choice or with_fewest_terms(self.model, self.of_joints)

    @cached_property
    def of_joints(self) -> ChosenAngles:
        """Returns the ring in the joints' own angles, and the dynamics over it."""
        if self._ring_choice is None:
            return in_joint_angles(self.model)
        ring = self.ring.of_joints
        return self._ring_choice if ring is self.ring else ChosenAngles(ring, dynamics_of(self.model, ring))

    @property
    def ring(self) -> Ring:
        """Returns the ring of all entries."""
        return self._choice.ring

    @property
    def dynamics(self) -> Dynamics:
        """Returns the dynamics over this ring."""
        return self._choice.dynamics

    @property
    def is_derived(self) -> bool:
        """Returns whether the entries come from the model, not from a file or another form."""
        return self._stored is None

    @cached_property
    def derivation(self) -> Derivation:
        """Returns the route's M, Γ and G of the bodies, and its steps."""
        return self._stored or self._derived()

    def _derived(self) -> Derivation:
        return routes.derive(self.route, self.ring, self.dynamics, lambda: self.centres, self._choice.M)

    def by(self, route: Route) -> Quantities:
        """Returns the same equations by another route."""
        other = Quantities(self.model, route.name, self.ring, dynamics=self.dynamics)
        if routes.CENTRES in route.needs and OwnCentres.suit(self.dynamics.mechanism):
            other.centres = OwnCentres(self.ring, self.dynamics.mechanism)
        return other

    @cached_property
    def by_routes(self) -> Mapping[str, Quantities]:
        """Returns the same equations by each route that the arm may have, to look for steps; each keeps its results."""
        names = routes.ROUTES if self.dynamics.has_bodies else (self.route,)
        others = (name for name in names if name != self.route)
        return {self.route: self} | {
            name: Quantities(self.model, name, self.ring, dynamics=self.dynamics) for name in others
        }

    @cached_property
    def in_joint_angles(self) -> Self:
        """Returns the same quantities in the sines and cosines of the joints' own angles."""
        ring, dynamics, _ = self.of_joints
        if ring is self.ring:
            return self
        # without long runs a new derivation is faster than a conversion
        if self._stored is None and self.route == routes.QUICKEST and not self.derivation.in_angles:
            return type(self)(self.model, self.route, ring, dynamics=dynamics)
        of = self.derivation
        M, christoffel, G = converted((of.M, of.christoffel, of.G), ring.convert)
        return type(self)(self.model, self.route, ring, Derivation(M, christoffel, G), dynamics)

    def in_angles(self, before: Before) -> Derivation:
        """Returns M, Γ and G in the absolute angles of long runs of parallel joints."""
        return self.derivation.in_angles or routes.in_angles(self.ring, self.dynamics.mechanism, before)

    @cached_property
    def centres(self) -> Centres | OwnCentres:
        """Returns the mechanism in which every link has a centre of mass."""
        return Centres(self.model, self.ring, self.dynamics.mechanism)

    @cached_property
    def parts(self) -> EntriesByName:
        """Returns the entries of all quantities as nested lists."""
        mechanism = self.dynamics.mechanism
        own = [quantity.name for quantity in EVERY.values() if quantity.entries]
        return EntriesByName(lambda name: EVERY[name].entries(self), mechanism.qd, mechanism.qdd, own)  # type: ignore[misc]

    @cached_property
    def steps(self) -> Mapping[str, ExactArray]:
        """Returns the route's intermediate results; those of "com_jacobian" may contain symbols cx1 … for centres."""
        # equations that were read from a file have no steps
        derivation = self.derivation if self.derivation.steps else self._derived()
        centred = self.route != routes.GIVEN and routes.CENTRES in routes.ROUTES[self.route].needs
        return Steps(self.centres.ring if centred else self.ring, derivation.steps)

    def array(self, name: str) -> ExactArray:
        if is_one_of(name, EVERY):
            if name not in self._arrays:
                self._arrays[name] = self._array(EVERY[name])
            return self._arrays[name]
        check_one_of(name, (*EVERY, *self.steps), "no quantity", QddotError)
        return self.steps[name]

    def _array(self, quantity: Quantity) -> ExactArray:
        ring = self.centres.ring if quantity.name in OF_CENTRES else self.ring
        symmetric = None if quantity.name == "christoffel" and self.model.freedoms else quantity.symmetric
        array = ExactArray.of(ring, self.parts[quantity.name], quantity.name, symmetric)
        if quantity.name != "B":
            return array
        places = tuple((i, j, k) for i in range(self.n) for j, k in combinations(range(self.n), 2))
        return replace(array, places=places)


def named(only: Any) -> list[str]:
    """Returns the names of quantities; a single name becomes a list of one."""
    return [only] if isinstance(only, str) else list(listed(only, "quantities"))
