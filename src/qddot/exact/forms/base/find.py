"""Computes the minimal set of a model: the columns that stay, the shares of the others in them, and a check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from qddot.algebra.expressions.parser import expression
from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.algebra.numbers.polynomials.rounded_ring import RoundedRing, rounded
from qddot.algebra.numbers.polynomials.variables import Variables
from qddot.base.errors import EvaluationError, ExactnessError, ExpressionError, flag
from qddot.base.words.message import say
from qddot.exact.forms.base.elimination import Combination, Elimination, TooLongError
from qddot.exact.forms.base.parameters import BaseParameter, BaseParameters, ParameterShare
from qddot.exact.forms.base.relations import Relations, relations
from qddot.exact.forms.base.share_errors import largest_error
from qddot.exact.forms.base.verify_base import check, wrong
from qddot.formats.conversions.substitute import replaced
from qddot.physics.algorithms.regressor import PARAMETERS
from qddot.physics.mechanism import Mechanism
from qddot.physics.of_model import has_bodies
from qddot.robot.effects.acting import parameters_of
from qddot.robot.joints.refused import refuse_several
from qddot.robot.model import Model

KEPT_BITS = 256  # bits of a rounded coefficient
READABLE_TERMS = 300  # terms of a share with cosines of constant angles: longer shares are rounded
MOST_TERMS = 5000  # terms of a share in whose geometry all angles are symbols
MOST_ROUNDED_TERMS = 3000  # terms of a share with symbols and rounded numbers


def base_parameters(model: Model, armature: bool = False, friction: bool = False) -> BaseParameters:
    """Returns the minimal set for almost all values of symbols and for the model's exact constant angles.

    If the defaults of some symbols of geometry and gravity make it smaller, as g = 0 does, it is the set for these
    defaults; it names these symbols.

    armature, friction: whether to include the joints' armature, and their coefficients of friction. No other parameter
    can replace friction, since its torques are odd in q̇ and no body's torques are; constant torques are counted, too.
    raises ExactnessError: the result does not give the torques, which would be a bug
    """
    if not has_bodies(model):
        raise EvaluationError("entries-without-parameters", where=model.name)
    armature, friction = flag(armature, "armature"), flag(friction, "friction")
    if armature:  # its torques on several velocities have no gyroscopic part and do not follow from an energy
        refuse_several(model, say("a-minimal-set-with-armature"), "armature=False")
    dependences = relations(model, armature)
    special = special_symbols(model, armature, len(dependences.stay))
    if special:
        model = at_defaults(model, special)
        dependences = relations(model, armature)
    ring = Ring.of(model)
    if friction:
        ring = ring.joined(Ring(Variables(model.coordinates, signs=model.coordinates)))
    mechanism = Mechanism.of(model, ring)
    parameters, bound = _exact_or_rounded(model, ring, mechanism, dependences, armature)
    names = [f"{name}{k}" for k in range(1, len(model.bodies) + 1) for name in PARAMETERS]
    names += [f"Ia_{q}" for q in model.coordinates] if armature else []
    never = sorted(column for column, support in dependences.support.items() if not support)
    if friction:
        more = [f"{kind}_{model.coordinates[i]}" for kind, i, _ in parameters_of(mechanism, False, True)]
        parameters += [BaseParameter(len(names) + k, ()) for k in range(len(more))]
        names += more
    return BaseParameters(model, ring, mechanism, parameters, names, never, bound, special)


def _exact_or_rounded(
    model: Model, ring: Ring, mechanism: Mechanism, dependences: Relations, armature: bool
) -> tuple[list[BaseParameter], float]:
    """Returns the parameters that stay, with their shares, and a bound of the shares' relative errors (0 if exact)."""
    odd = any(g.angle is not None and not g.angle.symbols for g in ring.generators)
    try:
        exact = Elimination(mechanism, ring, dependences, armature, READABLE_TERMS if odd else MOST_TERMS)
        parameters = _parameters(ring, dependences, exact.combinations)
        check(model, parameters, dependences.support, armature)
        return parameters, 0.0
    except TooLongError:
        refuse_several(
            model,
            say("a-rounding-of-angles"),
            say("fewer-symbols"),
        )
    if relations(model, armature) != dependences:
        raise wrong(model)
    try:
        rounded_ring = RoundedRing.of(model)
        rounded_mechanism = Mechanism.of(model, rounded_ring)
        near = Elimination(rounded_mechanism, rounded_ring, dependences, armature, MOST_ROUNDED_TERMS)
    except TooLongError:
        raise ExactnessError(
            "base-parameters-too-long", where=model.name, most_rounded_terms=MOST_ROUNDED_TERMS
        ) from None
    parameters = _parameters(ring, dependences, near.combinations, KEPT_BITS)
    return parameters, largest_error(model, parameters, dependences, armature)


def _parameters(
    ring: Ring, dependences: Relations, combined: Mapping[int, Combination], bits: int | None = None
) -> list[BaseParameter]:
    """Returns the parameters that stay, each with its shares of the others."""
    shares: dict[int, list[ParameterShare]] = {column: [] for column in dependences.stay}
    for column, combination in sorted(combined.items()):
        for stays, numerator in combination.numerators.items():
            top, bottom = lowest(numerator, combination.denominator)
            if bits is not None:
                top, bottom = rounded(top, bits), rounded(bottom, bits)
            shares[stays].append(ParameterShare(column, ring.convert(top), ring.convert(bottom)))
    return [BaseParameter(column, tuple(shares[column])) for column in sorted(shares)]


def lowest(top: Polynomial, bottom: Polynomial) -> tuple[Polynomial, Polynomial]:
    """Returns a fraction in lowest terms, whose denominator has the leading coefficient 1."""
    if not bottom.poly.is_constant():
        common = top.poly.gcd(bottom.poly)
        top, bottom = (top.ring.wrap(part.poly / common) for part in (top, bottom))
    leading = next(bottom.terms())[1]
    return (top, bottom) if leading == 1 else (top / leading, bottom / leading)


def special_symbols(model: Model, armature: bool, generic: int) -> tuple[str, ...]:
    """Returns the fewest symbols whose defaults give as few base parameters as the defaults of all symbols do.

    They are symbols of geometry and gravity: without gravity, g = 0, a first moment that only gravity shows has no
    effect, and a length that is 0 lets axes meet.

    generic: the number of base parameters for almost all values
    """
    used = set().union(*(part.symbols() for part in (*model.geometry(), *map(expression, model.gravity))))
    kept = [
        name
        for name, symbol in model.symbols.items()
        if name in used and symbol.value is not None and _fits(model, name)
    ]

    def count(names: Sequence[str]) -> int:
        return len(relations(at_defaults(model, names), armature).stay)

    least = count(kept) if kept else generic
    if least == generic:
        return ()
    for name in tuple(kept):
        others = [other for other in kept if other != name]
        if count(others) == least:
            kept = others
    return tuple(kept)


def _fits(model: Model, name: str) -> bool:
    """Returns whether a default can stand in place of its symbol: an angle of √2 radians has no exact sine."""
    try:
        at_defaults(model, (name,))
    except ExpressionError:
        return False
    return True


def at_defaults(model: Model, names: Sequence[str]) -> Model:
    """Returns the model with the defaults of some symbols in the places of these in its geometry and its gravity."""
    values = {name: symbol.value for name in names if (symbol := model.symbols[name]).value is not None}
    if not values:
        return model
    return replace(
        model,
        bodies=replaced(model.bodies, values),
        gravity=replaced(model.gravity, values),
        tool=replaced(model.tool, values),
    )
