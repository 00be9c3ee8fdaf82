"""Arms that ship on free bases: proved, with laws that the literature prints, drawn, and told in both languages."""

from __future__ import annotations

import re
from fractions import Fraction

import numpy as np
import pytest
from shipped import FREE, robot

import qddot
from qddot.formats.finding import load
from qddot.robot.own_texts import in_language

PROVED = ("quadrotor_arm", "satellite_arm", "solo12")  # the humanoid is verified modulo primes in bench/mechanisms.py


@pytest.mark.parametrize("name", PROVED)
def test_its_equations_are_proved(name: str) -> None:
    certificate = robot(name).prove(["newton_euler"] if name == "solo12" else None)
    assert certificate
    assert not certificate.primes


def test_a_satellite_whose_arm_weighs_nothing_is_a_gyrostat() -> None:
    """J ω̇ + Jw φ̈ + ω × (J ω + Jw φ̇) = τ. Source: Hughes, Spacecraft Attitude Dynamics, 1986, §6.1."""
    text = robot("satellite_arm").to_toml()
    for weight in ('mass = "m1"', 'mass = "m2"', 'yy = "I1"', 'zz = "I1"', 'yy = "I2"', 'zz = "I2"'):
        assert weight in text
        text = text.replace(weight, f"{weight.split()[0]} = 0")
    gyrostat = qddot.loads(text)
    whole = {axis: f"(J{axis} + Jw + 2*Jt)" for axis in "xyz"}
    for k, (a, b, c) in enumerate((("x", "y", "z"), ("y", "z", "x"), ("z", "x", "y"))):
        i, j, m = ("xyz".index(axis) + 1 for axis in (a, b, c))
        assert gyrostat.check(
            f"tau{4 + k} = {whole[a]}*omega_{a}d + Jw*phidd{i} + ({whole[c]} - {whole[b]})*omega_{b}*omega_{c}"
            f" + Jw*(omega_{b}*phid{m} - omega_{c}*phid{j})"
        )


def test_the_momentum_of_a_wheel_is_that_of_its_own_turn_and_the_satellites() -> None:
    M = robot("satellite_arm").equations().M
    for k in range(3):
        assert str(M[8 + k, 3 + k]).endswith("Jw") and str(M[8 + k, 8 + k]).endswith("Jw")
        assert not any(M[8 + k, j] for j in range(8) if j != 3 + k)


def test_a_quadrotor_bears_the_weight_of_its_arm() -> None:
    arm = robot("quadrotor_arm")
    hover = arm.gravity(arm.integrate(arm.neutral(), [1, 2, 3, 0, 0, 0, 0.3, -0.4]))
    weight = 9.81 * (2 + 0.2 + 0.15)
    s1, s12 = np.sin(0.3), np.sin(0.3 - 0.4)
    turning = 9.81 * (0.2 * 0.12 * s1 + 0.15 * (0.25 * s1 + 0.1 * s12))
    np.testing.assert_allclose(hover[:3], [0, 0, weight], atol=1e-12)
    np.testing.assert_allclose(hover[[4, 6]], [turning, turning], atol=1e-12)


@pytest.mark.parametrize("name", FREE)
def test_its_file_says_where_it_is_from_and_its_picture_is_drawn(name: str) -> None:
    model = load(name)
    (first,) = (body for body in model.bodies if body.joint.parent == "base")
    assert first.joint.type == "free" and model.freedoms[0].positions == model.positions[:7]
    assert model.source and ("BSD" in model.source) == (name in ("solo12", "simple_humanoid"))
    texts = [model.title, *(each.meaning for each in model.symbols.values())]
    assert all(re.search("[\\u4e00-\\u9fff]", in_language(text, "zh")) for text in texts)
    if name != "simple_humanoid":  # which takes ten times as long
        moved = robot(name).neutral()
        moved[0] = 0.5
        assert any("$p_{x}$" in text.get_text() for text in robot(name).plot(moved).texts)


def test_robots_in_numbers_have_the_mass_of_their_makers_data() -> None:
    masses = {name: sum(float(Fraction(str(body.inertia.m))) for body in load(name).bodies) for name in FREE[2:]}
    assert masses == {"simple_humanoid": pytest.approx(130.8), "solo12": pytest.approx(2.5, abs=0.05)}
