"""Random robots against an independent recursion: every function in numbers, exact forms, files and conversions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from unittest.mock import patch

from qddot.machine.compilers import kernels
from soaking import case as cases
from soaking import forms, numbers
from soaking.case import Case
from soaking.trial import Finding, Kind


def trial(seed: int) -> Iterator[Finding]:
    """The torque, and those checks that the seed draws; every other robot by NumPy, which starts sooner than LLVM."""
    case = cases.drawn(seed)
    with patch.object(kernels, "compiler", kernels.blocks) if seed % 2 else nullcontext():
        for name, check, share in CHECKS:
            if case.r.random() < share:
                try:
                    yield from check(case)
                except Exception as error:
                    yield Finding.of(error, name)


CHECKS: list[tuple[str, Callable[[Case], Iterator[Finding]], float]] = [
    ("torques", numbers.torques, 1.0),
    ("parts", numbers.parts, 0.25),
    ("wrenches", numbers.wrenches, 0.15),
    ("masses", numbers.masses, 0.3),
    ("energies", numbers.energies, 0.2),
    ("kinematics", numbers.kinematics, 0.3),
    ("derivatives", numbers.derivatives, 0.2),
    ("accelerations", numbers.accelerations, 0.25),
    ("calling", numbers.calling, 0.15),
    ("exact", forms.exact, 0.3),
    ("base", forms.base, 0.2),
    ("textbook", forms.textbook, 0.1),
    ("robot_files", forms.robot_files, 0.25),
    ("conversions", forms.conversions, 0.2),
    ("payload", numbers.payload, 0.1),
    ("motion", numbers.motion, 0.1),
]
KIND = Kind("robots", trial, seconds=90)
