"""Tells which combinations of inertias matter, and how many operations the equations take."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from qddot.forms.base import BaseParameter, BaseParameters
from qddot.forms.textbook import Textbook
from qddot.numbers.exact import Polynomial
from qddot.printing.notation import symbol
from qddot.printing.quantity_names import name_of
from qddot.printing.reading_order import expanded
from qddot.printing.tree import Equation, Product, Sum, Symbol
from qddot.report.document import Block, Equations, Section, Table
from qddot.report.handed_in import HandedIn
from qddot.report.sections.blocks_of import symbols
from qddot.report.wording import Words

ONE = Fraction(1)
COUNTED = ("M", "christoffel", "G")


def section(short: Textbook, base: BaseParameters | str | None, given: HandedIn, words: Words) -> Section:
    """Returns the base parameters where there are any, and the counts of terms and operations."""
    return Section(
        "parameters", words("parameters"), (*_base(base, words), *_counts(short, words), *_compiled(given, words))
    )


def _base(base: BaseParameters | str | None, words: Words) -> list[Block]:
    if base is None:
        return []
    if isinstance(base, str):
        return [words.paragraph("no base", reason=base)]
    listed = [Equation(_name(k), _combination(each, base.names)) for k, each in enumerate(base, 1)]
    told = words.paragraph("base", count=str(len(base)), all=str(len(base.names)))
    blocks: list[Block] = [told, Equations.of("base", listed)]
    if base.unidentifiable:
        names = symbols(map(symbol, base.unidentifiable))
        blocks.append(words.paragraph("unfelt", names=names)._replace(result=True))
    return blocks


def _name(k: int) -> Symbol:
    return Symbol(f"beta{k}", "beta", str(k))


def _combination(parameter: BaseParameter, parameters: Sequence[str]) -> Sum:
    """Returns a parameter with the shares of those that are combined with it; quotients are written as text."""
    if any(each.denominator != 1 for each in parameter.shares):
        text = parameter.formula(parameters)
        return Sum((Product(ONE, ((Symbol(text, text), 1),)),))
    shares = (_share(each.numerator, symbol(parameters[each.parameter])) for each in parameter.shares)
    return Sum((Product(ONE, ((symbol(parameters[parameter.parameter]), 1),)), *shares))


def _share(factor: Polynomial, parameter: Symbol) -> Product:
    """Returns a factor times a parameter."""
    total = expanded(factor)
    if len(total.products) > 1:
        return Product(ONE, ((total, 1), (parameter, 1)))
    number, factors = total.products[0]
    return Product(number, (*factors, (parameter, 1)))


def _counts(short: Textbook, words: Words) -> list[Block]:
    titles = ("quantity", "expanded", "expanded operations", "short", "short operations")
    rows = []
    for name in COUNTED:
        old, new = short.normal_counts(name), short.counts(name)
        head = name_of(short.array(name).name)
        rows.append((head, *map(str, (old.terms, old.operations, new.terms, new.operations))))
    return [words.paragraph("counts"), Table(tuple(map(words, titles)), tuple(rows))]


def _compiled(given: HandedIn, words: Words) -> list[Block]:
    if not given.operations:
        return []
    rows = tuple((words(name), str(count)) for name, count in given.operations)
    return [words.paragraph("compiled"), Table((words("function"), words("operations")), rows)]
