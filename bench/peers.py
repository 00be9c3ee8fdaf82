"""Measures the same functions of the same arm with Pinocchio, CasADi's generated C and MuJoCo, in ns for a state."""

from __future__ import annotations

import ctypes
import os
import subprocess
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from panda import panda_frames, pinocchio_model
from rich.table import Table
from timing import seconds

import qddot

LOOP = """#include "f.c"
void loop(const double *q, const double *v, const double *a, double *t, long n) {
    static double work[8192];
    for (long i = 0; i < n; i++) {
        const double *in[3] = {q + 7 * i, v + 7 * i, a + 7 * i};
        double *out[1] = {t + 7 * i};
        f(in, out, 0, work, 0);
    }
}
"""
STATES = 16_384


def pinocchio(table: Table, arm: qddot.Robot, ours: dict[str, float]) -> None:
    """Its functions on row after row, from Python; ours: our ns a state of each."""
    import pinocchio as pin

    model = pinocchio_model(arm, pin)
    data = model.createData()
    q, qd, qdd = np.random.default_rng(1).uniform(-3, 3, (3, 1000, arm.n))
    assert np.allclose(pin.rnea(model, data, q[0], qd[0], qdd[0]), arm.inverse_dynamics(q[0], qd[0], qdd[0]))
    works = {
        "inverse_dynamics": lambda k: pin.rnea(model, data, q[k], qd[k], qdd[k]),
        "mass_matrix": lambda k: pin.crba(model, data, q[k]),
        "forward_dynamics": lambda k: pin.aba(model, data, q[k], qd[k], qdd[k]),
        "inverse_dynamics_derivatives": lambda k: pin.computeRNEADerivatives(model, data, q[k], qd[k], qdd[k]),
        "forward_dynamics_derivatives": lambda k: pin.computeABADerivatives(model, data, q[k], qd[k], qdd[k]),
    }
    for name, work in works.items():
        took = 1e9 * seconds(lambda w=work: [w(k) for k in range(1000)], 7) / 1000  # type: ignore[misc]
        table.add_row(
            f"Pinocchio {pin.__version__}", f"{name}, from Python", f"{took:.0f} ns", f"{took / ours[name]:.0f} × ours"
        )


def _casadi_function(arm: qddot.Robot, casadi: Any) -> Any:
    """Inverse dynamics by Newton and Euler over CasADi's symbols, as a user of it would write them."""
    v = arm.model.defaults()
    q, qd, qdd = (casadi.SX.sym(name, arm.n) for name in ("q", "v", "a"))

    def cross(a: Any, b: Any) -> Any:
        return casadi.cross(a, b)

    w, dw, acc = casadi.SX.zeros(3), casadi.SX.zeros(3), casadi.SX([0, 0, v["g"]])
    z, steps = casadi.SX([0, 0, 1]), []
    for k, (alpha, p) in enumerate(panda_frames(v)):
        c, s, ca, sa = casadi.cos(q[k]), casadi.sin(q[k]), round(np.cos(alpha)), round(np.sin(alpha))
        R = casadi.vertcat(
            casadi.horzcat(c, -s, 0), casadi.horzcat(s * ca, c * ca, -sa), casadi.horzcat(s * sa, c * sa, ca)
        )
        place = casadi.SX(p)
        acc = R.T @ (acc + cross(dw, place) + cross(w, cross(w, place)))
        turned = R.T @ w
        dw = R.T @ dw + cross(turned, z * qd[k]) + z * qdd[k]
        w = turned + z * qd[k]
        m, h = v[f"m{k + 1}"], casadi.SX([v[f"m{x}{k + 1}"] for x in "xyz"])
        I = casadi.SX([[v[f"I{min(x, y)}{max(x, y)}{k + 1}"] for y in "xyz"] for x in "xyz"])
        F = m * acc + cross(dw, h) + cross(w, cross(w, h))
        N = I @ dw + cross(w, I @ w) + cross(h, acc)
        steps.append((R, place, F, N))
    tau, f, n = [], casadi.SX.zeros(3), casadi.SX.zeros(3)
    for R, place, F, N in reversed(steps):
        f, n = F + f, N + n
        tau.append(n[2])
        f, n = R @ f, R @ n
        n = n + cross(place, f)
    return casadi.Function("f", [q, qd, qdd], [casadi.vertcat(*reversed(tau))])


def casadi_c(table: Table, arm: qddot.Robot, ours: dict[str, float]) -> None:
    """CasADi's C of inverse dynamics, gcc -O3 -march=native, a loop over states in C."""
    import casadi

    f = _casadi_function(arm, casadi)
    with tempfile.TemporaryDirectory() as folder:
        here = os.getcwd()
        os.chdir(folder)
        f.generate("f.c")
        Path("loop.c").write_text(LOOP)
        flags = ["-O3", "-march=native", "-shared", "-fPIC"]
        subprocess.run(["gcc", *flags, "loop.c", "-o", "loop.so", "-lm"], check=True)
        library = ctypes.CDLL(str(Path(folder) / "loop.so"))
        os.chdir(here)
    q, qd, qdd = np.random.default_rng(1).uniform(-3, 3, (3, STATES, arm.n))
    out = np.empty((STATES, arm.n))
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (q, qd, qdd, out)]
    took = 1e9 * seconds(lambda: library.loop(*pointers, ctypes.c_long(STATES)), 25) / STATES
    assert np.allclose(out, arm.inverse_dynamics(q, qd, qdd))
    name = "inverse_dynamics"
    note = f"{took / ours[name]:.1f} × ours; {f.n_instructions()} instructions"
    table.add_row(f"CasADi {version('casadi')} C", f"{name}, gcc -O3 -march=native", f"{took:.0f} ns", note)


def mujoco(table: Table) -> None:
    """MuJoCo's inverse and forward dynamics of a 7-joint arm, from Python."""
    import mujoco as engine

    body = "".join(
        f'<body pos="0 0.1 0.3" euler="90 0 0"><joint axis="0 0 1"/><geom size="0.05 0.1" type="capsule" mass="{k}"/>'
        for k in range(1, 8)
    )
    xml = f'<mujoco><option><flag contact="disable"/></option><worldbody>{body}{"</body>" * 7}</worldbody></mujoco>'
    model = engine.MjModel.from_xml_string(xml)
    data = engine.MjData(model)
    data.qpos[:], data.qvel[:] = 0.3, 0.2
    for name, work in (("mj_inverse", engine.mj_inverse), ("mj_forward", engine.mj_forward)):
        took = seconds(lambda w=work: [w(model, data) for _ in range(1000)], 7) / 1000  # type: ignore[misc]
        table.add_row(
            f"MuJoCo {engine.__version__}", f"{name}, from Python", f"{1e9 * took:.0f} ns", "the whole pipeline"
        )
