"""Gathers conformance vectors of robots: what any library of dynamics should compute, to thirty proved digits."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from flint import arb

from qddot.algebra.freedoms import FREE
from qddot.algebra.numbers.balls import arctangent, middle, precise
from qddot.base.checked import whole
from qddot.base.errors import EvaluationError, ExactnessError, FormatError, ModelError
from qddot.base.records import record
from qddot.base.system import files
from qddot.base.version import __version__
from qddot.base.words.language import in_english
from qddot.machine.numeric.conventions import CONVENTIONS, Convention, changes, convention, converted, positions_there
from qddot.proof.certify.vectors.values import ExactState, Values, description, state, values
from qddot.robot.bodies import BASE
from qddot.robot.left_out import as_table
from qddot.robot.model import Model
from qddot.robot.symbol_values import refuse_missing

Written = TypeVar("Written")
PRECISIONS = (256, 512, 1024, 2048)  # bits
DESCRIBED = 50  # digits of the description
MOST_STATES = 10_000  # of one robot, of which each takes a few milliseconds to seconds
FILES = ("vectors.schema.json", "compare.py")
MEANING = (
    "Every decimal differs from the exact number by at most half a unit of the decimal's last place. "
    "0E-60 is zero, or smaller than half of 10^-60. The states of the convention qddot are exact."
)
OURS = "qddot"
DIGITS = 30
PLACES = 60
ZERO = f"0E-{PLACES}"  # a number that is smaller than half of 10^-60 is written so
MORE = 20  # a number in the middle between two decimals gets so many more digits


@record()
class Vectors:
    """These are the conformance vectors of some robots, as plain data. They are written with `to_json` or `export`."""

    robots: Sequence[Mapping[str, Any]]

    def __post_init__(self) -> None:
        names = [robot["name"] for robot in self.robots]
        for name in names:
            if names.count(name) > 1:
                raise ModelError("robots-with-one-name", count=names.count(name), name=name)

    def __repr__(self) -> str:
        return f"<conformance vectors of {', '.join(robot['name'] for robot in self.robots)}>"

    def data(self) -> dict[str, Any]:
        """Returns all as plain data; `vectors.schema.json` describes it."""
        head = {"format": "conformance vectors of robot dynamics", "qddot": __version__, "digits": DIGITS}
        return {**head, "meaning": MEANING, "robots": list(self.robots)}

    @in_english
    def to_json(self) -> str:
        return json.dumps(self.data(), ensure_ascii=False) + "\n"

    def export(self, folder: str | Path = ".", overwrite: bool = False) -> list[Path]:
        """Writes vectors.json, its schema and the script that compares it with a library, and returns their paths.

        overwrite: whether files are replaced that are there already and not from an earlier export of vectors
        raises FormatError: a file cannot be written, or may not be replaced; none is written then
        """
        here = resources.files("qddot.proof.certify.vectors")
        texts = {name: (here / name).read_text(encoding="utf-8") for name in FILES}
        return files.save_in(folder, {"vectors.json": self.to_json(), **texts}, "vectors", overwrite, FormatError)


def vectors(model: Model, states: int = 3, licence: str = "") -> dict[str, Any]:
    """Returns the conformance vectors of one model as plain data.

    raises ModelError: no joint moves, or the equations are given entry by entry; QddotError: a symbol without a value,
        or `states` is not a whole number
    """
    check_bodies(model)
    model.check_moves()
    whole(states, "states", 1, MOST_STATES)
    refuse_missing(model.used_symbols - set(model.defaults()), model.name)
    each = [_of_state(model, state(model, k)) for k in range(states)]
    return {**heading(model, _base(model), licence), "states": each}


def check_bodies(model: Model) -> None:
    """Raises ModelError if the equations are given entry by entry."""
    if model.explicit is not None:
        raise ModelError("entries-for-no-other", where=model.name)


def heading(model: Model, kind: str, licence: str) -> dict[str, Any]:
    """Returns what the data of a robot begin with. kind: fixed, free or closed, for its name"""
    return {
        "name": f"{model.name}/{kind}",
        "title": model.title,
        "source": model.source,
        "licence": licence,
        **({"left_out": as_table(model.left_out)} if model.left_out else {}),
        "positions": list(model.positions),
        "velocities": list(model.coordinates),
        "description": proved(model, lambda: decimals(description(model), DESCRIBED)),
    }


def _base(model: Model) -> str:
    return "free" if any(b.joint.type == FREE and b.joint.parent == BASE for b in model.bodies) else "fixed"


def _of_state(model: Model, at: ExactState) -> list[dict[str, Any]]:
    """Returns the values in every convention; those that agree are given once."""
    return proved(model, lambda: list(_in_conventions(model, at)))


def _in_conventions(model: Model, at: ExactState) -> Iterator[dict[str, Any]]:
    ours, centres = values(model, at)
    for names, in_convention in conventions(model):
        own = _exact(at) if ours is (theirs := in_convention(ours, centres)) else {}
        yield {"conventions": names, **decimals(vars(theirs) | own)}


def _exact(at: ExactState) -> dict[str, list[str]]:
    """Returns the state as finite decimals."""
    return {name: [f"{float(entry):g}" for entry in part.values()] for name, part in vars(at).items()}


def proved(model: Model, write: Callable[[], Written]) -> Written:
    """Returns what a function writes, with as many bits as are needed to decide every digit."""
    for bits in PRECISIONS:
        with precise(bits):
            try:
                return write()
            except UndecidedError:
                continue
    raise ExactnessError("digits-undecided", where=model.name, precisions=PRECISIONS[-1])


def conventions(model: Model) -> Iterator[tuple[list[str], Callable[[Values, Mapping[str, Any]], Values]]]:
    """Yields names of programs, and the function of values and centres of mass that converts values for them."""
    programs = [program for program in CONVENTIONS if _has_joints_of(model, program)]
    if not model.freedoms:
        yield [OURS, *programs], lambda values, _: values
        return
    yield [OURS], lambda values, _: values
    for program in programs:
        # a joint that turns endlessly has an angle in every convention
        yield [program], partial(_converted, model, CONVENTIONS[program]._replace(circles=False))


def _has_joints_of(model: Model, program: str) -> bool:
    try:
        convention(program, model)
    except EvaluationError:
        return False
    return True


def _converted(model: Model, rule: Convention, values: Values, centres: Mapping[str, Any]) -> Values:
    """Returns the values in a program's convention."""
    arrays = {name: np.array(part, dtype=object) for name, part in vars(values).items() if not isinstance(part, dict)}
    q, _ = arrays.pop("q"), arrays.pop("h")
    by = changes(model, rule, q, arrays["qd"], centres)
    theirs = converted(by, arrays, arrays["M"])
    return Values(
        q=positions_there(model, rule, q, arctangent).tolist(),
        h=(theirs["C"] @ theirs["qd"]).tolist(),
        **{name: part.tolist() for name, part in theirs.items()},
        frames=values.frames,
        jacobians={
            name: converted(by, {"J": np.array(J, dtype=object)}, by[0])["J"].tolist()
            for name, J in values.jacobians.items()
        },
    )


