"""Numbers modulo a prime that carry their derivatives: identities with derivatives are checked in random states.

A jet holds the value x of an expression in one state, its rate ẋ along the motion, its gradient with respect to
(q, q̇), and if wanted the rate of that gradient. The laws of mechanics and Lagrange's equations need no other
derivatives. Gradients with respect to quasi-velocities are derivatives along their vector fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from flint import fmpz_mod, fmpz_mod_mat

from qddot.algebra.expressions.angles import ONCE
from qddot.algebra.freedoms import Freedoms
from qddot.algebra.numbers.modular import Modular
from qddot.robot.model import Model


class Jet:
    """A jet is a residue x with ẋ, ∂x/∂(q, q̇) as a row of 2n residues, and the row's rate; a constant's rows are None.

    With `second` in Jets, every gradient has a rate, even if it is zero.
    """

    __slots__ = ("gradient", "gradient_rate", "rate", "x")

    def __init__(self, x: Any, rate: Any = 0, gradient: Any = None, gradient_rate: Any = None) -> None:
        self.x, self.rate = x, rate
        self.gradient, self.gradient_rate = gradient, gradient_rate

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, Jet):
            if isinstance(other, Fraction):
                return self + Jet((self.x * 0 + other.numerator) / other.denominator)
            return Jet(self.x + other, self.rate, self.gradient, self.gradient_rate)
        gradient, its_rate = _sum(self.gradient, other.gradient), _sum(self.gradient_rate, other.gradient_rate)
        return Jet(self.x + other.x, self.rate + other.rate, gradient, its_rate)

    __radd__ = __add__

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return self + -other

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, Jet):
            if isinstance(other, Fraction):  # such as 1/2
                other = (self.x * 0 + other.numerator) / other.denominator
            rows = _times(self.gradient, other), _times(self.gradient_rate, other)
            return Jet(self.x * other, self.rate * other, *rows)
        a, b = self, other
        gradient = _sum(_times(a.gradient, b.x), _times(b.gradient, a.x))
        its_rate = _sum(_times(a.gradient_rate, b.x), _times(b.gradient_rate, a.x))
        if its_rate is not None:
            its_rate = _sum(its_rate, _sum(_times(a.gradient, b.rate), _times(b.gradient, a.rate)))
        return Jet(a.x * b.x, a.rate * b.x + a.x * b.rate, gradient, its_rate)

    __rmul__ = __mul__

    def __truediv__(self, number: int) -> Any:
        return self * (self.x * 0 + 1) * (1 / (self.x * 0 + number))

    def __bool__(self) -> bool:
        return bool(self.x != 0)

    def slope(self, k: int) -> Jet | int:
        """Returns the derivative with respect to entry k of (q, q̇), with its rate along the motion."""
        if self.gradient is None:
            return 0
        rate = 0 if self.gradient_rate is None else self.gradient_rate[0, k]
        return Jet(self.gradient[0, k], rate)


def _sum(a: Any, b: Any) -> Any:
    return b if a is None else a if b is None else a + b


def _times(row: Any, number: Any) -> Any:
    return None if row is None else row * number


class Jets:
    """This kind of number is for `Mechanism.of`: a model's geometry modulo a prime, in one random state of motion.

    second: whether gradients have rates; plain: the same numbers without derivatives
    """

    def __init__(self, model: Model, seed: int, second: bool = False) -> None:
        self.plain = plain = Modular.of(model, seed)
        self.prime = plain.prime
        # constants and accelerations are plain residues
        self.rational, self.root, self.circular = plain.rational, plain.root, plain.circular
        self.sign, self.acceleration = plain.sign, plain.acceleration
        self._second = second
        self.coordinates, self._time = model.coordinates, model.time
        self._zero_row = [0] * (2 * len(model.coordinates))
        self._quasi: dict[str, Jet] = {}
        for freedoms in model.freedoms:
            self._quasi |= self._positions(freedoms)

    def _positions(self, freedoms: Freedoms) -> dict[str, Jet]:
        """Returns the positions of a joint with quasi-velocities; their gradients are entries of the vector fields."""
        at = {name: self.plain.coordinate(name) for name in freedoms.positions}
        rates = {velocity: self.plain.rate(velocity) for velocity in freedoms.velocities}
        fields = freedoms.fields(at)
        position_rates = {name: sum(fields[v].get(name, 0) * rate for v, rate in rates.items()) for name in at}
        moved = freedoms.fields({name: Jet(x, position_rates[name]) for name, x in at.items()})

        def jet(name: str) -> Jet:
            slopes = {self._place(velocity): self.convert(field.get(name, 0)) for velocity, field in moved.items()}
            gradient = self._of_entries({place: slope.x for place, slope in slopes.items()})
            gradient_rate = (
                self._of_entries({place: slope.rate for place, slope in slopes.items()}) if self._second else None
            )
            return Jet(at[name], position_rates[name], gradient, gradient_rate)

        return {name: jet(name) for name in at}

    def symbol(self, name: str) -> Any:
        """Returns a symbol as a plain residue, or the time, whose rate is 1."""
        residue = self.plain.symbol(name)
        return Jet(residue, 1) if name == self._time else residue

    def coordinate(self, name: str) -> Jet:
        if name in self._quasi:
            return self._quasi[name]
        place = self._place(name)
        return Jet(self.plain.coordinate(name), self.plain.rate(name), self._row(place, 1), self._rate_row(place, 0))

    def rate(self, name: str) -> Jet:
        place = len(self.coordinates) + self._place(name)
        return Jet(self.plain.rate(name), self.plain.acceleration(name), self._row(place, 1), self._rate_row(place, 0))

    def cos_sin(self, name: str, times: Fraction = ONCE) -> tuple[Jet, Jet]:
        c, s = self.plain.cos_sin(name, times)
        share = self.plain.rational(times)
        turned, place = share * self.plain.rate(name), self._place(name)

        def jet(x: Any, slope: Any, bend: Any) -> Jet:
            moved = self._rate_row(place, bend * turned * share)
            return Jet(x, slope * turned, self._row(place, slope * share), moved)

        return jet(c, -s, -c), jet(s, c, -s)

    def _place(self, name: str) -> int:
        return self.coordinates.index(name)

    def _row(self, place: int, entry: Any) -> Any:
        return self._of_entries({place: entry})

    def _of_entries(self, entries: Mapping[int, Any]) -> Any:
        row = list(self._zero_row)
        for place, entry in entries.items():
            row[place] = int(entry)
        return fmpz_mod_mat(1, len(row), row, self.plain.modulo)

    def _rate_row(self, place: int, entry: Any) -> Any:
        return self._row(place, entry) if self._second else None

    # the methods of a ring that equations use

    def convert(self, value: Any) -> Jet:
        """Returns a number as a jet."""
        if isinstance(value, Jet):
            return value
        return Jet(value if isinstance(value, fmpz_mod) else self.plain.rational(Fraction(value)))

    def differentiate(self, value: Any, name: str) -> Any:
        """Returns the derivative with respect to a coordinate."""
        return value.slope(self._place(name)) if isinstance(value, Jet) else 0

    def by_rate(self, value: Any, name: str) -> Any:
        """Returns the derivative with respect to a coordinate's rate."""
        return value.slope(len(self.coordinates) + self._place(name)) if isinstance(value, Jet) else 0

    def time_derivative(self, value: Any) -> Any:
        """Returns d/dt along the motion."""
        return Jet(value.rate) if isinstance(value, Jet) else 0
