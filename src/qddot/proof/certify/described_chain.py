"""The conditions of a closed chain as the provers take them, and its printed equations in the joints' own angles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from qddot.algebra.expressions.expression import evaluator
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.base.records import record
from qddot.exact.equations.closed.coefficients import Coefficients, Quotient
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.physics.algorithms.closure import held_along
from qddot.physics.mechanism import Mechanism
from qddot.proof.certify.printed import factor_of
from qddot.robot.closed_model import ClosedModel
from qddot.robot.loops import EVERYWHERE, Loop

Path = Sequence[int]  # of links, by their places, from the one behind a carrier to that of a frame


@record()
class Condition:
    """A condition says what two frames of a loop keep, or that a wheel does not slip.

    kind: "Held" along a direction, "Held_along" an axis of the first frame, "Perpendicular", "Distance" or "No_slip"
    arguments: the direction or the length, over the ring of the description, or numbers of axes
    frames: first and second, or those of the wheel, its contact and the ground
    """

    kind: str
    arguments: Sequence[Any]
    frames: Sequence[Path]


def conditions(eq: ReducedEquations) -> list[Condition]:
    """Returns the independent conditions, in the order of the rows of A."""
    mechanism = eq.tree.dynamics.mechanism
    each = [c for loop in eq.model.loops for c in _of_loop(loop, mechanism, eq.tree.ring)]
    each += _of_wheels(eq.model, mechanism)
    return [each[k] for k in eq.choice.conditions]


def _of_loop(loop: Loop, mechanism: Mechanism, ring: Ring) -> Iterator[Condition]:
    carrier, directions = held_along(mechanism, loop)
    frames = [_path(mechanism, name, carrier) for name in loop.links]
    held = loop.conditions
    for k in held.place:
        if held.place == EVERYWHERE:
            yield Condition("Held", [*directions[k]], frames)
        else:
            yield Condition("Held_along", [k], frames)
    for axes in held.attitude:
        yield Condition("Perpendicular", axes, frames)
    if loop.length is not None:
        yield Condition("Distance", [evaluator(ring)(loop.length)], frames)


def _of_wheels(model: ClosedModel, mechanism: Mechanism) -> Iterator[Condition]:
    for each in model.rolling:
        frames = [_path(mechanism, name, None) for name in (each.wheel, each.contact, each.ground)]
        for k in each.axes:
            yield Condition("No_slip", [k], frames)


def _path(mechanism: Mechanism, name: str, carrier: int | None) -> Path:
    """Returns the links behind a carrier, or the base, up to one; none leads to the base itself."""
    path = next((mechanism.paths[link.index] for link in mechanism.links if link.name == name), ())
    return path[path.index(carrier) + 1 :] if carrier is not None else path


@record()
class PrintedChain:
    """Printed equations of a chain: entries over the ring of the coefficients.

    determinants: of the block of each row of A; None where coefficients are defined by the row of A R = 0
    coefficients: with the factor by which each quotient was shortened
    slopes: of R_kj along the motion in which u_l = 1 is alone, by k, j and l; M: its rows up to the diagonal
    viscous: factors of u; dry: factors of the signs of all rates
    """

    phi: Sequence[Any]
    A: Sequence[Sequence[Any]]
    determinants: Sequence[Any]
    coefficients: Sequence[tuple[Quotient, Any]]
    R: Sequence[Sequence[Any]]
    slopes: Sequence[Sequence[Sequence[Any]]]
    M: Sequence[Sequence[Any]]
    christoffel: Sequence[Sequence[Sequence[Any]]]
    G: Sequence[Any]
    springs: Sequence[Any]
    viscous: Sequence[Sequence[Any]]
    dry: Sequence[Sequence[Any]]


def printed_chain(eq: ReducedEquations) -> PrintedChain:
    """Returns the printed equations of a chain."""
    of, convert, m = eq.coefficients, eq.ring.convert, range(eq.coefficients.m)
    friction = list(map(convert, eq.array("friction").entries))
    return PrintedChain(
        [convert(eq.phi[i]) if i < len(eq.phi) else 0 for i in eq.choice.conditions],
        of.A,
        [convert(of.determinants[i]) if i in of.determinants else None for i in range(len(of.A))],
        list(_coefficients(of)),
        of.R,
        [[[of.slope(k, j, l) for l in m] for j in m] for k in range(eq.tree.n)],
        [row[: i + 1] for i, row in enumerate(eq.array("M").nested)],
        eq.array("christoffel").nested,
        eq.array("G").entries,
        eq.array("springs").entries,
        [[factor_of(f"qd({name})", entry) for name in eq.independent] for entry in friction],
        [[factor_of(f"sgn({name})", entry) for name in eq.model.tree.coordinates] for entry in friction],
    )


def _coefficients(of: Coefficients) -> Iterator[tuple[Quotient, Any]]:
    """Yields the shortened definitions of the coefficients that are variables, and by what they were shortened."""
    named = {each.name: each for each in (*of.first_named, *of.second_named)}
    for full in (*of.first, *of.second):
        if own := named.get(full.name):
            share = own.denominator.ring.wrap(full.denominator.poly / own.denominator.poly)
            yield Quotient(own.name, *map(of.ring.convert, own[1:])), of.ring.convert(share)


def terms(chain: PrintedChain) -> int:
    """Returns the number of terms in M and Γ."""
    arrays = (chain.M, *chain.christoffel)
    return sum(len(x) for rows in arrays for row in rows for x in row if isinstance(x, Polynomial))
