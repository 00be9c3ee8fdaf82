"""Measures closed chains: equations and proofs, and forward dynamics of deltas beside MuJoCo's and Pinocchio's.

    python bench/loops.py     needs the packages mujoco and pin; for their times without Python also gcc, and g++ with
                              the headers of Eigen (libeigen3-dev), which takes some minutes

Seconds are processor times of one run, nanoseconds for a state are the least of several batches. MuJoCo's constraints
are soft, so that accelerations are compared with those of Lagrange multipliers for its M, bias and constraint rows.
Pinocchio's constraints are rigid; their drift Ȧ q̇ is included. `mujoco_peer.c` and `pinocchio_peer.cpp` time the same
states without Python; the latter is compiled from the headers of the wheel `pin`, and needs no library.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin
from exact_chains import measured
from linkages.rolling import WHIPPLE
from rich.console import Console
from rich.table import Table
from timing import least, stopwatch

import qddot
from qddot.faces.closed_chain import ClosedChain
from qddot.machine.compilers.batch import compiled
from qddot.machine.tracing.joined import trace_in_all_coordinates
from qddot.robot.symbol_values import all_values

HERE = Path(__file__).parent
EIGEN = "/usr/include/eigen3"
AS_IN_THE_WHEEL = (  # Pinocchio has more kinds of joints than Boost's lists hold
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
)
STATES, STEP = 4096, 1e-6
PEERS = 200  # states that peers are timed with
HEAD = '<option gravity="0 0 -9.81"/><compiler angle="radian" autolimits="true"/><worldbody>'


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    elapsed = stopwatch(process_time)
    return work(), elapsed()


def exact(table: Table, name: str, *independent: str) -> None:
    chain = qddot.load_closed_chain(name, independent)
    eq = chain.equations()
    _, derived = timed(lambda: (eq.M, eq.C, eq.G, eq.coefficients))
    certificate, proved = timed(chain.prove)
    assert certificate, certificate
    label = f"{name} in {', '.join(independent)}: derived, reduced and proved"
    table.add_row(label, f"{derived + proved:.2f} s", "1 s", f"{eq.M.terms} terms in M, {eq.C.terms} in C")


STEWART = "Stewart's platform, universal joints below"
LEGS = tuple(f"d{k}" for k in range(6))  # independent coordinates of a platform, by default the platform's own
LONG = (  # what is measured of which chain in which independent coordinates, the target, and what it took at first
    ("prove", "robotiq_2f85 on a wrist", (), "3 s", "33 s"),
    ("prove", "robotiq_2f85 on a free body", (), "20 s", "309 s"),
    ("prove", "Whipple's bicycle", WHIPPLE, "20 s, 1 GB", "> 200 s, 4.5 GB"),
    ("prove", STEWART, LEGS, "7 s", "7 s"),
    ("prove", STEWART, (), "32 s", "32 s"),
    ("call", STEWART, LEGS, "10 s", "60 s"),
)


def long(table: Table) -> None:
    """Adds the chains whose equations, or whose functions, are long."""
    for work, name, independent, target, was in LONG:
        found = measured(work, name, *independent)
        what = "proved" if work == "prove" else "first M and forward dynamics"
        label = f"{name}{' in ' if independent else ''}{', '.join(independent)}: {what}"
        terms = f", {found['M']} terms in M, {found['C']} in C" if "M" in found else ""
        table.add_row(label, f"{found['seconds']:.2f} s, {found['GB']:.2f} GB", target, f"was {was}{terms}")


def delta_in_mujoco(values: dict[str, float]) -> Any:
    """The same arms, elbows and platform; rods are tendons of constant length."""
    R, r, a, l = (values[name] for name in ("R", "r", "a", "l"))
    ma, Ia, mr, mp = (values[name] for name in ("ma", "Ia", "mr", "mp"))
    arms, sites, rods, held = "", "", "", ""
    for k, turn in enumerate(np.radians([0, 120, 240]), 1):
        arms += (
            f'<body euler="0 0 {turn}"><body pos="{R} 0 0"><joint axis="0 1 0"/>'
            f'<inertial pos="{a / 2} 0 0" mass="{ma}" diaginertia="{Ia} {Ia} {Ia}"/><site name="e{k}" pos="{a} 0 0"/>'
            f'<body pos="{a} 0 0"><inertial pos="0 0 0" mass="{mr / 2}" diaginertia="1e-12 1e-12 1e-12"/>'
            "</body></body></body>"
        )
        sites += f'<site name="p{k}" pos="{r * np.cos(turn)} {r * np.sin(turn)} 0"/>'
        rods += f'<spatial name="rod{k}"><site site="e{k}"/><site site="p{k}"/></spatial>'
        held += f'<tendon tendon1="rod{k}" polycoef="0 0 0 0 0"/>'
    slides = "".join(f'<joint type="slide" axis="{axis}"/>' for axis in ("1 0 0", "0 1 0", "0 0 1"))
    platform = f'<body>{slides}<inertial pos="0 0 0" mass="{mp + 1.5 * mr}" diaginertia="1 1 1"/>{sites}</body>'
    text = f"<mujoco>{HEAD}{arms}{platform}</worldbody><tendon>{rods}</tendon><equality>{held}</equality></mujoco>"
    model = mujoco.MjModel.from_xml_string(text)
    model.tendon_length0[:] = l
    return model


def with_multipliers(model: Any, q: Any, qd: Any, tau: Any) -> Any:
    """q̈ of Lagrange multipliers for MuJoCo's M, bias and rods' Jacobians, whose rates are by central differences."""
    data, n = mujoco.MjData(model), model.nv

    def rows(at: Any) -> Any:
        data.qpos[:], data.qvel[:] = at, qd
        mujoco.mj_forward(model, data)
        return data.efc_J.reshape(-1, n)[:3].copy()

    slope = (rows(q + STEP * qd) - rows(q - STEP * qd)) / (2 * STEP)
    A, M = rows(q), np.zeros((n, n))
    mujoco.mj_fullM(model, data, M)
    left = np.block([[M, -A.T], [A, np.zeros((3, 3))]])
    return np.linalg.solve(left, np.concatenate([tau - data.qfrc_bias, -slope @ qd]))[:n]


def states(chain: ClosedChain, rng: Any) -> tuple[Any, Any, Any]:
    """Configurations near one another, with rates and the motors' torques; chain: in x, y, z."""
    names = chain.model.tree.coordinates
    place = {name: {"q": 0.3, "u": 1.9}.get(name[0], 0.0) for name in names}
    some = [
        chain.assemble({**place, **dict(zip("xyz", point, strict=True))}).q
        for point in rng.uniform([-0.1, -0.1, -0.6], [0.1, 0.1, -0.45], (64, 3))
    ]
    q = np.array(some)[rng.integers(64, size=STATES)]
    tau = np.zeros_like(q)
    tau[:, :3] = rng.normal(size=(STATES, 3))
    return q, chain.velocities(q, rng.normal(size=(STATES, 3))), tau


