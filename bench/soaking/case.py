"""A random robot with its judge and a state, and how large things can be there."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

import qddot
from qddot.formats.toml import robot_file
from soaking import random_robots
from soaking.arithmetic import value
from soaking.links import links_of, pose
from soaking.recursion import Arm

MANY_ODD = 8  # angles; beyond it polynomials have millions of terms


@dataclass
class Case:
    """A random robot, its judge and a state."""

    mapping: dict[str, Any]
    arm: Any
    judge: Arm
    q: Any
    qd: Any
    qdd: Any
    r: random.Random

    @property
    def still(self) -> Any:
        return np.zeros_like(self.q)

    def tau_and_bound(self) -> tuple[Any, Any]:
        return self.judge.bounded(self.q, self.qd, self.qdd)


def drawn(seed: int) -> Case:
    mapping = random_robots.robot(seed)
    r, rng = random.Random(f"checks {seed}"), np.random.default_rng(seed)
    arm = qddot.Robot(robot_file.from_mapping(mapping, "random"))
    Path("robot.toml").write_text(arm.to_toml(), encoding="utf-8")
    scale = r.choice([1.0, 1.0, 1e-3, 10.0])
    q, qd, qdd = rng.uniform(-3, 3, arm.n), *(scale * rng.uniform(-2, 2, (2, arm.n)))
    return Case(mapping, arm, judge_of(mapping), q, qd, qdd, r)


def judge_of(mapping: dict[str, Any], known: Mapping[str, float] = random_robots.SYMBOLS) -> Arm:
    names = [link["name"] for link in mapping["link"]]
    tool = pose(mapping["tool"], lambda text: value(text, known))
    gravity = np.array([value(x, known) for x in mapping["gravity"]])
    return Arm(links_of(mapping, known), mapping["coordinates"], gravity, tool, names.index(mapping["tool"]["body"]))


def bound_of_mass(case: Case) -> Any:
    light = replace(case.judge, gravity=np.zeros(3))
    n = len(case.q)
    columns = [light.bounded(case.q, case.still, np.eye(n)[i], effects=False)[1] for i in range(n)]
    return np.array(columns).T + np.diag(case.judge.sums("armature"))


def reach(case: Case) -> float:
    """How far from the base anything can be."""
    sizes = [np.abs(part).sum() for link in case.judge.links for part in (link.p, link.offset_p)]
    slides = sum(abs(link.ratio) for link in case.judge.links if not link.turns) * float(np.abs(case.q).sum())
    return float(sum(sizes) + slides + np.abs(case.judge.tool[1]).sum())


def condition(M: Any) -> float:
    """Of M scaled to a diagonal of ones; infinite where M is not positive definite."""
    size = np.sqrt(np.abs(np.diag(M)))
    if not (np.diag(M) > 0).all():
        return float("inf")
    eigenvalues = np.linalg.eigvalsh(M / np.outer(size, size))
    return float(eigenvalues[-1] / eigenvalues[0]) if eigenvalues[0] > 0 else float("inf")


def tractable(case: Case, easy: int, hard: int) -> bool:
    """Says whether polynomials stay short: few joints, fewer if some have odd angles, and few odd angles."""
    turning = sum(link.turns for link in case.judge.links)
    odd = random_robots.odd_turns(case.mapping["link"])
    return turning <= (easy if odd < 2 else hard) and len(case.q) <= 6 and odd <= MANY_ODD
