"""Sorts the conditions of a closed chain that are left out, by how far it can be proved that they follow from the rest.

With A = [A₁; A₂], where A₁ has the kept rows, the rows of A₂ are combinations of those of A₁ where A₂ R = 0. If this is
an identity of polynomials, it holds for all q where det A_d ≠ 0. Otherwise it may hold where the loops are closed.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

from qddot.algebra.spatial import summed
from qddot.base.words.message import say
from qddot.exact.equations.closed.coefficients import Quotient
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.exact.equations.proofs.subject import Differences
from qddot.physics.algorithms import closure
from qddot.physics.independent import spanned

MOST_PRODUCTS = 100_000  # of terms, in the proof that one row is a combination of others


class LeftOut(NamedTuple):
    """These are the places of conditions that are left out.

    everywhere: their rows are zero, or combinations of the kept ones, for all q; there: they may be so on closed loops
    moving: those of loops whose rows are not zero, so that their φ may differ from zero
    """

    everywhere: tuple[int, ...]
    there: tuple[int, ...]
    moving: tuple[int, ...]


def left_out(eq: ReducedEquations) -> LeftOut:
    """Returns the conditions that are left out."""
    rows = closure.jacobian(eq.tree.dynamics.mechanism, eq.model)
    others = [i for i in range(len(rows)) if i not in eq.choice.conditions]
    zero = {i for i in others if not any(rows[i])}
    in_random_states = set(spanned(eq.model, eq.choice.conditions)) if len(zero) < len(others) else set()
    everywhere = tuple(i for i in others if i in zero or (i in in_random_states and _is_short(eq, rows[i])))
    there = tuple(i for i in others if i not in everywhere)
    return LeftOut(everywhere, there, tuple(i for i in others if i not in zero and i < len(eq.phi)))


def _is_short(eq: ReducedEquations, row: list[Any]) -> bool:
    """Returns whether the products in A₂ R of this row have few terms."""
    if eq.coefficients.implied_rows:
        return False
    products = 0
    for own in range(eq.coefficients.m):
        for x in _quotients(eq, own, row).values():
            products += len(x.numerator) + len(x.denominator)
    return products * sum(len(eq.tree.ring.convert(entry)) for entry in row if entry) <= MOST_PRODUCTS


def _quotients(eq: ReducedEquations, j: int, row: list[Any]) -> dict[int, Quotient]:
    """Returns r_kj of the dependent coordinates k that occur in a row of A."""
    of = eq.coefficients
    by_name = {each.name: each for each in of.first}
    return {k: by_name[of.names[k, j]] for k in of.dependent if row[k]}


def implied(eq: ReducedEquations, rest: LeftOut) -> Differences:
    """Yields A₂ R of the conditions that follow for all q, times the determinants in the definitions of r_kj."""
    rows = closure.jacobian(eq.tree.dynamics.mechanism, eq.model)
    for i in rest.everywhere:
        for j, own in enumerate(eq.coefficients.independent):
            yield say("place-of-row", row=i + 1, column=j + 1), _combined(eq, rows[i], j, own)


def _combined(eq: ReducedEquations, row: list[Any], j: int, own: int) -> Any:
    """Returns Σ_k A_ik r_kj + A_ij, times the determinants of the blocks whose coordinates it contains."""
    convert = eq.coefficients.ring.convert
    tops: list[tuple[Any, list[Any]]] = [(1, [convert(row[own])])]  # a determinant, and the terms over it
    for k, x in _quotients(eq, j, row).items():
        top = convert(row[k]) * convert(x.numerator)
        same = next((terms for bottom, terms in tops if bottom == x.denominator), None)
        if same is None:
            tops.append((x.denominator, [top]))
        else:
            same.append(top)
    bottoms = [convert(bottom) for bottom, _ in tops]
    return summed(
        prod((*bottoms[:place], *bottoms[place + 1 :]), start=summed(terms)) for place, (_, terms) in enumerate(tops)
    )