def decimals(value: Any, digits: int = DIGITS) -> Any:
    """Returns the numbers in nested lists and mappings as decimals; texts are kept.

    Each exact number is within half a unit of its decimal's last place.
    raises UndecidedError: a ball is too large to decide a digit
    """
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return {name: decimals(part, digits) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [decimals(part, digits) for part in value]
    return _decimal(value, digits)


class UndecidedError(ArithmeticError):
    """A ball contains numbers with different decimals, so that it must be computed more precisely."""


def _decimal(value: Any, digits: int) -> str:
    if value == 0:
        return ZERO
    lower, upper = _ends(value)
    half = Fraction(1, 2 * 10**PLACES)
    if -half < lower and upper < half:
        return ZERO
    for length in range(digits, digits + MORE):
        below, above = _rounded(lower, length), _rounded(upper, length)
        if below == above:
            return str(below)
    raise UndecidedError


def _ends(value: Any) -> tuple[Fraction, Fraction]:
    if not isinstance(value, arb):
        return Fraction(value), Fraction(value)
    if not value.is_finite():
        raise UndecidedError
    radius = middle(value.rad())
    return middle(value) - radius, middle(value) + radius


def _rounded(number: Fraction, digits: int) -> Decimal:
    """Returns the nearest decimal with so many significant digits."""
    context = Context(prec=digits, Emin=MIN_EMIN, Emax=MAX_EMAX)
    nearest = context.divide(Decimal(number.numerator), Decimal(number.denominator))
    return nearest.quantize(Decimal((0, (1,), nearest.adjusted() - digits + 1)), context=context)
