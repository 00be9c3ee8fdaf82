"""Rooms import only from floors below, and nothing imports a package that its room does not need."""

from __future__ import annotations

import ast
import graphlib
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "src" / "qddot"
# from the top floor to the bottom: a room imports from floors below it alone
FLOORS = (
    "__main__",
    "cli",
    "page",
    "qddot aliases faces",
    "exam",
    "report",
    "draw",
    "inspect check",
    "sweeps",
    "simulate",
    "forms certify",
    "equations",
    "printing",
    "bounds",
    "numeric",
    "tracing",
    "compilers",
    "confusions",
    "describe",
    "dynamics",
    "numbers",
    "program",
    "model",
    "checked_arrays",
    "expressions",
    "checked spatial system html",
    "errors version records nested_lists",
)
# the steps of reading an answer, from the last to the first: a step imports from those before it alone
READING = (
    "read_answer",
    "reader",
    "answer_files",
    "numbers",
    "quantities",
    "statements",
    "exact grammar",
    "names",
    "signs",
    "answer syntax",
    "dialects",
    "texts",
)
HEIGHT = {room: -k for k, rooms in enumerate(FLOORS) for room in rooms.split()}
FACES = set(FLOORS[3].split())  # only these import from rooms of their own floor
FOREIGN = {  # what a room never takes from outside
    **{room: {"numpy", "flint", "llvmlite"} for room in ("errors", "spatial", "expressions", "model", "program")},
    **{room: {"numpy", "flint", "sympy", "llvmlite"} for room in ("dynamics", "tracing", "describe", "report")},
    **{room: {"flint"} for room in ("compilers", "simulate")},
}
# the Lagrangian routes are derivations of their own: they share the model and what comes out, no algorithm
ROUTES_MAY = {"qddot.dynamics.derivation", "qddot.dynamics.mechanism", "qddot.spatial"}
HOMES = {
    "sympy": "printing/symbolic.py",
    "defusedxml": "describe/xml.py",
    "tomlkit": "describe/toml_text.py",
    "rich": "cli/output.py system/progress.py",
    "llvmlite": "compilers/llvm/engine.py",
    "h5netcdf": "simulate/runs/netcdf.py",
    "fontTools": "report/formats/math_font.py",
    "imageio_ffmpeg": "draw/movie.py",
    "mujoco": "describe/mjcf/mjcf_reader.py inspect/against/mujoco_peer.py",
    "pinocchio": "inspect/against/pinocchio_peer.py",
    "psutil": "simulate/runs/capacity.py",
    "zarr": "system/zarr_folders.py system/sound_store.py",
    "dask": "sweeps/cluster.py",
    "distributed": "sweeps/cluster.py",
    "anywidget": "draw/widget.py",
    "traitlets": "draw/widget.py",
    "typst": "report/formats/typst_file.py",
}


@cache
def statements(text: str) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """The imports of a source text, wherever they stand in it."""
    return tuple(node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom))


def imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in statements(path.read_text(encoding="utf-8")):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        else:
            assert node.level == 0, f"{path}: relative import"
            found.add(str(node.module))
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return found


def modules(root: Path = ROOT) -> dict[str, Path]:
    """Every module by its full name."""
    found = {}
    for path in sorted(root.rglob("*.py")):
        parts = ["qddot", *path.relative_to(root).with_suffix("").parts]
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def room(module: str) -> str:
    """The folder or file right below the package; the package's own file is a face."""
    return module.split(".")[1] if "." in module else "qddot"


def doors(root: Path = ROOT) -> dict[str, set[str]]:
    """For each module the others that it imports, lazily or for type checking, too."""
    known = modules(root)
    found = {}
    for name, path in known.items():
        taken = imports(path)
        # `from qddot.printing import text` names a module and its package: the module is meant
        whole = {each for each in taken if each in known}
        packages = {each for each in whole if any(other.startswith(f"{each}.") for other in taken)}
        found[name] = (whole - (packages - _used_themselves(path, packages, set(known)))) - {name}
    return found


def _used_themselves(path: Path, packages: set[str], known: set[str]) -> set[str]:
    """Packages from whose own file something is imported."""
    return {
        str(node.module)
        for node in statements(path.read_text(encoding="utf-8"))
        if isinstance(node, ast.ImportFrom) and node.module in packages
        if any(f"{node.module}.{alias.name}" not in known for alias in node.names)
    }


def upward(root: Path = ROOT) -> list[str]:
    """Imports from the same floor or from one above."""
    found = []
    for name, taken in doors(root).items():
        for other in taken:
            here, there = room(name), room(other)
            joined = here in FACES and there in FACES
            if here != there and not joined and HEIGHT[there] >= HEIGHT[here]:
                found.append(f"{name} imports {other}")
    return sorted(found)


def circles(root: Path = ROOT) -> list[list[str]]:
    """Modules that can be reached from each other."""
    graph = doors(root)
    sorter = graphlib.TopologicalSorter(graph)
    try:
        sorter.prepare()
    except graphlib.CycleError as error:
        return [list(error.args[1])]
    return []


SOURCES = sorted(ROOT.rglob("*.py"))


def test_every_room_has_its_floor() -> None:
    assert {room(name) for name in modules()} == set(HEIGHT)


def test_a_room_imports_from_floors_below_it_alone() -> None:
    assert upward() == []


