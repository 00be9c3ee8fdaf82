"""Writes the state derivative of an arm from its equations in textbook form, with parameters in place of numbers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from importlib import import_module
from typing import cast

from qddot.base.errors import QddotError, few
from qddot.base.words.language import ENGLISH
from qddot.base.words.message import told
from qddot.exact.equations.quantities import Quantities
from qddot.exact.equations.quantity_table import QUANTITIES
from qddot.exact.forms.textbook.textbook import Textbook
from qddot.exact.printing.digits import ROUNDED_DIGITS, NumberForm
from qddot.exact.printing.notation import of_expression
from qddot.exact.printing.state_function import Block, Parameter, StateFunction, WrittenFunction
from qddot.exact.printing.writer import Sheet
from qddot.machine.compilers.exported import comment
from qddot.robot.bodies import Symbol
from qddot.robot.model import Model
from qddot.robot.symbol_values import refuse_missing

ROOM = "qddot.exact.printing"
FUNCTIONS = {"matlab": f"{ROOM}.matlab_function", "python": f"{ROOM}.numpy_function"}  # each has its FUNCTION


def files_of(model: Model, language: str, name: str, free: Collection[str], origin: str) -> dict[str, str]:
    """Returns the text of the function's file by its name.

    name: the function's; free: symbols that become arguments; origin: where the function comes from
    raises QddotError: quaternions in the state, a mass matrix that depends on rates, or symbols without a value
    """
    written = cast("Callable[[StateFunction], WrittenFunction]", import_module(FUNCTIONS[language]).FUNCTION)
    function = written(state_function(model, name, free, origin))
    return {f"{name}{function.SUFFIX}": function.text()}


def state_function(model: Model, name: str, free: Collection[str], origin: str) -> StateFunction:
    """Returns the state derivative as data; arguments and errors as in `files_of`."""
    if model.freedoms:
        raise QddotError("quaternions-in-readable-code", name=model.name, positions=few(model.quasi_positions))
    short = Textbook(Quantities(model), lumped=False)
    blocks = [Block(QUANTITIES[array.name].sentence, array, column) for array, column in short.assembled.parts]
    used = Sheet([block.array for block in blocks]).variables()
    refuse_missing(used.intersection(model.symbols) - {*model.defaults(), *free, model.time}, model.name)
    arguments = [Parameter(each, None, _about(model.symbols[each])) for each in free]
    constants = [
        Parameter(each.name, of_expression(each.value)._replace(numbers=NumberForm.DECIMALS), _about(each))
        for each in model.symbols.values()
        if each.name in used.difference(free) and each.value is not None
    ]
    is_rounded = short.is_rounded([block.array.name for block in blocks])
    rounded = [f"Numbers are rounded to {ROUNDED_DIGITS} digits."] if is_rounded else []
    notes, title = [*_of_motors(model), *rounded, origin], comment(model.title or model.name)
    return StateFunction(name, title, notes, model.coordinates, [*arguments, *constants], blocks)


def _about(symbol: Symbol) -> str:
    return comment(", ".join(filter(None, (symbol.unit, symbol.meaning))))


def _of_motors(model: Model) -> list[str]:
    """Returns a sentence on the joints without motors, if there are any."""
    return (
        [comment(f"No motor drives {told(few(model.passive), ENGLISH)}: tau is zero there.")] if model.passive else []
    )
