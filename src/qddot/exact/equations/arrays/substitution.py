"""Converts a user's replacements of names to polynomials: constants, and the images of a ring's variables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from qddot.algebra.expressions.angles import Angle
from qddot.algebra.expressions.circle import sum_of_angles
from qddot.algebra.expressions.constant_angles import cos_sin as exact_cos_sin
from qddot.algebra.expressions.expression import PI, Applied, Expression, Root, Trigonometric, folded
from qddot.algebra.expressions.parser import angle, expression
from qddot.algebra.expressions.substitution import Substitution
from qddot.algebra.expressions.turning import Combination
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.algebra.numbers.polynomials.generators import Generator
from qddot.algebra.numbers.polynomials.generators import key_of as key_of_function
from qddot.base.errors import ExactnessError, QddotError, did_you_mean, shortened
from qddot.base.words.message import Words, say
from qddot.exact.printing.notation import key_of


def rational(value: Any) -> Fraction:
    """Returns a number as a fraction; raises ExactnessError for other expressions, ExpressionError for other texts."""
    number = expression(value).rational
    if number is None:
        raise ExactnessError("not-a-plain-number", value=shortened(value))
    return number


def constants(ring: Ring, values: Iterable[Any]) -> tuple[Ring, list[Polynomial]]:
    """Returns an extended ring, and in it values that are numbers or expressions in the ring's names."""
    numbers = [expression(value) for value in values]
    wider = _widened(ring, numbers)
    return wider, [wider.convert(number.evaluate(_Names(wider))) for number in numbers]


def check_quaternions(
    ring: Ring, values: Mapping[str, Any], error: type[QddotError] = ExactnessError, remedy: Words = ""
) -> None:
    """Raises error for a quaternion with only some entries replaced, or whose norm is then not exactly 1."""
    for freedoms in ring.variables.freedoms:
        entries = [expression(values.get(name, name)) for name in freedoms.quaternion]
        if [str(entry) for entry in entries] == list(freedoms.quaternion):
            continue
        norm = folded(sum((entry * entry for entry in entries), start=Expression.constant(0)))
        if norm != 1:
            raise error(
                "quaternion-not-unit",
                names=", ".join(freedoms.quaternion),
                entries=", ".join(map(str, entries)),
                norm=norm,
                remedy=remedy,
            )


def images(ring: Ring, values: Mapping[str, Any]) -> tuple[Ring, dict[str, Polynomial]]:
    """Returns a ring for the new values, and the new value of each replaced variable.

    raises ExpressionError: a value is not an expression; ExactnessError: it has names that the ring lacks, or a
    quaternion does not have the norm 1
    """
    check_quaternions(ring, values, remedy=say("takes-decimals", function="arm.equations().at(q)"))
    turns = ring.turning.coordinates
    values = {name: _recognized(value) if name in turns else value for name, value in values.items()}
    turned = {name: angle(value) for name, value in values.items() if name in turns}
    plain = {name: expression(value) for name, value in values.items() if name not in turned}
    sprung = {name: expression(values[name]) for name in turned if name in ring.plain}
    inner = {g.key: _replaced_angle(g.angle, plain) for g in ring.generators if g.angle is not None}
    for generator in ring.generators:
        if any(name in turned for name, _ in generator.of):
            inner[generator.key] = _combined(generator.of, turned)
    functions = _functions(ring, values)
    new = [*plain.values(), *sprung.values(), *functions.values()]
    wider = _widened(ring, new, [*turned.values(), *inner.values()])
    names = _Names(wider)
    replacements = {key: wider.convert(value.evaluate(names)) for key, value in functions.items()}
    for name, value in {**plain, **sprung}.items():
        replacements[_key(ring, name)] = wider.convert(value.evaluate(names))
    for generator in ring.generators:
        if generator.key in inner:
            pair = names.circular(inner[generator.key])
            replacements[generator.key] = wider.convert(pair[0 if generator.kind == "cos" else 1])
        elif generator.kind == "sgn" and _rate(generator, plain) is not None:
            replacements[generator.key] = _sign(wider, generator, _rate(generator, plain))
    return wider, replacements


def _functions(ring: Ring, values: Mapping[str, Any]) -> dict[str, Expression]:
    """Returns the functions that contain replaced names, with the new values in their arguments, by their keys."""
    own = [atom for atom in ring.variables.functions if atom.argument.symbols() & values.keys()]
    if not own:
        return {}
    new = {name: expression(value) for name, value in values.items()}
    return {key_of_function(atom): expression(Substitution(new).put(Expression.of(atom))) for atom in own}


