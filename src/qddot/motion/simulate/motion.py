"""A Motion has the arguments that runs and sweeps have in common: what moves, and for how long."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from qddot.base.records import record

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from qddot.algebra.expressions.expression import Scalar
    from qddot.motion.simulate.acting.forces import Given
    from qddot.motion.simulate.acting.open_numbers import Distribution
    from qddot.motion.simulate.laws.law import Event, Law, Made
    from qddot.motion.simulate.laws.sampling import Sampled

# numbers, or texts such as "90deg", for one arm or for each of N
Start: TypeAlias = "ArrayLike | Sequence[Scalar] | Sequence[Sequence[Scalar]]"
GivenTorque: TypeAlias = "ArrayLike | tuple[ArrayLike, ArrayLike] | Law | Made | Sampled | None"
GivenMethod: TypeAlias = "str | tuple[str, float | tuple[float, float]]"  # a name, or a name and a tolerance
Drawn: TypeAlias = "Sequence[Distribution | Scalar]"


@record()
class Motion:
    """A motion has the arguments of `Robot.simulate` that say what moves, and for how long.

    In `qddot.sweep` each number in q0, qd0, a constant torque, damping and forces may be a distribution.
    torque: a list of n numbers, (times, values), or a law τ(t, q, qd, gain, …), whose gains `qddot.sweep` takes as
    keywords; method: in a sweep "rk4", "semi-implicit" or "midpoint", by default "rk4"
    """

    q0: Drawn
    qd0: Drawn | None = None
    duration: float = 10.0
    step: float = 1e-3
    method: GivenMethod | None = None
    torque: Any = None
    damping: float | Drawn | None = None
    forces: Given | Sequence[Given] | None = None
    event: Event | None = None
    limits: bool = True
