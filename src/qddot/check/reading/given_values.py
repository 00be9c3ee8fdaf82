"""Finds claims that only give values: of a symbol, m2 = 2.3, of a state, q1 = 0.5, or of a torque, tau = 0."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from qddot.check.reading.arm_names import ArmNames
from qddot.check.reading.claims import Claim, Leaf
from qddot.check.reading.general import is_value, number_by_values, number_of
from qddot.check.reading.letters import candidates, is_sure
from qddot.check.reading.lexemes import word_of
from qddot.check.reading.stated_values import Stated, in_si

DEGREES = ("deg", "Grad", "degrees")
DRIVES = ("tau", "u", "F", "f", "Q")


class AssignedValue(NamedTuple):
    """This is a claim's value: a note on how it is read, or a symbol and its value.

    stated: the symbol's value, None if it is not a number
    in_state: the number of a coordinate or a rate, in radians; without_accelerations: whether the claim is q̈ = 0
    """

    note: str = ""
    symbol: str = ""
    stated: Stated | None = None
    in_state: float | None = None
    without_accelerations: bool = False


def assigned_value(claim: Claim, names: ArmNames, values: Mapping[str, Fraction]) -> AssignedValue | None:
    """Returns the value that a claim assigns, or None if it is not an assignment. values: those of earlier claims"""
    key = claim.left.key
    readings = names.readings(key)
    if [each.kind for each in readings] in (["coordinate"], ["rate"]) and is_value(claim):
        note = f"{claim.text[:60]} ({claim.where}) is read as one state; formulas are judged for all states"
        return AssignedValue(note, in_state=_in_radians(claim.leaves[0]))
    vector = names.vector(claim.left.key, 0)
    if vector and vector.name == "acceleration" and is_value(claim) and number_of(claim.leaves[0]) == 0:
        note = f"{claim.text[:60]} ({claim.where}): the torques are judged without accelerations"
        return AssignedValue(note, without_accelerations=True)
    if _is_drive(claim, names):
        return AssignedValue(f"{claim.text[:60]} ({claim.where}) is read as a given torque")
    of_symbol = (len(readings) == 1 and readings[0].kind == "symbol") or bool(names.likely(key))
    if not of_symbol or (candidates(claim.left)[:1] and is_sure(claim.left) and not _is_number(claim, names)):
        return None
    number = number_by_values(claim, values)
    if number is None and not is_value(claim):
        return None
    symbol = readings[0].name if readings else names.likely(key)[0]
    return AssignedValue(
        "", symbol, _stated(claim.leaves[0]) if number is None else Stated(number, number, has_unit=False)
    )


def _stated(leaf: Leaf) -> Stated | None:
    """Returns a number with its unit, or None for a calculation."""
    number = number_of(leaf)
    signs = [lexeme for lexeme in leaf.lexemes if lexeme.kind not in ("newline", "wide", "-")]
    return None if number is None else in_si(number, leaf.written.text[signs[0].end : signs[-1].end])


def is_base(claim: Claim) -> bool:
    """Returns whether a claim says that the base's pose in itself is the identity, ⁰T₀ = 1."""
    frames = claim.left.indices or claim.left.cell
    is_own = claim.left.head == "T" and bool(frames) and not any(frames)
    return is_own and is_value(claim) and number_of(claim.leaves[0]) == 1


def _in_radians(leaf: Leaf) -> float | None:
    signs = [lexeme for lexeme in leaf.lexemes if lexeme.kind not in ("degree", "newline", "wide", "^", "{", "}")]
    in_degrees = any(lexeme.kind == "degree" or word_of(lexeme) in DEGREES for lexeme in leaf.lexemes)
    number = number_of(leaf._replace(lexemes=signs))
    if number is None:
        return None
    return math.radians(number) if in_degrees else float(number)


def _is_number(claim: Claim, names: ArmNames) -> bool:
    """Returns whether a symbol of the arm is set to a nonzero number, as in J = 0.6 kg m²."""
    return claim.left.key in names.symbols and is_value(claim) and bool(number_of(claim.leaves[0]))


def _is_drive(claim: Claim, names: ArmNames) -> bool:
    """Returns whether a torque or a force is set to a number or to another name of a drive: tau = 0, u = F."""
    if claim.shape or len(claim.leaves) != 1 or claim.left.key not in DRIVES:
        return False
    signs = [lexeme for lexeme in claim.leaves[0].lexemes if lexeme.kind not in ("newline", "wide")]
    is_name = len(signs) == 1 and names.drive(word_of(signs[0])) is not None
    return is_value(claim) or is_name
