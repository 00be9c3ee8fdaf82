"""Measures closed chains of `linkages`: their exact equations and proofs, or their first calls, each in a new process.

    python bench/exact_chains.py prove "Whipple's bicycle" spin_r lean delta
    python bench/exact_chains.py call "Stewart's platform, universal joints below"

Coordinates after the name are the independent ones. It prints an object of JSON: seconds of processor time without
those to open the chain, the process' largest memory in GB, and the numbers of terms in M and C.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import numpy as np
from linkages import mechanisms, rolling
from linkages.parts import Mechanism
from timing import stopwatch

import qddot
from qddot.faces.closed_chain import ClosedChain


def opened(mechanism: Mechanism, independent: Sequence[str]) -> ClosedChain:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "mechanism.toml"
        file.write_text(mechanism.text, encoding="utf-8")
        return qddot.load_closed_chain(file, independent or None)


def prove(chain: ClosedChain, mechanism: Mechanism) -> dict[str, int]:
    """Derives and proves; returns the numbers of terms."""
    eq = chain.equations()
    terms = {name: eq.array(name).terms for name in ("M", "C")}
    certificate = chain.prove()
    assert certificate, certificate
    return terms


def call(chain: ClosedChain, mechanism: Mechanism) -> dict[str, int]:
    """Compiles and calls M and forward dynamics."""
    q = chain.assemble(dict(mechanism.guess)).q
    chain.mass_matrix(q)
    chain.forward_dynamics(q, np.zeros(chain.n), np.zeros(chain.n))
    return {}


def largest_memory() -> float:
    """Returns what this process has held at most [GB]; `getrusage` has that of the process that started it, too."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1e6


WORKS = {"prove": prove, "call": call}


def measured(work: str, name: str, *independent: str) -> dict[str, Any]:
    """Returns what a new process without compiled code prints."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, __file__, work, name, *independent]
        environment = {**os.environ, "QDDOT_CACHE": folder}
        told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, env=environment).stdout
    return dict(json.loads(told))


def main() -> None:
    work, name, *independent = sys.argv[1:]
    mechanism = next(each for each in chain([rolling.whipple()], mechanisms()) if each.name == name)
    own = opened(mechanism, independent)
    elapsed = stopwatch(process_time)
    terms = WORKS[work](own, mechanism)
    seconds = elapsed()
    print(json.dumps({"seconds": seconds, "GB": largest_memory(), **terms}))


if __name__ == "__main__":
    main()
