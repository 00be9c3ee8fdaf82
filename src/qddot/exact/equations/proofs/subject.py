"""Defines the subject of proofs: one arm's equations in one kind of number, with what the laws need."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, NamedTuple, TypeAlias

from qddot.algebra.numbers.polynomials.membership import Membership, membership
from qddot.algebra.numbers.polynomials.witness import decimal, witness
from qddot.algebra.numbers.state_numbers import Differentiable, StateNumbers
from qddot.algebra.spatial import Number, Vec3, summed
from qddot.base.words.message import Listed, Words, say
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.proofs.certificate import PROVED
from qddot.exact.equations.quantities import Quantities, shown
from qddot.exact.equations.quantity_names import indices, letter_of
from qddot.exact.equations.quantity_table import EntriesByName, entries_of
from qddot.exact.equations.routes import CENTRES, GIVEN, QUICKEST, ROUTES, Route, calculus, expresses
from qddot.exact.printing import text
from qddot.physics.algorithms import coriolis, newton_euler
from qddot.physics.derivation import Calculus, Derivation, Torques
from qddot.physics.dynamics import Dynamics
from qddot.physics.mechanism import Link, Mechanism
from qddot.physics.of_model import dynamics_of
from qddot.robot.effects.acting import with_inertias
from qddot.robot.model import Model

NEWTON_EULER = "newton_euler"  # the route of `body_torques`


class Place(NamedTuple):
    """This is the place of a difference; it is converted to text only if the difference is not zero."""

    name: str
    place: tuple[int, ...]
    between: str = ""

    def __str__(self) -> str:
        return f"{letter_of(self.name)}{indices(self.place)}{self.between}"


Difference: TypeAlias = tuple[Words | Place, Any]
Differences: TypeAlias = Iterator[Difference]
Identity: TypeAlias = tuple[Words, Words, Callable[[], Differences]]  # (name, sentence, differences)


class Decision(NamedTuple):
    """A decision is the verdict on a difference and its reason; relation: the certificate that it is zero, if it is."""

    verdict: str
    reason: Words
    relation: Membership | None = None


class Judge:
    """A judge decides whether a difference over a ring is zero where its normal form is not."""

    def __init__(self, ring: Differentiable) -> None:
        self.ring = ring

    def decided(self, place: Words | Place, difference: Any) -> Decision:
        """Returns the verdict on a difference whose normal form is not zero."""
        written = text.polynomial(difference)
        written = written if len(written) < 200 else written[:200] + " …"
        refutation = witness(difference)
        if refutation is None:
            relation = membership(difference)
            if relation is not None:
                zero = say("difference-zero", place=place, difference=written, relation=relation.message)
                return Decision(PROVED, zero, relation)
            return Decision("undecided", say("difference-without-witness", place=place, difference=written))
        state, value = refutation
        at = Listed(f"{name} = {decimal(number)}" for name, number in sorted(state.values.items())) or say(
            "every-state"
        )
        return Decision(
            "false", say("difference-in-state", place=place, difference=written, value=f"{value:.6g}", state=at)
        )


class Subject(Judge, ABC):
    """A subject has one arm's equations in one kind of number; `subject["M"]` has the entries of a quantity.

    holding: the verdict on an identity whose differences are all zero; in_routes: what is compared between routes
    has_rates: whether laws whose differences contain rates are proved, or left out
    mechanism: the arm in numbers that have derivatives; plain: the same arm in numbers that may lack them
    joints: the effects in the joints, if they form a subject of their own; each part obeys every law by itself
    steps: intermediate results of routes that laws use
    """

    joints: Subject | None = None
    entries: EntriesByName

    holding = PROVED
    has_rates = True
    in_routes = say("entry-by-entry")
    in_torques = say("for-symbolic-accelerations")

    def __init__(self, model: Model, route: str, ring: Differentiable, dynamics: Dynamics) -> None:
        super().__init__(ring)
        self.model, self.route, self.dynamics = model, route, dynamics
        self.mechanism = self.plain = dynamics.mechanism
        self.n = range(model.n)
        self.steps: dict[str, ExactArray] = {}

    def __getitem__(self, name: str) -> Any:
        return self.entries[name]

    def by_q(self, value: Any, k: int) -> Any:
        """Returns ∂/∂q_k."""
        return self.ring.differentiate(value, self.model.coordinates[k])

    def has(self, route: Route) -> bool:
        """Returns whether a route can be derived for this arm in these numbers."""
        return expresses(route, self.mechanism)

    def own_identities(self) -> Iterator[Identity]:
        """Yields the identities that exist for this kind of subject only."""
        yield from ()

    @abstractmethod
    def compared(self, route: Route) -> Differences:
        """Yields our equations minus those of another route."""

    def compared_in_torques(self, route: Route, mechanism: Mechanism, derivatives: Calculus) -> Differences:
        """Yields our torques minus those of another route.

        derivatives: those that the route may use; those with respect to q̈ are left out, since M is not needed
        """
        derivation = route.derive(mechanism, derivatives)
        if route.name == NEWTON_EULER and isinstance(derivation, list):
            self.body_torques = derivation
        theirs = self._torques(derivation)
        beside = zip(theirs, self.dynamics.torques_of("armature"), self.dynamics.outside(), strict=True)
        for i, (bodies, armature, outside) in enumerate(beside):
            yield f"tau{i + 1} ({self.route} − {route.name})", self["tau"][i] - (bodies + armature + outside)

    def _torques(self, derivation: Derivation | Torques) -> Torques:
        """Returns the torques M q̈ + h + G of the bodies."""
        if isinstance(derivation, list):
            return derivation
        h = coriolis.velocity_torques(derivation.christoffel, self.mechanism.qd)
        inertial = [summed(a * b for a, b in zip(row, self.mechanism.qdd, strict=True)) for row in derivation.M]
        return [summed(parts) for parts in zip(inertial, h, derivation.G, strict=True)]

    def unit_accelerations(self) -> list[list[Number]]:
        """Returns the torques of unit accelerations at rest without gravity, one column per joint."""
        still = replace(self.plain, gravity=Vec3.zero(), qd=(0,) * self.model.n)
        columns = []
        for j in self.n:
            moved = replace(still, qdd=tuple(int(k == j) for k in self.n))
            columns.append(newton_euler.inverse_dynamics(moved).tau)
        return with_inertias([list(row) for row in zip(*columns, strict=True)], self.mechanism.effects)

    @cached_property
    def body_torques(self) -> list[Number]:
        """Returns the torques of the bodies by Newton and Euler, which two laws use."""
        return list(self.steps["tau_bodies"].entries) if "tau_bodies" in self.steps else self.dynamics.body_torques()


class InNormalForm(Subject):
    """These are the equations in normal form, as they are shown."""

    def __init__(self, eq: Quantities) -> None:
        super().__init__(eq.model, eq.route, eq.ring, eq.dynamics)
        self.eq = eq
        self.entries = shown(eq, self.mechanism.qd, self.mechanism.qdd)
        if self.mechanism.brackets:
            self.in_routes = self.in_torques
        self.keep_steps(eq)

    def compared(self, route: Route) -> Differences:
        """Yields M, Γ and G of this route minus those of another.

        For quasi-velocities, whose Γ has many more terms, it yields torques; equal torques have equal M, h and G.
        """
        if self.mechanism.brackets:
            yield from self.compared_in_torques(route, self.mechanism, calculus(self.eq.ring)._replace(by_qdd=None))
            return
        other = self.eq.by(route)
        self.keep_steps(other)
        for quantity in ("M", "christoffel", "G"):
            ours, theirs = self.eq.array(quantity), other.array(quantity)
            for place, a, b in zip(ours.places, ours.entries, theirs.entries, strict=True):
                yield ("", 0) if a is b else (Place(ours.name, place, f" ({self.eq.route} − {route.name})"), a - b)

    def keep_steps(self, eq: Quantities) -> None:
        """Keeps those steps of a route that a law uses, so that the others can be freed."""
        names = ROUTES[eq.route].steps_of_laws if eq.route in ROUTES else ()
        self.steps |= {name: eq.steps[name] for name in names}


class InNumbers(Subject):
    """These are the equations in any kind of number that has derivatives, where they are derived anew.

    The routes are compared in torques, since equal torques have equal M, Γ and G.
    """

    in_routes = Subject.in_torques

    def __init__(self, model: Model, numbers: Differentiable) -> None:
        dynamics = dynamics_of(model, numbers, partial(mechanism_of, model, numbers))
        super().__init__(model, QUICKEST if dynamics.has_bodies else GIVEN, numbers, dynamics)
        self.entries = entries_of(self)

    @cached_property
    def derivation(self) -> Derivation:
        """Returns M, Γ and G by the quickest route."""
        explicit = self.dynamics.explicit_derivation()
        derivation = explicit or ROUTES[self.route].derive(self.mechanism, calculus(self.ring))
        assert isinstance(derivation, Derivation), "the quickest route needs derivatives along coordinates alone"
        return derivation

    @cached_property
    def centred(self) -> Mechanism:
        """Returns the arm with a centre of mass for every link, which is h / m."""
        return replace(self.mechanism, links=tuple(map(_with_centre, self.mechanism.links)))

    def decided(self, place: Words | Place, difference: Any) -> Decision:
        return Decision("false", say("difference-not-zero", place=place))

    def compared(self, route: Route) -> Differences:
        yield from self.compared_in_torques(route, *self.supplied(route))

    def supplied(self, route: Route) -> tuple[Mechanism, Calculus]:
        """Returns the arm in the numbers that a route needs, and their derivatives."""
        return self.centred if CENTRES in route.needs else self.mechanism, calculus(self.ring)


def mechanism_of(model: Model, numbers: StateNumbers) -> Mechanism:
    """Returns the arm in numbers; plain integers in inertias are converted to them, too, so that they can be halved."""

    def converted(entry: Any) -> Any:
        return numbers.rational(Fraction(entry)) if isinstance(entry, int) and entry else entry

    mechanism = Mechanism.of(model, numbers)
    links = (replace(link, inertia=link.inertia.map(converted)) for link in mechanism.links)
    return replace(mechanism, links=tuple(links))


def _with_centre(link: Link) -> Link:
    """Returns the link with its centre of mass h / m."""
    if link.com is not None or not link.inertia.m:
        return link if link.com is not None else replace(link, com=link.inertia.h)
    m: Any = link.inertia.m
    return replace(link, com=link.inertia.h.map(lambda entry: entry * (1 / m)))
