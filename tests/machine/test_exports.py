"""Exported source code computes what the Program computes; one list of cases runs for every target."""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from compiling import compile_c
from exported_code import RUN, RUNNERS, run_c, self_tested
from hypothesis import given, settings
from hypothesis import strategies as st
from physical import physical

import qddot
from qddot.algebra.expressions.identifiers import compatible, distinct, latin
from qddot.algebra.expressions.names import check_names
from qddot.algebra.program.program import Program
from qddot.base.errors import ModelError
from qddot.machine.compilers import TARGETS
from qddot.machine.compilers.batch import compiled

CASES = [
    ("two_link", ("inverse_dynamics", "mass_matrix", "gravity")),
    ("rp", ("forward_dynamics", "bias", "kinetic_energy")),
    ("puma560_akb", ("inverse_dynamics", "jacobian")),
    ("spherical_pendulum", ("state_derivative", "potential_energy", "momentum")),
]


def test_every_target_is_run() -> None:
    assert set(RUNNERS) == set(TARGETS)


@cache
def arm_of(name: str) -> qddot.Robot:
    return physical(qddot.load(name))


@cache
def right_values(name: str, function: str) -> tuple[Program, list[np.ndarray], list[np.ndarray]]:
    """The program of a function, inputs, and what its machine code makes of them."""
    program, rng = arm_of(name).program(function), np.random.default_rng(0)
    arrays = [rng.uniform(-1, 1, port.shape) for port in program.inputs]
    right: Any = compiled(program)(*arrays)
    return program, arrays, list(right) if isinstance(right, tuple) else [right]


