"""Has the joints of a system as exported code states them: names in their order, units, limits and motors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import NamedTuple


class Position(NamedTuple):
    """A position is an entry of q.

    joint: the name of its joint; lower, upper: its limits, infinite where none are known
    depends: the limits as expressions, if they depend on symbols without a value
    """

    name: str
    unit: str
    joint: str
    lower: float = -inf
    upper: float = inf
    depends: str = ""

    @property
    def limits(self) -> str:
        if self.depends:
            return self.depends
        return "no limits" if self.upper - self.lower == inf else f"{self.lower:.9g} to {self.upper:.9g}"


class Velocity(NamedTuple):
    """A velocity is an entry of qd, and of qdd and tau.

    effort: the largest torque or force of its motor, infinite where none is known; driven: whether it has a motor
    """

    name: str
    unit: str
    joint: str
    torque_unit: str
    effort: float = inf
    driven: bool = True

    @property
    def motor(self) -> str:
        if not self.driven:
            return "no motor"
        return f"tau in {self.torque_unit}" + (f", at most {self.effort:.9g}" if self.effort < inf else "")


class Joints(NamedTuple):
    """These are the joints of a system, in the order of its arrays.

    independent: the places in qd of the rates along which a closed chain has its equations; nothing for other systems
    """

    positions: tuple[Position, ...] = ()
    velocities: tuple[Velocity, ...] = ()
    independent: tuple[int, ...] = ()

    def lines(self, entry: Callable[[str, int], str]) -> Iterator[str]:
        """Yields a line for each position and velocity, with its name, unit, limits and joint.

        entry: how the language writes an entry of an array
        """
        if not self.positions:
            return
        is_rate = len(self.positions) == len(self.velocities)  # of q, which q̇ is not where a joint has a quaternion
        yield f"Joints, in the order of {'all arrays' if is_rate else 'q, then of qd, qdd and tau'}:"
        rows = [[entry("q", k), p.name, p.unit, p.limits, p.joint] for k, p in enumerate(self.positions)]
        motors = [[entry("qd", k), v.name, v.unit, v.motor, v.joint] for k, v in enumerate(self.velocities)]
        if is_rate:
            rows = [[*row[:-1], motor[-2], row[-1]] for row, motor in zip(rows, motors, strict=True)]
        else:
            rows += motors
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        if self.independent:
            names = ", ".join(self.velocities[k].name for k in self.independent)
            yield f"Independent, in the order of the rates: {names}"
