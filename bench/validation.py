"""Compares qddot's numbers with those of Pinocchio, MuJoCo and the literature, and stores the differences for the site.

    python bench/validation.py docs/evidence/validation.json     needs pin and mujoco, as the tests do

Each number is the largest difference of any state and entry, relative to the largest entry of the same state.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import qddot

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT / "tests" / "helpers"), str(ROOT / "tests" / "formats")]
from physical import mujoco_xml, random_chain  # type: ignore[import-not-found]  # noqa: E402 - behind the path
from test_urdf_peers import ARMS, pair  # type: ignore[import-not-found]  # noqa: E402

STATES = 100
WORKED = {  # the examples of the literature by the arm that ships
    "one_link": "000_one_link",
    "two_link": "000_two_link_exercise",
    "planar_2r": "001_two_link_modifiedDH",
    "slider": "001_slider",
    "spatial_2r": "002_spatial_2R_Ia_is_inertia",
    "spherical_pendulum": "003_spherical_pendulum",
    "elbow_3r": "003_3R_MLS_example_4_3",
    "rp": "004_RP_manipulator",
}
Row = dict[str, Any]


def difference(found: Any, expected: Any, states: int = STATES) -> float:
    """The largest difference of any state, relative to the state's own largest entry."""
    found, expected = (np.asarray(x, dtype=float).reshape(states, -1) for x in (found, expected))
    return float((np.abs(found - expected).max(1) / np.maximum(np.abs(expected).max(1), 1e-3)).max())


def beside_pinocchio() -> Iterator[Row]:
    """Public robot files, each read by both."""
    import pinocchio as pin

    for path in ARMS:
        arm, peer = pair(path)
        q, qd, qdd = np.random.default_rng(0).uniform(-3, 3, (3, STATES, arm.n))
        theirs = [(peer.q(a), peer.rates(b), peer.rates(c)) for a, b, c in zip(q, qd, qdd, strict=True)]
        model, data, at = peer.model, peer.data, peer.places
        tau = [pin.rnea(model, data, *state).copy()[at] for state in theirs]
        weights = [pin.computeGeneralizedGravity(model, data, state[0]).copy()[at] for state in theirs]
        yield {
            "arm": Path(path).stem,
            "joints": arm.n,
            "M": difference(arm.mass_matrix(q), [peer.mass_matrix(state[0]) for state in theirs]),
            "G": difference(arm.gravity(q), weights),
            "tau": difference(arm.inverse_dynamics(q, qd, qdd), np.array(tau) + [peer.friction(v) for v in qd]),
        }


def beside_mujoco() -> Iterator[Row]:
    """Random arms with full inertias, handed over in numbers."""
    import mujoco
    import pinocchio as pin

    for joints in range(2, 15, 2):
        arm, _ = random_chain(pin, joints=joints, seed=joints)
        model = mujoco.MjModel.from_xml_string(mujoco_xml(arm))
        data = mujoco.MjData(model)
        q, qd, qdd = np.random.default_rng(joints).uniform(-3, 3, (3, STATES, arm.n))
        masses, torques = np.zeros((STATES, arm.n, arm.n)), np.zeros((STATES, arm.n))
        for k in range(STATES):
            data.qpos[:], data.qvel[:], data.qacc[:] = q[k], qd[k], qdd[k]
            mujoco.mj_inverse(model, data)
            torques[k] = data.qfrc_inverse
            mujoco.mj_fullM(model, data, masses[k])
        yield {
            "arm": f"random, {joints} joints",
            "joints": joints,
            "M": difference(arm.mass_matrix(q), masses),
            "tau": difference(arm.inverse_dynamics(q, qd, qdd), torques),
        }


def beside_literature() -> Iterator[Row]:
    """Worked examples, whose values were computed with forty digits by another program."""
    examples = json.loads((ROOT / "tests" / "data" / "source_cases.json").read_text(encoding="utf-8"))
    for name, key in WORKED.items():
        arm, cases = qddot.load(name), examples["examples"][key]["cases"]
        yield _worked(name, arm, cases, lambda case: _renamed(case["params"]))
    motors = {f"Jm{k}": 0.0 for k in range(1, 7)}
    link_table = [{**case, **case["from_link_table_no_motor"]} for case in examples["puma560_akb"]["cases"]]
    yield _worked("puma560_akb", qddot.load("puma560_akb"), link_table, lambda _: motors)


def _renamed(params: dict[str, float]) -> dict[str, float]:
    """The moments of inertia of one source are called L."""
    tensors = {f"L{link}{axes}" for link in (1, 2) for axes in ("xx", "xy", "xz", "yy", "yz", "zz")}
    return {f"I{name[1:]}" if name in tensors else name: value for name, value in params.items()}


def _worked(name: str, arm: qddot.Robot, cases: list[Row], values: Callable[[Row], dict[str, float]]) -> Row:
    eq = arm.equations()
    found = [eq.at(case["q"], case["qd"], case["qdd"], **values(case)) for case in cases]
    worst = {
        quantity: max(difference(at[quantity], case[quantity], 1) for at, case in zip(found, cases, strict=True))
        for quantity in ("M", "h", "G", "tau")
    }
    return {"arm": name, "joints": arm.n, **worst}


def machine() -> str:
    """The processor's name where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())


def main() -> None:
    """Compares and stores, with the date, the machine and the versions."""
    stored = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "versions": {"qddot": qddot.__version__, "Pinocchio": version("pin"), "MuJoCo": version("mujoco")},
        "states": STATES,
        "Pinocchio": list(beside_pinocchio()),
        "MuJoCo": list(beside_mujoco()),
        "literature": list(beside_literature()),
    }
    Path(sys.argv[1]).write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
