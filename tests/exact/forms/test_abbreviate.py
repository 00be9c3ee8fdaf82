"""Short models keep within their bounds, and the bounds are near what states show."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import mpmath
import numpy as np
import pytest
from commands import run
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refusal
from scipy.optimize import differential_evolution
from shipped import robot

import qddot
from qddot.exact.forms.abbreviate import Abbreviated
from qddot.exact.forms.abbreviate.bounds import Factor, Term, enclosure, largest, values
from qddot.exact.forms.abbreviate.definite import definiteness
from qddot.faces.equations_of_motion import EquationsOfMotion
from qddot.machine.compilers import kernels

CASES: list[tuple[str, dict[str, Any]]] = [
    ("puma560_akb", {}),
    ("puma560_1986", {}),
    ("elbow_3r", {"significance": 0.1, "region": {"q2": (-1, 1), "q3": ("10deg", "80deg"), "qd1": (-3, 3)}}),
    ("elbow_3r", {"significance": 0.2, "allow_indefinite": True}),
    ("spatial_2r", {"significance": {"M": 0.3, "G": 0.05}}),
    ("rp", {"region": {"d2": (0.2, 1.5)}, "significance": 0.2}),
]


@cache
def short(case: int) -> Abbreviated:
    name, options = CASES[case]
    return robot(name).equations().abbreviate(**options)


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [pytest.param(k, marks=[pytest.mark.thorough] * (k < 2)) for k in range(len(CASES))],  # six joints take long
)
def test_what_is_dropped_stays_within_its_bounds(case: int) -> None:
    form = short(case)
    rng = np.random.default_rng(7)
    names = form.exact.model.coordinates
    inside = {q: (low, high) for q, (low, high) in form.region.q.items()}
    states = np.array([[rng.uniform(*inside[q]) for q in names] for _ in range(40)])
    corners = np.array([[rng.choice(inside[q]) for q in names] for _ in range(10)])
    exact_equations, short_equations = EquationsOfMotion(form.exact), qddot.Robot(form.model).equations()
    for state in np.vstack([states, corners]):
        exact, approximate = exact_equations.at(state), short_equations.at(state)
        for name in ("M", "B", "C2", "G"):
            error = np.abs(exact[name] - approximate[name])
            # the bound, and the rounding of both evaluations
            assert (error <= form.errors[name] + 1e-12 * (1 + np.abs(exact[name]))).all(), name


@pytest.mark.slow
@pytest.mark.parametrize("case", range(len(CASES)))
def test_bounds_are_at_most_three_times_what_single_states_show(case: int) -> None:
    form = short(case)
    for name in ("M", "B", "C2", "G"):
        seen, bound = form.observed[name], form.errors[name]
        assert (bound <= 3 * seen + 1e-9 * form.largest[name]).all(), name
        assert (bound >= seen).all()


def test_the_puma_takes_fewer_operations_than_in_1986() -> None:
    """The paper has 305 operations, without a bound; the exact model without the motors takes 299."""
    form = short(0)
    assert form.operations <= 280
    assert form.definite.verdict == "proved"
    assert f"{form.operations} operations in inverse dynamics, {form.exact_operations} exact" in str(form)
    # the entries of M that the paper prints, and no others
    entries = [place for place, entry in zip(form.M.places, form.M.entries, strict=True) if entry]
    kept = {f"{i + 1}{j + 1}" for i, j in entries if i <= j}
    assert kept == {"11", "12", "13", "22", "23", "33", "34", "35", "44", "55", "66"}


def test_it_is_an_arm_that_computes() -> None:
    form, rng = short(0), np.random.default_rng(3)
    q, qd, qdd = rng.uniform(-1, 1, size=(3, 50, 6))
    tau = form.numeric.inverse_dynamics(q, qd, qdd)
    exact = robot("puma560_akb").inverse_dynamics(q, qd, qdd)
    pairs = np.stack([qd[:, j] * qd[:, k] for j in range(6) for k in range(j + 1, 6)], axis=1)
    allowed = (
        np.abs(qdd) @ form.errors["M"].T
        + np.abs(pairs) @ form.errors["B"].T
        + qd**2 @ form.errors["C2"].T
        + form.errors["G"]
    )
    assert (np.abs(tau - exact) <= allowed + 1e-12).all()
    assert np.abs(tau - exact).max() > 1e-3
    np.testing.assert_allclose(form.numeric.forward_dynamics(q, qd, tau), qdd, rtol=1e-9)
    assert form.program("mass_matrix").total_operations < robot("puma560_akb").program("mass_matrix").total_operations


def test_nothing_is_dropped_where_everything_matters() -> None:
    form = robot("two_link").equations().abbreviate(1e-9, 1e-9)
    assert form.M.terms == EquationsOfMotion(form.exact).textbook().M.terms
    assert form.G.terms == 3
    # what is left is the rounding to six digits
    for name, errors in form.errors.items():
        assert (errors <= 1e-5 * form.largest[name]).all()


def test_friction_and_springs_stay() -> None:
    joint = {"damping": 2, "spring": {"stiffness": 3, "rest": 0}, "armature": 0.5}
    arm = qddot.from_dh(
        [{"theta": "q1", "d": 0, "a": 1, "alpha": 0}],
        [{"mass": 1, "com": [0, 0, 0], "joint": joint}],
        gravity=[0, -9, 0],
    )
    tau = arm.equations().abbreviate().numeric.inverse_dynamics([0.1], [0.2], [0.3])
    assert tau == pytest.approx([1.5 * 0.3 + 9 * np.cos(0.1) + 2 * 0.2 + 3 * 0.1], rel=1e-6)  # six digits of 1.5 and 9


EFFECTS = """
name = "effects"
convention = "dh"
gravity = [0, -9, 0]
[symbols]
k = 5.0
c = 0.25
[[link]]
dh = { theta = "q1", d = 0, a = 1, alpha = 0 }
mass = 2
joint = { damping = "c", coulomb = 0.2, armature = 0.1, spring = { stiffness = "k", rest = 0.5 } }
[[link]]
dh = { theta = "q2", d = 0, a = 1, alpha = 0 }
mass = 1
joint = { damping = 0.1, armature = 0.05 }
"""
STATE = {"q1": 0.4, "q2": -0.7, "qd1": -1.5, "qd2": 0.8}


def value_of(text: str) -> float:
    """What a printed entry is worth in STATE, as a reader computes it."""
    names = {"c1": np.cos(0.4), "c2": np.cos(-0.7), "c12": np.cos(-0.3), "s1": np.sin(0.4), "s2": np.sin(-0.7)}
    return float(eval(text, {**names, **STATE, "sgn": np.sign}))


@pytest.mark.parametrize("form", ["text", "table", "JSON"])
def test_what_is_printed_is_the_whole_model(form: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The printed entries give the torque of the links, with springs, friction and armature."""
    path = tmp_path / "effects.toml"
    path.write_text(EFFECTS, encoding="utf-8")
    arm = qddot.load(path)
    if form == "JSON":
        told = json.loads(run(capsys, "abbreviate", str(path), "--json")[1])
        entries = {each["entry"]: each["form"] for each in told["entries"]}
        entries |= {f"{name}{k}": text for name in ("springs", "friction") for k, text in enumerate(told[name], 1)}
        law = told["law"]
    else:
        text = str(arm.equations().abbreviate()) if form == "text" else run(capsys, "abbreviate", str(path))[1]
        entries = dict(re.findall(r"^(\w+\d) = (.*)$", text, re.MULTILINE))
        rows = [re.split(" {2,}", line.strip()) for line in text.splitlines()]
        entries |= {row[0]: row[4] for row in rows if len(row) == 5 and row[0] != "entry"}
        law = next(line for line in text.splitlines() if "= τ" in line)
    assert "+ G + springs + friction = τ" in law
    value = {name: value_of(entry) for name, entry in entries.items()}
    qdd, qd = (0.3, 0.6), (STATE["qd1"], STATE["qd2"])

    def part(name: str) -> float:
        return value.get(name, 0.0)

    tau = [
        part(f"M{min(1, i)}{max(1, i)}") * qdd[0]
        + part(f"M{min(2, i)}{max(2, i)}") * qdd[1]
        + part(f"B{i}12") * qd[0] * qd[1]
        + part(f"C2_{i}1") * qd[0] ** 2
        + part(f"C2_{i}2") * qd[1] ** 2
        + part(f"G{i}")
        + part(f"springs{i}")
        + part(f"friction{i}")
        for i in (1, 2)
    ]
    right = arm.inverse_dynamics([STATE["q1"], STATE["q2"]], qd, qdd)
    np.testing.assert_allclose(tau, right, rtol=1e-5)  # six digits


