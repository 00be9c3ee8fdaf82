"""Computes a function of a system in one state in ball arithmetic, without a program.

The recursions over the links run in the links' own frames, and derivatives are carried forward; those of closed chains
are differences over so short a way that they are right to half of the bits. Compiled or exported code is compared with
these values: nothing in them was folded, rewritten, ordered or printed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from qddot.algebra.numbers.balls import ball, precise
from qddot.algebra.numbers.dual_balls import DualBall, DualBalls
from qddot.algebra.spatial import Number, inner, summed
from qddot.machine.tracing.chains import TracedChain
from qddot.machine.tracing.functions import FUNCTIONS
from qddot.machine.tracing.trace import least_of
from qddot.machine.tracing.traced import Tensor, TracedArm
from qddot.physics.algorithms.elimination import Elimination
from qddot.physics.dynamics import Matrix, Torques
from qddot.physics.of_model import has_bodies
from qddot.physics.systems import ClosedSystem, System
from qddot.robot.model import Model

BITS = 256
STEP = Fraction(1, 1 << 80)  # of differences, whose error is about its square


def values(
    system: System,
    function: str,
    arrays: Mapping[str, Sequence[float]],
    symbols: Mapping[str, float],
    bits: int = BITS,
    wrenches: bool = False,
    **options: Any,
) -> list[list[float]]:
    """Returns the elements of every output of a function, computed with so many bits and then rounded.

    arrays: the elements of each input; symbols: values instead of the defaults
    raises ArithmeticError: the function has no value there, or not to an eighth of the bits
    """
    model = _of_links(system.tree)
    record = FUNCTIONS[function].with_wrenches if wrenches else FUNCTIONS[function]
    with precise(bits):
        traced: Any = _Reference.at(model, arrays, {**_exact_defaults(model), **symbols})
        if isinstance(system, ClosedSystem):
            traced = _ReferenceChain(traced, system)
        results = list(record.plainly(traced, **record.chosen(options)).values())
        if isinstance(traced, _ReferenceChain) and traced.depends_on_choice:
            results.append(traced.regularity(least_of(function)))
        return [[_float(entry, bits // 8) for entry in _entries(result)] for result in results]


def _of_links(model: Model) -> Model:
    """Returns the model of links from which explicit equations were derived, if these are of the same links."""
    original = model.original
    if original is None or not {*model.symbols} <= {*original.symbols}:
        return model
    joints = [[(body.name, replace(body.joint, effects=())) for body in each.bodies] for each in (model, original)]
    is_same = joints[0] == joints[1] and (model.gravity, model.coordinates) == (original.gravity, original.coordinates)
    return replace(original, tool=model.tool, tool_body=model.tool_body, symbols=model.symbols) if is_same else model


def _exact_defaults(model: Model) -> dict[str, Any]:
    numbers = DualBalls(None, {}, {})
    return {name: _ball(s.value.evaluate(numbers)) if s.value is not None else 0 for name, s in model.symbols.items()}


class _Reference(TracedArm):
    """This is an arm over dual balls; its derivatives are those that the numbers carry."""

    @classmethod
    def at(cls, model: Model, arrays: Mapping[str, Sequence[float]], symbols: Mapping[str, Any]) -> _Reference:
        n = model.n
        inputs = {name: [DualBall(x) for x in elements] for name, elements in arrays.items()}
        constant = cls(model, None, inputs, symbols, kind=DualBalls)  # type: ignore[arg-type]
        rates = constant.fields
        for k, (name, x) in enumerate(zip(model.positions, inputs.get("q", ()), strict=False)):
            inputs["q"][k] = DualBall(x.x, [*(_ball(field.get(name, 0)) for field in rates), *[0] * n])
        for k, x in enumerate(inputs.get("qd", ())):
            inputs["qd"][k] = DualBall(x.x, [int(place == n + k) for place in range(2 * n)])
        return cls(model, None, inputs, symbols, kind=DualBalls)  # type: ignore[arg-type]

    def by_q(self, values: Sequence[Number]) -> Matrix:
        return [[_slope(value, k) for k in range(self.model.n)] for value in values]

    def by_rates(self, values: Sequence[Number]) -> Matrix:
        return [[_slope(value, self.model.n + k) for k in range(self.model.n)] for value in values]

    def along_the_motion(self, values: Sequence[Number]) -> list[Number]:
        return [summed(a * b for a, b in zip(row, self.inputs["qd"], strict=True)) for row in self.by_q(values)]

    def with_accelerations_held(self, torques: Callable[[Sequence[Number]], Torques]) -> tuple[Matrix, Matrix]:
        tau = torques([DualBall(_ball(x)) for x in self.dynamics.mechanism.qdd])
        return self.by_q(tau), self.by_rates(tau)

    def second_torque_derivatives(self) -> tuple[Tensor, ...]:
        if has_bodies(self.model):  # effects in joints are linear: only the bodies' torques have second derivatives
            return super().second_torque_derivatives()
        q, n = self.inputs["q"], range(self.model.n)
        ways = [self.rates_of_positions([int(k == place) for k in n]) for place in n]
        places = [[self._at(q=_onward(q, way, step)) for step in (STEP, -STEP)] for way in ways]
        rates = [[self._at(qd=_moved(self.inputs["qd"], k, step)) for step in (STEP, -STEP)] for k in n]
        return _second_derivatives(places, rates)

    def _at(self, **arrays: Sequence[Any]) -> _Reference:
        """Returns the arm with other arrays."""
        balls = {name: [_ball(x) for x in values] for name, values in {**self.inputs, **arrays}.items()}
        return _Reference.at(self.model, balls, self.numbers.symbols)


class _ReferenceChain(TracedChain):
    """This is a closed chain over dual balls."""

    tree: _Reference

    def held(self, torques: Sequence[Any]) -> list[Any]:
        columns = [[row[k] for row in self.A] for k in self.choice.dependent]
        return Elimination(columns).solved([torques[k] for k in self.choice.dependent])

    def least(self, parts: Sequence[Any]) -> Any:
        return min(parts, key=lambda part: float(_ball(part)))

    def along_the_motion(self, values: Sequence[Any]) -> list[Any]:
        by_rates = (inner(row, self.drift) for row in self.tree.by_rates(values))
        return [a + b for a, b in zip(self.tree.along_the_motion(values), by_rates, strict=True)]

    def acceleration_derivatives(self) -> tuple[Matrix, ...]:
        def u_rates(chain: TracedChain) -> list[Any]:
            accelerations = chain.accelerations()
            return [accelerations[k] for k in chain.choice.independent]

        by_tau = []
        for k in range(self.tree.model.n):
            ends = [self._at(tau=_moved(self.inputs["tau"], k, step)) for step in (STEP, -STEP)]
            by_tau.append(_slopes(*map(u_rates, ends)))
        return *self._by_state(u_rates), _across(by_tau)

    def velocity_derivatives(self) -> tuple[Matrix, Matrix]:
        return self._by_state(lambda chain: list(chain.inputs["qd"]))

    def torque_derivatives(self) -> tuple[Matrix, ...]:
        return *self._by_state(lambda chain: chain.dynamics.inverse_dynamics()), self.dynamics.mass_matrix()

    def second_torque_derivatives(self) -> tuple[Tensor, ...]:
        u = [self.inputs["qd"][k] for k in self.choice.independent]
        places = [[self._beside(direction, step) for step in (STEP, -STEP)] for direction in self.directions]
        rates = [[self._in_motion(self, _moved(u, l, step)) for step in (STEP, -STEP)] for l in range(len(u))]
        return _second_derivatives(places, rates)

    def _by_state(self, values: Callable[[TracedChain], list[Any]]) -> tuple[Matrix, Matrix]:
        """Returns the derivatives of values in the directions that loops leave free, and by each rate."""
        by_q = [
            _slopes(*(values(self._beside(direction, step)) for step in (STEP, -STEP))) for direction in self.directions
        ]
        u = [self.inputs["qd"][k] for k in self.choice.independent]
        by_u = []
        for l in range(len(u)):
            ends = (self._in_motion(self, _moved(u, l, step)) for step in (STEP, -STEP))
            by_u.append(_slopes(*map(values, ends)))
        return _across(by_q), _across(by_u)

    def _beside(self, direction: Sequence[Any], step: Fraction) -> TracedChain:
        """Returns the chain a step away in a direction of q, with the same u and u̇."""
        way = self.tree.rates_of_positions(direction)
        q = _onward(self.inputs["q"], way, step)
        return self._in_motion(self._at(q=q), [self.inputs["qd"][k] for k in self.choice.independent])

    def _in_motion(self, there: _ReferenceChain, u: Sequence[Any]) -> _ReferenceChain:
        """Returns the chain in another place with q̇ = R u, and q̈ = R u̇ + s if there are accelerations."""
        moving = there._at(qd=there.velocities(u))
        if "qdd" not in self.inputs:
            return moving
        return moving._at(qdd=moving.moved([self.inputs["qdd"][k] for k in self.choice.independent]))

    def _at(self, **arrays: Sequence[Any]) -> _ReferenceChain:
        """Returns the chain with other arrays."""
        return _ReferenceChain(self.tree._at(**arrays), self.system)


def _second_derivatives(
    places: Sequence[Sequence[TracedArm | TracedChain]], rates: Sequence[Sequence[TracedArm | TracedChain]]
) -> tuple[Tensor, ...]:
    """Returns the second derivatives of τ and the first of M as differences of the first and of M.

    places, rates: for each direction of q, and for each rate, the system a step ahead and a step back
    """
    by_place, by_rate = (
        [
            [[_slopes(*rows) for rows in zip(*ends, strict=True)] for ends in zip(above, below, strict=True)]
            for above, below in ([there.torque_derivatives() for there in ends] for ends in pairs)
        ]
        for pairs in (places, rates)
    )

    def last(of: Sequence[Sequence[Matrix]], which: int) -> Tensor:
        """Returns one of the three matrices with the direction as a last index."""
        return [_across(rows) for rows in zip(*(slopes[which] for slopes in of), strict=True)]

    return last(by_place, 0), last(by_rate, 1), last(by_rate, 0), last(by_place, 2)


def _onward(q: Sequence[Any], way: Sequence[Any], step: Fraction) -> list[Any]:
    """Returns q a step away along its rates."""
    return [ball(_ball(x)) + ball(step) * ball(_ball(rate)) for x, rate in zip(q, way, strict=True)]


def _moved(values: Sequence[Any], place: int, step: Fraction) -> list[Any]:
    """Returns values of which one is changed by a step."""
    return [ball(_ball(x)) + ball(step * int(k == place)) for k, x in enumerate(values)]


def _slopes(above: Sequence[Any], below: Sequence[Any]) -> list[Any]:
    return [DualBall((ball(_ball(a)) - ball(_ball(b))) / ball(2 * STEP)) for a, b in zip(above, below, strict=True)]


def _across(columns: Sequence[Sequence[Any]]) -> Matrix:
    return [list(row) for row in zip(*columns, strict=True)]


def _entries(result: Any) -> list[Any]:
    return [each for part in result for each in _entries(part)] if isinstance(result, list | tuple) else [result]


def _slope(value: Any, k: int) -> Any:
    return value.slope(k) if isinstance(value, DualBall) else 0


def _ball(value: Any) -> Any:
    return value.x if isinstance(value, DualBall) else value


def _float(value: Any, bits: int) -> float:
    """Returns the nearest float. raises ArithmeticError: the ball is too wide, as it is after a division by zero"""
    x = ball(_ball(value))
    if not x.is_finite() or not x.rad() <= 2.0**-bits * (1 + abs(x.mid())):
        raise ArithmeticError(f"no value to {bits} bits")
    return float(x.mid())
