"""A Region is a box of positions, with limits of rates and accelerations, over which bounds are proved."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from math import isfinite
from typing import Any

import numpy as np

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.names import rate_name
from qddot.algebra.expressions.parser import expression
from qddot.algebra.numbers.balls import Balls, ball, ends, precise
from qddot.base.errors import EvaluationError, QddotError, did_you_mean, shortened
from qddot.base.records import record
from qddot.base.words.message import Listed, say
from qddot.proof.bounds.forms import Array
from qddot.robot.model import Model
from qddot.robot.usual_region import usual_range, usual_rate

# the names of limits of rates, accelerations and torques: of all joints, and of one
LIMITS: Mapping[str, Callable[[str], str]] = {
    "qd": rate_name,
    "qdd": lambda name: rate_name(name, 2),
    "tau": lambda name: f"tau_{name}",
}


@record(eq=False)
class Region:
    """Each coordinate is between `low` and `high` [rad or m]; rates, accelerations and torques limit absolute values
    or are None.

    All are arrays (n,), those of limits along the rates of the equations. The ends are rounded outward.
    """

    names: tuple[str, ...]
    low: Array
    high: Array
    rates: Array | None
    accelerations: Array | None
    torques: Array | None

    def lines(self) -> list[Listed | str]:
        """Returns the region as text."""
        box = Listed(
            say("coordinate-within", name=name, low=f"{low:.6g}", high=f"{high:.6g}")
            for name, low, high in zip(self.names, self.low, self.high, strict=True)
        )
        limits = [("|q̇|", self.rates), ("|q̈|", self.accelerations), ("|τ|", self.torques)]
        return [box, *(f"{what} ≤ {', '.join(f'{x:.6g}' for x in each)}" for what, each in limits if each is not None)]


def region_of(
    model: Model,
    limits: Mapping[str, Any] | None,
    coordinates: Sequence[str] | None = None,
    rates: Sequence[str] | None = None,
) -> Region:
    """Returns the region of a model with these limits; by default that of `usual_region`.

    limits: {"q2": ("-90deg", "90deg"), "qd2": 2, "qdd2": 5, "tau_q2": 9}; "qd", "qdd" and "tau" are for all joints.
    A number for a rate, an acceleration or a torque limits its size, as in |q̇| ≤ 2. Rates have their usual limits only
    beside limits of accelerations or of other rates.
    coordinates, rates: those of the region, by default all
    raises EvaluationError: an unknown name, limits in a wrong order, or a sliding joint without limits
    """
    if limits is not None and not isinstance(limits, Mapping):
        raise EvaluationError("region-not-mapping", limits=shortened(limits))
    entries = dict(limits or {})
    coordinates, rates = coordinates or model.coordinates, rates or model.coordinates
    names = {common: list(map(of_joint, rates)) for common, of_joint in LIMITS.items()}
    allowed = (*coordinates, *chain(*names.values()), *names)
    for name in entries:
        if name not in allowed:
            raise EvaluationError(
                "region-of-unknown-name", name=shortened(name), remedy=did_you_mean(str(name), allowed)
            )
    box = [_range(model, name, entries.get(name)) for name in coordinates]
    if "qd" not in entries and {"qdd", *names["qd"], *names["qdd"]} & set(entries):
        own = {key: usual_rate(model, name) for name, key in zip(rates, names["qd"], strict=True)}
        entries = {**own, **entries}
    return Region(
        tuple(coordinates),
        np.array([low for low, _ in box]),
        np.array([high for _, high in box]),
        *(_sizes(entries, own, common) for common, own in names.items()),
    )


def _range(model: Model, name: str, limits: Any) -> tuple[float, float]:
    where = f"region of {name}"
    if limits is not None:
        limits = limits.tolist() if hasattr(limits, "tolist") else limits
        if not isinstance(limits, list | tuple) or len(limits) != 2:
            raise EvaluationError("not-two-limits", where=where, limits=shortened(limits))
        return _outward(model, limits, where)
    return _outward(model, usual_range(model, name), where)


def _outward(model: Model, limits: Any, where: str) -> tuple[float, float]:
    given = ((name, symbol.value) for name, symbol in model.symbols.items())
    with precise():
        try:
            symbols = {name: value.evaluate(Balls()) for name, value in given if value is not None}
            low, high = (ball(_checked(limit).evaluate(Balls(symbols))) for limit in limits)
        except KeyError as error:
            raise EvaluationError("symbol-in-limit-without-value", where=where, name=repr(error.args[0])) from None
        except QddotError as error:
            raise error.to(EvaluationError, where=where, expected=say("numbers-or-degrees"), remedy="") from None
        box = ends(low)[0], ends(high)[1]
        if low > high:
            raise EvaluationError("limits-in-wrong-order", where=where, low=f"{box[0]:g}", high=f"{box[1]:g}")
    return box


def _checked(limit: Any) -> Expression:
    if isinstance(limit, float) and not isfinite(limit):
        raise EvaluationError("limit-not-finite", limit=limit)
    return expression(limit)


def _sizes(given: Mapping[str, Any], own: Sequence[str], common: str) -> Array | None:
    """Returns the limits of the rates, accelerations or torques of all joints, or None if there are none.

    raises EvaluationError: a joint has none, but others do
    """
    sizes = {name: _size(name, given[key]) for name in own for key in (common, name) if key in given}
    if not sizes:
        return None
    missing = [name for name in own if name not in sizes]
    if missing:
        raise EvaluationError("region-no-limit", missing=missing[0], common=repr(common))
    return np.array([sizes[name] for name in own])


def _size(name: str, value: Any) -> float:
    where = f"region of {name}"
    parts = value if isinstance(value, list | tuple) else (value,)
    try:
        numbers = [_checked(part).value({}) for part in parts]
    except QddotError as error:
        raise error.to(EvaluationError, where=where, expected=say("number-limits-size"), remedy="") from None
    except KeyError as error:
        raise EvaluationError("symbol-in-limit", where=where, name=repr(error.args[0])) from None
    if not numbers:
        raise EvaluationError("empty-list", where=where)
    if len(numbers) == 1 and numbers[0] < 0:
        raise EvaluationError("size-below-zero", where=where, value=f"{numbers[0]:g}")
    numbers = [abs(number) for number in numbers]
    return float(np.nextafter(max(numbers), np.inf)) if max(numbers) else 0.0