def written(folder: Path, *parts: Any) -> Path:
    """A file of states, as the programs in C and C++ read them."""
    rows = np.concatenate(parts, axis=1)
    place = folder / "states.bin"
    place.write_bytes(np.int64(len(rows)).tobytes() + rows.astype(float).tobytes())
    return place


def printed(command: Sequence[str], *arguments: str) -> list[float]:
    """The numbers that a program prints after it is compiled, or none where there is no compiler, or no headers."""
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/peer"
        try:
            subprocess.run([*command, "-o", program], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            return []
        told = subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout
    return [float(number) for number in told.split()]


def mujoco_in_c(model: Any, q: Any, qd: Any, tau: Any) -> list[float]:
    """The nanoseconds of mj_forward, or nothing where there is no compiler."""
    home = Path(mujoco.__file__).parent
    library = next(home.glob("libmujoco.so*"))
    with tempfile.TemporaryDirectory() as folder:
        place = f"{folder}/model.mjb"
        mujoco.mj_saveModel(model, place)
        states = written(Path(folder), q, qd, tau)
        command = ["gcc", "-O3", "-march=native", f"-I{home}/include", str(HERE / "mujoco_peer.c")]
        return printed([*command, str(library), f"-Wl,-rpath,{home}"], place, str(states))


def motion(table: Table) -> None:
    chain = qddot.load_closed_chain("delta", ("x", "y", "z"))
    q, qd, tau = states(chain, np.random.default_rng(0))
    ours = chain.forward_dynamics(q, qd, tau)
    model = delta_in_mujoco(chain.model.tree.defaults())
    worst = max(
        np.abs(with_multipliers(model, *at) - own).max() for *at, own in zip(q[:50], qd, tau, ours, strict=False)
    )
    seconds = least(lambda: chain.forward_dynamics(q, qd, tau))
    data = mujoco.MjData(model)

    def theirs() -> None:
        for at, rates, torques in zip(q[:PEERS], qd, tau, strict=False):
            data.qpos[:], data.qvel[:], data.qfrc_applied[:] = at, rates, torques
            mujoco.mj_forward(model, data)

    each, peer = seconds / STATES * 1e9, least(theirs) / PEERS * 1e9
    table.add_row("delta, forward dynamics of a state", f"{each:.0f} ns", "50 ns", f"{len(q)} states, one core")
    table.add_row("  MuJoCo's mj_forward from Python", f"{peer:.0f} ns", "", f"{peer / each:.0f} × (target 40)")
    add_alone(table, "  MuJoCo's mj_forward from C", mujoco_in_c(model, q[:PEERS], qd[:PEERS], tau[:PEERS]), each)
    table.add_row("  against multipliers by MuJoCo's M, bias and rows", f"{worst:.1e}", "", "[rad/s² or m/s²]")


def add_alone(table: Table, label: str, times: Sequence[float], each: float) -> None:
    """Adds a peer's time without Python, than which ours has to be less."""
    if times:
        table.add_row(label, f"{times[0]:.0f} ns", "", f"{times[0] / each:.0f} × (target 1)")
    else:
        table.add_row(label, "–", "", "no compiler, or no headers")


class Peer:
    """Pinocchio's forward dynamics of a chain with spherical loops."""

    def __init__(self, chain: ClosedChain) -> None:
        self.model = model = pin.buildModelFromXML(chain.tree.to_urdf())
        self.places = [model.joints[model.getJointId(name)].idx_v for name in chain.model.tree.coordinates]
        frames = [model.frames[model.getFrameId(name)] for loop in chain.model.loops for name in loop.links]
        self.loops, self.each = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData()
        self.data, self.other = model.createData(), model.createData()
        for a, b in zip(frames[::2], frames[1::2], strict=True):
            held = (a.parentJoint, a.placement, b.parentJoint, b.placement)
            self.loops.append(pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, *held))
            self.each.append(self.loops[-1].createData())
        pin.initConstraintDynamics(model, self.data, self.loops, self.each)
        pin.computeJointMinimalOrdering(model, self.other, self.loops)

    def own(self, vectors: Any) -> Any:
        """Returns our numbers in Pinocchio's order."""
        moved = np.empty_like(vectors)
        moved[..., self.places] = vectors
        return moved

    @property
    def text(self) -> str:
        """Returns the joints and the loops, as the program in C++ reads them."""
        model = self.model
        lines = [f"{model.njoints - 1} {len(self.loops)}"]
        for k in range(1, model.njoints):
            body, place = model.inertias[k], model.jointPlacements[k]
            own = place.rotation, place.translation, body.mass, body.lever, body.inertia
            lines.append(f"{model.joints[k].shortname()} {model.parents[k]} {numbers(*own)}")
        for loop in self.loops:
            first, second = loop.joint1_placement, loop.joint2_placement
            ends = numbers(first.rotation, first.translation), numbers(second.rotation, second.translation)
            lines.append(f"{loop.joint1_id} {ends[0]} {loop.joint2_id} {ends[1]}")
        return "\n".join(lines)

    def alone(self, states: Sequence[Any]) -> list[float]:
        """The nanoseconds of constraintDynamics and of lcaba in C++, then the first state's accelerations by each."""
        home = next(path for path in Path(pin.__file__).parents if (path / "include" / "pinocchio").is_dir())
        headers = [f"-I{home}/include", f"-I{EIGEN}"]
        command = ["g++", "-std=c++17", "-O3", "-march=native", "-DNDEBUG", *AS_IN_THE_WHEEL, *headers]
        with tempfile.TemporaryDirectory() as folder:
            model = Path(folder) / "model.txt"
            model.write_text(self.text)
            rows = written(Path(folder), *states)
            return printed([*command, str(HERE / "pinocchio_peer.cpp")], str(model), str(rows))

    def accelerations(self, q: Any, qd: Any, tau: Any) -> Any:
        return pin.constraintDynamics(self.model, self.data, q, qd, tau, self.loops, self.each)

    def recursive(self, q: Any, qd: Any, tau: Any) -> Any:
        """By lcaba, whose constraints hold to the accuracy of the settings."""
        settings = pin.ProximalSettings(1e-12, 1e-6, 10)
        return pin.lcaba(self.model, self.other, q, qd, tau, self.loops, self.each, settings)