def test_latex_and_notebooks_have_springs_and_friction() -> None:
    short = qddot.loads(EFFECTS).equations().abbreviate()
    assert "\\tau^{s}_{1} &= " in short.latex()
    assert "\\tau^{f}_{1} &= 0.25 \\dot{q}_{1} + 0.2 \\operatorname{sgn}" in short.latex()
    assert "friction1 = 0.25*qd1 + 0.2*sgn(qd1)" in short._repr_html_()
    assert "springs" not in robot("two_link").equations().abbreviate().law


def test_a_budget_raises_the_thresholds() -> None:
    eq = robot("elbow_3r").equations()
    assert eq.abbreviate(allow_indefinite=True).operations > 60
    form = eq.abbreviate(budget=60, allow_indefinite=True)
    assert form.operations <= 60
    assert form.significance["M"] > 0.01
    assert form.against_joint == pytest.approx(form.significance["M"] / 10)
    with refusal(qddot.QddotError, "abbreviations-exceed-budget", "3"):
        eq.abbreviate(budget=3, allow_indefinite=True)


def test_an_indefinite_mass_matrix_is_refused() -> None:
    # M = [[5/3 + c2, 1/3 + c2/2], [1/3 + c2/2, 1/3]] without the 1/3 of M12: at c2 = −1 the determinant is −1/36
    arm = robot("two_link")
    eq = arm.equations()
    with refusal(qddot.QddotError, "short-mass-matrix-indefinite"):
        eq.abbreviate(0.01, 0.21)
    form = eq.abbreviate(0.01, 0.21, allow_indefinite=True)
    assert form.definite.verdict == "refuted"
    assert form.definite.witness is not None
    q = [form.definite.witness.get(name, 0.0) for name in arm.model.coordinates]
    assert np.linalg.eigvalsh(form.numeric.mass_matrix(q)).min() < 0


