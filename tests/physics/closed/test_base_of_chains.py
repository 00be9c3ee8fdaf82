"""Base parameters of closed chains: as many as torques tell apart where loops are closed, and they give the torques."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chains import chain
from refusals import refusal
from test_bicycle import BICYCLE, CARRIERS
from test_over_constrained import mechanism

import qddot
from qddot.algebra.numbers.floats import Floats
from qddot.apps.cli import main
from qddot.base.errors import EvaluationError, QddotError
from qddot.exact.forms.base.of_chains import ChainBaseParameters
from qddot.faces.closed_chain import ClosedChain
from qddot.formats.toml import loop_tables
from qddot.machine.numeric.manifold import difference, integrate

COUNTS = {
    "four_bar": 8,
    "five_bar": 11,
    "slider_crank": 6,
    "delta": 12,
    "tilted": 8,
    "scara_parallelogram": 5,
    "spatial": 19,
    "unicycle": 11,
    "rolling_disc": 19,
    "bicycle": 48,
    "bennett": 9,
    "cranks": 3,
}
NAMES = [
    pytest.param(name, marks=[pytest.mark.thorough] * (name in ("bicycle", "spatial", "bennett"))) for name in COUNTS
]
IN_NUMBERS = ("scara_parallelogram", "unicycle", "bicycle", "bennett", "cranks")


@cache
def named(name: str) -> ClosedChain:
    if name in ("bennett", "cranks"):
        return mechanism(name)
    return bicycle() if name == "bicycle" else chain(name)


@cache
def bicycle() -> ClosedChain:
    text, parent = 'name = "bicycle"\nconvention = "tree"\ngravity = [0, 0, 9.81]\n', "base"
    for name, (kind, axis) in CARRIERS.items():
        text += f'[[link]]\nname = "{name}"\nparent = "{parent}"\n'
        text += f'joint = {{ type = "{kind}", axis = {axis}, coordinate = "{name}" }}\n'
        parent = name
    return ClosedChain(loop_tables.loads(text + BICYCLE, "bicycle"), ("rear", "lean", "steer"))


@cache
def base(name: str) -> ChainBaseParameters:
    return named(name).base_parameters()


@cache
def states(name: str, number: int = 60) -> list[tuple[Any, Any, Any]]:
    """States (q, q̇, q̈) with closed loops on short steps from the chain's configuration."""
    one, random = named(name), np.random.default_rng(3)
    q = one.some_assembly().q if one._near is None else one._assembled(None).q
    found: list[tuple[Any, Any, Any]] = []
    while len(found) < number:
        u, u_rates = random.normal(size=(2, one.m))
        step = one.velocities(q, u)
        step *= 0.2 / np.linalg.norm(step)
        try:
            there = one.assemble(integrate(one.tree.model, q, step)).q
        except QddotError:
            continue
        if np.abs(difference(one.tree.model, q, there)).max() < 0.5:
            q = there
            qd = one.velocities(q, u)
            found.append((q, qd, one.accelerations(q, qd, u_rates)))
    return found


def onto(name: str, state: tuple[Any, Any, Any], **extra: bool) -> Any:
    """Rᵀ Y in floats."""
    one = named(name)
    R = np.stack([one.velocities(state[0], unit) for unit in np.eye(one.m)], axis=-1)
    return np.matmul(R.T, one.tree.regressor(*state, **extra))


@pytest.mark.parametrize("name", NAMES)
def test_there_are_as_many_as_torques_tell_apart(name: str) -> None:
    stacked = np.concatenate([onto(name, state) for state in states(name)])
    sizes = np.linalg.svd(stacked / np.maximum(np.abs(stacked).max(axis=0), 1e-3), compute_uv=False)
    rank = len(base(name))
    assert rank == COUNTS[name]
    assert sizes[rank - 1] > 1e3 * (sizes[rank] if rank < len(sizes) else 0), sizes


