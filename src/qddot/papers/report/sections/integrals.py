"""Writes the section on inertias by integration: the integrals over each shape, and the tensors that follow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from qddot.algebra.expressions.expression import Expression
from qddot.algebra.expressions.parser import expression
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.tree import Symbol
from qddot.papers.report.document import Block, Cell, Paragraph, Section, Table
from qddot.papers.report.formula import THIN, Formula, Operator, arithmetic, formula
from qddot.papers.report.sections.blocks_of import equations, sums
from qddot.papers.report.sections.the_arm import ROOT, TENSOR
from qddot.papers.report.wording import Words
from qddot.robot.shapes.steps import Integral, Iterated, integrals, readable
from qddot.robot.shapes.uniform import Part

CIRCULAR = re.compile(r"(cos|sin)\((\w+)\)(?:\*\*(\d+))?\*?")
RAISED = {"2": "²", "3": "³"}
EXPLAINED = {"phi": "round", "theta": "spherical", "zeta": "conical"}  # the trait of a sentence on each variable


def section(short: Textbook, words: Words) -> Section | None:
    """Returns the integrals and the tensors of all links, or None if no inertia is given by shapes."""
    bodies = short.eq.model.bodies
    uniform = [(k, body.shapes.parts) for k, body in enumerate(bodies, 1) if body.shapes is not None]
    if not uniform:
        return None
    blocks: list[Block] = [words.paragraph("integrals idea")]
    for k, parts in uniform:
        for number, part in enumerate(parts, 1):
            blocks += _part(part, (k, number) if len(parts) > 1 else (k,), short, words)
    integrated = [each for _, parts in uniform for part in parts for each in integrals(part)]
    variables = {name for each in integrated for region in each.regions for name in region.variables}
    traits = (trait for name, trait in EXPLAINED.items() if name in variables)
    blocks.append(words.with_traits(*traits).paragraph("variables"))
    blocks += _tensors(short, words)
    return Section("integrals", words("integrals"), tuple(blocks))


def _part(part: Part, place: tuple[int, ...], short: Textbook, words: Words) -> Iterator[Block]:
    """Yields what a shape is, its integrals with their results, and its tensor if no equation has it."""
    m, com, tensor = part.central
    density = part.density
    traits = {"massive": density is None, "dense": density is not None, "axial": part.axis, "turned": part.is_turned}
    words = words.with_traits(*(trait for trait, holds in traits.items() if holds))
    yield words.paragraph(
        "shape of a link" if len(place) > 1 else "uniform link",
        link=str(place[0]),
        shape=str(place[-1]),
        noun=words(f"shape {part.name}"),
        axis=symbol(part.axis),
        sizes=words.series(_size(name, size, words) for name, size in part.named_sizes.items()),
        m=_written(m),
        density="" if density is None else _written(density),
        com=_written(*com),
    )
    rows = [row for each in integrals(part) for row in _rows(each, words)]
    if len(place) > 1 or not _are_located(short):
        entries = {name: entry for name in TENSOR if (entry := expression(getattr(tensor, name)))}
        values = sums(short, [entry.evaluate(short.eq.ring) for entry in entries.values()])
        about = words("about its centre")
        rows += [(words.formula(f"I_{name}"), about, value) for name, value in zip(entries, values, strict=True)]
    yield Table(tuple(map(words, ("integral", "over the shape", "value"))), tuple(rows))


def _size(name: str, value: Expression, words: Words) -> Paragraph:
    return Paragraph((words(f"size {name}"), " ", _written(value)))


def _written(*values: Any) -> Formula:
    """Returns an expression, or several as a vector."""
    texts = [ROOT.sub(r"√\1", readable(expression(value))) for value in values]
    return _formula(arithmetic(texts[0] if len(texts) == 1 else f"({', '.join(texts)})").parts)


def _are_located(short: Textbook) -> bool:
    """Returns whether the centres of mass of all links are known."""
    return all(body.com is not None for body in short.eq.model.bodies)


def _left(integral: Integral, words: Words) -> Formula:
    """Returns 𝒱 = ∫ⅆ𝒱, or ∫x² ⅆm."""
    if not integral.of:
        return words.formula("𝒱 = ∫ ⅆ𝒱")  # V is a twist
    return words.formula(f"∫ {integral.of[0]}{'²' if len(integral.of) == 2 else ''} ⅆm")


def _rows(integral: Integral, words: Words) -> Iterator[tuple[Cell, ...]]:
    """Yields a row for each region of an integral, times the density; the last one has the value of their sum."""
    factor = words.formula("ρ").parts if integral.of else ()
    for k, region in enumerate(integral.regions, 1):
        law = _formula((*factor, *_iterated(region, words)))
        value = _written(integral.value) if k == len(integral.regions) else ""
        yield _left(integral, words) if k == 1 else "+", law, value


def _formula(parts: tuple[Symbol | Operator, ...]) -> Formula:
    """Returns a formula whose text has the signs of a line, from which follows how wide it is."""
    upper = (part.upper.text if isinstance(part, Operator) and part.upper else "" for part in parts)
    return Formula("".join(part.text + above for part, above in zip(parts, upper, strict=True)), parts)


def _iterated(iterated: Iterated, words: Words) -> Iterator[Symbol | Operator]:
    """Yields the signs of an iterated integral with their limits, what is integrated, and its differentials."""
    own = iterated.variables

    def written(text: str) -> Formula:
        law = arithmetic(text)
        named = (words.letters(part) if isinstance(part, Symbol) and part.text in own else part for part in law.parts)
        return law._replace(parts=tuple(named))

    for each in iterated.limits:
        yield Operator("∫", lower=written(each.lower), upper=written(each.upper))
    integrand, end = "" if iterated.integrand == "1" else iterated.integrand, 0
    for match in CIRCULAR.finditer(integrand):
        yield from written(integrand[end : match.start()]).parts
        yield from [Operator(THIN)] * bool(match.start())
        yield from formula(f"{match[1]}{RAISED.get(match[3], '')}").parts
        yield from (Operator(THIN), *written(match[2]).parts)
        end = match.end()
    yield from written(integrand[end:]).parts
    for name in reversed(own):
        yield from (Operator(THIN), Operator("d"), *written(name).parts)


def _tensors(short: Textbook, words: Words) -> Iterator[Block]:
    """Yields the tensors of all links about their centres of mass and the origins of their frames, and J̄."""
    if _are_located(short):
        yield words.paragraph("central tensors")
        yield from equations(short.array("I_c"), words)
    yield words.paragraph("parallel axes")
    yield from equations(short.array("I_o"), words)
    yield words.step("pseudo_inertia")
    yield from equations(short.array("pseudo_inertia"), words, key="integrals.pseudo_inertia")
