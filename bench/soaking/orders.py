"""Arrays in Pinocchio's convention, of robots whose joints stand in another order there."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import qddot
from qddot.base.errors import QddotError
from qddot.faces import aliases
from soaking.judge import apart
from soaking.trial import Finding, Kind

AGREED = 1e-9  # URDF has numbers of so many digits
LETTERS = ["hip", "arm", "knee", "wrist", "z_first", "a_last", "B", "b10", "b9", "_x", "Elbow", "ankle", "2nd", "é"]


def trial(seed: int) -> Iterator[Finding]:
    """M, τ and the state in Pinocchio's convention, and back."""
    try:
        import pinocchio as pin
    except ImportError:
        return
    r, rng = random.Random(f"orders {seed}"), np.random.default_rng(seed)
    text, free = urdf(r, rng), r.random() < 0.5
    Path("robot.urdf").write_text(text, encoding="utf-8")
    arm = qddot.load("robot.urdf", base="free") if free else qddot.load("robot.urdf")
    theirs = pin.buildModelFromXML(text, pin.JointModelFreeFlyer()) if free else pin.buildModelFromXML(text)
    data = theirs.createData()
    q = rng.uniform(-2, 2, len(arm.model.positions))
    if free:
        q[3:7] /= np.linalg.norm(q[3:7])
    qd, qdd = rng.uniform(-2, 2, (2, arm.n))
    own = {"qd": qd, "qdd": qdd, "M": arm.mass_matrix(q), "tau": arm.inverse_dynamics(q, qd, qdd)}
    try:
        there: Any = aliases.in_convention(arm, "pinocchio", q, **own)
    except QddotError:  # an order that is not known is refused
        return
    place = with_circles(theirs, there["q"])
    M = pin.crba(theirs, data, place)
    M = np.triu(M) + np.triu(M, 1).T
    tau = pin.rnea(theirs, data, place, there["qd"], there["qdd"])
    size = np.abs(M).max()
    yield from apart("M in Pinocchio's convention", there["M"], M, size, AGREED)
    large = np.abs(tau).max() + size * np.abs(qdd).max()
    yield from apart("τ in Pinocchio's convention", there["tau"], tau, large, AGREED)
    back: Any = aliases.from_convention(arm, "pinocchio", there["q"], qd=there["qd"], M=M, tau=tau)
    for name, mine in (("q", q), ("qd", qd), ("M", own["M"]), ("tau", own["tau"])):
        yield from apart(f"{name} from Pinocchio's convention", back[name], mine, size + large, AGREED)


def with_circles(model: Any, q: Any) -> Any:
    """Returns q with (cos, sin) for each continuous joint, as Pinocchio's reader of URDF wants it."""
    if len(q) == model.nq:
        return q
    parts, at = [], 0
    for joint in list(model.joints)[1:]:
        size = 1 if joint.nv == 1 else joint.nq
        part, at = q[at : at + size], at + size
        parts.append(part if joint.nq == size else [np.cos(part[0]), np.sin(part[0])])
    return np.concatenate(parts)


def urdf(r: random.Random, rng: Any) -> str:
    """A tree of links whose joints have names in any order."""
    count = r.randint(2, 7)
    names = r.sample(LETTERS, count)
    parts = [link("l0", rng)]
    for k, name in enumerate(names, 1):
        kind = r.choice(["revolute", "continuous", "prismatic", "continuous"])
        axis = r.choice(["1 0 0", "0 1 0", "0 0 1"])
        xyz, rpy = (" ".join(f"{x:.3f}" for x in rng.uniform(-1, 1, 3)) for _ in range(2))
        limits = '<limit lower="-3" upper="3" effort="1" velocity="1"/>' if kind != "continuous" else ""
        parent = f"l{r.randint(0, k - 1)}"
        joint = f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="l{k}"/>'
        parts += [link(f"l{k}", rng), f'{joint}<origin xyz="{xyz}" rpy="{rpy}"/><axis xyz="{axis}"/>{limits}</joint>']
    if r.random() < 0.5:
        r.shuffle(parts)
    return f'<robot name="random">{"".join(parts)}</robot>'


def link(name: str, rng: Any) -> str:
    A = rng.normal(size=(3, 3)) * 0.2
    I = A @ A.T + np.eye(3)
    com = " ".join(f"{x:.3f}" for x in rng.uniform(-0.3, 0.3, 3))
    entries = " ".join(f'i{"xyz"[i]}{"xyz"[j]}="{I[i, j]:.4f}"' for i in range(3) for j in range(i, 3))
    inertial = f'<origin xyz="{com}"/><mass value="{rng.uniform(0.5, 3):.3f}"/><inertia {entries}/>'
    return f'<link name="{name}"><inertial>{inertial}</inertial></link>'


KIND = Kind("orders", trial, seconds=60)
