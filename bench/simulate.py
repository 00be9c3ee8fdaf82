"""Measures how fast arms are simulated, compared with MuJoCo's rollout and SciPy over Pinocchio in the same run.

    python bench/simulate.py     needs the packages mujoco and pin for the peers it shows

One core pinned, medians of a few. Panda geometry with full random inertias, and the spatial two-link arm.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from panda import panda, pinocchio_model
from rich.console import Console
from rich.table import Table
from timing import least, seconds, stopwatch

import qddot

ARMS = 10_000


def batches(table: Table, arms: dict[str, qddot.Robot]) -> dict[str, float]:
    """ns of an arm-step with each compiled method, by difference of two lengths, so that only steps count."""
    rng, found = np.random.default_rng(0), {}
    for label, arm in arms.items():
        q0, qd0 = rng.uniform(-1, 1, (2, ARMS, arm.n))
        few, many = (20, 120) if arm.n > 3 else (200, 1200)
        for method in ("rk4", "semi-implicit", "midpoint"):

            def steps(count: int, a: Any = arm, s: Any = (q0, qd0), m: str = method) -> Any:
                return a.simulate(
                    *s, count * 1e-3, 1e-3, method=m, limits=False, options=qddot.Options(record_every=count)
                )

            took = seconds(lambda f=steps, n=many: f(n), 3) - seconds(lambda f=steps, n=few: f(n), 3)  # type: ignore[misc]
            found[f"{label} {method}"] = each = 1e9 * took / (many - few) / ARMS
            table.add_row("qddot", f"{label}, {method}, {ARMS:,} arms", f"{each:.1f} ns an arm-step", "")
    return found


def one_arm(table: Table, arm: qddot.Robot) -> float:
    q0, qd0 = np.random.default_rng(1).uniform(-1, 1, (2, arm.n))
    took = seconds(lambda: arm.simulate(q0, qd0, 20.0, 0.01, method="rk4", limits=False), 9)
    table.add_row("qddot", "7R, one arm, rk4, 20 s at 0.01 s, all states and energies", f"{1e3 * took:.1f} ms", "")
    return took


def ticks(table: Table, arm: qddot.Robot) -> None:
    """A tick of a loop of one's own, and such a loop at 1 kHz with computed torque in Python: the least of many."""
    stepper, n = arm.stepper(1e-3), arm.n
    motion = qddot.laws.quintic(np.zeros(n), np.full(n, 0.5), 1.0)
    q, qd, tau = np.random.default_rng(3).uniform(-1, 1, (3, n))
    state = np.zeros((2, n))

    def controlled() -> None:
        where, rate, acceleration = motion(0.3)
        wanted = acceleration + 20.0 * (rate - state[1]) + 100.0 * (where - state[0])
        state[0], state[1] = stepper(state[0], state[1], arm.inverse_dynamics(state[0], state[1], wanted))

    tick, loop = (least(work, 300, 200) for work in (lambda: stepper(q, qd, tau), controlled))
    table.add_row("qddot", "7R, one tick through a stepper, RK4 and checks", f"{1e6 * tick:.2f} µs", "")
    note = f"{100 * 1e3 * loop:.1f} % of a core"
    table.add_row("qddot", "7R, a 1 kHz loop with computed torque in Python", f"{1e6 * loop:.1f} µs a tick", note)


def sampled_laws(table: Table, arm: qddot.Robot) -> None:
    """A compiled law in 1,000 arms, continuous and sampled at every step: the difference of two lengths."""
    n, arms = arm.n, 1000
    start = np.random.default_rng(4).uniform(-0.5, 0.5, (arms, n))
    law = qddot.laws.pd_gravity(arm, np.zeros(n), 50.0, 20.0)
    found = {}
    for label, drive in (("continuous", law), ("sampled", qddot.laws.sampled(law, 1e-3))):

        def steps(count: int, drive: Any = drive) -> Any:
            return arm.simulate(
                start,
                None,
                count * 1e-3,
                1e-3,
                method="rk4",
                torque=drive,
                limits=False,
                options=qddot.Options(record_every=count),
            )

        found[label] = least(lambda f=steps: f(120)) - least(lambda f=steps: f(20))  # type: ignore[misc]
    each = {label: f"{1e9 * took / 100 / arms:.0f} ns an arm-step" for label, took in found.items()}
    ratio = f"{found['sampled'] / found['continuous']:.2f} × the continuous one, {each['continuous']}"
    table.add_row("qddot", "7R, a compiled law sampled at every step", each["sampled"], ratio)


