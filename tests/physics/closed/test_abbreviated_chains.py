"""Short models of closed chains keep the loops, and their equations differ by no more than their errors say."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chains import chain, driven, whipple
from commands import run
from compiling import compile_c
from numpy.typing import NDArray
from refusals import refusal

import qddot
from qddot.base.errors import EvaluationError, ModelError
from qddot.exact.forms.abbreviate import AbbreviatedChain
from qddot.faces.closed_chain import ClosedChain

Array = NDArray[np.float64]
# names, arguments of `abbreviate`, and ranges from which configurations are drawn, of coordinates that determine them
CASES: dict[str, tuple[dict[str, Any], dict[str, tuple[float, float]]]] = {
    "four_bar": ({"significance": 0.05, "region": {"q1": (0, 1)}, "m3": 0.01, "I3": 1e-4}, {"q1": (0, 1)}),
    "delta": ({"significance": 0.6, "against_joint": 0.08}, dict.fromkeys(("q1", "q2", "q3"), (-0.5, 0.5))),
    "robotiq_2f85": ({"significance": 0.05}, {"q1": (0, 0.8), "q2": (-0.25, 0.7), "q3": (-0.25, 0.7)}),
    "bicycle": (
        {"significance": 0.05, "region": {"lean": (-0.3, 0.3), "delta": (-0.5, 0.5)}},
        {"lean": (-0.3, 0.3), "delta": (-0.5, 0.5), "yaw": (-3, 0)},
    ),
}
EVERY_CASE = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.thorough] * (name != "four_bar")) for name in CASES]
)


@cache
def full(name: str) -> ClosedChain:
    symbols = {key: value for key, value in CASES[name][0].items() if key in ("m3", "I3")}
    whole = whipple() if name == "bicycle" else chain(name)
    return whole.with_values(**symbols) if symbols else whole


@cache
def short(name: str) -> AbbreviatedChain:
    whole = whipple() if name == "bicycle" else chain(name)
    return whole.equations().abbreviate(**CASES[name][0])


@cache
def configurations(name: str, number: int = 15) -> Array:
    """Closed configurations in the region, by assembly from random coordinates."""
    whole, region, random = full(name), short(name).links.region.q, np.random.default_rng(5)
    middle, found = {key: sum(ends) / 2 for key, ends in region.items()}, list[Array]()
    for _ in range(20 * number):
        drawn = {key: random.uniform(*ends) for key, ends in CASES[name][1].items()}
        with suppress(EvaluationError):
            q = whole.assemble(middle | drawn).q
            inside = all(low <= x <= high for x, (low, high) in zip(q, region.values(), strict=True))
            found += [q] if inside else []
        if len(found) == number:
            break
    assert len(found) == number
    return np.array(found)


def states(name: str) -> tuple[Array, Array, Array, Array]:
    """Configurations, R, and rates and accelerations of the independent coordinates."""
    q, whole, random = configurations(name), full(name), np.random.default_rng(6)
    R = np.stack([whole.velocities(q, np.tile(unit, (len(q), 1))) for unit in np.eye(whole.m)], axis=-1)
    return q, R, *random.uniform(-1, 1, size=(2, len(q), whole.m))


def allowed(form: AbbreviatedChain, R: Array, qd: Array, qdd: Array) -> Array:
    """The largest errors of M̄ u̇ + h̄ + Ḡ that the proven bounds of the links' entries allow."""
    errors, (first, second) = form.links.errors, np.triu_indices(qd.shape[1], 1)
    links = (
        np.abs(qdd) @ errors["M"].T
        + np.abs(qd[:, first] * qd[:, second]) @ errors["B"].T
        + qd**2 @ errors["C2"].T
        + errors["G"]
    )
    return np.einsum("skj,sk->sj", np.abs(R), links)


@pytest.mark.slow
@EVERY_CASE
def test_torques_and_accelerations_stay_within_the_proven_bounds(name: str) -> None:
    form, whole = short(name), full(name)
    q, R, u, ud = states(name)
    qd, few = whole.velocities(q, u), form.numeric
    qdd = whole.accelerations(q, qd, ud)
    most = allowed(form, R, qd, qdd)
    tau = whole.inverse_dynamics(q, qd, qdd)
    error = np.abs(few.inverse_dynamics(q, qd, qdd) - tau)
    assert (error <= most * (1 + 1e-9) + 1e-9).all()
    assert error.max() > 1e-6  # something was dropped
    # M̄ Δu̇ of the short model is what its torques lack
    torques = np.zeros((len(q), whole.n))
    torques[:, [whole.model.tree.coordinates.index(key) for key in whole.independent]] = tau
    own = [whole.model.tree.coordinates.index(key) for key in whole.independent]
    moved = (few.forward_dynamics(q, qd, torques) - whole.forward_dynamics(q, qd, torques))[:, own]
    lacking = np.einsum("sij,sj->si", few.mass_matrix(q), moved)
    assert (np.abs(lacking) <= most * (1 + 1e-6) + 1e-8).all()


