"""This script tries an installed qddot in an environment that has nothing else: python smoke.py"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import qddot


def main() -> None:
    """Derives, proves, computes, simulates and reports an arm, and asks the command for its help."""
    arm = qddot.load("two_link")
    assert arm.prove()
    assert arm.equations().textbook().proved()
    assert arm.inverse_dynamics([0.1, 0.2], [0, 0], [0, 0]).shape == (2,)
    assert arm.simulate([0.1, 0.2], duration=0.5).energy.check(1e-6)
    with tempfile.TemporaryDirectory() as folder:
        for suffix in (".md", ".tex"):
            assert arm.report(Path(folder) / f"arm{suffix}").exists()
        files = arm.export("c", ["inverse_dynamics"], folder)
        assert all(path.exists() for path in files)
    command = Path(sys.executable).with_name("qddot")
    subprocess.run([command, "derive", "two_link"], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
