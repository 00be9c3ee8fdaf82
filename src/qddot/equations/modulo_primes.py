"""Verifies the equations of an arm that is too long for a proof: every identity in random states modulo primes.

An identity of polynomials that does not hold is zero modulo a prime p in a random state with a probability of at most
d/p, where d is its degree (Schwartz, "Fast probabilistic algorithms for verification of polynomial identities", JACM
27, 1980). Nothing is expanded here: each route and each law is computed with numbers that carry their derivatives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log2
from time import perf_counter
from typing import Any, cast

from qddot.dynamics import coriolis, newton_euler
from qddot.dynamics.derivation import Derivation
from qddot.dynamics.lagrange import com_jacobian, dh4x4, energy, screw
from qddot.dynamics.mechanism import Link, Mechanism
from qddot.dynamics.parallel import absolute_angles, parallel_joints
from qddot.equations.certificate import VERIFIED, Certificate, Report
from qddot.equations.identities import Differences, Laws
from qddot.equations.prove import certified
from qddot.equations.quantities import Quantities
from qddot.equations.routes import derivative
from qddot.equations.shortest import joints_of_long_runs
from qddot.model.model import Model
from qddot.numbers.exact import Ring
from qddot.numbers.jets import Jets
from qddot.spatial import Number

PRIMES = 3  # of 100 bits or more
DEGREE = 64  # of an identity, for each joint: a generous bound, since it counts as its logarithm
LONGEST = 9  # joints in a row, without those parallel to the one before, whose equations are still proved
LONGEST_ROW = 12  # turning joints in a row, parallel ones too, likewise
HEAVIEST = 30  # joints in a row that are mostly in long runs, likewise, where every other joint weighs WEIGHT
WEIGHT = 4


def is_too_long(model: Model) -> bool:
    """Returns whether an exact proof would take minutes and gigabytes.

    Terms triple with each joint in a row; in long runs of parallel joints they grow with the square of their number.
    """
    arm = Mechanism.of(model, Ring.of(model))
    parallel, runs = parallel_joints(arm), joints_of_long_runs(absolute_angles(model, arm))

    def is_long(path: tuple[int, ...]) -> bool:
        turning = [k for k, link in arm.moving if link.turns and link.index in path]
        weight = sum(1 if model.coordinates[k] in runs else WEIGHT for k in turning)
        return sum(k not in parallel for k in turning) > LONGEST or (len(turning) > LONGEST_ROW and weight > HEAVIEST)

    return any(map(is_long, arm.paths))


def verify(model: Model, routes: Sequence[str] | None = None, progress: Report | None = None) -> Certificate:
    """Checks by all routes (or those named) every identity that `prove` proves, modulo primes.

    progress: called with the name of each identity before it is tried
    """
    started = perf_counter()
    states = [_StateLaws(model, seed) for seed in range(PRIMES)]
    primes = tuple(state.numbers.prime for state in states)
    certainty = sum(int(log2(prime) - log2(DEGREE * model.n)) for prime in primes)
    found = certified(states, routes, progress)
    return replace(found, seconds=perf_counter() - started, primes=primes, certainty=certainty)


class _StateLaws(Laws):
    """These are the laws in one random state of motion, modulo one prime."""

    holding = VERIFIED
    in_routes = "τ, symbolic q̈"

    def __init__(self, model: Model, seed: int) -> None:
        self.numbers = Jets(model, seed)
        super().__init__(Quantities(model, ring=cast("Ring", self.numbers)))
        self.plain = Mechanism.of(model, self.numbers.plain)
        self._seed = seed

    def has(self, route: str) -> bool:
        """Returns whether a route can be derived in these numbers: centres of mass need masses."""
        massless = any(link.com is None and not link.inertia.m and any(link.inertia.h) for link in self.arm.links)
        return not (route == "com_jacobian" and massless)

    def counterexample(self, place: str, difference: Any) -> tuple[str, str]:
        return "false", f"{place}: the difference is not zero modulo a prime in a random state"

    def route(self, name: str) -> Differences:
        """Yields our torques minus those of another route: equal ones have equal M, Γ and G."""
        beside = zip(self.dynamics.torques_of("rotors"), self.dynamics.outside(), strict=True)
        for i, (theirs, (rotor, outside)) in enumerate(zip(self._torques(name), beside, strict=True)):
            yield f"tau{i + 1} ({self.eq.route} − {name})", self.eq.tau.entries[i] - (theirs + rotor + outside)

    def _torques(self, route: str) -> Sequence[Number]:
        """Returns the torques of the bodies by one route."""
        by_q = derivative(self.eq.model, self.ring)
        if route == "newton_euler":
            return newton_euler.inverse_dynamics(self.plain).tau
        if route == "energy":
            return self._by_energies()
        if route == "dh4x4":
            return _torques(self.plain, dh4x4.derive(self.plain))
        if route == "screw":
            return _torques(self.arm, screw.derive(self.arm, by_q))
        centres = replace(self.arm, links=tuple(map(_with_centre, self.arm.links)))
        return _torques(centres, com_jacobian.derive(centres, by_q))

    def _by_energies(self) -> list[Number]:
        """Returns d/dt ∂L/∂q̇ − ∂L/∂q."""
        names, numbers = self.eq.model.coordinates, Jets(self.eq.model, self._seed, second=True)
        arm = Mechanism.of(self.eq.model, numbers)
        L = cast("Any", energy.kinetic_energy(arm)) - energy.potential_energy(arm)
        return [numbers.time_derivative(numbers.by_rate(L, q)) - numbers.differentiate(L, q) for q in names]


def _torques(arm: Mechanism, found: Derivation) -> list[Number]:
    """Returns M q̈ + C q̇ + G."""
    h = coriolis.velocity_torques(found.christoffel, arm.qd)
    rows = zip(found.M, h, found.G, strict=True)
    return [sum((a * b for a, b in zip(row, arm.qdd, strict=True)), start=x + g) for row, x, g in rows]


def _with_centre(link: Link) -> Link:
    """Returns the link with its centre of mass, h / m."""
    if link.com is not None or not link.inertia.m:
        return link if link.com is not None else replace(link, com=link.inertia.h)
    per_mass: Any = 1 / cast("Any", link.inertia.m)
    return replace(link, com=link.inertia.h.map(lambda entry: entry * per_mass))
