"""Measures how fast the exact equations are derived and proved, compared with SymPy's mechanics in the same run.

    python bench/derive.py [--full]     --full adds the slow peers: LagrangesMethod and simplification

One core, medians. Every figure is measured in this run on this machine.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from timing import milliseconds, stopwatch

import qddot
from qddot.exact.equations.proofs import prove
from qddot.exact.equations.quantities import Quantities
from qddot.exact.equations.shortest_angles import in_joint_angles, with_fewest_terms
from qddot.physics.algorithms import newton_euler
from qddot.physics.mechanism import Mechanism

TESTS = Path(__file__).parent.parent / "tests" / "helpers"  # where robots of any size are made


def derivation(table: Table, name: str, proof: int) -> None:
    model = qddot.load(name).model
    ring = with_fewest_terms(model, in_joint_angles(model)).ring

    def newton_euler_and_equality() -> None:
        eq = Quantities(model, ring=ring)
        tau = newton_euler.inverse_dynamics(Mechanism.of(model, ring)).tau
        assert all(mine == theirs for mine, theirs in zip(eq.tau.entries, tau, strict=True))

    table.add_row(name, "M, Γ, G", f"{milliseconds(lambda: Quantities(model, ring=ring).derivation):.1f} ms")
    table.add_row(
        name, "M, Γ, G, then Newton–Euler with q̈ and the equality", f"{milliseconds(newton_euler_and_equality):.1f} ms"
    )
    for route in ("newton_euler", "dh4x4", "com_jacobian", "screw", "energy"):
        took = milliseconds(lambda route=route: Quantities(model, route, ring).derivation, 3)  # type: ignore[misc]
        table.add_row(name, f"M, Γ, G by {route}", f"{took:.1f} ms")
    table.add_row(
        name,
        "all routes and the whole certificate",
        f"{milliseconds(lambda: prove.prove(Quantities(model)), proof):.0f} ms",
    )
    table.add_row(name, "peak memory of a process that derives and proves it", f"{peak_megabytes(name):.0f} MB")
    eq = Quantities(model, ring=ring)
    table.add_row(name, "expanded terms of M, Γ, G", f"{eq.M.terms:,}  {eq.christoffel.terms:,}  {eq.G.terms:,}")
    whole, own = (sum(map(len, each.christoffel.entries)) for each in (eq, eq.in_joint_angles))
    table.add_row(name, "terms of Γ, all n³ entries; in the joints' own angles", f"{whole:,}  {own:,}")


def long_arms(table: Table) -> None:
    """Measures a pendulum of 30 links and chains at right angles, all symbols, each in a process of its own."""
    usage = "resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024"
    for arm, what, code in (
        ("pendulum of 30 links", "M, Γ, G in q", "eq = pendulum(30).equations(); eq.M, eq.christoffel, eq.G"),
        ("pendulum of 30 links", "all routes and the whole certificate", "assert pendulum(30).prove()"),
        ("chain of 8 joints", "all routes and the whole certificate", "assert right_angled_chain(8).prove()"),
        ("chain of 12 joints", "every identity modulo primes", "assert right_angled_chain(12).prove()"),
    ):
        setup = "import resource, time; from robots_by_size import *; start = time.process_time()"
        shown = f"print(f'{{time.process_time() - start:.1f}} s, {{{usage}}} MB')"
        command = [sys.executable, "-c", f"{setup}; {code}; {shown}"]
        done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=TESTS)
        table.add_row(arm, what, done.stdout.strip())


def base_parameters(table: Table) -> None:
    """Measures this for arms with right angles, and for 6R arms with six angles that are not multiples of 15°."""
    body = {"mass": 1, "com": [0.1, 0.2, 0.3], "inertia": {"about": "com", "xx": 0.3, "yy": 0.4, "zz": 0.5}}
    arms = {name: qddot.load(name) for name in ("puma560", "panda", "franka_panda")}
    for name, d, a in (("6R, odd angles", 0.1, 0.2), ("6R, odd angles, lengths as symbols", "d", "a")):
        lengths = [{key: f"{x}{k}" if isinstance(x, str) else x for key, x in (("d", d), ("a", a))} for k in range(6)]
        rows = [
            {"theta": f"q{k + 1}", "alpha": f"{angle}deg", **lengths[k]}
            for k, angle in enumerate((17, 23, 31, 41, 53, 67))
        ]
        symbols = [f"{key}{k}" for key in "da" for k in range(6)] if isinstance(d, str) else []
        arms[name] = qddot.from_dh(rows, [body] * 6, symbols=dict.fromkeys(symbols, 0.3))
    for name, arm in arms.items():
        found = arm.base_parameters()
        took = milliseconds(arm.base_parameters, 3)
        table.add_row(name, f"{len(found)} base parameters, checked", f"{took:.0f} ms")


def peak_megabytes(name: str) -> float:
    usage = "resource.getrusage(resource.RUSAGE_SELF).ru_maxrss"
    code = f"import qddot, resource; qddot.load({name!r}).prove(); print({usage})"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return int(done.stdout) / 1024


def startup(table: Table) -> None:
    def process(*arguments: str) -> Callable[[], Any]:
        return lambda: subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)

    bare = milliseconds(process("-c", "pass"))
    table.add_row("process", "import numpy", f"{milliseconds(process('-c', 'import numpy')) - bare:.0f} ms")
    table.add_row("process", "import qddot", f"{milliseconds(process('-c', 'import qddot')) - bare:.0f} ms")
    loaded = milliseconds(process("-c", "import qddot; qddot.load('two_link').equations()")) - bare
    table.add_row("process", "import qddot, load and derive two_link", f"{loaded:.0f} ms")
    table.add_row("process", "import flint", f"{milliseconds(process('-c', 'import flint')):.0f} ms")
    table.add_row(
        "process", "qddot derive two_link", f"{milliseconds(process('-m', 'qddot', 'derive', 'two_link')):.0f} ms"
    )


def sympy_arm(joints: int) -> Any:
    """The first joints of the PUMA 560 in SymPy's mechanics, bodies with ten symbols a link."""
    import sympy as sp
    from sympy.physics import mechanics as me

    q, u = me.dynamicsymbols(f"q1:{joints + 1}"), me.dynamicsymbols(f"u1:{joints + 1}")
    a2, a3, d2, d4, d6, g = sp.symbols("a2 a3 d2 d4 d6 g")
    rows = [(-1, 0, 0), (0, a2, d2), (1, a3, 0), (-1, 0, d4), (1, 0, 0), (0, 0, d6)]
    N = me.ReferenceFrame("N")
    O = me.Point("O")
    O.set_vel(N, 0)
    frame, origin, bodies, loads = N, O, [], []
    for k, (quarter, a, d) in enumerate(rows[:joints]):
        turned = frame.orientnew(f"T{k}", "Axis", [q[k], frame.z])
        turned.set_ang_vel(frame, u[k] * frame.z)
        link = turned.orientnew(f"L{k}", "Axis", [quarter * sp.pi / 2, turned.x])
        link.set_ang_vel(turned, 0)
        end = origin.locatenew(f"O{k}", d * turned.z + a * turned.x)
        end.v2pt_theory(origin, N, turned)
        m, x, y, z = sp.symbols(f"m{k} x{k} y{k} z{k}")
        com = end.locatenew(f"C{k}", x * link.x + y * link.y + z * link.z)
        com.v2pt_theory(end, N, link)
        xx, yy, zz, xy, yz, zx = sp.symbols(f"Ixx{k} Iyy{k} Izz{k} Ixy{k} Iyz{k} Izx{k}")
        bodies.append(me.RigidBody(f"B{k}", com, link, m, (me.inertia(link, xx, yy, zz, xy, yz, zx), com)))
        bodies[-1].potential_energy = m * g * com.pos_from(O).dot(N.z)
        loads.append((com, -m * g * N.z))
        frame, origin = link, end
    return me, sp, N, q, u, bodies, loads


