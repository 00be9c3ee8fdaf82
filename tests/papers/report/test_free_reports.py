"""Reports of arms with quaternions: every format in both languages, and laws of quasi-velocities that hold exactly."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from free_trees import TREES

import qddot
from qddot.algebra.spatial import Rotation, Vec3
from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.proofs.prove import prove
from qddot.exact.equations.quantities import Quantities
from qddot.exact.equations.routes import RATES, ROUTES
from qddot.papers.report.arm_report import ReportContents, report
from qddot.papers.report.document import Paragraph
from qddot.papers.report.formula import Formula
from qddot.papers.report.languages import LANGUAGES

pytestmark = pytest.mark.usefixtures("derived_once")

SATELLITE = qddot.load("two_link").free(mass=5, inertia=(0.8, 0, 0, 0.7, 0, 0.9))
ITS_ROUTES = [name for name, route in ROUTES.items() if RATES not in route.needs]
TEXTS = {"a free body on a joint": "energy", "two joints and a ball": "newton_euler"}


def rows(array: ExactArray) -> list[Any]:
    width = array.shape[-1]
    return [array.entries[k : k + width] for k in range(0, len(array.entries), width)]


@cache
def told(lang: str) -> str:
    """The sentences of a report on a satellite by all of its routes."""
    return sentences(SATELLITE, ITS_ROUTES, lang)


def sentences(arm: qddot.Robot, routes: list[str], lang: str) -> str:
    shorts = [arm.equations(route).textbook() for route in routes]
    document = report(ReportContents(shorts, prove(shorts[0].eq, [])), lang)
    lines = [block for block in document.blocks() if isinstance(block, Paragraph)]
    parts = (part for line in lines for part in line.parts)
    return " ".join(part.text if isinstance(part, Formula) else str(part) for part in parts)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_report_of_a_satellite_speaks_of_its_velocities(lang: str) -> None:
    assert ("The base is fixed" if lang == "en" else "基座固定") not in told(lang)
    assert not re.search("q̇|∂/∂q|∂q_", told(lang))
    assert {"en": "Boltzmann and Hamel", "zh": "玻尔兹曼–哈默尔方程"}[lang] in told(lang)


@pytest.mark.parametrize(("lang", "dots"), [("en", "where a dot marks the rate"), ("zh", "其中带点者")])
def test_joints_beside_a_free_base_have_rates_with_dots(lang: str, dots: str) -> None:
    assert re.search(f"v_x, v_y, v_z, omega_x, omega_y, omega_z, qd1, qd2 *[,，] *{dots}", told(lang))
    assert dots not in sentences(TREES["a free body"], ITS_ROUTES[:1], lang)


@pytest.mark.parametrize("suffix", ["html", pytest.param("tex", marks=pytest.mark.thorough), "ipynb"])
def test_every_format_has_the_quaternion(suffix: str, tmp_path: Path) -> None:
    path = SATELLITE.report(tmp_path / f"satellite.{suffix}", route="all")
    text = path.read_text(encoding="utf-8")
    assert "Greenwood" in text
    assert re.search(r"e_\{?w|e_\(w|<mi>e</mi><mi>w</mi>|e_w", text)


@pytest.mark.parametrize("name", TEXTS)
def test_torques_are_those_of_the_printed_law(name: str) -> None:
    """τ = ṗ − ∂ℒ/∂π + η, where the armature of a ball has no part in η."""
    eq = TREES[name].equations("energy")
    steps = {step: eq.steps[step].entries for step in ("dp", "dL_dq", "eta")}
    for i, tau in enumerate(eq.tau.entries):
        torque = steps["dp"][i] - steps["dL_dq"][i] + steps["eta"][i] + eq.friction.entries[i]
        assert torque - tau == 0, i


@pytest.mark.parametrize("name", TEXTS)
def test_the_composite_bodies_of_velocities_give_the_mass_matrix(name: str) -> None:
    """M_ij = Φ_iᵀ I_k Φ_j for two velocities of one link k, armature apart."""
    eq = Quantities(TREES[name].model)
    Phi, inertia = rows(eq.steps["Phi"]), eq.steps["composite_inertia"]
    joints, M = eq.dynamics.mechanism.joints, rows(eq.M)
    armature = {effect.dof for effect in eq.dynamics.effects("armature")}
    for i, one in enumerate(joints):
        for j, other in enumerate(joints):
            if one is other and not (i == j and i in armature):
                I = rows(inertia[one.index])
                total: Any = sum(Phi[i][a] * I[a][b] * Phi[j][b] for a in range(6) for b in range(6))
                assert total - M[i][j] == 0, (i, j)


@pytest.mark.parametrize("name", TEXTS)
def test_accelerations_are_those_of_the_printed_recursion(name: str) -> None:
    """Of a joint with several velocities: own ones along the link's axes, behind those of the link before."""
    eq = Quantities(TREES[name].model, "newton_euler")
    arm, steps = eq.dynamics.mechanism, {step: rows(eq.steps[step]) for step in ("w", "dw", "a")}
    zero = Vec3.zero()
    for link in arm.links:
        if len(link.places) < 2:
            continue
        X = link.X.pose()
        w, dw, a = (Vec3(*steps[step][link.index]) for step in ("w", "dw", "a"))
        before = (zero, zero, -arm.gravity)
        if link.parent is not None:
            before = tuple(Vec3(*steps[step][link.parent]) for step in ("w", "dw", "a"))  # type: ignore[assignment]
        own = [[arm.qd[k] for k in link.places], [arm.qdd[k] for k in link.places]]
        (v, turn), (dv, dturn) = ((Vec3(*part[:3]) if link.kind.is_free else zero, Vec3(*part[-3:])) for part in own)
        back: Rotation = X.R.T
        carried = back.apply(before[0])
        along = before[2] + before[1].cross(X.p) + before[0].cross(before[0].cross(X.p))
        assert all(x == 0 for x in w - (carried + turn))
        assert all(x == 0 for x in dw - (back.apply(before[1]) + w.cross(turn) + dturn))
        assert all(x == 0 for x in a - (back.apply(along) + (w + carried).cross(v) + dv))


def test_a_report_of_a_ball_has_a_film_without_names_of_joints(tmp_path: Path) -> None:
    link = {"name": "top", "mass": 1, "com": [0, 0, 0.3], "joint": {"type": "spherical"}}
    link["inertia"] = {"about": "com", "xx": 0.2, "yy": 0.2, "zz": 0.1}
    top = qddot.Robot(qddot.formats.toml.robot_file.from_mapping({"convention": "tree", "link": [link]}, "top"))
    text = top.report(tmp_path / "top.md", level="summary").read_text(encoding="utf-8")
    assert "turns in a ball joint" in text


def test_a_summary_counts_a_free_joint_once(tmp_path: Path) -> None:
    text = qddot.load("quadrotor_arm").report(tmp_path / "summary.md", level="summary").read_text(encoding="utf-8")
    assert set(re.findall(r"The arm has [^.]*\.", text)) == {"The arm has 3 joints."}
