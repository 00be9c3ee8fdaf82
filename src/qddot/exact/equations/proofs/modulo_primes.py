"""Verifies the equations of an arm that is too long for a proof: checks every identity in random states modulo primes.

The difference of a false identity of polynomials vanishes modulo a random prime p in a random state with a probability
of at most d/p, where d is its degree (Schwartz, "Fast probabilistic algorithms for verification of polynomial
identities", JACM 27, 1980), plus that of a prime that divides all its coefficients. `Modular` says what is assumed. The
primes and states follow from a seed that is drawn for each certificate. No polynomial is expanded: each route and each
law is computed with numbers that carry their derivatives.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log2
from time import perf_counter
from typing import Any

from qddot.algebra.numbers.arbitrary import drawn_seed
from qddot.base.words.message import Words, say
from qddot.exact.equations.proofs.certificate import VERIFIED, Certificate, Report
from qddot.exact.equations.proofs.jets import Jets
from qddot.exact.equations.proofs.subject import Decision, InNumbers, Place, mechanism_of
from qddot.exact.equations.proofs.verdicts import certified
from qddot.exact.equations.routes import CENTRES, MOMENTA, RATES, Route
from qddot.exact.equations.shortest_angles import joints_of_long_runs
from qddot.physics.derivation import Calculus
from qddot.physics.frames.parallel_joints import absolute_angles, parallel_joints
from qddot.physics.mechanism import Mechanism
from qddot.robot.model import Model

PRIMES = 3  # of 100 bits or more
DEGREE = 64  # degree of an identity per joint, for symbols to the first power: a generous bound
# successive revolute joints, not counting those parallel to the one before, up to which equations are proved
LONGEST = 9
LONGEST_ROW = 12  # the same number with parallel joints counted
HEAVIEST = 30  # the same limit if most joints are in long runs; each joint outside a run counts as WEIGHT
WEIGHT = 4


def is_too_long(model: Model, mechanism: Mechanism) -> bool:
    """Returns whether an exact proof would take minutes and gigabytes.

    The number of terms triples with each successive joint; in long runs of parallel joints it grows quadratically.
    mechanism: the model in polynomials, in the joints' own angles
    """
    parallel, runs = parallel_joints(mechanism), joints_of_long_runs(absolute_angles(model, mechanism))

    def is_long(path: tuple[int, ...]) -> bool:
        turning = [k for k, link in mechanism.moving if link.kind.is_angle and link.index in path]
        weight = sum(1 if model.coordinates[k] in runs else WEIGHT for k in turning)
        return sum(k not in parallel for k in turning) > LONGEST or (len(turning) > LONGEST_ROW and weight > HEAVIEST)

    return any(map(is_long, mechanism.paths))


def verify(
    model: Model, routes: Sequence[str] | None = None, progress: Report | None = None, seed: int | None = None
) -> Certificate:
    """Checks modulo primes every identity that `prove` proves, by all routes or those named.

    progress: called with the name of each identity before it is tried
    seed: that of a certificate, to repeat it; by default it is drawn
    """
    started = perf_counter()
    seed = drawn_seed() if seed is None else seed
    states = [_InState(model, seed + k) for k in range(PRIMES)]
    primes = tuple(state.numbers.prime for state in states)
    degree = DEGREE * model.n * largest_degree(model)
    certainty = sum(int(-log2(state.numbers.plain.error(degree))) for state in states)
    certificate = certified(states, routes, progress)
    seconds = perf_counter() - started
    return replace(certificate, seconds=seconds, primes=primes, certainty=certainty, seed=str(seed))


def largest_degree(model: Model) -> int:
    """Returns the largest degree of an expression in the description, at least 1."""
    monomials = (monomial for part in model.expressions() for monomial in part.terms)
    return max((1, *(sum(abs(exponent) for _, exponent in monomial) for monomial in monomials)))


class _InState(InNumbers):
    """These are the equations in one random state of motion, modulo one prime."""

    holding = VERIFIED

    def __init__(self, model: Model, seed: int) -> None:
        # the law of a Lagrangian has rates of momenta
        self.numbers, self._seed = Jets(model, seed, second=model.lagrangian is not None), seed
        super().__init__(model, self.numbers)
        self.plain = mechanism_of(model, self.numbers.plain)

    def has(self, route: Route) -> bool:
        """Returns whether a route can be derived in these numbers; centres of mass need nonzero masses."""
        massless = any(link.com is None and not link.inertia.m and any(link.inertia.h) for link in self.mechanism.links)
        return super().has(route) and not (CENTRES in route.needs and massless)

    def decided(self, place: Words | Place, difference: Any) -> Decision:
        return Decision("false", say("difference-modulo-prime", place=place))

    def supplied(self, route: Route) -> tuple[Mechanism, Calculus]:
        if not route.needs - {RATES}:
            return self.plain, Calculus()
        if MOMENTA in route.needs:
            return InNumbers(self.model, Jets(self.model, self._seed, second=True)).supplied(route)
        return super().supplied(route)
