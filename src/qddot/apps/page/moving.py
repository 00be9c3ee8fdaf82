"""Writes the motion of an arm as JavaScript: a step of RK4, and the quantities that are shown.

The state is (q, q̇, accounts): the work of the motors, that of the hand that pulls, and the losses [J]. The parameters
are each joint's damping and the hand's torque on it, then the target, Kp and Kd of the computed torque.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from qddot.algebra.expressions.names import rate_name
from qddot.algebra.expressions.parser import expression
from qddot.algebra.numbers.nodes import GraphNumbers
from qddot.algebra.spatial import inner
from qddot.base.errors import QddotError, check_one_of, near
from qddot.base.records import record
from qddot.base.words.message import say
from qddot.machine.compilers import javascript
from qddot.machine.tracing.traced import TracedArm
from qddot.motion.simulate.acting.drive import Drive, Nodes
from qddot.motion.simulate.plant import Plant
from qddot.motion.simulate.stepping.schemes import CLASSICAL, observer
from qddot.robot.model import Model
from qddot.robot.symbol_values import refuse_missing

TIME = "t"
Law = Callable[[TracedArm, Any, Sequence[Any]], Sequence[Any]]  # (arm, t, gains) → the motors' torques


@record(eq=False)
class Pulled(Drive):
    """In this drive the motors follow a law while a hand pulls; the work of each is a state of the drive.

    gains: the number of parameters of the law, which come after the hand's torques
    """

    n: int
    law: Law
    gains: int
    works = False  # since the ledger would count the hand's work as the motors'
    states = 2

    @property
    def parameter_size(self) -> int:  # type: ignore[override]
        return self.n + self.gains

    def torques(
        self, traced: TracedArm, state: tuple[Any, ...], discrete_state: Sequence[Any], own: Sequence[Any]
    ) -> tuple[Nodes, Any]:
        t, _, qd, _ = state
        hand, motors = own[: self.n], self.law(traced, t, own[self.n :])
        return [a + b for a, b in zip(motors, hand, strict=True)], [inner(motors, qd), inner(hand, qd)]


def motion(model: Model, law: str, texts: Sequence[str]) -> dict[str, Any]:
    """Returns the module, the names of the accounts, and the sizes of a state and of the parameters.

    The module has `step(t, h, state, parameters)` and `observe(state, [t], parameters)` → τ, K and P. Here τ has the
    sums of the motors' torques and the hand's, and P includes the springs' energy.

    law: one of LAWS; texts: each joint's torque where the law is "expression", of t, coordinates, rates and symbols
    raises QddotError: a symbol without a value, or an invalid expression
    """
    refuse_missing(model.used_symbols - set(model.defaults()), model.name, "give-values", QddotError)
    check_one_of(law, LAWS, "law", QddotError)
    torques = _expressions(model, texts) if law == EXPRESSION else LAWS[law]
    drive = Pulled(model.n, torques, model.n + 2 if law == COMPUTED else 0)
    plant = Plant(model, model.defaults(), (), damped=True, drive=drive)
    module = javascript.stepper(CLASSICAL.recurrence(plant), CLASSICAL.stages, observer(plant, in_momenta=False))
    accounts = ["work", "hand", *plant.ledger]
    return {"module": module, "accounts": accounts, "size": plant.state_size, "parameters": plant.parameter_size}


def _none(traced: TracedArm, t: Any, gains: Sequence[Any]) -> Sequence[Any]:
    return [0] * traced.model.n


def _gravity(traced: TracedArm, t: Any, gains: Sequence[Any]) -> Sequence[Any]:
    """Returns G(q), which holds the arm in any position."""
    return traced.dynamics.gravity_torques()


def _computed(traced: TracedArm, t: Any, gains: Sequence[Any]) -> Sequence[Any]:
    """Returns M (Kp (target − q) − Kd q̇) + h + G + springs + friction. Source: Lynch & Park 2017, §11.4.2."""
    *target, kp, kd = gains
    q, qd = traced.inputs["q"], traced.inputs["qd"]
    commanded = [kp * (goal - x) - kd * rate for goal, x, rate in zip(target, q, qd, strict=True)]
    return traced.in_motion(qdd=commanded).dynamics.inverse_dynamics()


def _expressions(model: Model, texts: Sequence[str]) -> Law:
    """Returns the law that is given by texts."""
    if len(texts) != model.n:
        raise QddotError("torques-joint", count=len(texts), n=model.n)
    rates = {name: rate_name(name) for name in model.coordinates}
    allowed = {TIME, *model.coordinates, *rates.values(), *model.defaults()}
    parsed = []
    for name, text in zip(model.coordinates, texts, strict=True):
        value = expression(str(text) if str(text).strip() else "0")
        if unknown := sorted(value.symbols() - allowed):
            remedy = near(unknown[0], sorted(allowed))
            expected = say("names-in-torques", time=TIME, rate=rates[name])
            raise QddotError(
                "unknown-torque-name", unknown=repr(unknown[0]), name=name, expected=expected, remedy=remedy
            )
        parsed.append(value)

    def law(traced: TracedArm, t: Any, gains: Sequence[Any]) -> Sequence[Any]:
        named = {TIME: t, **dict(zip(model.coordinates, traced.inputs["q"], strict=True))}
        named |= dict(zip(rates.values(), traced.inputs["qd"], strict=True))
        numbers = GraphNumbers(traced.graph, {**traced.numbers.symbols, **named}, {})
        return [value.evaluate(numbers) for value in parsed]

    return law


COMPUTED, EXPRESSION = "computed", "expression"
LAWS: Mapping[str, Law] = {"none": _none, "gravity": _gravity, COMPUTED: _computed, EXPRESSION: _none}
