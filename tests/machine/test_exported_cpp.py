"""Exported C++: a header over the exported C takes arrays of any kind, refuses wrong ones, and knows the joints."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from compiling import compile_cpp
from physical import physical
from tools import EIGEN, uses

import qddot

HEAD = '#include <cstdio>\n#include <vector>\n#include "{0}.hpp"\nnamespace arm = qddot::{0};\nint main() {{\n'
COMPILERS = ["g++", "clang++"]
STATE = "const double q[] = {0.3, 1.2, -0.4}; const double qd[] = {0.1, -0.2, 0.3}; "


def built(folder: Path, name: str, body: str, *flags: str, before: str = "", compiler: str = "g++") -> str:
    """Compiles a program, runs it, and returns what it prints."""
    (folder / "main.cpp").write_text(before + HEAD.format(name) + body + "\n}\n", encoding="utf-8")
    program = compile_cpp(folder / "main.cpp", folder / f"{name}.c", folder / "main", *flags, compiler=compiler)
    return subprocess.run([str(program)], check=True, capture_output=True, text=True).stdout


@uses("g++")
@pytest.mark.parametrize("compiler", COMPILERS)
def test_arrays_of_every_kind_are_taken(compiler: str, tmp_path: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    arm = physical(qddot.load("elbow_3r"))
    arm.export("cpp", ["inverse_dynamics", "inverse_dynamics_derivatives", "kinetic_energy", "skeleton"], tmp_path)
    body = (
        STATE
        + """
    const std::vector<double> rates(qd, qd + 3);
    const std::array<double, 3> accelerations{1, 0, -1};
    for (double x : arm::inverse_dynamics(q, rates, accelerations)) std::printf("%.17g ", x);
    for (double x : arm::inverse_dynamics({0.3, 1.2, -0.4}, {0.1, -0.2, 0.3}, {1, 0, -1})) std::printf("%.17g ", x);
    const auto [by_q, by_qd, M] = arm::inverse_dynamics_derivatives(q, qd, accelerations);
    for (int i = 0; i < 3; i++) std::printf("%.17g %.17g %.17g ", by_q(i, 1), by_qd(0, i), M(i, i));
    std::printf("%.17g %.17g", arm::kinetic_energy(q, qd), arm::skeleton(q).bodies(2, 3, 0));"""
    )
    found = np.fromstring(built(tmp_path, "elbow_3r", body, "-O2", compiler=compiler), sep=" ")
    state, qdd = ([0.3, 1.2, -0.4], [0.1, -0.2, 0.3]), [1, 0, -1]
    tau, (by_q, by_qd, M) = arm.inverse_dynamics(*state, qdd), arm.inverse_dynamics_derivatives(*state, qdd)
    right = [*tau, *tau, *np.stack([by_q[:, 1], by_qd[0], np.diag(M)], axis=1).ravel(), arm.kinetic_energy(*state)]
    np.testing.assert_allclose(found, [*right, arm.forward_kinematics(state[0], 2)[0, 3]], rtol=1e-12, atol=1e-13)


@uses("g++")
def test_a_wrong_size_is_refused(tmp_path: Path) -> None:
    qddot.load("elbow_3r").export("cpp", ["gravity"], tmp_path)
    for wrong in ("std::array<double, 2>{}", "std::array<float, 3>{}", "(const double[]){1, 2}"):
        with pytest.raises(AssertionError, match=r"another size|convert|match"):
            built(tmp_path, "elbow_3r", f"return arm::gravity({wrong})[0] > 0;")
    said = "catch (const std::length_error &error) { std::puts(error.what()); }"
    for wrong in ("std::vector<double>(4)", "{1, 2, 3, 4}"):
        body = f"try {{ return arm::gravity({wrong})[0] > 0; }} {said}"
        assert built(tmp_path, "elbow_3r", body) == "qddot: 4 numbers instead of 3\n"
    built(tmp_path, "elbow_3r", "return arm::gravity({1, 2, 3})[0] > 1e9;", "-fno-exceptions", "-fno-rtti")


@uses("g++")
def test_the_compiler_knows_the_joints(tmp_path: Path) -> None:
    qddot.load("ur5").export("cpp", ["gravity"], tmp_path)
    qddot.load_closed_chain("five_bar").export("cpp", ["closure", "velocities"], tmp_path)
    body = """
    static_assert(arm::joint_positions.size() == 6 && arm::joint_positions[2].joint == "elbow_joint");
    static_assert(arm::joint_positions[2].unit == "rad" && arm::joint_positions[2].upper > 3.14159);
    static_assert(arm::joint_velocities[0].torque_unit == "N m" && arm::joint_velocities[0].effort == qddot::unlimited);
    static_assert(qddot::five_bar::independent[1] == 2 && !qddot::five_bar::joint_velocities[1].driven);"""
    built(tmp_path, "ur5", body, before='#include "five_bar.hpp"\n')


@uses("g++")
def test_symbols_and_the_precision_of_floats(tmp_path: Path) -> None:
    arm = qddot.load("two_link")
    arm.export("cpp", ["gravity"], tmp_path, real="float", free=["m2"])
    body = 'for (float x : arm::gravity({0.3f, 1.2f}, 2.5f)) std::printf("%.9g ", static_cast<double>(x));'
    found = np.fromstring(built(tmp_path, "two_link", body), sep=" ")
    np.testing.assert_allclose(found, arm.gravity([0.3, 1.2], m2=2.5), rtol=1e-5)


@uses("g++")
def test_names_of_the_language_are_no_obstacle(tmp_path: Path) -> None:
    words = ("template", "View", "Array", "std", "real", "results", "map", "qddot", "namespace", "unlimited")
    rows = [{"theta": "q1", "d": 0, "a": "+".join(words), "alpha": 0}]
    wild = 'θ */ " \\ ?'
    links = [{"mass": 1, "name": wild, "joint": {"name": wild}}]
    arm = qddot.from_dh(rows, links, symbols=dict.fromkeys(words, 0.1), gravity=[0, -9, 0], name="int")
    arm.export("cpp", ["gravity"], tmp_path, free=words)
    given = ", ".join(["{0}", *["0.1"] * len(words)])
    call = f'std::printf("%.12g", qddot::int_::gravity({given})[0]);'
    (tmp_path / "main.cpp").write_text(f'#include <cstdio>\n#include "int.hpp"\nint main() {{ {call} }}\n')
    program = compile_cpp(tmp_path / "main.cpp", tmp_path / "int.c", tmp_path / "main")
    assert float(subprocess.run([program], check=True, capture_output=True, text=True).stdout) == pytest.approx(9)


EIGENS = """
    const Eigen::Vector3d q(0.3, 1.2, -0.4);
    const Eigen::VectorXd zero = Eigen::VectorXd::Zero(3);
    Eigen::Matrix<double, 3, 6, Eigen::RowMajor> pushes = Eigen::Matrix<double, 3, 6, Eigen::RowMajor>::Zero();
    pushes(2, 1) = 4;
    const auto tau = arm::inverse_dynamics(q, zero.head<3>(), zero, pushes);
    auto M = arm::mass_matrix(q);
    const auto J = arm::jacobian(q);
    const Eigen::Vector3d x = qddot::map(M).ldlt().solve(qddot::map(tau));
    const Eigen::Matrix<double, 6, 1> v = qddot::map(J) * q;
    qddot::map(M).setIdentity();
    for (int i = 0; i < 3; i++) std::printf("%.17g %.17g %.17g ", x[i], v[i], M(i, 0));"""


@uses("eigen")
def test_eigens_vectors_and_matrices(tmp_path: Path) -> None:
    arm = physical(qddot.load("elbow_3r"))
    arm.export("cpp", ["inverse_dynamics", "mass_matrix", "jacobian"], tmp_path, wrenches=True)
    include, flags = "#include <Eigen/Dense>\n", ["-isystem", str(EIGEN)]
    found = np.fromstring(built(tmp_path, "elbow_3r", EIGENS, *flags, before=include), sep=" ").reshape(3, 3)
    q, pushes = np.array([0.3, 1.2, -0.4]), np.zeros((3, 6))
    pushes[2, 1] = 4
    tau = arm.inverse_dynamics(q, 0 * q, 0 * q, pushes)
    np.testing.assert_allclose(found[:, 0], np.linalg.solve(arm.mass_matrix(q), tau), rtol=1e-9)
    np.testing.assert_allclose(found[:, 1], (arm.jacobian(q) @ q)[:3], rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(found[:, 2], [1, 0, 0])
    for wrong in (
        "arm::mass_matrix(Eigen::Matrix3d().row(0))",  # entries that lie three apart
        "arm::mass_matrix(Eigen::Vector2d())",
        "arm::inverse_dynamics(q, q, q, Eigen::Matrix<double, 3, 6>())",  # by columns
        "qddot::map(arm::mass_matrix(q))",  # of what is gone afterwards
    ):
        with pytest.raises(AssertionError, match=r"one after the other|another size|deleted"):
            built(tmp_path, "elbow_3r", f"Eigen::Vector3d q; (void){wrong};", *flags, before=include)


@uses("eigen")
def test_one_joint_and_eigen_that_is_included_late(tmp_path: Path) -> None:
    """A matrix of one row and one column has two orders for Eigen."""
    for name in ("one_link", "two_link"):
        qddot.load(name).export("cpp", ["mass_matrix", "jacobian"], tmp_path)
    body = """
    const auto M = arm::mass_matrix({0.0});
    const auto J = arm::jacobian({0.0});
    std::printf("%ld %ld %d", long(qddot::map(M).size()), long(qddot::map(J).rows()), M(0, 0) > 0);"""
    before = '#include "two_link.hpp"\n#include <Eigen/Core>\n'
    assert built(tmp_path, "one_link", body, "-isystem", str(EIGEN), before=before) == "1 6 1"
