"""Defines external forces on an arm in motion: wrenches, springs and dampers to the world, payloads.

A force is numbers, (times, values), or a function of (t, q, qd) that is compiled with the arm as torque laws are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from qddot.algebra.checked_arrays import finite
from qddot.algebra.program.piecewise import kinks
from qddot.algebra.program.program import Program
from qddot.algebra.spatial import Force, Vec3
from qddot.base.checked import LARGEST, real
from qddot.base.errors import SimulationError, shortened
from qddot.base.records import record
from qddot.base.words.message import Words, say
from qddot.machine.tracing.traced import TracedArm
from qddot.motion.simulate.acting.open_numbers import Distribution, Open, Parameter
from qddot.motion.simulate.acting.payloads import Payload
from qddot.motion.simulate.laws.compared import TracedFunction
from qddot.motion.simulate.laws.law import function_program
from qddot.physics.algorithms.external_wrenches import ExternalWrenches, Point
from qddot.physics.mechanism import Mechanism

__all__ = ["Payload", "SpringDamper", "Wrench"]
FRAMES = ("world", "body")
AXES = ("x", "y", "z")
SINGLE = ("stiffness", "damping", "rest")  # numbers of a spring
NONE = (0.0, 0.0, 0.0)
ForceNumber = float | Open
Three = tuple[ForceNumber, ForceNumber, ForceNumber]
Valued = Callable[[ForceNumber], Any]  # what a number is in a graph
Varying = Three | Callable[[Any, Any, Any], Any] | tuple[Any, Any]  # numbers, a function, or (times, values)


@record(eq=False)
class Wrench:
    """A wrench is a force [N] at a point of a link and a moment [N·m]; each is numbers, (times, values) or a function.

    body: a link by its name or index, or "tool"; at: the point, in the frame of this body [m]
    frame: "world" or "body", along whose axes force and moment are given
    raises SimulationError: a force, moment, point or frame of another kind
    """

    body: int | str | None
    force: Varying = NONE
    moment: Varying = NONE
    at: Any = NONE
    frame: str = "world"
    varying: ClassVar[tuple[str, ...]] = ("force", "moment")

    def __post_init__(self) -> None:
        if self.frame not in FRAMES:
            raise SimulationError("no-such-frame", frame=shortened(self.frame))
        for name in self.varying:
            object.__setattr__(self, name, _varying(getattr(self, name), say("of-a-wrench", name=name)))
        object.__setattr__(self, "at", _three(self.at, say("of-a-wrench", name="at")))

    def wrench(self, point: Point, values: Sequence[Vec3], number: Valued) -> Force:
        """Returns the wrench along the axes of the link's frame."""
        change = point.turned if self.frame == "world" else point.along
        return point.wrench(*(change(value) for value in values))


@record(eq=False)
class SpringDamper:
    """A spring and a damper act between a point of a link and a point of the world.

    anchor: the point of the world [m]; body, at: as in `Wrench`; stiffness [N/m]; damping [N·s/m]; rest: the length at
    which the spring does not pull [m]. The spring acts along the line between the points. With rest = 0 the damper acts
    against every motion of the link's point, else only along the line, whose length then has to stay above zero.
    raises SimulationError: numbers that are not finite, or a stiffness, damping or rest below 0
    """

    body: int | str | None
    anchor: Any
    stiffness: ForceNumber
    damping: ForceNumber = 0.0
    at: Any = NONE
    rest: ForceNumber = 0.0
    varying: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        for name in ("anchor", "at"):
            object.__setattr__(self, name, _three(getattr(self, name), say("of-a-spring", name=name)))
        for name in SINGLE:
            object.__setattr__(self, name, _number(getattr(self, name), say("of-a-spring", name=name), 0.0))

    def wrench(self, point: Point, values: Sequence[Vec3], number: Valued) -> Force:
        """Returns the wrench along the axes of the link's frame."""
        line = point.reached(_vector(self.anchor, number)) - point.r
        stiffness, damping = number(self.stiffness), number(self.damping)
        if not self.rest:
            return point.wrench(line * stiffness - point.velocity * damping, Vec3.zero())
        length: Any = line.dot(line)
        length = length.apply("sqrt")
        direction = line * (1 / length)
        pull: Any = (length - number(self.rest)) * stiffness - direction.dot(point.velocity) * damping
        return point.wrench(direction * pull, Vec3.zero())


Acting = Wrench | SpringDamper
Given = Wrench | SpringDamper | Payload


