"""Finds claims that only give values: of a symbol, m2 = 2.3, of a state, q1 = 0.5, or of a torque, tau = 0."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from qddot.base.errors import ExpressionError
from qddot.teach.check.reading.exact.turned_angles import angle_of, is_small
from qddot.teach.check.reading.grammar.components import components
from qddot.teach.check.reading.grammar.grammar import Grammar
from qddot.teach.check.reading.names.arm_names import ArmNames
from qddot.teach.check.reading.names.letters import candidates, is_sure
from qddot.teach.check.reading.names.stated_values import StatedValue, in_si
from qddot.teach.check.reading.names.vocabulary import Vocabulary
from qddot.teach.check.reading.signs.lexemes import word_of
from qddot.teach.check.reading.statements.claims import Claim, Leaf
from qddot.teach.check.reading.statements.written_numbers import is_value, number_by_values, number_of
from qddot.teach.check.reading.syntax import MOTIONS, Meaning

DEGREES = ("deg", "Grad", "degrees")
DRIVES = ("tau", "u", "F", "f", "Q")
LONGEST_ANGLE = 20  # lexemes of an angle that is a number


class ValueOfSymbol(NamedTuple):
    """This says that a symbol has a value, m2 = 2.3. stated: None if the value is a calculation, as in m2 = 2 m1"""

    symbol: str
    stated: StatedValue | None


class NumberInOneState(NamedTuple):
    """This says that a coordinate or a rate has a number in one state, q1 = 0.5.

    number: in radians, None if it is a calculation
    """

    meaning: Meaning
    number: float | None


class NoAccelerations(NamedTuple):
    """This says that there are no accelerations, q̈ = 0."""


class GivenTorque(NamedTuple):
    """This says that a torque is given, tau = 0."""


AssignedValue: TypeAlias = ValueOfSymbol | NumberInOneState | NoAccelerations | GivenTorque


def assigned_value(claim: Claim, names: ArmNames, values: Mapping[str, Fraction]) -> AssignedValue | None:
    """Returns the value that a claim assigns, or None if it is not an assignment. values: those of earlier claims"""
    key = claim.left.key
    readings = names.readings(key)
    if [each.kind for each in readings] in (["coordinate"], ["rate"]):
        angle = None if is_value(claim) else _angle(claim, names)
        if is_value(claim) or angle is not None:
            return NumberInOneState(readings[0], _in_radians(claim.leaves[0]) if angle is None else angle)
    vector = names.vector(key, 0)
    if vector and vector.name == "acceleration" and is_value(claim) and number_of(claim.leaves[0]) == 0:
        return NoAccelerations()
    if _is_drive(claim, names):
        return GivenTorque()
    if claim.left.arguments and candidates(claim.left):  # g(q) = 0 is about the gravity torques
        return None
    of_symbol = (len(readings) == 1 and readings[0].kind == "symbol") or bool(names.likely(key))
    if not of_symbol or (candidates(claim.left)[:1] and is_sure(claim.left) and not _is_number(claim, names)):
        return None
    symbol = readings[0].name if readings else names.likely(key)[0]
    calculated = number_by_values(claim, values)
    if calculated is not None:
        return ValueOfSymbol(symbol, StatedValue(calculated, calculated, has_unit=False))
    return ValueOfSymbol(symbol, _stated(claim.leaves[0])) if is_value(claim) else None


def _stated(leaf: Leaf) -> StatedValue | None:
    """Returns a number with its unit, or None for a calculation."""
    number = number_of(leaf)
    signs = [lexeme for lexeme in leaf.lexemes if lexeme.kind not in ("newline", "wide", "-")]
    return None if number is None else in_si(number, leaf.written.text[signs[0].end : signs[-1].end])


def assigned_column(claim: Claim, names: ArmNames) -> list[tuple[Meaning, float]]:
    """Returns the numbers of all coordinates, rates or accelerations, as q = [0.5; 1] or q = 0 gives them, or []."""
    column = names.vector(claim.left.key, 0)
    numbers = _angles(claim, names) if column and column.name in MOTIONS and not claim.left.indices else []
    if column and column.name == MOTIONS[0] and numbers == [0.0]:
        numbers *= len(names.coordinates)
    if column is None or len(numbers) != len(names.coordinates):
        return []
    return [(Meaning(column.name, name), number) for name, number in zip(names.coordinates, numbers, strict=True)]


def _angle(claim: Claim, names: ArmNames) -> float | None:
    """Returns a number that is written with π, as π/2 or 30π/180, or None."""
    numbers = _angles(claim, names)
    return numbers[0] if len(numbers) == 1 else None


def _angles(claim: Claim, names: ArmNames) -> list[float]:
    """Returns the numbers of a single expression or of a column, or nothing if it has names."""
    leaf = claim.leaves[0]
    if claim.shape or len(claim.leaves) != 1 or len(leaf.lexemes) > LONGEST_ANGLE * len(names.coordinates):
        return []
    try:
        node = Grammar(leaf.lexemes, Vocabulary(names), leaf.written, leaf.latex, blanks_part=True).whole()
        angles = [angle_of(entry, {}) for entry in components(node, leaf.written).entries]
    except ExpressionError:
        return []
    numbers = [each for each in angles if each is not None and not each.symbols and is_small(each)]
    is_whole = len(numbers) == len(angles)
    return [float(each.pi) * math.pi + float(each.radians) for each in numbers] if is_whole else []


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
    signs = claim.leaves[0].signs
    is_name = len(signs) == 1 and names.drive(word_of(signs[0])) is not None
    return is_value(claim) or is_name
