"""Each method of integration has one record of facts; adaptive ones have a tolerance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from qddot.base.checked import real
from qddot.base.errors import SimulationError, near, shortened

LARGEST, LEAST_ABSOLUTE = 0.1, 1e-15


@dataclass(frozen=True)
class Tolerance:
    """A step's error may be about `relative` times the state's size, plus `absolute` [rad, m, rad/s …].

    Taylor series take the larger of the two instead of their sum.
    """

    relative: float
    absolute: float

    def finer(self, least: float) -> Tolerance:
        """Returns a hundredth of this tolerance, or the least relative one."""
        return Tolerance(max(self.relative / 100, least), self.absolute / 100)


@dataclass(frozen=True)
class Method:
    """These are the facts of a method.

    order: of its error, None if that depends on the tolerance; about: one line of description
    tolerance: the default, None where steps are fixed; least: the smallest relative one, a multiple of a double's
    rounding
    precise: the tolerance of a run by this method with which `run.trust()` compares a run of another kind
    others: the methods of another kind with which it compares runs of this one, in the order in which they are tried
    finer: the accuracy of a run by the same method with which it compares where no other method takes the run
    """

    name: str
    order: int | None
    about: str
    tolerance: Tolerance | None = None
    least: float = 0.0
    precise: Tolerance | None = None
    others: tuple[str, ...] = ("dop853", "taylor", "radau")
    finer: str = "half the step"

    @property
    def adaptive(self) -> bool:
        """Returns whether it chooses its own steps and repeats those whose error is too large."""
        return self.tolerance is not None


_HUNDREDTH, _USUAL = "a hundredth of the tolerance", Tolerance(1e-10, 1e-12)
METHODS: Mapping[str, Method] = {
    each.name: each
    for each in (
        Method("rk4", 4, "the classical Runge–Kutta method on (q, q̇)"),
        Method("semi-implicit", 1, "symplectic Euler on (q, p)"),
        Method("midpoint", 2, "the implicit midpoint rule on (q, p), symplectic"),
        Method(
            "dop853",
            8,
            "the adaptive method of Dormand and Prince",
            _USUAL,
            2.3e-14,
            precise=Tolerance(1e-13, 1e-15),
            others=("taylor", "radau", "rk4"),
            finer=_HUNDREDTH,
        ),
        Method(
            "radau",
            5,
            "the adaptive method Radau IIA, for stiff arms",
            _USUAL,
            2.3e-14,
            precise=Tolerance(1e-11, 1e-13),
            others=("taylor", "dop853"),
            finer=_HUNDREDTH,
        ),
        Method(
            "taylor",
            None,
            "adaptive Taylor series of high order",
            Tolerance(1e-14, 1e-14),
            1e-15,
            precise=Tolerance(1e-14, 1e-14),
            others=("dop853", "radau"),
        ),
    )
}


def energy_tolerance(method: str, tolerance: Tolerance | None) -> float:
    """Returns how much of the exchanged energy may be missing from the balance of a run, as a fraction.

    With a tolerance these are half of its digits, since the errors of many steps add up. Fixed steps have none: a
    hundredth, or a tenth by a method of first order, whose energy oscillates.
    """
    if tolerance is not None:
        return float(min(LARGEST, tolerance.relative**0.5))
    return 0.1 if method in METHODS and METHODS[method].order == 1 else 0.01


def method_of(value: Any) -> tuple[str, Tolerance | None]:
    """Returns the method that a user gives, and its tolerance: a name, or (name, tolerance).

    raises SimulationError: no such method, or no such tolerance of it
    """
    name, *tolerance = value if isinstance(value, tuple | list) and len(value) == 2 else (value,)
    if not isinstance(name, str) or name not in METHODS:
        expected = f'{", ".join(METHODS)}, or a method with a tolerance, such as ("taylor", 1e-10)'
        raise SimulationError(f"method {shortened(value)}", expected=expected, remedy=near(name, METHODS))
    return name, _tolerance(tolerance[0] if tolerance else None, name)


def _tolerance(value: Any, method: str) -> Tolerance | None:
    """Returns the tolerance that a user gives: a number, or (relative, absolute); None where steps are fixed.

    raises SimulationError: numbers that are not positive or too small for doubles, or a method with fixed steps
    """
    facts = METHODS[method]
    usual, least = facts.tolerance, facts.least
    if usual is None:
        if value is not None:
            raise SimulationError(
                f"tolerance = {shortened(value)} with {method}, whose steps are fixed",
                expected=", ".join(name for name, each in METHODS.items() if each.adaptive),
            )
        return None
    if value is None:
        return usual
    if isinstance(value, tuple | list) and len(value) == 2:
        relative, absolute = (real(each, "tolerance", 0, above=True, error=SimulationError) for each in value)
    else:
        relative = real(value, "tolerance", 0, above=True, error=SimulationError)
        absolute = relative * usual.absolute / usual.relative
    if not least <= relative <= LARGEST:
        raise SimulationError(
            f"a relative tolerance of {relative:g}",
            expected=f"{least:g} … {LARGEST:g} with {method}",
            remedy=f"double precision does not resolve smaller errors: use at least {least:g}"
            if relative < least
            else "",
        )
    return Tolerance(relative, absolute)
