"""Defines the positions and velocities of free and spherical joints: quaternions, their rates, and the fields of ν."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qddot.algebra.freedoms import Freedoms
from qddot.algebra.spatial import summed
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing.notation import rate, symbol
from qddot.exact.printing.tree import Equation, Symbol
from qddot.papers.report.document import Block, EquationBlock, Paragraph
from qddot.papers.report.formula import Formula, Operator
from qddot.papers.report.sections.blocks_of import sums, symbols
from qddot.papers.report.wording import Words
from qddot.robot.bodies import Body
from qddot.robot.model import Model


def blocks(short: Textbook, words: Words) -> Iterator[Block]:
    """Yields the meanings of each joint's positions and velocities, the rates of q, and derivatives along ν."""
    model = short.eq.model
    for k, body in enumerate(model.bodies, 1):
        freedoms = body.joint.freedoms
        if freedoms is not None:
            yield _meaning(k, body, freedoms, words)
            yield EquationBlock.of(f"rates.{k}", _rates(short, freedoms))
    # a free joint has all kinds of velocities
    first = max(model.freedoms, key=lambda freedoms: len(freedoms.velocities))
    turns, slides = first.velocities[-3:], first.slides
    parts = {"turns": turns, "mixed": (turns[0], *slides[1:2]), "third": slides[2:], "slides": slides}
    yield words.paragraph("quasi fields", **{key: symbols(map(symbol, names)) for key, names in parts.items()})


def velocities(model: Model) -> list[Symbol]:
    """Returns the names of the coordinates; where joints have quasi-velocities, these, and coordinates with a dot."""
    if not model.freedoms:
        return list(map(symbol, model.coordinates))
    quasi = {name for freedoms in model.freedoms for name in freedoms.velocities}
    return [symbol(name) if name in quasi else rate(name) for name in model.coordinates]


def _meaning(k: int, body: Body, freedoms: Freedoms, words: Words) -> Paragraph:
    parts = {"e": freedoms.quaternion, "w": freedoms.velocities[-3:], "p": freedoms.place, "v": freedoms.slides}
    listed = {key: symbols(map(symbol, names)) for key, names in parts.items()}
    listed |= {"unit": _unit(freedoms.quaternion)}
    attitude, link = words.paragraph("attitude", pose=words.name("A", k - 1)), words.link(body.name)
    return words.paragraph(f"{freedoms.kind} joint", k=str(k), link=link, pose=attitude, **listed)


def _unit(quaternion: Sequence[str]) -> Formula:
    """Returns the formula for the norm of a quaternion; in the ring it would be reduced to 1 = 1."""
    squares = symbols((symbol(name)._replace(above="2") for name in quaternion), "+")
    return Formula("1", (*squares.parts, Operator("="), Operator("1")))


def _rates(short: Textbook, freedoms: Freedoms) -> Iterator[Equation]:
    """Yields the rate of each position: Σ_a X_a ν_a."""
    ring = short.eq.ring
    fields = freedoms.fields({name: ring.coordinate(name) for name in freedoms.positions})
    moved = [
        summed(field[name] * ring.rate(velocity) for velocity, field in fields.items() if name in field)
        for name in freedoms.positions
    ]
    for name, total in zip(freedoms.positions, sums(short, moved), strict=True):
        yield Equation(rate(name), total)