@EVERY_CASE
def test_errors_of_a_sample_are_those_of_other_configurations(name: str) -> None:
    form = short(name)
    exact, few = full(name).equations(), ClosedChain(form.model, full(name).independent).equations()
    for q in configurations(name)[:5]:
        right, approximate = exact.at(q), few.at(q)
        for of, errors in form.errors.items():
            error = np.abs(approximate[of] - right[of]).reshape(errors.shape)
            # the sample may miss the very largest one
            assert (error <= 1.3 * errors + 1e-9 * np.abs(right[of]).max(initial=1.0)).all(), of


@EVERY_CASE
def test_a_short_model_has_fewer_operations_and_the_same_loops(name: str) -> None:
    form, whole = short(name), full(name)
    assert form.operations < form.exact_operations == whole.program("inverse_dynamics").total_operations
    q = configurations(name, 3)
    u = np.ones((3, whole.m))
    np.testing.assert_allclose(form.numeric.velocities(q, u), whole.velocities(q, u), rtol=1e-12, atol=1e-12)
    assert np.linalg.eigvalsh(form.numeric.mass_matrix(q)).min() > 0
    for sentence in (f"{form.operations} operations in inverse dynamics", "M̄ positive definite: "):
        assert sentence in str(form)


def test_nothing_is_dropped_where_everything_matters() -> None:
    form = chain("four_bar").equations().abbreviate(1e-9, 1e-9)
    assert all((error == 0).all() for error in form.errors.values())
    assert "have no errors there" in str(form)
    whole = chain("four_bar").with_values(m2=2.123456789)
    form, q = whole.equations().abbreviate(1e-9, 1e-9), whole.some_assembly().q
    error = np.abs(form.numeric.mass_matrix(q) / whole.mass_matrix(q) - 1)
    assert 0 < error.max() < 1e-4  # six digits of numbers, of which a quarter is left in their sum


def test_a_region_may_be_narrow_and_far_from_the_chains_configuration() -> None:
    form = chain("four_bar").equations().abbreviate(region={"q1": (0.5, 0.501)})
    assert form.links.region.q["q1"] == (0.5, 0.501)
    q = chain("four_bar").assemble({"q1": 0.5005, "q2": -1.5, "q3": -1.8}).q
    assert all(low <= x <= high for x, (low, high) in zip(q, form.links.region.q.values(), strict=True))
    np.testing.assert_allclose(chain("four_bar").mass_matrix(q)[0, 0], form.largest["M"][0, 0], rtol=0.01)


@pytest.mark.thorough
def test_nearly_singular_configurations_do_not_hide_the_others() -> None:
    """M̄ of the five-bar by both of its left joints is fifty times as large near its singular configurations."""
    whole = driven("five_bar", "q1", "q2")
    form = whole.equations().abbreviate(0.1, 0.01)
    assert form.largest["M"].max() > 3
    q = np.array([whole.assemble({"q1": x, "q2": -1.2, "q3": 1.0, "q4": 1.2}).q for x in np.linspace(1.8, 2.2, 20)])
    M = whole.mass_matrix(q)
    unit = np.sqrt(np.einsum("skk->sk", M))
    error = np.abs(form.numeric.mass_matrix(q) - M) / (unit[:, :, None] * unit[:, None, :])
    assert error.max() < 0.2


@pytest.mark.slow
def test_it_is_a_chain_that_exports_and_simulates(tmp_path: Path) -> None:
    form, whole = short("four_bar"), full("four_bar")
    few = ClosedChain(form.model)
    q = whole.assemble({"q1": 0.5, "q2": -0.5, "q3": 1.5}).q
    assert few.independent == whole.independent
    few.export("c", ["inverse_dynamics", "forward_dynamics"], tmp_path)
    few.export("python", ["inverse_dynamics"], tmp_path)
    compile_c(tmp_path / "four_bar_abbreviated.c", tmp_path / "test", "-DQDDOT_SELFTEST")
    subprocess.run([str(tmp_path / "test")], check=True)  # the self-test compares with values that other code computed
    subprocess.run([sys.executable, str(tmp_path / "four_bar_abbreviated.py")], check=True)
    motion = few.simulate(q, whole.velocities(q, [1.0]), duration=0.3)
    right = whole.simulate(q, whole.velocities(q, [1.0]), duration=0.3)
    assert np.abs(whole.closure(motion.q[-1])[0]).max() < 1e-9
    np.testing.assert_allclose(motion.q[-1], right.q[-1], atol=0.02)
    certificate = {line.name for line in few.prove().identities}
    assert "A R = 0" in certificate and not any("Newton" in name for name in certificate)
    with refusal(ModelError, "entries-for-no-other"):
        few.vectors()
    with refusal(EvaluationError, "value-in-equations", "m3", "0.01"):
        few.mass_matrix(q, m3=2.0)
    with refusal(EvaluationError, "value-in-equations", "a"):
        few.with_values(a=0.3)