def kane(joints: int) -> Any:
    me, sp, N, q, u, bodies, loads = sympy_arm(joints)
    method = me.KanesMethod(N, q, u, [a.diff() - b for a, b in zip(q, u, strict=True)])
    method.kanes_equations(bodies, loads)
    return sp, method.mass_matrix.row_join(method.forcing)


def lagrange(joints: int) -> Any:
    me, sp, N, q, u, bodies, _ = sympy_arm(joints)
    rates = dict(zip(u, (a.diff() for a in q), strict=True))
    L = me.Lagrangian(N, *bodies).subs(rates)
    method = me.LagrangesMethod(L, q)
    method.form_lagranges_equations()
    return sp, method.mass_matrix.row_join(method.forcing)


def peers(table: Table, full: bool) -> None:
    """SymPy's time and operation counts; simplified for three links, where it still ends."""
    jobs: list[tuple[str, Callable[[int], Any], int, bool]] = [
        ("KanesMethod", kane, 3, False),
        ("KanesMethod", kane, 6, False),
    ]
    jobs.append(("KanesMethod", kane, 2, True))
    if full:
        jobs += [("LagrangesMethod", lagrange, 3, False), ("LagrangesMethod", lagrange, 6, False)]
        jobs += [("LagrangesMethod", lagrange, 2, True), ("KanesMethod", kane, 3, True)]
    for name, method, joints, simplified in jobs:
        elapsed = stopwatch()
        sp, matrix = method(joints)
        if simplified:
            matrix = matrix.applyfunc(sp.simplify)
        took, operations = elapsed(), sp.count_ops(matrix)
        what = f"first {joints} joints, {'simplified' if simplified else 'raw'}: {operations:,} operations"
        table.add_row(f"SymPy {name}", what, f"{1e3 * took:,.0f} ms")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--full", action="store_true", help="add the peers that take minutes")
    full = options.parse_args().full
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    table = Table("what", "work", "time", title="One core; medians, the peers run once")
    derivation(table, "puma560", proof=5)
    derivation(table, "panda", proof=1)
    long_arms(table)
    base_parameters(table)
    startup(table)
    peers(table, full)
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
