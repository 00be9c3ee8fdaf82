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
from two_steps import LONG_CASES, THOROUGH

from rooms import HEIGHT, REPOSITORY, ROOT, room, with_table

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
    "programs",
    "texts",
)
FACES = {"qddot", "faces"}  # only these import from rooms of their own floor
FOREIGN = {  # what a room never takes from outside
    **{
        name: {"numpy", "flint", "llvmlite"}
        for name in ("base.errors", "algebra.spatial", "algebra.expressions", "algebra.program", "robot")
    },
    **{
        name: {"numpy", "flint", "sympy", "llvmlite"}
        for name in ("physics", "machine.tracing", "papers.report", *(each for each in HEIGHT if "formats" in each))
    },
    **{name: {"flint"} for name in ("machine.compilers", "motion.simulate")},
}
# the Lagrangian routes are derivations of their own: they share the model and what comes out, no algorithm
ROUTES_MAY = {"qddot.physics.derivation", "qddot.physics.mechanism", "qddot.algebra.spatial"}
HOMES = {
    "sympy": "exact/printing/symbolic.py",
    "defusedxml": "formats/xml/elements.py",
    "tomlkit": "formats/toml/toml_text.py",
    "rich": "apps/cli/output.py base/system/progress.py",
    "llvmlite": "machine/compilers/llvm/engine.py",
    "h5netcdf": "motion/simulate/runs/netcdf.py",
    "fontTools": "papers/report/formats/math_font.py",
    "imageio_ffmpeg": "papers/draw/movie.py",
    "mujoco": "formats/mjcf/mjcf_reader.py inspect/against/mujoco_peer.py",
    "pinocchio": "inspect/against/pinocchio_peer.py",
    "psutil": "motion/simulate/runs/capacity.py",
    "zarr": "base/system/stores.py base/system/sound_store.py",
    "dask": "motion/sweeps/cluster.py",
    "distributed": "motion/sweeps/cluster.py",
    "anywidget": "papers/draw/widget.py",
    "traitlets": "papers/draw/widget.py",
    "typst": "papers/report/formats/typst_file.py",
}


@cache
def statements(text: str) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """The imports of a source text, wherever they stand in it."""
    return tuple(node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom))


def imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in statements(path.read_text(encoding="utf-8")):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        else:
            assert node.level == 0, f"{path}: relative import"
            names.add(str(node.module))
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def modules(root: Path = ROOT) -> dict[str, Path]:
    """Every module by its full name."""
    paths = {}
    for path in sorted(root.rglob("*.py")):
        parts = ["qddot", *path.relative_to(root).with_suffix("").parts]
        paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return paths


def doors(root: Path = ROOT) -> dict[str, set[str]]:
    """For each module the others that it imports, lazily or for type checking, too."""
    known = modules(root)
    edges = {}
    for name, path in known.items():
        taken = imports(path)
        # `from qddot.exact.printing import text` names a module and its package: the module is meant
        whole = {each for each in taken if each in known}
        packages = {each for each in whole if any(other.startswith(f"{each}.") for other in taken)}
        edges[name] = (whole - (packages - _used_themselves(path, packages, set(known)))) - {name}
    return edges


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
    breaches = []
    for name, taken in doors(root).items():
        for other in taken:
            here, there = room(name), room(other)
            joined = here in FACES and there in FACES
            if here != there and not joined and HEIGHT[there] >= HEIGHT[here]:
                breaches.append(f"{name} imports {other}")
    return sorted(breaches)


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
    assert {room(name) for name in modules()} >= {name for name in HEIGHT if "." in name}
    assert {name.split(".")[0] for name in HEIGHT} == {room(name).split(".")[0] for name in modules()}


def test_the_top_of_the_library_is_held_in_the_head() -> None:
    groups = {path.stem for path in ROOT.iterdir()} - {"__init__", "__main__", "__pycache__", "py"}
    assert len(groups) <= 14


def test_contributors_read_the_floors_as_they_are() -> None:
    text = (REPOSITORY / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert with_table(text) == text


def test_a_room_imports_from_floors_below_it_alone() -> None:
    assert upward() == []


def test_a_step_of_reading_imports_from_those_before_it_alone() -> None:
    heights = {step: -k for k, steps in enumerate(READING) for step in steps.split()}
    taken = {(name, other) for name, others in doors().items() for other in others}
    pairs = [[each.removeprefix("qddot.teach.check.reading.").split(".")[0] for each in pair] for pair in sorted(taken)]
    inside = [(here, there) for here, there in pairs if {here, there} <= set(heights)]
    assert len(inside) > 100
    assert not [pair for pair in inside if pair[0] != pair[1] and heights[pair[1]] >= heights[pair[0]]]


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circles() == []


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("exact/equations/linearize.py", "from qddot.faces.robot import Robot"),
        (
            "exact/printing/text.py",
            "def lazily():\n    from qddot.exact.equations.arrays.exact_array import ExactArray",
        ),
        ("machine/tracing/traced.py", "if TYPE_CHECKING:\n    import qddot.machine.numeric.arm"),
        ("algebra/program/passes.py", "from qddot.machine.compilers import cache"),
    ],
)
def test_an_upward_import_is_found(file: str, line: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT, tmp_path / "qddot")
    with (tmp_path / "qddot" / file).open("a", encoding="utf-8") as source:
        source.write(f"\n{line}\n")
    assert len(upward(tmp_path / "qddot")) == 1


