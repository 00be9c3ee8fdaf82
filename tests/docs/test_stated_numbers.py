"""What pages and examples state in their sentences is so: it is computed here in another way."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import newcomer
import numpy as np
import pytest
from refusals import refusal
from scipy.integrate import solve_ivp
from scipy.stats import binom

import qddot
from qddot.machine.tracing.functions import FUNCTIONS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
START = (np.pi, 0.0), (0.1, 0.1)
# q after 20 s, by series of Newton and Euler's equations with 20 digits (`motion_of_many_digits`)
END = (-2.387905894158762, -16.001754929871268)


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def twins(name: str) -> tuple[str, ...]:
    """A page, and the Chinese one if there is one."""
    return tuple(page(each) for each in (name, f"zh/{name}") if (DOCS / each).exists())


def rates(Ia: float, c: float) -> Any:
    """The equations of the homework's arm, by hand: M12 = 0, M22 = 10 + Ia, and Ixx = Ia/2 along both links."""

    def of(_: float, y: Any) -> list[float]:
        (q1, q2, d1, d2), g = y, 98.1
        s, k = np.sin(q2), np.cos(q2)
        M11 = 10 + Ia + Ia / 2 * s * s + Ia * k * k + 10 * (2 + k) ** 2
        dM11 = -Ia * s * k - 20 * (2 + k) * s
        tau1, tau2 = -g * np.sin(q1) * (3 + k) - c * d1, -g * s * np.cos(q1) - c * d2
        return [d1, d2, (tau1 - dM11 * d1 * d2) / M11, (tau2 + dM11 * d1 * d1 / 2) / (10 + Ia)]

    return of


def energy(Ia: float, y: Any) -> Any:
    q1, q2, d1, d2 = y
    s, k = np.sin(q2), np.cos(q2)
    M11 = 10 + Ia + Ia / 2 * s * s + Ia * k * k + 10 * (2 + k) ** 2
    return (M11 * d1 * d1 + (10 + Ia) * d2 * d2) / 2 - 98.1 * np.cos(q1) * (3 + k)


@pytest.mark.parametrize(("reading", "Ia"), [("Ia", 5.0), ("m Ia", 50.0)])
@pytest.mark.parametrize("c", [None, 1.0, 5.0])
def test_the_energies_of_the_homework_are_those_of_its_equations(reading: str, Ia: float, c: float | None) -> None:
    example = runpy.run_path(str(ROOT / "examples" / "spatial_2r.py"))
    right = example["RIGHT"][reading, c]
    times = example["TIMES"][: len(right)]
    if c is None:  # without friction the energy stays what it was
        assert right == pytest.approx([energy(Ia, (*START[0], *START[1]))] * len(right), abs=1e-6)
        return
    solution = solve_ivp(rates(Ia, c), (0, times[-1]), (*START[0], *START[1]), "DOP853", times, rtol=1e-13, atol=1e-13)
    # chaos makes some 4e-5 J of the errors of SciPy's steps in 20 s
    assert energy(Ia, solution.y) == pytest.approx(right, abs=1e-4)


def test_the_usual_method_follows_a_chaotic_motion_that_rk4_loses() -> None:
    """learn/trust, README, reference/simulation: the ends, and the times up to which rk4 is reliable."""
    arm = qddot.load("spatial_2r")
    right = arm.simulate(*START, duration=20, step=0.01)
    assert right.q[-1] == pytest.approx(END, abs=1e-6)  # 1e-7 rad, of which chaos has made errors of rounding
    fixed = {c: arm.simulate(*START, duration=20, step=0.01, damping=c, method="rk4") for c in (0, 0.1, 0.5, 1, 5)}
    assert np.abs(fixed[0].q[-1] - END).max() == pytest.approx(10, abs=0.5)
    reliable = {}
    for c, run in fixed.items():
        apart = np.abs(run.q - arm.simulate(*START, duration=20, step=0.01, damping=c).q).max(axis=1) > 0.01
        reliable[c] = float(run.time[apart.argmax() - 1] if apart.any() else run.time[-1])
    assert f"{reliable[0]:.2f}" == "11.45"
    for text in (page("reference/simulation.md"), (ROOT / "README.md").read_text(encoding="utf-8")):
        assert "11.45 s" in text
    # weak friction may make it worse, strong friction makes it better
    assert reliable[0.1] < reliable[0]
    assert reliable[1] < reliable[0.5]
    assert reliable[5] == 20
    assert "differ by less than 1e-5 at the end" in page("reference/simulation.md")
    assert 1e-6 < right.trust().distance[-1] < 1e-5  # which digits it has depends on rounding


