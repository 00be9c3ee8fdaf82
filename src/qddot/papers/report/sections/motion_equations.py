"""Writes M, Γ, C, B and C2, G, the energies and the torques in short form, with their constants."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.exact.equations.assembled import ASSEMBLED
from qddot.exact.equations.notations import notation_of
from qddot.exact.equations.quantity_table import JOINT_PARTS, QUANTITIES, told
from qddot.exact.forms.textbook import Textbook
from qddot.exact.forms.textbook.shares.link_shares import LinkShare
from qddot.exact.printing import layout
from qddot.exact.printing.tree import Sum
from qddot.papers.report.document import Block, EquationBlock, Section, Share
from qddot.papers.report.levels import WHOLE, Extent
from qddot.papers.report.sections import in_names, joint_effects
from qddot.papers.report.sections.blocks_of import constants, equations
from qddot.papers.report.sections.route_steps import keys_of, part_to, quantities_of_steps, steps
from qddot.papers.report.wording import Words

ELSEWHERE = ("h", "K", "tau")  # quantities that stand in a route's steps, or at the end


def section(routes: Sequence[Textbook], words: Words, extent: Extent = WHOLE, before: Sequence[Block] = ()) -> Section:
    """Returns the equations of motion, whose short forms are those of the first route.

    before: the blocks of the section of steps, which have explained their constants
    """
    short = routes[0]
    if not any("K" in quantities_of_steps(each) for each in routes):
        words = words.with_traits("by_mass")  # no step has given K
    effects = [name for name in JOINT_PARTS if short.array(name)]
    # the steps of a route begin with the effects in the joints
    first: list[Block] = [] if any(map(quantities_of_steps, routes)) else joint_effects.blocks(short, words)
    first.append(words.paragraph("law"))
    blocks = [block for name in _told() for block in _quantity(routes, name, words, extent)]
    blocks += [*_velocity_torques(short, words, extent), *_assembled(short, words)]
    torques = equations(short.tau, words, uses=("M", "B", "C2", "G", *effects), extent=extent)
    is_written = any(isinstance(block, EquationBlock) for block in torques)  # they are not too long
    blocks += [*([words.paragraph("scalar")] if is_written else []), *torques]
    return Section("equations", words("equations"), (*first, *_constants(short, words, before, blocks), *blocks))


def _velocity_torques(short: Textbook, words: Words, extent: Extent) -> list[Block]:
    """Returns h = C q̇ in notations whose law has h, as V in M q̈ + V + G."""
    if "C" not in notation_of(short.eq.model.notation).letters:
        return []
    return [words.paragraph("velocity part"), *equations(short.array("h"), words, uses=("C",), extent=extent)]


def _assembled(short: Textbook, words: Words) -> list[Block]:
    """Returns the equation of all these matrices, if even the names of their entries have room."""
    (equation,) = short.assembled.equations(letters=words.letters.instance)
    assert isinstance(equation.right, Sum)
    if any(layout.of_product(product, equation.right.numbers) > layout.PAGE for product in equation.right.products):
        return []
    block = EquationBlock.of(ASSEMBLED, [equation], ("M", "B", "C2", "G"))
    return [words.paragraph(ASSEMBLED), block]


def _constants(short: Textbook, words: Words, before: Sequence[Block], blocks: Sequence[Block]) -> list[Block]:
    """Returns the constants that have not been explained before."""
    explained = [block for block in before if isinstance(block, EquationBlock) and block.key == "constants"]
    lefts = {each.left for block in explained for each in block.listed}
    return constants(short, words, blocks, lefts, "other constants" if explained else "constants")


def _quantity(routes: Sequence[Textbook], name: str, words: Words, extent: Extent) -> list[Block]:
    """Returns a quantity's law and value, for a single route after the steps that lead to it."""
    short, quantity = routes[0], QUANTITIES[name]
    blocks: list[Block] = []
    keys = list(quantity.uses)
    result: list[Block] = [words.paragraph(quantity.told)]
    if len(routes) == 1:
        if name in quantities_of_steps(short):  # among the steps
            return []
        part = part_to(short, name)
        if name != "M":
            blocks += steps(short, part.steps, words, extent=extent)
        *closing, law = words.result(short.eq.route, name, quantity.told)
        keys = keys_of(short, part.result) or keys
        laws = in_names.equations(short, name, words, name, (), extent)
        result = [*closing, *([words.paragraph("entry by entry")] if laws else []), *laws, law]
    elif name == "M":
        keys = [key for each in routes for key in keys_of(each, part_to(each, "M").result)]
    first, *rest = equations(short.array(name), words, name, keys, extent=extent)
    return [*blocks, *result, _with_shares(short, first, extent, words), *rest]


def _with_shares(short: Textbook, block: Block, extent: Extent, words: Words) -> Block:
    """Returns equations with the shares of links in their terms."""
    if not isinstance(block, EquationBlock) or not short.eq.dynamics.has_bodies:
        return block
    every, chosen = short.shares(block.key), extent.places(short.array(block.key))
    shared = every.values() if chosen is None else map(every.__getitem__, chosen)
    shares = {entry.equation.left: entry.terms for entry in shared}
    listed = (
        equation._replace(shares=tuple(tuple(_share(share, words) for share in term) for term in shares[equation.left]))
        if equation.left in shares
        else equation
        for equation in block.listed
    )
    return block._replace(listed=tuple(listed))


def _share(of: LinkShare, words: Words) -> Share:
    return Share(of.body + 1, words(f"share of {of.source}", k=str(of.body + 1)), of.value)


def written_quantities(short: Textbook) -> list[str]:
    """Returns the quantities that the section writes."""
    return [*_told(), "tau", *JOINT_PARTS]


def _told() -> list[str]:
    """Returns the quantities that the section writes one after another."""
    return [name for name in told(kinematic=False) if name not in ELSEWHERE]
