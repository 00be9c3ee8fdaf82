"""Makes a drive of the torque that a user gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from qddot.algebra.checked_arrays import computed, finite
from qddot.algebra.program.program import Program
from qddot.base.errors import SimulationError
from qddot.base.words.message import say
from qddot.motion.simulate.acting.drive import Drive
from qddot.motion.simulate.acting.drives import CalledLaw, Constant, InTime, Nothing, SampledLaw, TracedLaw
from qddot.motion.simulate.laws.law import Law, Made, called
from qddot.motion.simulate.laws.sampling import Sampled, check_clock
from qddot.motion.simulate.laws.trial import Caller, tried

Moved: TypeAlias = Callable[[Any, Any], Any]


def drive_of(torque: Any, n: int, duration: float, step: float, start: tuple[Any, Any], moved: Moved) -> Drive:
    """Returns the drive of None, numbers, (times, values), or a law: a plain one, one of `laws.made`, or a sampled one.

    start: (q0, qd0) of all arms; a law is tried at the start of the first arm; moved: the function
    (q, change of n numbers) → q
    raises SimulationError: a wrong shape, times that do not cover the run, a law that fails (its error as the cause)
    """
    arms = len(start[0])
    if isinstance(torque, Sampled):
        check_clock(torque.sampling, step)
        discrete = bool(getattr(_one(torque.law), "discrete", False))
        return SampledLaw(_law(torque.law, n, duration, *start, moved), torque.sampling, discrete)
    if callable(torque) or isinstance(torque, Made):
        if getattr(torque, "discrete", False):
            raise SimulationError("next-state-without-sampling")
        return _law(torque, n, duration, *start, moved)
    if torque is None:
        return Nothing(n)
    if isinstance(torque, tuple) and len(torque) == 2 and all(np.iterable(part) for part in torque):
        return _in_time(*torque, n, duration)
    values = finite(torque, "torque")
    if values.shape not in ((n,), (arms, n)):
        raise SimulationError("torque-misshapen", shape=values.shape, n=n, arms=arms)
    return Constant(n, values)


def _in_time(times: Any, values: Any, n: int, duration: float) -> InTime:
    t, u = (
        finite(part, say(key, what=say("the-torque"))) for part, key in ((times, "times-of"), (values, "values-of"))
    )
    u = u[:, None] if u.ndim == 1 and n == 1 else u
    if t.ndim != 1 or len(t) < 2:
        raise SimulationError("torque-times-misshapen", shape=t.shape)
    if u.shape != (len(t), n):
        raise SimulationError("torque-values-misshapen", shape=u.shape, count=len(t), n=n)
    if not (np.diff(t) > 0).all() or t[0] > 0 or t[-1] < duration * (1 - 1e-12):
        raise SimulationError(
            "torque-times-do-not-cover", first=f"{t[0]:g}", last=f"{t[-1]:g}", duration=f"{duration:g}"
        )
    return InTime(n, t, u)


def _one(law: Law | Made) -> Law:
    """Returns a law that may be called for a trial."""
    if not isinstance(law, Made):
        return law
    try:
        one = law.factory()
    except Exception as error:
        raise SimulationError("factory-raised", kind=type(error).__name__, problem=error) from error
    if not callable(one):
        raise SimulationError("factory-returned-no-law")
    return one


def _law(law: Law | Made, n: int, duration: float, q0: Any, qd0: Any, moved: Moved) -> TracedLaw | CalledLaw:
    """Returns a traced law where tracing and calling agree, else one that is called."""
    one = _one(law)
    z0 = _declared(one, q0, qd0)
    states = _states(duration, q0[0], qd0[0], [] if z0 is None else z0[0], moved)
    if isinstance(law, Made):
        called(one, n, *states[0])
        return CalledLaw(n, Caller(law, say("law-is-made")), z0)
    result = tried(law, n, states)
    return TracedLaw(n, result, z0) if isinstance(result, Program) else CalledLaw(n, result, z0)


def _declared(law: Any, q0: Any, qd0: Any) -> Any:
    """Returns each arm's own state z at the start, (N, k), of a law that declares one by `z0`, else None.

    raises SimulationError: neither numbers nor a function of (q0, qd0) that returns them
    """
    z0 = getattr(law, "z0", None)
    if z0 is None:
        return None
    try:
        rows = [z0(q, qd) for q, qd in zip(q0, qd0, strict=True)] if callable(z0) else [z0]
    except Exception as error:
        raise SimulationError("law-state-raised", kind=type(error).__name__, problem=error) from error
    z = finite(computed(rows, say("state-of-a-law"), say("only-numbers")), say("state-of-a-law"))
    if z.ndim != 2 or not z.shape[1]:
        raise SimulationError("law-state-misshapen", shape=z.shape[1:])
    return np.broadcast_to(z, (len(q0), z.shape[1]))


def _states(duration: float, q0: Any, qd0: Any, z0: Any, moved: Moved) -> list[tuple[Any, ...]]:
    """Returns the start and three states near it at later times, (t, q, q̇); with z, too, for a law that has a state."""
    aside, z = np.cos(1.0 + np.arange(len(qd0))), np.asarray(z0, dtype=float)
    beside = np.cos(2.0 + np.arange(len(z)))
    return [
        (share * duration, moved(q0, by * aside), qd0 - by * aside, *([z + by * beside] if len(z) else []))
        for share, by in ((0, 0), (0.31, 0.2), (0.77, -0.6), (1, 0.4))
    ]
