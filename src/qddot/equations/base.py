"""The base parameters: which combinations of the inertial parameters the motion can tell apart, exactly.

τ = Y π is linear in the ten parameters of every body. Columns of Y that depend on each other for every motion
belong to parameters that no motion can separate. Since Y is what Lagrange's operator makes of the energies, and
that operator takes nothing but constants to zero, columns of Y depend on each other as the energies K + P of the
parameters do, up to constants. The energies are polynomials in sines, cosines, coordinates and rates over the field
of the geometry's symbols, in normal form: what depends on what is found by elimination in that field, for generic
values of the geometry. Source: Gautier & Khalil, "Direct calculation of minimum set of inertial parameters of
serial robots", IEEE T-RA 6, 1990; Khalil & Dombre, *Modeling, Identification and Control of Robots*, 2002, §9.4.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from qddot.dynamics.effects import joint_parameters
from qddot.dynamics.energy import parameter_energies
from qddot.dynamics.regressor import PARAMETERS, regressor
from qddot.dynamics.regressor import parameters as inertial
from qddot.equations.array import ExactArray
from qddot.equations.text import polynomial as text_of
from qddot.errors import EvaluationError
from qddot.model.expressions import evaluator
from qddot.model.mechanism import Mechanism
from qddot.model.model import Model
from qddot.numbers.exact import Polynomial, Ring
from qddot.spatial import divided

Vector: TypeAlias = dict[tuple[int, ...], Polynomial]
# what stays first: the axial moment, then what a turning joint feels across its axis
MOST_EXACT_ANGLES = 2  # that are no multiples of 15°; more of them are rounded to rational points, within 1e-12
LONGEST_NUMBER = 12  # characters of a number in a formula
ORDER = ("Izz", "Ixx", "Ixy", "Ixz", "Iyz", "mx", "my", "mz", "Iyy", "m")


@dataclass(frozen=True)
class Share:
    """numerator / denominator · parameter; both polynomials in the geometry."""

    parameter: int
    numerator: Polynomial
    denominator: Polynomial

    def factor(self) -> tuple[str, str]:
        """Its sign and its size as text; no size for 1."""
        top, bottom = _shown(self.numerator), _shown(self.denominator)
        sign, top = ("-", top[1:]) if top.startswith("-") and len(self.numerator) == 1 else ("+", top)
        top = f"({top})" if len(self.numerator) > 1 else top
        if bottom != "1":
            return sign, f"{top}/({bottom})"
        return sign, "" if top == "1" else top


def _shown(value: Polynomial) -> str:
    """As it is, but for a long number, of which six digits."""
    number, text = _number(value), text_of(value)
    return text if number is None or len(text) <= LONGEST_NUMBER else f"{float(number):.6g}"


@dataclass(frozen=True)
class BaseParameter:
    """One parameter that stays, with the shares of those that go into it."""

    parameter: int
    shares: tuple[Share, ...]

    def formula(self, names: Sequence[str]) -> str:
        """The combination: "mx2 + a2*(m2 + m3)"."""
        alike: dict[tuple[str, str], list[str]] = {}
        for share in self.shares:
            alike.setdefault(share.factor(), []).append(names[share.parameter])
        text = names[self.parameter]
        for (sign, size), group in alike.items():
            if not size:
                text += "".join(f" {sign} {name}" for name in group)
            else:
                text += f" {sign} {size}*" + (group[0] if len(group) == 1 else f"({' + '.join(group)})")
        return text


class BaseParameters:
    """A minimal set of inertial parameters, τ = Y_b π_b, exact for generic geometry.

    parameters: those that stay, in the order of bodies; names: of all parameters, ten a body, about the frame's
    origin, and armatures where asked for; never: those that no torque feels
    """

    def __init__(
        self, model: Model, ring: Ring, found: Sequence[BaseParameter], names: Sequence[str], never: Sequence[int]
    ) -> None:
        self.model = model
        self.ring = ring
        self.parameters = tuple(found)
        self.names = tuple(names)
        self._never = tuple(never)

    @cached_property
    def regressor(self) -> ExactArray:
        """Y_b, n × len, exact: the regressor's columns that stay; in numbers arm.regressor(...)[..., columns] with the
        same armature= and friction=."""
        arm = Mechanism.of(self.model, self.ring)
        rows = [list(row) for row in regressor(arm)]
        for name in self.names[len(rows[0]) :]:
            kind, _, coordinate = name.partition("_")
            by_kind = {"Ia": self.ring.acceleration, "Fv": self.ring.rate, "Fc": self.ring.sign}
            for i, q in enumerate(self.model.coordinates):
                rows[i].append(by_kind[kind](q) if q == coordinate else 0)
        return ExactArray(self.ring, [[row[k] for k in self.columns] for row in rows], "Y_b")

    def __len__(self) -> int:
        return len(self.parameters)

    def __iter__(self) -> Iterator[BaseParameter]:
        return iter(self.parameters)

    @property
    def columns(self) -> list[int]:
        """The regressor's columns that stay."""
        return [each.parameter for each in self.parameters]

    @property
    def never(self) -> list[str]:
        """Parameters that no torque feels."""
        return [self.names[k] for k in self._never]

    @property
    def alone(self) -> list[str]:
        """Parameters that matter by themselves."""
        return [self.names[each.parameter] for each in self.parameters if not each.shares]

    @property
    def combined(self) -> list[str]:
        """Parameters that matter only in combination with others."""
        inside = {share.parameter for each in self.parameters for share in each.shares}
        inside |= {each.parameter for each in self.parameters if each.shares}
        return [self.names[k] for k in sorted(inside)]

    @property
    def formulas(self) -> dict[str, str]:
        """Each base parameter's combination, by the name of the parameter that stays."""
        return {self.names[each.parameter]: each.formula(self.names) for each in self.parameters}

    def __str__(self) -> str:
        lines = [f"{len(self)} base parameters of {len(self.names)}"]
        lines += [f"  {formula}" for formula in self.formulas.values()]
        if self.never:
            lines.append(f"no torque feels {', '.join(self.never)}")
        return "\n".join(lines)

    def values(self, **given: float) -> Any:
        """Their numbers for the model's inertias, shape (len,); symbols take their defaults, or keywords.

        raises EvaluationError: a symbol without a value
        """
        import numpy as np

        from qddot.numbers.values import TermTable, generator_values

        symbols = {**self.model.defaults(), **given}
        missing = sorted(self.model.used_symbols - set(symbols))
        if missing:
            raise EvaluationError(f"no values for {', '.join(missing)}", where=self.model.name)
        everything = self._everything(symbols)
        still = dict.fromkeys(self.model.coordinates, 0.0)
        known, found = generator_values(self.ring, still, still, still, symbols), []
        for each in self.parameters:
            parts = [part for share in each.shares for part in (share.numerator, share.denominator)]
            numbers: Any = TermTable(self.ring, parts)(known) if parts else []
            total = everything[each.parameter]
            for k, share in enumerate(each.shares):
                total += numbers[2 * k] / numbers[2 * k + 1] * everything[share.parameter]
            found.append(total)
        return np.array(found)

    def _everything(self, symbols: Mapping[str, float]) -> list[float]:
        """The numbers of all parameters, in the order of `names`."""
        from qddot.numbers.floats import Floats

        numbers = Floats(symbols, dict.fromkeys(self.model.coordinates, 0.0))
        plain = [float(x) for x in inertial(Mechanism.of(self.model, numbers))]
        kinds = {name.partition("_")[0] for name in self.names[len(plain) :]}
        evaluate = evaluator(numbers)
        return plain + [float(x) for *_, x in joint_parameters(self.model, "Ia" in kinds, "Fv" in kinds, evaluate)]


