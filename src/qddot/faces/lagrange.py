"""Makes systems that are no robots from their energies: Lagrange's equations, with and without constraints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from qddot.faces.robot import Robot
from qddot.formats.toml import lagrange_table

if TYPE_CHECKING:
    from qddot.algebra.expressions.expression import Scalar
    from qddot.faces.closed_chain import ClosedChain

    Particle: TypeAlias = tuple[Scalar, Sequence[Scalar]]


def lagrange(
    q: str | Sequence[str],
    K: Scalar = 0,
    P: Scalar = 0,
    *,
    D: Scalar = 0,
    Q: Sequence[Scalar] | Mapping[str, Scalar] = (),
    particles: Sequence[Particle] = (),
    constraints: Scalar | Sequence[Scalar] = (),
    symbols: str | Sequence[str] | Mapping[str, Any] | None = None,
    angles: str | Sequence[str] = (),
    independent: str | Sequence[str] | None = None,
    name: str = "system",
    title: str = "",
    source: str = "",
) -> Robot | ClosedChain:
    """Returns the system with these energies: d/dt ∂L/∂q̇ − ∂L/∂q + ∂D/∂q̇ = τ + Q, where L = K − P.

    The result is a `Robot` without links, or with constraints a `ClosedChain`: it derives, proves, computes, exports
    and simulates. Texts are read like those of robot files, and never executed.
    q: names of the coordinates, in a list or one text; their rates are q1 → qd1 and theta → thetad, also written q̇1, θ̇
    K: the kinetic energy; P: the potential energy, without rates; D: Rayleigh's dissipation function. If K is not of
        degree 2 or less in the rates, M depends on them, and what needs M without rates is refused
    Q: a generalized force for each coordinate, in a list or by names, which may depend on coordinates and rates
    particles: pairs (m, [x, y, z]) of masses and positions in terms of q, which add ½ m |ẋ|² to K
    t in any of these is the time, as of a motion that is prescribed: calls take its value, and a simulation has its own
    constraints: expressions that are zero, or equations: φ(q) = 0, or linear combinations of rates with factors in q
    symbols: their names or values, as in a robot file; by default all other names are symbols, and g has its value
    angles: coordinates that are angles, besides those in sines and cosines
    independent: of a system with constraints, as in `load_closed_chain`; name, title, source: texts
    raises QddotError: an unknown name, a rate in P, a constraint that is not linear in the rates or contains the time,
        constraints beside a K that is not quadratic in the rates or whose mass matrix depends on the time …
    Source: Goldstein, Poole, Safko, *Classical Mechanics*, 3rd ed., 2002, §§1.4, 1.5, 2.4.
    """
    energies = {"q": q, "angles": angles, "K": K, "P": P, "D": D, "Q": Q, "particles": particles}
    table = {**energies, "constraints": constraints}
    data = {"name": name, "title": title, "source": source, lagrange_table.TABLE: table}
    model = lagrange_table.read(data if symbols is None else {**data, "symbols": symbols})
    if not model.lagrangian or not model.lagrangian.constraints:
        return Robot(model)
    from qddot.faces.closed_chain import ClosedChain
    from qddot.robot.closed_model import ClosedModel

    return ClosedChain(ClosedModel(model, conditions=model.lagrangian.constraints), independent)