def test_a_circle_is_found(tmp_path: Path) -> None:
    shutil.copytree(ROOT, tmp_path / "qddot")
    with (tmp_path / "qddot" / "algebra" / "program" / "graph.py").open("a", encoding="utf-8") as source:
        source.write("\nfrom qddot.algebra.program import derivatives\n")
    assert circles(tmp_path / "qddot")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_room_takes_what_it_does_without(path: Path) -> None:
    here = room(".".join(("qddot", *path.relative_to(ROOT).with_suffix("").parts)))
    assert not {name.split(".")[0] for name in imports(path)} & FOREIGN.get(here, set())


@pytest.mark.parametrize("path", sorted((ROOT / "physics" / "lagrange").glob("*.py")), ids=lambda path: path.name)
def test_the_lagrangian_routes_share_no_algorithm(path: Path) -> None:
    mine = {name for name in imports(path) if name.startswith("qddot.")}
    assert all(any(name == may or name.startswith(may + ".") for may in ROUTES_MAY) for name in mine), mine


@pytest.mark.parametrize("kept", ["twists", "twice_kinetic_energies", "composite_inertias"])
def test_what_a_mechanism_keeps_serves_one_route(kept: str) -> None:
    dynamics = ROOT / "physics"
    routes = [*(dynamics / "lagrange").glob("*.py"), dynamics / "algorithms" / "composite.py"]
    readers = [path.name for path in routes if f"mechanism.{kept}" in path.read_text(encoding="utf-8")]
    assert len(readers) == 1, readers


@pytest.mark.parametrize(("package", "home"), HOMES.items())
def test_a_heavy_package_is_imported_where_it_is_used_alone(package: str, home: str) -> None:
    users = {
        str(path.relative_to(ROOT)) for path in SOURCES if any(name.split(".")[0] == package for name in imports(path))
    }
    assert users == set(home.split())


HEAVY = "numpy sympy llvmlite scipy xarray matplotlib"
MACHINERY = ".papers.draw .inspect .motion .machine .algebra.program"  # for numbers, programs and motion
DERIVATION = "flint .physics .exact .faces .algebra.numbers"
OTHER_FORMATS = ".formats.xml .formats.urdf .formats.sdf .formats.mjcf .formats.writing .formats.conversions"
READERS = f".formats.finding .formats.toml .formats.rows .formats.shared {OTHER_FORMATS}"
NOTEBOOKS = ".base.html .papers.overview .exact.equations.arrays.in_notebooks"  # what shows objects there
OTHER_EQUATIONS = ".exact.equations.linearize .exact.equations.proofs .exact.equations.storage .faces.robot"
OTHER_ALGORITHMS = (
    ".physics.algorithms.articulated .physics.algorithms.newton_euler .physics.of_entries .formats.rows.screws "
    ".physics.algorithms.regressor .physics.algorithms.sensitivities "
    ".exact.equations.arrays.substitution .exact.forms.textbook .exact.printing.latex"
)


@pytest.mark.parametrize(
    ("command", "needless"),
    [
        ("", f"{HEAVY} rich flint {MACHINERY} {DERIVATION} .apps .formats .base.errors .algebra .robot"),
        ("--help", f"{HEAVY} rich {MACHINERY} {DERIVATION} {READERS} .algebra.expressions .robot"),
        ("--version", f"{HEAVY} rich {MACHINERY} {DERIVATION} {READERS} .robot"),
        ("list", f"{HEAVY} {MACHINERY} {DERIVATION} {OTHER_FORMATS}"),
        (
            "derive two_link",
            f"{HEAVY} rich {MACHINERY} {NOTEBOOKS} {OTHER_FORMATS} {OTHER_EQUATIONS} {OTHER_ALGORITHMS}",
        ),
        (
            "derive two_link --form textbook",
            f"{HEAVY} rich {MACHINERY} {NOTEBOOKS} {OTHER_FORMATS} {OTHER_EQUATIONS} .exact.forms.abbreviate",
        ),
    ],
)
def test_a_command_loads_what_it_needs_alone(command: str, needless: str) -> None:
    """A name with a dot in front is one of our own; the empty command is `import qddot`; no command loads another's."""
    from qddot.apps.cli.commands import COMMANDS

    run = f"from qddot.apps.cli import main; main({command.split()!r})" if command else ""
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


def test_what_the_second_step_of_the_tests_lists_is_there() -> None:
    tests = REPOSITORY / "tests"
    for place in THOROUGH:
        assert (tests / place).exists(), place
    for case in LONG_CASES:
        path, _, name = case.partition("::")
        assert f"def {name.partition('[')[0]}(" in (tests / path).read_text(encoding="utf-8"), case
