"""Each effect has its laws, and a new one is a file, a line and its words: everything else walks the list."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from physical import physical
from refusals import refusal

import qddot
from qddot.algebra.expressions.expression import Expression
from qddot.algebra.numbers.floats import Floats
from qddot.algebra.numbers.in_motion import InMotion
from qddot.base.errors import QddotError
from qddot.robot.effects.effect import Effect, Motion
from qddot.robot.effects.kinds import KINDS

ROOT = Path(qddot.__file__).parent
CUBIC = '''
"""Defines friction that grows with the cube of the rate."""

from __future__ import annotations

from typing import ClassVar

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.spatial import Number
from qddot.base.records import record
from qddot.base.words.message import Message, say
from qddot.robot.effects.effect import Effect, Motion, Units


@record(slots=True)
class Cubic(Effect):
    coefficient: Expression
    key: ClassVar[str] = "cubic"
    part: ClassVar[str] = "friction"
    units: ClassVar[Units] = (("N m s³/rad³",), ("N s³/m³",))
    account: ClassVar[str] = "cubic"
    heat: ClassVar[str] = "cubic friction"
    parameter: ClassVar[str] = "F3"
    linear: ClassVar[str] = "coefficient"
    reflected: ClassVar[int] = 4
    in_table: ClassVar[Message] = say("cubic-in-table")
    because: ClassVar[Message] = say("why-cubic")
    lost: ClassVar[Message] = say("loss-of-cubic")

    def torque(self, at: Motion) -> Number:
        return self.coefficient * (at.qd * at.qd * at.qd)

    def loss(self, at: Motion) -> Number:
        return self.coefficient * (at.qd * at.qd * at.qd * at.qd)
'''
SEEN = """
import numpy as np, qddot
arm = qddot.loads(qddot.load("two_link").with_values(m1=1, m2=2, l=1).to_toml().replace(
    'coordinate = "q1"', 'coordinate = "q1", cubic = "k"').replace("[symbols]", "[symbols]\\nk = {value = 0.5}", 1))
assert "k*qd1**3" in str(arm.equations().friction), arm.equations().friction
assert {each.verdict for each in arm.prove().identities} == {"proved"}
assert 'cubic = "k"' in arm.to_toml() and qddot.loads(arm.to_toml()).model.bodies == arm.model.bodies
q, qd, qdd = np.array([[0.3, 0.4], [1.5, -2.0], [0.1, 0.2]])
still = arm.inverse_dynamics(q, qd, qdd, k=0)
assert np.allclose(arm.inverse_dynamics(q, qd, qdd) - still, [0.5 * 1.5**3, 0])
Y, pi = arm.regressor(q, qd, qdd, friction=True), arm.dynamic_parameters(friction=True)
assert Y.shape[1] == 26 and np.allclose(Y @ pi, arm.inverse_dynamics(q, qd, qdd))
run = arm.simulate([0.3, 0.4], [1, -2], 1, 0.1)
assert run.energy.losses["cubic"][-1] > 0 and run.energy.check(1e-9)
assert not qddot.diff(arm, arm.with_values(k=0.7))
from qddot.apps.cli import main
open("arm.toml", "w").write(arm.to_toml())
assert main(["show", "arm.toml"]) == 0
assert main(["report", "arm.toml", "-o", "arm.md"]) == 0 and "cubic friction" in open("arm.md").read()
assert main(["derive", "arm.toml", "--why", "tau1"]) == 0
try:
    arm.bounds({"qd": 1, "qdd": 1}, seconds=1)
    raise AssertionError("bounds without a law of the effect")
except qddot.base.errors.QddotError as error:
    assert error.code == "effect-without-bound", error
