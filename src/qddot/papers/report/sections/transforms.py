"""Writes the section on the links' transforms, the centres of mass, and the tool at poses that are easy to draw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise

from qddot.exact.equations.arrays.exact_array import ExactArray
from qddot.exact.equations.centres import Centres
from qddot.exact.equations.quantity_table import QUANTITIES, told
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.tree import Product, Sum
from qddot.papers.report.document import Block, Cell, EquationBlock, Inline, Paragraph, Section, Table
from qddot.papers.report.formula import Formula, arithmetic
from qddot.papers.report.levels import WHOLE, Extent
from qddot.papers.report.sections.blocks_of import equations, in_unit, legend_of, sums
from qddot.papers.report.wording import Words

RIGHT_ANGLE = "90deg"
COMBINED = 3  # the most turning joints of which every combination of right angles is shown


def section(routes: Sequence[Textbook], words: Words, extent: Extent = WHOLE, later: Sequence[Block] = ()) -> Section:
    """Returns the poses of the links and of the tool, the centres of mass, and the tool at simple poses.

    later: the blocks of other sections, whose cosines and sines are explained here, too
    """
    short = routes[0]
    blocks: list[Block] = []
    is_located = "located" in words.traits
    for name in told(kinematic=True):
        if name == "p_c" and not is_located:
            continue
        blocks += _unknown_centres(short, words) if name == "p_c" else []
        alone = name == "T_tool" and extent.excerpt  # of the poses, one alone is shown before
        uses = ("A",) if alone else QUANTITIES[name].uses
        first, *rest = equations(short.array(name), words, uses=uses, extent=extent)
        blocks += [words.paragraph(QUANTITIES[name].told), without_repetition(short, first, words), *rest]
    explained = legend_of([*blocks, *later], words)
    title = words("transforms" if is_located else "transforms alone")
    return Section("transforms", title, (*explained, *blocks, *_simple_poses(short, words)))


def without_repetition(short: Textbook, block: Block, words: Words) -> Block:
    """Returns equations of poses in which a matrix that has been written before is replaced by its name."""
    if not isinstance(block, EquationBlock) or block.key not in ("T", "T_tool"):
        return block
    mechanism = short.eq.dynamics.mechanism
    if block.key == "T_tool":
        same = {0: ("T", mechanism.tool_link)} if short.eq.T_tool == short.eq.T[mechanism.tool_link] else {}
    else:
        same = {link.index: ("A", link.index) for link in mechanism.links if link.parent is None}
    if len(block.listed) != (1 if block.key == "T_tool" else len(mechanism.links)):  # entries are listed
        return block
    matrices = {k: Sum((Product(Fraction(1), ((words.name(*of), 1),)),)) for k, of in same.items()}
    listed = (each._replace(right=matrices.get(k, each.right)) for k, each in enumerate(block.listed))
    return block._replace(listed=tuple(listed), uses=() if block.key == "T_tool" and same else block.uses)


def _unknown_centres(short: Textbook, words: Words) -> list[Block]:
    """Returns the definitions of the symbols of centres of mass for links that are described by first moments."""
    centres = short.eq.centres
    if not isinstance(centres, Centres) or not centres.unknown:
        return []
    parts: list[Inline] = []
    for link in centres.unknown:
        mass, *moments = sums(short, [link.inertia.m, *link.inertia.h])
        name = symbol(centres.masses[link.index])
        parts += [words("next link")] if parts else []
        parts += [name, " = ", mass, ", "] if name.text in centres.new_masses else []
        x, y, z = map(symbol, centres.names[link.index])
        parts += [*words.series((x, y, z)).parts, words("are"), *words.series(moments).parts, words("divided by"), name]
    return [words.paragraph("unknown centres", centres=Paragraph(tuple(parts)))]


def _simple_poses(short: Textbook, words: Words) -> list[Block]:
    """Returns the tool's pose with all coordinates zero, and with the joints that turn it at right angles."""
    eq = short.eq
    turning = dict.fromkeys(str(body.joint.coordinate) for body in eq.model.moving() if body.joint.kind.is_angle)
    moving = [name for name in turning if any(eq.T_tool.diff(name).entries)]
    zero = {name: int(name in {each.quaternion[0] for each in eq.model.freedoms}) for name in eq.model.positions}
    rows: list[tuple[Cell, ...]] = []
    for turned in _turned_together(moving):
        at = eq.T_tool.subs({**zero, **dict.fromkeys(turned, RIGHT_ANGLE)})
        rows.append((_named(turned), *(_column(at, k) for k in (3, 0, 1, 2))))
    axes = (words("axis of tool", axis=axis) for axis in "xyz")
    titles: list[Cell] = [words("pose"), in_unit(words.formula("p"), "m"), *axes]
    blocks: list[Block] = [words.paragraph("simple poses"), Table(tuple(titles), tuple(rows))]
    return [*blocks, *([words.paragraph("rotations")] if _are_rotations(eq.T) else [])]


def _turned_together(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yields the joints at right angles: none, each alone, and combinations, of many joints those of neighbours."""
    if len(names) <= COMBINED:
        for count in range(len(names) + 1):
            yield from combinations(names, count)
    else:
        yield from ((), *((name,) for name in names), *pairwise(names))


def _named(turned: Sequence[str]) -> Formula:
    return arithmetic(" = ".join([*turned, RIGHT_ANGLE]) if turned else "q = 0")


def _column(at: ExactArray, k: int) -> Paragraph:
    """Returns three entries of a column of a 4×4 matrix."""
    x, y, z = (at.written(at.entries[4 * row + k]) for row in range(3))
    return Paragraph(("(", x, ", ", y, ", ", z, ")"))


def _are_rotations(T: ExactArray) -> bool:
    """Returns whether RᵀR = 1 and det R = 1 hold exactly for all poses."""
    return all(_is_rotation(pose[:3, :3]) for pose in T)


def _is_rotation(R: ExactArray) -> bool:
    x, y, z = (tuple(R[:, k]) for k in range(3))
    unit = all(_dot(a, b) == int(a is b) for a in (x, y, z) for b in (x, y, z))
    crossed = (x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0])
    return unit and _dot(crossed, z) == 1


def _dot(a: tuple[ExactArray, ...], b: tuple[ExactArray, ...]) -> ExactArray:
    first, second, third = (one * other for one, other in zip(a, b, strict=True))
    return first + second + third
