"""What drives an arm: nothing, a constant, samples in time, or a law τ(t, q, q̇) of the user's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from qddot.errors import SimulationError, shortened
from qddot.program.graph import Graph, Symbolic
from qddot.program.signal import Signal, node_of

Law = Callable[[Any, Any, Any], Any]


@dataclass(frozen=True)
class Torque:
    """kind: "none", "constant", "samples", "law" (traced) or "callback" (called from Python at every stage).

    values: a constant's, (n,) or (N, n), or samples', (K, n) at `times`; trace: the hash of a law's program;
    why: why a law could not be traced
    """

    kind: str
    n: int
    values: Any = None
    times: Any = None
    law: Law | None = None
    trace: str = ""
    why: BaseException | None = field(default=None, compare=False)

    @property
    def row_size(self) -> int:
        """Numbers that a row of time brings."""
        return self.n if self.kind == "samples" else 0

    @property
    def parameter_size(self) -> int:
        """Numbers that belong to an arm: what it is driven by until they change."""
        return self.n if self.kind in ("constant", "callback") else 0

    def nodes(self, graph: Graph, t: Any, q: Sequence[Any], qd: Sequence[Any], given: Sequence[Any]) -> list[Any]:
        """τ in a graph; `given` has what rows or parameters bring."""
        if self.kind == "none":
            return [0] * self.n
        return traced(self.law, graph, t, q, qd) if self.kind == "law" else list(given)

    def at(self, times: Any) -> Any:
        """Samples between their times, on straight lines, (…, n)."""
        return np.stack([np.interp(times, self.times, column) for column in self.values.T], axis=-1)

    def __str__(self) -> str:
        return {
            "none": "none",
            "constant": "constant",
            "samples": f"{0 if self.times is None else len(self.times)} samples in time",
            "law": "a law, compiled",
            "callback": "a law, called from Python",
        }[self.kind]


def torque_of(torque: Any, n: int, arms: int, duration: float, start: tuple[Any, Any]) -> Torque:
    """What a user means: None, numbers, (times, values), or a function of (t, q, qd).

    start: (q0, qd0) of the first arm, to try a law on.
    raises SimulationError: a wrong shape, times that do not cover the run, a law that fails (its error as the cause)
    """
    if torque is None:
        return Torque("none", n)
    if callable(torque):
        return _law(torque, n, *start)
    if isinstance(torque, tuple) and len(torque) == 2 and all(np.iterable(part) for part in torque):
        return _samples(*torque, n, duration)
    values = _numbers(torque, "torque")
    if values.shape not in ((n,), (arms, n)):
        raise SimulationError(
            f"torque has the shape {values.shape}", expected=f"({n},), ({arms}, {n}), (times, values) or a function"
        )
    return Torque("constant", n, values)


def _samples(times: Any, values: Any, n: int, duration: float) -> Torque:
    t, u = _numbers(times, "times of the torque"), _numbers(values, "values of the torque")
    u = u[:, None] if u.ndim == 1 and n == 1 else u
    if t.ndim != 1 or u.shape != (len(t), n):
        raise SimulationError(f"values of the torque have the shape {u.shape}", expected=f"({len(t)}, {n})")
    if not (np.diff(t) > 0).all() or len(t) < 2 or t[0] > 0 or t[-1] < duration * (1 - 1e-12):
        raise SimulationError(
            f"times of the torque from {t[0]:g} to {t[-1]:g} s", expected=f"rising times that cover 0 … {duration:g} s"
        )
    return Torque("samples", n, u, t)


def numbers(given: Any, what: str, expected: str = "numbers") -> Any:
    """A new array of floats. raises SimulationError: what is none, complex numbers among it"""
    try:
        raw = np.asarray(given)
        if raw.dtype.kind not in "iufO":
            raise TypeError
        return np.array(given, dtype=float)
    except (TypeError, ValueError):
        raise SimulationError(f"{what} is {shortened(given)}", expected=expected) from None


def _numbers(given: Any, what: str) -> Any:
    values = numbers(given, what)
    if not np.isfinite(values).all():
        raise SimulationError(f"{what} has entries that are not finite", expected="finite numbers")
    return values


def _law(law: Law, n: int, q0: Any, qd0: Any) -> Torque:
    """Traced where that gives what calling it gives, else called."""
    called = _called(law, n, 0.0, q0, qd0)
    try:
        programs = [alone(law, n) for _ in range(2)]
        if programs[0].hash != programs[1].hash:
            raise SimulationError(
                "a law that is not the same each time it is called", expected="a function of t, q, qd"
            )
        from qddot.compilers.batch import BatchFunction

        found = BatchFunction(programs[0])([0.0], q0, qd0)
        if not np.allclose(found, called, rtol=1e-9, atol=1e-12):
            raise SimulationError(f"a law that gives {called} for numbers and {found} when it is traced")
    except Exception as error:
        return Torque("callback", n, law=law, why=error)
    return Torque("law", n, law=law, trace=programs[0].hash)


def alone(law: Law, n: int) -> Any:
    """The program of a law by itself: what it is now, whatever it closes over."""
    graph = Graph()
    (t,), q, qd = graph.input("t", (1,)), graph.input("q", (n,)), graph.input("qd", (n,))
    return graph.program("law", {"tau": traced(law, graph, t, q, qd)})


def traced(law: Any, graph: Graph, t: Any, q: Sequence[Any], qd: Sequence[Any]) -> list[Symbolic]:
    """The law's nodes. raises whatever it raises on signals"""
    like = graph.constant(0.0)
    found = law(Signal(node_of_any(t, like)), _signals(q, like), _signals(qd, like))
    return [node_of(value, like) for value in np.ravel(np.asarray(found, dtype=object))]


def node_of_any(value: Any, like: Symbolic) -> Symbolic:
    """A node, or a number as a node."""
    return value if isinstance(value, Symbolic) else like.graph.constant(float(value))


def _signals(nodes: Sequence[Any], like: Symbolic) -> Any:
    found = np.empty(len(nodes), dtype=object)
    for k, node in enumerate(nodes):
        found[k] = Signal(node_of_any(node, like))
    return found


def _called(law: Law, n: int, t: float, q: Any, qd: Any) -> Any:
    """The law's numbers at one state. raises SimulationError with what it raised as the cause"""
    try:
        found = law(t, q.copy(), qd.copy())
        tau = np.array(found, dtype=float)
    except Exception as error:
        raise SimulationError(f"the torque law raised {type(error).__name__} at t = {t:g} s: {error}") from error
    if tau.shape != (n,):
        raise SimulationError(f"the torque law returned the shape {tau.shape}", expected=f"({n},)")
    return tau


def called(torque: Torque, t: float, q: Any, qd: Any) -> Any:
    """The torques of many arms, each called for by itself, (N, n)."""
    assert torque.law is not None
    return np.array([_called(torque.law, torque.n, t, *state) for state in zip(q, qd, strict=True)])