@pytest.mark.thorough
def test_a_budget_raises_the_thresholds() -> None:
    eq = chain("robotiq_2f85").equations()
    form = eq.abbreviate(budget=320)
    assert form.operations <= 320
    assert form.links.significance["M"] > 0.01
    with refusal(qddot.QddotError, "abbreviations-exceed-budget", "3"):
        eq.abbreviate(budget=3)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"significance": 0}, "significance of M = 0; expected a number above 0 and below 1"),
        ({"region": {"q2": (1, -1)}}, "from 1 to -1; expected the lower bound first"),
        ({"region": {"q9": (0, 1)}}, "the region has 'q9'"),
        ({"region": {"xd": (0, 1)}}, "the region has 'xd'"),
        ({"region": {"q1": (0.5, 0.5)}}, "from 0.5 to 0.5; expected the lower bound first"),
        ({"region": {"x": (5, 6)}}, "0 closed configurations in the region x in [5, 6]"),
        ({"m9": 1}, "no symbol 'm9'"),
    ],
)
def test_mistakes_are_named(options: dict[str, Any], said: str) -> None:
    with pytest.raises(qddot.QddotError) as caught:
        chain("delta").equations().abbreviate(**options)
    assert said in str(caught.value)


def test_chains_that_do_not_move_are_refused() -> None:
    light = dict.fromkeys(("m1", "m2", "m3", "I1", "I2", "I3"), 0)
    with refusal(EvaluationError, "arm-without-inertia"):
        chain("four_bar").equations().abbreviate(**light)
    with refusal(EvaluationError, "no-configuration-found"):
        chain("four_bar").equations().abbreviate(a=9)


def test_the_command_prints_short_chains(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    line = ("--set", "m3=0.01", "--set", "I3=0.0001", "--region", "q1=0:1", "--significance", "0.05")
    code, said, _ = run(capsys, "abbreviate", "four_bar", *line, "--code", "c", "--folder", str(tmp_path))
    form = short("four_bar")
    assert code == 0
    assert said.startswith(str(form).splitlines()[0])
    assert "C̄211: error" in said and "four_bar_abbreviated.c" in said
    told = json.loads(run(capsys, "abbreviate", "four_bar", *line, "--json")[1])
    assert told["operations"] == form.operations and told["independent"] == ["q1"]
    errors = {each["entry"]: each["error"] for each in told["of_chain"]}
    assert errors["M̄11"] == form.errors["M"][0, 0]
    said = run(capsys, "abbreviate", "four_bar", *line, "--format", "latex")[1]
    assert said.strip() == form.latex().strip()
    assert "M̄11" in form._repr_html_()


@pytest.mark.slow
@pytest.mark.parametrize(("lang", "title"), [("en", "The abbreviated model"), ("zh", "简化模型")])
def test_reports_have_short_chains(lang: str, title: str, tmp_path: Path) -> None:
    whole = full("four_bar")
    path = whole.report(tmp_path / "report.md", lang, significance=0.3)
    short_model = path.read_text(encoding="utf-8").split(f"{title}\n")[1]
    form = whole.equations().abbreviate(0.3)
    assert str(form.operations) in short_model and str(form.exact_operations) in short_model
    rows = [line for line in short_model.splitlines() if line.startswith("| $M_{11}$")]
    assert len(rows) == 1 and "kg m²" in rows[0]


def test_equations_in_the_joints_own_angles_are_the_same() -> None:
    whole = chain("four_bar")
    eq = whole.equations()
    own, q = eq.in_joint_angles, whole.some_assembly().q
    state = (q, {"q1": 0.3}, {"q1": 0.4})
    for name in ("phi", "A", "R", "M", "h", "G", "tau"):
        np.testing.assert_allclose(own.at(*state)[name], eq.at(*state)[name], rtol=1e-9, atol=1e-12)
    assert "c12" in eq.text(["phi"]) and "c12" not in own.text(["phi"])
    assert own.in_joint_angles is own
    assert own.prove()
