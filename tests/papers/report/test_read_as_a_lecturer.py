"""What a lecturer would mark in a report: references, units, indices and numbers that do not fit what is there."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from shipped import robot

import qddot
from qddot.exact.printing.tree import Equation, Matrix, Product, Root, Sum, Symbol
from qddot.papers.report.arm_report import ReportContents, report
from qddot.papers.report.document import Block, Columns, Document, EquationBlock, Paragraph, Section, Table
from qddot.papers.report.formats import html_page, markdown_file, table_room
from qddot.papers.report.formats.paper_rows import rows
from qddot.papers.report.formula import Formula
from qddot.papers.report.sections import route_steps
from qddot.papers.report.sections.blocks_of import quantity, vector
from qddot.papers.report.sections.worked_state import worked_state

pytestmark = pytest.mark.usefixtures("derived_once")


@cache
def told(name: str, route: str, lang: str = "en") -> Document:
    return report(ReportContents([robot(name).equations(route).textbook()], robot(name).prove([])), lang)


def section(made: Document, key: str) -> Section:
    return next(each for each in made.sections if each.key == key)


def block(made: Document, key: str) -> EquationBlock:
    return next(each for each in made.blocks() if isinstance(each, EquationBlock) and each.key == key)


def markdown(made: Document) -> str:
    content = markdown_file.files(made, Path("arm.md"))[Path("arm.md")]
    assert isinstance(content, str)
    return content


def words_of(made: Section) -> str:
    return " ".join(str(part) for each in made.blocks if isinstance(each, Paragraph) for part in each.parts)


def uses_of(name: str) -> tuple[str, ...]:
    """What the torques follow from in Newton's and Euler's recursion."""
    parts = route_steps.parts_of(robot(name).equations("newton_euler").textbook())
    return next(step.uses for part in parts for step in part.steps if step.name == "tau")


@pytest.mark.parametrize(("name", "uses"), [
    ("cart_pole", ("axis", "f", "n")),
    ("two_link", ("axis", "n_axis")),  # frames are at the far ends of links
    ("slider", ("axis", "f")),
])  # fmt: skip
def test_a_torque_follows_from_forces_where_joints_slide_and_from_moments_where_they_turn(
    name: str, uses: tuple[str, ...]
) -> None:
    assert uses_of(name) == uses


def test_blocks_of_equations_that_follow_each_other_are_named_by_one_range() -> None:
    lines = [line for line in markdown(told("two_link", "com_jacobian")).splitlines() if line.startswith("From ")]
    assert any(line.count("–") > 1 for line in lines)
    for line in lines:
        ranges = [tuple(map(int, re.findall(r"\((\d+)\)\]", part))) for part in line.split(", ")]
        assert not any(after[0] == before[-1] + 1 for before, after in pairwise(ranges)), line


def test_each_entry_of_a_symmetric_matrix_of_a_link_is_listed_once_and_a_sentence_says_so() -> None:
    inertias = block(told("furuta_pendulum", "composite"), "composite.composite_inertia")
    places = [each.left.text for each in inertias.listed if not isinstance(each.right, Matrix)]  # type: ignore[union-attr]
    cells = [tuple(map(int, re.findall(r"\[(\d),(\d)\]", text)[0])) for text in places]
    assert cells and all(row <= column for row, column in cells)
    assert inertias.mirrored
    assert "The matrices are symmetric" in markdown(told("furuta_pendulum", "composite"))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_units_of_a_matrix_over_turning_and_sliding_joints_are_told_by_kind(lang: str) -> None:
    said = words_of(section(told("cart_pole", "energy", lang), "state"))
    assert "kg m² where both joints turn" in said or "两关节均转动时为 kg m²" in said
    assert "N m where the joint turns and N where it slides" in said or "转动关节为 N m，移动关节为 N" in said


def test_indices_of_two_digits_are_apart() -> None:
    entry = Sum((Product(Fraction(123456789)),))
    wide = Equation(Symbol("M", "M"), Matrix(tuple((entry,) * 12 for _ in range(12))))
    listed = rows(EquationBlock.of("M", [wide]), 1)
    names = [row.left.below for row in listed if isinstance(row.left, Symbol)]
    assert names[0] == "11" and names[-1] == "12,12" and len(set(names)) == 144


def test_an_arm_that_is_given_entry_by_entry_has_no_masses_and_no_gravity_of_its_own() -> None:
    for lang, said in (("en", "entry by entry"), ("zh", "按元素直接给出")):
        made = told("puma560_1986", "composite", lang)
        robot_section, parameters = section(made, "robot"), section(made, "parameters")
        assert said in words_of(robot_section) and said in words_of(parameters)
        assert "g_0" not in words_of(robot_section)
        assert "mass" not in [
            title for each in robot_section.blocks if isinstance(each, Table) for title in each.titles
        ]
        assert lang == "en" or not re.search(r"[a-z]{3,} [a-z]{3,} [a-z]{3,}", words_of(parameters))


@cache
def wrist() -> qddot.Robot:
    """Franka's last four joints, on a table, with its hand."""
    text = (Path(qddot.__file__).parent / "robot" / "zoo" / "franka_panda.toml").read_text(encoding="utf-8")
    head, *links = text.split("[[link]]")
    head = head.replace('["q1", "q2", "q3", "q4", "q5", "q6", "q7"]', '["q4", "q5", "q6", "q7"]')
    return qddot.loads("[[link]]".join([head, *links[3:]]))


