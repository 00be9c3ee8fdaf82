"""Where only qddot-core is installed, whatever needs more says how to install it, in one sentence."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from qddot.base.errors import NotInstalledError
from qddot.base.system.parts import installed, not_installed

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"
EXTRAS = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]
NEED_MORE = (
    "arm.inverse_dynamics([0, 0], [0, 0], [0, 0])",
    "arm.linearize([0, 0])",
    "arm.forward_kinematics([0, 0])",
    "arm.simulate([0, 0])",
    "arm.stepper(0.1)",
    "arm.plot()",
    "arm.view()",
    "arm.report('arm.html')",
    "arm.equations().at([0, 0])",
    "arm.equations().abbreviate()",
    "qddot.Run",
    "qddot.diff",
    "qddot.sweep",
    "qddot.load_sweep",
    "qddot.laws",
    "qddot.forces",
    "qddot.uniform",
    "qddot.sin",
    "rnea(arm, [0, 0], [0, 0], [0, 0])",
)
SCRIPT = """
import sys
for name in ("numpy", "scipy", "llvmlite", "matplotlib", "xarray", "h5netcdf", "psutil"):
    sys.modules[name] = None
import qddot
from qddot.faces.aliases import rnea
arm = qddot.load("two_link")
assert arm.prove() and arm.equations().textbook() and arm.base_parameters() is not None
assert arm.to_urdf() and arm.as_mdh() and not arm.doctor()
for code in {calls}:
    try:
        eval(code)
        print(code, "needs nothing")
    except Exception as error:
        print(type(error).__name__, error)
"""


def test_whatever_the_core_is_without_names_what_to_install() -> None:
    code = SCRIPT.format(calls=NEED_MORE)
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(said) == len(NEED_MORE)
    for line, call in zip(said, NEED_MORE, strict=True):
        assert line.startswith("NotInstalledError "), (call, line)
        assert 'run `pip install ".[full]"` in a clone' in line, (call, line)


@pytest.mark.parametrize(
    ("package", "name"),
    [("scipy.linalg", '".[full]"'), ("rich.table", "."), ("sympy", '".[sympy]"'), ("dask", '".[sweep]"')],
)
def test_a_package_comes_with_an_installation_from_a_clone(package: str, name: str) -> None:
    with pytest.raises(NotInstalledError, match="is not installed") as refused, installed():
        raise ModuleNotFoundError(name=package)
    assert refused.value.remedy == f"run `pip install {name}` in a clone of qddot"
    named = name.strip('".[]')
    assert not named or named in EXTRAS  # which pip installs from a clone


def test_a_module_of_our_own_that_is_missing_is_no_installation() -> None:
    error = ModuleNotFoundError(name="qddot.absent")
    assert not_installed(error) is error
