"""The report of a closed chain: what it holds, in both languages and all formats that need no other program."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from refusals import refusal

import qddot
from qddot.apps.cli import main
from qddot.base.errors import QddotError
from qddot.papers.draw.posed import PosedArm
from qddot.papers.draw.scene import Scene

pytestmark = pytest.mark.usefixtures("derived_once")

BARS = qddot.load_closed_chain("four_bar")
WHEEL = qddot.load_closed_chain("unicycle")
DELTA = qddot.load_closed_chain("delta")
GRIPPER = qddot.load_closed_chain("robotiq_2f85")


def text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return BARS.report(tmp_path_factory.mktemp("report") / "four_bar.md")


def test_a_report_has_conditions_coefficients_equations_proof_and_a_closed_configuration(written: Path) -> None:
    told = text(written)
    for title in ("Conditions", "Kinematic coefficients", "The equations of motion", "Proof", "A closed configuration"):
        assert f" {title}\n" in told
    assert "Of these 5 conditions, 2 are independent" in told
    assert "the chain has 1 degree of freedom; its independent coordinate is" in told
    assert "All 8 identities hold" in told and "Doughty" in told
    assert r"r_{21,1}" in told and r"D_{1}" in told


def test_the_configuration_is_closed_and_its_numbers_are_those_of_the_functions() -> None:
    q = BARS.some_assembly().q
    assert np.abs(BARS.closure(q)[0]).max() < 1e-15
    assert (q == BARS.some_assembly().q).all()


def test_a_configuration_may_be_chosen(tmp_path: Path) -> None:
    guess = {"q1": 1.0, "q2": -0.5, "q3": 1.5}
    told = text(BARS.report(tmp_path / "a.md", near=guess))
    for value in BARS.assemble(guess).q:
        assert f"{value:.6g}".replace("-", "−") in told
    with refusal(QddotError, "loops-not-closed-near"):
        BARS.with_values(a=2).report(tmp_path / "b.md", near=guess)


def test_long_numbers_are_rounded_and_the_report_says_so(tmp_path: Path, written: Path) -> None:
    told = text(GRIPPER.report(tmp_path / "gripper.md", level="summary"))
    assert "The numbers below are rounded to six digits" in told
    equations = told.partition("M_{11}")[2]
    assert len(equations) > 1000 and not re.search(r"[1-9]\d{6}|frac\{", equations)
    assert "rounded" not in text(written)


def test_limits_are_kept_where_that_is_possible() -> None:
    gripper = GRIPPER
    q = dict(zip(gripper.model.tree.coordinates, gripper.some_assembly().q, strict=True))
    limited = [body.joint for body in gripper.model.tree.moving() if body.joint.limits]
    assert len(limited) == 7  # of 8 joints, two share a coordinate
    for joint in limited:
        low, high = (limit.value({}) for limit in joint.limits or ())
        assert low <= q[joint.coordinate or ""] <= high


@pytest.mark.parametrize("suffix", [".html", ".tex", ".typ", ".ipynb"])
def test_every_format_is_written(suffix: str, tmp_path: Path) -> None:
    told = text(WHEEL.report(tmp_path / f"wheel{suffix}", lang="zh"))
    told = json.dumps(json.loads(told), ensure_ascii=False) if suffix == ".ipynb" else told
    assert "独轮车" in told and "约束条件" in told


def test_denominators_are_inverse_in_each_language_of_mathematics(tmp_path: Path) -> None:
    written = {suffix: text(BARS.report(tmp_path / f"bars{suffix}")) for suffix in (".html", ".tex", ".typ")}
    assert "<mi>D</mi><mn>1</mn><mn>−1</mn>" in written[".html"]
    assert "D_{1}^{-1}" in written[".tex"]
    assert "D_(1)^(-1)" in written[".typ"]


def test_wheels_alone_condition_the_rates(tmp_path: Path) -> None:
    told = text(WHEEL.report(tmp_path / "wheel.md"))
    assert "All 2 conditions are independent" in told
    assert "The conditions on the rates are" in told
    assert "They are polynomials" in told
    assert "every configuration is possible" in told


@pytest.fixture(scope="module")
def tied(tmp_path_factory: pytest.TempPathFactory) -> qddot.ClosedChain:
    """A unicycle whose body is tied to a point."""
    wheel = (files("qddot.robot") / "zoo" / "closed" / "unicycle.toml").read_text(encoding="utf-8")
    path = tmp_path_factory.mktemp("tied") / "tied.toml"
    path.write_text(wheel + '[[loop]]\ntype = "rod"\nlength = 1\nfirst = { link = "body" }\nsecond = {}\n', "utf-8")
    return qddot.load_closed_chain(path)


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("en", "Their derivatives with respect to time, together with the conditions of the wheels, are $A "),
        ("zh", "它们对时间的导数连同轮子的约束条件为 $A "),
    ],
)
def test_loops_and_wheels_share_a_sentence(lang: str, sentence: str, tied: qddot.ClosedChain, tmp_path: Path) -> None:
    assert sentence in text(tied.report(tmp_path / "tied.md", lang=lang, level="summary"))


@pytest.mark.slow
def test_a_lecture_gives_long_coefficients_by_the_equations_that_they_solve(tmp_path: Path) -> None:
    delta = DELTA
    lecture, short = (text(delta.report(tmp_path / f"{level}.md", level=level)) for level in ("lecture", "summary"))
    assert "the 9 quotients have 909 terms" in lecture and "D_{1}" not in lecture
    assert r"$\sum_{n} A_{in} \kappa_{nj,k} = b_{ij,k}$" in lecture
    # ½ |p − e₂|² = ½ l² does not depend on q1, of which it is the second derivative
    assert r"b_{21,1} = -\kappa_{41}^{2} - \kappa_{51}^{2} - \kappa_{61}^{2} \tag" in lecture
    for told, there in ((lecture, True), (short, False)):
        assert ("A_{11}" in told) is there and ("C_{11}" in told) is there
        assert "M_{11}" in told and "G_{1}" in told and "All 7 identities hold" in told


def test_the_right_sides_in_a_lecture_are_those_that_the_quotients_solve() -> None:
    of = qddot.load_closed_chain("five_bar").equations().reduced.coefficients
    quotients = {each.name: each for each in of.second}
    for j, l in of.pairs:
        solutions = [quotients[of.slopes[k, j, l]] for k in of.dependent]
        (determinant,) = {x.denominator for x in solutions}
        for row, right in zip(of.A, of.right_sides(j, l), strict=True):
            left = sum(row[k] * of.ring.convert(x.numerator) for k, x in zip(of.dependent, solutions, strict=True))
            assert left == -of.ring.convert(right) * of.ring.convert(determinant)


def test_coefficients_without_quotients_are_defined_by_the_equations_that_they_solve(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the 18 of a delta with parallelograms, here with at most one coordinate in a block."""
    monkeypatch.setattr("qddot.exact.equations.closed.coefficients.LONGEST", 1)
    bars = qddot.load_closed_chain("four_bar")
    told = {level: text(bars.report(tmp_path / f"{level}.md", level=level)) for level in ("lecture", "full")}
    for each in told.values():
        assert "2 of the coordinates must be found together" in each
        assert "the linear equations $\\sum_{n} A_{in} r_{nj,k} = b_{ij,k}$ define these derivatives" in each
        assert "M_{11} &=" in each and "G_{1} =" in each
    assert re.search(r"skew-symmetric, has \d+ terms, and a report of level “full” has them", told["lecture"])
    assert "C_{11} &=" in told["full"] and "b_{11,1} =" in told["full"]
    assert "C_{11} &=" not in told["lecture"]


