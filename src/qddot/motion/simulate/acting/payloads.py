"""Payloads that an arm picks up and puts down: bodies whose inertia counts while they are carried.

A payload already moves with the hand when it is picked up, so that rates do not jump. The energy that the arm then
gains, and loses when it lets go, counts as external work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from qddot.algebra.checked_arrays import finite
from qddot.algebra.expressions.parser import expression
from qddot.algebra.program.graph import Graph
from qddot.algebra.program.program import Program
from qddot.algebra.spatial import Inertia, Pose
from qddot.base.errors import SimulationError, shortened
from qddot.base.records import record
from qddot.machine.tracing.traced import TracedArm
from qddot.motion.simulate.laws.compared import TracedFunction
from qddot.motion.simulate.laws.law import function_program
from qddot.motion.simulate.laws.sampling import NEAR
from qddot.physics.mechanism import Mechanism
from qddot.robot.bodies import Body, Joint, Symbol
from qddot.robot.model import Model

Switch = float | Callable[[Any, Any, Any], Any] | None


@record(eq=False)
class Payload:
    """This body is carried from a time on, or from the moment at which a function of (t, q, qd) rises above zero.

    mass [kg], com [m], inertia (xx, xy, xz, yy, yz, zz) [kg·m²] about the centre of mass, along the frame of `body`:
    a link by its name or index, or "tool". taken, left: a time [s] that is a multiple of the step, or a function;
    left=None carries it to the end. It is picked up once and released once: with fixed steps at
    the end of the step in which the function rises above zero; adaptive methods end a step at that moment.
    raises SimulationError: an argument of another kind, numbers that are not finite, or a release before it is taken
    """

    mass: float
    com: Any = (0.0, 0.0, 0.0)
    inertia: Any = (0.0,) * 6
    body: int | str | None = "tool"
    taken: Switch = 0.0
    left: Switch = None

    def __post_init__(self) -> None:
        for name, shape in (("mass", ()), ("com", (3,)), ("inertia", (6,))):
            value = finite(getattr(self, name), f"{name} of a payload")
            if value.shape != shape:
                raise SimulationError(f"{name} of a payload has the shape {value.shape}", expected=str(shape))
            object.__setattr__(self, name, value.tolist())
        for name in ("taken", "left"):
            value = getattr(self, name)
            if not callable(value) and not (value is None and name == "left"):
                time = finite(value, f"{name} of a payload")
                if time.ndim or time < 0:
                    raise SimulationError(
                        f"{name} of a payload is {shortened(value)}", expected="seconds, or a function"
                    )
        taken, left = self.taken, self.left
        if callable(taken) or callable(left) or taken is None or left is None:
            return
        if left <= taken:
            found = f"a payload is released at {left:g} s, but taken at {taken:g} s"
            raise SimulationError(found, expected="the time of its release after that")


@record(eq=False)
class Carried:
    """The payloads of a run are bodies of its model, each scaled by a symbol that is 1 while the payload is carried.

    before: the model without them; names: of the symbols, and of the bodies
    programs: of each payload's two switches, None where a switch is absent or is a time
    """

    before: Model
    payloads: tuple[Payload, ...]
    names: tuple[str, ...]
    programs: tuple[tuple[Program | None, Program | None], ...]

    @property
    def size(self) -> int:
        """Returns the size of the discrete state: of each payload, whether it was picked up and whether released."""
        return 2 * len(self.payloads)

    @property
    def times(self) -> Any:
        """Returns the times at which payloads are picked up or released at fixed times."""
        each = [at for payload in self.payloads for at in (payload.taken, payload.left)]
        return np.array([at for at in each if isinstance(at, int | float)], dtype=float)

    @property
    def traced(self) -> list[TracedFunction]:
        """Returns the functions of switches with their programs."""
        switches = ((payload.taken, payload.left) for payload in self.payloads)
        return [
            TracedFunction(f"the function {name}= of a payload", function, program)
            for pair, programs in zip(switches, self.programs, strict=True)
            for name, function, program in zip(("taken", "left"), pair, programs, strict=True)
            if program is not None and callable(function)
        ]

    def columns(self, begins: Any, h: float) -> Any:
        """Returns which switches with fixed times are set at the ends of steps from `begins`, (…, size)."""
        ends, columns = np.asarray(begins) + h * (1 + NEAR), []
        for payload in self.payloads:
            for at in (payload.taken, payload.left):
                columns.append((ends >= at).astype(float) if isinstance(at, int | float) else np.zeros(np.shape(ends)))
        return np.stack(columns, axis=-1)

    def symbols(self, discrete_state: Sequence[Any]) -> dict[str, Any]:
        """Returns how much of each payload is carried, 0 or 1, from the discrete state."""
        return {name: discrete_state[2 * k] - discrete_state[2 * k + 1] for k, name in enumerate(self.names)}

    def switched(
        self, graph: Graph, state: tuple[Any, Any, Any], discrete_state: Sequence[Any], row: Sequence[Any]
    ) -> list[Any]:
        """Returns the discrete state after (t, q, q̇), where payloads may have been taken or left."""
        following: list[Any] = []
        for k, (payload, (take, leave)) in enumerate(zip(self.payloads, self.programs, strict=True)):
            picked_up = _set(graph, payload.taken, take, state, discrete_state[2 * k], row[2 * k])
            released = _set(graph, payload.left, leave, state, discrete_state[2 * k + 1], row[2 * k + 1])
            # a payload that is not carried cannot be released
            following += [picked_up, released.extreme("minimum", picked_up)]
        return following

    def guards(self, graph: Graph, state: tuple[Any, Any, Any], discrete_state: Sequence[Any]) -> list[Any]:
        """Returns a number for each switch: it rises above zero where a function sets the switch, else it is −1."""
        guards: list[Any] = []
        for k, (take, leave) in enumerate(self.programs):
            picked_up, released = discrete_state[2 * k : 2 * k + 2]
            for program, open_ in ((take, 1.0 - picked_up), (leave, picked_up - released)):
                if program:
                    value = _risen(graph, program, state)
                    guards.append(open_ * value - (1.0 - open_))
                else:
                    guards.append(graph.constant(-1.0))
        return guards

    def alone(self, traced: TracedArm, k: int) -> Mechanism:
        """Returns the moving arm in which the k-th payload is carried and all other bodies have no mass."""
        whole = TracedArm(
            traced.model, traced.graph, traced.inputs, {**traced.numbers.symbols, self.names[k]: 1.0}
        ).links
        links = [
            link if link.name == self.names[k] else replace(link, inertia=Inertia.zero(), com=None)
            for link in whole.links
        ]
        return replace(whole, links=tuple(links))

    @property
    def facts(self) -> tuple[Any, ...]:
        """Returns everything that the compiled code depends on besides the model."""
        switches = [(payload.taken, payload.left) for payload in self.payloads]
        return tuple(
            program.hash if program else at is None
            for pair, programs in zip(switches, self.programs, strict=True)
            for at, program in zip(pair, programs, strict=True)
        )


def _risen(graph: Graph, program: Program, state: tuple[Any, Any, Any]) -> Any:
    """Returns the value of a switch's function of the state; the switch is set where the value rises above zero."""
    t, q, qd = state
    (value,) = graph.inlined(program, [[t], q, qd])
    return value