assert main(["export", "arm.toml", "--code", "c", "--functions", "inverse_dynamics", "--folder", "c"]) == 0
print("seen")
"""
WORDS = {
    "papers.toml": 'cubic-in-table = "cubic"\n',
    "exact.toml": 'why-cubic = "cubic friction against the motion"\n',
    "motion.toml": 'loss-of-cubic = "loss: cubic"\n',
    "documents/report.toml": '"cubic" = "cubic friction"\n',
}


def test_a_new_effect_is_a_file_a_line_and_its_words(tmp_path: Path) -> None:
    copy = tmp_path / "qddot"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / "robot" / "effects" / "cubic.py").write_text(CUBIC.lstrip(), encoding="utf-8")
    kinds = copy / "robot" / "effects" / "kinds.py"
    text = kinds.read_text(encoding="utf-8").replace("(Viscous, ", "(Cubic, Viscous, ")
    kinds.write_text(
        text.replace("\n\nKINDS", "\nfrom qddot.robot.effects.cubic import Cubic\n\nKINDS"), encoding="utf-8"
    )
    for name, line in WORDS.items():
        for language in ("en", "zh"):
            catalogue = copy / "base" / "words" / language / name
            lines = catalogue.read_text(encoding="utf-8")
            if name.startswith("documents"):
                lines = lines.replace('"coulomb" =', f'{line}"coulomb" =', 1)
            else:
                lines = line + lines
            catalogue.write_text(lines, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "QDDOT_CACHE": str(tmp_path / "cache")}
    run = subprocess.run(
        [sys.executable, "-c", SEEN], capture_output=True, text=True, env=environment, cwd=tmp_path, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.endswith("seen\n")


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_the_power_of_each_effect_is_stored_or_lost(kind: type[Effect]) -> None:
    """q̇ τ = dK/dt + dP/dt + loss, along q = sin t with the derivatives of sums of squares by differences."""
    second: dict[str, Any] = {kind.second: "theta"} if kind.second else {}
    described = kind(**dict(zip(kind.names(), (0.7, 0.3), strict=False)), **second)
    effect = described.over(Floats({}, {}))

    def at(t: float) -> Motion:
        rate, function = np.cos(t), described.of_rate(Expression.of("qd"))
        numbers = InMotion(Floats({}, {"q": np.sin(t)}, {"q": rate}), ("q",), ())
        value = 0 if function is None else function.evaluate(numbers)
        return Motion(np.sin(t), rate, -np.sin(t), float(np.sign(rate)), value)

    def stored(t: float) -> float:
        return float(effect.kinetic_energy(at(t)) + effect.potential_energy(at(t)))

    for t in (0.3, 1.1, 2.5, 4.0):
        rate = (stored(t + 1e-6) - stored(t - 1e-6)) / 2e-6
        power = at(t).qd * effect.torque(at(t))
        assert power == pytest.approx(rate + effect.loss(at(t)), abs=1e-8)
        if kind.linear:
            twice = kind.with_numbers({**dict.fromkeys(kind.names(), 0), kind.linear: 1.4})
            assert twice.torque(at(t)) == pytest.approx(2 * effect.torque(at(t)))


def test_friction_of_a_joint_by_hand() -> None:
    arm = physical(qddot.load("elbow_3r"))
    rough = arm.with_friction(damping=0.1, coulomb=0.2, drag=[0.3, 0, 0.1], offset=[0.05, -0.1, 0])
    rng = np.random.default_rng(0)
    q, qd, qdd = rng.normal(size=(3, 50, 3))
    sign = np.sign(qd)
    right = 0.1 * qd + 0.2 * sign + np.array([0.3, 0, 0.1]) * qd**2 * sign + np.array([0.05, -0.1, 0])
    change = rough.inverse_dynamics(q, qd, qdd) - arm.inverse_dynamics(q, qd, qdd)
    assert change == pytest.approx(right, abs=1e-12)
    assert rough.forward_dynamics(q, qd, rough.inverse_dynamics(q, qd, qdd)) == pytest.approx(qdd, abs=1e-9)
    assert {each.verdict for each in rough.prove().identities} == {"proved"}
    Y, pi = rough.regressor(q, qd, qdd, True, True), rough.dynamic_parameters(True, True)
    assert Y @ pi == pytest.approx(rough.inverse_dynamics(q, qd, qdd), abs=1e-10)
    smooth = rough.with_friction(damping=0, coulomb=0, drag=0, offset=0)
    assert smooth.model == arm.model


def test_bounds_of_torques_hold_with_drag_and_constant_torques() -> None:
    arm = physical(qddot.load("spatial_2r")).with_friction(coulomb=0.2, drag=0.5, offset=[0.3, -0.4])
    bounds = arm.bounds({"qd": 2, "qdd": 1}, seconds=2)
    rng = np.random.default_rng(1)
    q, qd, qdd = (
        rng.uniform(-np.pi, np.pi, (20000, 2)),
        rng.uniform(-2, 2, (20000, 2)),
        rng.choice([-1.0, 1], (20000, 2)),
    )
    tau = arm.inverse_dynamics(q, qd, qdd)
    for k, name in enumerate(arm.model.coordinates):
        assert bounds[f"tau_{name}_max"].proven >= tau[:, k].max() >= 0.8 * bounds[f"tau_{name}_max"].found
        assert bounds[f"tau_{name}_min"].proven <= tau[:, k].min()


def test_bounds_of_a_chain_hold_with_drag_in_its_joints() -> None:
    """At u = ±1 drag in a joint that follows pulls with d R² times its own share R, which may exceed 1."""
    chain = qddot.load_closed_chain("four_bar").with_friction(drag=5)
    bounds = chain.bounds({"qd": 1, "qdd": 0}, seconds=3)
    tau = []
    for angle in np.linspace(-np.pi, np.pi, 400):
        q = chain.assemble({"q1": angle}).q
        for rate in (-1.0, 1.0):
            qd = chain.velocities(q, [rate])
            tau.append(chain.inverse_dynamics(q, qd, chain.accelerations(q, qd, [0.0]))[0])
    assert bounds["tau_q1_max"].proven >= max(tau) >= 0.95 * bounds["tau_q1_max"].found
    assert bounds["tau_q1_min"].proven <= min(tau)


def test_states_that_friction_may_hold_have_no_exact_linear_model() -> None:
    arm = qddot.load("acrobot")
    slow = arm.with_friction(drag=0.5).equations().linearize([0, 0])
    assert slow.stiffness == arm.equations().linearize([0, 0]).stiffness
    with refusal(QddotError, "coulomb-friction-there"):
        arm.with_friction(coulomb=0.5).equations().linearize([0, 0])


def test_energy_is_kept_in_account_with_every_effect() -> None:
    arm = qddot.load("acrobot").with_friction(damping=0.1, coulomb=0.05, drag=0.2, offset=0.3)
    run = arm.simulate([1.0, 0.4], [0.0, 1.0], 3.0, 0.1)
    assert run.energy.check(1e-8)
    losses: dict[str, Any] = dict(run.energy.losses)
    assert {"viscous", "coulomb", "drag", "offset"} <= set(losses)
    assert (np.diff(losses["drag"]) >= -1e-12).all()


@pytest.mark.parametrize("friction", [{"drag": -1}, {"coulomb": -1}, {"damping": -0.1}])
def test_friction_that_creates_energy_is_refused(friction: dict[str, float]) -> None:
    with refusal(QddotError, "effect-negative"):
        qddot.load("two_link").with_friction(**friction)


def test_effects_for_other_programs_are_refused_where_these_lack_them() -> None:
    with refusal(QddotError, "effect-in-certificate", "drag"):
        qddot.load("two_link").with_friction(drag=1).certificate()
