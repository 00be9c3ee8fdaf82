"""This script tries an installed qddot in an environment that has nothing else: python smoke.py [light | extras]

Light is an environment with qddot-core alone; extras has the extras report, sweep and sympy of qddot.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import qddot


def main() -> None:
    """Derives, proves, computes, simulates, saves, draws and reports an arm, and asks the command for its help."""
    arm = qddot.load("two_link")
    assert arm.prove()
    assert arm.equations().textbook().proved()
    assert arm.inverse_dynamics([0.1, 0.2], [0, 0], [0, 0]).shape == (2,)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for method in ("rk4", "taylor", "dop853", "radau"):
            run = arm.simulate([0.1, 0.2], duration=0.5, method=method)
            assert run.energy.check(1e-6)
        batch = arm.simulate([[0.1, 0.2], [0.3, 0.4]], duration=0.1, m2=[1.0, 2.0], event=lambda t, q, qd: q[0] - 0.31)
        for k, saved in enumerate((run, batch)):
            again = qddot.Run.load(saved.save(folder / f"run{k}.nc"))
            assert str(again.stops) == str(saved.stops)
            assert (again.q == saved.q)[saved.q == saved.q].all()
            assert len(saved.save(folder / f"run{k}.csv").read_text().splitlines()) == 1 + saved.q[..., 0].size
        run.plot().savefig(folder / "run.png")
        run.plot_energy(lang="en").savefig(folder / "energy.svg")
        run.movie(folder / "run.gif", duration=0.2, fps=10, size=(160, 90))
        for suffix in (".md", ".tex"):
            assert arm.report(folder / f"arm{suffix}").exists()
        files = arm.export("c", ["inverse_dynamics"], folder)
        assert all(path.exists() for path in files)
    command = Path(sys.executable).with_name("qddot")
    subprocess.run([command, "derive", "two_link"], check=True, stdout=subprocess.DEVNULL)


def extras() -> None:
    """Sweeps on threads and on Dask, streams a run to a store, reports with mathematics, and hands over to SymPy."""
    arm = qddot.load("two_link").with_values(m1=1.0, m2=1.0, l=1.0)
    motion = qddot.Motion([qddot.uniform(-1, 1), 0.2], duration=0.1, step=0.01)
    asked = {"motion": motion, "draws": 40, "reduce": ["final", "quantiles"]}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        swept = qddot.sweep(arm, options=qddot.Options(chunk=16, store=folder / "sweep.zarr"), **asked)
        (folder / "sweep.zarr" / "q_final" / "c" / "1" / "0").unlink()
        left = qddot.load_sweep(folder / "sweep.zarr")
        assert "runs 16 to 31" in left.attrs["notes"][0] and (left.status == -1).sum() == 16
        for again in (
            qddot.sweep(arm, options=qddot.Options(chunk=16, store=folder / "sweep.zarr"), **asked),
            qddot.sweep(arm, options=qddot.Options(chunk=16, store=folder / "dask.zarr", scheduler="local"), **asked),
        ):
            assert (again.q_final == swept.q_final).all()
        swept.sweep.plot_tube("q").savefig(folder / "tube.png")
        run = arm.simulate([0.1, 0.2], duration=0.5, options=qddot.Options(store=folder / "run.zarr"))
        assert (qddot.Run.load(folder / "run.zarr").q == run.q).all() and run.energy.check(1e-6)
        for suffix in (".html", ".pdf"):
            assert arm.report(folder / f"arm{suffix}").exists()
    assert arm.equations().M.sympy().shape == (2, 2)


def light() -> None:
    """Derives, proves, checks, converts and exports an arm; what cannot be done is said in a line."""
    arm = qddot.load("two_link")
    assert arm.prove()
    assert arm.equations().textbook().proved()
    assert "xml" in arm.to_urdf()
    assert qddot.loads(arm.to_toml()).model.hash == arm.model.hash
    command = Path(sys.executable).with_name("qddot")
    with tempfile.TemporaryDirectory() as folder:
        for line in ("derive rp --form textbook", "list", "doctor two_link", "export two_link --code c"):
            subprocess.run([command, *line.split()], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    wanted = [command, "simulate", "two_link", "--at", "0,0"]
    simulating = subprocess.run(wanted, capture_output=True, text=True, check=False)
    assert simulating.returncode == 2
    assert simulating.stderr.startswith("qddot: numpy is not installed"), simulating.stderr


if __name__ == "__main__":
    {"": main, "light": light, "extras": extras}["".join(sys.argv[1:])]()