@pytest.mark.parametrize("target", RUN)
@pytest.mark.parametrize(("name", "functions"), CASES)
def test_a_target_computes_the_program(target: str, name: str, functions: tuple[str, ...], tmp_path: Path) -> None:
    arm_of(name).export(target, functions, tmp_path)
    for function in functions:
        program, arrays, right = right_values(name, function)
        outputs = RUNNERS[target](tmp_path, name, program, arrays)
        for a, b in zip(outputs, right, strict=True):
            assert np.allclose(a, b, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("real", ["double", "float"])
def test_the_c_self_test_passes_and_can_fail(real: str, tmp_path: Path) -> None:
    qddot.load("spatial_2r").export("c", ("inverse_dynamics",), tmp_path, real=real)
    source, program = tmp_path / "spatial_2r.c", tmp_path / "test"
    compile_c(source, program, "-DQDDOT_SELFTEST")
    done = subprocess.run([str(program)], capture_output=True, text=True, check=True)
    assert "all values are right" in done.stdout
    text = source.read_text()
    before, arithmetic = text.split("inverse_dynamics_rest(", 1)
    source.write_text(f"{before}inverse_dynamics_rest({arithmetic.replace(' + ', ' - ', 1)}")
    compile_c(source, program, "-DQDDOT_SELFTEST")
    assert subprocess.run([str(program)], capture_output=True, check=False).returncode == 1


def test_the_python_self_test_runs_and_its_functions_take_batches(tmp_path: Path) -> None:
    arm = qddot.load("elbow_3r")
    arm.export("python", ("inverse_dynamics", "forward_kinematics"), tmp_path)
    subprocess.run([sys.executable, str(tmp_path / "elbow_3r.py")], check=True, capture_output=True)
    module = runpy.run_path(str(tmp_path / "elbow_3r.py"))
    q, qd, qdd = np.random.default_rng(1).uniform(-1, 1, (3, 2, 4, 3))
    assert np.allclose(module["inverse_dynamics"](q, qd, qdd), arm.inverse_dynamics(q, qd, qdd), rtol=1e-12)
    assert np.allclose(module["forward_kinematics"](q), arm.forward_kinematics(q), rtol=1e-12)


def test_free_symbols_stay_arguments(tmp_path: Path) -> None:
    arm = qddot.load("one_link")
    (header, _) = arm.export("c", ("gravity",), tmp_path, free=["m"])
    assert "const double m[1]" in header.read_text()
    outputs = run_c(tmp_path, "one_link", arm.program("gravity", ["m"]), [np.zeros(1), np.array(3.0)])
    assert outputs[0] == pytest.approx([3 * 9.81])


HOSTILE = (
    "t7",
    "tau",
    "tau_",
    "np",
    "int",
    "double",
    "NAN",
    "fabs",
    "qdd_out",
    "i",
    "wrong",
    "linux",
    "_Bool",
    "__debug__",
)


@pytest.mark.parametrize("target", RUN)
def test_symbols_may_be_called_as_they_like(target: str, tmp_path: Path) -> None:
    """Names of the language, of the code's own values, and of other arguments."""
    lengths = [
        {"theta": f"q{k}", "d": d, "a": a, "alpha": 0}
        for k, (d, a) in enumerate(zip(HOSTILE[::2], HOSTILE[1::2], strict=True), 1)
    ]
    links = [{"mass": 1, "joint": {"damping": name}} for name in HOSTILE[::2]]
    arm = qddot.from_dh(lengths, links, symbols=dict.fromkeys(HOSTILE, 0.5), name="hostile")
    arm.export(target, ("forward_dynamics",), tmp_path, free=HOSTILE)
    program = arm.program("forward_dynamics", HOSTILE)
    arrays = [np.random.default_rng(0).uniform(0.5, 1, port.shape) for port in program.inputs]
    (accelerations,) = RUNNERS[target](tmp_path, "hostile", program, arrays)
    assert np.allclose(accelerations, compiled(program)(*arrays), rtol=1e-12)
    self_tested(target, tmp_path, "hostile")


ALIKE = (  # names that Python or a reader of Greek takes for one, or for a word; letters that no compiler knows
    *(
        "𝑡5",
        "t5",
        "µ",
        "μ",
        "mu",
        "u03BC",
        "𝒒",
        "𝑞",
        "ﬁ",
        "fi",
        "𝐝𝐞𝐟",
        "𝐧𝐩",
        "𝚒𝚗𝚝",
        "ℓ",
        "l",
        "θ1",
        "ϑ1",
        "theta1",
        "质量",
        "u8D28",
    ),
    *("质", "é", "x", "𝐱", "ª", "a", "ſ", "s", "Ⅷ", "ᵢ", "i", "tau", "τ", "𝛕", "L₁", "É", "𝑀", "G_out", "𝐆_𝐨𝐮𝐭"),
)


def alike(names: Sequence[str]) -> qddot.Robot:
    """An arm of one joint whose mass is the sum of all symbols, each with a weight of its own."""
    mass = " + ".join(f"{k}*{name}" for k, name in enumerate(names, 1))
    row = [{"theta": "angle", "d": 0, "a": 1, "alpha": 0}]
    return qddot.from_dh(row, [{"mass": mass}], symbols=dict.fromkeys(names, 0.5), gravity=[0, -9, 0], name="alike")


def gravity_of(names: Sequence[str], values: Sequence[float]) -> float:
    return 9 * sum(k * value for k, value in enumerate(values, 1))


@pytest.mark.parametrize("target", RUN)
def test_names_that_a_language_takes_for_one_stay_apart(target: str, tmp_path: Path) -> None:
    names = [name for name in ALIKE if name.isidentifier()]
    assert len(names) > 30
    values = np.random.default_rng(0).uniform(0.5, 2, len(names))
    arm = alike(names)
    arm.export(target, ["gravity"], tmp_path, free=names)
    program = arm.program("gravity", names)
    of = dict(zip(names, values, strict=True))
    arrays = [np.zeros(1), *(np.array(of[port.name]) for port in program.inputs[1:])]
    (torques,) = RUNNERS[target](tmp_path, "alike", program, arrays)
    assert torques == pytest.approx([gravity_of(names, values)], rel=1e-13)
    self_tested(target, tmp_path, "alike")


def writable(name: str) -> bool:
    try:
        check_names([name], ["angle"])
    except ModelError:
        return False
    return True


LETTERS = "tqmuμµ𝑡𝒒𝐦𝚞θϑ𝛉ſﬁℓ质ªᵢ₁_05𝟓"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(LETTERS, min_size=1, max_size=4).filter(writable), min_size=2, max_size=6, unique=True))
def test_python_computes_with_any_names(names: list[str]) -> None:
    arm, values = alike(names), [1.0 + k / 7 for k in range(len(names))]
    with TemporaryDirectory() as folder:
        (file,) = arm.export("python", ["gravity"], folder, free=names)
        function = runpy.run_path(str(file))["gravity"]
    assert function(np.zeros(1), *values) == pytest.approx([gravity_of(names, values)])


@given(st.lists(st.text(LETTERS, min_size=1, max_size=4).filter(writable), min_size=2, max_size=9, unique=True))
def test_identifiers_are_different_in_every_language(names: list[str]) -> None:
    """As each language compares them: C by its ASCII letters, Python after NFKC."""
    for spelled in (compatible, latin):
        identifiers = distinct(names, spelled, {"q", "mu"}.__contains__)
        assert len({unicodedata.normalize("NFKC", name) for name in identifiers}) == len(names)
        assert not {"q", "mu"} & set(identifiers)
        assert all(name.isidentifier() for name in identifiers)
        assert spelled is compatible or all(map(str.isascii, identifiers))


