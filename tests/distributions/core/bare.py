"""This script runs the exact core with python-flint and pure Python alone, in a process that test_core.py starts.

python bare.py NAME ...     texts by robot and what was asked for, as JSON
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

FORBIDDEN = {
    *("numpy", "llvmlite", "matplotlib", "scipy", "h5py", "h5netcdf", "xarray", "pandas"),
    *("mujoco", "sympy", "mpmath", "psutil", "imageio_ffmpeg"),
}
ROUTES = ("newton_euler", "dh4x4", "com_jacobian", "screw", "energy")
CONVENTIONS = ("as_dh", "as_mdh", "as_screws", "as_tree")


class Refusal:
    """A finder that finds none of the forbidden packages."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name.split(".")[0] in FORBIDDEN:
            raise ModuleNotFoundError(f"{name} is not part of the exact core", name=name)


def printed(name: str) -> dict[str, str]:
    """A robot's equations, proved by every route, and printed; what the doctor finds, and a judgement."""
    import qddot

    arm = qddot.load(name)
    certificate = arm.prove()
    assert certificate
    assert set(ROUTES) < set(certificate.routes)
    eq = arm.equations()
    judgement = arm.check("M11 = 0")
    assert not judgement
    findings = "\n".join(map(str, arm.doctor()))
    return {"text": eq.text(), "latex": eq.latex(), "doctor": findings, "check": str(judgement)}


def everything(name: str) -> dict[str, str]:
    """What else the core can say of a robot."""
    import qddot

    arm = qddot.load(name)
    eq, short = arm.equations(), arm.equations().textbook()
    assert short.proved()
    assert all(arm.equations(route).tau == eq.tau for route in ROUTES)
    assert eq.M.T == eq.M
    assert eq.M[..., 0] == eq.M[0]
    texts = {"short": short.text(), "short_latex": short.latex(), "base": str(arm.base_parameters())}
    texts |= {"check_html": arm.check("M11 = 0")._repr_html_()}
    texts |= {way: getattr(arm, way)().to_toml() for way in CONVENTIONS}
    free = [symbol for symbol, value in arm.model.symbols.items() if value.value is None]
    with tempfile.TemporaryDirectory() as folder:
        eq.save(Path(folder) / "eq.json")
        assert type(eq).load(Path(folder) / "eq.json").tau == eq.tau
        for target in ("c", "python", "js"):
            for path in arm.export(target, ("inverse_dynamics", "forward_dynamics"), folder, free=free):
                texts[path.suffix] = path.read_text(encoding="utf-8")
    return texts


def reported() -> str:
    """The page of a derivation, without the pictures that only other packages can make."""
    import qddot
    from qddot.papers.report.arm_report import ReportContents, report
    from qddot.papers.report.formats.html_page import page

    arm = qddot.load("two_link")
    return page(report(ReportContents([arm.equations().textbook()], arm.prove([]), arm.base_parameters()), "zh"))


def described() -> str:
    """An arm from rows, as URDF and back."""
    import qddot

    link = {"mass": 2, "com": [0.1, 0, 0], "inertia": {"about": "com", "xx": 0.1, "yy": 0.2, "zz": 0.25}}
    arm = qddot.from_dh([{"theta": "q1", "d": 0.2, "a": 0.3, "alpha": "90deg"}], [link], gravity=[0, 0, "-9.81"])
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "arm.urdf").write_text(arm.to_urdf(), encoding="utf-8")
        again = qddot.load(Path(folder) / "arm.urdf")
    assert float(again.equations().M[0, 0]) == float(arm.equations().M[0, 0])
    return arm.to_urdf()


def refuted() -> str:
    """What the certificate says of equations with a wrong sign."""
    import qddot

    wrong = qddot.load("two_link").equations()
    wrong.quantities.derivation.G[0] = -wrong.quantities.derivation.G[0]
    certificate = wrong.prove(routes=["energy"])
    assert not certificate
    return str(next(each.detail for each in certificate.identities if each.verdict == "false"))


def long_ring() -> dict[str, str]:
    """The terms of a sum of 2,000 constants, for which a sort with a call for each bit would overflow the stack."""
    from qddot.algebra.numbers.polynomials.exact import Ring
    from qddot.algebra.numbers.polynomials.variables import Variables

    ring = Ring(Variables((), (), (), [f"k{i}" for i in range(2000)]))
    total = ring.generator("k1999") * 3 + ring.generator("k1998") - ring.generator("k0")
    again = ring.from_terms(reversed(list(total.terms())))
    assert again == total
    return {"terms": str(len(again)), "first": str(again)}


def main(names: list[str]) -> None:
    sys.meta_path.insert(0, Refusal())
    outputs = {name: printed(name) | everything(name) for name in names} | {
        "rows": {"urdf": described(), "wrong": refuted(), "report": reported()}
    }
    loaded = {module.split(".")[0] for module in sys.modules} & FORBIDDEN
    assert not loaded, loaded
    json.dump(outputs, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