def _set(
    graph: Graph, at: Switch, program: Program | None, state: tuple[Any, Any, Any], now: Any, from_row: Any
) -> Any:
    """Returns whether a switch is set: the row says so if its time is fixed, else its function has risen above zero."""
    if at is None:
        return graph.constant(0.0)
    if program is None:
        return from_row
    risen = _risen(graph, program, state).apply("sign").extreme("maximum", from_row)
    return now.extreme("maximum", risen)


def carried(
    model: Model, payloads: Sequence[Payload], traced: TracedArm, step: float, state: tuple[Any, Any]
) -> tuple[Model, Carried]:
    """Returns the model with payloads as bodies, and the object that says when they are carried.

    raises SimulationError: times that are not multiples of the step, functions that cannot be compiled; QddotError: a
    body that does not exist, or a physically impossible inertia
    """
    programs = [
        (_program(payload.taken, "taken", step, state), _program(payload.left, "left", step, state))
        for payload in payloads
    ]
    names, bodies = list[str](), list(model.bodies)
    for payload in payloads:
        names.append(next(name for k in range(1, 1000) if (name := f"carried{k}") not in (*model.symbols, *names)))
        link, _ = traced.place(payload.body)
        at_tool = payload.body == "tool"
        joint = Joint("fixed", parent=model.bodies[link].name, placement=model.tool if at_tool else Pose.identity())
        by = expression(names[-1])
        inertia = [by * expression(entry) for entry in payload.inertia]
        bodies.append(
            Body.of(names[-1], joint, mass=by * expression(payload.mass), com=payload.com, about="com", inertia=inertia)
        )
    symbols = {**model.symbols, **{name: Symbol(name, expression(1)) for name in names}}
    return replace(model, bodies=tuple(bodies), symbols=symbols), Carried(
        model, tuple(payloads), tuple(names), tuple(programs)
    )


def _program(at: Switch, what: str, step: float, state: tuple[Any, Any]) -> Program | None:
    """Returns the program of a switch that is a function. raises SimulationError: a time at which no step ends"""
    if callable(at):
        return function_program(at, f"the function {what}= of a payload", 1, state)
    if at is not None and abs(at - round(at / step) * step) > NEAR * step:
        nearest = round(at / step) * step
        raise SimulationError(
            f"{what} = {at:g} s of a payload is not a multiple of the step of {step:g} s",
            remedy=f"{what}={nearest:.12g}",
        )
    return None
