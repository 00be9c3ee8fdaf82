"""Writes numbers of a description as Coq's expressions, and long sums by shared factors."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.proof.certify.described import numbered

TURNED = ("sin", "cos")
KINDS = {"sin": "Sin", "cos": "Cos", "root": "Root", "symbol": "Par", "q": "Coord"}


class Atoms:
    """These are the names of a ring's generators in Coq."""

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        self.names = [f"{KINDS.get(kind, kind)} {number}" for kind, number in numbered(ring)]

    def expression(self, value: Any) -> str:
        """Returns a number of a description as an expression in Coq."""
        if not isinstance(value, Polynomial):
            return _rational(Fraction(value))
        terms = [
            " * ".join(
                [
                    *([_rational(c)] if c != 1 or not powers else []),
                    *(f"Atom ({self.names[k]})" for k, e in powers.items() for _ in range(e)),
                ]
            )
            for powers, c in value.powers()
        ]
        return " + ".join(terms) or "Num 0 1"


def _rational(value: Fraction) -> str:
    number = f"Num {value.numerator}" if value >= 0 else f"Num ({value.numerator})"
    return f"{number} {value.denominator}"


class Factors:
    """These are the factors of printed terms; each is defined once, and occurs in many terms by a short name.

    A term is a product of a number with symbols, and of sines, cosines and coordinates.
    """

    def __init__(self, atoms: Atoms, mark: str = "") -> None:
        """mark: ends all names, where a file has several sets of factors"""
        self._atoms, self._mark = atoms, mark
        self._moving = [g.kind == "q" or (g.kind in TURNED and g.angle is None) for g in atoms.ring.generators]
        self._numbers: dict[Any, str] = {}
        self._products: dict[Any, str] = {}
        self._denominators: dict[int, str] = {}

    def entry(self, polynomial: Polynomial, denominator: int) -> str:
        """Returns the sum of a polynomial's terms over a denominator that makes their coefficients whole."""
        if not polynomial:
            return "nil"
        parts = [self._term(powers, int(c * denominator)) for powers, c in polynomial.powers()]
        over = self._denominators.setdefault(denominator, f"d{len(self._denominators) + 1}{self._mark}")
        return f"Over {over} ({' ('.join(parts)} Empty{')' * len(parts)}"

    def _term(self, powers: dict[int, int], number: int) -> str:
        moving = tuple((k, e) for k, e in powers.items() if self._moving[k])
        still = (number, *((k, e) for k, e in powers.items() if not self._moving[k]))
        k = self._numbers.setdefault(still, f"k{len(self._numbers) + 1}{self._mark}")
        t = self._products.setdefault(moving, f"t{len(self._products) + 1}{self._mark}")
        return f"T {k} {t}"

    def definitions(self) -> list[str]:
        """Returns the lines that define the factors of all entries that were written."""
        return [
            *(f"Definition {name} : positive := {value}." for value, name in self._denominators.items()),
            *(
                f"Definition {name} : Z * list atom := (({number})%Z, {self._atom_list(powers)})."
                for (number, *powers), name in self._numbers.items()
            ),
            *(
                f"Definition {name} : list atom := {self._atom_list(powers)}."
                for powers, name in self._products.items()
            ),
        ]

    def _atom_list(self, powers: Any) -> str:
        return "[" + "; ".join(self._atoms.names[k] for k, e in powers for _ in range(e)) + "]"