C_WORDS = re.findall(
    r"\w+",
    """
    _Bool _Complex _Imaginary _Alignas _Alignof _Atomic _Generic _Noreturn _Static_assert _Thread_local _BitInt
    _Decimal32 _Decimal64 _Decimal128 __func__ __int128 __float128 __asm__ __LINE__ __STDC__ _Complex_I bool typeof
    typeof_unqual constexpr nullptr thread_local restrict inline auto register volatile I complex imaginary M_PI M_E
    M_SQRT2 INFINITY NAN HUGE_VAL FP_NAN FLT_RADIX DBL_EPSILON INT_MAX INT64_MIN SIZE_MAX errno EOF stdin
    """,
)
HEADERS = ("complex", "errno", "float", "limits", "math", "stdbool", "stdint", "stdio", "stdnoreturn", "tgmath")


@pytest.mark.parametrize("standard", ["c99", "c11", "gnu17"])
def test_no_word_of_c_is_an_arguments_name(standard: str, tmp_path: Path) -> None:
    """Whatever headers stand before ours."""
    rows = [{"theta": f"q{k}", "d": 0, "a": name, "alpha": 0} for k, name in enumerate(C_WORDS[:4], 1)]
    links = [{"mass": 1, "joint": {"damping": name}} for name in C_WORDS[:4]]
    arm = qddot.from_dh(rows, links, symbols=dict.fromkeys(C_WORDS, 0.5), name="words")
    header, source = arm.export("c", ("gravity", "bias"), tmp_path, free=C_WORDS)
    header.write_text("".join(f"#include <{name}.h>\n" for name in HEADERS) + header.read_text())
    compile_c(source, tmp_path / "test", "-DQDDOT_SELFTEST", f"-std={standard}")
    subprocess.run([str(tmp_path / "test")], check=True, capture_output=True)


@pytest.mark.parametrize("target", RUN)
def test_names_end_no_comment(target: str, tmp_path: Path) -> None:
    wild = 'a*/ int x; /*""" *\\ int y; </script> \\'
    rows = [{"theta": "q1", "d": 0, "a": 1, "alpha": 0}]
    arm = qddot.from_dh(rows, [{"mass": "typeof", "name": wild}], symbols={"typeof": 1, "wild_gravity": 9}, name=wild)
    arm.export(target, ("gravity", "forward_kinematics"), tmp_path, name="wild", body=wild, free=["typeof"])
    self_tested(target, tmp_path, "wild")


def test_kinematics_of_any_body_and_wrenches(tmp_path: Path) -> None:
    arm = physical(qddot.load("elbow_3r"))
    (file,) = arm.export("python", ("jacobian", "inverse_dynamics"), tmp_path, body=1, frame="body", wrenches=True)
    assert "of body 1; body axes, linear before angular" in file.read_text()
    module = runpy.run_path(str(file))
    q, qd, qdd = np.random.default_rng(2).uniform(-1, 1, (3, 3))
    pushes = np.random.default_rng(3).uniform(-1, 1, (3, 6))
    assert np.allclose(module["jacobian"](q), arm.jacobian(q, 1, "body"), rtol=1e-12)
    assert np.allclose(module["inverse_dynamics"](q, qd, qdd, pushes), arm.inverse_dynamics(q, qd, qdd, pushes))


def test_every_file_says_where_it_comes_from(tmp_path: Path) -> None:
    arm = qddot.load("rp")
    for target in TARGETS:
        for path in arm.export(target, ("mass_matrix",), tmp_path):
            text = path.read_text()
            assert arm.model.hash in text
            assert qddot.__version__ in text


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"target": "fortran"}, f"target 'fortran'; expected {' or '.join(TARGETS)}"),
        ({"target": "c", "real": "half"}, "real 'half'"),
        ({"target": "c", "functions": ["gravty"]}, "did you mean 'gravity'"),
        ({"target": "c", "name": "a b"}, "expected a C identifier"),
        ({"target": "c", "folder": "/proc/nowhere"}, "cannot be written"),
        ({"target": "c", "body": 0}, "body= with inverse_dynamics"),
        ({"target": "c", "functions": ["gravity"], "wrenches": True}, "wrenches= with gravity"),
        ({"target": "python", "real": "float"}, "real 'float'; expected double"),
    ],
)
def test_wrong_exports_are_refused(arguments: dict[str, Any], says: str) -> None:
    with pytest.raises(qddot.QddotError, match=says):
        qddot.load("rp").export(**arguments)


def test_a_single_name_is_a_list_of_one_and_twice_is_once(tmp_path: Path) -> None:
    arm = qddot.load("two_link")
    arm.export("c", ["mass_matrix", "mass_matrix"], tmp_path, free=["m1", "m1"])
    compile_c(tmp_path / "two_link.c", tmp_path / "twice", "-DQDDOT_SELFTEST")
    arm.export("python", "gravity", tmp_path)
    assert "def gravity(q):" in (tmp_path / "two_link.py").read_text()
