"""Makes and checks names of symbols, coordinates and their rates."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable

from qddot.base.errors import ModelError, shortened, visible
from qddot.base.words.message import Words, say

RESERVED = {"pi", "deg", "sin", "cos", "sqrt"}
LONGEST_NAME = 60
TIME = "t"  # in energies, unless it is a coordinate


def rate_name(coordinate: str, dots: int = 1) -> str:
    """Returns the name of a coordinate's rate or acceleration: q1 → qd1, qdd1; theta → thetad, thetadd."""
    match = re.fullmatch(r"([^\W\d]+?)(\d*)", coordinate)
    stem, index = match.groups() if match else (coordinate, "")
    return f"{stem}{'d' * dots}{index}"


def load_name(coordinate: str) -> str:
    """Returns the name under which equations write the torque of a joint without friction: q1 → load_q1."""
    return f"load_{coordinate}"


def fresh(name: str, names: set[str]) -> str:
    """Returns a name that is not in `names`, if necessary with underscores appended, and adds it to `names`."""
    while name in names:
        name += "_"
    names.add(name)
    return name


def check_visible(name: str, what: Words) -> None:
    """Raises ModelError for a name with invisible characters."""
    if visible(name) != name:
        raise ModelError("invisible-characters", what=what, name=shortened(name))


def check_names(
    symbols: Iterable[str],
    coordinates: Iterable[str],
    positions: Iterable[str] = (),
    velocities: Iterable[str] = (),
    loaded: Iterable[str] = (),
) -> None:
    """Checks that all symbols, coordinates, rates and accelerations have different names that Python can write.

    positions, velocities: names for joints whose velocities are not rates of coordinates
    loaded: coordinates whose joints' torques without friction have names in equations
    raises ModelError: two have the same name, or a name is not an identifier, reserved or too long
    """
    meanings: dict[str, Words] = {}
    rates = [
        (rate_name(q, dots), say(key, name=q))
        for q in coordinates
        for dots, key in ((1, "the-rate-of"), (2, "the-acceleration-of"))
    ]
    rates += [(rate_name(v), say("the-rate-of", name=v)) for v in velocities]
    own = [
        *((q, say("a-joint-coordinate")) for q in coordinates),
        *((q, say("a-position-of-a-joint")) for q in positions),
    ]
    own += [(v, say("a-velocity-of-a-joint")) for v in velocities]
    own += [(load_name(q), say("the-load-of", name=q)) for q in loaded]
    named = [*own, *rates, *((s, say("a-symbol")) for s in symbols)]
    for name, what in named:
        if not name.isidentifier() or name in RESERVED or keyword.iskeyword(name) or len(name) > LONGEST_NAME:
            raise ModelError("invalid-name", name=repr(name[:80]), what=what)
        if name in meanings:
            raise ModelError("name-used-twice", name=repr(name), one=meanings[name], other=what)
        meanings[name] = what