@pytest.mark.parametrize("name", NAMES)
def test_they_give_the_torques(name: str) -> None:
    one, parameters = named(name), base(name)
    values = parameters.values()
    for state in states(name)[:8]:
        torques = one.inverse_dynamics(*state)
        assert onto(name, state)[:, parameters.columns] @ values == pytest.approx(torques, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_what_was_found_in_numbers_says_so(name: str) -> None:
    parameters = base(name)
    assert bool(parameters.states) == (name in IN_NUMBERS)
    assert ("verified to" in str(parameters)) == (name in IN_NUMBERS)


def test_a_point_mass_at_the_pin_belongs_to_either_link() -> None:
    formulas = base("four_bar").formulas
    assert formulas["mx2"] == "mx2 + b/c*mx3"
    assert base("slider_crank").formulas["Izz2"] == "Izz2 + l**2*m3"


def test_a_wheel_that_rolls_is_a_mass() -> None:
    assert base("unicycle").formulas["m2"] == "m2 + m3 + m4 + 100*Iyy4"  # r = 0.1


def test_combinations_hold_at_other_lengths() -> None:
    bars = chain("four_bar")
    parameters, values = base("four_bar"), {"a": 0.17, "c": 0.44, "m2": 3.0}
    changed = bars.with_values(**values)
    q = changed.assemble([0.7, -0.5, 1.5]).q
    qd = changed.velocities(q, [1.3])
    qdd = changed.accelerations(q, qd, [0.4])
    R = changed.velocities(q, [1.0])
    Y = changed.tree.regressor(q, qd, qdd)[:, parameters.columns]
    assert R @ Y @ parameters.values(**values) == pytest.approx(changed.inverse_dynamics(q, qd, qdd)[0], rel=1e-12)


@pytest.mark.parametrize("name", ["four_bar", "delta", "unicycle"])
def test_the_exact_regressor_has_the_same_numbers(name: str) -> None:
    one, parameters, state = named(name), base(name), states(name)[3]
    of, tree = one.equations().reduced.coefficients, one.tree.model
    q, qd, qdd = (
        dict(zip(names, map(float, part), strict=True))
        for names, part in zip((tree.positions, tree.coordinates, tree.coordinates), state, strict=True)
    )
    numbers = Floats(tree.defaults(), q, qd, qdd)
    for each in (*of.first_named, *of.second_named):
        top, bottom = each.numerator.evaluate(numbers), each.denominator.evaluate(numbers)
        numbers = Floats({**numbers.symbols, each.name: top / bottom}, q, qd, qdd)
    values = parameters.regressor.values(numbers)
    assert np.asarray(values, dtype=float) == pytest.approx(
        onto(name, state)[:, parameters.columns], rel=1e-9, abs=1e-9
    )


def test_joints_that_turn_alike_have_one_friction() -> None:
    parameters = chain("scara_parallelogram").base_parameters(friction=True, armature=True)
    assert "Fv_q4" in parameters.formulas["Fv_q3"] and "Fc_q4" in parameters.formulas["Fc_q3"]
    assert len(chain("four_bar").base_parameters(friction=True)) == 8 + 6


def test_a_symbol_of_the_geometry_needs_a_value() -> None:
    text = (Path(qddot.__file__).parent / "robot/zoo/closed/four_bar.toml").read_text(encoding="utf-8")
    unknown = ClosedChain(loop_tables.loads(text.replace("b = { value = 0.5,", "b = {"), "bars"))
    with refusal(EvaluationError, "value-missing", "b"):
        unknown.base_parameters()
    massless = ClosedChain(loop_tables.loads(text.replace("m2 = { value = 2.0,", "m2 = {"), "bars"))
    with refusal(EvaluationError, "value-missing", "m2"):
        massless.base_parameters().values()


def test_the_command_takes_chains(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["base", "four_bar"]) == 0
    assert "8 base parameters of 30" in capsys.readouterr().out
    assert main(["base", "unicycle", "--set", "r=0.2", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["base"]["m2"] == "m2 + m3 + m4 + 25*Iyy4" and "verified" in said["rounding"]


@pytest.mark.parametrize("name", ["four_bar", "delta", "slider_crank"])
def test_frames_by_which_loops_hold_links_have_no_parameters(name: str) -> None:
    one = chain(name).base_parameters()
    bodies = chain(name).model.tree.bodies
    frames = [k for k, body in enumerate(bodies, 1) if body.name.endswith(("_first", "_second"))]
    assert frames and str(one).startswith(f"{COUNTS[name]} base parameters of {10 * (len(bodies) - len(frames))}")
    named = {*one.combined, *one.identifiable, *one.unidentifiable}
    assert len(named) == 10 * (len(bodies) - len(frames))
    assert not any(each.endswith(tuple(map(str, frames))) for each in named if not each.endswith("0"))
