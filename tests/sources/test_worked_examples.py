"""Worked examples of the literature come out in numbers to 1e-12 of each array's largest entry.

The values were derived independently (SymPy, 40 digits); see the schema inside data/source_cases.json.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import qddot
from qddot.algebra.numbers.floats import Floats
from qddot.algebra.spatial import Inertia, SymmetricMatrix3, Twist, Vec3
from qddot.physics.algorithms.newton_euler import inverse_dynamics
from qddot.physics.mechanism import Mechanism

CASES = json.loads((Path(__file__).parent.parent / "data" / "source_cases.json").read_text(encoding="utf-8"))
EXAMPLES = CASES["examples"]
NAMES = {"gamma": "christoffel", "Ccent": "C2"}
COMMON = ("M", "gamma", "C", "B", "Ccent", "h", "G", "tau", "K", "P")


def close(values: Any, expected: Any) -> None:
    expected = np.asarray(expected, dtype=float)
    values = np.asarray(values, dtype=float)
    if expected.size == 0:
        assert values.size == 0
        return
    assert values.shape == expected.shape
    # the cases carry 16 digits; a zero may come with the rounding of its route
    assert np.abs(values - expected).max() <= 1e-12 * max(np.abs(expected).max(), 1e-3)


def examples(name: str) -> Any:
    return pytest.mark.parametrize("case", EXAMPLES[name]["cases"])


def common(arm: qddot.Robot, case: dict[str, Any], **values: float) -> dict[str, Any]:
    """Compare what every case has; return the values of every route's steps by route."""
    state = case["q"], case["qd"], case["qdd"]
    at = arm.equations().at(*state, **values)
    for name in COMMON:
        if name in case:
            close(at[NAMES.get(name, name)], case[name])
    if "Mdot" in case:
        close(at["C"] + at["C"].T, case["Mdot"])
    return {route: arm.equations(route).at(*state, **values) for route in ("dh4x4", "com_jacobian", "screw")}


@examples("000_one_link")
def test_one_link(case: dict[str, Any]) -> None:
    steps = common(qddot.load("one_link"), case, **case["params"])["dh4x4"]
    close(steps["U"][0, 0], case["U11"])
    close(steps["U_ijk"][0, 0, 0], case["U111"])
    close(steps["pseudo_inertia"][0], case["J1_pseudo"])


@examples("000_two_link_exercise")
def test_two_link_exercise(case: dict[str, Any]) -> None:
    steps = common(qddot.load("two_link"), case, **case["params"])["dh4x4"]
    close(steps["h_ikm"], case["h_ikm"])
    close(steps["pseudo_inertia"], [case["J1"], case["J2"]])
    close(steps["U"][1, 0], case["U21"])
    close(steps["U"][1, 1], case["U22"])
    close(steps["U_ijk"][1, 0, 1], case["U212"])


@examples("000_puma_DhC")
def test_puma_by_uickers_matrices(case: dict[str, Any]) -> None:
    """The DH table of the slides with given links, for the first three and all six joints."""
    n, params = case["n"], case["params"]
    alphas = ["-90deg", 0, "90deg", "-90deg", "90deg", 0]
    table = EXAMPLES["000_puma_DhC"]["dh_std"]
    rows = [{"theta": f"q{k + 1}", "d": table[k][1], "a": table[k][2], "alpha": alphas[k]} for k in range(n)]
    links = [
        {
            "mass": params["mass"][k],
            "com": params["rbar"][k],
            "inertia": {"about": "com"}
            | {a + b: params["Ic"][k]["xyz".index(a)]["xyz".index(b)] for a, b in ("xx", "xy", "xz", "yy", "yz", "zz")},
        }
        for k in range(n)
    ]
    arm = qddot.from_dh(rows, links, gravity=params["g_row"][:3])
    at = arm.equations("dh4x4").at(case["q"], case["qd"], case["qdd"])
    close(at["M"], case["D"])
    close(at["christoffel"], case["h_ikm"])
    close(at["h_ikm"], case["h_ikm"])
    close(at["h"], case["h"])
    close(at["G"], case["C"])
    close(at["tau"], case["tau"])
    close(at["pseudo_inertia"], params["J"])
    close(at["U"], case["U"])
    close(at["U_ijk"], case["U_ijk"])


@examples("001_two_link_modifiedDH")
def test_planar_2r(case: dict[str, Any]) -> None:
    values = {name.replace("L1", "I1").replace("L2", "I2"): v for name, v in case["params"].items()}
    steps = common(qddot.load("planar_2r"), case, **values)["com_jacobian"]
    close(steps["Jv"], [case["Jv_c1"], case["Jv_c2"]])
    close(steps["Jw"], [case["Jw_1"], case["Jw_2"]])
    close(steps["p_c"][1], case["pc2"])
    reversed_g = qddot.load("planar_2r").equations().at(case["q"], **{**values, "g": -values["g"]})
    close(reversed_g["G"], case["G_if_matlab_symbol_g_is_plus_9p81"])


@examples("001_slider")
def test_slider(case: dict[str, Any]) -> None:
    common(qddot.load("slider"), case, **case["params"])


def _spatial_2r(case: dict[str, Any], values: dict[str, float]) -> None:
    steps = common(qddot.load("spatial_2r"), case, **values)["com_jacobian"]
    close(steps["Jv"], [case["Jv_c1"], case["Jv_c2"]])
    close(steps["Jw"], [case["Jw_1"], case["Jw_2"]])
    close(steps["T"][1], case["T20"])