def base_parameters(model: Model, armature: bool = False, friction: bool = False) -> BaseParameters:
    """The minimal set for generic geometry.

    armature, friction: with the joints' rotors, and with their viscous and Coulomb coefficients, which no other
    parameter can stand for: torques that are odd in q̇ are none of a body's
    """
    if model.explicit is not None:
        raise EvaluationError(
            "the equations are given entry by entry: no link has inertial parameters", where=model.name
        )
    ring = Ring.of(model)
    if friction:
        ring = ring.joined(Ring(model.coordinates, signs=model.coordinates))
    arm = Mechanism.of(model, ring)
    names = [f"{name}{k}" for k in range(1, len(arm.links) + 1) for name in PARAMETERS]
    split = _Split(ring, _rounded_angles(ring))
    columns: dict[int, Vector] = {}
    for k, energies in enumerate(parameter_energies(arm)):
        for name in ORDER:
            place = PARAMETERS.index(name)
            kinetic, potential = energies[place]
            columns[len(PARAMETERS) * k + place] = split(kinetic + potential)
    if armature:
        for k, rate in enumerate(arm.qd):
            columns[len(names)] = split(divided(rate * rate, 2))
            names.append(f"Ia_{model.coordinates[k]}")
    found = _Elimination(ring, columns).result(model, names)
    if not friction:
        return found
    more = [f"{kind}_{q}" for q in model.coordinates for kind in ("Fv", "Fc")]
    alone = [BaseParameter(len(names) + k, ()) for k in range(len(more))]
    return BaseParameters(model, ring, (*found.parameters, *alone), (*names, *more), found._never)


