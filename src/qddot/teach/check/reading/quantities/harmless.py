"""Recognizes definitions that say nothing that could be wrong: values, columns of coordinates, usual short forms."""

from __future__ import annotations

from collections.abc import Mapping

from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.teach.check.reading.exact.evaluation import Evaluation
from qddot.teach.check.reading.names.arm_names import VECTORS, ArmNames
from qddot.teach.check.reading.quantities.points import is_about_quantity
from qddot.teach.check.reading.statements.arrays import Computed
from qddot.teach.check.reading.statements.written_numbers import is_value
from qddot.teach.check.reading.syntax import Meaning, Name, Tree
from qddot.teach.check.reading.texts.written import Written

IDENTITIES = ("I", "E", "Id", "eye")  # names of a matrix of numbers
COUNTS = ("n", "i", "j", "k")
MOTION = ("coordinate", "rate", "acceleration", "drive", "vector")


def is_harmless(each: Computed, names: ArmNames, ring: Ring, aliases: Mapping[str, Meaning]) -> bool:
    """Returns whether a definition that is not used says nothing that could be wrong.

    Such a definition is a column of coordinates, a value, or the usual meaning of its name: c₁₂ = cos(θ₁ + θ₂).
    aliases: the answer's other names for coordinates and rates
    """
    if (
        each.claim.left.key in IDENTITIES
        and each.shape
        and not any(value.numerator.generators() for value in each.entries)
    ):
        return True
    if each.shape or (each.claim.left.key in VECTORS and each.claim.left.key not in aliases):
        words = each.claim.words
        alone = all(len(value.numerator) <= 1 and len(value.numerator.generators()) <= 1 for value in each.entries)
        return alone and bool(words) and all(_stands_for_motion(word, names) for word in words if word != "T")
    if is_value(each.claim):
        left = each.claim.left
        return left.key in COUNTS or not (left.arguments or is_about_quantity(left))
    key = each.claim.left.key
    readings = [aliases[key]] if key in aliases else names.readings(key)
    if len(readings) != 1 or len(each.entries) != 1 or each.entries[0].denominator != 1:
        return False
    meaning, value = readings[0], each.entries[0].numerator
    if meaning.kind == "coordinate" and meaning.name not in ring.plain:
        return False
    if meaning.kind not in ("cosines", "coordinate", "rate", "acceleration"):
        return False
    own = Evaluation(ring, {}).value(Tree(Name((0, 0), "", meaning), Written("")))
    return not own.numerator - value


def is_short_form(each: Computed, names: ArmNames, ring: Ring) -> bool:
    """Returns whether a claim only defines a usual short form, such as C_23 = cos(θ_2 + θ_3)."""
    readings = names.readings(each.claim.left.key)
    is_cosine = [reading.kind for reading in readings] == ["cosines"] and len(each.entries) == 1
    return is_cosine and each.shape == () and is_harmless(each, names, ring, {})


def _stands_for_motion(word: str, names: ArmNames) -> bool:
    readings = names.readings(word)
    return bool(readings) and readings[0].kind in MOTION
