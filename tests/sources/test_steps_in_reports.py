"""Every step of five teaching documents has its line in the report of the arm by the route of its heading.

`QDDOT_UPDATE=1 python -m pytest tests/sources/test_steps_in_reports.py` writes the table in docs/evidence anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import qddot
from qddot.papers.report.arm_report import ReportContents, report
from qddot.papers.report.document import Document, EquationBlock, Paragraph, Section, Table
from qddot.papers.report.levels import DERIVED_WHOLE, FULL
from qddot.papers.report.levels import LECTURE as LECTURE_LEVEL

TABLE = Path(__file__).parent.parent.parent / "docs" / "evidence" / "steps.md"
SLIDES = "Liu Shan, robot dynamics, slides, Zhejiang University"
BLOG = "Blog on the two-link arm by Lagrange's equations"
HOMEWORK = "ME 739, homework 3, the spatial two-link arm"
LECTURE = "ECE 5463, lecture 12, Ohio State University, 2018"
ENTRIES = "entries"  # equations that are given, which no route derives
NOTES = "CS223A, dynamics, Stanford University"
HEAD = """# Which equations of a report are the steps of a course?

Every step of five teaching documents has its line in the report of the arm by the route that the heading names: the
numbers are those of the equations in `qddot report ARM --route ROUTE`. What is said in words or in a table has the
number of its section. A test makes this table from the reports.

