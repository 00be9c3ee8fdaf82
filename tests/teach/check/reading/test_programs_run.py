"""The values that the checker reads in a program are those that the program has when it runs in its own language.

Each name has a drawn number: the arm's symbols, the state, the parameters of functions. The programs of the corpora
and others with what languages do differently are run by Python, g++ and Node; every assignment that both have is
compared. A reading may lack values, and then the checker says so, but it may not have others.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from driven_programs import as_script, in_c, in_script
from program_readings import differing, drawn, equations, free_names
from tools import node, uses

ROOT = Path(__file__).parents[4]
ANSWERS = ROOT / "bench" / "answers"
if not ANSWERS.is_dir():
    pytest.skip("the corpus is not shipped", allow_module_level=True)
RUN = ROOT / "tests" / "helpers" / "run_program.py"

IN_PYTHON = [
    "cylindrical/h12_matrix.py",
    "double_pendulum/x12_numpy_column_wrong.py",
    "double_pendulum/x13_numpy_column.py",
    "eighth/craig_05.py",
    "eighth/furuta92_02.py",
    "eighth/puma3_02.py",
    "eleventh/furuta92_w.py",
    "eleventh/num_elbow_w.py",
    "eleventh/p3r_np.py",
    "eleventh/pan_w.py",
    "eleventh/puma_j.py",
    "eleventh/spatial_tau_w.py",
    "eleventh/stan_h.py",
    "eleventh/zh_sym_w.py",
    "fifteenth/elbow3r_w.py",
    "fifteenth/rp_lagrange.py",
    "fifteenth/siciliano_dict_w.py",
    "fifth/acrobot_04.py",
    "fifth/spatial_2r_03.py",
    "fourteenth/asada_parallel.py",
    "fourteenth/cartdouble_energy.py",
    "fourteenth/cartpole_acc.py",
    "fourteenth/elbow_nums.py",
    "fourteenth/wheel_I2.py",
    "fourth/elbow_com_10.py",
    "fourth/furuta_pendulum_06.py",
    "fourth/spatial_2r_06.py",
    "fourth/two_link_09.py",
    "gantry/j09_numpy.py",
    "gantry/j10_numpy_units.py",
    "ninth/cartpole_03.py",
    "ninth/planar2r_02.py",
    "ninth/puma3_01.py",
    "ninth/twolink_07.py",
    "seventh/acrobot_02.py",
    "seventh/spong_03.py",
    "siciliano_2r/v05_numpy.py",
    "sixth/more_06.py",
    "spong_elbow/a13_sympy_matrix.py",
    "spong_elbow/a14_sympy_half.py",
    "spong_elbow/a15_sympy_gravity_sign.py",
    "spong_elbow/a47_values_first.py",
    "spong_elbow/a48_values_first_wrong.py",
    "tenth/elbow_entries_a.py",
    "tenth/elbow_entries_b.py",
    "tenth/twolink_numpy_a.py",
    "tenth/twolink_numpy_b.py",
    "third/acrobot_02.py",
    "third/siciliano_2r_03.py",
    "thirteenth/asada_jacobians.py",
    "thirteenth/blog_numbers.py",
    "thirteenth/crane_sympy_w.py",
    "thirteenth/rods_sympy.py",
    "thirteenth/rrp_sympy_w.py",
    "thirteenth/siciliano_gravity.py",
    "thirteenth/spong_sympy_lagrange_w.py",
    "tilted_2r/a06_sympy.py",
    "tilted_2r/a07_sympy_wrong.py",
    "twelfth/blog_index_w.py",
    "twelfth/cart_functions.py",
    "twelfth/craig_gravity_w.py",
    "twelfth/rods_values.py",
    "twelfth/rp_gravity_w.py",
    "twelfth/siciliano_sym.py",
    "twelfth/spong_swap_w.py",
    "twelfth/yawpitch_sign_w.py",
]
IN_C = [
    "eleventh/acrobot_c_w.c",
    "eleventh/elbow3r_gravity.c",
    "fifteenth/gear.c",
    "fifth/planar_2r_05.c",
    "fourth/elbow_com_11.c",
    "fourth/spherical_pendulum_13.c",
    "ninth/furutapend_05.c",
    "seventh/cartpole_02.c",
    "tenth/furuta_tip_a.c",
    "tenth/furuta_tip_b.c",
    "tenth/planar_c_a.c",
    "tenth/planar_c_b.c",
]
IN_SCRIPT = [
    "eleventh/acrobot_c_w.c",
    "eleventh/elbow3r_gravity.c",
    "fifth/planar_2r_05.c",
    "fourth/elbow_com_11.c",
    "fourth/spherical_pendulum_13.c",
    "ninth/furutapend_05.c",
    "ninth/furutapend_06.c",
    "seventh/craig_02.js",
    "seventh/rpr_02.js",
    "sixth/rp6_03.c",
    "tenth/furuta_tip_a.c",
    "tenth/furuta_tip_b.c",
    "tenth/planar_c_a.c",
    "tenth/planar_c_b.c",
    "third/cart_pole_05.c",
]

OWN_IN_PYTHON = {
    "whole division, precedence of powers": (
        "def f(m, l, q):\n    a = 7//2*m\n    b = -q**2*l\n    c = -2**2*m + 2**3**2*l\n    G1 = m/l*q"
    ),
    "negative indices, slices": (
        "def f(m, l):\n    x = [m, l, 3*m]\n    a = x[-1] - x[1:][0]\n    b = x[::-1][0]\n    G1 = a + b"
    ),
    "rows and columns": (
        "import numpy as np\ndef f(m, l):\n    A = np.array([[m, l], [2*m, 3*l]])\n"
        "    a = A.T[0, 1] + A[:, 1][0]\n    b = A[1][0] - A[0, :][1]"
    ),
    "the end of a loop": (
        "def f(m, l):\n    a = 0\n    for k in range(1, 4):\n        a += m*k\n    else:\n        a -= l\n    G1 = a"
    ),
    "loops, numbered": (
        "def f(m, l):\n    a = 0\n    for k, each in enumerate([m, l], 1):\n"
        "        if k == 3:\n            continue\n        a += k*each\n    G1 = a"
    ),
    "symbols": (
        "import sympy as sp\nm, l, q1 = sp.symbols('m l q1')\n"
        "A = sp.Matrix(2, 2, [m, l, q1, 2])\na = A[1, 0] + A[1]\n"
        "b = sp.Rational(1, 3)*m + sp.S(1)/2*l"
    ),
}
OWN_IN_C = {
    "whole division": (
        "double f(double m, double l) { int n = 3; double a = n/2*m; "
        "double b = 7/2*m + 7/2.0*l; double G1 = (n/2)*m + n/2*l; return a; }"
    ),
    "signs": (
        "double f(double m, double l, double q) { double a = -q*-l; "
        "double b = m - l - q; double c = m/l/q; double d = m/l*q; return a; }"
    ),
    "assignments": (
        "double f(double m, double l, double q) { double a = m; a += l; a *= q - l; a -= 2; double G1 = a; return a; }"
    ),
    "remainders": (
        "double f(double m, double l) { int k = 5; double a = m*(k % 3); double b = pow(m, 2)*l + fabs(-m); return a; }"
    ),
    "entries": (
        "void f(double m, double l, double M[2][2]) { M[0][0] = m; M[0][1] = l; M[1][0] = M[0][1]; M[1][1] = 2*m; }"
    ),
    "a loop that counts before": (
        "void f(const double q[3], double G[3]) { for (int i = 0; i < 3; ++i) { G[i] = q[i]*(i + 1); } }"
    ),
    "a loop in a loop": (
        "void f(const double q[3], double G[3]) { for (int i = 0; i < 3; i++) { "
        "G[i] = 0; for (int j = i; j < 3; ++j) { G[i] += q[j]*(j + 1); } } }"
    ),
    "a loop that counts down": (
        "double f(double m, double l) { double a = 0; for (int i = 3; i > 0; --i) { "
        "a += l/i + m; } double G1 = a; return a; }"
    ),
}
OWN_IN_SCRIPT = {
    "division and powers": (
        "function f(m, l, q) { const n = 3; let a = n/2*m; let b = -(q**2)*l; "
        "let c = 2**3**2*m/l/q; let G1 = a + b + c; return G1; }"
    ),
    "lists": (
        "function f(m, l) { let x = [m, l]; let a = x[0] - 2*x[1]; let b = Math.pow(m, 2) + Math.sqrt(l); return a; }"
    ),
    "a loop that counts before": (
        "function f(m, l) { let a = 0; for (let i = 0; i < 3; ++i) { a += m*i; } let G1 = a - l; return G1; }"
    ),
    "assignments": ("function f(m, l) { let a = m; a += l; a *= l - m; a /= 2; let G1 = a; return G1; }"),
    "remainders": ("function f(m, l) { const k = 5; let a = m*(k % 3); let G1 = a + l; return G1; }"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", IN_PYTHON)
def test_a_program_in_python_has_the_values_that_are_read(name: str) -> None:
    assert_same_in_python(ANSWERS / name)


@pytest.mark.thorough
@pytest.mark.parametrize("text", OWN_IN_PYTHON.values(), ids=OWN_IN_PYTHON)
def test_python_does_what_is_read(text: str, tmp_path: Path) -> None:
    assert_same_in_python(written(tmp_path / "mine.py", f"{text}\n"))


@uses("g++")
@pytest.mark.parametrize("name", IN_C)
def test_a_program_in_c_has_the_values_that_are_read(name: str, tmp_path: Path) -> None:
    assert_same_in_c(ANSWERS / name, tmp_path)


@uses("g++")
@pytest.mark.parametrize("text", OWN_IN_C.values(), ids=OWN_IN_C)
def test_c_does_what_is_read(text: str, tmp_path: Path) -> None:
    assert_same_in_c(written(tmp_path / "mine.c", text), tmp_path)


@uses("node")
@pytest.mark.parametrize("name", IN_SCRIPT)
def test_a_program_in_javascript_has_the_values_that_are_read(name: str, tmp_path: Path) -> None:
    """Those in C are run as JavaScript, without their types."""
    text = (ANSWERS / name).read_text(encoding="utf-8")
    assert_same_in_script(as_script(text) if name.endswith(".c") else text, tmp_path)


@uses("node")
@pytest.mark.parametrize("text", OWN_IN_SCRIPT.values(), ids=OWN_IN_SCRIPT)
def test_javascript_does_what_is_read(text: str, tmp_path: Path) -> None:
    assert_same_in_script(text, tmp_path)


def assert_same_in_python(file: Path) -> None:
    stated = equations(file)
    numbers = json.dumps({name: drawn(name) for name in free_names(stated)})
    assert_same(stated, json.loads(output([sys.executable, str(RUN), str(file)], numbers).splitlines()[-1]))


def assert_same_in_c(file: Path, folder: Path) -> None:
    stated = equations(file)
    source = written(folder / "driven.cpp", in_c(file.read_text(encoding="utf-8"), free_names(stated)))
    output(["g++", "-std=c++17", "-w", "-o", str(folder / "driven"), str(source)])
    assert_same(stated, printed(output([str(folder / "driven")])))


def assert_same_in_script(text: str, folder: Path) -> None:
    stated = equations(written(folder / "mine.js", text))
    source = written(folder / "driven.js", in_script(text, free_names(stated)))
    assert_same(stated, printed(output([node(), str(source)])))


def assert_same(stated: list[tuple[str, str]], shown: dict[str, list[Any]]) -> None:
    count, others = differing(stated, shown)
    assert not others
    assert count


def output(command: list[str], given: str = "") -> str:
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def printed(lines: str) -> dict[str, list[Any]]:
    """Returns the numbers that a program prints behind names."""
    shown: dict[str, list[Any]] = {}
    for line in lines.splitlines():
        name, *numbers = line.split()
        shown.setdefault(name, []).append([float(number) for number in numbers if number != "undefined"])
    return shown


def written(file: Path, text: str) -> Path:
    file.write_text(text, encoding="utf-8")
    return file
