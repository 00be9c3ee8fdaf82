"""Writes M, Γ, C, B and C2, G, the energies and the torques in short form, with their constants."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.equations.dependent_quantities import JOINT_PARTS
from qddot.forms.textbook import Textbook
from qddot.forms.textbook.shares.link_shares import LinkShare
from qddot.report.document import Block, Equations, Paragraph, Section, Share
from qddot.report.sections import joint_effects
from qddot.report.sections.blocks_of import equations, legend_of
from qddot.report.sections.route_steps import LEADS_TO_M, STEPS, key_of, told
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
    # the steps of a route have begun with what acts in the joints
    blocks: list[Block] = [] if any(map(told, routes)) else joint_effects.blocks(short, words)
    blocks.append(words.paragraph("law"))
    for name, (sentence, uses) in QUANTITIES.items():
        leading = _mass_uses(routes) if name == "M" else uses
        blocks += [
            words.paragraph(sentence),
            _with_shares(short, equations(short.array(name), words, name, leading), words),
        ]
    blocks += [words.paragraph("scalar"), equations(short.tau, words, uses=("M", "B", "C2", "G", *parts))]
    if short.constants:
        blocks += [words.paragraph("constants"), Equations.of("constants", short.definitions())]
    return Section(
        "equations", words("equations"), (*blocks, *legend_of(map(short.array, (*QUANTITIES, "tau")), words))
    )


def _with_shares(short: Textbook, block: Equations | Paragraph, words: Words) -> Equations | Paragraph:
    """Returns equations with what each link gives to their terms."""
    if isinstance(block, Paragraph) or not short.eq.dynamics.has_bodies:
        return block
    shares = {entry.equation.left: entry.terms for entry in short.shares(block.key).values()}
    listed = (
        equation._replace(shares=tuple(tuple(_told(share, words) for share in term) for term in shares[equation.left]))
        if equation.left in shares
        else equation
        for equation in block.listed
    )
    return block._replace(listed=tuple(listed))


def _told(of: LinkShare, words: Words) -> Share:
    return Share(of.body + 1, words(f"share of {of.source}", k=str(of.body + 1)), of.value)


def _mass_uses(routes: Sequence[Textbook]) -> list[str]:
    return [
        key_of(short.eq.route, name)
        for short in routes
        for name in LEADS_TO_M.get(short.eq.route, ())
        if name in told(short) or name not in STEPS[short.eq.route]  # what follows from the steps
    ]


def shown(short: Textbook) -> list[str]:
    """Returns the quantities that the section writes."""
    return [*QUANTITIES, "tau", *JOINT_PARTS]
