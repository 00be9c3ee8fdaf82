"""Makes the motion of an arm as JavaScript: its rates of change, and what is read off, with a law for the torques.

The state is (q, q̇, accounts): the work of the motors, that of the hand that pulls, and the losses [J]. The parameters
are each joint's damping and the torque of the hand there; behind them the target, Kp and Kd of the computed torque.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from qddot.compilers import javascript
from qddot.dynamics.effects import accounts_of
from qddot.dynamics.of_model import algorithms
from qddot.errors import QddotError, near, shortened
from qddot.expressions.names import rate_name
from qddot.expressions.parser import expression
from qddot.model.model import Model
from qddot.numbers.nodes import GraphNumbers
from qddot.program.graph import Graph
from qddot.program.program import Program
from qddot.spatial import inner
from qddot.tracing import choice
from qddot.tracing.arms import Arm
from qddot.tracing.choice import Way
from qddot.tracing.trace import torques

TIME = "t"


class _State(NamedTuple):
    """This is a state of an arm in a graph, as nodes; p: the parameters."""

    arm: Arm
    t: Any
    q: Sequence[Any]
    qd: Sequence[Any]
    p: Sequence[Any]

    @property
    def damping(self) -> Sequence[Any]:
        return self.p[: self.arm.model.n]

    @property
    def hand(self) -> Sequence[Any]:
        return self.p[self.arm.model.n : 2 * self.arm.model.n]

    @property
    def gains(self) -> Sequence[Any]:
        """Returns the target, Kp and Kd."""
        return self.p[2 * self.arm.model.n :]


Law = Callable[[_State], Sequence[Any]]


def motion(model: Model, law: str, texts: Sequence[str]) -> dict[str, Any]:
    """Returns the module, the names of the accounts, and how many numbers a state and the parameters are.

    law: one of LAWS; texts: each joint's torque where the law is "expression", of t, coordinates, rates and symbols
    raises QddotError: a symbol without a value, an expression that is not one
    """
    missing = sorted(model.used_symbols - set(model.defaults()))
    if missing:
        raise QddotError(f"no value for {', '.join(missing)}", where=model.name, remedy="give them values")
    if law not in LAWS:
        raise QddotError(f"law {shortened(law)}", expected=", ".join(LAWS))
    torque = _expressions(model, texts) if law == EXPRESSION else LAWS[law]
    accounts = ["work", "hand", "damping", *accounts_of(body.joint for body in model.moving())]
    size, parameters = 2 * model.n + len(accounts), 2 * model.n + (model.n + 2 if law == COMPUTED else 0)
    programs = [_program(model, torque, accounts, size, parameters, kind) for kind in (_rates, _readings)]
    return {"module": javascript.module(programs), "accounts": accounts, "size": size, "parameters": parameters}


def _program(
    model: Model, torque: Law, accounts: Sequence[str], size: int, parameters: int, kind: Callable[..., Any]
) -> Program:
    values, n = model.defaults(), model.n

    def written(way: Way) -> Program:
        graph = Graph()
        (t,), x, p = graph.input(TIME), graph.input("x", (size,)), graph.input("p", (parameters,))
        q, qd = x[:n], x[n : 2 * n]
        state = _State(Arm(model, graph, {"q": q, "qd": qd}, values, way.frames), t, q, qd, p)
        name, found = kind(state, torque(state), accounts[3:], way.algorithm)
        return graph.program(name, {"out": found})

    return choice.shortest(written, (), torques(model, values, ()), algorithms(model))


def _rates(state: _State, tau: Sequence[Any], losses: Sequence[str], algorithm: str) -> tuple[str, list[Any]]:
    """Returns q̇, q̈ and the powers of all accounts."""
    left = [u + f - c * rate for u, f, c, rate in zip(tau, state.hand, state.damping, state.qd, strict=True)]
    arm = state.arm.in_motion(tau=left)
    heat = inner(state.damping, [rate * rate for rate in state.qd])
    powers = [
        inner(tau, state.qd),
        inner(state.hand, state.qd),
        heat,
        *(arm.dynamics.loss(account) for account in losses),
    ]
    return "rates", [*state.qd, *arm.accelerations(algorithm), *powers]


def _readings(state: _State, tau: Sequence[Any], *_: Any) -> tuple[str, list[Any]]:
    """Returns K, P of gravity and springs, and the motors' torques."""
    dynamics = state.arm.dynamics
    return "readings", [dynamics.kinetic_energy(), dynamics.potential_energy() + dynamics.spring_energy(), *tau]


def _none(state: _State) -> Sequence[Any]:
    return [0] * state.arm.model.n


def _gravity(state: _State) -> Sequence[Any]:
    """Returns G(q), which holds the arm wherever it is."""
    return state.arm.dynamics.gravity_torques()


def _computed(state: _State) -> Sequence[Any]:
    """Returns M (Kp (target − q) − Kd q̇) + h + G + springs + friction. Source: Lynch & Park 2017, §11.4.2."""
    *target, kp, kd = state.gains
    wanted = [kp * (goal - q) - kd * rate for goal, q, rate in zip(target, state.q, state.qd, strict=True)]
    return state.arm.in_motion(qdd=wanted).dynamics.inverse_dynamics()


def _expressions(model: Model, texts: Sequence[str]) -> Law:
    """Returns the law that some texts say."""
    if len(texts) != model.n:
        raise QddotError(f"{len(texts)} torques", expected=f"{model.n}, one for each joint")
    rates = {name: rate_name(name) for name in model.coordinates}
    known = {TIME, *model.coordinates, *rates.values(), *model.defaults()}
    parsed = []
    for name, text in zip(model.coordinates, texts, strict=True):
        value = expression(str(text) if str(text).strip() else "0")
        if unknown := sorted(value.symbols() - known):
            remedy = near(unknown[0], sorted(known))
            expected = f"{TIME}, coordinates, rates such as {rates[name]}, symbols with a value"
            raise QddotError(f"{unknown[0]!r} in the torque of {name}", expected=expected, remedy=remedy)
        parsed.append(value)

    def law(state: _State) -> Sequence[Any]:
        named = {TIME: state.t, **dict(zip(model.coordinates, state.q, strict=True))}
        named |= dict(zip(rates.values(), state.qd, strict=True))
        numbers = GraphNumbers(state.arm.graph, {**state.arm.numbers.symbols, **named}, {})
        return [value.evaluate(numbers) for value in parsed]

    return law


COMPUTED, EXPRESSION = "computed", "expression"
LAWS: Mapping[str, Law] = {"none": _none, "gravity": _gravity, COMPUTED: _computed, EXPRESSION: _none}
