"""Writes M, Γ, C, B and C2, G, springs, friction, the energies and the torques in short form, with their constants."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.equations.quantities import JOINT_PARTS
from qddot.forms.textbook import Textbook
from qddot.report.document import Block, Equations, Section
from qddot.report.sections.blocks_of import equations, legend_of
from qddot.report.sections.route_steps import LEADS_TO_M, key_of, told
from qddot.report.wording import Words

QUANTITIES = {  # each with its sentence and what it uses
    "M": ("mass", ()),
    "christoffel": ("christoffel", ("M",)),
    "C": ("coriolis matrix", ("christoffel",)),
    "B": ("coriolis", ("christoffel",)),
    "C2": ("centrifugal", ("christoffel",)),
    "P": ("energies", ("p_c",)),
    "G": ("weights", ("P",)),
}


def section(routes: Sequence[Textbook], words: Words) -> Section:
    """Returns the equations of motion, whose short forms are those of the first route."""
    short = routes[0]
    parts = [name for name in JOINT_PARTS if short.array(name)]
    blocks: list[Block] = [words.paragraph("law with parts" if parts else "law")]
    for name, (sentence, uses) in QUANTITIES.items():
        blocks += [
            words.paragraph(sentence),
            equations(short.array(name), name, _mass_uses(routes) if name == "M" else uses),
        ]
    for name in parts:
        blocks += [words.paragraph(name), equations(short.array(name))]
    blocks += [words.paragraph("scalar"), equations(short.tau, uses=("M", "B", "C2", "G", *parts))]
    if short.constants:
        blocks += [words.paragraph("constants"), Equations.of("constants", short.definitions())]
    return Section(
        "equations", words("equations"), (*blocks, *legend_of(map(short.array, (*QUANTITIES, "tau")), words))
    )


def _mass_uses(routes: Sequence[Textbook]) -> list[str]:
    return [
        key_of(short.eq.route, name)
        for short in routes
        for name in LEADS_TO_M.get(short.eq.route, ())
        if name in told(short)
    ]


def shown(short: Textbook) -> list[str]:
    """Returns the quantities that the section writes."""
    return [*QUANTITIES, "tau", *JOINT_PARTS]
