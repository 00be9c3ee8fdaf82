"""Derive the PUMA 560's equations of motion with every inertial parameter a symbol, and prove them.

Run by `make demo`. Ends in facts that it checked: the certificate holds, and the numbers that come out
of the exact equations satisfy τ = M q̈ + h + G.
"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from time import perf_counter

import numpy as np

import qddot


def command() -> str:
    """Returns how the command is typed here: by its name if the PATH leads to it, else by its place."""
    beside = Path(sys.executable).with_name("qddot")
    if shutil.which("qddot") == str(beside):
        return "qddot"
    if not beside.exists():
        return f"{sys.executable} -m qddot"
    return str(beside.relative_to(Path.cwd()) if beside.is_relative_to(Path.cwd()) else beside)


def main() -> None:
    started = perf_counter()
    arm = qddot.load("puma560")
    read = perf_counter()
    eq = arm.equations()
    derived = perf_counter()
    print(f"{arm.model.title}: {arm.n} joints, {len(arm.model.symbols)} symbols")
    print(f"  read the robot file                     {1e3 * (read - started):8.1f} ms")
    print(f"  derived M, Christoffel symbols, G       {1e3 * (derived - read):8.1f} ms")
    print(f"    expanded terms: M {eq.M.terms:,}, Γ {eq.christoffel.terms:,}, G {eq.G.terms:,}")
    print("\nThe gravity torque of joint 2, as derived:\n")
    print(eq.G[1].text(96))
    print("\nEvery route to the equations, and the laws of mechanics:\n")
    certificate = eq.prove()
    print(certificate)
    assert certificate, "the certificate must hold"

    rng = np.random.default_rng(560)
    q, qd, qdd = rng.uniform(-1, 1, (3, arm.n))
    beside = ("mx", "my", "mz", "Ixy", "Ixz", "Iyz")  # small beside masses and moments of inertia, as in a real link
    values = {x: float(rng.uniform(*((0.01, 0.05) if x.startswith(beside) else (0.6, 1)))) for x in arm.model.symbols}
    at = eq.at(q, qd, qdd, **values)
    assert np.allclose(at["tau"], at["M"] @ qdd + at["C"] @ qd + at["G"], rtol=1e-12)
    print("\nin numbers, too, τ = M q̈ + C q̇ + G holds to rounding")
    print(f"all in {perf_counter() - started:.2f} s. Next: {command()} derive two_link, {command()} --help")


if __name__ == "__main__":
    main()
