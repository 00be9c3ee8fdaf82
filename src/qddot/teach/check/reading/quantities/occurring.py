"""Says which kinds of variables occur in an answer's values, which decides between meanings of a letter."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from qddot.algebra.numbers.polynomials.exact import Polynomial, Ring
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.reading.exact.motion import is_of_motion

ALL = frozenset("rsag")


class Occurring:
    """This recognizes gravity and the potential energy of an arm by their symbols."""

    def __init__(self, eq: Quantities, ring: Ring) -> None:
        self.eq, self.ring = eq.in_joint_angles, ring

    def of(self, values: Iterable[Polynomial]) -> set[str] | None:
        """Returns which of rates "r", their products "s", accelerations or drives "a" and gravity "g" occur.
        It is None if all values are zero.
        """
        values = [value for value in values if value]
        if not values:
            return None
        kinds = {generator.kind for value in values for generator in value.generators()}
        occurs = {"r"} if "qd" in kinds else set()
        occurs |= {"s"} if any(_degree_in_rates(value) > 1 for value in values) else set()
        occurs |= {"a"} if "qdd" in kinds or any(is_of_motion(value, self.ring) for value in values) else set()
        return occurs | ({"g"} if _variables(values) & self._of_gravity else set())

    def has_potential(self, values: Iterable[Polynomial]) -> bool:
        """Returns whether a symbol occurs that only the potential energy has, or there is no such symbol."""
        own = _variables(self.eq.P.entries) - _variables(self.eq.K.entries)
        return not own or bool(own & _variables(values))

    @cached_property
    def _of_gravity(self) -> set[str]:
        """Returns the symbols that occur only in the gravity torques."""
        return _variables(self.eq.G.entries) - _variables((*self.eq.M.entries, *self.eq.h.entries))


def _variables(values: Iterable[Polynomial]) -> set[str]:
    return {key for value in values for key in value.variables()}


def _degree_in_rates(value: Polynomial) -> int:
    """Returns the largest degree of a term in the rates."""
    of_rates = [k for k, generator in enumerate(value.ring.generators) if generator.kind == "qd"]
    return max((sum(exponents[k] for k in of_rates) for exponents, _ in value.terms()), default=0)