"""


class Line(NamedTuple):
    """A step of a document, and the equations of a report that show it: their key, without that of the route."""

    step: str
    key: str


class Said(NamedTuple):
    """A step of a document, and the section of a report that has it in words or in a table, with the beginning."""

    step: str
    section: str
    text: str


AGREES = Said("check by Newton and Euler", "proof", "Newton–Euler and Lagrange agree")
SYMMETRIC = Said("the mass matrix is symmetric", "equations", "The mass matrix is symmetric")
DOCUMENTS: dict[tuple[str, str, str], tuple[Line | Said, ...]] = {
    (SLIDES, "two_link", "dh4x4"): (
        Line("transforms of Denavit–Hartenberg rows", "A"),
        Line("their products to the base", "T"),
        Line("Q of a joint, ∂T/∂q = Q T", "Q"),
        Line("first derivatives U_ij", "U"),
        Line("second derivatives U_ijk", "U_ijk"),
        Line("pseudo-inertia matrices", "pseudo_inertia"),
        Line("velocity of a point, Σ U_ij q̇_j r", "T_rate"),
        Line("velocity of the centre of mass", "dp_c"),
        Said("kinetic energy as a trace", "steps", "The kinetic energy is written as a trace"),
        Line("kinetic energy of each link", "K_links"),
        Line("kinetic energy", "K"),
        Line("potential energy of each link, with the row of gravity", "P_links"),
        Line("potential energy", "P"),
        Line("Lagrangian", "L"),
        Line("traces of D_ik, link by link", "D_links"),
        Line("inertia matrix D", "M"),
        SYMMETRIC,
        Line("traces of h_ikm, link by link", "h_links"),
        Line("velocity coefficients h_ikm", "christoffel"),
        Line("gravity terms C_i, link by link", "G_links"),
        Line("gravity terms C_i", "G"),
        Line("equations of motion", "tau"),
    ),
    (SLIDES, "puma560", "dh4x4"): (
        Line("transforms of the table", "A"),
        Line("their products to the base", "T"),
        Line("Q of a joint", "Q"),
        Line("first derivatives U_ij", "U"),
        Line("second derivatives U_ijk", "U_ijk"),
        Line("pseudo-inertia matrices", "pseudo_inertia"),
        Line("traces of D_ik", "D_links"),
        Line("D_ik", "M"),
        Line("traces of h_ikm", "h_links"),
        Line("h_ikm", "christoffel"),
        Line("terms of C_i", "G_links"),
        Line("C_i", "G"),
    ),
    (SLIDES, "one_link", "energy"): (
        Line("velocity of the mass", "v_c"),
        Line("kinetic energy of each link", "K_links"),
        Line("kinetic energy", "K"),
        Line("potential energy of each link", "P_links"),
        Line("potential energy", "P"),
        Line("Lagrangian", "L"),
        Line("∂L/∂θ̇", "dL_dqd"),
        Line("d/dt ∂L/∂θ̇", "dp"),
        Line("∂L/∂θ", "dL_dq"),
        Line("torque", "tau"),
    ),
    (BLOG, "slider", "energy"): (
        Line("kinetic energy", "K"),
        Line("potential energy", "P"),
        Line("Lagrangian", "L"),
        Line("∂L/∂v", "dL_dqd"),
        Line("d/dt ∂L/∂v = m a", "dp"),
        Line("∂L/∂x", "dL_dq"),
        Line("f = m a", "tau"),
    ),
    (BLOG, "planar_2r", "com_jacobian"): (
        Line("transforms of modified Denavit–Hartenberg rows", "A"),
        Line("poses of the frames 1 and 2", "T"),
        Line("positions of the centres of mass", "p_c"),
        Line("linear Jacobians of the centres of mass", "Jv"),
        Line("angular Jacobians", "Jw"),
        Line("velocities of the centres of mass in base axes", "dp_c"),
        Line("angular velocities in base axes", "w_base"),
        Line("inertia tensors in base axes, I = R I_c Rᵀ", "I_base"),
        Line("translational part of the kinetic energy", "M_v"),
        Line("rotational part of the kinetic energy", "M_w"),
        Line("mass matrix", "M"),
        Line("velocity terms", "C"),
        Line("gravity terms", "G"),
        Line("equations of motion", "tau"),
    ),
    (BLOG, "planar_2r", "energy"): (
        Line("angular velocities", "w"),
        Line("velocities of the centres of mass", "v_c"),
        Line("kinetic energies of the links", "K_links"),
        Line("velocities of the centres of mass in base axes", "dp_c"),
        Line("angular velocities in base axes", "w_base"),
        Line("inertia tensors in base axes, and the same energies", "I_base"),
        Line("potential energies of the links", "P_links"),
        Line("Lagrangian", "L"),
        Line("∂L/∂q̇", "dL_dqd"),
        Line("d/dt ∂L/∂q̇", "dp"),
        Line("∂L/∂q", "dL_dq"),
        Line("torques", "tau"),
        Said("energies in body axes and in base axes", "proof", "The kinetic energy"),
        AGREES,
    ),
    (BLOG, "planar_2r", "newton_euler"): (
        Line("velocities and accelerations, outward", "dw"),
        Line("forces and moments, inward", "n"),
        Line("the same torques", "tau"),
    ),
    (HOMEWORK, "spatial_2r", "com_jacobian"): (
        Line("T_1, T_2 between neighbours", "A"),
        Line("T_1, T_2 to the base", "T"),
        Said("poses at 0 and 90°", "transforms", "A sketch by hand can confirm the pose"),
        Line("positions of the centres of mass, o_c", "p_c"),
        Line("T_c1, T_c2", "T_c"),
        Line("axes z", "z"),
        Line("origins o", "o"),
        Line("linear Jacobians J_v", "Jv"),
        Line("angular Jacobians J_ω", "Jw"),
        Said("J_v by differentiation of o_c", "proof", "The Jacobians are derivatives"),
        Line("m J_vᵀ J_v of each link", "M_v"),
        Line("J_ωᵀ R I Rᵀ J_ω of each link", "M_w"),
        Line("D(q)", "M"),
        SYMMETRIC,
        Line("derivatives d_ijk", "m_ijk"),
        Line("Christoffel symbols", "christoffel"),
        Line("Coriolis matrix B", "B"),
        Line("centrifugal matrix C", "C2"),
        Line("−J_vᵀ m g of each link", "G_links"),
        Line("gravity vector G", "G"),
        Said("matrix equation", "equations", "The equations of motion are"),
        Line("one equation for each joint", "tau"),
    ),
    (LECTURE, "spherical_pendulum", "energy"): (
        Line("kinetic energy", "K"),
        Line("potential energy", "P"),
        Line("Lagrangian", "L"),
        Line("∂L/∂q̇", "dL_dqd"),
        Line("d/dt ∂L/∂q̇", "dp"),
        Line("∂L/∂q", "dL_dq"),
        Line("two equations of motion", "tau"),
    ),
    (LECTURE, "elbow_3r", "screw"): (
        Line("screw axes", "S"),
        Line("home poses", "M_home"),
        Line("exponentials", "exponential"),
        Line("screw axes in the links' frames", "B_body"),
        Line("body Jacobians", "J_body"),
        Line("spatial inertias", "spatial_inertia"),
        Line("twists V_i", "V"),
        Line("kinetic energies ½ V_iᵀ G_i V_i", "K_links"),
        Line("ad_V", "ad_V"),
        Line("accelerations V̇_i", "dV"),
        Line("wrenches F = G V̇ − ad_Vᵀ G V", "F_b"),
        Line("J_ibᵀ G_i J_ib of each link", "M_b"),
        Line("mass matrix", "M"),
        Line("derivatives of the mass matrix", "m_ijk"),
        Line("Christoffel symbols", "christoffel"),
        Line("Coriolis matrix", "C"),
        Line("m g h of each link", "P_links"),
        Line("potential energy", "P"),
        Line("gravity vector", "G"),
        Line("equations of motion", "tau"),
        Said("power of wrenches and twists", "proof", "The power of the twists"),
    ),
    (LECTURE, "puma560_1986", ENTRIES): (
        Line("constants", "constants"),
        Line("mass matrix", "M"),
        Line("Coriolis matrix", "B"),
        Line("centrifugal matrix", "C2"),
        Line("gravity vector", "G"),
        Line("equations of motion", "tau"),
    ),
    (NOTES, "rp", "newton_euler"): (
        Line("ω, outward", "w"),
        Line("v, outward", "v"),
        Line("ω̇, outward", "dw"),
        Line("v̇, outward", "a"),
        Line("v̇ of the centres of mass", "a_c"),
        Line("Newton's equation", "F"),
        Line("Euler's equation", "N_c"),
        Line("f, inward", "f"),
        Line("n, inward", "n"),
        Line("projection on the joints", "newton_euler.tau"),
    ),
    (NOTES, "rp", "com_jacobian"): (
        Line("centres of mass", "p_c"),
        Line("J_v of the links", "Jv"),
        Line("J_ω of the links", "Jw"),
        Line("m J_vᵀ J_v of the links", "M_v"),
        Line("J_ωᵀ I J_ω of the links", "M_w"),
        Line("mass matrix", "M"),
        Line("m_ijk", "m_ijk"),
        Line("b_ijk", "christoffel"),
        Said("b_iii = 0, and b_iji = 0 for i > j", "proof", "The Christoffel symbols"),
        Said("V = Ṁ q̇ − ½ [q̇ᵀ M_q q̇]", "equations", "The velocity terms are"),
        Line("B", "B"),
        Line("C", "C2"),
        Line("potential energy", "P"),
        Line("G, link by link", "G_links"),
        Line("G", "G"),
        Line("equations of motion", "tau"),
    ),
    (NOTES, "rp", "energy"): (
        Line("K of the links", "K_links"),
        Line("K", "K"),
        Line("P of the links", "P_links"),
        Line("P", "P"),
        Line("momenta M q̇", "dL_dqd"),
        Line("their rates, Ṁ q̇ among them", "dp"),
        Line("M_q, the derivatives of M", "M_q"),
        Line("Ṁ, and V = Ṁ q̇ − ½ [q̇ᵀ M_q q̇]", "M_rate"),
        Line("∂L/∂q", "dL_dq"),
        Line("equations of motion", "tau"),
    ),
}


@cache
def document(arm: str, route: str) -> Document:
    """The report; that on a long arm is the lecture, which shows each step for one link."""
    loaded = qddot.load(arm)
    eq = loaded.equations() if route == ENTRIES else loaded.equations(route)
    level = LECTURE_LEVEL if loaded.n > DERIVED_WHOLE else FULL
    return report(ReportContents([eq.textbook()], eq.prove([])), level=level)


def texts(section: Section) -> Iterator[str]:
    """The sentences and the cells of a section."""
    for block in Document("", "", "en", (section,)).blocks():
        if isinstance(block, Paragraph):
            yield "".join(map(str, block.parts))
        elif isinstance(block, Table):
            yield from (str(cell) for row in block.rows for cell in row if isinstance(cell, str | Paragraph))


def section_of(arm: str, route: str, line: Said) -> int:
    """The number of the section that has a step in words, or 0."""
    sections = enumerate(document(arm, route).sections, 1)
    of_key = ((k, each) for k, each in sections if each.key == line.section)
    return next((k for k, each in of_key if any(line.text in text for text in texts(each))), 0)


def numbers(arm: str, route: str, line: Line | Said) -> str:
    """The numbers of the equations in a report that show a step, or that of the section which says it."""
    if isinstance(line, Said):
        return f"section {section_of(arm, route, line)}"
    made, key = document(arm, route), line.key
    known = made.numbers()
    first, last = known.get(f"{route}.{key}") or known[key] if key != "tau" else known["tau"]
    return f"({first})" if first == last else f"({first})–({last})"


def table() -> Iterator[str]:
    for (title, arm, route), lines in DOCUMENTS.items():
        by = "" if route == ENTRIES else f" by `{route}`"
        yield f"## {title}: `{arm}`{by}\n\n| step | equations |\n|---|---|\n"
        yield from (f"| {line.step} | {numbers(arm, route, line)} |\n" for line in lines)
        yield "\n"


@pytest.mark.parametrize(
    ("document_of", "lines"), DOCUMENTS.items(), ids=[f"{arm}-{route}" for _, arm, route in DOCUMENTS]
)
def test_every_step_of_a_document_is_shown(document_of: tuple[str, str, str], lines: tuple[Line | Said, ...]) -> None:
    _, arm, route = document_of
    shown = {block.key for block in document(arm, route).blocks() if isinstance(block, EquationBlock) and block.listed}
    equations = [line for line in lines if isinstance(line, Line)]
    assert [line for line in equations if not {line.key, f"{route}.{line.key}"} & shown] == []
    assert [line for line in lines if isinstance(line, Said) and not section_of(arm, route, line)] == []


def test_the_table_of_steps_is_that_of_the_reports() -> None:
    text = HEAD + "".join(table()).rstrip() + "\n"
    if os.environ.get("QDDOT_UPDATE"):
        TABLE.write_text(text, encoding="utf-8")
    assert TABLE.read_text(encoding="utf-8") == text
