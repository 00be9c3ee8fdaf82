"""Finds claims that only give values: of a symbol, m2 = 2.3, of a state, q1 = 0.5, or of a torque, tau = 0."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from qddot.check.reading.arm_names import ArmNames
from qddot.check.reading.claims import Claim
from qddot.check.reading.general import is_value, number_by_values, number_of
from qddot.check.reading.letters import candidates, is_sure
from qddot.check.reading.lexemes import word_of

DRIVES = ("tau", "u", "F", "f", "Q")


class Given(NamedTuple):
    """A given value: what it was taken for, or the symbol and its number, None for one that is not single."""

    note: str = ""
    symbol: str = ""
    number: Fraction | None = None


def given_value(claim: Claim, names: ArmNames, values: Mapping[str, Fraction]) -> Given | None:
    """Returns what a claim gives a value to, or None if it says more. values: those that were given before"""
    key = claim.left.key
    readings = names.readings(key)
    if [each.kind for each in readings] in (["coordinate"], ["rate"]) and is_value(claim):
        return Given(f"{claim.text[:60]} ({claim.where}) is read as one state, formulas are judged in all")
    if _is_drive(claim, names):
        return Given(f"{claim.text[:60]} ({claim.where}) is read as a torque that is given")
    of_symbol = (len(readings) == 1 and readings[0].kind == "symbol") or bool(names.likely(key))
    if not of_symbol or (candidates(claim.left)[:1] and is_sure(claim.left) and not _is_number(claim, names)):
        return None
    number = number_by_values(claim, values)
    if number is None and not is_value(claim):
        return None
    symbol = readings[0].name if readings else names.likely(key)[0]
    return Given("", symbol, number if number is not None else number_of(claim.leaves[0]))


def _is_number(claim: Claim, names: ArmNames) -> bool:
    """Returns whether a symbol of the arm has a number that is not zero, as in J = 0.6 kg m²."""
    return claim.left.key in names.symbols and is_value(claim) and bool(number_of(claim.leaves[0]))


def _is_drive(claim: Claim, names: ArmNames) -> bool:
    """Returns whether a torque or a force is set to a number or to another name of a drive: tau = 0, u = F."""
    if claim.shape or len(claim.leaves) != 1 or claim.left.key not in DRIVES:
        return False
    signs = [lexeme for lexeme in claim.leaves[0].lexemes if lexeme.kind not in ("newline", "wide")]
    is_name = len(signs) == 1 and names.drive(word_of(signs[0])) is not None
    return is_value(claim) or is_name
