"""Bounds the errors of rounded shares by ball arithmetic.

The relations between columns are known at the true angles. So the true shares solve a linear system of the energies in
as many states as there are columns that stay, and balls enclose its solution.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from flint import arb, arb_mat

from qddot.algebra.numbers.arbitrary import arbitrary
from qddot.algebra.numbers.balls import Balls, ball, ends, precise
from qddot.exact.forms.base.parameters import BaseParameter
from qddot.exact.forms.base.relations import Relations, energies
from qddot.exact.forms.base.verify_base import wrong
from qddot.physics.mechanism import Mechanism
from qddot.robot.model import Model

BITS = (1024, 2048, 4096, 8192)  # tried in turn until the balls are small enough
LARGEST_ERROR = 2.0**-100  # the largest relative error of a share


def largest_error(model: Model, parameters: Sequence[BaseParameter], dependences: Relations, armature: bool) -> float:
    """Returns a bound of every share's relative error, at the symbols' defaults or at random values.

    raises ExactnessError: no bound is below LARGEST_ERROR
    """
    generic = {name: _number(name) for name in model.used_symbols}
    defaults = {name: Fraction(value) for name, value in model.defaults().items() if name in generic}
    bound = float("inf")
    for symbols in ({**generic, **defaults}, generic):  # defaults may have special values that make columns dependent
        for bits in BITS:
            with precise(bits):
                bound = _error(model, parameters, dependences, armature, symbols)
            if bound <= LARGEST_ERROR:
                return bound
    raise wrong(model)


def _error(
    model: Model,
    parameters: Sequence[BaseParameter],
    dependences: Relations,
    armature: bool,
    symbols: Mapping[str, Fraction],
) -> float:
    """Returns the bound at some values of the symbols, or infinity if the precision is too low."""
    combined = sorted(column for column, support in dependences.support.items() if support)
    shares = [(each.parameter, share) for each in parameters for share in each.shares]
    if not shares:
        return 0.0
    balls = [_state(model, symbols, k) for k in range(len(dependences.stay) + 1)]
    mechanism = Mechanism.of(model, balls[0])
    zero, stay, others = energies(mechanism, armature), [], []
    for state in balls[1:]:
        here = energies(mechanism.in_state(model, state), armature)
        stay.append([ball(here[k]) - ball(zero[k]) for k in dependences.stay])
        others.append([ball(here[k]) - ball(zero[k]) for k in combined])
    try:
        solution = arb_mat(stay).solve(arb_mat(others))
    except ZeroDivisionError:
        return float("inf")

    worst = arb(0)
    for stays, share in shares:
        true = solution[dependences.stay.index(stays), combined.index(share.parameter)]
        top, bottom = (part.evaluate(balls[0]) for part in (share.numerator, share.denominator))
        ratio = top / bottom
        worst = worst.max(abs((ratio - true) / true))
    return ends(worst)[1] if worst.is_finite() else float("inf")


def _state(model: Model, symbols: Mapping[str, Fraction], k: int) -> Balls:
    kinds = ("q", "qd", "qdd")
    return Balls(symbols, *({name: _number(f"{kind} {name} {k}") for name in model.coordinates} for kind in kinds))


def _number(key: str) -> Fraction:
    """Returns a number of magnitude 1/2 to 5/2, so that products neither grow nor vanish."""
    size = Fraction(32 + arbitrary(key) % 128, 64)
    return size if arbitrary(f"sign {key}") % 2 else -size
