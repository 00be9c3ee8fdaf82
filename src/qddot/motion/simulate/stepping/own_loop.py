"""A Stepper makes one step of a user's own loop: a compiled step of RK4 with constant torques."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qddot.algebra.program.graph import Graph
from qddot.algebra.program.program import Program
from qddot.base.errors import EvaluationError, SimulationError
from qddot.base.records import record
from qddot.machine.compilers.function_store import FunctionStore
from qddot.machine.compilers.kernels import making
from qddot.machine.numeric.arm import NumericArm
from qddot.machine.numeric.calls import Out
from qddot.machine.numeric.manifold import with_unit_quaternions as with_checked_quaternions
from qddot.machine.tracing.traced import with_unit_quaternions
from qddot.motion.simulate.clock import positive_seconds
from qddot.motion.simulate.setup import damping_rows
from qddot.motion.simulate.stepping.schemes import CLASSICAL, next_stage
from qddot.robot.symbol_values import symbols_of

Array = NDArray[np.float64]


@record()
class _Request:
    """A request names the code of a step: the model's fingerprint, the step and the damping."""

    model: str
    step: float
    damping: tuple[float, ...]


class Stepper:
    """A stepper advances an arm by `step` seconds a call; it keeps no state of its own, so that threads may share it.

    raises SimulationError: a step that is not a positive number, damping of a wrong shape, a symbol without a value
    """

    def __init__(self, arm: NumericArm, step: Any, damping: Any, values: Mapping[str, Any]) -> None:
        symbols_of(arm.model, tuple(values))
        self.arm = NumericArm(arm.model.with_values(values)) if values else arm
        self.step = positive_seconds(step, "step")
        self._damping = _damping(damping, arm.n)
        self._has_quaternions = bool(arm.model.freedoms)
        request, cache = _Request(self.arm.model.hash, self.step, self._damping), FunctionStore()
        with making():
            compiled = cache.find(request, "float64")
            self._function = compiled or cache.add(request, "float64", program(self.arm, self.step, self._damping))
        self._entry = self._function.entry

    def __call__(
        self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, out: Sequence[Out] | None = None
    ) -> tuple[Array, Array]:
        """Returns (q, q̇) one step later, shaped as q and qd; the torques tau [N·m or N] are held during the step.

        For joints with quasi-velocities, q̇ is ν; the quaternions in q keep the norm 1.

        out: two arrays to fill; they may be q and qd themselves
        raises EvaluationError: wrong shapes or types; SimulationError: the next state is not finite
        """
        if self._has_quaternions:
            q = with_checked_quaternions(self.arm.model, q)
        results = self._entry(q, qd, tau) if out is None else self._filled(q, qd, tau, out)
        if results is None:
            results = self._function.results((q, qd, tau))
        q_next, qd_next, total = results
        try:
            is_finite = isfinite(total.item())
        except ValueError:  # a batch has several sums
            is_finite = bool(np.isfinite(total).all())
        if not is_finite:
            raise SimulationError(
                f"the state after a step of {self.step:g} s is not finite",
                where=self.arm.name,
                expected="a motion that stays finite",
                remedy="take a smaller step, and check that q, qd and tau are finite",
            )
        return q_next, qd_next

    def _filled(self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, out: Sequence[Out]) -> Any:
        """Returns the results in the arrays to fill."""
        if not isinstance(out, list | tuple) or len(out) != 2:
            raise EvaluationError("out is not a pair", where="stepper", expected="2 arrays, for q and qd")
        in_place = out[0] is q and out[1] is qd and all(map(_is_writeable, out))
        results = self._entry(q, qd, tau) if in_place else self._entry(q, qd, tau, *out, np.empty(1))
        if results is not None:
            if not in_place:
                return results
            if isfinite(results[2].sum()):
                out[0][...], out[1][...] = results[:2]
            return *out, results[2]
        total = np.empty((*np.shape(out[0])[:-1], 1))
        return self._function.results((q, qd, tau), (*out, total))

    def __repr__(self) -> str:
        return f"<stepper of {self.arm.name}: rk4, {self.step:g} s>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Stepper, (self.arm, self.step, self._damping, {})


def _is_writeable(array: Any) -> bool:
    return isinstance(array, np.ndarray) and array.dtype == np.float64 and array.flags.writeable


def program(arm: NumericArm, h: float, damping: Sequence[float]) -> Program:
    """Returns the program of one step of RK4: q, q̇, and the sum of their elements, which is finite if they are."""
    n, quasi = len(arm.model.positions), bool(arm.model.freedoms)
    once = arm.program("state_derivative" if quasi else "forward_dynamics")
    graph = Graph()
    q, qd, tau = (graph.input(port.name, port.shape, port.unit) for port in once.inputs)
    start: list[Any] = [*q, *qd]
    x, total = start, start
    for ahead, weight in zip(CLASSICAL.ahead, CLASSICAL.weights, strict=True):
        left = [u - c * rate for u, c, rate in zip(tau, damping, x[n:], strict=True)]
        rates = graph.inlined(once, [x[:n], x[n:], left])
        x, total = next_stage(start, total, rates if quasi else [*x[n:], *rates], h * ahead, h * weight)
    total = with_unit_quaternions(arm.model, total)
    return graph.program("step", {"q": total[:n], "qd": total[n:], "sum": [sum(total[1:], start=total[0])]})


def _damping(damping: Any, n: int) -> tuple[float, ...]:
    """Returns D of each joint. raises SimulationError: anything but one number or n numbers, none below 0"""
    rows = damping_rows(damping, n)
    if rows is not None and len(rows) > 1:
        raise SimulationError(f"damping of {len(rows)} arms", expected=f"a number or {n} numbers")
    return (0.0,) * n if rows is None else tuple(rows[0].tolist())
