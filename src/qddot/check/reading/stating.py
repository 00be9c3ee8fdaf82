"""Brings claims and equations into one form before their names have meanings: components of vectors, no legends."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from qddot.check.reading.names.arm_names import ArmNames
from qddot.check.reading.numbers.given_values import is_base
from qddot.check.reading.statements.any_link import for_each_link
from qddot.check.reading.statements.claims import Balance, Claim, Item
from qddot.check.reading.statements.legends import without_legends
from qddot.check.reading.statements.unit_vectors import defined_rate, in_components, squared_speed, velocity_of


def stated(
    items: Sequence[Item], names: ArmNames, is_motion: Callable[[Balance], bool], note: Callable[[str], None]
) -> tuple[list[Claim], list[Balance]]:
    """Returns the claims and the equations of an answer without legends, with velocities as claims of components.

    is_motion: returns whether an equation only sets rates or accelerations to numbers, which it adds to a state
    """
    claims = [each for item in items if isinstance(item, Claim) for each in for_each_link(item, names)]
    balances = [item for item in items if isinstance(item, Balance) and not is_motion(item)]
    named = {claim.left.key for claim in claims}
    velocities = [
        velocity_of(balance, names) or squared_speed(balance, names, named) or defined_rate(balance, names, claims)
        for balance in balances
    ]
    balances = [balance for balance, velocity in zip(balances, velocities, strict=True) if velocity is None]
    claims = [claim for claim in (*claims, *velocities) if claim is not None and not is_base(claim)]
    own = {claim.left.key for claim in claims}
    return [in_components(claim, names, own) for claim in without_legends(claims, names, note)], balances
