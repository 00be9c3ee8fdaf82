"""A Stepper makes one step of a user's own loop: a compiled step of RK4 with constant torques."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qddot.algebra.program.graph import Graph
from qddot.algebra.program.program import Program
from qddot.base.errors import EvaluationError, SimulationError
from qddot.base.records import record
from qddot.base.words.message import say
from qddot.machine.compilers.function_store import FunctionStore
from qddot.machine.compilers.kernels import making
from qddot.machine.numeric.calls import Out
from qddot.machine.numeric.manifold import with_unit_quaternions as with_checked_quaternions
from qddot.machine.numeric.numeric_system import NumericSystem
from qddot.machine.tracing.joined import trace_in_all_coordinates
from qddot.machine.tracing.traced import TracedArm, with_unit_quaternions
from qddot.motion.simulate.acting.bristles import split
from qddot.motion.simulate.clock import positive_seconds
from qddot.motion.simulate.plant import Closed
from qddot.motion.simulate.setup import damping_rows
from qddot.motion.simulate.stepping import mixing
from qddot.motion.simulate.stepping.schemes import CLASSICAL, next_stage
from qddot.physics.of_model import check_timeless
from qddot.physics.systems import ClosedSystem, System
from qddot.robot.symbol_values import all_values, symbols_of

Array = NDArray[np.float64]


@record()
class _Request:
    """A request names the code of a step: the system's fingerprint, the step and the damping."""

    system: str
    step: float
    damping: tuple[float, ...]


class Stepper:
    """A stepper advances a system by `step` seconds a call; it keeps no state of its own, so that threads may share it.

    raises SimulationError: a step that is not a positive number, damping of a wrong shape, a symbol without a value;
        EvaluationError: energies that depend on the time
    """

    def __init__(self, system: System, step: Any, damping: Any, values: Mapping[str, Any]) -> None:
        check_timeless(system.tree, say("a-stepper"))
        if split(system.tree)[1]:
            raise SimulationError("stepper-without-bristles", where=system.name)
        symbols_of(system.tree, tuple(values))
        self.system = system.with_values(values) if values else system
        self.step = positive_seconds(step, "step")
        self._damping = _damping(damping, system.tree.n)
        self._has_quaternions = bool(system.tree.freedoms)
        self._held = system.sizes["held"] if isinstance(system, ClosedSystem) and system.choice.near else 0
        self._closure = partial(NumericSystem(self.system).call, "closure")
        request, cache = _Request(self.system.hash, self.step, self._damping), FunctionStore()
        with making():
            compiled = cache.find(request, "float64")
            self._function = compiled or cache.add(request, "float64", program(self.system, self.step, self._damping))
        self._entry = self._function.entry

    def __call__(
        self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, out: Sequence[Out] | None = None
    ) -> tuple[Array, Array]:
        """Returns (q, q̇) one step later, shaped as q and qd; the torques tau [N·m or N] are held during the step.

        For joints with quasi-velocities, q̇ is ν; the quaternions in q keep the norm 1. Those of a closed chain are of
        all joints; its loops are closed before the step, as by `assemble` and `velocities`, and after it.

        out: two arrays to fill; they may be q and qd themselves
        raises EvaluationError: wrong shapes or types; SimulationError: the next state is not finite
        """
        if self._has_quaternions:
            q = with_checked_quaternions(self.system.tree, q)
        arrays = [q, qd, tau, *([mixing.weights(self._closure(q)[1], self._held)] if self._held else [])]
        results = self._entry(*arrays) if out is None else self._filled(arrays, out)
        if results is None:
            results = self._function.results(arrays)
        q_next, qd_next, total = results
        try:
            is_finite = isfinite(total.item())
        except ValueError:  # a batch has several sums
            is_finite = bool(np.isfinite(total).all())
        if not is_finite:
            raise SimulationError("step-not-finite", where=self.system.name, step=f"{self.step:g}")
        return q_next, qd_next

    def _filled(self, arrays: Sequence[ArrayLike], out: Sequence[Out]) -> Any:
        """Returns the results in the arrays to fill."""
        if not isinstance(out, list | tuple) or len(out) != 2:
            raise EvaluationError("out-not-pair", where="stepper")
        in_place = out[0] is arrays[0] and out[1] is arrays[1] and all(map(_is_writeable, out))
        results = self._entry(*arrays) if in_place else self._entry(*arrays, *out, np.empty(1))
        if results is not None:
            if not in_place:
                return results
            if isfinite(results[2].sum()):
                out[0][...], out[1][...] = results[:2]
            return *out, results[2]
        total = np.empty((*np.shape(out[0])[:-1], 1))
        return self._function.results(arrays, (*out, total))

    def __repr__(self) -> str:
        return f"<stepper of {self.system.name}: rk4, {self.step:g} s>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Stepper, (self.system, self.step, self._damping, {})


def _is_writeable(array: Any) -> bool:
    return isinstance(array, np.ndarray) and array.dtype == np.float64 and array.flags.writeable


def program(system: System, h: float, damping: Sequence[float]) -> Program:
    """Returns the program of one step of RK4: q, q̇, and the sum of their elements, which is finite if they are.

    That of a closed chain closes the loops after the step, and has an input W if W mixes the chain's conditions.
    """
    n, quasi = len(system.tree.positions), bool(system.tree.freedoms)
    name = "state_derivative" if quasi else "forward_dynamics"
    if isinstance(system, ClosedSystem):
        values = all_values(system.model)
        once = trace_in_all_coordinates(system, name, values)
    else:
        once = NumericSystem(system).program(name)
    graph = Graph()
    q, qd, tau, *rest = (graph.input(port.name, port.shape, port.unit) for port in once.inputs)
    start: list[Any] = [*q, *qd]
    x, total = start, start
    for ahead, weight in zip(CLASSICAL.ahead, CLASSICAL.weights, strict=True):
        left = [u - c * rate for u, c, rate in zip(tau, damping, x[n:], strict=True)]
        rates = graph.inlined(once, [x[:n], x[n:], left, *rest])
        x, total = next_stage(start, total, rates if quasi else [*x[n:], *rates], h * ahead, h * weight)
    q, qd = (total := with_unit_quaternions(system.tree, total))[:n], total[n:]
    if isinstance(system, ClosedSystem):
        traced = TracedArm(system.tree, graph, {"q": q, "qd": qd}, values)
        q, qd = Closed(system.model, system.choice).projected(traced, [*(x for each in rest for x in each), 0])
    new = [*q, *qd]
    return graph.program("step", {"q": q, "qd": qd, "sum": [sum(new[1:], start=new[0])]})


def _damping(damping: Any, n: int) -> tuple[float, ...]:
    """Returns D of each joint. raises SimulationError: anything but one number or n numbers, none below 0"""
    rows = damping_rows(damping, n)
    if rows is not None and len(rows) > 1:
        raise SimulationError("damping-of-several-arms", count=len(rows), n=n)
    return (0.0,) * n if rows is None else tuple(rows[0].tolist())
