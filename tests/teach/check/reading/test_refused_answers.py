"""What cannot be read is refused with line and column, what was found and what to do; nothing takes long."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from refusals import refusal
from shipped import robot

from qddot.base.errors import QddotError
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check.reading.read_answer import read, read_parts, read_text


@cache
def equations(arm: str = "two_link") -> Quantities:
    return robot(arm).equations().quantities


def refused(text: str, arm: str = "two_link", rename: dict[str, str] | None = None) -> QddotError:
    with pytest.raises(QddotError) as error:
        read_text(text, equations(arm), rename)
    return error.value


REFUSED = [
    # text, line and column, what was found, what was expected
    ("M11 = m1 +* l", 1, 11, "'*' where a value is expected", "a number, a name"),
    ("M11 = m1)", 1, 9, "')' after the end of the expression", "an operator"),
    (r"M_{11} = \frac{m_1}{l", 1, 22, "the end in a bracket", "'}'"),
    (r"M_{11} = \frac{m_1}", 1, 20, "the end after \\frac", "braces"),
    (r"M_{11} = \foo m_1", 1, 10, r"'\\foo' where a value is expected", "a name"),
    (r"M_{11} = m_{1", 1, 12, "a brace is not closed", "'}'"),
    (r"M = \begin{bmatrix} 1 & 0 \\ 0", 1, 31, "the end in a bracket", r"\end{bmatrix}"),
    ("M11 = mm1", 1, 7, "no 'mm1' in this arm", "one of m1, m2"),
    ("M11 = c3", 1, 7, "no 'c3' in this arm", "one of"),
    ("M11 = 1 2", 1, 9, "two numbers side by side", "an operator"),
    ("M11 = m1**0.5", 1, 11, "the exponent '0.5'", "a whole number"),
    ("M11 = m1**l", 1, 11, "the exponent 'l'", "a whole number"),
    ("M11 = m1**2**3", 1, 12, "a power of a power", "one exponent"),
    ("M11 = m1**99", 1, 11, "the exponent 99", "at most 60"),
    ("M11 = cos()", 1, 11, "')' where a value is expected", "a number"),
    ("M11 = cos", 1, 10, "the end after cos", "its argument"),
    ("M11 = cos(m1*q1)", 1, 7, "no angle after cos", "a sum of angles"),
    ("M11 = cos(q1/2)", 1, 7, "a function of half an angle without a second one", "cos(q/2)^2"),
    (r"M_{11} = \cos^{-1}\theta_1", 1, 19, "cos to the power -1", "a positive exponent"),
    (r"M_{11} = \cos\theta_1^2", 1, 22, "a power after the argument of cos", "brackets"),
    ("M11 = sqrt(5)", 1, 7, "a square root that is not exact here", "a square"),
    ("M11 = sqrt(m1)", 1, 7, "a square root that is not exact here", "a square"),
    ("M11 = m1/(l - l)", 1, 11, "a division by zero", "not zero"),
    ("M11 = diff(m1, t)", 1, 7, "a derivative that is not a rate", "Derivative(q1(t), t)"),
    ("M11 = Derivative(q1, (t, 3))", 1, 7, "a derivative that is not a rate", "Derivative(q1(t), t)"),
    ("M11 = diff(q1)", 1, 7, "a derivative that is not a rate", "Derivative(q1(t), t)"),
    ("M11 = sgn(m1)", 1, 7, "sgn of something that is not a rate", "the rate of one joint"),
    ("M11 = [1, 2]", 1, 1, "M11 has 2 entries", "one entry for M there"),
    ("M = [[1,2,3],[4,5,6]]", 1, 1, "M has 2 × 3 entries", "2 × 2 entries for M"),
    ("M = [m1 m2 l; 0 1 g]", 1, 1, "M has 2 × 3 entries", "2 × 2 entries for M"),
    ("M = [m1 m2; 0 1 g]", 1, 13, "rows of sizes 2 and 3", "rows of equal length"),
    ("M = [[1,2],[3]]", 1, 12, "rows of sizes 2 and 1", "rows of equal length"),
    ("M13 = 1", 1, 1, "M13 is not an entry of M", "indices within 2 × 2"),
    ("T_9 = 0", 1, 1, "T_9 is not an entry of T", "indices within 2 × 4 × 4"),
    ("M = 1/[1, 2; 3, 4]", 1, 7, "a division by a matrix", "a number"),
    ("M = [1, 2; 3, 4]*[1, 2, 3]", 1, 18, "2 × 2 times 3", "matching matrices"),
    ("M = m1 + [1, 2; 3, 4]", 1, 10, "2 × 2 added to one entry", "arrays of one shape"),
    ("M11 =", 1, 4, "nothing on one side of '='", "name = expression"),
    ("m1 + m2 = l*g", 1, 1, "neither accelerations nor torques", "an equation of motion"),
    ("M11 = a\na = b\nb = a", 2, 5, "a definition uses itself", "without a cycle"),
    ("C_1 = 0", 1, 1, "C_1 may be the velocity torques h = C q̇ or the gravity torques G", "one"),
    ("C221 = m2", 1, 1, "C221 may be the Christoffel symbol Γ221 or entry 21 of C2", "one"),
    ("M11 = 'm1'", 1, 7, '"\'" where a value is expected', "a number"),
    ("M11 = m1 ? m2", 1, 10, "'?' after the end of the expression", "an operator"),
    (r"M_{11} = \sqrt[3]{3}", 1, 18, "a root of another degree than 2", "a square root"),
    ("M11 = " + "1" * 70, 1, 7, "a number of 70 characters", "at most 60"),
    ("M11 = " + "m" * 90, 1, 7, "a name of 90 letters", "at most 80"),
]


@pytest.mark.parametrize(("text", "line", "column", "found", "expected"), REFUSED, ids=[row[0][:40] for row in REFUSED])
def test_what_does_not_fit_is_shown(text: str, line: int, column: int, found: str, expected: str) -> None:
    error = refused(text)
    assert error.found.startswith(found)
    assert expected in error.expected
    assert error.where == f"line {line}, column {column}"


def test_near_names_are_suggested() -> None:
    assert "did you mean 'm1'?" in refused("M11 = mm1").remedy
    assert "rename={'lc2': …}" in refused("M22 = m2*lc2**2").remedy


def test_the_angle_of_a_sliding_joint_is_refused() -> None:
    error = refused("M11 = m1*cos(d2)", "rp")
    assert error.found.startswith("a cosine or a sine of d2, the coordinate of a prismatic joint")


def test_a_fault_in_one_equation_stops_no_other() -> None:
    answer = read_text("M11 = m1\nM22 = m2*lc2**2\nM12 = m2*(l + 1", equations())
    assert [each.numerator for each in answer.entries["M"]] == [equations().ring.symbol("m1")]
    assert [each.where for each in answer.unread] == ["line 2, column 1", "line 3, column 1"]
    assert "no 'lc2' in this arm" in answer.unread[0].reason
    assert "the end in a bracket that was opened at line 3, column 10" in answer.unread[1].reason


@pytest.mark.parametrize("gap", ["\n", "\n\n"])
@pytest.mark.parametrize(
    "wrong", ["m1*l^2/3 + m2*l^2*cos(q2", "m1*(l^2 + l*(cos(q2)", "[m1*l^2/3 + m2*l^2*(cos(q2)", "2*(m1 +\nm2*(l)"]
)
def test_a_bracket_that_is_not_closed_leaves_the_next_equation_alone(wrong: str, gap: str) -> None:
    answer = read_text(f"M11 = {wrong}{gap}M12 = m2*(l^2/3){gap}M22 = 0", equations())
    (unread,) = answer.unread
    assert unread.where == "line 1, column 1" and "the end in a bracket that was opened at line 1" in unread.reason
    assert answer.entries.keys() == {"M"} and len(answer.entries["M"]) == 2


def test_a_line_without_an_equation_is_prose() -> None:
    assert refused("hello world").found == "no quantity of the equations in the answer"
    answer = read_text("Hello, this is my answer.\nM22 = m2*l^2/3\nThat is all!", equations())
    assert not answer.unread
    assert len(answer.entries["M"]) == 1


def test_a_fault_in_a_renaming_is_shown() -> None:
    error = refused("M11 = a*m1", rename={"a": "l +"})
    assert error.where == "rename a, line 1, column 4"


def test_an_unused_name_is_told_and_an_answer_without_quantities_refused() -> None:
    assert "no quantity of the equations in the answer" in refused("x = 3").found
    answer = read_text("x = l + m1\nM22 = m2", equations())
    assert [(unread.text, unread.where) for unread in answer.unread] == [("x", "line 1, column 1")]


def test_a_step_that_does_not_parse_is_left_out() -> None:
    answer = read_text(r"M_{22} = \mathrm{Tr}(U_{22} I_2) = \frac13 m_2 l^2", equations())
    assert [entry.numerator for entry in answer.entries["M"]] == [equations().M[1, 1].entries[0]]
    assert len(answer.guesses) == 1


BOMBS = [
    ("(m1+m2+g+l+c1+s1+c2+s2)^60", "the expression expands too far"),
    ("((((m1+m2+l)^20)^20)^20)^20", "the expression expands too far"),
    ("(((m1+1)^60)^60)", "a power that is too high"),
    ("(((m1*10^50+sqrt(2))^60)^60)^60", "a number that is too large"),
    ("(((9^60)^60)^60)^60", "a number that is too large"),
    ("1e99999999", "'1e99999999' is out of range"),
    ("*".join(["9e90"] * 400), "a number that is too large"),
    ("(" * 5000 + "m1" + ")" * 5000, "brackets nested too deep"),
    ("[" * 5000 + "m1" + "]" * 5000, "brackets nested too deep"),
    ("sin " * 5000 + "q1", "brackets nested too deep"),
    ("cos(9999*q1)", "too large a multiple of an angle"),
    ("cos((((9^60)^60)^60)*q1)", "no angle after cos"),
    ("+".join(f"cos({k}.5)" for k in range(40)), "too many constant angles"),
    ("+".join(["m1**60"] * 3) + "-" * 5000, "the expression ends too early"),
    ("m1**" * 3000 + "2", "the exponent 'm1'"),
]


@pytest.mark.parametrize(("text", "found"), BOMBS, ids=[text[:30] for text, _ in BOMBS])
def test_a_bomb_is_defused(text: str, found: str) -> None:
    assert refused(f"K = {text}").found.startswith(found)


def test_definitions_are_no_bomb() -> None:
    doubling = "\n".join(f"a{k} = a{k - 1}*(m1 + m2)" for k in range(1, 400))
    assert refused(f"K = a399\na0 = l\n{doubling}").found.startswith(
        ("a power that is too high", "the expression expands")
    )
    chain = "\n".join(f"a{k} = a{k - 1} + a{k - 1}" for k in range(1, 700))
    answer = read_text(f"K = 0*a699 + cos(a3)\na0 = q1\n{chain}", equations())
    assert answer.entries["K"][0].numerator  # 2⁶⁹⁹ q1 is a number that is still small


def test_long_sums_are_read() -> None:
    text = "+".join(f"{k}*m1*l**2*c2" for k in range(500))
    value = read_text(f"K = {text}", equations()).entries["K"][0].numerator
    ring = equations().ring
    expected = ring.symbol("m1") * ring.symbol("l") * ring.symbol("l") * ring.cos_sin("q2")[0] * (499 * 250)
    assert value == expected


FILES: list[tuple[str, bytes, str]] = [
    ("empty.toml", b"", "it is empty"),
    ("blank.txt", b" \n\t\n", "it is empty"),
    ("binary.txt", bytes(range(256)) * 4, "binary data"),
    ("zeros.tex", b"M11 = m1\0\0", "binary data"),
    ("large.txt", b"M11 = m1 +" + b" m1 +" * 500_000, "2500010 bytes"),
    ("wrong.toml", b"M11 = m1", "invalid TOML"),
    ("deep.toml", b"M = " + b"[" * 12 + b"]" * 12, "M is nested too deep"),
    ("deeper.toml", b"M = " + b"[" * 50 + b"]" * 50, "arrays or tables in each other, more than 16 deep"),
    ("empty_list.toml", b"M = []", "M is an empty list"),
    ("ragged.toml", b"M = [['1', '2'], ['3']]", "row 2 of M has 1 entry,"),
    ("table.toml", b"M = [{a = '1'}]", "M is \"{'a': '1'}\""),
]


@pytest.mark.parametrize(("name", "content", "found"), FILES, ids=[name for name, _, _ in FILES])
def test_a_file_that_is_no_answer_is_refused(name: str, content: bytes, found: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(QddotError) as error:
        read(tmp_path / name, equations())
    assert error.value.found.startswith(found)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path):
        with pytest.raises(QddotError, match=path.name):
            read(path, equations())


@pytest.mark.parametrize("value", [None, {"a": 1}, float("nan"), object(), [[]], "", [["1", None], ["0", "0"]]])
def test_a_value_that_is_no_expression_is_refused(value: Any) -> None:
    with pytest.raises(QddotError, match=r"\bM\b"):
        read_parts({"M": value}, equations())


@pytest.mark.parametrize("name", ["", "M + C", "1", "x", "M99"])
def test_a_name_that_is_no_quantity_is_refused(name: str) -> None:
    with pytest.raises(QddotError, match=re.escape(name) or "''"):
        read_parts({name: "m1"}, equations())


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_text_is_no_folder(text: str) -> None:
    with refusal(QddotError, "answer-not-text"):
        robot("two_link").check(text)


@pytest.mark.parametrize(
    ("data", "found", "remedy"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0", "a picture", "type its equations"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "a picture", "type its equations"),
        (b"\0\0\0\x18ftypheic\0\0", "a picture", "type its equations"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "a picture", "type its equations"),
        (b"%PDF-1.7\n%%EOF", "a PDF", "of a scan, type the equations"),
        (b"%PDF-1.7\ntrailer << /Encrypt 5 0 R >>\n%%EOF", "an encrypted PDF", "remove its password"),
    ],
)
def test_of_a_file_without_text_it_is_said_what_to_do(tmp_path: Path, data: bytes, found: str, remedy: str) -> None:
    path = tmp_path / "answer.tex"
    path.write_bytes(data)
    with pytest.raises(QddotError, match=f"{found}; .*{remedy}"):
        read(path, equations())


def test_an_answer_for_an_arm_with_more_joints_is_told_so() -> None:
    with refusal(QddotError, "unknown-name", "'q3'", "q3", "2"):
        robot("two_link").check("M11 = m1*l**2*cos(q3)")


@pytest.mark.parametrize(
    ("factors", "unknown", "column"),
    [
        (r"m_1L_1^2", "L_1", 15),
        (r"m_1l_c^2", "l_c", 15),
        (r"m_1gL_2", "L_2", 16),
        (r"gL_2", "L_2", 13),
        (r"m_1m_2I_{c1}", "I_c1", 18),
        (r"I_{c1}", "I_c1", 12),
        (r"m_{12}L", "m_12", 12),
        ("mass", "mass", 12),
    ],
)
def test_an_index_ends_a_name_of_latex(factors: str, unknown: str, column: int) -> None:
    """In LaTeX m_1L_1 is the product of m_1 and L_1, of which only the second has no meaning here."""
    error = refused(rf"\[M_{{11}} = {factors}\]")
    assert (error.code, error.message.slots["name"], error.where) == (
        "unknown-name",
        repr(unknown),
        f"line 1, column {column}",
    )
    renamed = {unknown.replace("_", ""): "l"}
    read_text(rf"\[M_{{11}} = {factors}\]", equations(), renamed)
