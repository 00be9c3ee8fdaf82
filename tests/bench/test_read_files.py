"""Benchmarks read files with content that is not modelled, count them, and take it out of MuJoCo's model, too."""

from __future__ import annotations

import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
if not (ROOT / "bench").is_dir():
    pytest.skip("the benchmarks are not shipped", allow_module_level=True)
sys.path.append(str(ROOT / "bench"))

from read_files import Reading, lessen  # noqa: E402

PLAIN = """<mujoco><worldbody><body name="a"><joint name="j" axis="0 1 0"/>
<inertial pos="0.1 0 0" mass="1" diaginertia="0.02 0.02 0.02"/></body></worldbody></mujoco>"""
LADEN = (
    PLAIN.replace('name="a"', 'name="a" gravcomp="0.5"')
    .replace('axis="0 1 0"', 'axis="0 1 0" damping="0 2" stiffness="0 3"')
    .replace("<worldbody>", '<option density="1000" viscosity="1"/><worldbody>')
    .replace(
        "</worldbody>",
        '</worldbody><tendon><fixed stiffness="2" springlength="0 0.1" damping="1" armature="0.3">'
        '<joint joint="j" coef="1"/></fixed>'
        '</tendon><actuator><motor joint="j" armature="0.1" damping="0.2 0.1"/></actuator>',
    )
)


def test_files_with_content_that_is_not_modelled_are_read_and_counted(tmp_path: Path) -> None:
    reading = Reading()
    for path, text in ((tmp_path / "plain.xml", PLAIN), (tmp_path / "laden.xml", LADEN)):
        path.write_text(text, encoding="utf-8")
        assert reading.robot(path).n == 1
    assert str(reading).startswith("2 files read, 1 without content: ")
    assert reading.lacking == dict.fromkeys(("tendons", "gravcomp", "fluid", "actuators", "polynomials"), 1)


def test_mujoco_computes_the_same_without_this_content() -> None:
    (M, tau), laden, lessened = motion(PLAIN), motion(LADEN), motion(LADEN, lessens=True)
    assert abs(laden[0] - M) > 0.3 and abs(laden[1] - tau) > 1
    assert lessened == pytest.approx((M, tau), rel=1e-14)  # some ten operations


@pytest.mark.parametrize("kind", ["free", "ball"])
def test_mujoco_has_no_springs_of_free_and_ball_joints_then(kind: str) -> None:
    joint = f'type="{kind}" damping="1"'
    free, held = (PLAIN.replace('axis="0 1 0"', f"{joint} {spring}") for spring in ("", 'stiffness="9"'))
    assert motion(held) != motion(free) == motion(held, lessens=True)


def motion(text: str, lessens: bool = False) -> tuple[float, float]:
    """MuJoCo's first mass, and its first torque or force."""
    model = mujoco.MjModel.from_xml_string(text)
    if lessens:
        lessen(model)
    data, M = mujoco.MjData(model), np.zeros((model.nv, model.nv))
    data.qpos[:], data.qvel[:], data.qacc[:] = 0.3, 1.5, 2
    mujoco.mj_inverse(model, data)
    mujoco.mj_fullM(model, data, M)
    return M[0, 0], data.qfrc_inverse[0]
