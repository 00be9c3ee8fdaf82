"""The variables of a ring of exact polynomials, and the relations that replace the squares of some of them."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq_mpoly

from qddot.expressions.angles import Angle
from qddot.expressions.turning import Combination
from qddot.records import record


@record(slots=True)
class Generator:
    """A generator is one variable of the ring, and says what it stands for.

    kind: "sin" or "cos" (of the constant `angle`, or of the angle `name`, a combination `of` coordinates),
    "root" of 2 or 3, "q", "qd" or "qdd" of the coordinate `name`, "sgn" of its rate, or "symbol"
    """

    kind: str
    name: str = ""
    angle: Angle | None = None
    of: Combination = ()

    @property
    def key(self) -> str:
        """Returns a name that is unique in a ring: the symbol's name, "sin(q1)", "qd(q1)", "sqrt(2)" …"""
        if self.kind == "symbol":
            return self.name
        if self.kind == "root":
            return f"sqrt({self.name})"
        return f"{self.kind}({self.angle if self.angle is not None else self.name})"

    @property
    def quadratic(self) -> bool:
        """Returns whether a relation replaces its square: true for sines and roots."""
        return self.kind in ("sin", "root")


def relations(generators: Sequence[Generator], variables: Sequence[fmpq_mpoly]) -> dict[int, fmpq_mpoly]:
    """Returns s² + c² − 1 or r² − 2 for each generator whose square is replaced, by its place; the square leads."""
    found, place = {}, {generator.key: k for k, generator in enumerate(generators)}
    for k, generator in enumerate(generators):
        if generator.kind == "sin":
            cosine = variables[place["cos" + generator.key[3:]]]
            found[k] = variables[k] ** 2 + cosine**2 - 1
        elif generator.kind == "root":
            found[k] = variables[k] ** 2 - int(generator.name)
    return found
