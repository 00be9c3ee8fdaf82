"""Defines Lagrangians: energies as expressions in coordinates and rates, from which equations follow.

Source: Goldstein, Poole, Safko, *Classical Mechanics*, 3rd ed., 2002, §§1.4–1.6 (Lagrange's equations, Rayleigh's
function D) and §2.4 (constraints with multipliers).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from qddot.algebra.expressions.constant_angles import reduced
from qddot.algebra.expressions.derivative import ZERO, derivative
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.names import rate_name
from qddot.algebra.expressions.parser import expression
from qddot.algebra.expressions.substitution import Substitution
from qddot.base.errors import ModelError
from qddot.base.records import record
from qddot.robot.conditions import Condition, check_consistent


@record()
class Lagrangian:
    """A Lagrangian has energies of a system with some coordinates, and its generalized forces.

    d/dt ∂L/∂q̇ − ∂L/∂q + ∂D/∂q̇ = τ + Q with L = K − P.
    K: the kinetic energy, a function of the rates qd1 …, too; P: the potential energy, without rates
    D: Rayleigh's dissipation function; Q: a generalized force for each coordinate; constraints: on q and q̇
    time: the name of the symbol that is the time, as that of a motion which is prescribed; "" if none is
    raises ModelError: a rate in P, the time in a constraint, or constraints beside a K that is not quadratic in
        the rates or whose mass matrix depends on the time
    """

    coordinates: tuple[str, ...]
    K: Expression
    P: Expression = ZERO
    D: Expression = ZERO
    Q: tuple[Expression, ...] = ()
    constraints: tuple[Condition, ...] = ()
    time: str = ""

    def __post_init__(self) -> None:
        for name in ("K", "P", "D"):
            object.__setattr__(self, name, expression(getattr(self, name)))
        object.__setattr__(self, "Q", tuple(map(expression, self.Q)))
        check_consistent(self.constraints)
        if moving := sorted(self.P.symbols() & set(self.rates)):
            raise ModelError("p-contains-rate", moving=moving[0])
        if self.constraints and not self.is_quadratic:
            raise ModelError("constraints-k-not-quadratic")
        if self.constraints and any(self.time in entry.symbols() for row in self.M for entry in row):
            raise ModelError("constraints-mass-of-time", time=self.time)
        if any(self.time in part.symbols() for each in self.constraints for part in each.parts):
            raise ModelError("time-in-constraint", time=self.time)

    @property
    def rates(self) -> tuple[str, ...]:
        """Returns the names of the rates."""
        return tuple(rate_name(name) for name in self.coordinates)

    @property
    def parts(self) -> list[Expression]:
        """Returns K, P, D and the forces."""
        return [self.K, self.P, self.D, *self.Q]

    @property
    def entries(self) -> list[Expression]:
        """Returns all expressions, and those of the constraints."""
        return [*self.parts, *(part for each in self.constraints for part in each.parts)]

    def symbols(self) -> set[str]:
        """Returns the names of all that occurs but rates: symbols and coordinates."""
        return set().union(*(part.symbols() for part in self.entries)) - set(self.rates)

    @cached_property
    def momenta(self) -> list[Expression]:
        """Returns ∂K/∂q̇."""
        return [derivative(self.K, rate) for rate in self.rates]

    @cached_property
    def M(self) -> list[list[Expression]]:
        """Returns M_ij = ∂²K/∂q̇_i∂q̇_j."""
        return [[reduced(derivative(p, rate)) for rate in self.rates] for p in self.momenta]

    @cached_property
    def is_quadratic(self) -> bool:
        """Returns whether M depends on q alone."""
        rates = set(self.rates)
        return not any(entry.symbols() & rates for row in self.M for entry in row)

    def at_rest(self, value: Expression) -> Expression:
        """Returns a function where all rates are zero."""
        return expression(Substitution(dict.fromkeys(self.rates, ZERO)).put(value))

    @cached_property
    def kinetic(self) -> Expression:
        """Returns q̇·∂K/∂q̇ − K, plus K at rest: the energy of the motion, or the quadratic part of a quadratic K."""
        work = (Expression.of(rate) * p for rate, p in zip(self.rates, self.momenta, strict=True))
        return reduced(Expression.sum(work) - self.K + self.at_rest(self.K))

    @cached_property
    def rest(self) -> Expression:
        """Returns P − K at rest, which acts as the potential energy."""
        return reduced(self.P - self.at_rest(self.K))

    @cached_property
    def friction(self) -> tuple[Expression, ...]:
        """Returns ∂D/∂q̇."""
        return tuple(reduced(derivative(self.D, rate)) for rate in self.rates)

    @cached_property
    def gyroscopic(self) -> tuple[Expression, ...]:
        """Returns Σ_j (∂a_i/∂q_j − ∂a_j/∂q_i) q̇_j of the part a·q̇ of K that is linear in the rates."""
        a = [reduced(self.at_rest(p)) for p in self.momenta]
        n = range(len(a))
        return tuple(
            Expression.sum(
                (derivative(a[i], self.coordinates[j]) - derivative(a[j], self.coordinates[i]))
                * Expression.of(self.rates[j])
                for j in n
            )
            for i in n
        )

    @cached_property
    def velocity_torques(self) -> tuple[Expression, ...]:
        """Returns Σ_j ∂²K/∂q̇_i∂q_j q̇_j − ∂K/∂q_i, plus ∂K/∂q_i at rest."""
        q, moving = self.coordinates, self.K - self.at_rest(self.K)
        along = (
            Expression.sum(derivative(p, name) * Expression.of(rate) for name, rate in zip(q, self.rates, strict=True))
            for p in self.momenta
        )
        return tuple(reduced(part - derivative(moving, name)) for name, part in zip(q, along, strict=True))

    @cached_property
    def torques_of_time(self) -> tuple[Expression, ...]:
        """Returns ∂²K/∂q̇∂t, the rates of the momenta at fixed coordinates and rates."""
        return tuple(reduced(derivative(p, self.time)) for p in self.momenta)

    @cached_property
    def power_of_time(self) -> Expression:
        """Returns −∂L/∂t, the power with which a prescribed motion changes E = q̇·∂L/∂q̇ − L."""
        return reduced(derivative(self.P - self.K, self.time))

    @cached_property
    def forces(self) -> tuple[Expression, ...]:
        """Returns the gyroscopic torques plus those of the time minus Q, as torques that are required.

        If K is not quadratic, all torques of velocities take the place of the gyroscopic ones.
        """
        Q = self.Q or (ZERO,) * len(self.coordinates)
        own = self.gyroscopic if self.is_quadratic else self.velocity_torques
        return tuple(a + b - force for a, b, force in zip(own, self.torques_of_time, Q, strict=True))


def of_particles(
    particles: Sequence[tuple[Expression, Sequence[Expression]]], q: Sequence[str], time: str = ""
) -> Expression:
    """Returns ½ Σ m |ẋ|² of particles with masses m at positions x(q, t), with ẋ = Σ q̇ ∂x/∂q + ∂x/∂t."""
    parts = []
    for mass, position in particles:
        for x in position:
            speed = Expression.sum(derivative(x, name) * Expression.of(rate_name(name)) for name in q)
            speed = speed + derivative(x, time)
            parts.append(mass * speed * speed / 2)
    return reduced(Expression.sum(parts))
