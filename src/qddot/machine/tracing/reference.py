"""Computes a function of an arm in one state in ball arithmetic, without a program.

The recursions over the links run in the links' own frames, and derivatives are carried forward. Compiled or exported
code is compared with these values: nothing in them was folded, rewritten, ordered or printed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from qddot.algebra.numbers.balls import ball, precise
from qddot.algebra.numbers.dual_balls import DualBall, DualBalls
from qddot.algebra.spatial import Number, summed
from qddot.machine.tracing.functions import FUNCTIONS
from qddot.machine.tracing.traced import TracedArm
from qddot.physics.dynamics import COMPOSITE, Matrix, Torques
from qddot.robot.model import Model

BITS = 256


def values(
    model: Model,
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
    model = _of_links(model)
    record = FUNCTIONS[function].with_wrenches if wrenches else FUNCTIONS[function]
    by = {"algorithm": COMPOSITE} if record.algorithms else {}
    with precise(bits):
        arm = _Reference.at(model, arrays, {**_exact_defaults(model), **symbols})
        results = record.compute(arm, **by, **record.chosen(options))
        return [[_float(entry, bits // 8) for entry in _entries(result)] for result in results.values()]


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