def numbers(*arrays: Any) -> str:
    return " ".join(repr(float(x)) for array in arrays for x in np.ravel(array))


def each_state(function: Callable[..., Any], states: Sequence[Any]) -> None:
    for at in zip(*states, strict=True):
        function(*at)


def parallelograms(table: Table) -> None:
    chain = qddot.load_closed_chain("delta_parallelograms", ("x", "y", "z"))
    given = states(chain, np.random.default_rng(0))
    ours = chain.forward_dynamics(*given)
    each = least(lambda: chain.forward_dynamics(*given)) / STATES * 1e9
    peer = Peer(chain)
    theirs = [peer.own(part[:PEERS]) for part in given]
    theirs[0] = np.array([pin.integrate(peer.model, pin.neutral(peer.model), at) for at in theirs[0]])
    table.add_row("delta with parallelograms, 21 velocities: forward dynamics", f"{each:.0f} ns", "150 ns", "")
    alone = peer.alone(theirs)
    for k, (name, function) in enumerate((("constraintDynamics", peer.accelerations), ("lcaba", peer.recursive))):
        worst = max(np.abs(function(*at) - own).max() for *at, own in zip(*theirs, peer.own(ours), strict=False))
        took = least(partial(each_state, function, theirs)) / PEERS * 1e9
        label = f"  Pinocchio {pin.__version__}'s {name} from Python"
        table.add_row(label, f"{took:.0f} ns", "", f"{took / each:.0f} × (target 40)")
        add_alone(table, f"  {name} in C++", alone[k:], each)
        table.add_row("  against it", f"{worst:.1e}", "", "[rad/s² or m/s²]")


