"""Finds how far the end point of an arm deviates because its masses differ from the controller's model.

A PD controller with the gravity of the nominal arm holds a pose. A mass that is off by δm leaves a torque δG that only
the springs Kp carry, so that the end point sags by −J Kp⁻¹ ∂G/∂m δm. A sweep over the tolerances of the masses finds
the spread; to first order it has to be that of the formula.

python examples/tolerances.py
"""

from __future__ import annotations

import sys

import numpy as np

import qddot

POSE = np.array([0.6, -1.1])
MASSES = {"m1": 3.0, "m2": 2.0}
TOLERANCE, STIFFNESS = 0.02, 400.0
RUNS = 4096


def main() -> int:
    """Sweep the masses, and compare the spread of the end point with the first order's."""
    arm = qddot.load("two_link").with_values(**MASSES, l=0.5)
    controller = qddot.laws.pd_gravity(arm, POSE, STIFFNESS, 40.0)
    swept = qddot.sweep(
        arm,
        qddot.Motion(POSE.tolist(), duration=3.0, step=0.004, torque=controller),
        qddot.Draws(RUNS, "sobol"),
        reduce=("end_point", "final"),
        m1=qddot.normal(MASSES["m1"], TOLERANCE * MASSES["m1"]),
        m2=qddot.normal(MASSES["m2"], TOLERANCE * MASSES["m2"]),
    )
    assert float(np.abs(swept.qd_final).max()) < 1e-6  # the arms have come to rest
    found = swept.end_point.values[:, :2].std(axis=0)

    heavier = {name: arm.with_values(**{name: mass + 1}) for name, mass in MASSES.items()}
    slopes = {name: other.gravity(POSE) - arm.gravity(POSE) for name, other in heavier.items()}
    J = arm.jacobian(POSE, body="tool")[:2]
    sags = np.stack([-J @ slope / STIFFNESS * TOLERANCE * MASSES[name] for name, slope in slopes.items()])
    expected = np.sqrt((sags**2).sum(axis=0))  # the masses are independent
    print(f"masses within ±{100 * TOLERANCE:g} % (one standard deviation), {RUNS} arms")
    for axis, here, there in zip("xy", found, expected, strict=True):
        print(f"{axis}: {1e3 * here:.3f} mm of spread, {1e3 * there:.3f} mm to first order")
    return 0 if np.allclose(found, expected, rtol=0.02) else 1  # the second order is Kp⁻¹ ∂G/∂q, below 2 %


if __name__ == "__main__":
    sys.exit(main())
