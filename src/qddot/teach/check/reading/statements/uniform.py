"""Brings claims and equations into one form before their names have meanings: components of vectors, no legends."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from qddot.base.words.message import Message
from qddot.teach.check.reading.names.arm_names import ArmNames
from qddot.teach.check.reading.statements.any_link import for_each_link
from qddot.teach.check.reading.statements.claims import Balance, Claim
from qddot.teach.check.reading.statements.legends import without_legends
from qddot.teach.check.reading.statements.unit_vectors import defined_rate, in_components, squared_speed, velocity_of
from qddot.teach.check.reading.statements.written_numbers import is_base


def uniform(
    claims: Sequence[Claim], balances: Sequence[Balance], names: ArmNames, note: Callable[[Message], None]
) -> tuple[list[Claim], list[Balance]]:
    """Returns the claims and the equations of an answer without legends, with velocities as claims of components."""
    claims = [each for claim in claims for each in for_each_link(claim, names)]
    named = {claim.left.key for claim in claims}
    velocities = [
        velocity_of(balance, names) or squared_speed(balance, names, named) or defined_rate(balance, names, claims)
        for balance in balances
    ]
    balances = [balance for balance, velocity in zip(balances, velocities, strict=True) if velocity is None]
    claims = [claim for claim in (*claims, *velocities) if claim is not None and not is_base(claim)]
    own = {claim.left.key for claim in claims}
    return [in_components(claim, names, own) for claim in without_legends(claims, names, note)], balances