def free_of_choice(table: Table) -> None:
    """Times accelerations without independent coordinates, as runs compute them, beside those by the chosen ones."""
    for name in ("four_bar", "five_bar", "delta", "robotiq_2f85", "delta_parallelograms"):
        chain = qddot.load_closed_chain(name)
        q = np.repeat(chain.some_assembly().q[None], STATES, 0)
        given = q, 0 * q[:, : chain.n], np.ones((STATES, chain.n))
        free = trace_in_all_coordinates(chain.system, "forward_dynamics", all_values(chain.model))
        programs = chain.program("forward_dynamics"), free
        each = [least(partial(compiled(program), *given)) / STATES * 1e9 for program in programs]
        counts = " → ".join(str(program.total_operations) for program in programs)
        label = f"{name}: q̈ by independent coordinates → without"
        table.add_row(
            label, f"{each[0]:.0f} → {each[1]:.0f} ns", "≤ 2 ×", f"{each[1] / each[0]:.1f} ×, {counts} operations"
        )


def main() -> None:
    table = Table("", "measured", "target", "", title="closed chains")
    exact(table, "four_bar", "q1")
    exact(table, "five_bar", "q1", "q3")
    exact(table, "slider_crank", "q1")
    exact(table, "delta", "x", "y", "z")
    exact(table, "delta", "q1", "q2", "q3")
    exact(table, "delta_parallelograms", "x", "y", "z")
    exact(table, "scara_parallelogram", "q1", "q2", "d5")
    exact(table, "rolling_disc", "phi", "theta", "psi")
    long(table)
    motion(table)
    parallelograms(table)
    free_of_choice(table)
    Console().print(table)


if __name__ == "__main__":
    main()
