"""The equations of two links as textbooks print them: in the letters of each book, and equal to its printed ones."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

import qddot
from qddot.apps.cli import main
from qddot.exact.equations.notations import BOOKS, NOTATIONS

HEAD = 'name = "two"\nconvention = "dh"\ngravity = [0, "-g", 0]\n'


class Printed(NamedTuple):
    """This is a book's example. arm: its description in the book's symbols; law: its equation of motion

    equations: as they stand in the book; text: the lines that are printed here, literally
    """

    arm: str
    law: str
    equations: str
    text: str


def rows(symbols: str, one: str, two: str) -> str:
    return f'{HEAD}coordinates = ["theta1", "theta2"]\nsymbols = "{symbols}"\n[[link]]\n{one}\n[[link]]\n{two}\n'


def link(coordinate: str, length: str, rest: str) -> str:
    return f'dh = {{ theta = "{coordinate}", d = 0, a = "{length}", alpha = 0 }}\n{rest}'


# Craig, Introduction to Robotics, 3rd ed., 2005, §6.7: point masses at the ends of the links, (6.60) to (6.62), and
# B and C of the configuration-space equation (6.63), §6.8
CRAIG = Printed(
    rows(
        "m1 m2 l1 l2 g",
        link("theta1", "l1", 'mass = "m1"\ncom = [0, 0, 0]'),
        link("theta2", "l2", 'mass = "m2"\ncom = [0, 0, 0]'),
    ),
    "M q̈ + V + G = τ",
    """
    M = [l2^2*m2 + 2*l1*l2*m2*c2 + l1^2*(m1 + m2), l2^2*m2 + l1*l2*m2*c2; l2^2*m2 + l1*l2*m2*c2, l2^2*m2]
    V = [-m2*l1*l2*s2*thetad2^2 - 2*m2*l1*l2*s2*thetad1*thetad2; m2*l1*l2*s2*thetad1^2]
    G = [m2*l2*g*c12 + (m1 + m2)*l1*g*c1; m2*l2*g*c12]
    B = [-2*m2*l1*l2*s2; 0]
    C = [0, -m2*l1*l2*s2; m2*l1*l2*s2, 0]
    """,
    """
    M12 = m2*l2*(l2 + l1*c2)
    M22 = m2*l2**2
    V1 = -m2*l1*l2*s2*(2*thetad1*thetad2 + thetad2**2)
    V2 = m2*l1*l2*s2*thetad1**2
    G1 = g*(l1*c1*(m1 + m2) + m2*l2*c12)
    G2 = m2*l2*g*c12
    """,
)
# Spong, Hutchinson, Vidyasagar, 2006, §7.4: planar elbow manipulator; c_ijk belongs to the k-th equation
SPONG = Printed(
    rows(
        "m1 m2 l1 l2 lc1 lc2 I1 I2 g",
        link("q1", "l1", 'mass = "m1"\ncom = ["lc1 - l1", 0, 0]\ninertia = { about = "com", zz = "I1" }'),
        link("q2", "l2", 'mass = "m2"\ncom = ["lc2 - l2", 0, 0]\ninertia = { about = "com", zz = "I2" }'),
    ).replace('coordinates = ["theta1", "theta2"]\n', ""),
    "D q̈ + C q̇ + g = τ",
    """
    d11 = m1*lc1^2 + m2*(l1^2 + lc2^2 + 2*l1*lc2*cos(q2)) + I1 + I2
    d12 = m2*(lc2^2 + l1*lc2*cos(q2)) + I2
    d22 = m2*lc2^2 + I2
    h = -m2*l1*lc2*sin(q2)
    c111 = 0
    c121 = h
    c211 = h
    c221 = h
    c112 = -h
    c122 = 0
    c212 = 0
    c222 = 0
    C = [h*qd2, h*qd2 + h*qd1; -h*qd1, 0]
    g1 = (m1*lc1 + m2*l1)*g*cos(q1) + m2*lc2*g*cos(q1 + q2)
    g2 = m2*lc2*g*cos(q1 + q2)
    """,
    """
    d11 = m1*lc1**2 + m2*(l1**2 + lc2**2 + 2*l1*lc2*c2) + I1 + I2
    d12 = m2*lc2*(lc2 + l1*c2) + I2
    d22 = m2*lc2**2 + I2
    C11 = -m2*l1*lc2*s2*qd2
    C12 = -m2*l1*lc2*s2*(qd1 + qd2)
    C21 = m2*l1*lc2*s2*qd1
    g1 = g*(c1*(m1*lc1 + m2*l1) + m2*lc2*c12)
    g2 = m2*lc2*g*c12
    """,
)
ROTOR = """[[link]]
name = "motor{k}"
parent = "{parent}"
mass = "mm{k}"
com = [0, 0, 0]
inertia = {{ about = "com", zz = "Im{k}" }}
joint = {{ type = "revolute", axis = [0, 0, 1], xyz = [{x}, 0, 0], coordinate = "theta{k}", ratio = {ratio} }}
"""
LINK = """[[link]]
name = "{k}"
parent = "{parent}"
mass = "m{k}"
com = ["l{k}", 0, 0]
inertia = {{ about = "com", zz = "I{k}" }}
joint = {{ type = "revolute", axis = [0, 0, 1], xyz = [{x}, 0, 0], coordinate = "theta{k}" }}
"""
# Siciliano, Sciavicco, Villani, Oriolo, 2009, §7.3.2: two-link planar arm with motors at the joints, whose
# ratios k_r1 and k_r2 are 7 and 5
SICILIANO = Printed(
    HEAD.replace("dh", "tree")
    + 'symbols = "m1 m2 mm1 mm2 I1 I2 Im1 Im2 a1 a2 l1 l2 g"\n'
    + LINK.format(k=1, parent="base", x=0)
    + LINK.format(k=2, parent="1", x='"a1"')
    + ROTOR.format(k=1, parent="base", x=0, ratio=7)
    + ROTOR.format(k=2, parent="1", x='"a1"', ratio=5),
    "B q̈ + C q̇ + g = τ",
    """
    b11 = I1 + m1*l1^2 + 7^2*Im1 + I2 + m2*(a1^2 + l2^2 + 2*a1*l2*c2) + Im2 + mm2*a1^2
    b12 = I2 + m2*(l2^2 + a1*l2*c2) + 5*Im2
    b22 = I2 + m2*l2^2 + 5^2*Im2
    h = -m2*a1*l2*s2
    c111 = 0
    c112 = h
    c121 = h
    c122 = h
    c211 = -h
    c212 = 0
    c221 = 0
    c222 = 0
    C = [h*thetad2, h*(thetad1 + thetad2); -h*thetad1, 0]
    g1 = (m1*l1 + mm2*a1 + m2*a1)*g*c1 + m2*l2*g*c12
    g2 = m2*l2*g*c12
    """,
    """
    b11 = m1*l1**2 + m2*(a1**2 + l2**2 + 2*a1*l2*c2) + mm2*a1**2 + I1 + I2 + 49*Im1 + Im2
    b12 = m2*l2*(l2 + a1*c2) + I2 + 5*Im2
    b22 = m2*l2**2 + I2 + 25*Im2
    C11 = -m2*a1*l2*s2*thetad2
    C12 = -m2*a1*l2*s2*(thetad1 + thetad2)
    C21 = m2*a1*l2*s2*thetad1
    """,
)
# Murray, Li, Sastry, 1994, §4.2.3: two-link planar robot in a horizontal plane
MURRAY = Printed(
    HEAD.replace("dh", "tree").replace('[0, "-g", 0]', '[0, 0, "-g"]')
    + 'symbols = "m1 m2 l1 r1 r2 Iz1 Iz2 g"\n'
    + LINK.format(k=1, parent="base", x=0).replace('"l1"', '"r1"').replace('"I1"', '"Iz1"')
    + LINK.format(k=2, parent="1", x='"l1"').replace('"l2"', '"r2"').replace('"I2"', '"Iz2"'),
    "M q̈ + C q̇ + N = τ",
    """
    alpha = Iz1 + Iz2 + m1*r1^2 + m2*(l1^2 + r2^2)
    beta = m2*l1*r2
    delta = Iz2 + m2*r2^2
    M = [alpha + 2*beta*c2, delta + beta*c2; delta + beta*c2, delta]
    C = [-beta*s2*thetad2, -beta*s2*(thetad1 + thetad2); beta*s2*thetad1, 0]
    N = [0; 0]
    """,
    """
    M11 = alpha + 2*beta*c2
    M12 = delta + beta*c2
    M22 = delta
    C11 = -beta*s2*thetad2
    C12 = -beta*s2*(thetad1 + thetad2)
    C21 = beta*s2*thetad1
    C22 = 0
    alpha = m1*r1**2 + m2*(l1**2 + r2**2) + Iz1 + Iz2
    beta = m2*l1*r2
    delta = m2*r2**2 + Iz2
    """,
)
EXAMPLES = {"craig": CRAIG, "murray": MURRAY, "siciliano": SICILIANO, "spong": SPONG}


def lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines()]


def test_every_book_has_an_example_and_a_source() -> None:
    assert {*BOOKS} == {*EXAMPLES}
    assert all("§" in NOTATIONS[name].book for name in BOOKS)


@pytest.mark.parametrize("book", EXAMPLES)
def test_the_printed_equations_are_proved(book: str) -> None:
    example = EXAMPLES[book]
    arm = qddot.loads(example.arm).with_notation(book)
    judgement = arm.check("\n".join(lines(example.equations)))
    assert judgement and not judgement.unread, judgement
    printed = {line.split(" = ")[0] for line in lines(example.text)} - {*NOTATIONS[book].constants}
    assert printed <= {entry.name for entry in judgement.entries}
    wrong = example.equations.replace("2*", "3*", 1)
    assert not arm.check("\n".join(lines(wrong)))


@pytest.mark.parametrize("book", EXAMPLES)
def test_the_command_prints_the_book(book: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    example = EXAMPLES[book]
    arm = tmp_path / "two.toml"
    arm.write_text(example.arm, encoding="utf-8")
    constants = [] if NOTATIONS[book].constants else ["--no-constants"]
    assert main(["derive", str(arm), "--book", book, "--form", "textbook", *constants]) == 0
    printed = capsys.readouterr().out
    assert example.law in printed
    assert [line for line in lines(example.text) if line not in printed.splitlines()] == []


def test_the_row_is_the_last_index_of_spongs_symbols() -> None:
    """c_121 = h and c_112 = −h there: an answer in the order of other books is wrong."""
    arm = qddot.loads(SPONG.arm).with_notation("spong")
    eq = arm.equations()
    assert eq.array("c121").nested == eq.christoffel.nested[0][0][1]
    assert eq.christoffel[1, 0, 0].text().startswith("c112 = ")
    assert "c_{112}" in eq.christoffel.latex() and "c_{211}" not in eq.christoffel.latex()
    answer = "c112 = -m2*l1*lc2*sin(q2)\nc211 = m2*l1*lc2*sin(q2)"
    assert not arm.check(answer) and qddot.loads(SPONG.arm).check(answer)


def test_closed_chains_have_the_equation_of_the_book() -> None:
    eq = qddot.load_closed_chain("four_bar").with_notation("siciliano").equations()
    assert eq.law == "B u̇ + C u + g = Rᵀ τ" and eq.shown == ["phi", "M", "C", "G"]
    assert qddot.load("two_link").with_notation("craig").equations().law == "M q̈ + V + G = τ"


def test_constants_continue_after_the_letters() -> None:
    """An arm whose own symbol is alpha keeps it, and many constants end in numbers."""
    short = qddot.load("puma560").with_notation("murray").equations().textbook()
    names = [*short.constants]
    assert names[:2] == ["alpha", "beta"] and "k1" in names and len({*names}) == len(names)
    own = MURRAY.arm.replace("r1", "alpha")
    assert "alpha" not in qddot.loads(own).with_notation("murray").equations().textbook().constants


def test_a_book_and_a_notation_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["derive", "two_link", "--book", "craig", "--notation", "akb"])
    with pytest.raises(SystemExit):
        main(["derive", "two_link", "--book", "paul"])
    assert "--book" in capsys.readouterr().err


PLANAR = """
name = "planar_3r"
convention = "dh"
gravity = [0, "-g", 0]
symbols = "m l g"
""" + "".join(
    f"""
[[link]]
dh = {{ theta = "q{k}", d = 0, a = "l", alpha = 0 }}
mass = "m"
com = ["-l/2", 0, 0]
"""
    for k in (1, 2, 3)
)


@pytest.mark.parametrize("book", ["spong", "siciliano"])
def test_the_cosine_of_three_angles_has_no_name_of_a_christoffel_symbol(book: str) -> None:
    """c123 is an entry of c_ijk, so that the cosine of q1 + q2 + q3 is written in full; what is printed is right."""
    planar = qddot.loads(PLANAR).with_notation(book)
    text = planar.equations().textbook(lumped=False).text(["christoffel", "G"])
    assert "c123 = " in text and "cos(q1 + q2 + q3)" in text and text.count("c123") == 1
    assert planar.check(text)