def lecture(route: str) -> Document:
    return report(ReportContents([wrist().equations(route).textbook()], wrist().prove([])), level="lecture")


def test_rounded_numbers_take_roots_in() -> None:
    """Franka's hand is mounted at 45°: 0.0050 + 0.0024 √2 is a length of 0.0017 m."""
    made = lecture("composite")
    (masses,) = (each for each in section(made, "robot").blocks if isinstance(each, Table) and each.titles[1] == "mass")
    atoms = [atom for row in masses.rows for cell in row if isinstance(cell, Sum) for atom in cell.atoms()]
    atoms += [atom for each in block(made, "M").listed for atom in each.right.atoms()]  # type: ignore[union-attr]
    assert not any(isinstance(atom, Root) for atom in atoms)
    assert not any(isinstance(atom, Symbol) and atom.text.startswith("I") for atom in atoms)


def test_the_tool_s_poses_are_those_of_joints_that_move_it() -> None:
    tables = [each for each in section(told("cart_pole", "energy"), "transforms").blocks if isinstance(each, Table)]
    arm = qddot.loads(TWO_ARMS)
    made = report(ReportContents([arm.equations().textbook()], arm.prove([])))
    (poses,) = (each for each in section(made, "transforms").blocks if isinstance(each, Table))
    assert len(tables[0].rows) == 2 and len(poses.rows) == 2  # q = 0, and the joint that turns the tool


TWO_ARMS = """
name = "two_arms"
convention = "tree"
gravity = [0, 0, -9.81]

[[link]]
name = "left"
parent = "base"
joint = { type = "revolute", axis = [0, 0, 1] }
mass = 1
com = [0.1, 0, 0]

[[link]]
name = "right"
parent = "base"
joint = { type = "revolute", axis = [0, 1, 0] }
mass = 1
com = [0.1, 0, 0]

[tool]
xyz = [1, 0, 0]
"""


FRICTION = """
name = "friction"
convention = "dh"
gravity = [0, -9.81, 0]

[[link]]
dh = { theta = "q1", d = 0, a = 0.4318, alpha = 0 }
mass = 2.345
com = [-0.1234, 0, 0]
joint = { damping = 0.7 }
"""


def test_friction_has_decimals_where_the_mass_matrix_has_decimals() -> None:
    arm = qddot.loads(FRICTION)
    text = markdown(report(ReportContents([arm.equations().textbook()], arm.prove([]))))
    assert re.search(r"\\tau\^\{f\}_ \{1\} = 0\.7|\\tau_\{1\}\^\{f\} = 0\.7|= 0\.7 \\dot\{q\}_", text)
    assert "tfrac{7}{10}" not in text


@pytest.mark.parametrize("name", ["rp", "two_link"])
def test_a_tall_column_is_written_as_a_transposed_row(name: str) -> None:
    made = told(name, "composite")
    assert all(each.right.lying for each in block(made, "composite.Phi").listed)  # type: ignore[union-attr]
    assert not any(each.right.lying for each in block(made, "p_c").listed)  # type: ignore[union-attr]
    assert r"\Phi_{1} = \begin{bmatrix} 0 & 0 & 1 & 0 &" in markdown(made)
    assert r"\end{bmatrix}^{T}" in markdown(made)