@record(eq=False)
class Forces:
    """All external forces of a run are compiled with its plant; sampled ones add columns to its rows of time.

    programs: the traced functions, by the force's index and the name of the argument
    """

    each: tuple[Acting, ...]
    programs: Mapping[tuple[int, str], Program]

    @property
    def _samples(self) -> list[tuple[Any, Any]]:
        values = (getattr(force, name) for force in self.each for name in force.varying)
        return [value for value in values if _is_sampled(value)]

    @property
    def row_size(self) -> int:
        """Returns how many numbers they add to a row of time."""
        return 3 * len(self._samples)

    @property
    def rough(self) -> bool:
        """Returns whether a force is given as samples, or by a function with kinks or jumps."""
        return bool(self._samples) or any(map(kinks, self.programs.values()))

    @property
    def traced(self) -> list[TracedFunction]:
        """Returns the functions with their programs."""
        functions = ((getattr(self.each[k], name), name, program) for (k, name), program in self.programs.items())
        return [
            TracedFunction(say("function-of-a-force", name=name), function, program)
            for function, name, program in functions
        ]

    def knots(self, start: float, end: float) -> Any:
        """Returns the times of all samples."""
        return np.concatenate([(), *(times for times, _ in self._samples)])

    def columns(self, begins: Any, times: Any, h: float) -> Any:
        """Returns the samples at other times by linear interpolation, (…, row_size)."""
        columns = [np.interp(times, at, values[:, k]) for at, values in self._samples for k in range(3)]
        return np.stack(columns, axis=-1) if columns else np.zeros((*np.shape(times), 0))

    @property
    def facts(self) -> tuple[Any, ...]:
        """Returns everything that their compiled code depends on."""
        return tuple(
            (type(force).__name__, *(self._fact(k, name, value) for name, value in vars(force).items()))
            for k, force in enumerate(self.each)
        )

    def _fact(self, k: int, name: str, value: Any) -> Any:
        if (k, name) in self.programs:
            return self.programs[k, name].hash
        return "samples" if _is_sampled(value) else value

    def wrenches(self, traced: TracedArm, state: tuple[Any, Any, Any], row: Sequence[Any]) -> ExternalWrenches:
        """Returns the wrenches at (t, q, q̇) as nodes of the graph of the traced arm; row: their samples."""
        waiting = list(row)

        def number(entry: ForceNumber) -> Any:
            return traced.numbers.symbols[entry.name] if isinstance(entry, Parameter) else entry

        t, q, qd = state

        def nodes(k: int, name: str) -> Vec3:
            if (k, name) in self.programs:
                return Vec3(*traced.graph.inlined(self.programs[k, name], [[t], q, qd]))
            value = getattr(self.each[k], name)
            if _is_sampled(value):
                triple, waiting[:3] = waiting[:3], []
                return Vec3(*triple)
            return _vector(value, number)

        values = [[nodes(k, name) for name in force.varying] for k, force in enumerate(self.each)]
        places = [traced.place(force.body) for force in self.each]

        def on(mechanism: Mechanism) -> list[Force]:
            total = [Force.zero()] * len(mechanism.links)
            for force, (link, place), numbers in zip(self.each, places, values, strict=True):
                point = Point(mechanism, link, place, _vector(force.at, number))
                total[link] = total[link] + force.wrench(point, numbers, number)
            return total

        return ExternalWrenches(on, frozenset(link for link, _ in places))


def checked(
    user_forces: Any, traced: TracedArm, duration: float, state: tuple[Any, Any]
) -> tuple[Forces | None, list[Payload]]:
    """Returns the forces that a user gives, one or a list of them, or None where there are none; and the payloads.

    traced: any arm with the model; state: (q0, qd0) of one arm, where functions are tried
    raises SimulationError: an object that is not a force, a body that does not exist, a function that cannot be
    compiled, times that do not cover the run
    """
    kinds = (Wrench, SpringDamper, Payload)
    each = [user_forces] if isinstance(user_forces, kinds) else user_forces
    if not isinstance(each, list | tuple) or not all(isinstance(force, kinds) for force in each):
        raise SimulationError("not-forces", forces=shortened(user_forces))
    payloads = [part for part in each if isinstance(part, Payload)]
    acting = [part for part in each if not isinstance(part, Payload)]
    programs: dict[tuple[int, str], Program] = {}
    for k, force in enumerate(acting):
        traced.place(force.body)
        if any(isinstance(entry, Distribution) for entry in entries(force).values()):
            raise SimulationError("distribution-in-force")
        for name in force.varying:
            value = getattr(force, name)
            if callable(value):
                programs[k, name] = function_program(value, say("function-of-a-force", name=name), 3, state)
            elif _is_sampled(value) and (value[0][0] > 0 or value[0][-1] < duration * (1 - 1e-12)):
                raise SimulationError(
                    "force-times-do-not-cover",
                    name=name,
                    first=f"{value[0][0]:g}",
                    last=f"{value[0][-1]:g}",
                    duration=f"{duration:g}",
                )
    return Forces(tuple(acting), programs) if acting else None, payloads


def _is_sampled(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2


def _varying(value: Any, what: Words) -> Any:
    """Returns three numbers, a function, or (times, values) as arrays. raises SimulationError: anything else"""
    if callable(value):
        return value
    if not _is_sampled(value):
        return _three(value, what)
    times, values = finite(value[0], say("times-of", what=what)), finite(value[1], what)
    if times.ndim != 1 or values.shape != (len(times), 3) or len(times) < 2 or not (np.diff(times) > 0).all():
        raise SimulationError("force-samples-misshapen", what=what, times=times.shape, values=values.shape)
    return times, values


def _three(value: Any, what: Words) -> Three:
    listed = list(value) if isinstance(value, list | tuple) else finite(value, what).tolist()
    if not isinstance(listed, list) or len(listed) != 3:
        raise SimulationError("not-three-numbers", what=what, value=shortened(value))
    x, y, z = (_number(entry, what) for entry in listed)
    return x, y, z


def _number(value: Any, what: Words, low: float = -LARGEST) -> ForceNumber:
    return value if isinstance(value, Open) else real(value, what, low, error=SimulationError)


def entries(force: Acting) -> dict[str, ForceNumber]:
    """Returns the single numbers of a force by their names, such as force_x or stiffness."""
    numbers: dict[str, ForceNumber] = {}
    for name, value in vars(force).items():
        if isinstance(value, tuple) and len(value) == 3:
            numbers |= {f"{name}_{axis}": entry for axis, entry in zip(AXES, value, strict=True)}
        elif name in SINGLE:
            numbers[name] = value
    return numbers


def _vector(three: Three, number: Valued) -> Vec3:
    """Returns a vector whose zeros are structural."""
    return Vec3(*(number(entry) if isinstance(entry, Open) or entry else 0 for entry in three))
