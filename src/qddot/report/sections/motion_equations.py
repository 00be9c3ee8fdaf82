"""Writes M, Γ, C, B and C2, G, the energies and the torques in short form, with their constants."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.equations.dependent_quantities import JOINT_PARTS
from qddot.forms.textbook import Textbook
from qddot.forms.textbook.shares.link_shares import LinkShare
from qddot.report.document import Block, Equations, Section, Share
from qddot.report.sections import joint_effects
from qddot.report.sections.blocks_of import constants, equations
from qddot.report.sections.route_steps import keys_of, needs_constants, part_to, steps, told
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
    effects = [name for name in JOINT_PARTS if short.array(name)]
    # the steps of a route have begun with what acts in the joints
    blocks: list[Block] = [] if any(map(told, routes)) else joint_effects.blocks(short, words)
    blocks.append(words.paragraph("law"))
    blocks += [] if needs_constants(routes) else constants(short, words)
    for name in QUANTITIES:
        blocks += _quantity(routes, name, words)
    blocks += [words.paragraph("scalar"), *equations(short.tau, words, uses=("M", "B", "C2", "G", *effects))]
    return Section("equations", words("equations"), tuple(blocks))


def _quantity(routes: Sequence[Textbook], name: str, words: Words) -> list[Block]:
    """Returns a quantity's law and value, behind the steps that lead to it where one route is told."""
    short, (sentence, uses) = routes[0], QUANTITIES[name]
    blocks: list[Block] = []
    keys = list(uses)
    if len(routes) == 1:
        if name in told(short):  # among the steps
            return []
        part = part_to(short, name)
        if name != "M":
            blocks += steps(short, part.steps, words)
        blocks += words.closing(short.eq.route, name)
        keys = keys_of(short, part.result) or keys
    elif name == "M":
        keys = [key for each in routes for key in keys_of(each, part_to(each, "M").result)]
    first, *rest = equations(short.array(name), words, name, keys)
    return [*blocks, words.paragraph(sentence), _with_shares(short, first, words), *rest]


def _with_shares(short: Textbook, block: Block, words: Words) -> Block:
    """Returns equations with what each link gives to their terms."""
    if not isinstance(block, Equations) or not short.eq.dynamics.has_bodies:
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


def shown(short: Textbook) -> list[str]:
    """Returns the quantities that the section writes."""
    return [*QUANTITIES, "tau", *JOINT_PARTS]
