"""This script tries an installed qddot in an environment that has nothing else: python smoke.py [light]

Light is an environment without NumPy and all that computes with it.
"""

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


def light() -> None:
    """Derives, proves, checks, converts and exports an arm; what cannot be done is said in a line."""
    arm = qddot.load("two_link")
    assert arm.prove()
    assert arm.equations().textbook().proved()
    assert "xml" in arm.to_urdf()
    assert qddot.loads(arm.to_toml()).model.hash == arm.model.hash
    command = Path(sys.executable).with_name("qddot")
    with tempfile.TemporaryDirectory() as folder:
        for line in ("derive rp --form textbook", "list", "doctor two_link", "export two_link --to c"):
            subprocess.run([command, *line.split()], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    wanted = [command, "simulate", "two_link", "--q0", "0,0"]
    simulating = subprocess.run(wanted, capture_output=True, text=True, check=False)
    assert simulating.returncode == 2
    assert simulating.stderr.startswith("qddot: numpy is not installed"), simulating.stderr


if __name__ == "__main__":
    {"": main, "light": light}["".join(sys.argv[1:])]()
