"""Products of links' 4×4 matrices, Q_k, T_i^j, U_ij and J_i, are computed with the exact matrices and judged."""

from __future__ import annotations

import pytest
from refusals import refusal

import qddot
from qddot.base.errors import ExpressionError
from qddot.faces.robot import Robot

PUMA = """
convention = "dh"
gravity = ["gx", "gy", "gz"]
symbols = "a2 a3 d2 gx gy gz"
parameters = "symbols"
link = [
  { dh = { theta = "q1", d = 0, a = 0, alpha = "-90deg" } },
  { dh = { theta = "q2", d = "d2", a = "a2", alpha = 0 } },
  { dh = { theta = "q3", d = 0, a = "a3", alpha = "90deg" } },
]
"""
TABLE = r"""
$$Q_i = \begin{bmatrix} 0 & -1 & 0 & 0 \\ 1 & 0 & 0 & 0 \\ 0 & 0 & 0 & 0 \\ 0 & 0 & 0 & 0 \end{bmatrix}$$

"""


@pytest.fixture(scope="module")
def puma() -> Robot:
    return qddot.loads(PUMA).with_notation("uicker")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (r"$$U_{212} = U_{221} = Q_1 T_1^0 Q_2 T_2^1$$", r"$$U_{212} = U_{221} = T_1^0 Q_1 Q_2 T_2^1$$"),
        (r"$$U_{211} = (Q_1)^2 T_2^0 \quad U_{222} = T_1^0 (Q_2)^2 T_2^1$$", r"$$U_{211} = (Q_1)^3 T_2^0$$"),
        (r"$$U_{313} = Q_1 {}^0T_2 Q_3 {}^{2}T_{3}$$", r"$$U_{313} = Q_1 {}^0T_2 Q_3 {}^{1}T_{3}$$"),
        (r"$$U_{313} = Q_1 T_{02} Q_3 T_{23}$$", r"$$U_{313} = Q_1 T_{02} Q_3 T_{13}$$"),
        ("U313 = Q1 T2 Q3 A3", "U313 = Q1 T1 Q3 A3"),
        ("U_{212} = Q_1 T_1 Q_2 A_2", "U_{212} = Q_1 A_2 Q_2 T_1"),
        ("U22 = T1*Q2*A2\nU32 = U22*A3", "U22 = T1*Q2*A2\nU32 = U22*A2"),
        ("D12 = Tr(U22 J2 U21^T) + Tr(U32 J3 U31^T)", "D12 = Tr(U22 J2 U21^T) - Tr(U32 J3 U31^T)"),
        (r"$D_{33} = \text{Tr}(U_{33} J_3 U_{33}^T)$", r"$D_{33} = \text{Tr}(U_{33} J_3 U_{32}^T)$"),
        (r"$D_{33} = \mathrm{Tr}(U_{33} I_3 U_{33}^T)$", r"$D_{33} = 2\mathrm{Tr}(U_{33} I_3 U_{33}^T)$"),
    ],
)
def test_a_product_is_right_only_if_its_entries_are(right: str, wrong: str, puma: Robot) -> None:
    judgement = puma.check(TABLE + right if "$$" in right else right)
    assert judgement
    assert not judgement.unread
    assert puma.check(TABLE + wrong if "$$" in wrong else wrong).wrong


def test_what_is_printed_is_read_back(puma: Robot) -> None:
    eq = puma.equations("dh4x4")
    for text in (eq.text(["U313", "D12"]), eq.latex(["U313", "D12"])):
        judgement = puma.check(text)
        assert judgement
        assert not judgement.unread


def test_transforms_between_links_are_told_from_poses_in_the_base(puma: Robot) -> None:
    judgement = puma.check("U_{212} = Q_1 T_1 Q_2 T_2")
    assert judgement
    assert any("T_2 is read as the transform from frame 1 to 2" in each for each in judgement.notes)


def test_a_pose_that_may_be_two_is_not_judged(puma: Robot) -> None:
    with refusal(ExpressionError, "pose-ambiguous", "T_2"):
        puma.check("U_{212} = Q_1 T_2 Q_2 T_2")


def test_the_same_letter_is_a_torque_in_an_equation_of_motion() -> None:
    arm = qddot.load("two_link")
    equation = "m2*l^2*(qdd1 + qdd2)/3 + m2*l^2*c2*qdd1/2 + {}*m2*l^2*s2*qd1^2/2 + m2*g*l*c12/2 = Q_2"
    assert arm.check(equation.format(1))
    assert arm.check(equation.format(-1)).wrong


FIRST = "T_1 = [[cos(q1), -sin(q1), 0, 0], [0, 0, -1, 0], [sin(q1), cos(q1), 0, 0], [0, 0, 0, 1]]"
SECOND = "{} = [[cos(q2), {}, 0, l1], [sin(q2), cos(q2), 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]"


@pytest.mark.parametrize("name", ["T_2", "A_2", "T_2^1", "{}^1T_2"])
def test_a_transform_between_links_is_right_under_each_of_its_names(name: str) -> None:
    arm = qddot.load("planar_2r")
    judgement = arm.check(f"{FIRST}\n{SECOND.format(name, '-sin(q2)')}")
    assert judgement
    assert not judgement.unread
    assert arm.check(f"{FIRST}\n{SECOND.format(name, 'sin(q2)')}").wrong
    assert name != "T_2" or "T_2 is read as the transform from frame 1 to 2" in judgement.notes


