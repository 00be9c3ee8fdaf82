"""Each language says the same as the equations: what computes is computed, what is set is set by its own program."""

from __future__ import annotations

import json
import math
import re
import subprocess
from itertools import product
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
import typst
from shipped import robot
from tools import BROWSER, node, pdflatex, uses

import qddot
from qddot.algebra.expressions.names import rate_name
from qddot.exact.equations.quantity_table import QUANTITIES
from qddot.exact.equations.routes import ROUTES
from qddot.exact.forms.textbook import Textbook

SMALL = ("one_link", "slider", "rp", "two_link", "planar_2r", "spatial_2r", "spherical_pendulum", "elbow_3r")
ROUTED = ("rp", "spatial_2r", "elbow_3r")  # joints that slide and turn, in space, with frames at centres of mass
LARGE = {"puma560": ("M", "G", "T_tool", "tau"), "panda": ("G", "T_tool"), "baxter": ("G",)}
EVERYTHING = tuple(QUANTITIES)
HERE = Path(__file__).parent


def steps_of(eq: qddot.EquationsOfMotion) -> list[str]:
    return [name for name in eq.steps if name not in EVERYTHING]


def documents() -> list[tuple[Textbook, list[str]]]:
    """The short forms of the small arms, of some of them by every route, and of the large ones some quantities."""
    pairs = [(robot(name).equations().textbook(), list(EVERYTHING)) for name in SMALL]
    for name, route in product(ROUTED, ROUTES):
        eq = robot(name).equations(route)
        if chosen := steps_of(eq):
            pairs.append((eq.textbook(), chosen))
    pairs += [(robot(name).equations().textbook(), list(chosen)) for name, chosen in LARGE.items()]
    return pairs


@pytest.fixture(scope="module")
def written() -> list[tuple[Textbook, list[str]]]:
    return documents()


@pytest.fixture(scope="module")
def latex(written: list[tuple[Textbook, list[str]]]) -> list[str]:
    plain = [array for name in SMALL for array in latex_of(robot(name).equations())]
    return [*(short.latex(names) for short, names in written), *plain]


def latex_of(eq: qddot.EquationsOfMotion) -> list[str]:
    return [f"\\begin{{gather}}\n{eq.latex(name)}\n\\end{{gather}}" for name in ("M", "tau", "T", "J_c", "L")]


