"""Linearizes the equations of a closed chain at rest exactly, in any closed configuration, in the coefficients r_kj.

M̄ δu̇ + damping δu + stiffness δq = δ(Rᵀτ), where δq is a motion along the columns of R with the rate δu. The stiffness
is the derivative of Ḡ and the spring torques along these motions, d/dq_j = Σ_k r_kj ∂/∂q_k + Σ r_kl,j ∂/∂r_kl.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qddot.algebra.expressions.names import rate_name
from qddot.algebra.numbers.balls import Balls, ball, precise
from qddot.algebra.spatial import summed
from qddot.base.errors import EvaluationError
from qddot.base.records import record
from qddot.base.words.message import Listed, say
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.closed.closed_states import ClosedState, values_in_balls
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.robot.symbol_values import refuse_missing


@record()
class ClosedLinearization:
    """These are the exact linear equations near rest, in any configuration with closed loops.

    M, damping, stiffness (m, m) and the torques `holding` (m,) that keep the chain at rest are those along the
    independent coordinates. They contain the coefficients r_kj and r_kj,l, which `equations.coefficients` defines.
    If motors in dependent joints hold the chain, the stiffness also has −Σ τ_k r_ki,j, which is not in `stiffness`.
    """

    M: ExactArray
    damping: ExactArray
    stiffness: ExactArray
    holding: ExactArray
    equations: ReducedEquations

    def __str__(self) -> str:
        law = say("law-of-linear-chain")
        return "\n\n".join(map(str, (law, self.M, self.damping, self.stiffness, self.holding)))

    def matrices(
        self, q: NDArray[np.float64], values: Mapping[str, Any] | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Returns M, damping, stiffness and holding in floats, at a configuration in doubles with closed loops.

        values: of symbols that do not have their defaults
        raises EvaluationError: a symbol has no value
        """
        eq = self.equations
        with precise():
            own = values_in_balls(eq.model, values)
            refuse_missing(eq.model.used_symbols - set(own), eq.model.name)
            there = {name: ball(float(side)) for name, side in zip(eq.model.tree.positions, q, strict=True)}
            still = [0] * len(eq.choice.independent)
            state = ClosedState(eq.model, eq.choice, own, there, still, still)
            numbers = Balls({**own, **state.coefficients(eq.coefficients)}, there, {}, {})
            parts = [_floats(array, numbers) for array in (self.M, self.damping, self.stiffness, self.holding)]
        return parts[0], parts[1], parts[2], parts[3]

    def at(
        self, q: NDArray[np.float64], values: Mapping[str, Any] | None = None
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Returns A and B of the state space d/dt (δq, δu) = A (δq, δu) + B δ(Rᵀτ); arguments as for `matrices`."""
        M, damping, stiffness, _ = self.matrices(q, values)
        m = range(len(M))
        inverse = np.linalg.inv(M)
        zero, unit = np.zeros((len(m), len(m))), np.eye(len(m))
        return np.block([[zero, unit], [-inverse @ stiffness, -inverse @ damping]]), np.vstack([zero, inverse])


def _floats(array: ExactArray, numbers: Balls) -> NDArray[np.float64]:
    entries = [float(ball(entry.evaluate(numbers))) for entry in array.entries]
    return np.array(entries).reshape(array.shape)


def linearize_closed(eq: ReducedEquations) -> ClosedLinearization:
    """Returns the exact linear equations of a chain near rest.

    raises EvaluationError: there is Coulomb friction, whose sign has no derivative at rest, or wheels roll: then more
        coordinates than rates are free, and the coefficients' derivatives across the motions have no names
    """
    of, m = eq.coefficients, range(eq.coefficients.m)
    if not eq.model.integrable:
        raise EvaluationError("wheels-not-linearized", where=eq.model.name)
    if sticking := eq.model.tree.sticking:
        raise EvaluationError("coulomb-friction-there", names=Listed(sticking))
    still = dict.fromkeys(map(rate_name, eq.independent), 0)
    of_rates = eq.array("friction") + eq.array("forces")
    parts = (eq.array("G").entries, eq.array("springs").entries, of_rates.subs(still).entries)
    static = [summed(of.ring.convert(part) for part in torques) for torques in zip(*parts, strict=True)]
    damping = [[of.ring.by_rate(entry, name) for name in eq.independent] for entry in of_rates.entries]
    stiffness = [[_along(eq, torque, j) for j in m] for torque in static]
    return ClosedLinearization(
        M=eq.array("M"),
        damping=ExactArray.of(of.ring, damping, "damping"),
        stiffness=ExactArray.of(of.ring, stiffness, "stiffness"),
        holding=ExactArray.of(of.ring, static, "holding"),
        equations=eq,
    )


def _along(eq: ReducedEquations, value: Any, j: int) -> Any:
    """Returns the derivative of a function of q and r_kj along the motion in which u_j = 1 is alone."""
    of = eq.coefficients
    parts = [
        of.ring.differentiate(value, name) * of.at(k, j) for k, name in enumerate(of.ring.coordinates) if of.at(k, j)
    ]
    present = set(value.variables())
    parts += [value.derivative(name) * of.slope(k, l, j) for (k, l), name in of.names.items() if name in present]
    return summed(parts)
