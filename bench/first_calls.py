"""Measures the first call, and the number of states after which it pays off against Pinocchio; stored for the site.

The times of the first M and C of large arms are printed, too, with their targets.

python bench/first_calls.py docs/evidence/first_calls.json     needs pin, as the tests do
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
from panda import pinocchio_functions
from timing import least, stopwatch
from validation import machine

import qddot

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "helpers"))
from physical import random_chain  # type: ignore[import-not-found]  # noqa: E402 - behind the path
from robots_by_size import chain_in_numbers  # type: ignore[import-not-found]  # noqa: E402

LENGTHS = (2, 6, 12, 20, 30)
SECONDS = {40: 2.0, 100: 5.0}  # that the first M or C of an arm with so many joints shall take at most
FUNCTIONS = {"inverse_dynamics": "τ", "inverse_dynamics_derivatives": "∂τ/∂q, ∂τ/∂q̇"}


def first(call: Callable[[], Any]) -> float:
    """Seconds of processor time of a call that finds no compiled code."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["QDDOT_CACHE"] = folder
        elapsed = stopwatch(process_time)
        call()
        took = elapsed()
        del os.environ["QDDOT_CACHE"]
    return took


def rows() -> Iterator[dict[str, Any]]:
    """Chains of random links: the first call in seconds, then microseconds a state, one state a call."""
    import pinocchio as pin

    # the compiler itself, which starts once in a process
    qddot.load("one_link").inverse_dynamics([0.0], [0.0], [0.0])
    for joints in LENGTHS:
        arm, model = random_chain(pin, joints=joints, seed=0)
        peers = pinocchio_functions(model, pin)
        state = tuple(np.random.default_rng(joints).uniform(-1, 1, (3, joints)))
        for name, shown in FUNCTIONS.items():
            works = [partial(call, *state) for call in (getattr(arm, name), peers[name])]
            started = first(works[0])
            call, peer = (1e6 * least(work, calls=2000) for work in works)
            yield {"joints": joints, "function": shown, "first": started, "call": call, "Pinocchio": peer}


def large() -> Iterator[dict[str, Any]]:
    """M and C of trees, whose branches are half as long as the arm and shorter, and of chains: the first calls."""
    import pinocchio as pin

    for joints, most in SECONDS.items():
        tree, _ = random_chain(pin, joints=joints, seed=0)
        for shape, arm in (("tree", tree), ("chain", chain_in_numbers(joints))):
            q = np.zeros(joints)
            for shown, call in (
                ("M", lambda a=arm, q=q: a.mass_matrix(q)),
                ("C", lambda a=arm, q=q: a.coriolis_matrix(q, q)),
            ):
                took = first(call)
                print(f"first {shown} of a {shape} of {joints} joints: {took:.1f} s, at most {most} s")
                yield {"joints": joints, "shape": shape, "function": shown, "first": took, "at most": most}


def main() -> None:
    """Measures and stores, with the date, the machine and the versions."""
    stored = {
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "versions": {"qddot": qddot.__version__, "Pinocchio": version("pin")},
        "rows": list(rows()),
        "large": list(large()),
    }
    Path(sys.argv[1]).write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
