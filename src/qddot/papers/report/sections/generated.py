"""Writes the optional sections on the abbreviated model and on generated code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from qddot.exact.equations.quantity_names import indices
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.text import Text
from qddot.exact.printing.tree import Equation
from qddot.papers.report.document import Code, EquationBlock, Paragraph, Section, Table
from qddot.papers.report.sections.blocks_of import number
from qddot.papers.report.wording import Words
from qddot.robot import units

if TYPE_CHECKING:
    from qddot.exact.forms.abbreviate import Abbreviated, AbbreviatedChain


def abbreviated(short: Abbreviated, significance: float, words: Words) -> Section:
    """Returns the entries of the abbreviated model, and the proved bounds of the dropped terms."""
    rows, law = list(short.entries()), _law(short, short.effects, significance, words)
    entries = [Equation(symbol(name), entry) for name, entry, *_ in rows]
    equations = EquationBlock.of("abbreviated", [*entries, *short.effect_equations()])
    titles = tuple(map(words, ("entry", "bound", "largest", "unit")))
    unit_of = _units(short)
    cells = tuple((symbol(name), number(bound), number(largest), unit_of[name]) for name, _, bound, _, largest in rows)
    return Section("abbreviated", words("abbreviated"), (law, equations, Table(titles, cells)))


def abbreviated_chain(short: AbbreviatedChain, significance: float, words: Words) -> Section:
    """Returns the links' entries of the abbreviated model, and the errors of the chain's."""
    own, model = short.choice.independent, short.exact.tree
    law = _law(short, short.links.effects, significance, words)
    equations = EquationBlock.of("abbreviated", short.equations())
    rows = [
        (symbol(name + indices(place)), number(error), number(largest), units.written_unit(model, name, joints))
        for name, place, error, _, largest in short.entries()
        if error
        for joints in [tuple(own[k] for k in place)]
    ]
    errors = words.paragraph("abbreviated errors", states=str(short.states))
    told = (errors, Table(tuple(map(words, ("entry", "bound", "largest", "unit"))), tuple(rows))) if rows else ()
    return Section("abbreviated", words("abbreviated"), (law, equations, *told))


def _law(
    short: Abbreviated | AbbreviatedChain, effects: Mapping[str, object], significance: float, words: Words
) -> Paragraph:
    """Returns the sentence on what is left out and how many operations remain."""
    return (words.with_traits("effects") if effects else words).paragraph(
        "abbreviated law",
        significance=f"{100 * significance:g} %",
        few=str(short.operations),
        many=str(short.exact_operations),
    )


def _units(short: Abbreviated) -> dict[str, str]:
    """Returns the unit of each entry, by its name in a text."""
    return {
        Text().write(array.named(place)): units.written_unit(short.exact.model, name, place)
        for name, array in short.arrays.items()
        for _, place, _ in array.labelled()
    }


def code(listed: Sequence[Code], words: Words) -> Section:
    """Returns the source code that was generated."""
    return Section("code", words("code"), (words.paragraph("code law"), *listed))
