"""The printed equations as the provers take them: M, Γ for k ≤ j, G, springs, and the factors of friction."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.base.records import record
from qddot.exact.equations.quantities import Quantities

FRICTION = {"viscous": "qd", "dry": "sgn"}  # the variable that each factor multiplies


@record()
class Printed:
    """Printed equations have the rows of M up to the diagonal, of each Γ_i up to k = j, and vectors by name.

    vectors: G, springs, and viscous and dry friction without the rates and signs that they multiply
    """

    M: Sequence[Sequence[Polynomial]]
    christoffel: Sequence[Sequence[Sequence[Polynomial]]]
    vectors: Mapping[str, Sequence[Polynomial]]


def printed(eq: Quantities) -> Printed:
    """Returns the printed equations; they are in the joints' own angles if `eq` is."""
    n, M, christoffel = eq.n, eq.array("M").entries, eq.array("christoffel").entries
    friction = eq.array("friction").entries
    return Printed(
        [M[n * i : n * i + i + 1] for i in range(n)],
        [[christoffel[n * (n * i + j) : n * (n * i + j) + j + 1] for j in range(n)] for i in range(n)],
        {
            **{name: eq.array(name).entries for name in ("G", "springs")},
            **{
                name: [
                    factor_of(f"{rate}({coordinate})", entry)
                    for coordinate, entry in zip(eq.model.coordinates, friction, strict=True)
                ]
                for name, rate in FRICTION.items()
            },
        },
    )


def factor_of(key: str, entry: Polynomial) -> Polynomial:
    """Returns the factor of a variable in a polynomial that is linear in it."""
    return entry.ring.wrap(entry.poly.derivative(entry.ring.index[key])) if key in entry.ring.index else entry.ring.zero


def comment(text: str) -> str:
    """Returns a text without characters that would end a comment or begin a string in it."""
    return re.sub(r"[^\w .,:+=^()-]", "_", text)