@pytest.mark.slow
def test_no_draw_of_a_thousand_arms_lets_the_example_choose_another_gain() -> None:
    example = runpy.run_path(str(ROOT / "examples" / "gains.py"))
    gains, arms, kept = (example[name] for name in ("GAINS", "ARMS", "KEPT"))
    arm, enough = example["point_masses"](), round(kept * arms)
    share = {gain: float((example["inside"](arm, float(gain), 8000, 7).status == 0).mean()) for gain in gains}
    chosen = next(k for k, gain in enumerate(gains) if share[gain] >= kept)
    assert all(binom.sf(enough - 1, arms, share[gain]) < 1e-6 for gain in gains[:chosen])  # too soft, by every draw
    assert binom.cdf(enough - 1, arms, share[gains[chosen]]) < 1e-6


RECURSION = r"\dot v_i = \dot v_{i-1} + \dot\omega_{i-1} \times p_i + \omega_{i-1} \times (\omega_{i-1} \times p_i)"


def test_the_recursion_of_newton_and_euler_as_the_page_prints_it_gives_its_vectors() -> None:
    assert all(RECURSION in text for text in twins("learn/newton-euler.md"))
    q, qd, qdd = np.array([0.4, -0.7]), np.array([0.9, -1.3]), np.array([0.3, 0.8])
    arm = qddot.load("planar_2r")
    values = arm.model.defaults()
    z, w, dw, v = np.array([0.0, 0, 1]), np.zeros(3), np.zeros(3), np.array([0, values["g"], 0])
    accelerations = []
    for k, p in enumerate((np.zeros(3), np.array([values["l1"], 0, 0]))):
        carried = v + np.cross(dw, p) + np.cross(w, np.cross(w, p))
        c, s = np.cos(q[k]), np.sin(q[k])
        R = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
        w, dw, v = R @ w + qd[k] * z, R @ dw + qdd[k] * z + qd[k] * np.cross(R @ w, z), R @ carried
        accelerations.append(v)
    numbers = {f"{name}{k + 1}": rate[k] for name, rate in (("qd", qd), ("qdd", qdd)) for k in range(2)}
    numbers |= {f"{name}{k + 1}": turn(q[k]) for name, turn in (("s", np.sin), ("c", np.cos)) for k in range(2)}
    steps = arm.equations("newton_euler").steps["a"]
    texts = [[str(steps[k, i]).rpartition(" = ")[2] for i in range(3)] for k in range(2)]
    printed = [[eval(text, {}, values | numbers) for text in row] for row in texts]
    assert np.array(printed) == pytest.approx(np.array(accelerations), abs=1e-12)


@pytest.fixture(scope="module")
def table_to_report() -> dict[str, Any]:
    """The names of a tutorial after the block that makes its arm."""
    space: dict[str, Any] = {}
    exec(newcomer.blocks(page("learn/table-to-report.md"))[0], space)
    return space


def test_the_first_axis_of_the_rp_arm_is_horizontal(table_to_report: dict[str, Any]) -> None:
    assert [str(part) for part in table_to_report["arm"].model.gravity] == ["0", "-g", "0"]  # the first axis is z
    english, chinese = twins("learn/table-to-report.md")
    assert "The first axis is horizontal" in english
    assert "绕水平轴转动" in chinese


