"""Computes intervals that surely hold a quantity for all values within the symbols' tolerances, by ball arithmetic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from flint import arb
from numpy.typing import NDArray

from qddot.equations.array import ExactArray
from qddot.equations.quantities import Quantities
from qddot.model.model import Model
from qddot.numbers.enclosures import ball, ends, generator_ball
from qddot.numbers.exact import Polynomial


def interval(
    eq: Quantities, name: str, state: Sequence[Mapping[str, float]], symbols: Mapping[str, float]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Returns (lower, upper) bounds of a quantity; a symbol with a value other than its default counts as exact."""
    array = eq.array(name)
    balls = _balls(eq.model, array, state, symbols)
    open_ones = [k for k, g in enumerate(eq.ring.generators) if g.kind == "symbol" and _tolerance(eq.model, g.name)]
    bounds = [ends(_ball(entry, balls, open_ones)) for entry in array.entries]
    low, high = zip(*bounds, strict=True)
    return np.array(low).reshape(array.shape), np.array(high).reshape(array.shape)


def _tolerance(model: Model, name: str) -> float:
    symbol = model.symbols.get(name)
    return 0.0 if symbol is None or symbol.tolerance is None else symbol.tolerance.value({})


def _balls(
    model: Model, array: ExactArray, state: Sequence[Mapping[str, float]], symbols: Mapping[str, float]
) -> dict[str, arb]:
    """Returns the ball of every variable that occurs, by its key."""
    q, qd, qdd = state
    defaults = model.defaults()
    known: dict[str, arb] = {name: ball(x) for name, x in q.items()}
    known.update({f"qd({name})": ball(x) for name, x in qd.items()})
    known.update({f"qdd({name})": ball(x) for name, x in qdd.items()})
    for name, x in symbols.items():
        known[name] = ball(x, _tolerance(model, name) if x == defaults.get(name) else 0.0)
    used = {key for entry in array.entries for key in entry.variables()}
    found = {}
    for generator in array.ring.generators:
        if generator.key in used:
            found[generator.key] = generator_ball(generator, known.__getitem__)
            if generator.kind == "sgn":
                found[generator.key] = ball(float(np.sign(qd[generator.name])))
    return found


def _ball(entry: Polynomial, balls: Mapping[str, arb], open_ones: Sequence[int]) -> arb:
    """Returns the ball of an entry; terms with the same product of inexact symbols are added first.

    Where an entry is linear in these symbols, the bounds are then the tightest ones.
    """
    generators = entry.ring.generators
    sums: dict[tuple[int, ...], arb] = {}
    for exponents, c in entry.terms():
        known = arb(c.numerator) / c.denominator
        for k, e in enumerate(exponents):
            if e and k not in open_ones:
                known *= balls[generators[k].key] ** e
        key = tuple(exponents[k] for k in open_ones)
        sums[key] = sums.get(key, arb(0)) + known
    total = arb(0)
    for key, factor in sums.items():
        for k, e in zip(open_ones, key, strict=True):
            if e:
                factor *= balls[generators[k].key] ** e
        total += factor
    return total
