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
from qddot.base.words.message import say
from qddot.machine.tracing.traced import TracedArm
from qddot.motion.simulate.laws.compared import TracedFunction
from qddot.motion.simulate.laws.law import function_program
from qddot.motion.simulate.laws.sampling import NEAR
from qddot.physics.mechanism import Mechanism
from qddot.robot.bodies import Body, Joint, Symbol
from qddot.robot.model import Model

SWITCHES = ("taken", "left")
Moment = float | Callable[[Any, Any, Any], Any] | None


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
    taken: Moment = 0.0
    left: Moment = None

    def __post_init__(self) -> None:
        for name, shape in (("mass", ()), ("com", (3,)), ("inertia", (6,))):
            value = finite(getattr(self, name), say("of-a-payload", name=name))
            if value.shape != shape:
                raise SimulationError("payload-misshapen", name=name, shape=value.shape, expected=str(shape))
            object.__setattr__(self, name, value.tolist())
        for name in SWITCHES:
            value = getattr(self, name)
            if not callable(value) and not (value is None and name == "left"):
                time = finite(value, say("of-a-payload", name=name))
                if time.ndim or time < 0:
                    raise SimulationError("payload-at-no-time", name=name, value=shortened(value))
                object.__setattr__(self, name, float(time))
        taken, left = self.taken, self.left
        if isinstance(taken, float) and isinstance(left, float) and left <= taken:
            raise SimulationError("payload-released-before-taken", left=f"{left:g}", taken=f"{taken:g}")


@record(eq=False)
class Switch:
    """A switch picks a payload up or releases it, from a time on, or once a function of (t, q, q̇) rises above zero.

    name: "taken" or "left"; at: the time or the function, None if it is never set; program: that of the function
    """

    name: str
    at: Moment
    program: Program | None

    @classmethod
    def of(cls, payload: Payload, name: str, step: float, state: tuple[Any, Any]) -> Switch:
        """Returns a switch of a payload. raises SimulationError: a time at which no step ends, or another function"""
        at = getattr(payload, name)
        if callable(at):
            return cls(name, at, function_program(at, say("function-of-a-payload", name=name), 1, state))
        if at is not None and abs(at - round(at / step) * step) > NEAR * step:
            nearest = round(at / step) * step
            raise SimulationError(
                "payload-time-between-steps", name=name, at=f"{at:g}", step=f"{step:g}", nearest=f"{nearest:.12g}"
            )
        return cls(name, at, None)

    def risen(self, graph: Graph, state: tuple[Any, Any, Any]) -> Any:
        """Returns the value of its function of the state."""
        assert self.program
        t, q, qd = state
        (value,) = graph.inlined(self.program, [[t], q, qd])
        return value

    def after(self, graph: Graph, state: tuple[Any, Any, Any], now: Any, from_row: Any) -> Any:
        """Returns whether it is set: the row says so if its time is fixed, else its function has risen above zero."""
        if self.at is None:
            return graph.constant(0.0)
        if self.program is None:
            return from_row
        risen = self.risen(graph, state).apply("sign").apply("maximum", from_row)
        return now.apply("maximum", risen)


@record(eq=False)
class Carried:
    """The payloads of a run are bodies of its model, each scaled by a symbol that is 1 while the payload is carried.

    before: the model without them; names: of the symbols, and of the bodies
    switches: for each payload in turn, the one that picks it up and the one that releases it
    """

    before: Model
    names: tuple[str, ...]
    switches: tuple[Switch, ...]

    @property
    def size(self) -> int:
        """Returns the size of the discrete state: of each payload, whether it was picked up and whether released."""
        return len(self.switches)

    row_size = size  # a row of time says which switches with fixed times are set

    def knots(self, start: float, end: float) -> Any:
        """Returns the times at which payloads are picked up or released at fixed times."""
        return np.array([switch.at for switch in self.switches if isinstance(switch.at, float)])

    @property
    def traced(self) -> list[TracedFunction]:
        """Returns the functions of switches with their programs."""
        return [
            TracedFunction(say("function-of-a-payload", name=switch.name), switch.at, switch.program)
            for switch in self.switches
            if switch.program
        ]

    def columns(self, begins: Any, times: Any, h: float) -> Any:
        """Returns which switches with fixed times are set at the ends of steps from `begins`, (…, size)."""
        ends = np.asarray(begins) + h * (1 + NEAR)
        set_at = [switch.at if isinstance(switch.at, float) else np.inf for switch in self.switches]
        columns = np.stack([(ends >= at).astype(float) for at in set_at], axis=-1)
        return np.broadcast_to(columns, (*np.shape(times), self.size))

    def symbols(self, discrete_state: Sequence[Any]) -> dict[str, Any]:
        """Returns how much of each payload is carried, 0 or 1, from the discrete state."""
        return {name: discrete_state[2 * k] - discrete_state[2 * k + 1] for k, name in enumerate(self.names)}

    def switched(
        self, graph: Graph, state: tuple[Any, Any, Any], discrete_state: Sequence[Any], row: Sequence[Any]
    ) -> list[Any]:
        """Returns the discrete state after (t, q, q̇), where payloads may have been taken or left."""
        entries = zip(self.switches, discrete_state, row, strict=True)
        following = [switch.after(graph, state, now, from_row) for switch, now, from_row in entries]
        for k in range(0, self.size, 2):  # a payload that is not carried cannot be released
            following[k + 1] = following[k + 1].apply("minimum", following[k])
        return following

    def guards(self, graph: Graph, state: tuple[Any, Any, Any], discrete_state: Sequence[Any]) -> list[Any]:
        """Returns a number for each switch: it rises above zero where a function sets the switch, else it is −1."""
        taken, left = discrete_state[::2], discrete_state[1::2]
        open_ = [each for one, other in zip(taken, left, strict=True) for each in (1.0 - one, one - other)]
        return [
            share * switch.risen(graph, state) - (1.0 - share) if switch.program else graph.constant(-1.0)
            for switch, share in zip(self.switches, open_, strict=True)
        ]

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
        return tuple(switch.program.hash if switch.program else switch.at is None for switch in self.switches)


def carried(
    model: Model, payloads: Sequence[Payload], traced: TracedArm, step: float, state: tuple[Any, Any]
) -> tuple[Model, Carried]:
    """Returns the model with payloads as bodies, and the object that says when they are carried.

    raises SimulationError: times that are not multiples of the step, functions that cannot be compiled; QddotError: a
    body that does not exist, or a physically impossible inertia
    """
    switches = tuple(Switch.of(payload, name, step, state) for payload in payloads for name in SWITCHES)
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
    return replace(model, bodies=tuple(bodies), symbols=symbols), Carried(model, tuple(names), switches)
