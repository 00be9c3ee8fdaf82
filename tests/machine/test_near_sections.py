"""Machine code is loaded where its sections are near each other, whatever gaps a process's memory has."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import mmap, numpy as np, qddot
from qddot.machine.compilers.llvm import engine

def with_a_gap_far_above(self, code, load=engine.Loaded.__init__):
    large, pages = mmap.mmap(-1, 3 << 30), []
    while not pages or engine._start(pages[-1]) > engine._start(large):
        pages.append(mmap.mmap(-1, mmap.PAGESIZE))
    pages.pop(len(pages) // 2).close()
    load(self, code)

engine.Loaded.__init__ = with_a_gap_far_above
arm, q = qddot.load("ur5"), np.full(6, 0.3)
print(abs(arm.mass_matrix(q) - arm.mass_matrix(np.array([q, q]))[1]).max())
"""


def test_code_runs_beside_a_small_gap_far_above_all_others() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) < 1e-12
