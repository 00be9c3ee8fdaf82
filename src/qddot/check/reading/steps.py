"""Compares positions and velocities of links and of the tip, as people write them on the way, with the exact ones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from qddot.check.reading.left_sides import Left
from qddot.equations.quantities import Quantities
from qddot.numbers.polynomials.exact import Polynomial, Ring

POSITION = re.compile(
    r"(?:x|y|z|p|px|py|pz|xe|ye|ze|xc|yc|zc|xtip|ytip|ztip|xp|yp|zp|xm|ym|zm|xcart|r|rc|pc|pe|X|Y)\d*"
)
SPEED = re.compile(r"(?:v|vc|V|vC|vG|vp|vm)[a-z]?\d*")
Quotient = Sequence[Polynomial]


def agrees_with(left: Left, values: Sequence[Quotient], eq: Quantities, ring: Ring) -> str:
    """Returns a sentence that says with what exact coordinate a value agrees, or nothing."""
    if any(value[1] != 1 for value in values):
        return ""
    if left.squared and SPEED.fullmatch(left.key):
        same = next((what for what, square in _squared_speeds(eq, ring) if not values[0][0] - square), "")
        return f"{left.text} is read as the square of a speed, and agrees with that of {same}" if same else ""
    if not POSITION.fullmatch(left.key):
        return ""
    for what, entries in _positions(eq, ring):
        if all(any(not value[0] - entry for entry in entries) for value in values):
            return f"{left.text} is read as a position, and agrees with that of {what}"
    return ""


def _squared_speeds(eq: Quantities, ring: Ring) -> Iterator[tuple[str, Polynomial]]:
    """Yields the squares of the speeds of all centres of mass, frames, and of the tool."""
    for what, position in _positions(eq, ring):
        rates = [ring.convert(ring.time_derivative(coordinate)) for coordinate in position]
        yield what, ring.convert(rates[0] * rates[0] + rates[1] * rates[1] + rates[2] * rates[2])


def _positions(eq: Quantities, ring: Ring) -> Iterator[tuple[str, list[Polynomial]]]:
    """Yields the coordinates of all centres of mass and origins of frames."""
    exact = eq.in_joint_angles
    for k, body in enumerate(eq.model.bodies):
        for name, what in (("p_c", f"the centre of mass of {body.name}"), ("T", f"the frame of {body.name}")):
            places = [(k, i) if name == "p_c" else (k, i, 3) for i in range(3)]
            yield what, [ring.convert(exact.array(name)[place].entries[0]) for place in places]
    yield "the tool", [ring.convert(exact.array("T_tool")[i, 3].entries[0]) for i in range(3)]
