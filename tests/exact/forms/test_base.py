"""There are as many base parameters as the regressor's rank, and they give the same torques."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from physical import close, physical, states
from refusals import refusal
from robots import orthogonal_robots
from shipped import LINKS, robot

import qddot
from qddot.base.errors import EvaluationError
from qddot.exact.forms.base import base_parameters
from qddot.machine.compilers import kernels
from qddot.physics.algorithms.regressor import regressor
from qddot.physics.mechanism import Mechanism


@pytest.fixture(autouse=True)
def in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Regressors run by NumPy: their columns are the same, whichever compiler they have."""
    monkeypatch.setattr(kernels, "compiler", kernels.blocks)


def rank(arm: qddot.Robot) -> int:
    """The rank of the compiled regressor, stacked over random motions."""
    Y = arm.regressor(*states(arm, 60)).reshape(-1, 10 * len(arm.model.bodies))
    return int(np.linalg.matrix_rank(Y / np.abs(Y).max(), tol=1e-9 * len(Y) ** 0.5))


def everything(arm: qddot.Robot) -> np.ndarray:
    """The values of all inertial parameters, ten for each body."""
    values = arm.model.defaults()
    inertias = [body.inertia.map(lambda x: x.value(values) if hasattr(x, "value") else x) for body in arm.model.bodies]
    return np.array([[b.m, *b.h, *b.I] for b in inertias], dtype=float).ravel()


@pytest.mark.parametrize(
    ("name", "count"),
    # Khalil & Dombre 2002, §9.4: 36 for a 6R arm like the PUMA; 43 for the Panda (Gaz et al., IEEE RA-L 4, 2019)
    [("puma560", 36), ("puma560_akb", 36), ("panda", 43), ("planar_2r", 6), ("slider", 1), ("rp", 6), ("elbow_3r", 15)],
)
def test_the_known_counts(name: str, count: int) -> None:
    assert len(qddot.load(name).base_parameters()) == count


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in LINKS if name != "puma560"])  # of the shape of puma560_akb
def test_the_zoos_torques_come_from_the_base_parameters(name: str) -> None:
    arm = physical(robot(name))
    arm = arm.with_values(**{k: 0 for k in ("k1", "k2") if k in arm.model.symbols})  # springs are none of these
    parameters = arm.base_parameters(armature=True, friction=True)
    plain = arm.base_parameters()
    assert len(plain) == rank(arm)
    q, qd, qdd = states(arm, 40)
    bodies = 10 * len(arm.model.bodies)
    Y = np.zeros((40, arm.n, len(parameters.names)))
    Y[:, :, :bodies] = arm.regressor(q, qd, qdd)
    for i, name in enumerate(arm.model.coordinates):
        for prefix, column in (("Ia", qdd), ("Fv", qd), ("Fc", np.sign(qd))):
            Y[:, i, parameters.names.index(f"{prefix}_{name}")] = column[:, i]
    close(Y[:, :, parameters.columns] @ parameters.values(), arm.inverse_dynamics(q, qd, qdd), 1e-11)


@pytest.mark.slow
@given(orthogonal_robots(), st.integers(0, 100))
@settings(max_examples=8)
def test_random_trees(arm: qddot.Robot, seed: int) -> None:
    arm = physical(arm, seed)
    parameters = arm.base_parameters()
    assert len(parameters) == rank(arm)
    q, qd, qdd = states(arm, 20)
    Y = arm.regressor(q, qd, qdd)
    close(Y[..., list(parameters.columns)] @ parameters.values(), Y @ everything(arm), 1e-10)


@given(orthogonal_robots())
@settings(max_examples=12)
def test_every_relation_is_exact(arm: qddot.Robot) -> None:
    """Each column that went is the sum of its shares in those that stayed, as polynomials."""
    parameters = base_parameters(arm.model)
    Y = regressor(Mechanism.of(arm.model, parameters.ring))
    zero = parameters.ring.zero
    went = set(range(len(parameters.names))) - set(parameters.columns)
    for row in Y:
        for k in went:
            total, product = zero + row[k], parameters.ring.convert(1)
            for each in parameters:
                for share in each.shares:
                    if share.parameter == k:
                        total = total * share.denominator - product * share.numerator * row[each.parameter]
                        product = product * share.denominator
            assert total == 0
    assert parameters.regressor.shape == (arm.n, len(parameters))


def test_what_matters_how() -> None:
    parameters = qddot.load("two_link").base_parameters()
    assert parameters.formulas["mx1"] == "mx1 + l*(m1 + m2)"  # about frames at the links' far ends
    assert parameters.formulas["Izz2"] == "Izz2 - l**2*m2"
    assert "Ixx1" in parameters.unidentifiable
    assert parameters.identifiable == ["my1", "my2"]
    assert parameters.combined == ["m1", "mx1", "Izz1", "m2", "mx2", "Izz2"]
    assert str(parameters).startswith("6 base parameters of 20\n")
    assert [name for name in parameters.names if name in parameters.formulas] == list(parameters.formulas)
    rotors = qddot.load("two_link").base_parameters(armature=True)
    assert len(rotors) == 7
    assert "Ia_q1" in rotors.combined
    assert rotors.regressor.shape == (2, 7)


def test_values_need_numbers() -> None:
    with refusal(EvaluationError, "value-missing", "Ixx1"):
        qddot.load("puma560").base_parameters().values()
