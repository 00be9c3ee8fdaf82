"""The doors between the rooms: imports that never happen."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "src" / "qddot"
FORBIDDEN = {
    "spatial": {"numpy", "flint", "qddot.model", "qddot.numbers", "qddot.dynamics", "qddot.formats", "qddot.equations"},
    "errors": {"numpy", "flint", "qddot."},
    "model": {"numpy", "flint", "qddot.numbers", "qddot.dynamics", "qddot.formats", "qddot.equations"},
    "dynamics": {"numpy", "flint", "sympy", "qddot.numbers", "qddot.program", "qddot.formats", "qddot.equations"},
    "numbers": {"qddot.dynamics", "qddot.compilers", "qddot.formats", "qddot.equations"},
    "formats": {"numpy", "flint", "qddot.dynamics", "qddot.compilers", "qddot.numbers", "qddot.equations"},
    "conversions": {"numpy", "flint", "qddot.equations", "qddot.program", "qddot.compilers", "qddot.robot"},
    "equations": {"qddot.robot", "qddot.tracing", "qddot.program", "qddot.compilers"},
    "program": {"numpy", "flint", "llvmlite", "qddot.spatial", "qddot.model", "qddot.numbers", "qddot.dynamics"},
    "compilers": {"flint", "qddot.model", "qddot.dynamics", "qddot.formats", "qddot.numbers", "qddot.equations"},
    "simulate": {
        "qddot.compilers.llvm",
        "qddot.compilers.blocks",
        "qddot.equations",
        "qddot.formats",
        "flint",
        "llvmlite",
    },
    "comparison": {"flint", "qddot.tracing", "qddot.program", "qddot.compilers", "qddot.equations"},
    "doctor": {"flint", "qddot.robot", "qddot.tracing", "qddot.program", "qddot.compilers", "qddot.equations"},
    "tracing": {"numpy", "flint", "llvmlite", "qddot.compilers", "qddot.equations", "qddot.formats"},
}
FACES = {"qddot.cli", "qddot.report", "qddot.board"}
# the Lagrangian routes are derivations of their own: they share the model and what comes out, no algorithm
ROUTES_MAY = {"qddot.dynamics.derivation", "qddot.dynamics.mechanism", "qddot.spatial"}
HOMES = {
    "sympy": "equations/symbolic.py",
    "defusedxml": "formats/xml.py",
    "tomlkit": "formats/toml_text.py",
    "rich": "cli/output.py progress.py",
    "llvmlite": "compilers/llvm/engine.py",
    "h5netcdf": "simulate/netcdf.py",
    "imageio_ffmpeg": "movie.py",
    "mujoco": "formats/mjcf.py",
    "psutil": "simulate/setup.py",
}


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found.add(str(node.module))
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def room(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


SOURCES = sorted(ROOT.rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_forbidden_door(path: Path) -> None:
    for name in imports(path):
        for forbidden in FORBIDDEN.get(room(path), set()):
            assert not name.startswith(forbidden), f"{path.name} imports {name}"
        assert name not in FACES or room(path) in ("cli", "__main__")


@pytest.mark.parametrize("path", sorted((ROOT / "dynamics" / "lagrange").glob("*.py")), ids=lambda path: path.name)
def test_the_lagrangian_routes_share_no_algorithm(path: Path) -> None:
    mine = {name for name in imports(path) if name.startswith("qddot.")}
    assert all(any(name == may or name.startswith(may + ".") for may in ROUTES_MAY) for name in mine), mine


@pytest.mark.parametrize(("package", "home"), HOMES.items())
def test_a_heavy_package_is_imported_where_it_is_used_alone(package: str, home: str) -> None:
    users = {
        str(path.relative_to(ROOT)) for path in SOURCES if any(name.split(".")[0] == package for name in imports(path))
    }
    assert users == set(home.split())


def test_importing_qddot_loads_no_heavy_package() -> None:
    heavy = {"numpy", "flint", "sympy", "rich", "llvmlite", "scipy", "xarray", "matplotlib"}
    code = f"import sys, qddot; print({heavy} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "set()"