def test_definiteness_depends_on_the_region() -> None:
    """The spherical pendulum's M is singular at the pole, and nowhere else."""
    eq = robot("spherical_pendulum").equations()
    with refusal(qddot.QddotError, "short-mass-matrix-indefinite"):
        eq.abbreviate()
    assert eq.abbreviate(region={"theta": ("10deg", "170deg")}).definite.verdict == "proved"


ANGLES = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from([-2, -1, 1, 2])), min_size=1, max_size=2)
FACTORS = st.builds(
    Factor, st.sampled_from(["sin", "cos"]), ANGLES.map(lambda parts: tuple(dict(parts).items())), st.integers(1, 3)
)
TERMS = st.lists(st.builds(Term, st.floats(-2, 2), st.lists(FACTORS, max_size=3).map(tuple)), min_size=1, max_size=5)


@given(TERMS, st.floats(-7, 7), st.floats(0.01, 9), st.floats(-7, 7), st.floats(0.01, 9))
@settings(max_examples=150)
def test_an_enclosure_holds_every_state_of_its_box(
    terms: list[Term], a: float, width: float, b: float, height: float
) -> None:
    region = {"a": (a, a + width), "b": (b, b + height)}
    low, high = enclosure(terms, ["a", "b"], (np.array([[a, b]]), np.array([[a + width, b + height]])))
    rng = np.random.default_rng(0)
    q = {name: np.append(rng.uniform(*ends, 300), ends) for name, ends in region.items()}
    seen = values(terms, q)
    slack = 1e-9 * (1 + sum(abs(term.coefficient) for term in terms))  # the margin that `largest` adds, and more
    assert (seen >= low - slack).all()
    assert (seen <= high + slack).all()
    bound = largest(terms, region, float(np.abs(seen).max()))
    assert (np.abs(seen) <= bound + slack).all()


def test_definiteness_of_a_matrix_that_is_known() -> None:
    one = Term(1.0, ())

    def cosine(size: float) -> list[Term]:
        return [Term(size, (Factor("cos", (("a", 1),), 1),))]

    region = {"a": (-4.0, 4.0)}
    # eigenvalues 1 ± size·cos a
    assert definiteness([[[one], cosine(0.9)], [cosine(0.9), [one]]], region).verdict == "proved"
    refuted = definiteness([[[one], cosine(1.1)], [cosine(1.1), [one]]], region)
    assert refuted.verdict == "refuted"
    assert refuted.witness is not None
    assert abs(np.cos(refuted.witness["a"])) * 1.1 > 1
    assert definiteness([[[one], cosine(1.0)], [cosine(1.0), [one]]], region).verdict == "undecided"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"significance": 0}, "significance of M = 0; expected a number above 0 and below 1"),
        ({"significance": 1.5}, "expected a number above 0 and below 1"),
        ({"significance": "much"}, "significance of M = 'much'"),
        ({"significance": {"N": 0.1}}, "significance of 'N'"),
        ({"against_joint": -1}, "against_joint = -1"),
        ({"region": {"q2": (1, 1)}}, "from 1 to 1; expected the lower bound first"),
        ({"region": {"q2": (1, -1)}}, "from 1 to -1; expected the lower bound first"),
        ({"region": {"q9": (0, 1)}}, "the region has 'q9'"),
        ({"region": {"q2": 3}}, "expected a lower and an upper bound"),
        ({"region": {"q2": ("a", 3)}}, "the symbol 'a' in a bound"),
        ({"region": {"q2": (float("nan"), 3)}}, "nan is not finite"),
        ({"region": [1]}, "expected a mapping"),
        ({"budget": 0}, "budget = 0"),
        ({"budget": 2.5}, "budget = 2.5"),
        ({"m7": 1}, "no symbol 'm7'"),
    ],
)
def test_mistakes_are_named(options: dict[str, Any], said: str) -> None:
    with pytest.raises(qddot.QddotError) as caught:
        robot("puma560_akb").equations().abbreviate(**options)
    assert said in str(caught.value)


