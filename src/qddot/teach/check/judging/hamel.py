"""Finds Lagrange's equations of quasi-velocities without Hamel's terms, as if these velocities were rates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qddot.teach.check.judging.cases import Case
from qddot.teach.check.judging.mistakes import Mistake
from qddot.teach.check.judging.whole_quantities import WholeQuantities

KIND = "brackets lost"


def without_brackets(wholes: WholeQuantities, wrong: Sequence[Case]) -> Iterator[Mistake]:
    """Yields the mistake τ_i = d/dt ∂L/∂ν_i − X_i L, which lacks Σ_jl c^l_ij ν_j ∂L/∂ν_l, also in h or h + G."""
    ring = wholes.ring
    if not ring.quasi or not any(case.quantity in ("tau", "h", "bias") for case in wrong):
        return
    exact = WholeQuantities(wholes.eq, ring, {}, frozenset())
    torques = exact.lagrangian_torques(exact.scalar("K") - exact.scalar("P"))
    biases = [
        ring.convert(torque).without([f"qdd({name})" for name in wholes.eq.model.coordinates]) for torque in torques
    ]
    lost = {
        "tau": torques,
        "bias": biases,
        "h": [bias - gravity for bias, gravity in zip(biases, exact.column("G"), strict=True)],
    }
    keys = [
        case.key
        for case in wrong
        if case.quantity in lost and case.is_equal_to(ring.convert(lost[case.quantity][case.place[0]]))
    ]
    if keys:
        yield Mistake(KIND, {}, tuple(keys))
