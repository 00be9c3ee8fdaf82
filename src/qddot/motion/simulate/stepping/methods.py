"""Each method of integration has one record of facts: a new one is a record in `METHODS`.

The defaults, errors, checks, solvers and the command line read these records.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from qddot.base.checked import real
from qddot.base.errors import SimulationError, near, shortened
from qddot.base.records import record
from qddot.base.words.message import Either, Listed, Message, say

if TYPE_CHECKING:
    from qddot.motion.simulate.stepping.schemes import Scheme

LARGEST, LEAST_ABSOLUTE = 0.1, 1e-15


@record()
class Tolerance:
    """A step's error may be about `relative` times the state's size, plus `absolute` [rad, m, rad/s …].

    Taylor series take the larger of the two instead of their sum.
    """

    relative: float
    absolute: float

    def finer(self, least: float) -> Tolerance:
        """Returns a hundredth of this tolerance, or the least relative one."""
        return Tolerance(max(self.relative / 100, least), self.absolute / 100)


@record()
class Method:
    """These are the facts of a method.

    order: of its error, None if that depends on the tolerance; about: what it is for
    scheme: returns the recurrence of a method with fixed steps, whose module is loaded then
    series: whether it expands the motion in Taylor series
    jacobian: whether it needs the Jacobian of the rates
    tolerance: the default, None where steps are fixed; least: the smallest relative one, a multiple of a double's
    rounding
    precise: the tolerance of a run by this method with which `run.trust()` compares a run of another kind
    others: the methods of another kind with which it compares runs of this one, in the order in which they are tried
    """

    name: str
    order: int | None
    about: str
    scheme: Callable[[], Scheme] | None = None
    series: bool = False
    jacobian: bool = False
    tolerance: Tolerance | None = None
    least: float = 0.0
    precise: Tolerance | None = None
    others: tuple[str, ...] = ("dop853", "taylor", "radau")

    def __str__(self) -> str:
        return self.name

    @property
    def adaptive(self) -> bool:
        """Returns whether it chooses its own steps and repeats those whose error is too large."""
        return self.tolerance is not None

    @property
    def in_momenta(self) -> bool:
        """Returns whether its state is (q, p = M q̇), which neither quaternions nor closed loops have so far."""
        return self.scheme is not None and self.scheme().in_momenta

    @property
    def calls(self) -> bool:
        """Returns whether its stages can call a law from Python, which has neither a series nor a Jacobian."""
        return not (self.series or self.jacobian)

    @property
    def finer(self) -> str:
        """The key of what a run by the same method is with which others are compared that no other one takes."""
        return "run-with-less-tolerance" if self.adaptive and not self.series else "run-with-half-the-step"

    def energy_tolerance(self, tolerance: Tolerance | None) -> float:
        """Returns how much of the exchanged energy may be missing from the balance of a run, as a fraction.

        With a tolerance these are half of its digits, since the errors of many steps add up. Fixed steps have none: a
        hundredth, or a tenth by a method of first order, whose energy oscillates.
        """
        if tolerance is not None:
            return float(min(LARGEST, tolerance.relative**0.5))
        return 0.1 if self.order == 1 else 0.01


def _of(name: str) -> Callable[[], Scheme]:
    return partial(_loaded, name)  # which can be sent to other processes


def _loaded(name: str) -> Scheme:
    from qddot.motion.simulate.stepping import schemes

    scheme: Scheme = getattr(schemes, name)
    return scheme


_USUAL = Tolerance(1e-10, 1e-12)
METHODS: dict[str, Method] = {
    each.name: each
    for each in (
        Method(
            "rk4",
            4,
            "every kind of torque, in steps that you choose; its energy drifts by about h⁴",
            _of("CLASSICAL"),
        ),
        Method("semi-implicit", 1, "the same with cheaper steps: symplectic Euler, p implicit", _of("SEMI_IMPLICIT")),
        Method(
            "midpoint",
            2,
            "long runs without friction: symplectic, in momenta p = M q̇; the error of the energy oscillates and does "
            "not grow; implicit, with at most 50 iterations in a step",
            _of("MIDPOINT"),
        ),
        Method(
            "dop853",
            8,
            "long arms to a tolerance: compiled, a step size for each arm; explicit, by Dormand & Prince",
            tolerance=_USUAL,
            least=2.3e-14,
            precise=Tolerance(1e-13, 1e-15),
            others=("taylor", "radau", "rk4"),
        ),
        Method(
            "radau",
            5,
            "stiff arms (hard springs, strong damping): compiled, a step size for each arm; implicit, with the exact "
            "Jacobian",
            jacobian=True,
            tolerance=_USUAL,
            least=2.3e-14,
            precise=Tolerance(1e-11, 1e-13),
            others=("taylor", "dop853"),
        ),
        Method(
            "taylor",
            None,
            "motion to the precision of doubles, and quick runs to any tolerance: compiled, a step size for each arm",
            series=True,
            tolerance=Tolerance(1e-14, 1e-14),
            least=1e-15,
            precise=Tolerance(1e-14, 1e-14),
            others=("dop853", "radau"),
        ),
    )
}
ENCLOSURE = Method("enclosure", 20, "a run with proven bounds of the true solution at every sample")
SMOOTH, ANY = METHODS["taylor"], METHODS["rk4"]  # the default of smooth motion, and of any other


def fixed() -> list[str]:
    """Returns the names of the methods with fixed steps."""
    return [name for name, each in METHODS.items() if each.scheme]


def fixed_scheme(name: str) -> Scheme:
    """Returns the scheme of a method with fixed steps."""
    scheme = METHODS[name].scheme
    assert scheme is not None
    return scheme()


def on_rates() -> Listed:
    """Returns the names of the methods on (q, q̇), which alone take quaternions and closed loops."""
    return Listed(name for name, each in METHODS.items() if not each.in_momenta)


def for_any_function() -> Message:
    """Returns how errors name the usual method of what is not smooth, and the adaptive ones that take it."""
    adaptive = (each for each in METHODS.values() if each.adaptive and each.calls)
    return say("a-method-of", names=Either(f'"{each}"' for each in (ANY, *adaptive)))


def method_of(value: Any) -> tuple[Method, Tolerance | None]:
    """Returns the method that a user gives, and its tolerance: a name, or (name, tolerance).

    raises SimulationError: no such method, or no such tolerance of it
    """
    name, *tolerance = value if isinstance(value, tuple | list) and len(value) == 2 else (value,)
    if not isinstance(name, str) or name not in METHODS:
        raise SimulationError(
            "no-such-method", value=shortened(value), methods=Listed(METHODS), smooth=SMOOTH, remedy=near(name, METHODS)
        )
    return METHODS[name], _tolerance(tolerance[0] if tolerance else None, METHODS[name])


def _tolerance(value: Any, method: Method) -> Tolerance | None:
    """Returns the tolerance that a user gives: a number, or (relative, absolute); None where steps are fixed.

    raises SimulationError: numbers that are not positive or too small for doubles, or a method with fixed steps
    """
    usual, least = method.tolerance, method.least
    if usual is None:
        if value is not None:
            raise SimulationError(
                "tolerance-of-fixed-steps",
                value=shortened(value),
                method=method,
                expected=Listed(name for name, each in METHODS.items() if each.adaptive),
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
            "tolerance-out-of-range",
            relative=f"{relative:g}",
            least=f"{least:g}",
            largest=f"{LARGEST:g}",
            method=method,
            remedy=say("doubles-resolve-no-less", least=f"{least:g}") if relative < least else "",
        )
    return Tolerance(relative, absolute)