def _recognized(value: Any) -> Any:
    """Returns an exact multiple of 15° for a float that equals it up to rounding (np.pi/2); others are unchanged."""
    if not isinstance(value, float) or not math.isfinite(value):
        return value
    recognized = Angle.of_double(float(value))
    return expression(str(recognized)) if recognized.pi else value


class _Names:
    """In this kind of number, expressions in a user's names are evaluated to polynomials of a ring."""

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        self.rational, self.root = ring.rational, ring.root

    def applied(self, atom: Applied) -> Polynomial:
        return self.ring.generator(key_of_function(atom))

    def symbol(self, name: str) -> Polynomial:
        if name in self.ring.turning.coordinates and name not in self.ring.plain:
            raise ExactnessError("angle-outside-sine", name=repr(name))
        key = _key(self.ring, name)
        if key not in self.ring.index:
            names = [*self.ring.coordinates, *self.ring.symbols]
            raise ExactnessError("no-symbol-in-equations", name=repr(name), remedy=did_you_mean(name, names))
        return self.ring.generator(key)

    def circular(self, value: Angle) -> tuple[Any, Any]:
        """Returns cos and sin of an angle; the ring must have the multiples of coordinates in it."""
        pair = self.ring.circular(_constant_part(self.ring, value))
        for name, n in value.symbols:
            if name in self.ring.turning.coordinates:
                pair = sum_of_angles(pair, self.ring.cos_sin(name, n))
        return pair


def _constant_part(ring: Ring, value: Angle) -> Angle:
    still = tuple(part for part in value.symbols if part[0] not in ring.turning.coordinates)
    return Angle(value.pi, value.radians, still)


def _key(ring: Ring, name: str) -> str:
    """Returns the key of the variable that has a user's name."""
    if (name in ring.coordinates and name not in ring.quasi) or name in ring.quasi_positions:
        return f"q({name})"
    return key_of(name, ring.coordinates, ring.quasi)


def _combined(of: Combination, turned: Mapping[str, Angle]) -> Angle:
    """Returns a linear combination of coordinates with some of them replaced."""
    total = Angle()
    for name, n in of:
        total += turned.get(name, Angle(symbols=((name, Fraction(1)),))) * n
    return total


def _replaced_angle(angle_before: Angle, plain: Mapping[str, Expression]) -> Angle:
    """Returns a constant angle with its symbols replaced."""
    total = Angle(angle_before.pi, angle_before.radians)
    for name, n in angle_before.symbols:
        total += (angle(plain[name]) if name in plain else Angle(symbols=((name, Fraction(1)),))) * n
    return total


def _widened(ring: Ring, values: Iterable[Expression], angles: Iterable[Angle] = ()) -> Ring:
    """Returns the ring with the roots, constant angles and π that new values need.

    raises ExactnessError: a symbol is unknown"""
    atoms = {atom for value in values for atom in value.atoms()}
    turned = {atom for atom in atoms if isinstance(atom, Trigonometric)}
    atoms -= turned
    for value in {_constant_part(ring, value) for value in (*angles, *(atom.angle for atom in turned))}:
        _check_declared(ring, value)
        atoms.update(atom for part in exact_cos_sin(value) for atom in part.atoms())
    functions = {atom for atom in atoms if isinstance(atom, Applied)} - set(ring.variables.functions)
    if functions:
        ring = Ring(ring.variables.with_(functions=[*ring.variables.functions, *sorted(functions, key=str)]))
    new = [atom.angle for atom in atoms if isinstance(atom, Trigonometric) and atom.angle not in ring.angles]
    for value in new:
        _check_declared(ring, value)
    roots = any(isinstance(atom, Root) for atom in atoms) or any(value.pi for value in new)
    extra = [PI] if PI in atoms and PI not in ring.index else []
    if not new and not extra and (ring.roots or not roots):
        return ring
    return ring.extended(extra, roots, new)


def _check_declared(ring: Ring, value: Angle) -> None:
    for name, _ in value.symbols:
        if name not in ring.symbols:
            raise ExactnessError("no-symbol-in-equations", name=repr(name), remedy=did_you_mean(name, ring.symbols))


def _rate(generator: Generator, plain: Mapping[str, Expression]) -> Expression | None:
    """Returns the new value of the rate whose sign the generator represents, or None."""
    return next(
        (value for name, value in plain.items() if key_of(name, (generator.name,)) == f"qd({generator.name})"), None
    )


def _sign(ring: Ring, generator: Generator, value: Expression | None) -> Polynomial:
    number = value.rational if value is not None else None
    if number is None:
        raise ExactnessError("sign-of-expression", key=generator.key, value=value)
    return ring.convert((number > 0) - (number < 0))