@uses("pdflatex")
def test_latex_compiles_with_plain_pdflatex(latex: list[str], tmp_path: Path) -> None:
    head = r"\documentclass{article}\usepackage{amsmath}\allowdisplaybreaks\begin{document}"
    (tmp_path / "all.tex").write_text("\n".join([head, *latex, r"\end{document}"]), encoding="utf-8")
    command = [pdflatex(), "-halt-on-error", "-interaction=nonstopmode", "all.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-2000:]


@uses("node", "pyodide")
def test_latex_parses_in_katex(latex: list[str], tmp_path: Path) -> None:
    environment = re.compile(r"\\begin\{(align|gather)\}.*?\\end\{\1\}", re.DOTALL)
    blocks = [block[0] for text in latex for block in environment.finditer(text)]
    sentences = [inside for text in latex for inside in re.findall(r"\$([^$]+)\$", text)]
    assert len(blocks) > 300
    assert sentences
    (tmp_path / "all.json").write_text(json.dumps([*blocks, *sentences]), encoding="utf-8")
    command = [node(), str(HERE / "in_katex.mjs"), str(BROWSER), str(tmp_path / "all.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.thorough
def test_typst_compiles(written: list[tuple[Textbook, list[str]]], tmp_path: Path) -> None:
    source = "\n\n".join(short.typst(names) for short, names in written)
    (tmp_path / "all.typ").write_text(source, encoding="utf-8")
    assert typst.compile(str(tmp_path / "all.typ"), format="pdf").startswith(b"%PDF")


def test_mathml_is_xml_of_mathml_core(written: list[tuple[Textbook, list[str]]]) -> None:
    core = {"math", "mtable", "mtr", "mtd", "mrow", "mi", "mn", "mo", "msub", "msup", "msubsup", "mfrac", "mover"}
    core |= {"mpadded", "msqrt", "mspace", "mmultiscripts", "mprescripts"}
    for short, names in written:
        for line in short.mathml(names).splitlines():
            tags = {element.tag.partition("}")[2] for element in ElementTree.fromstring(line).iter()}
            assert tags <= core


STATE = {"q": 0.7, "qd": -0.4, "qdd": 0.9}


def values_of(arm: qddot.Robot, eq: qddot.EquationsOfMotion) -> tuple[dict[str, float], Any]:
    """Names with numbers, and the equations at them."""
    n = eq.n
    rows = [[value * (k + 1) / 3 for k in range(n)] for value in STATE.values()]
    given = {name: 0.3 + k / 7 for k, name in enumerate(eq.model.symbols)}
    names = dict(given)
    for dots, row in enumerate(rows):
        names |= {(rate_name(q, dots) if dots else q): x for q, x in zip(eq.model.coordinates, row, strict=True)}
    return names, eq.at(*rows, **given)


def run_python(source: str, names: dict[str, float]) -> dict[str, Any]:
    known: dict[str, Any] = dict(names)
    exec(source, known)
    return known


def run_matlab(source: str, names: dict[str, float]) -> dict[str, Any]:
    """The few statements of MATLAB that are written, by Python."""
    known: dict[str, Any] = {**names, "cos": math.cos, "sin": math.sin, "sqrt": math.sqrt, "pi": math.pi}
    known |= {"zeros": lambda *sizes: np.zeros(sizes), "sign": np.sign}
    for statement in source.replace("...\n", "").replace("^", "**").splitlines():
        left, right = statement.removesuffix(";").split(" = ", 1)
        if right == "[]":
            known[left] = np.array([])
        elif right.startswith("["):
            rows = [row.split(",") for row in right.strip("[]").split(";")]
            known[left] = np.array([[eval(cell, known) for cell in row] for row in rows])
        elif "(" in left:
            place = [int(k) - 1 for k in re.findall(r"\d+", left[left.index("(") :])]
            known[left[: left.index("(")]][tuple(place)] = eval(right, known)
        else:
            known[left] = eval(right, known)
    return known


def assigned(done: dict[str, Any], array: Any) -> Any:
    """The value of an array, which MATLAB has as matrices of links: T_1, T_2."""
    name = array.identifier
    if name in done:
        return done[name]
    places = product(*(range(1, size + 1) for size in array.shape[:-2]))
    return [done["_".join(map(str, (name, *place)))] for place in places]


def test_matlab_has_matrices_of_links_by_name() -> None:
    arm = robot("spatial_2r")
    eq = arm.equations("com_jacobian")
    source = eq.matlab(["T", "Jv", "T_c", "christoffel"])
    assert re.findall(r"^\w+ = \[|^\w+ = zeros.*", source, re.MULTILINE) == [
        *("T_1 = [", "T_2 = [", "Jv_1 = [", "Jv_2 = [", "T_c_1 = [", "T_c_2 = [", "christoffel = zeros(2, 2, 2);")
    ]
    names, numbers = values_of(arm, eq)
    done = run_matlab(source, names)
    for quantity in ("T", "Jv", "T_c", "christoffel"):
        np.testing.assert_allclose(assigned(done, eq.array(quantity)), numbers[quantity], rtol=1e-12, atol=1e-14)


def test_a_symbol_keeps_its_name_beside_a_matrix() -> None:
    rows = [{"theta": "q1", "d": 0, "a": "T_1", "alpha": 0}]
    eq = qddot.from_dh(rows, [{"mass": 1, "com": [0, 0, 0]}], symbols="T_1").equations()
    assert eq.T.matlab().startswith("T_1_ = [cos(q1), -sin(q1), 0, T_1*cos(q1);")


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("language", ["python", "matlab"])
@pytest.mark.parametrize("form", ["normal", "sums", "multiple-angle"])
def test_programs_compute_the_equations(name: str, language: str, form: str) -> None:
    arm = robot(name)
    eq = arm.equations()
    names, numbers = values_of(arm, eq)
    source = getattr(eq if form == "normal" else eq.textbook(form), language)([*EVERYTHING])
    done = (run_python if language == "python" else run_matlab)(source, names)
    for quantity in EVERYTHING:
        expected = numbers[quantity]
        array = np.reshape(np.asarray(assigned(done, eq.array(quantity)), dtype=float), expected.shape)
        # a few dozen operations
        np.testing.assert_allclose(array, expected, rtol=1e-12, atol=1e-14, err_msg=quantity)


def test_sympy_has_poses_and_steps() -> None:
    import sympy

    eq = robot("elbow_3r").equations("dh4x4")
    names, numbers = values_of(robot("elbow_3r"), eq)
    values = {sympy.Symbol(name, real=True): value for name, value in names.items()}
    for quantity in ("T_tool", "J_tool", "tau"):
        array = np.array(eq.textbook(lumped=False).array(quantity).sympy().subs(values), dtype=float)
        expected = np.reshape(numbers[quantity], array.shape)
        np.testing.assert_allclose(array, expected, rtol=1e-12, atol=1e-14)