@pytest.mark.slow
def test_the_report_of_the_tutorial_works_a_state_through_in_numbers(
    table_to_report: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "one state worked through in numbers" in page("learn/table-to-report.md").replace("\n", " ")
    monkeypatch.chdir(tmp_path)
    table_to_report["arm"].report("rp.md", "com_jacobian")
    text = Path("rp.md").read_text(encoding="utf-8")
    assert "has no numbers" not in text
    assert "9.81" in text


def test_what_the_puma_of_the_paper_and_the_one_with_symbols_do_not_share() -> None:
    paper, symbolic = qddot.load("puma560_akb"), qddot.load("puma560")
    kinds = re.compile(r"m|m[xyz]|I(xx|xy|xz|yy|yz|zz)")
    assert sum(bool(kinds.fullmatch(name.rstrip("123456"))) for name in symbolic.model.symbols) == 60
    assert all(body.joint.effects for body in paper.model.bodies)
    assert not any(body.joint.effects for body in symbolic.model.bodies)
    # Armstrong, Khatib and Burdick's d2 and d3, and Zhejiang's d2, along the same axis
    own, other = paper.model.defaults(), symbolic.model.defaults()
    assert (own["d2"] + own["d3"]) * other["d2"] < 0
    assert round(1000 * other["d6"]) == 56
    assert "56 mm farther out" in page("learn/puma560.md")


def test_exported_c_includes_what_the_page_names(tmp_path: Path) -> None:
    without_functions = {"stddef.h", "stdint.h", "float.h"}
    for name in ("two_link", "ur5"):
        files = qddot.load(name).export("c", ["inverse_dynamics", "mass_matrix"], tmp_path / name)
        text = "\n".join(path.read_text(encoding="utf-8") for path in files)
        code, _, selftest = text.partition("#ifdef QDDOT_SELFTEST")
        included = set(re.findall("#include <(.*?)>", code))
        assert included - without_functions == {"math.h", "string.h"}
        assert set(re.findall("#include <(.*?)>", selftest)) <= {"stdio.h"} | included
    for text in twins("learn/microcontroller.md"):
        assert "`math.h`" in text
        assert "`string.h`" in text


def test_gyroscopic_terms_are_without_the_armature_of_ball_joints() -> None:
    """understand/conventions: Γ_ijk − Γ_ikj = Σ_l c^l_kj M_li."""
    arm = qddot.loads(
        'name = "ball"\nconvention = "tree"\n[[link]]\nname = "a"\nmass = 1\ncom = [0, 0.2, -1]\n'
        'inertia = { about = "com", xx = 1, yy = 1.2, zz = 1.4 }\njoint = { type = "spherical", armature = 1 }\n'
    )
    q = arm.integrate(arm.neutral(), [0.3, 0.2, 0.5])
    gamma = arm.equations().at(q, [0, 0, 0])["christoffel"]
    M = arm.mass_matrix(q) - np.eye(3)
    c = np.zeros((3, 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        c[i, j, k], c[j, i, k] = 1, -1
    assert gamma - gamma.transpose(0, 2, 1) == pytest.approx(np.einsum("kjl,li->ijk", c, M), abs=1e-14)


@pytest.mark.parametrize("method", ["taylor", "dop853", "radau", "rk4", "midpoint"])
def test_payloads_change_hands_at_multiples_of_the_step(method: str) -> None:
    """reference/simulation"""
    box = qddot.forces.Payload(2, taken=0.50005)
    with refusal(qddot.QddotError, "payload-time-between-steps"):
        qddot.load("two_link").simulate([0.1, 0.2], duration=1, step=0.01, method=method, forces=box)


def test_skeletons_alone_of_all_functions_lack_joints_with_quasi_velocities() -> None:
    """reference/robot-file"""
    arm = qddot.load("satellite_arm")
    refused = []
    for name in (name for name, function in FUNCTIONS.items() if not function.of_loops):
        try:
            arm.program(name)
        except qddot.QddotError:
            refused.append(name)
    assert refused == ["skeleton"]


@pytest.mark.slow
def test_the_demonstration_ends_with_a_command_that_can_be_run() -> None:
    """As in `make demo`, whose environment is not on the PATH."""
    demo = [sys.executable, "examples/puma560_proof.py"]
    path = {**os.environ, "PATH": "/usr/bin:/bin"}
    ends = subprocess.run(demo, cwd=ROOT, env=path, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    command = re.search(r"Next: (.*) derive two_link", ends)
    assert command
    words = [*command[1].split(), "derive", "two_link", "--only", "M"]
    assert "M11" in subprocess.run(words, cwd=ROOT, env=path, capture_output=True, text=True, check=True).stdout


def test_what_the_pages_say_to_install_beside_the_whole_is_not_in_it() -> None:
    """README and both front pages: PDF by Typst, MP4 by ffmpeg; the list of tutorials: a C compiler."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    full, report, movie = (" ".join(extras[part]) for part in ("full", "report", "movie"))
    assert "typst" in report
    assert "ffmpeg" in movie
    assert not re.search("typst|ffmpeg|ziglang", full)
    for text in ((ROOT / "README.md").read_text(encoding="utf-8"), *twins("index.md")):
        assert '`".[full,report,movie]"`' in text
    assert all(f"`{part}`" in page("learn/index.md") for part in ("report", "movie", "pip install ziglang"))