def wrenches(table: Table, arm: qddot.Robot) -> None:
    """Steps of RK4 in 1,000 arms with external forces at the tool, beside the same ones without."""
    start = np.random.default_rng(5).uniform(-0.5, 0.5, (1000, arm.n))
    kinds = {
        "no force": None,
        "a force along the world's axes": qddot.forces.Wrench("tool", (1.0, 2.0, 3.0)),
        "a force and a moment": qddot.forces.Wrench("tool", (1.0, 2.0, 3.0), (0.1, 0.2, 0.3), at=(0.1, 0.2, 0.3)),
        "a spring and a damper": qddot.forces.SpringDamper("tool", (0.5, 0.2, 0.3), 100.0, 10.0),
        "a payload that is taken and left": qddot.forces.Payload(2.0, (0.0, 0.0, 0.1), taken=0.005, left=0.015),
    }
    found = {}
    for label, acting in kinds.items():

        def steps(count: int, a: Any = acting) -> Any:
            return arm.simulate(
                start,
                None,
                count * 1e-3,
                1e-3,
                method="rk4",
                forces=a,
                limits=False,
                options=qddot.Options(record_every=count),
            )

        found[label] = least(lambda f=steps: f(220), 15) - least(lambda f=steps: f(20), 15)  # type: ignore[misc]
        each = f"{1e9 * found[label] / 200 / len(start):.0f} ns an arm-step"
        more = "" if acting is None else f"{100 * (found[label] / found['no force'] - 1):+.0f} %"
        table.add_row("qddot", f"7R, {label}, 1,000 arms", each, more)


def streamed(table: Table) -> None:
    """A long run of a small arm, whose samples are the most work beside its motion, in memory and to a store."""
    arm, took = qddot.load("spatial_2r"), {}
    with tempfile.TemporaryDirectory() as folder:
        arm.simulate(
            [1.0, 0.5], None, 1.0, 1e-3, method="rk4", damping=1.0, options=qddot.Options(store=f"{folder}/warm.zarr")
        )  # loads what it needs
        for store in (None, f"{folder}/run.zarr"):
            elapsed = stopwatch()
            arm.simulate([1.0, 0.5], None, 1000.0, 1e-3, method="rk4", damping=1.0, options=qddot.Options(store=store))
            took[store] = elapsed()
        size = sum(path.stat().st_size for path in Path(folder, "run.zarr").rglob("*")) / 1e6
    inside, outside = took.values()
    note = f"{outside / inside:.1f} × the run in memory; {size:.0f} MB on the disk"
    table.add_row("qddot", "2R, one arm, 1,000,001 samples streamed to a store", f"{outside:.2f} s", note)


def many_pendulums(table: Table) -> None:
    arm = qddot.load("spatial_2r")
    q0 = np.random.default_rng(2).uniform(-3, 3, (ARMS, 2))
    arm.simulate(q0, None, 0.2, 0.01, method="rk4", options=qddot.Options(record_every=20))
    elapsed = stopwatch()
    run = arm.simulate(q0, None, 20.0, 0.01, method="rk4", options=qddot.Options(record_every=20))
    took = elapsed()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    note = f"{run.data.nbytes / 1e6:.0f} MB of samples; the process has had {peak:.0f} MB"
    table.add_row("qddot", f"2R, {ARMS:,} arms, 20 s at 0.01 s, record_every=20", f"{took:.2f} s", note)


def energies(table: Table) -> None:
    """Measures spatial_2r with Ia = 50: rk4's drift at a step and its half, midpoint's mean energy over 1,000 s."""
    arm = qddot.load("spatial_2r")
    start = ([np.pi, 0.0], [0.1, 0.1])
    drift = []
    for step in (0.01, 0.005):
        E = arm.simulate(*start, 20.0, step, "rk4", Ia=50.0).energy.E
        drift.append(np.abs(E - E[0]).max())
    note = f"{drift[1]:.2e} J at half the step: {drift[0] / drift[1]:.1f} times less"
    table.add_row("qddot", "spatial_2r (Ia = 50), rk4 at 0.01 s: largest drift in 20 s", f"{drift[0]:.2e} J", note)
    near = np.array(start[0]) + 1e-9 * np.arange(8)[:, None]  # the motion is chaotic: one start says little
    E = arm.simulate(near, start[1], 1000.0, 0.01, method="midpoint").energy.E
    tenth = E.shape[1] // 10
    shifts, swing = abs(E[:, -tenth:].mean(1) - E[:, :tenth].mean(1)), np.ptp(E)
    table.add_row(
        "qddot",
        "spatial_2r, midpoint at 0.01 s for 1,000 s: shift of the mean E",
        f"{np.median(shifts):.2e} J",
        f"{np.median(shifts) / swing:.3f} of its swing; the largest of 8 neighbours {shifts.max() / swing:.3f}",
    )


