"""The page's motion: what Python writes for it, and the page's own unit tests beside native runs, in Node."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from page_sentences import write_sentences
from physical import physical
from refusals import refusal
from shipped import ZOO
from tools import node, uses

import qddot
from qddot.algebra.program.program import ProgramError
from qddot.apps.page.moving import LAWS, motion
from qddot.base.errors import QddotError
from qddot.machine.compilers import javascript
from qddot.motion.simulate.acting.drives import Nothing
from qddot.motion.simulate.plant import Plant
from qddot.motion.simulate.stepping.schemes import MIDPOINT
from qddot.papers.draw.drawn_arm import drawn_arm

PAGE = Path(__file__).parents[3] / "page"
SECONDS = 3.0
EVERY = 10  # steps of 1 ms from one sample to the next, as on the page


def page_test_environment() -> dict[str, str]:
    return {**os.environ, "NODE_NO_WARNINGS": "1"}


def written(folder: Path, arm: qddot.Robot, name: str, law: str, native: Any, **start: Any) -> None:
    """Writes the generated module, and the native run that it is compared with."""
    made = motion(arm.model, law, start.pop("texts", []))
    q0 = start["q"]
    damping = start.get("damping", [0.0] * arm.n)
    rows = {"q": q0, "qd": [0.0] * arm.n, "damping": damping, "gains": [], "arms": 1, "hair": 0.0, "limits": False}
    rows |= start
    options = {
        "torque": native,
        "damping": damping,
        "options": qddot.Options(record_every=EVERY),
        "limits": rows["limits"],
    }
    run = arm.simulate(rows["q"], rows["qd"], SECONDS, 1e-3, method="rk4", **options)
    moves = np.isfinite(run.q).all(-1)
    poses = [{"q": q.tolist(), "T": arm.forward_kinematics(q, "tool").ravel().tolist()} for q in run.q[moves][::60]]
    content = {"name": name, "arm": drawn_arm(arm.model), "size": made["size"], "accounts": made["accounts"]}
    content |= {"start": rows, "time": run.time[moves].tolist(), "q": run.q[moves].tolist(), "poses": poses}
    content |= {"K": run.energy.K[moves].tolist(), "P": run.energy.P[moves].tolist()}
    content["stops"] = [{"time": each.time, "q": each.q.tolist(), "reason": each.reason} for each in run.stops]
    (folder / f"{name}.mjs").write_text(made["module"], encoding="utf-8")
    (folder / f"{name}.json").write_text(json.dumps(content), encoding="utf-8")


def motions(folder: Path) -> None:
    """Writes arms that turn, slide and rub, under each law."""
    two, homework, elbow = qddot.load("two_link"), qddot.load("spatial_2r"), qddot.load("elbow_3r")
    written(folder, two, "two_link", "none", None, q=[0.4, 0.9])
    written(folder, two, "two_link_gravity", "gravity", lambda t, q, qd: two.gravity(q), q=[0.4, 0.9], qd=[0.5, -0.3])
    goal = [0.7, -0.4, 25.0, 10.0]
    law = qddot.laws.computed_torque(two, goal[:2], goal[2], goal[3])
    written(folder, two, "two_link_computed", "computed", law, q=[0.4, 0.9], gains=goal)
    texts = ["5*sin(2*t) - qd1*m1", "-3*(q2 - 0.5) - 0.4*qd2 + cos(q1)/4"]

    def said(t: Any, q: Any, qd: Any) -> list[Any]:
        first = 5 * qddot.sin(2 * t) - qd[0] * two.model.defaults()["m1"]
        return [first, -3 * (q[1] - 0.5) - 0.4 * qd[1] + qddot.cos(q[0]) / 4]

    written(folder, two, "two_link_expression", "expression", said, q=[0.4, 0.9], texts=texts)
    written(folder, homework, "spatial_2r", "none", None, q=[2.0, 0.3], qd=[0.1, 0.1], damping=[1.0, 1.0])
    written(folder, physical(elbow), "elbow_3r", "none", None, q=[0.3, 0.2, -0.4], damping=[0.5, 0.5, 0.5])
    rows = [{"theta": f"q{k}", "d": 0, "a": 1, "alpha": 0} for k in (1, 2)]
    links = [{"mass": 1, "joint": {"limits": limits}} for limits in ([-1, 0.9], [-1, 1])]
    short = qddot.from_dh(rows, links, gravity=[0, -9.81, 0])
    written(folder, short, "limited", "none", None, q=[0.3, 0.2], qd=[3.0, 0.0], limits=True)
    written(folder, physical(qddot.load("rp")), "rp", "none", None, q=[0.3, 0.6], damping=[3.0, 3.0])


def drawn(folder: Path) -> None:
    """Writes every robot that ships as the page draws it."""
    folder.mkdir()
    for name in ZOO:
        (folder / f"{name}.json").write_text(json.dumps(drawn_arm(qddot.load(name).model)), encoding="utf-8")


@pytest.mark.slow
@uses("node", "pyodide")
def test_the_pages_units(tmp_path: Path) -> None:
    command, motion_folder = node(), {"MOTIONS": str(tmp_path)}
    motions(tmp_path)
    drawn(tmp_path / "drawn")
    write_sentences()
    done = subprocess.run(
        [command, str(PAGE / "make" / "test.mjs")],
        env={**page_test_environment(), **motion_folder},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


WILD = "constructor"


@pytest.mark.parametrize("law", LAWS)
def test_a_motion_has_no_word_of_the_robot(law: str) -> None:
    rows = [{"theta": WILD, "d": 0, "a": f"{WILD}_a", "alpha": 0}]
    arm = qddot.from_dh(
        rows, [{"mass": f"{WILD}_m", "name": WILD}], symbols={f"{WILD}_a": 1, f"{WILD}_m": 2}, name=WILD
    )
    text = motion(arm.model, law, [f"-{WILD}_m*{WILD}"])["module"]
    assert WILD not in text
    assert "export function step(t, h, state, parameters)" in text
    assert "export function inner(p0, p1, p2, p3, out" in text


@pytest.mark.parametrize(
    ("law", "texts", "says"),
    [
        ("steer", [], ("none-of-these", "law", "'steer'", "none, gravity, computed, expression")),
        ("expression", ["1"], ("torques-joint", "1", "2")),
        ("expression", ["q3", "0"], ("unknown-torque-name", "'q3'", "q1", "t", "qd1")),
        ("expression", ["__import__('os')", "0"], ("not-arithmetic", "__import__")),
        ("expression", ["1/q1", "0"], ("divided-by-symbol",)),
    ],
)
def test_laws_that_are_none_are_refused(law: str, texts: Sequence[str], says: tuple[str, ...]) -> None:
    with refusal(QddotError, *says):
        motion(qddot.load("two_link").model, law, texts)


def test_a_symbol_without_a_value_is_named() -> None:
    with refusal(QddotError, "value-missing", "Ixx1"):
        motion(qddot.load("puma560").model, "none", [])


def test_friction_of_the_model_stands_in_the_accounts() -> None:
    rows = [{"theta": "q1", "d": 0, "a": 1, "alpha": 0}]
    arm = qddot.from_dh(rows, [{"mass": 1, "joint": {"damping": 0.2}}])
    made = motion(arm.model, "none", [])
    assert made["accounts"][:2] == ["work", "hand"] and made["accounts"][-1] == "damping"
    assert len(made["accounts"]) == 4
    assert made["size"] == 2 + 4
    assert np.isclose(arm.bias([0.0], [1.0])[0], 0.2)


def test_a_recurrence_that_iterates_is_not_exported() -> None:
    arm = qddot.load("two_link")
    plant = Plant(arm.model, arm.model.defaults(), (), damped=False, drive=Nothing(arm.n))
    with refusal(ProgramError, "recurrence-not-exported"):
        javascript.stepper(MIDPOINT.recurrence(plant), [])
