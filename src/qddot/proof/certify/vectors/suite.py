"""Gathers conformance vectors of robots: what any library of dynamics should compute, to thirty proved digits."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

from qddot.algebra.freedoms import FREE
from qddot.algebra.numbers.balls import precise
from qddot.base.checked import whole
from qddot.base.errors import ExactnessError, FormatError, ModelError
from qddot.base.records import record
from qddot.base.system import files
from qddot.base.version import __version__
from qddot.proof.certify.vectors.converted import conventions
from qddot.proof.certify.vectors.decimals import DIGITS, UndecidedError, decimals
from qddot.proof.certify.vectors.states import State, state
from qddot.proof.certify.vectors.values import description, values
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


@record()
class Vectors:
    """These are the conformance vectors of some robots, as plain data. They are written with `to_json` or `export`."""

    robots: Sequence[Mapping[str, Any]]

    def __post_init__(self) -> None:
        names = [robot["name"] for robot in self.robots]
        for name in names:
            if names.count(name) > 1:
                raise ModelError(
                    f"{names.count(name)} robots named {name}", expected="different names", remedy="leave one out"
                )

    def __repr__(self) -> str:
        return f"<conformance vectors of {', '.join(robot['name'] for robot in self.robots)}>"

    def data(self) -> dict[str, Any]:
        """Returns all as plain data; `vectors.schema.json` describes it."""
        head = {"format": "conformance vectors of robot dynamics", "qddot": __version__, "digits": DIGITS}
        return {**head, "meaning": MEANING, "robots": list(self.robots)}

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
    if model.explicit is not None:
        raise ModelError(
            "the equations are given entry by entry, so that no other library can read the robot", where=model.name
        )
    model.check_moves()
    whole(states, "states", 1, MOST_STATES)
    refuse_missing(model.used_symbols - set(model.defaults()), model.name)
    return {
        "name": f"{model.name}/{_base(model)}",
        "title": model.title,
        "source": model.source,
        "licence": licence,
        **({"left_out": as_table(model.left_out)} if model.left_out else {}),
        "positions": list(model.positions),
        "velocities": list(model.coordinates),
        "description": _proved(model, lambda: decimals(description(model), DESCRIBED)),
        "states": [_of_state(model, state(model, k)) for k in range(states)],
    }


def _base(model: Model) -> str:
    return "free" if any(b.joint.type == FREE and b.joint.parent == BASE for b in model.bodies) else "fixed"


def _of_state(model: Model, at: State) -> list[dict[str, Any]]:
    """Returns the values in every convention; those that agree are given once."""
    return _proved(model, lambda: list(_in_conventions(model, at)))


def _in_conventions(model: Model, at: State) -> Iterator[dict[str, Any]]:
    ours, centres = values(model, at)
    for names, converted in conventions(model):
        own = _exact(at) if ours is (theirs := converted(ours, centres)) else {}
        yield {"conventions": names, **decimals(theirs.data() | own)}


def _exact(at: State) -> dict[str, list[str]]:
    """Returns the state as finite decimals."""
    return {name: [_finite(entry) for entry in part.values()] for name, part in vars(at).items()}


def _finite(number: Fraction) -> str:
    return f"{float(number):g}"


def _proved(model: Model, write: Callable[[], Written]) -> Written:
    """Returns what a function writes, with as many bits as are needed to decide every digit."""
    for bits in PRECISIONS:
        with precise(bits):
            try:
                return write()
            except UndecidedError:
                continue
    raise ExactnessError(f"digits that {PRECISIONS[-1]} bits do not decide", where=model.name)