def test_a_transform_between_links_is_wrong_as_a_pose_in_the_base() -> None:
    assert qddot.load("planar_2r").check(f"{FIRST}\n{SECOND.format('T_2^0', '-sin(q2)')}").wrong


def test_a_product_of_transforms_is_the_pose_in_the_base() -> None:
    arm = qddot.load("planar_2r")
    assert arm.check(f"{FIRST}\n{SECOND.format('T_2', '-sin(q2)')}\nT20 = T_1*T_2")
    assert arm.check("T_2 = A_1 A_2")
    assert arm.check("T_2 = A_2 A_1").wrong


def test_a_number_may_have_the_letter_of_a_transform() -> None:
    judgement = qddot.load("planar_2r").check("A_1 = 0.3\nM22 = m2*l2^2/4 + I2zz")
    assert judgement
    assert "A_1 (line 1, column 1) is a constant that nothing uses" in judgement.notes


def test_a_joint_that_a_name_lacks_is_noted(puma: Robot) -> None:
    judgement = puma.check(TABLE + "$$U_{332} = T_1^0 Q_2 T_2^1 Q_3 T_3^2 \\quad U_{333} = T_2^0 Q_3 Q_2 T_3^2$$")
    assert judgement  # both matrices Q are that of a revolute joint
    assert [each for each in judgement.notes if "of another joint" in each] == [
        "U_{333} (line 4, column 45) has Q_2, of another joint than its name"
    ]


OF_CENTRE = r"""
\[T_{c_2}^1 = \begin{pmatrix} \cos q_2 & -\sin q_2 & 0 & \frac L2\cos q_2\\ \sin q_2 & \cos q_2 & 0 & \frac L2\sin q_2\\
0 & 0 & 1 & 0\\ 0 & 0 & 0 & 1 \end{pmatrix}\]

\[T_{c_2}^0 = T_1^0 \cdot T_{c_2}^1\]

\[M_{22} = I_a + m_2 L^2/4\]
"""


def test_the_pose_of_a_centre_of_mass_is_a_factor() -> None:
    arm = qddot.load("spatial_2r")
    judgement = arm.check(OF_CENTRE)
    assert judgement, judgement.text()
    assert arm.check(OF_CENTRE.replace("T_1^0 \\cdot T_{c_2}^1", "T_{c_2}^1 \\cdot T_1^0")).wrong
    assert not arm.check(OF_CENTRE.replace("T_{c_2}^1 =", "T_{c_2} =")).wrong


POSE = r"""$T_{c2} = \begin{bmatrix} c_{12}&-s_{12}&0&l c_1+l c_{12}/2\\s_{12}&c_{12}&0&l s_1+l s_{12}/2\\
0&0&1&0\\0&0&0&1\end{bmatrix}$"""
INERTIA = r"$J_2 = \begin{bmatrix} m_2 l^2/3&0&0&-m_2 l/2\\0&0&0&0\\0&0&0&0\\-m_2 l/2&0&0&m_2\end{bmatrix}$"


@pytest.mark.parametrize(("text", "change"), [(POSE, ("l c_{12}/2", "l c_{12}/3")), (INERTIA, ("l^2/3", "l^2/4"))])
def test_a_matrix_of_a_link_is_judged_alone(text: str, change: tuple[str, str]) -> None:
    arm = qddot.load("two_link").with_notation("uicker")
    assert arm.check(text)
    assert arm.check(text.replace(*change)).wrong


@pytest.mark.parametrize(
    ("notation", "line", "letter"),
    [("uicker", "h_2 = h_211 q̇1^2", "h_211"), ("zju", "b_112 = d_112/2", "d_112")],
)
def test_symbols_of_a_notation_need_no_definition(notation: str, line: str, letter: str) -> None:
    arm = qddot.load("two_link").with_notation(notation)
    assert arm.check(f"D22 = m2 l²/3\n{line}")
    wrong = arm.check(f"D22 = m2 l²/3\n{line.replace(letter, f'3 {letter}')}")
    assert f"does not follow from the exact {letter}" in wrong.text()


VECTORS = r"""$\omega_1=\begin{bmatrix}0\\0\\\dot q_1\end{bmatrix}$,
$r_1 = \begin{bmatrix} l c_1/2\\ l s_1/2\\0\end{bmatrix}$,
$v_{c1} = \omega_1 \times r_1$, $K_1 = \frac12 m_1 v_{c1}\cdot v_{c1} + \frac{1}{24}m_1l^2\dot q_1^2$"""


@pytest.mark.parametrize(
    "change", [(r"\omega_1 \times r_1", r"\omega_1 \times 2 r_1"), (r"\times r_1", r"\times r_1 \times r_1")]
)
def test_products_of_vectors_are_computed(change: tuple[str, str]) -> None:
    arm = qddot.load("two_link")
    assert arm.check(VECTORS)
    assert arm.check(VECTORS.replace(*change)).wrong