def test_coefficients_of_measured_arms_are_decimals() -> None:
    """No tiny factor stands before a sum of huge decimals, and no constant adds a root to a decimal."""
    short = wrist().equations().textbook()
    assert "e-" not in short.array("christoffel").text().replace("e-05", "")
    assert not any(isinstance(atom, Root) for each in short.definitions() for atom in each.right.atoms())


@pytest.mark.parametrize("name", ["franka_panda", "baxter", "rp"])
def test_the_worked_state_is_within_the_limits_of_the_joints(name: str) -> None:
    model = robot(name).model
    q = worked_state(model)[0]
    for body in model.moving():
        if body.joint.limits is not None:
            lower, upper = (limit.value({}) for limit in body.joint.limits)
            assert lower < q[str(body.joint.coordinate)] < upper
        assert body.joint.kind.is_revolute or q[str(body.joint.coordinate)] > 0


def test_a_wide_table_is_parted_evenly() -> None:
    cells = tuple(f"{k}.12345678" for k in range(11))
    parts = list(table_room.parted(Table(tuple("abcdefghijk"), (cells,))))
    assert [len(each.titles) for each in parts] == [6, 6]  # each has the first column


def test_an_arm_without_known_centres_of_mass_has_none() -> None:
    made = told("puma560_1986", "composite")
    assert section(made, "transforms").title == "Transforms"
    assert not any(isinstance(each, EquationBlock) and each.key == "p_c" for each in made.blocks())


def test_a_stop_stays_beside_the_mathematics_before_it() -> None:
    page = html_page.page(told("rp", "composite"))
    assert re.search(r'<span class="one"><math>(?:(?!</math>).)*</math>\.</span>', page)
    assert not re.search(r"</math>\u00a0=", re.sub(r'<span class="one">.*?</span>', "", page))
    chinese = re.sub(r'<span class="one">.*?</span>', "", html_page.page(told("rp", "composite", "zh")))
    assert not re.search(r"</math>[。，；：]", chinese)


def test_gravity_has_a_unit_where_no_symbol_has_it() -> None:
    arm = qddot.loads(FRICTION)
    in_numbers = report(ReportContents([arm.equations().textbook()], arm.prove([])))
    assert "m/s² in the base frame" in re.sub(r" +", " ", words_of(section(in_numbers, "robot")))
    assert "m/s²" not in words_of(section(told("two_link", "composite"), "robot"))


@pytest.mark.parametrize("route", ["composite", "newton_euler", "dh4x4", "com_jacobian", "screw", "energy"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_potential_energy_has_its_law(route: str, lang: str) -> None:
    among_steps = route in ("dh4x4", "energy")
    blocks: list[Block] = []
    for each in section(told("two_link", route, lang), "steps" if among_steps else "equations").blocks:
        blocks += each.columns[0].blocks if isinstance(each, Columns) else [each]
    formulas = [part.text for each in blocks
                if isinstance(each, Paragraph) for part in each.parts if isinstance(part, Formula)]  # fmt: skip
    assert [text for text in formulas if text.startswith("P = ")] == [
        "P = Σ_i P_i" if among_steps or route == "screw" else "P = −Σ_i m_i g_0ᵀ p_{c,i}"
    ]


def test_one_entry_is_not_said_to_follow_from_one_entry_of_another_quantity() -> None:
    """B_223 does not follow from Γ_322, nor Γ_322 from M_33."""
    made = lecture("newton_euler")
    assert not any(block(made, key).uses for key in ("christoffel", "C", "B", "C2"))
    assert block(made, "M").uses == ("newton_euler.tau",)
    assert block(told("two_link", "newton_euler"), "B").uses == ("christoffel",)


def test_a_number_and_its_unit_stay_in_one_line() -> None:
    assert " " not in quantity(2.5e-7, "N m")
    assert " N" not in vector([1, 2], ["N m", "N m"])


def test_a_report_without_a_motion_has_no_section_on_it() -> None:
    assert "motion" not in [each.key for each in told("two_link", "energy").sections]
