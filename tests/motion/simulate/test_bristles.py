"""Bristles give dry friction a state: presliding, stick–slip, energy, and steady friction."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import arb, ctx
from refusals import refusal

import qddot
from qddot.base.errors import QddotError

# the block of Canudas de Wit, Olsson, Åström & Lischinsky 1995: σ0, σ1, σ2 [N/m, N s/m, N s/m], F_c, F_s [N], v_s [m/s]
BRISTLES, DAMPING, VISCOUS, DRY, BREAKAWAY, SLOW = 1e5, 316.22776601683796, 0.4, 1.0, 1.5, 0.001
SPRING, PULLED = 2.0, 0.1  # N/m, m/s
ORDER, PART = 30, 0.15  # of a series, and of its radius that a step takes: 0.15³⁰ = 2e-25
BLOCK = f"""
name = "block"
convention = "tree"
gravity = [0, 0, 0]
[[link]]
name = "block"
mass = 1
com = [0, 0, 0]
inertia = {{about = "com"}}
[link.joint]
type = "prismatic"
axis = [1, 0, 0]
coordinate = "x"
damping = {VISCOUS}
coulomb = {DRY}
stribeck = {{excess = {BREAKAWAY - DRY}, velocity = {SLOW}}}
bristles = {{stiffness = {BRISTLES}, damping = {DAMPING!r}}}
"""


def pull(t: Any, q: Any, _: Any) -> list[Any]:
    return [SPRING * (PULLED * t - q[0])]


def series(t: arb, x: arb, v: arb, z: arb, side: int) -> list[list[arb]]:
    """Returns the coefficients of x, v and z about t, where v has the sign `side`, by their recurrence."""
    zero, X, V, Z = arb(0), [x], [v], [z]
    u, e, g, product, ratio = list[arb](), list[arb](), list[arb](), list[arb](), list[arb]()
    force = [arb(SPRING) * arb(PULLED) * t, arb(SPRING) * arb(PULLED)]
    for k in range(ORDER):
        u.append(-sum((V[j] * V[k - j] for j in range(k + 1)), zero) / arb(SLOW) ** 2)
        e.append(sum((j * u[j] * e[k - j] for j in range(1, k + 1)), zero) / k if k else u[0].exp())
        g.append(arb(BREAKAWAY - DRY) * e[k] + (arb(DRY) if k == 0 else 0))
        product.append(side * sum((V[j] * Z[k - j] for j in range(k + 1)), zero))
        ratio.append((product[k] - sum((g[j] * ratio[k - j] for j in range(1, k + 1)), zero)) / g[0])
        bends = V[k] - arb(BRISTLES) * ratio[k]
        friction = arb(BRISTLES) * Z[k] + arb(DAMPING) * bends + arb(VISCOUS) * V[k]
        a = (force[k] if k < 2 else zero) - arb(SPRING) * X[k] - friction
        for row, rate in ((X, V[k]), (V, a), (Z, bends)):
            row.append(rate / (k + 1))
    return [X, V, Z]


def at(row: list[arb], h: arb) -> arb:
    total = arb(0)
    for coefficient in reversed(row):
        total = total * h + coefficient
    return total.mid()


def reference(times: list[float]) -> Any:
    """Returns x and v of the block that the spring pulls, by series in 110 bits whose steps end where v turns."""
    states, t, x, v, z, side = list[tuple[float, float]](), arb(0), arb(0), arb(0), arb(0), 1
    for end in times:
        while t < arb(end):
            X, V, Z = rows = series(t, x, v, z, side)
            last = max(float(abs(row[-1]).upper()) ** (1 / ORDER) for row in rows)
            h = min(arb(PART / last), arb(end) - t).mid()
            turns = at(V, h) * side < 0
            if turns:
                low, high = arb(0), h
                if float(v) == 0 and float(V[1]) * side < 0:
                    side, turns = -side, False
                    continue
                for _ in range(110):
                    middle = ((low + high) / 2).mid()
                    low, high = (middle, high) if at(V, middle) * side > 0 else (low, middle)
                h = high
            x, v, z, t = at(X, h), arb(0) if turns else at(V, h), at(Z, h), (t + h).mid()
            side = -side if turns else side
        states.append((float(x), float(v)))
    return np.array(states)


def compared(times: list[float], step: float) -> None:
    before, ctx.prec = ctx.prec, 110
    try:
        right = reference(times)
    finally:
        ctx.prec = before
    run = qddot.loads(BLOCK).simulate([0], [0], times[-1], step, torque=pull)
    at_times = [round(t / step) for t in times]
    assert run.q[at_times, 0] == pytest.approx(right[:, 0], abs=1e-9)
    assert run.qd[at_times, 0] == pytest.approx(right[:, 1], abs=1e-9)
    assert run.energy.check(1e-9)


def test_bristles_yield_before_the_block_slides() -> None:
    compared([0.25, 0.5], 0.25)
    run = qddot.loads(BLOCK).simulate([0], [0], 2, 0.5, torque=pull)
    # at rest but for creeping, bristles hold what the spring pulls with
    assert run.q[-1, 0] == pytest.approx(SPRING * PULLED * 2 / BRISTLES, rel=0.25)


@pytest.mark.thorough
def test_a_block_sticks_and_slips_as_its_series_say() -> None:
    compared([2.0, 7.0, 8.0, 9.0, 12.0], 0.25)


def test_all_methods_bend_bristles_alike() -> None:
    block, ends = qddot.loads(BLOCK), list[float]()
    for method in ("taylor", "radau", "dop853"):
        run = block.simulate([0], [0.02], 0.2, 0.05, method=method)
        ends.append(float(run.q[-1, 0]))
        assert run.energy.check(1e-8)
        assert run.energy.losses["bristles"][-1] > 0
    assert ends == pytest.approx([ends[0]] * 3, abs=1e-8)


def test_in_steady_motion_bristles_have_the_dry_friction_of_the_equations() -> None:
    block = qddot.loads(BLOCK)
    (steady,) = block.inverse_dynamics([0], [0.05], [0])
    assert steady == pytest.approx(DRY + VISCOUS * 0.05)
    run = block.simulate([0], [0.05], 1, 0.1, torque=[steady])
    assert run.qd[-1, 0] == pytest.approx(run.qd[-2, 0], abs=1e-3)
    assert {each.verdict for each in block.prove().identities} == {"proved"}


def test_files_and_symbols_keep_bristles(tmp_path: Path) -> None:
    block = qddot.loads(BLOCK)
    assert qddot.loads(block.to_toml()).model.bodies == block.model.bodies
    (tmp_path / "block.urdf").write_text(block.to_urdf())
    again = qddot.load(tmp_path / "block.urdf").simulate([0], [0.02], 0.1, 0.05)
    assert again.q == pytest.approx(block.simulate([0], [0.02], 0.1, 0.05).q, abs=1e-12)
    assert block.with_symbols("friction").model.symbols
    run = block.simulate([0], [0.02], 0.1, 0.05)
    assert run.arm().model.bodies == block.model.bodies
    stiff = block.with_friction(bristles={"stiffness": "k", "damping": 300}, symbols={"k": 1e4})
    ways = [stiff.simulate([0], [0], 2, 0.5, torque=[0.5], k=k).q[-1, 0] for k in (1e4, 2e4)]
    assert ways[0] == pytest.approx(2 * ways[1], rel=0.01)
    assert block.with_friction(bristles=0).simulate([0], [0], 1, 0.5, torque=[1.49]).q[-1, 0] == 0


@pytest.mark.parametrize(
    ("friction", "code"),
    [
        ({"coulomb": 0}, "bristles-without-friction"),
        ({"stribeck": {"excess": -1, "velocity": 1}}, "bristles-without-friction"),
        ({"bristles": {"stiffness": 0, "damping": 1}}, "effect-not-positive"),
        ({"bristles": {"stiffness": 1, "damping": -1}}, "effect-negative"),
    ],
)
def test_impossible_bristles_are_refused(friction: dict[str, Any], code: str) -> None:
    with refusal(QddotError, code):
        qddot.loads(BLOCK).with_friction(**friction)


def test_what_cannot_take_bristles_says_so() -> None:
    block = qddot.loads(BLOCK)
    with refusal(QddotError, "effect-in-certificate"):
        block.certificate()
    with refusal(QddotError, "effect-without-bound"):
        block.bounds({"qd": 1, "qdd": 1, "x": [-1, 1]}, seconds=1)


@pytest.mark.parametrize(("viscous", "passive"), [(160, True), (156, False)])
def test_the_doctor_finds_bristles_that_give_energy(viscous: float, passive: bool) -> None:
    """The power F q̇ − d/dt(½ k z²) of bristles and viscous friction, over rates and all z up to the breakaway."""
    block = qddot.loads(BLOCK).with_friction(damping=viscous)
    found = [each for each in block.doctor() if each.check == "bristles_give_energy"]
    rate, z = np.meshgrid(np.logspace(-6, 6, 400), np.linspace(-1, 1, 401) * BREAKAWAY / BRISTLES)
    g = DRY + (BREAKAWAY - DRY) * np.exp(-((rate / SLOW) ** 2))
    bends = rate - BRISTLES * rate * z / g
    power = (BRISTLES * z + DAMPING * bends + viscous * rate) * rate - BRISTLES * z * bends
    assert (power.min() >= 0) == passive == (not found)