def _rounded_angles(ring: Ring) -> dict[str, Polynomial]:
    """Rational points of the circle for the cosines and sines of constant angles, where there are so many that
    the elimination over their field would not end."""
    odd = [g.angle for g in ring.generators if g.kind == "cos" and g.angle is not None and not g.angle.symbols]
    found: dict[str, Polynomial] = {}
    for angle in odd if len(odd) > MOST_EXACT_ANGLES else ():
        t = Fraction(math.tan(angle.value({}) / 2)).limit_denominator(10**6)
        found[f"cos({angle})"] = ring.convert((1 - t * t) / (1 + t * t))
        found[f"sin({angle})"] = ring.convert(2 * t / (1 + t * t))
    return found


class _Split:
    """Polynomials as vectors: the coefficient, in the geometry, of each monomial in the state; no constants."""

    def __init__(self, ring: Ring, rounded: Mapping[str, Polynomial]) -> None:
        self.ring, self.rounded = ring, rounded
        kinds = [g.kind in ("q", "qd") or (g.kind in ("sin", "cos") and g.angle is None) for g in ring.generators]
        self._moving = kinds

    def __call__(self, value: Any) -> Vector:
        if not isinstance(value, Polynomial):
            return {}
        value = value.composed(self.rounded, self.ring) if self.rounded else value
        parts: dict[tuple[int, ...], list[Any]] = {}
        for exponents, c in value.terms():
            state = tuple(e for e, moves in zip(exponents, self._moving, strict=True) if moves)
            rest = tuple(0 if moves else e for e, moves in zip(exponents, self._moving, strict=True))
            parts.setdefault(state, []).append((rest, c))
        return {state: self.ring.from_terms(terms) for state, terms in parts.items() if any(state)}


class _Elimination:
    """Gauss's, without fractions: each column reduced by those before it; what vanishes is a relation."""

    def __init__(self, ring: Ring, columns: Mapping[int, Vector]) -> None:
        self.ring = ring
        self.one = ring.convert(1)
        self.basis: list[tuple[tuple[int, ...], Vector, dict[int, Polynomial]]] = []
        self.relations: dict[int, dict[int, Polynomial]] = {}
        for place, column in columns.items():
            self._take(place, dict(column))

    def _take(self, place: int, vector: Vector) -> None:
        parts = {place: self.one}
        for pivot, other, shares in self.basis:
            c, p = vector.get(pivot), other[pivot]
            if not c:
                continue
            number = _number(p)
            if number is None:
                vector = {key: value * p for key, value in vector.items()}
                parts = {key: value * p for key, value in parts.items()}
            else:
                c = c / number
            _subtract(vector, other, c)
            _subtract(parts, shares, c)
        if not vector:
            self.relations[place] = parts
            return
        # a pivot that is a number keeps the shares free of fractions
        pivot = min(vector, key=lambda key: (_number(vector[key]) is None, len(vector[key]), key))
        self.basis.append((pivot, vector, parts))

    def result(self, model: Model, names: Sequence[str]) -> BaseParameters:
        """Every parameter that went shares itself out among those that stay: π_j h_j = −Σ (β_b / β_j) h_b π_j."""
        shares: dict[int, list[Share]] = {}
        never = []
        for place, relation in self.relations.items():
            others = {key: value for key, value in relation.items() if key != place and value}
            for key, value in others.items():
                shares.setdefault(key, []).append(self._share(place, -value, relation[place]))
            if not others:
                never.append(place)
        stay = sorted(_own(parts) for _, _, parts in self.basis)
        found = [BaseParameter(k, tuple(sorted(shares.get(k, ()), key=lambda s: s.parameter))) for k in stay]
        return BaseParameters(model, self.ring, found, names, sorted(never))

    def _share(self, place: int, top: Polynomial, bottom: Polynomial) -> Share:
        common = top.poly.gcd(bottom.poly)
        top, bottom = (self.ring.wrap(part.poly / common) for part in (top, bottom))
        # the leading coefficient goes to the numerator, so that nothing is left below where that can be
        leading = next(bottom.terms())[1]
        return Share(place, top / leading, bottom / leading)


def _own(parts: Mapping[int, Polynomial]) -> int:
    """The column that a basis vector was made from: the first that was put in."""
    return next(iter(parts))


def _number(value: Polynomial) -> Fraction | None:
    """The number that a polynomial is, if it is one and not zero."""
    terms = list(value.terms()) if len(value) == 1 else []
    return terms[0][1] if terms and not any(terms[0][0]) else None


def _subtract(vector: dict[Any, Polynomial], other: Mapping[Any, Polynomial], times: Polynomial) -> None:
    """vector −= times · other, in place; zeros vanish."""
    for key, value in other.items():
        left = vector[key] - times * value if key in vector else -(times * value)
        if left:
            vector[key] = left
        else:
            vector.pop(key, None)
