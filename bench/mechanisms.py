"""Measures arms on free bases: equations and proofs, compiled functions compared with Pinocchio, and many satellites.

    python bench/mechanisms.py     needs the package pin with its example-robot-data

Seconds are processor times of one run, nanoseconds for a state are the least of several batches. Those of derivatives
are small, so that their results fit the caches.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import pinocchio as pin
from rich.console import Console
from rich.table import Table
from timing import least, stopwatch

import qddot
from qddot.formats.toml import robot_file

ROBOTS = Path(pin.__file__).parents[4] / "share" / "example-robot-data" / "robots"
HUMANOID = ROBOTS / "simple_humanoid_description" / "urdf" / "simple_humanoid.urdf"
QUADRUPED = ROBOTS / "hyq_description" / "robots" / "hyq_no_sensors.urdf"
STATES, STATES_OF_DERIVATIVES, SATELLITES, SECONDS = 4096, 256, 1000, 100.0
PARAMETERS = "m0 mx0 my0 mz0 Ixx0 Ixy0 Ixz0 Iyy0 Iyz0 Izz0"


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    elapsed = stopwatch(process_time)
    return work(), elapsed()


def on_free_base(name: str) -> qddot.Robot:
    """A shipped arm whose base has a general inertia in symbols."""
    m, _, _, _, *tensor = PARAMETERS.split()
    return qddot.load(name).free(mass=m, inertia=tensor, about="origin", symbols=PARAMETERS)


def exact(table: Table, label: str, arm: qddot.Robot, targets: tuple[str, str]) -> None:
    """Long arms are verified modulo primes in place of a proof."""
    eq = arm.equations()
    _, derived = timed(lambda: (eq.M, eq.christoffel, eq.G))
    table.add_row(f"{label}: M, Γ, G exact", f"{derived:.2f} s", targets[0], f"{eq.christoffel.terms:,} terms in Γ")
    certificate, proved = timed(eq.prove)
    assert certificate, certificate
    done = "verified modulo primes" if certificate.primes else "proved"
    table.add_row(f"{label}: {done}", f"{proved:.2f} s", targets[1], f"{len(certificate.identities)} identities")


def compiled(table: Table, arm: qddot.Robot) -> None:
    rng = np.random.default_rng(0)
    q = arm.integrate(arm.neutral(), rng.uniform(-1, 1, (STATES, arm.n)))
    qd, other = rng.uniform(-1, 1, (2, STATES, arm.n))
    model = pin.buildModelFromUrdf(str(HUMANOID), pin.JointModelFreeFlyer())
    data, at, rates = model.createData(), pin.neutral(model), np.zeros(model.nv)
    rows: tuple[tuple[str, str, Callable[[], Any]], ...] = (
        ("inverse_dynamics", "≤ 150 ns", lambda: pin.rnea(model, data, at, rates, rates)),
        ("forward_dynamics", "≤ 350 ns", lambda: pin.aba(model, data, at, rates, rates)),
        ("inverse_dynamics_derivatives", "≤ 1 µs", lambda: pin.computeRNEADerivatives(model, data, at, rates, rates)),
    )
    for name, target, theirs in rows:
        function = getattr(arm, name)
        _, first = timed(lambda function=function: function(q[:2], qd[:2], other[:2]))  # type: ignore[misc]
        count = STATES_OF_DERIVATIVES if "derivatives" in name else STATES
        states = q[:count], qd[:count], other[:count]
        ours = least(lambda function=function, states=states: function(*states), 7, STATES // count) / count  # type: ignore[misc]
        peer = least(theirs, 7, 100)
        said = f"Pinocchio from Python {1e9 * peer:.0f} ns, {peer / ours:.0f} ×; first call {first:.1f} s"
        table.add_row(f"humanoid, {arm.n} velocities: {name}", f"{1e9 * ours:.0f} ns", target, said)


def satellites(table: Table) -> None:
    inertia = {"about": "com", "xx": 8, "yy": 9, "zz": 12, "xy": 0.5}
    link = {"name": "body", "joint": {"type": "free"}, "mass": 50, "inertia": inertia}
    data = {"convention": "tree", "gravity": [0, 0, 0], "link": [link]}
    arm = qddot.Robot(robot_file.from_mapping(data, "satellite"))
    spins = np.random.default_rng(0).normal(size=(SATELLITES, 3))
    rates = np.zeros((SATELLITES, 6))
    rates[:, 3:] = spins / np.linalg.norm(spins, axis=1, keepdims=True)  # 1 rad/s
    starts = np.repeat(arm.neutral()[None], SATELLITES, axis=0)
    kept = qddot.Options(record_every=1000)
    for method, target in (("rk4", "≤ 5 s, L to 1e-8"), (("taylor", 1e-14), "≤ 10 s, L to 1e-12")):
        arm.simulate(starts, rates, 0.1, 0.01, method)
        run, took = timed(lambda method=method: arm.simulate(starts, rates, SECONDS, 0.01, method, options=kept))  # type: ignore[misc]
        L = [np.einsum("nij,nj->ni", R, arm.momentum(run.q[:, k], run.qd[:, k])[:, 3:]) for k, R in _turns(arm, run)]
        off = np.abs(L[1] - L[0]).max() / np.abs(L[0]).max()
        table.add_row(f"1,000 satellites for 100 s, {method}", f"{took:.2f} s", target, f"L to {off:.1e} relative")


def _turns(arm: qddot.Robot, run: qddot.Run) -> list[tuple[int, Any]]:
    """The rotations of the bases at the first and the last sample."""
    return [(k, arm.forward_kinematics(run.q[:, k])[:, :3, :3]) for k in (0, -1)]


def main() -> None:
    table = Table("what", "measured", "target", "beside it")
    exact(table, "quadruped of 18 velocities", qddot.load(QUADRUPED, base="free"), ("≤ 0.5 s", "≤ 0.5 s with M, Γ, G"))
    exact(table, "puma560, all symbols", on_free_base("puma560"), ("", "≤ 1 s"))
    exact(table, "panda, all symbols", on_free_base("panda"), ("", "≤ 2 s"))
    humanoid = qddot.load(HUMANOID, base="free")
    exact(table, "humanoid, in numbers", humanoid, ("≤ 3 s", "≤ 100 s, proved"))
    compiled(table, humanoid)
    satellites(table)
    Console().print(table)


if __name__ == "__main__":
    main()