@examples("002_spatial_2R_Ia_is_inertia")
def test_spatial_2r(case: dict[str, Any]) -> None:
    _spatial_2r(case, case["params"])


def test_spatial_2r_as_printed() -> None:
    """The printed reading takes Ia per unit of mass; with m1 = m2 that is another Ia."""
    case = EXAMPLES["002_spatial_2R_Ia_per_mass_as_printed"]["cases"][0]
    params = case["params"]
    assert params["m1"] == params["m2"]
    _spatial_2r(case, {**params, "Ia": params["Ia"] * params["m1"]})


@examples("003_spherical_pendulum")
def test_spherical_pendulum(case: dict[str, Any]) -> None:
    common(qddot.load("spherical_pendulum"), case, **case["params"])


@examples("003_3R_MLS_example_4_3")
def test_elbow_3r(case: dict[str, Any]) -> None:
    arm = qddot.load("elbow_3r")
    steps = common(arm, case, **case["params"])
    screw = steps["screw"]
    close(screw["S"], case["S_space"])
    close(screw["M_home"], case["M_home"])
    close(screw["spatial_inertia"], case["G_spatial"])
    close(screw["J_body"], case["J_body"])
    for link, screws in enumerate(case["B_body"]):
        close(screw["B_body"][link][: len(screws)], screws)
    close(steps["com_jacobian"]["T"], case["T_com"])
    close(steps["com_jacobian"]["p_c"][:, 2], case["heights"])


@examples("004_RP_manipulator")
def test_rp(case: dict[str, Any]) -> None:
    """With the source's Newton–Euler trace, which is written in the base frame."""
    arm = qddot.load("rp")
    common(arm, case, **case["params"])
    by_name = lambda values: dict(zip(arm.model.coordinates, values, strict=True))  # noqa: E731
    numbers = Floats(case["params"], by_name(case["q"]), by_name(case["qd"]), by_name(case["qdd"]))
    state = Mechanism.of(arm.model, numbers)
    recursion = inverse_dynamics(state)
    rotation = np.eye(3)
    for link, trace in zip(state.links, case["newton_euler_trace_base_frame"], strict=True):
        rotation = rotation @ np.array([list(row) for row in link.X.R], dtype=float)
        turned = lambda v, R=rotation: R @ np.array(list(v), dtype=float)  # noqa: E731
        i = link.index
        close(rotation, trace["R"])
        close(turned(recursion.motion[i].w), trace["w"])
        close(turned(recursion.motion[i].dw), trace["wd"])
        close(turned(recursion.motion[i].a), trace["vd"])
        close(turned(recursion.inertial[i].f), trace["F"])
        assert link.com is not None
        centre = turned(link.com)
        close(turned(recursion.inertial[i].n) - np.cross(centre, trace["F"]), trace["N"])
        close(turned(recursion.reaction[i].f), trace["f"])
        close(turned(recursion.reaction[i].n), trace["n"])
        close(np.array(trace["F"]) / float(link.inertia.m), trace["ac"])


@examples("003_newton_euler_twist")
def test_the_twist_form_of_newton_euler(case: dict[str, Any]) -> None:
    """F = 𝒢 V̇ − ad_Vᵀ 𝒢 V about the centre of mass, (moment, force)."""
    V, A = (Twist(Vec3(*case[name][:3]), Vec3(*case[name][3:])) for name in ("V", "Vdot"))
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = case["I_b"]
    body = Inertia(case["m"], Vec3.zero(), SymmetricMatrix3(xx, xy, xz, yy, yz, zz))
    F = body.wrench(V, A)
    close([*F.n, *F.f], case["F"])


def test_inertia_integrals() -> None:
    cases = EXAMPLES["inertia_tensor_checks"]["cases"]
    box = cases["box_about_centre"]["params"]
    size = Vec3(box["a"], box["b"], box["c"])
    corner = Vec3(box["a"] / 2, box["b"] / 2, box["c"] / 2)
    cylinder = cases["cylinder_axis_x"]["params"]
    made = {
        "box_about_centre": Inertia.box(box["m"], size),
        "box_about_corner": Inertia.box(box["m"], size, corner),
        "cylinder_axis_x": Inertia.cylinder(cylinder["m"], cylinder["r"], cylinder["h"], "x"),
    }
    for name, body in made.items():
        close([list(row) for row in body.I.rows()], cases[name]["I"])
        close(body.pseudo(), cases[name]["J"])
        close(list(Inertia.from_pseudo(cases[name]["J"]).I), list(body.I))
    assert isinstance(made["box_about_centre"].I, SymmetricMatrix3)


@pytest.mark.parametrize("case", CASES["puma560_akb"]["cases"])
def test_puma_560_of_1986(case: dict[str, Any]) -> None:
    motors = {f"Jm{k}": 0.0 for k in range(1, 7)}
    expected = case["from_link_table_no_motor"]
    at = qddot.load("puma560_akb").equations().at(case["q"], case["qd"], case["qdd"], **motors)
    for name in ("M", "B", "Ccent", "h", "G", "tau"):
        close(at[NAMES.get(name, name)], expected[name])
    close(np.linalg.eigvalsh(at["M"]), expected["M_eigenvalues"])
