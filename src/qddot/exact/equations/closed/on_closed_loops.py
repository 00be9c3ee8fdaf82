"""Judges the rank of A where the loops are closed: what is proved there, and what is verified in several places.

That A_d, the kept rows of A in the columns of the dependent coordinates, is regular is proved at one closed
configuration, and thus holds near it as well: the rank of A is at least that of the kept rows. It is no larger if the
other rows are combinations of these, which is proved where it holds for all q, and else verified.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qddot.base.errors import few, number_of
from qddot.exact.equations.closed.left_out_conditions import LeftOut, implied
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.exact.equations.proofs.certificate import PROVED, VERIFIED, Identity, shown
from qddot.exact.equations.proofs.prove import verdict
from qddot.exact.equations.proofs.subject import Judge
from qddot.robot.closed_model import names_of_conditions

if TYPE_CHECKING:
    from qddot.machine.numeric.closed_evidence import Evidence

REGULAR, IMPLIED, HELD = "A_d is regular", "A R = 0 of conditions left out", "conditions left out"
FOLLOWS, INDEPENDENT = 1e-9, 1e-6  # parts of rows of A that the kept ones do not span: of a row that follows, or not


def on_closed_loops(eq: ReducedEquations, rest: LeftOut, evidence: Evidence) -> list[Identity]:
    """Returns what is known of the rank of A and of the conditions left out."""
    identities = list[Identity]()
    if not evidence.lacking:
        identities.append(_regular(eq, evidence, rest))
    if rest.everywhere:
        told = f"{_rank(eq)} for all q" if not rest.there else f"{number_of(len(rest.everywhere), 'row')} for all q"
        judge = Judge(eq.coefficients.ring)
        identities.append(verdict(IMPLIED, told, PROVED, ((judge, each) for each in implied(eq, rest))))
    if rest.there or (rest.moving and evidence.configuration is not None):
        identities.append(_held(eq, evidence, rest))
    return identities


def _rank(eq: ReducedEquations) -> str:
    """Returns the rank of A and the mobility that follows."""
    n, rank = eq.model.tree.n, len(eq.choice.conditions)
    return f"rank A = {rank}, m = {n} − {rank} = {n - rank}"


def _regular(eq: ReducedEquations, evidence: Evidence, rest: LeftOut) -> Identity:
    """Returns the line on det A_d at the closed configuration."""
    if evidence.configuration is None:
        detail = evidence.refused
        return Identity(REGULAR, "det A_d ≠ 0 on closed loops", "undecided", evidence.seconds, 1, detail)
    lower, upper = evidence.determinant
    whole = not (rest.everywhere or rest.there)
    rank = _rank(eq) if whole else f"rank A ≥ {len(eq.choice.conditions)}"
    radius = f" ± {(upper - lower) / 2:.0e}" if upper > lower else ""
    law = f"{rank}, det A_d = {shown((lower + upper) / 2)}{radius}"
    return Identity(REGULAR, law, PROVED, evidence.seconds, 1)


def _held(eq: ReducedEquations, evidence: Evidence, rest: LeftOut) -> Identity:
    """Returns the line on conditions that are not proved to follow from the others."""
    names, places = names_of_conditions(eq.model), f"at {evidence.examined} closed configurations"
    law = f"{_rank(eq)} {places}" if rest.there else f"φ = 0 {places}"
    examined = few([names[i] for i in rest.there or rest.moving])
    if evidence.configuration is None:
        detail = f"{examined}: they can be examined at closed configurations alone, and there is none"
        return Identity(HELD, "follow from the others", "undecided", 0.0, 0, detail)
    part = max((each.part for each in evidence.left), default=0.0)
    if part > FOLLOWS:
        worst = max(evidence.left, key=lambda each: each.part)
        detail = f"{worst.name} does not follow from the others: they do not span {worst.part:.2g} of its row of A"
        decision = "false" if part > INDEPENDENT else "undecided"
        return Identity(HELD, "follow from the others", decision, 0.0, evidence.examined, detail)
    detail = f"{examined}: verified in doubles, not proved; |φ| ≤ {evidence.residual:.0e}"
    detail += (
        f", and rows of A are combinations of the others to within {part:.0e}, below {FOLLOWS:.0e}"
        if rest.there
        else ""
    )
    return Identity(HELD, law, VERIFIED, 0.0, evidence.examined, detail)
