"""Computes the quantities of the equations of motion exactly: M(q) q̈ + C(q, q̇) q̇ + G(q) + springs + friction = τ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, Protocol, Self

from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.base.errors import did_you_mean, is_one_of
from qddot.exact.equations import routes
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.arrays.printed import Display, Printed
from qddot.exact.equations.centres import Centres, OwnCentres
from qddot.exact.equations.notations import notation_of
from qddot.exact.equations.quantity import NamedArm
from qddot.exact.equations.quantity_names import matrix_axes, name_of, part_named
from qddot.exact.equations.quantity_table import QUANTITIES, Attributes, EntriesByName, entries_of, of_motion, record_of
from qddot.exact.equations.routes import Route
from qddot.exact.equations.shortest_angles import ChosenAngles, converted, in_joint_angles, with_fewest_terms
from qddot.exact.printing.notation import rate
from qddot.exact.printing.tree import Equation, Partial, Symbol
from qddot.physics.derivation import Derivation
from qddot.physics.dynamics import Dynamics
from qddot.physics.frames.parallel_joints import Before
from qddot.physics.mechanism import Mechanism
from qddot.physics.of_model import dynamics_of, has_bodies
from qddot.robot.closed_model import ClosedModel
from qddot.robot.model import Model
from qddot.robot.placements import listed

OF_CHRISTOFFEL = ("christoffel", "C", "B", "C2", "h")  # Christoffel symbols, and what follows from them
OF_LINKS = ("I_c", "I_o", "pseudo_inertia")  # quantities of the links' inertias
MOST_COORDINATES = 7  # a notebook's list computes all steps of an arm with at most so many joints


class Equations(Protocol):
    """This is the data of equations, exact arrays by name: `Quantities` of a tree, or `ReducedEquations` of a chain.

    velocities: their names, one for each row of M
    names: those of all arrays; another name, and what such equations cannot have, is refused by a sentence
    """

    @property
    def model(self) -> Model | ClosedModel: ...
    @property
    def ring(self) -> Ring: ...
    @property
    def names(self) -> Sequence[str]: ...
    @property
    def velocities(self) -> Sequence[str]: ...
    def array(self, name: str) -> ExactArray: ...


def shown(eq: Equations, qd: Sequence[Any], qdd: Sequence[Any]) -> EntriesByName:
    """Returns the entries of the quantities as their arrays have them."""
    return EntriesByName(lambda name: eq.array(name).nested, qd, qdd, QUANTITIES)


class Steps(Mapping[str, ExactArray]):
    """These are a route's intermediate results by name; each becomes an exact array at its first use."""

    def __init__(self, ring: Callable[[], Ring], nested: Mapping[str, Any], display: Display) -> None:
        """ring: returns the ring of all steps; that of a closed chain takes long"""
        self._ring, self._nested, self._display = ring, nested, display
        self._made: dict[str, ExactArray] = {}

    def __getitem__(self, name: str) -> ExactArray:
        if name not in self._made:
            if name not in self._nested:
                raise KeyError(f"{name}; {did_you_mean(name, self._nested)}")
            nested = self._nested[name]
            entries = nested() if callable(nested) else nested
            self._made[name] = ExactArray.of(self._ring(), entries, name, record_of(name).symmetric, self._display)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._nested)

    def __len__(self) -> int:
        return len(self._nested)

    def __repr__(self) -> str:
        return f"<steps {', '.join(self)}>"

    def _repr_markdown_(self) -> str:
        from qddot.exact.equations.arrays import in_notebooks

        short = len(self._ring().coordinates) <= MOST_COORDINATES
        nested = self._nested.items()
        computed = {name for name, entries in nested if short or name in self._made or not callable(entries)}
        return in_notebooks.catalogue(self, computed)


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

    def slope(self, value: Any, k: int) -> Any:
        """Returns the derivative of an entry in the motion in which the k-th velocity is 1 and the others are zero."""
        return 0 if isinstance(value, int) else value.ring.differentiate(value, self.velocities[k])

    def rate(self, value: Any) -> Any:
        """Returns the derivative of an entry with respect to time."""
        return 0 if isinstance(value, int) else value.ring.time_derivative(value)

    @property
    def has_lagrangian(self) -> bool:
        """Returns whether torques follow from L, and Γ from M, by derivatives along the velocities."""
        return True

    def in_angles(self, before: Before) -> Derivation:
        """Returns M, Γ and G in the absolute angles of long runs of parallel joints."""
        return self.derivation.in_angles or routes.in_angles(self.ring, self.dynamics.mechanism, before)

    @cached_property
    def centres(self) -> Centres | OwnCentres:
        """Returns the mechanism in which every link has a centre of mass."""
        return Centres(self.model, self.ring, self.dynamics.mechanism)

    @property
    def centred(self) -> Mechanism:
        return self.centres.mechanism

    @cached_property
    def parts(self) -> EntriesByName:
        """Returns the entries of all quantities as nested lists."""
        return entries_of(self)

    @cached_property
    def steps(self) -> Mapping[str, ExactArray]:
        """Returns the route's intermediate results; those of "com_jacobian" may contain symbols cx1 … for centres."""
        # equations that were read from a file have no steps
        derivation = self.derivation if self.derivation.steps else self._derived()
        centred = self.route != routes.GIVEN and routes.CENTRES in routes.ROUTES[self.route].needs
        return Steps(lambda: self.centres.ring if centred else self.ring, derivation.steps, self.display)

    @property
    def display(self) -> Display:
        """Returns how arrays are shown: in the model's notation."""
        return Display(notation=notation_of(self.model.notation))

    @property
    def names(self) -> tuple[str, ...]:
        """Returns the names of all quantities and steps."""
        own = quantities_of(self.model)
        return (*own, *(name for name in self.steps if name not in own))

    def array(self, name: str) -> ExactArray:
        """Returns a quantity, a step, or an entry or matrix of one, by its name; raises QddotError for another name."""
        if not is_one_of(name, quantities_of(self.model)):
            if not is_one_of(name, self.steps):
                return part_named(name, self.names, self.array, notation_of(self.model.notation))
            return self.steps[name]
        if name not in self._arrays:
            self._arrays[name] = self._array(name)
        return self._arrays[name]

    def law_of(self, part: Printed, name: Callable[..., Symbol | Partial] | None = None) -> Equation | None:
        """Returns how an entry, or a link's matrix or column, follows from others by this route, in their names.

        name: returns these names, as `name_of` does, by default in the model's notation
        returns None if the route has no such law, or the entry is zero by it
        """
        law = (record_of(part.name).laws or {}).get(self.route)
        if law is None or not part.place or part.ndim != matrix_axes(part.name):
            return None
        named = name or partial(name_of, notation=part.display.notation)
        arm = NamedArm(self.dynamics.mechanism, named, [rate(q) for q in self.model.coordinates])
        total = law(arm, part.place)
        return Equation(part.symbol, total) if total and total.products else None

    def _array(self, name: str) -> ExactArray:
        quantity = QUANTITIES[name]
        ring = self.centres.ring if quantity.of_centres else self.ring
        symmetric = None if name == "christoffel" and self.model.freedoms else quantity.symmetric
        array = ExactArray.of(ring, self.parts[name], name, symmetric, self.display)
        return replace(array, places=quantity.places(self.n)) if quantity.places else array


def quantities_of(model: Model) -> tuple[str, ...]:
    """Returns the names of the quantities of a model.

    A system without links has no poses and Jacobians, and one whose K is not quadratic no Christoffel symbols.
    """
    if model.lagrangian is None:
        return tuple(QUANTITIES)
    without = OF_LINKS if model.lagrangian.is_quadratic else (*OF_LINKS, *OF_CHRISTOFFEL)
    return tuple(name for name in of_motion() if name not in without)


def shown_of(model: Model) -> list[str]:
    """Returns the names of the quantities of a model's equations of motion in its notation: M, h, G or M, C, G."""
    own = quantities_of(model)
    return [name for name in notation_of(model.notation).shown if name in own]


def named(only: Any) -> list[str]:
    """Returns the names of quantities; a single name becomes a list of one."""
    return [only] if isinstance(only, str) else list(listed(only, "quantities"))
