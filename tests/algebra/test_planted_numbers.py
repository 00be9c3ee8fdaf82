"""A kind of number that only this test has obeys the contract, so that equations are derived and proved in it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

import qddot
from qddot.algebra.expressions.angles import ONCE, QUARTER, Angle
from qddot.algebra.numbers.state_numbers import Differentiable
from qddot.exact.equations.proofs.subject import InNumbers
from qddot.exact.equations.proofs.verdicts import certified
from qddot.exact.equations.routes import ROUTES
from qddot.robot.model import Model

Monomial = tuple[tuple[str, int], ...]  # variables and their exponents, sorted by name


class Schoolbook:
    """This is a polynomial as one multiplies it by hand: a coefficient for each monomial; sin² is 1 − cos²."""

    def __init__(self, terms: dict[Monomial, Fraction]) -> None:
        self.terms = {monomial: c for monomial, c in terms.items() if c}

    @classmethod
    def of(cls, value: Any) -> Schoolbook:
        return value if isinstance(value, Schoolbook) else cls({(): Fraction(value)})

    @classmethod
    def variable(cls, name: str) -> Schoolbook:
        return cls({((name, 1),): Fraction(1)})

    def __add__(self, other: Any) -> Schoolbook:
        total = dict(self.terms)
        for monomial, c in Schoolbook.of(other).terms.items():
            total[monomial] = total.get(monomial, Fraction(0)) + c
        return Schoolbook(total)

    __radd__ = __add__

    def __neg__(self) -> Schoolbook:
        return Schoolbook({monomial: -c for monomial, c in self.terms.items()})

    def __sub__(self, other: Any) -> Schoolbook:
        return self + -Schoolbook.of(other)

    def __rsub__(self, other: Any) -> Schoolbook:
        return Schoolbook.of(other) + -self

    def __mul__(self, other: Any) -> Schoolbook:
        total = Schoolbook({})
        for left, a in self.terms.items():
            for right, b in Schoolbook.of(other).terms.items():
                exponents = dict(left)
                for name, exponent in right:
                    exponents[name] = exponents.get(name, 0) + exponent
                total = total + _reduced(exponents, a * b)
        return total

    __rmul__ = __mul__

    def __truediv__(self, other: int) -> Schoolbook:
        return self * Fraction(1, other)

    def __bool__(self) -> bool:
        return bool(self.terms)

    def derivative(self, slopes: dict[str, Any]) -> Schoolbook:
        """Returns the sum of the derivatives with respect to variables times their slopes."""
        total = Schoolbook({})
        for monomial, c in self.terms.items():
            for name, exponent in monomial:
                if name in slopes:
                    rest = {**dict(monomial), name: exponent - 1}
                    total = total + _reduced(rest, c * exponent) * slopes[name]
        return total


def _reduced(exponents: dict[str, int], c: Fraction) -> Schoolbook:
    """Returns a monomial with the square of each sine replaced."""
    for name, exponent in exponents.items():
        if name.startswith("sin ") and exponent > 1:
            rest = _reduced({**exponents, name: exponent - 2}, c)
            cosine = Schoolbook.variable(f"cos {name.removeprefix('sin ')}")
            return rest - rest * cosine * cosine
    return Schoolbook({tuple(sorted(power for power in exponents.items() if power[1])): c})


class SchoolbookNumbers:
    """This kind of number is schoolbook polynomials; constant angles are quarter turns."""

    def __init__(self, coordinates: Sequence[str]) -> None:
        self.coordinates = coordinates

    def rational(self, value: Fraction) -> Schoolbook:
        return Schoolbook.of(value)

    def symbol(self, name: str) -> Schoolbook:
        return Schoolbook.variable(name)

    def root(self, of: int) -> Schoolbook:
        raise NotImplementedError(of)

    def circular(self, angle: Angle) -> tuple[int, int]:
        assert not angle.radians
        assert not angle.symbols
        return ((1, 0), (0, 1), (-1, 0), (0, -1))[int(angle.pi / QUARTER) % 4]

    def coordinate(self, name: str) -> Schoolbook:
        return Schoolbook.variable(f"q {name}")

    def cos_sin(self, name: str, times: Fraction = ONCE) -> tuple[Schoolbook, Schoolbook]:
        assert times == 1
        return Schoolbook.variable(f"cos {name}"), Schoolbook.variable(f"sin {name}")

    def rate(self, name: str) -> Schoolbook:
        return Schoolbook.variable(f"qd {name}")

    def acceleration(self, name: str) -> Schoolbook:
        return Schoolbook.variable(f"qdd {name}")

    def sign(self, name: str) -> Schoolbook:
        return Schoolbook.variable(f"sgn {name}")

    def convert(self, value: Any) -> Schoolbook:
        return Schoolbook.of(value)

    def differentiate(self, value: Any, name: str) -> Schoolbook:
        c, s = self.cos_sin(name)
        return Schoolbook.of(value).derivative({f"q {name}": 1, f"cos {name}": -s, f"sin {name}": c})

    def by_rate(self, value: Any, name: str) -> Schoolbook:
        return Schoolbook.of(value).derivative({f"qd {name}": 1})

    def time_derivative(self, value: Any) -> Schoolbook:
        total = Schoolbook.of(value).derivative({f"qd {name}": self.acceleration(name) for name in self.coordinates})
        return sum((self.differentiate(value, name) * self.rate(name) for name in self.coordinates), start=total)


def numbers_of(model: Model) -> Differentiable:
    return SchoolbookNumbers(model.coordinates)


@pytest.mark.parametrize("name", ["two_link", "rp", "spatial_2r", "furuta_pendulum", "cart_pole"])
def test_equations_are_proved_in_it(name: str) -> None:
    model = qddot.load(name).model
    certificate = certified([InNumbers(model, numbers_of(model))], None, None)
    assert certificate, certificate
    assert certificate.routes == tuple(ROUTES)
    usual = qddot.load(name).prove()
    assert [each.name for each in certificate.identities] == [each.name for each in usual.identities]


def test_a_wrong_derivative_is_seen() -> None:
    """A kind that breaks the chain rule proves nothing."""

    class Wrong(SchoolbookNumbers):
        def differentiate(self, value: Any, name: str) -> Schoolbook:
            return -super().differentiate(value, name)

    model = qddot.load("two_link").model
    certificate = certified([InNumbers(model, Wrong(model.coordinates))], [], None)
    assert not certificate
    assert {each.name for each in certificate.identities if each.verdict == "false"} >= {"G = ∂P/∂q"}


@pytest.mark.parametrize("name", ["two_link", "spatial_2r"])
def test_polynomials_have_their_values_in_it(name: str) -> None:
    eq = qddot.load(name).equations().in_joint_angles
    numbers = numbers_of(eq.model)
    subject = InNumbers(eq.model, numbers)
    for ours, theirs in zip(eq.tau.entries, subject["tau"], strict=True):
        assert not ours.evaluate(numbers) - theirs
