"""Reads the argument of a cosine or a sine: a sum of coordinates, constant angles, degrees and numbers."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from qddot.algebra.expressions.angles import Angle
from qddot.teach.check.reading.syntax import Name, Node, Number, Power, Product, Reference, Sum, Table

LARGEST_NUMBER = 200  # bits of a number in an angle
NEAR_PI = Fraction(314159265358979, 10**14)


class Turned(NamedTuple):
    """This is an angle as multiples of coordinates and a constant."""

    coordinates: tuple[tuple[str, Fraction], ...]
    constant: Angle


def turned(angle: Angle, coordinates: frozenset[str]) -> Turned:
    """Returns an angle as multiples of coordinates and a constant."""
    moving = tuple(part for part in angle.symbols if part[0] in coordinates)
    fixed = tuple(part for part in angle.symbols if part[0] not in coordinates)
    return Turned(moving, Angle(angle.pi, angle.radians, fixed))


def opaque(angle: Angle, coordinates: frozenset[str]) -> tuple[str, str] | None:
    """Returns names for cosine and sine of an angle with multiples of q other than 1/2, 1, 3/2 …, or None."""
    if all((times * 2).denominator == 1 for _, times in turned(angle, coordinates).coordinates):
        return None
    return f"cos({angle})", f"sin({angle})"


def angle_of(node: Node, own: Mapping[str, Angle | None]) -> Angle | None:
    """Returns a tree as an angle, or None if it is not one.

    own: the angles that the answer defines, by name
    """
    match node:
        case Number():
            return Angle(radians=node.value)
        case Name():
            return _of_name(node, own)
        case Sum():
            parts = [angle_of(term, own) for _, term in node.terms]
            total = Angle()
            for (sign, _), part in zip(node.terms, parts, strict=True):
                if part is None:
                    return None
                total += part * sign
            return total
        case Reference():
            return own.get(node.key)
        case Product():
            return _of_product(node, own)
        case Power():
            base = angle_of(node.base, own)
            number = None if base is None else _number(base)
            if number is None or not (number or node.exponent > 0) or not is_small(Angle(radians=number)):
                return None
            return Angle(radians=number**node.exponent)
        case Table() if len(node.parts) == 1:
            return angle_of(node.parts[0], own)
    return None


def _of_name(node: Name, own: Mapping[str, Angle | None]) -> Angle | None:
    meaning = node.meaning
    if meaning.kind == "pi":
        return Angle(pi=Fraction(1))
    if meaning.kind == "degree":
        return Angle(pi=Fraction(1, 180))
    if meaning.kind in ("coordinate", "symbol"):
        return Angle(symbols=((meaning.name, Fraction(1)),))
    return own.get(meaning.name) if meaning.kind == "own" else None


def _of_product(node: Product, own: Mapping[str, Angle | None]) -> Angle | None:
    total = Angle(radians=Fraction(1))
    for exponent, factor in node.factors:
        part = angle_of(factor, own)
        if part is not None and exponent < 0 and part == Angle(pi=part.pi) and part.pi:  # in 180/π
            part = Angle(radians=part.pi * NEAR_PI)
        left, right = _number(total), None if part is None else _number(part)
        if part is None or (exponent < 0 and not right):
            return None
        if exponent < 0 and right:
            total = total * (1 / right)
        elif right is not None:
            total = total * right
        elif left is not None:
            total = part * left
        elif is_pi(part) or is_pi(total):  # degrees converted to radians, q π/180
            turns, other = (part, total) if is_pi(part) else (total, part)
            total = other * (turns.pi * NEAR_PI)
        else:
            return None
    return total


def is_pi(angle: Angle) -> bool:
    """Returns whether an angle is a multiple of π."""
    return bool(angle.pi) and angle == Angle(pi=angle.pi)


def _number(angle: Angle) -> Fraction | None:
    return None if angle.pi or angle.symbols else angle.radians


def is_small(angle: Angle) -> bool:
    """Returns whether an angle has few turns and numbers of few digits, as those of arms do."""
    numbers = (angle.pi, angle.radians, *(n for _, n in angle.symbols))
    return all(max(abs(n.numerator), n.denominator).bit_length() < LARGEST_NUMBER for n in numbers)
