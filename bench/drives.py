"""Measures what rotors, and friction with an exponential, add to the inverse dynamics of the Panda in batches.

    python bench/drives.py

Each variant is timed in turns with the plain arm: its ratio is that of medians. States are in the cache (256) and
from memory (100,000), with rates of 1 rad/s and with slow ones, at which the Stribeck effect is not negligible.
"""

from __future__ import annotations

import numpy as np
from timing import in_turns

import qddot

RATIO, INERTIA, STATES = 100, 1e-5, (256, 100_000)


def main() -> None:
    plain = qddot.load("franka_panda")
    carriers = ["base", *(body.name for body in plain.model.bodies)]
    rotors = plain
    for carrier, coordinate in zip(carriers, plain.model.coordinates, strict=False):
        rotors = rotors.with_rotor(carrier, {coordinate: RATIO}, INERTIA)
    dry = rotors.with_friction(coulomb=0.4, stribeck={"excess": 0.1, "velocity": 0.05})
    variants = {"plain": plain, "7 rotors": rotors, "7 rotors, Stribeck": dry}
    for name, arm in variants.items():
        print(f"{name:20} {arm.program('inverse_dynamics').total_operations} operations")
    for count in STATES:
        for speed in (1.0, 0.05):
            report(variants, count, speed)


def report(variants: dict[str, qddot.Robot], count: int, speed: float) -> None:
    """Prints the time of each variant for a state, and its ratio to the first one."""
    rng = np.random.default_rng(0)
    state = [rng.normal(size=(count, 7)) * scale for scale in (1, speed, 1)]
    calls = max(1, 20_000 // count)

    def work(arm: qddot.Robot) -> None:
        for _ in range(calls):
            arm.inverse_dynamics(*state)

    times = in_turns(*(lambda arm=arm: work(arm) for arm in variants.values()), repeats=25)
    for name, seconds in zip(variants, times, strict=True):
        ns = 1e9 * seconds / (count * calls)
        print(f"{count:7} states, {speed:4} rad/s  {name:20} {ns:6.1f} ns  {seconds / times[0]:.2f} x")


if __name__ == "__main__":
    main()
