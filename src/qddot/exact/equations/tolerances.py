"""Computes intervals that enclose a quantity for all values within the symbols' tolerances, by ball arithmetic."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set

import numpy as np
from flint import arb
from numpy.typing import NDArray

from qddot.algebra.numbers.balls import Balls, ball, ends
from qddot.algebra.numbers.polynomials.evaluation import Evaluation
from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.exact.equations.quantities import Quantities
from qddot.physics.of_model import with_loads
from qddot.robot.model import Model


def interval(
    eq: Quantities, name: str, state: Sequence[Mapping[str, float]], symbols: Mapping[str, float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns (lower, upper) bounds of a quantity; a symbol whose value is not its default is exact."""
    array, model = eq.array(name), eq.model
    exact = [{name: ball(x) for name, x in part.items()} for part in state]
    balls = with_loads(model, Balls(widened(model, symbols), *exact))
    numbers = Evaluation(array.ring.generators, balls)
    open_ones = {k for k, g in enumerate(array.ring.generators) if g.key in model.symbols and _tolerance(model, g.key)}
    bounds = [ends(_ball(entry, numbers, open_ones)) for entry in array.entries]
    low, high = zip(*bounds, strict=True)
    return np.array(low).reshape(array.shape), np.array(high).reshape(array.shape)


def widened(model: Model, symbols: Mapping[str, float]) -> dict[str, arb]:
    """Returns the ball of every symbol; a symbol whose value is not its default has no tolerance."""
    defaults = model.defaults()
    return {name: arb(x, _tolerance(model, name) if x == defaults.get(name) else 0.0) for name, x in symbols.items()}


def _tolerance(model: Model, name: str) -> float:
    tolerance = model.symbols[name].tolerance
    return 0.0 if tolerance is None else tolerance.value({})


def _ball(entry: Polynomial, numbers: Evaluation, open_ones: Set[int]) -> arb:
    """Returns the ball of an entry; terms with the same product of inexact symbols are added first.

    If an entry is linear in these symbols, the bounds are then the tightest possible.
    """
    sums: dict[tuple[tuple[int, int], ...], arb] = {}
    for powers, c in entry.powers():
        product = ball(c)
        for k, e in powers.items():
            if k not in open_ones:
                product *= numbers.power(k, e)
        inexact = tuple((k, e) for k, e in powers.items() if k in open_ones)
        sums[inexact] = sums.get(inexact, arb(0)) + product
    return sum((math.prod((numbers.power(k, e) for k, e in key), start=c) for key, c in sums.items()), start=arb(0))
