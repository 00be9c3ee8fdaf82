"""Torques of a system with given energies in one state, as SymPy's LagrangesMethod derives them."""

from __future__ import annotations

import sympy
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

from qddot.faces.robot import Robot


def sympy_torques(system: Robot, state: dict[str, list[float]], t: float = 0.0) -> list[float]:
    """Returns d/dt ∂L/∂q̇ − ∂L/∂q + ∂D/∂q̇ − Q.

    state: q, qd and qdd, of which the first n entries are taken
    """
    of, time = system.model.lagrangian, dynamicsymbols._t
    assert of is not None
    q = [dynamicsymbols(each) for each in of.coordinates]
    names = dict(zip((*of.coordinates, *of.rates), (*q, *(each.diff(time) for each in q)), strict=True))
    K, P, D, *Q = (sympy.sympify(str(part), locals={**names, "t": time}, rational=True) for part in of.parts)
    tau = list(LagrangesMethod(K - P, q).form_lagranges_equations())
    numbers = {each.diff(time, k): state[key][i] for i, each in enumerate(q) for k, key in enumerate(state)}
    values = sorted(numbers.items(), key=lambda item: -item[0].args[1][1] if item[0].is_Derivative else 1)
    torques = []
    for i, (each, torque) in enumerate(zip(q, tau, strict=True)):
        total = torque + D.diff(each.diff(time)) - (Q[i] if Q else 0)
        torques.append(float(total.subs(values).subs(system.model.defaults()).subs(time, t)))
    return torques
