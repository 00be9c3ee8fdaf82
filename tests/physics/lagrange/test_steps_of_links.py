"""The steps about each link are what SymPy derives from motions q(t) of the documents' arms, at random values."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
import sympy as sp

import qddot
from qddot.exact.equations.routes import ROUTES
from qddot.physics.derivation import Calculus
from qddot.physics.mechanism import Mechanism

t = sp.Symbol("t")
Matrix = sp.ImmutableMatrix


class Body(NamedTuple):
    """A link: its pose T, its mass, its centre of mass c in its frame, and the diagonal of its tensor about it."""

    T: Any
    m: Any
    c: tuple[Any, Any, Any]
    I: tuple[Any, Any, Any]


def turned(axis: str, angle: Any) -> Any:
    c, s = sp.cos(angle), sp.sin(angle)
    R = {"x": [[1, 0, 0], [0, c, -s], [0, s, c]], "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]]}[axis]
    return sp.diag(Matrix(R), 1)


def shifted(*p: Any) -> Any:
    return Matrix.hstack(sp.eye(4)[:, :3], Matrix([*p, 1]))


def rp(q: Any, p: Any) -> list[Body]:
    """The arm of the notes of CS223A, in modified Denavit–Hartenberg frames."""
    T1 = turned("z", q[0] + sp.pi / 2)
    T2 = T1 * turned("x", sp.pi / 2) * shifted(0, 0, q[1])
    return [Body(T1, p["m1"], (0, -p["l1"], 0), (0, 0, p["Izz1"])), Body(T2, p["m2"], (0, 0, 0), (0, p["Izz2"], 0))]


def spatial_2r(q: Any, p: Any) -> list[Body]:
    """The arm of the homework, in standard Denavit–Hartenberg frames."""
    L, Ia = p["L"], p["Ia"]
    T1 = turned("z", q[0]) * shifted(L, 0, 0) * turned("x", sp.pi / 2)
    T2 = T1 * turned("z", q[1]) * shifted(L, 0, 0)
    return [Body(T, p[m], (-L / 2, 0, 0), (Ia / 2, Ia, Ia)) for T, m in ((T1, "m1"), (T2, "m2"))]


def elbow_3r(q: Any, p: Any) -> list[Body]:
    """The arm of the lecture, whose frames are at the centres of mass."""
    column = turned("z", q[0])
    upper = column * shifted(0, 0, p["l0"]) * turned("x", -q[1])
    fore = upper * shifted(0, p["l1"], 0) * turned("x", -q[2])
    poses = column * shifted(0, 0, p["r0"]), upper * shifted(0, p["r1"], 0), fore * shifted(0, p["r2"], 0)
    tensors = [tuple(p[f"I{axis}{k}"] for axis in "xyz") for k in (1, 2, 3)]
    return [Body(T, p[f"m{k}"], (0, 0, 0), I) for k, T, I in zip((1, 2, 3), poses, tensors, strict=True)]


ARMS: dict[str, tuple[Callable[[Any, Any], list[Body]], tuple[int, int, int]]] = {  # with the direction of gravity
    "rp": (rp, (0, -1, 0)),
    "spatial_2r": (spatial_2r, (1, 0, 0)),
    "elbow_3r": (elbow_3r, (0, 0, -1)),
}


def axial(W: Any) -> Any:
    return Matrix([W[2, 1], W[0, 2], W[1, 0]])


def skew(w: Any) -> Any:
    return Matrix([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def derived(body: Body, g: Any) -> dict[str, Any]:
    """The steps of one link, by differentiation of its pose; Newton's and Euler's laws give the wrench."""
    R, o, c, I_c = body.T[:3, :3], body.T[:3, 3], Matrix(body.c), sp.diag(*body.I)
    p_c, rate = o + R * c, R.diff(t)
    w_base, w, v = axial(rate * R.T), axial(R.T * rate), R.T * o.diff(t)
    I_base = R * I_c * R.T
    force = R.T * (p_c.diff(t, 2) - g) * body.m
    moment = R.T * (I_base * w_base).diff(t) + c.cross(force)
    return {
        "T_c": Matrix.vstack(Matrix.hstack(R, p_c), Matrix([[0, 0, 0, 1]])),
        "dp_c": p_c.diff(t),
        "w_base": w_base,
        "I_base": I_base,
        "v": v,
        "V": Matrix.vstack(w, v),
        "ad_V": Matrix.vstack(Matrix.hstack(skew(w), sp.zeros(3)), Matrix.hstack(skew(v), skew(w))),
        "dV": Matrix.vstack(w.diff(t), v.diff(t) - R.T * g),
        "F_b": Matrix.vstack(moment, force),
        "K_links": (body.m * p_c.diff(t).dot(p_c.diff(t)) + w.dot(I_c * w)) / 2,
    }


STEPS = {
    "com_jacobian": ("T_c", "dp_c", "w_base", "I_base"),
    "energy": ("dp_c", "w_base", "I_base", "K_links"),
    "screw": ("V", "ad_V", "dV", "F_b", "K_links"),
    "newton_euler": ("v",),
}


@pytest.mark.parametrize("name", ["rp", "spatial_2r", pytest.param("elbow_3r", marks=pytest.mark.thorough)])
def test_every_step_of_a_link_is_derived_by_differentiation(name: str) -> None:
    arm, (bodies_of, down), random = qddot.load(name), ARMS[name], Random(name)
    drawn = lambda: sp.Rational(random.randint(5, 25), 10)  # noqa: E731
    params = {each: drawn() for each in arm.model.symbols}
    q0, qd, qdd = ([drawn() for _ in range(arm.n)] for _ in range(3))
    moving = [a + b * t + c * t**2 / 2 for a, b, c in zip(q0, qd, qdd, strict=True)]
    links = [derived(body, Matrix(down) * params["g"]) for body in bodies_of(moving, params)]
    state = [list(map(float, part)) for part in (q0, qd, qdd)]
    values = {name: float(value) for name, value in params.items()}
    at = {route: arm.equations(route).at(*state, **values) for route in STEPS}
    for route, names in STEPS.items():
        for step in names:
            expected = np.array([sp.sympify(link[step]).subs(t, 0).evalf(20) for link in links], dtype=float)
            ours = np.asarray(at[route][step])
            assert ours == pytest.approx(expected.reshape(ours.shape), rel=1e-12, abs=1e-12), (route, step)


@pytest.mark.parametrize("name", ARMS)
def test_wrenches_give_the_torques(name: str) -> None:
    """τ = Σ J_bᵀ F of all links, with the torques of Newton's and Euler's recursion."""
    eq = qddot.load(name).equations("screw")
    J, F, n = eq.steps["J_body"], eq.steps["F_b"], eq.n
    torques = [sum((J[k, :, i] @ F[k] for k in range(len(J))), start=eq.P * 0) for i in range(n)]
    assert torques == list(eq.tau)


def test_a_twist_that_is_not_that_of_the_recursion_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = ROUTES["screw"]

    def false(arm: Mechanism, calculus: Calculus) -> Any:
        derivation: Any = right.derive(arm, calculus)
        twists = [[entry * 2 for entry in twist] for twist in derivation.steps["V"]()]
        return derivation._replace(steps={**derivation.steps, "V": twists})

    monkeypatch.setitem(ROUTES, "screw", right._replace(derive=false))
    certificate = qddot.load("spatial_2r").prove(["screw"])
    assert [each.name for each in certificate.identities if each.verdict == "false"] == ["power of the twists"]