def test_what_is_missing_is_named() -> None:
    with refusal(qddot.QddotError, "value-missing", "Ixx2"):
        robot("puma560").equations().abbreviate()
    bare = qddot.from_dh([{"theta": "q1", "d": 0, "a": 1, "alpha": 0}])
    with refusal(qddot.QddotError, "arm-without-inertia"):
        bare.equations().abbreviate()
    slide = qddot.from_dh([{"theta": 0, "d": "q1", "a": 1, "alpha": 0}], [{"mass": 1, "com": [0, 0, 0]}])
    with refusal(qddot.QddotError, "joint-slides-no-limits", "'q1'"):
        slide.equations().abbreviate()


@pytest.mark.parametrize("J", ["1+1e15*(pi-3.14159265358979)", "1+1e14*(8*cos(20deg)*cos(40deg)*cos(80deg)-1)"])
def test_a_coefficient_that_cancels_is_known_as_well_as_its_bound_says(J: str) -> None:
    tensor = {"about": "com", "xx": J, "yy": J, "zz": J}
    link = {"mass": 1, "com": [0, 0, 0], "inertia": tensor}
    arm = qddot.from_dh([{"theta": "q1", "d": 0, "a": 0, "alpha": 0}], [link])
    form = arm.equations().abbreviate()
    with mpmath.workdps(60):
        exact = {"pi": 1 + mpmath.mpf(10) ** 15 * (mpmath.pi - mpmath.mpf("3.14159265358979")), "cos": mpmath.mpf(1)}
        error = abs(mpmath.mpf(str(form.M[0, 0]).split("= ")[1]) - exact["pi" if "pi" in J else "cos"])
    assert error <= form.errors["M"][0, 0]
    assert form.errors["M"][0, 0] <= 1e-5  # six digits


@pytest.mark.parametrize("name", ["planar_2r", "spatial_2r"])
def test_an_entry_of_which_nothing_is_dropped_has_no_error(name: str) -> None:
    """Its coefficients, such as 83/50 or 981/100, have six digits at most."""
    form = robot(name).equations().abbreviate()
    assert all((errors == 0).all() for errors in form.errors.values())
    assert "error ≤ 0, observed 0" in str(form)
    assert "error ≤ 1" not in str(form)


def test_a_constant_singular_matrix_is_undecided() -> None:
    rows = [{"theta": 0, "d": f"q{k}", "a": 0, "alpha": 0} for k in (1, 2)]
    slide = {"limits": [-1, 1]}
    links = [{"mass": 0, "com": [0, 0, 0], "joint": slide}, {"mass": 1, "com": [0, 0, 0], "joint": slide}]
    assert qddot.from_dh(rows, links).equations().abbreviate().definite.verdict == "undecided"


def of_functions(arm: qddot.Robot, q: np.ndarray) -> dict[str, np.ndarray]:
    """M, the centrifugal matrix and G by the compiled functions of an arm without friction and springs."""
    still, G = np.zeros_like(q), arm.gravity(q)
    single = [arm.inverse_dynamics(q, np.broadcast_to(unit, q.shape), still) - G for unit in np.eye(arm.n)]
    return {"M": arm.mass_matrix(q), "C2": np.stack(single, axis=-1), "G": G}


@pytest.mark.parametrize(
    ("name", "matrices"),
    [("elbow_3r", ("M", "C2", "G")), pytest.param("puma560_akb", ("G",), marks=pytest.mark.thorough), ("rp", ("M",))],
)
def test_what_an_entry_reaches_is_what_differential_evolution_finds(
    name: str, matrices: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "compiler", kernels.blocks)
    arm = qddot.load(name)
    short = arm.equations().abbreviate(region={"d2": (-1, 0.25)} if name == "rp" else {})
    box = list(short.region.q.values())
    for matrix in matrices:
        for place, reached in np.ndenumerate(short.largest[matrix]):
            if not reached:
                continue

            def size(q: np.ndarray, at: Any = (matrix, (..., *place))) -> np.ndarray:
                return -np.abs(of_functions(arm, q.T)[at[0]][at[1]])

            options: Any = {"vectorized": True, "updating": "deferred", "polish": False}
            value = -differential_evolution(size, box, rng=2, maxiter=60, popsize=10, **options).fun
            assert value * (1 - 1e-4) <= reached <= value * 1.02