def test_rods_are_drawn_where_they_close_loops() -> None:
    delta = DELTA
    q = delta.some_assembly().q
    assert q[5] < 0  # the platform hangs below the motors, within the limits of z
    arm = PosedArm(delta.model.tree, q[None])
    places = {body.name: k for k, body in enumerate(delta.model.tree.bodies, 1)}
    ends = [arm.p[0, places[name]] for pair in delta.model.rods for name in pair]
    assert len(ends) == 6
    for closed in (None, delta.model):
        scene = Scene(PosedArm(delta.model.tree, q[None], closed))
        faces, frames = scene.shapes.solids.joined()[::3]
        R, p = scene.arm.carriers
        beyond = frames >= arm.p.shape[1]  # the rods' own frames
        at = (np.einsum("fij,fvj->fvi", R[0, frames], faces) + p[0, frames][:, None])[beyond].reshape(-1, 3)
        near = [len(at) and np.linalg.norm(at - end, axis=1).min() < scene.shapes.radius for end in ends]
        assert all(near) if closed else not any(near)


@pytest.mark.parametrize("level", ["short", 3])
def test_an_unknown_level_is_refused(level: Any, tmp_path: Path) -> None:
    with refusal(QddotError, "none-of-these", "summary, lecture or full"):
        BARS.report(tmp_path / "a.md", level=level)


def test_the_command_writes_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "bars.md"
    assert main(["closed", "four_bar", "-o", str(place), "--lang", "zh"]) == 0
    assert f"已写入 {place}" in capsys.readouterr().out
    assert "运动学系数" in text(place)
    assert main(["closed", "four_bar", "-o", str(tmp_path / "bars.doc")]) == 2
    assert "expected a file .html or" in capsys.readouterr().err