def test_a_step_of_reading_imports_from_those_before_it_alone() -> None:
    heights = {step: -k for k, steps in enumerate(READING) for step in steps.split()}
    taken = {(name, other) for name, others in doors().items() for other in others}
    pairs = [[each.removeprefix("qddot.check.reading.").split(".")[0] for each in pair] for pair in sorted(taken)]
    inside = [(here, there) for here, there in pairs if {here, there} <= set(heights)]
    assert len(inside) > 100
    assert not [pair for pair in inside if pair[0] != pair[1] and heights[pair[1]] >= heights[pair[0]]]


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circles() == []


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("equations/linearize.py", "from qddot.faces.robot import Robot"),
        ("printing/text.py", "def lazily():\n    from qddot.equations.arrays.exact_array import ExactArray"),
        ("tracing/arms.py", "if TYPE_CHECKING:\n    import qddot.numeric.arm"),
        ("program/passes.py", "from qddot.compilers import cache"),
    ],
)
def test_an_upward_import_is_found(file: str, line: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT, tmp_path / "qddot")
    with (tmp_path / "qddot" / file).open("a", encoding="utf-8") as source:
        source.write(f"\n{line}\n")
    assert len(upward(tmp_path / "qddot")) == 1


def test_a_circle_is_found(tmp_path: Path) -> None:
    shutil.copytree(ROOT, tmp_path / "qddot")
    with (tmp_path / "qddot" / "program" / "graph.py").open("a", encoding="utf-8") as source:
        source.write("\nfrom qddot.program import derivatives\n")
    assert circles(tmp_path / "qddot")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_room_takes_what_it_does_without(path: Path) -> None:
    here = path.relative_to(ROOT).parts[0].removesuffix(".py")
    assert not {name.split(".")[0] for name in imports(path)} & FOREIGN.get(here, set())


@pytest.mark.parametrize("path", sorted((ROOT / "dynamics" / "lagrange").glob("*.py")), ids=lambda path: path.name)
def test_the_lagrangian_routes_share_no_algorithm(path: Path) -> None:
    mine = {name for name in imports(path) if name.startswith("qddot.")}
    assert all(any(name == may or name.startswith(may + ".") for may in ROUTES_MAY) for name in mine), mine


@pytest.mark.parametrize("kept", ["twists", "twice_kinetic_energies", "composite_inertias"])
def test_what_a_mechanism_keeps_serves_one_route(kept: str) -> None:
    dynamics = ROOT / "dynamics"
    routes = [*(dynamics / "lagrange").glob("*.py"), dynamics / "algorithms" / "composite.py"]
    readers = [path.name for path in routes if f"arm.{kept}" in path.read_text(encoding="utf-8")]
    assert len(readers) == 1, readers


@pytest.mark.parametrize(("package", "home"), HOMES.items())
def test_a_heavy_package_is_imported_where_it_is_used_alone(package: str, home: str) -> None:
    users = {
        str(path.relative_to(ROOT)) for path in SOURCES if any(name.split(".")[0] == package for name in imports(path))
    }
    assert users == set(home.split())


HEAVY = "numpy sympy llvmlite scipy xarray matplotlib"
MACHINERY = ".draw .inspect .simulate .numeric .tracing .compilers .program"  # for numbers, programs and motion
DERIVATION = "flint .dynamics .equations .faces .forms .numbers .printing"
OTHER_FORMATS = ".describe.xml .describe.urdf .describe.xacro .describe.writing .describe.conversions"
NOTEBOOKS = ".html .model.overview .equations.arrays.in_notebooks .printing.notebook_latex"  # what shows objects there
OTHER_EQUATIONS = ".equations.linearize .equations.proofs .equations.storage .faces.robot"
OTHER_ALGORITHMS = (
    ".dynamics.algorithms.articulated .dynamics.algorithms.newton_euler .dynamics.of_entries "
    ".dynamics.algorithms.regressor .dynamics.algorithms.sensitivities .describe.screws "
    ".equations.arrays.substitution .forms.textbook .printing.latex"
)


@pytest.mark.parametrize(
    ("command", "needless"),
    [
        ("", f"{HEAVY} rich flint {MACHINERY} {DERIVATION} .cli .describe .errors .expressions .model"),
        ("--help", f"{HEAVY} rich {MACHINERY} {DERIVATION} .describe .expressions .model"),
        ("--version", f"{HEAVY} rich {MACHINERY} {DERIVATION} .describe .model"),
        ("list", f"{HEAVY} {MACHINERY} {DERIVATION} {OTHER_FORMATS}"),
        (
            "derive two_link",
            f"{HEAVY} rich {MACHINERY} {NOTEBOOKS} {OTHER_FORMATS} {OTHER_EQUATIONS} {OTHER_ALGORITHMS}",
        ),
        (
            "derive two_link --form textbook",
            f"{HEAVY} rich {MACHINERY} {NOTEBOOKS} {OTHER_FORMATS} {OTHER_EQUATIONS} .forms.abbreviate",
        ),
    ],
)
def test_a_command_loads_what_it_needs_alone(command: str, needless: str) -> None:
    """A name with a dot in front is one of our own; the empty command is `import qddot`; no command loads another's."""
    from qddot.cli.commands import COMMANDS

    run = f"from qddot.cli import main; main({command.split()!r})" if command else ""
    code = f"import atexit, sys, qddot; atexit.register(lambda: print(*sys.modules)); {run}"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(result.stdout.splitlines()[-1].split())
    assert "qddot" in loaded
    assert not loaded & {each.module for each in COMMANDS if each.name != command.partition(" ")[0]}
    assert not loaded & {f"qddot{name}" if name.startswith(".") else name for name in needless.split()}


def test_every_public_name_is_at_home() -> None:
    import qddot

    assert sorted(qddot.__all__) == sorted(set(qddot.__all__))
    assert all(getattr(qddot, name) is not None for name in qddot.__all__)
