"""Measures the figures of the page on speed on one core, and stores them for the site.

    python bench/speeds.py docs/evidence/speeds.json     needs pin and sympy, as the tests do

Times are processor time, the least of several runs, since other processes may use the machine meanwhile.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from derive import kane
from panda import panda, pinocchio_functions, pinocchio_model
from timing import least, stopwatch
from validation import machine

import qddot

STATES, ARMS, OFTEN = 16_384, 10_000, 1000
FUNCTIONS = {
    "inverse_dynamics": "τ",
    "mass_matrix": "M",
    "forward_dynamics": "q̈",
    "inverse_dynamics_derivatives": "∂τ/∂q, ∂τ/∂q̇",
    "forward_dynamics_derivatives": "∂q̈/∂q, ∂q̈/∂q̇, M⁻¹",
}
Row = dict[str, Any]


def instructions() -> str:
    """The widest vectors that the processor has, where the system tells it."""
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return ""
    return next((f", {name}" for flag, name in (("avx512f", "AVX-512"), ("avx2", "AVX2")) if flag in flags), "")


def numbers() -> Iterator[Row]:
    """Nanoseconds a state in a large batch, and a call with one state, beside Pinocchio's called from Python."""
    import pinocchio as pin

    arm, rng = panda(), np.random.default_rng(1)
    model = pinocchio_model(arm, pin)
    states, one = rng.uniform(-3, 3, (3, STATES, arm.n)), [*rng.uniform(-3, 3, (3, arm.n))]
    peers = {name: partial(call, *one) for name, call in pinocchio_functions(model, pin).items()}
    assert np.allclose(peers["inverse_dynamics"](), arm.inverse_dynamics(*one))
    for name, shown in FUNCTIONS.items():
        function, count = getattr(arm, name), 1 if name == "mass_matrix" else 3
        shape = (STATES, arm.n, arm.n)
        out = np.empty(shape[:2]) if name in ("inverse_dynamics", "forward_dynamics") else np.empty(shape)
        into = [np.empty(shape) for _ in range(3)] if name.endswith("derivatives") else out
        batch = least(partial(function, *states[:count], out=into, threads=1), 50) / STATES
        call, peer = (least(work, calls=OFTEN) for work in (partial(function, *one[:count]), peers[name]))
        row = {"function": shown, "operations": arm.program(name).total_operations}
        yield row | {"batch": 1e9 * batch, "call": 1e6 * call, "Pinocchio": 1e6 * peer}


def exact() -> Iterator[Row]:
    """Milliseconds of derivations and proofs."""
    for name in ("puma560", "panda"):
        arm = qddot.load(name)
        eq = qddot.Robot(arm.model).equations()
        what = f"M, Γ and G of {name}, all symbols: {eq.M.terms:,}, {eq.christoffel.terms:,} and {eq.G.terms:,} terms"
        yield {"what": what, "ms": 1e3 * least(partial(_derived, arm.model))}
        yield {"what": f"all routes of {name} and the certificate", "ms": 1e3 * least(partial(_proved, arm.model), 3)}
        yield {"what": f"the textbook form of {name}", "ms": 1e3 * least(partial(_shortened, arm.model), 2)}
    what = "SymPy's KanesMethod for the six joints of puma560, not simplified"
    elapsed = stopwatch(process_time)
    kane(6)
    yield {"what": what, "ms": 1e3 * elapsed()}


def _derived(model: Any) -> Any:
    eq = qddot.Robot(model).equations()
    return eq.M, eq.christoffel, eq.G


def _proved(model: Any) -> None:
    assert qddot.Robot(model).prove()


def _shortened(model: Any) -> Any:
    short = qddot.Robot(model).equations().textbook()
    return short.M, short.christoffel, short.G


def motion() -> Iterator[Row]:
    """Nanoseconds of an arm's step with RK4, by the difference of two lengths, so that only steps count."""
    for name, arm, few, many in (("panda", panda(), 20, 120), ("two_link", qddot.load("two_link"), 200, 1200)):
        start = np.random.default_rng(0).uniform(-1, 1, (2, ARMS, arm.n))

        def steps(count: int, a: Any = arm, s: Any = start) -> Any:
            return a.simulate(
                *s, count * 1e-3, 1e-3, "rk4", limits=False, options=qddot.Options(record_every=count, threads=1)
            )

        took = least(partial(steps, many), 5) - least(partial(steps, few), 5)
        yield {"what": f"{name}, {arm.n} joints", "ns": 1e9 * took / (many - few) / ARMS}


def main() -> None:
    """Measures and stores, with the date, the machine and the versions."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    stored = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": f"one core of an {machine()}{instructions()}",
        "versions": {"qddot": qddot.__version__, "Pinocchio": version("pin"), "SymPy": version("sympy")},
        "numbers": list(numbers()),
        "motion": list(motion()),
        "exact": list(exact()),
    }
    text = json.dumps(stored, indent=1, ensure_ascii=False) + "\n"
    Path(sys.argv[1]).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
