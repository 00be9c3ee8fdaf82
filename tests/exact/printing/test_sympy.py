"""SymPy's own mechanics, which shares no code with ours, finds the same equations."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

import qddot

if TYPE_CHECKING:
    import sympy as sp  # it is loaded where it is used, since each worker of the tests would load it


def kane(name: str) -> tuple[sp.Matrix, sp.Matrix, list[sp.Symbol]]:
    """M and forcing of a planar double pendulum of rods, by Kane's method."""
    import sympy as sp
    from sympy.physics import mechanics as me

    q1, q2 = me.dynamicsymbols("q1 q2")
    u1, u2 = me.dynamicsymbols("u1 u2")
    l, m1, m2, g = sp.symbols("l m1 m2 g", real=True)
    N = me.ReferenceFrame("N")
    A, B = N.orientnew("A", "Axis", [q1, N.z]), N.orientnew("B", "Axis", [q1 + q2, N.z])
    A.set_ang_vel(N, u1 * N.z)
    B.set_ang_vel(N, (u1 + u2) * N.z)
    O = me.Point("O")
    O.set_vel(N, 0)
    P, c1, c2 = (
        O.locatenew("P", l * A.x),
        O.locatenew("c1", l / 2 * A.x),
        O.locatenew("P", l * A.x).locatenew("c2", l / 2 * B.x),
    )
    for point, frame, base in ((P, A, O), (c1, A, O)):
        point.v2pt_theory(base, N, frame)
    c2.v2pt_theory(P, N, B)
    bodies = [
        me.RigidBody("1", c1, A, m1, (me.inertia(A, 0, 0, m1 * l**2 / 12), c1)),
        me.RigidBody("2", c2, B, m2, (me.inertia(B, 0, 0, m2 * l**2 / 12), c2)),
    ]
    method = me.KanesMethod(N, [q1, q2], [u1, u2], [q1.diff() - u1, q2.diff() - u2])
    method.kanes_equations(bodies, [(c1, -m1 * g * N.y), (c2, -m2 * g * N.y)])
    return method.mass_matrix, method.forcing, [q1, q2, u1, u2]


def test_kane_on_the_two_link_arm() -> None:
    import sympy as sp

    M, forcing, state = kane("two_link")
    eq = qddot.load("two_link").equations()
    names = dict(zip(state, sp.symbols("q1 q2 qd1 qd2", real=True), strict=True))
    assert sp.simplify(M.subs(names) - eq.M.sympy()) == sp.zeros(2, 2)
    assert sp.simplify(forcing.subs(names) + (eq.h + eq.G).sympy()) == sp.zeros(2, 1)


@pytest.mark.parametrize("name", ["spatial_2r", "elbow_3r", "rp", "spherical_pendulum"])
def test_what_is_handed_to_sympy_obeys_lagrange(name: str) -> None:
    """τ = d/dt ∂L/∂q̇ − ∂L/∂q, done by SymPy on our energies, in a random state."""
    import sympy as sp

    eq = qddot.load(name).equations()
    L = (eq.K - eq.P).sympy()
    q = [sp.Symbol(c, real=True) for c in eq.model.coordinates]
    kinds = [eq.M.names()[k * eq.n : (k + 1) * eq.n] for k in (1, 2)]
    qd, qdd = ([sp.Symbol(n, real=True) for n in kind] for kind in kinds)
    rng = random.Random(5)
    for i in range(eq.n):
        p = sp.diff(L, qd[i])
        rate = sum(sp.diff(p, q[j]) * qd[j] + sp.diff(p, qd[j]) * qdd[j] for j in range(eq.n))
        difference = rate - sp.diff(L, q[i]) - eq.tau[i].sympy()
        point = {s: sp.Rational(rng.randint(1, 30), 17) for s in difference.free_symbols}
        assert abs(difference.subs(point).evalf(40)) < sp.Float("1e-30")


def test_every_quantity_goes_over() -> None:
    import sympy as sp

    eq = qddot.from_dh(
        [{"theta": "q1", "d": 0, "a": "l", "alpha": "20deg"}, {"theta": "q2 + 30deg", "d": 0, "a": 0, "alpha": "phi"}],
        [
            {"mass": "m", "com": ["l", 0, 0], "joint": {"coulomb": "f", "spring": {"stiffness": "k", "rest": "90deg"}}},
            {"mass": "m", "com": [0, "l", 0]},
        ],
        symbols="l m f k phi",
    ).equations()
    over = eq.sympy()
    values = {"l": 0.7, "m": 1.3, "f": 0.2, "k": 3.0, "phi": 0.4, "g": 9.81}
    state = {"q1": 0.3, "q2": -0.8, "qd1": 0.5, "qd2": -1.1, "qdd1": 0.2, "qdd2": 0.9}
    at = eq.at([0.3, -0.8], [0.5, -1.1], [0.2, 0.9], **values)
    assert {"M", "h", "G", "tau"} <= over.keys()
    for name, expression in over.items():
        point = {sp.Symbol(k, real=True): v for k, v in {**values, **state}.items()}
        flat = sp.flatten(expression.tolist()) if hasattr(expression, "tolist") else [expression]
        flat = [entry.subs(point) for entry in flat]
        assert [float(v) for v in flat] == pytest.approx(at[name].ravel().tolist(), rel=1e-12, abs=1e-12), name


def test_systems_without_links_have_their_own_quantities() -> None:
    handed = qddot.lagrange(q="x", K="m*xd**2/2", P="k*x**2/2").equations().sympy()
    assert "I_c" not in handed and str(handed["tau"][0]) == "k*x + m*xdd"