def movies(table: Table) -> None:
    """A film of 10 s with 30 pictures a second, 1280 × 720, whole, as people ask for it."""
    arm = qddot.load("puma560_akb")
    run = arm.simulate(np.full(arm.n, 0.1), None, 10.0, 0.01, method="rk4", damping=2.0, limits=False)
    with tempfile.TemporaryDirectory() as folder:
        for suffix in (".mp4", ".gif"):
            elapsed, used = stopwatch(), os.times()
            run.movie(f"{folder}/film{suffix}", progress=lambda _: None)
            now = os.times()
            busy = sum(now[k] - used[k] for k in range(4))  # of this process and of ffmpeg
            took = f"{elapsed():.1f} s"
            table.add_row("qddot", f"6R, a film of 10 s as {suffix}", took, f"{busy:.1f} s of processors")


def mujoco_rollout(table: Table, found: dict[str, float]) -> None:
    import mujoco
    from mujoco import rollout

    for label, joints, axis in (("7R", 7, "0 0 1"), ("2R", 2, "0 0 1")):
        body = "".join(
            f'<body pos="0 0.1 0.3" euler="90 0 0"><joint axis="{axis}"/>'
            f'<geom size="0.05 0.1" type="capsule" mass="{k}"/>'
            for k in range(1, joints + 1)
        )
        option = '<option integrator="RK4" timestep="0.001"><flag contact="disable" constraint="disable"/></option>'
        xml = f"<mujoco>{option}<worldbody>{body}{'</body>' * joints}</worldbody></mujoco>"
        model = mujoco.MjModel.from_xml_string(xml)
        data, arms, steps = mujoco.MjData(model), 20, 200
        size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
        start = np.zeros((arms, size))
        start[:, 1 : 1 + joints] = np.random.default_rng(0).uniform(-1, 1, (arms, joints))
        took = seconds(lambda m=model, d=data, s=start, n=steps: rollout.rollout(m, d, s, nstep=n), 5)  # type: ignore[misc]
        each = 1e9 * took / arms / steps
        ratio = each / found[f"{label} rk4"]
        table.add_row(
            f"MuJoCo {mujoco.__version__}",
            f"{label}, rollout with RK4",
            f"{each:.0f} ns an arm-step",
            f"{ratio:.0f} × ours",
        )


def scipy_over_pinocchio(table: Table, arm: qddot.Robot, ours: float) -> None:
    import pinocchio as pin
    from scipy.integrate import solve_ivp

    model = pinocchio_model(arm, pin)
    data, still = model.createData(), np.zeros(arm.n)
    x0 = np.random.default_rng(1).uniform(-1, 1, 2 * arm.n)

    def slope(_: float, x: Any) -> Any:
        return np.concatenate([x[arm.n :], pin.aba(model, data, x[: arm.n], x[arm.n :], still)])

    times = np.arange(2001) * 0.01
    took = seconds(lambda: solve_ivp(slope, (0, 20), x0, method="RK45", max_step=0.01, t_eval=times), 1)
    label = f"SciPy RK45 over Pinocchio {pin.__version__}"
    table.add_row(
        label, "7R, one arm, 20 s, steps of at most 0.01 s", f"{1e3 * took:.0f} ms", f"{took / ours:.0f} × ours"
    )


def main() -> None:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    table = Table("who", "what", "", "", title="Simulation; one core, medians")
    arms = {"7R": panda(), "2R": qddot.load("spatial_2r")}
    found = batches(table, arms)
    one = one_arm(table, arms["7R"])
    ticks(table, arms["7R"])
    sampled_laws(table, arms["7R"])
    wrenches(table, arms["7R"])
    many_pendulums(table)
    streamed(table)
    energies(table)
    movies(table)
    for peer, arguments in ((mujoco_rollout, (found,)), (scipy_over_pinocchio, (arms["7R"], one))):
        try:
            peer(table, *arguments)
        except ImportError as error:
            table.add_row("missing", str(error), "", "")
    Console(width=160, file=sys.stdout).print(table)


if __name__ == "__main__":
    main()
