"""Expressions are read as people write them; each one here is a polynomial in the arm's own variables."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from refusals import refusal
from shipped import robot

import qddot
from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.base.errors import ExpressionError
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.reading.answer import Answer, Entry
from qddot.teach.check.reading.read_answer import read_parts, read_text

HALF = Fraction(1, 2)


@cache
def equations(arm: str = "planar_2r") -> Quantities:
    return robot(arm).equations().quantities


@cache
def variables(arm: str) -> SimpleNamespace:
    """The variables of an arm by short names: m1, c1, s12, q̇ as r1, q̈ as a1."""
    ring = equations(arm).ring
    v = SimpleNamespace(**{name: ring.symbol(name) for name in ring.symbols})
    for k, name in enumerate(ring.coordinates, 1):
        if name in ring.turning.coordinates:
            pair = ring.cos_sin(name)
            vars(v).update({f"c{k}": pair[0], f"s{k}": pair[1]})
        else:
            setattr(v, f"q{k}", ring.coordinate(name))
        vars(v).update({f"r{k}": ring.rate(name), f"a{k}": ring.acceleration(name)})
    if hasattr(v, "c1") and hasattr(v, "c2"):
        v.c12, v.s12 = v.c1 * v.c2 - v.s1 * v.s2, v.s1 * v.c2 + v.c1 * v.s2
    return v


def entry_of(text: str, arm: str = "planar_2r", rename: dict[str, str] | None = None) -> Entry:
    """The kinetic energy takes any expression."""
    return read_text(f"K = {text}", equations(arm), rename).entries["K"][0]


def value_of(text: str, arm: str = "planar_2r", rename: dict[str, str] | None = None) -> Polynomial:
    entry = entry_of(text, arm, rename)
    assert entry.denominator == 1
    return entry.numerator


Expected = Callable[[Any], Any]

NOTATIONS: list[tuple[str, Expected]] = [
    # Python and SymPy
    ("m2*l1**2*cos(q1+q2)", lambda v: v.m2 * v.l1**2 * v.c12),
    ("-m1*-2", lambda v: 2 * v.m1),
    ("np.cos(q1)*math.sin(q2)", lambda v: v.c1 * v.s2),
    ("1.5e-3*m1", lambda v: Fraction(3, 2000) * v.m1),
    ("m1/2/2", lambda v: v.m1 / 4),
    ("(m1 + m2)**2", lambda v: (v.m1 + v.m2) * (v.m1 + v.m2)),
    ("qd[0]*qd[1]", lambda v: v.r1 * v.r2),
    ("cos(q1(t))*Derivative(q2(t), t)", lambda v: v.c1 * v.r2),
    ("Derivative(q1(t), (t, 2)) + diff(q2, t, t)", lambda v: v.a1 + v.a2),
    # MATLAB
    ("m2.*l1.^2.*cos(q1+q2)./2", lambda v: v.m2 * v.l1**2 * v.c12 / 2),
    ("m1*cos(q(2))*qd(1)^2", lambda v: v.m1 * v.c2 * v.r1**2),
    ("m1 + ...\n m2", lambda v: v.m1 + v.m2),
    # LaTeX
    (r"\frac{1}{2} m_2 l_1^2 \dot\theta_1^2 \cos(\theta_1+\theta_2)", lambda v: v.m2 * v.l1**2 * v.r1**2 * v.c12 / 2),
    (r"\tfrac12 m_{1} + \dfrac{m_2}{2}", lambda v: v.m1 / 2 + v.m2 / 2),
    (r"\left( m_1 + m_2 \right) \bigl( l_1 - l_2 \bigr)", lambda v: (v.m1 + v.m2) * (v.l1 - v.l2)),
    (r"\left[ m_1 + m_2 \right] l_1", lambda v: (v.m1 + v.m2) * v.l1),
    (r"m_1 c_{12} s_2", lambda v: v.m1 * v.c12 * v.s2),
    (r"\cos^2\theta_2", lambda v: v.c2**2),
    (r"\cos^{2}\theta_2\sin\theta_1", lambda v: v.c2**2 * v.s1),
    (r"\cos 2\theta_2", lambda v: 2 * v.c2**2 - 1),
    (r"\sin\theta_1\cos\theta_2", lambda v: v.s1 * v.c2),
    (r"\sin \left ( 2\theta _{2}\right )", lambda v: 2 * v.s2 * v.c2),
    (r"m_1\cdot m_2 \times l_1\,l_2 \quad g", lambda v: v.m1 * v.m2 * v.l1 * v.l2 * v.g),
    (r"\mathrm{m}_1 \mathbf{g}", lambda v: v.m1 * v.g),
    (r"\ddot q_1 + \ddot{q}_{2} + \ddot{\theta_1}", lambda v: 2 * v.a1 + v.a2),
    (r"\dot{\theta}_{1}^{2} \dot\theta_2", lambda v: v.r1**2 * v.r2),
    (r"m_2gl_1 + m_1l_1^2s_2", lambda v: v.m2 * v.g * v.l1 + v.m1 * v.l1**2 * v.s2),
    (r"{} m_1 {}", lambda v: v.m1),
    (r"l^2_1", lambda v: v.l1**2),
    (r"C\theta_1 \cdot S\theta_2", lambda v: v.c1 * v.s2),
    (r"\ell_1 \cos{q_{1}}", lambda v: v.l1 * v.c1),
    (r"m_1 \cos\frac{2\theta_1}{2}", lambda v: v.m1 * v.c1),
    # Unicode
    ("½ θ̇₁² m₂ cos(θ₁+θ₂)", lambda v: v.m2 * v.r1**2 * v.c12 / 2),
    ("½m₂l₁²", lambda v: v.m2 * v.l1**2 / 2),
    ("m₁·m₂×l₁ − l₂", lambda v: v.m1 * v.m2 * v.l1 - v.l2),
    ("θ̈₁ + q̈₂ + q̇₁θ̇₂", lambda v: v.a1 + v.a2 + v.r1 * v.r2),
    ("m₁ sin θ₁ cosθ₂", lambda v: v.m1 * v.s1 * v.c2),
    ("m₂⁻¹ m₂", lambda v: 1),
    # implicit products
    ("2 m_2 l1", lambda v: 2 * v.m2 * v.l1),
    ("m2 l1 l2 c2", lambda v: v.m2 * v.l1 * v.l2 * v.c2),
    ("(m1+m2)(l1+l2)", lambda v: (v.m1 + v.m2) * (v.l1 + v.l2)),
    ("1/2 m1 l1", lambda v: v.m1 * v.l1 / 2),
    ("2m1(l1 + l2)c1", lambda v: 2 * v.m1 * (v.l1 + v.l2) * v.c1),
    # angles
    ("cos(q1 + 90deg)", lambda v: -v.s1),
    ("cos(q1 + 90°)", lambda v: -v.s1),
    (r"\sin(\theta_1 - \pi/2)", lambda v: -v.c1),
    (r"\cos(\theta_1 + 90^\circ) + \cos(180^{\circ})", lambda v: -v.s1 - 1),
    ("cos(2*(q1 - q2) + 2*q2)", lambda v: 2 * v.c1**2 - 1),
    ("sin(3*q1)", lambda v: 3 * v.s1 - 4 * v.s1 * (1 - v.c1**2)),
    ("sqrt(9/4)*m1", lambda v: 3 * v.m1 / 2),
    # products of cosines of the same angles, as in 1986
    ("SC2 + CC12 + SS1", lambda v: v.s2 * v.c2 + v.c12 * v.c12 + 1 - v.c1**2),
    ("C122 + s11", lambda v: v.c12 * v.c2 - v.s12 * v.s2 + 2 * v.s1 * v.c1),
]


@pytest.mark.parametrize(("text", "expected"), NOTATIONS, ids=[text for text, _ in NOTATIONS])
def test_a_notation(text: str, expected: Expected) -> None:
    assert value_of(text) == expected(variables("planar_2r"))


RATES = "dq1 qd1 q1d q1dot q1_dot qdot1 q_dot_1 dtheta1 thetad1 theta1dot theta1_dot dth1 dθ1 θ̇1 \\dot{q}_1 qd(1)"
ACCELERATIONS = "ddq1 qdd1 q1dd q1ddot q1_ddot qddot1 ddtheta1 thetadd1 ddth1 θ̈1 \\ddot{\\theta}_{1} qdd(1)"


@pytest.mark.parametrize("name", RATES.split())
def test_the_names_of_a_rate(name: str) -> None:
    assert value_of(name) == variables("planar_2r").r1


@pytest.mark.parametrize("name", ACCELERATIONS.split())
def test_the_names_of_an_acceleration(name: str) -> None:
    assert value_of(name) == variables("planar_2r").a1


@pytest.mark.parametrize("name", ["c2", "c_2", "C2", "c_{2}", "C_{2}", "cos(th2)", "cos θ₂", "c_theta2", "cosq2", "c₂"])
def test_the_names_of_a_cosine(name: str) -> None:
    assert value_of(name) == variables("planar_2r").c2


@pytest.mark.parametrize("name", ["I_{1zz}", "I_1zz", "Izz1", "I_{zz1}", "I_{zz,1}", "I_zz1", "izz_1"])
def test_the_names_of_an_inertia(name: str) -> None:
    """The arm calls it I1zz; what differs in more than a low index is told."""
    answer = read_text(f"K = {name}", equations())
    assert answer.entries["K"][0].numerator == variables("planar_2r").I1zz
    assert bool(answer.guesses) == (name != "I_{1zz}")


def test_guesses_are_told() -> None:
    answer = read_text("D_12 = I2zz + m_2*(L2**2/4 + l1*L_2*c2/2)", equations())
    assert answer.entries["M"][0].numerator == equations().M[0, 1].entries[0]
    assert answer.guesses == (
        "m_2 is read as m2",
        "L2 is read as l2, which differs in case, underscores or the order of its indices",
        "L_2 is read as l2, which differs in case, underscores or the order of its indices",
        "D_ij is read as the mass matrix M",
    )


def test_nothing_is_guessed_where_the_arm_has_the_names() -> None:
    assert read_text("M12 = I2zz + m2*(l2**2/4 + l1*l2*cos(theta2)/2)", equations()).guesses == ()


def test_a_sliding_joint_stands_outside_of_cosines() -> None:
    v = variables("rp")
    assert value_of("m2*d2**2 + m2*q2*dd2 + m1 c1", "rp") == v.m2 * v.q2**2 + v.m2 * v.q2 * v.r2 + v.m1 * v.c1


def test_the_only_joint_needs_no_number() -> None:
    v = variables("one_link")
    assert value_of(r"m l^2 \ddot\theta + m g l \cos\theta + q1dot", "one_link") == v.m * v.l**2 * v.a1 + (
        v.m * v.g * v.l * v.c1 + v.r1
    )


def test_coordinates_have_their_own_names() -> None:
    v = variables("spherical_pendulum")
    text = "m*sin(theta)**2*dphi**2 + m*φ̇*thetad + m*s_θ"
    assert value_of(text, "spherical_pendulum") == v.m * v.s1**2 * v.r2**2 + v.m * v.r2 * v.r1 + v.m * v.s1


def test_an_angle_outside_of_a_cosine_widens_the_ring() -> None:
    answer = read_text("P = m1*g*l1*q1 + pi*cos(20deg) + sqrt(2)", equations())
    keys = answer.entries["P"][0].numerator.variables()
    assert {"q(q1)", "pi", "cos(20deg)", "sqrt(2)"} <= set(keys)
    assert set(equations().ring.index) <= set(answer.ring.index)


def test_the_ring_is_the_arms_own_where_it_suffices() -> None:
    assert read_text("M12 = m1*cos(q1 + 45deg)*0 + m2*cos(q1)", equations()).ring is not equations().ring
    assert read_text("M12 = m2*cos(q1 + q2)", equations()).ring is equations().ring


def test_a_denominator_is_kept() -> None:
    v = variables("planar_2r")
    entry = entry_of("m1*m2/(m1 + m2) + l1")
    assert entry.denominator == v.m1 + v.m2
    assert entry.numerator == v.m1 * v.m2 + v.l1 * (v.m1 + v.m2)


def test_what_can_be_cancelled_is() -> None:
    v = variables("planar_2r")
    assert value_of("(m1**2 - m2**2)/(m1 + m2)") == v.m1 - v.m2
    assert value_of("m1^{-2} m1^3") == v.m1
    assert value_of("1/(2*m1) - m1^(-1)/2") == 0


RENAMED = [
    ("I2 + m2*lc2**2", {"I2": "I2zz", "lc2": "l2/2"}, lambda v: v.I2zz + v.m2 * v.l2**2 / 4),
    (r"I_2 + m_2 l_{c2}^2", {"I_2": "I2zz", "l_c2": "l2/2"}, lambda v: v.I2zz + v.m2 * v.l2**2 / 4),
    ("a*L", {"a": "m1 + m2", "L": "l1"}, lambda v: (v.m1 + v.m2) * v.l1),
    ("l1*l2**2", {"l1": "l2", "l2": "l1"}, lambda v: v.l2 * v.l1**2),
    ("cos(alpha)", {"alpha": "q1 + q2"}, lambda v: v.c12),
]


@pytest.mark.parametrize(("text", "rename", "expected"), RENAMED)
def test_own_names(text: str, rename: dict[str, str], expected: Expected) -> None:
    assert value_of(text, rename=rename) == expected(variables("planar_2r"))


def test_a_name_that_is_a_cosine_and_a_symbol_is_decided_by_rename(tmp_path: Path) -> None:
    file = tmp_path / "damped.toml"
    zoo = Path(qddot.__file__).parent / "robot" / "zoo" / "one_link.toml"
    file.write_text(zoo.read_text(encoding="utf-8").replace("[symbols]", "[symbols]\nc1 = 0.1", 1), encoding="utf-8")
    eq = qddot.load(file).equations().quantities
    with refusal(ExpressionError, "name-ambiguous", "c1") as error:
        read_text("K = m + c1", eq)
    assert error.value.where == "line 1, column 9"
    assert read_text("K = c1", eq, {"c1": "c1"}).entries["K"][0].numerator == eq.ring.symbol("c1")
    assert read_text("K = c1", eq, {"c1": "cos(q1)"}).entries["K"][0].numerator == eq.ring.cos_sin("q1")[0]


def test_definitions_of_the_answer_are_used() -> None:
    """In any order, in other definitions, and as angles."""
    v = variables("planar_2r")
    text = "K = a*cos(q12)\na = b*l1\nb = m1 + m2\nq12 = q1 + q2"
    assert read_text(text, equations()).entries["K"][0].numerator == (v.m1 + v.m2) * v.l1 * v.c12


def parts(eq: Quantities, value: Any, name: str = "M") -> list[Polynomial]:
    answer: Answer = read_parts({name: value}, eq)
    return [entry.numerator for entry in answer.entries[name]]


MATRICES = [
    [["m1", "m2*c2"], ["0", "g"]],
    "[m1 m2*c2; 0 g]",
    "[m1, m2*c2; 0, g]",
    "[m1 m2*c2\n 0 g]",
    "[m1, m2 c2; 0, g]",
    "Matrix([[m1, m2*c2], [0, g]])",
    "sp.Matrix([[m1, m2*c2],\n [0, g]])",
    "np.array([[m1, m2*c2], [0, g]])",
    r"\begin{bmatrix} m_1 & m_2 c_2 \\ 0 & g \end{bmatrix}",
    r"\begin {pmatrix}[1.3] m_1 & m_2\cos \theta _2\\ 0 & g \end {pmatrix}",
    r"\left[\begin{array}{cc} m_1 & m_2 c_2 \\ 0 & g \end{array}\right]",
    "[m1, 0; m2*c2, g]'",
    r"\begin{bmatrix} m_1 & 0 \\ m_2 c_2 & g \end{bmatrix}^T",
    "[m1 0; 0 0] + [0 m2*c2; 0 g]",
    "diag(m1, g) + [0, m2*c2; 0, 0]",
    "[1 0; 0 1]*[m1 m2*c2; 0 g]",
    "2*[m1/2 m2*c2/2; 0 g/2]",
]


@pytest.mark.parametrize("value", MATRICES, ids=str)
def test_a_matrix(value: Any) -> None:
    v = variables("planar_2r")
    assert parts(equations(), value) == [v.m1, v.m2 * v.c2, 0, v.g]


@pytest.mark.parametrize("value", [["m1", "-m2 c2"], "[m1; -m2*c2]", "[m1 -m2*c2]", "[m1, -m2 c2]'", "[m1; -m2 c2]"])
def test_a_vector_may_be_a_row_or_a_column(value: Any) -> None:
    v = variables("planar_2r")
    assert parts(equations(), value, "G") == [v.m1, -v.m2 * v.c2]


def test_numbers_are_entries() -> None:
    assert parts(equations(), [[1, 0.5], [Fraction(1, 3), "0"]]) == [1, HALF, Fraction(1, 3), 0]


def test_a_symbol_called_c_is_no_cosine() -> None:
    """c stands for the cosine of the only angle where nothing else has that name."""
    link = {"mass": "m", "com": [0, 0, 0]}
    own = qddot.from_dh([{"theta": "q1", "d": 0, "a": "c", "alpha": 0}], [link], symbols="m c g", gravity=[0, "-g", 0])
    assert own.check("G1 = m*g*c*cos(q1)")
    assert qddot.load("one_link").check("G1 = m*g*l*c")
