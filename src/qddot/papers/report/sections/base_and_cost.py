"""Writes the section on the base parameters and the numbers of operations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from qddot.exact.forms.base import BaseParameter, BaseParameters
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing.digits import NumberForm, form_of
from qddot.exact.printing.notation import symbol
from qddot.exact.printing.reading_order import expanded
from qddot.exact.printing.tree import Equation, Product, Sum, Symbol
from qddot.papers.report.document import Block, EquationBlock, Section, Table
from qddot.papers.report.finished_parts import FinishedParts
from qddot.papers.report.formula import Formula, Operator
from qddot.papers.report.sections.blocks_of import called, times
from qddot.papers.report.wording import Words

ONE = Fraction(1)
TENSOR = re.compile(r"I[xyz]{2}\d")
COUNTED = ("M", "christoffel", "G")
MOST_LISTED = 12  # the most base parameters that are all listed, also those that are single parameters


def section(short: Textbook, base: BaseParameters | str | None, finished_parts: FinishedParts, words: Words) -> Section:
    """Returns the base parameters where there are any, and the counts of terms and operations."""
    blocks = _base(base, words) if short.eq.dynamics.has_bodies else [words.paragraph("no base of entries")]
    return Section(
        "parameters", words("parameters"), (*blocks, *_counts(short, words), *_compiled(finished_parts, words))
    )


def _base(base: BaseParameters | str | None, words: Words) -> list[Block]:
    if base is None:
        return []
    if isinstance(base, str):
        return [words.paragraph("no base", reason=base)]
    form = form_of(share.numerator for each in base for share in each.shares)
    single = {k: each for k, each in enumerate(base, 1) if not each.shares and len(base) > MOST_LISTED}
    listed = [
        Equation(_name(k, words), _combination(each, base.names, form, words))
        for k, each in enumerate(base, 1)
        if k not in single
    ]
    number = "one_combination" if len(base) == 1 else "combinations"
    paragraph = words.with_traits(number).paragraph("base", count=str(len(base)), all=str(len(base.names)))
    blocks: list[Block] = [paragraph, EquationBlock.of("base", listed)]
    if single:
        equal = (_equal(_name(k, words), _parameter(base.names[each.parameter], words)) for k, each in single.items())
        blocks.append(words.paragraph("single", equations=words.series(equal))._replace(result=True))
    if base.special:
        texts = {name: str(base.model.symbols[name].value) for name in base.special}
        values = (_equal(symbol(name), Symbol(text, text)) for name, text in texts.items())
        blocks.append(words.paragraph("special", values=words.series(values)))
    if base.unidentifiable:
        names = words.series(_parameter(name, words) for name in base.unidentifiable)
        blocks.append(words.paragraph("unfelt", names=names)._replace(result=True))
    return blocks


def _name(k: int, words: Words) -> Symbol:
    return words.letters.instance(Symbol(f"beta{k}", "beta", str(k)))


def _equal(left: Symbol, right: Symbol) -> Formula:
    return Formula(f"{left.text} = {right.text}", (left, Operator("="), right))


def _parameter(name: str, words: Words) -> Symbol:
    """Returns the name of a parameter, for an inertia with the remark that it is about the frame's origin."""
    plain = symbol(name)
    return words.letters.instance(plain._replace(above="o") if TENSOR.match(name) else plain)


def _combination(parameter: BaseParameter, parameters: Sequence[str], form: NumberForm, words: Words) -> Sum:
    """Returns a parameter with the shares of those that are combined with it; quotients are written as text."""
    if any(each.denominator != 1 for each in parameter.shares):
        text = parameter.formula(parameters)
        return Sum((Product(ONE, ((Symbol(text, text), 1),)),))
    shares = (
        times(expanded(each.numerator, form), _parameter(parameters[each.parameter], words))
        for each in parameter.shares
    )
    return Sum((Product(ONE, ((_parameter(parameters[parameter.parameter], words), 1),)), *shares), form)


def _counts(short: Textbook, words: Words) -> list[Block]:
    titles = ("quantity", "expanded", "expanded operations", "short", "short operations")
    rows = []
    for name in COUNTED:
        old, new = short.normal_counts(name), short.counts(name)
        rows.append((called(name, words), *map(str, (old.terms, old.operations, new.terms, new.operations))))
    return [words.paragraph("counts"), Table(tuple(map(words, titles)), tuple(rows))]


def _compiled(finished_parts: FinishedParts, words: Words) -> list[Block]:
    if not finished_parts.operations:
        return []
    rows = tuple((words(name), str(count)) for name, count in finished_parts.operations)
    return [words.paragraph("compiled"), Table((words("function"), words("operations")), rows)]
