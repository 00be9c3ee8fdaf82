"""Evaluates the expressions of a program, and calls its functions and those of libraries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from qddot.teach.check.reading.programs import arrays, form, library, signs
from qddot.teach.check.reading.programs.stating import Equations
from qddot.teach.check.reading.programs.values import (
    ATOM,
    PRODUCT,
    SIGN,
    Array,
    Formula,
    Frame,
    Function,
    Library,
    Missing,
    Object,
    Symbols,
    UnknownError,
    atom,
    bound,
    is_listed,
    joined,
    whole,
)

MOST_STEPS = 60_000
CONSTANTS: dict[str, Any] = {"True": True, "False": False, "None": None}
INDEX = re.compile(r"[a-z]")


class Evaluation:
    """This evaluates the expressions of one program; its statements are those of the class that has it as its base.

    functions: those that are stated by themselves
    """

    def __init__(self, program: form.Program, equations: Equations) -> None:
        self.program, self.equations = program, equations
        self.steps = 0
        self.functions: list[Function] = []

    def step(self) -> None:
        """Counts a step. raises UnknownError: the program takes too many"""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise UnknownError("the program takes too many steps")

    def state(self, function: Function) -> Any:
        """Interprets the body of a function with its parameters as symbols, and states its result."""
        raise NotImplementedError

    def assign(self, target: form.Expression, value: Any, frame: Frame, is_index: bool = False) -> None:
        """Gives a variable, an entry or a field a value. is_index: whether it is one of a loop, which is not stated"""
        raise NotImplementedError

    def body(self, function: Function, frame: Frame) -> None:
        """Interprets the body of a function; what it returns is in the frame."""
        raise NotImplementedError

    def call(self, function: Function, arguments: Sequence[Any], by_name: dict[str, Any], at: int) -> Any:
        """Returns what a function of the program returns for some arguments."""
        parameters = function.parameters
        values = dict(zip((each.name for each in parameters), arguments, strict=False)) | by_name
        is_same = all(isinstance(value, Formula) and value.text == name for name, value in values.items())
        frame_of = function.owner if function.owner is not None else None
        if is_same and function.around.is_stated and function in self.functions and values:
            value = self.state(function) if function.state == "new" else function.result
            if function.state == "stated" and value is not None:
                return value
        if any(isinstance(value, Formula) and value.whole is not None for value in values.values()):
            function.state = "helper" if function.state == "new" else function.state
        inner = Frame(function.around.number, {}, function.around, False, function)
        for each in parameters:
            if each.name in values:
                inner.variables[each.name] = values[each.name]
            elif each.default is not None:
                default = self.value(each.default, function.around)
                is_plain = isinstance(default, Formula) and default.is_number
                is_symbol = is_plain and not INDEX.fullmatch(each.name)
                inner.variables[each.name] = atom(each.name, at, None) if is_symbol else default
            else:
                raise UnknownError(f"{function.name} has no value of {each.name}")
        if frame_of is not None:
            inner.variables["self"] = frame_of
        self.body(function, inner)
        if isinstance(inner.returned, Missing):
            raise UnknownError(inner.returned.reason)
        return inner.returned

    # expressions

    def formula(self, expression: form.Expression, frame: Frame) -> Formula:
        return arrays.formula_of(self, self.value(expression, frame), expression.span[0])

    def number(self, expression: form.Expression, frame: Frame) -> int:
        value = self.value(expression, frame)
        if isinstance(value, Formula) and value.whole is not None:
            return value.whole
        raise UnknownError("an index is not known")

    def value(self, expression: form.Expression, frame: Frame) -> Any:
        self.step()
        at = expression.span[0]
        match expression:
            case form.Number():
                text = expression.text.replace("_", "")
                if expression.is_whole:
                    number = int(text, 0)
                    return whole(number, at)._replace(origins=tuple(range(at, at + len(str(number)))))
                return Formula(text, tuple(range(at, at + len(text))), is_number=True)
            case form.String():
                return expression.text
            case form.Name():
                return self._named(expression, frame)
            case form.Unary():
                return self.unary(expression.sign, self.value(expression.value, frame), at)
            case form.Binary():
                if expression.sign in ("and", "or"):
                    holds = self.condition(expression.left, frame)
                    decided = holds == (expression.sign == "or")
                    return holds if decided else self.condition(expression.right, frame)
                left, right = self.value(expression.left, frame), self.value(expression.right, frame)
                return self.binary(expression.sign, left, right, expression.left.span[1])
            case form.Choice():
                holds = self.condition(expression.condition, frame)
                return self.value(expression.value if holds else expression.other, frame)
            case form.Call():
                return self._call(expression, frame)
            case form.Index():
                return arrays.item(self, self.value(expression.value, frame), expression.indices, frame, at)
            case form.Attribute():
                return library.attribute(self, self.value(expression.value, frame), expression.name, expression)
            case form.Listed():
                values = list(self.arguments(expression.values, frame))
                return tuple(values) if expression.is_tuple else values
            case form.Table():
                return {self.key(k, frame): self.value(v, frame) for k, v in expression.pairs}
            case form.Lambda():
                body = (form.Return(expression.value, expression.span),)
                return Function("lambda", expression.parameters, body, frame, state="helper", span=expression.span)
            case form.Comprehension():
                inner = Frame(frame.number, {}, frame, False, frame.function)
                if expression.key is None:
                    return [self.value(expression.value, inner) for _ in self._cases(expression.each, inner)]
                cases = self._cases(expression.each, inner)
                return {self.key(expression.key, inner): self.value(expression.value, inner) for _ in cases}
        raise UnknownError("this is not read")

    def key(self, expression: form.Expression, frame: Frame) -> Any:
        """Returns the key of an entry of a dictionary."""
        return arrays.key_of(self.value(expression, frame))

    def arguments(self, expressions: Sequence[form.Expression], frame: Frame) -> Iterator[Any]:
        for each in expressions:
            if isinstance(each, form.Starred):
                yield from self.each(self.value(each.value, frame), each.span[0])
            else:
                yield self.value(each, frame)

    def _cases(self, each: Sequence[form.Each], frame: Frame) -> Iterator[None]:
        """Assigns the targets of a comprehension for each of its values."""
        if not each:
            yield
            return
        first, *rest = each
        for value in self.each(self.value(first.values, frame), first.values.span[0]):
            self.assign(first.target, value, frame, is_index=True)
            if all(self.condition(condition, frame) for condition in first.conditions):
                yield from self._cases(rest, frame)

    def each(self, value: Any, at: int) -> Iterator[Any]:
        """Yields the values over which a loop goes. raises UnknownError: their number is not known"""
        yield from arrays.values_of(self, value, at)

    def _named(self, name: form.Name, frame: Frame) -> Any:
        at = name.span[0]
        try:
            value = frame.find(name.text)
        except KeyError:
            if name.text in CONSTANTS:
                return CONSTANTS[name.text]
            if name.text in library.FUNCTIONS or name.text in library.MODULES:
                return Library(name.text)
            return Formula(name.text, tuple(range(at, at + len(name.text))), ATOM, None, None)
        if isinstance(value, Missing):
            raise UnknownError(value.reason)
        if isinstance(value, Formula) and value.level == ATOM and not value.is_number:
            return value._replace(origins=(at,) * len(value.text))
        return value

    def _call(self, call: form.Call, frame: Frame) -> Any:
        at = call.span[0]
        function = self.value(call.function, frame)
        arguments = list(self.arguments(call.arguments, frame))
        by_name = {name: self.value(value, frame) for name, value in call.by_name if name}
        if isinstance(function, Function):
            return self.call(function, arguments, by_name, at)
        if isinstance(function, Object):
            return function
        if isinstance(function, Symbols):
            return function.name
        if isinstance(function, Library):
            return library.call(self, function, arguments, by_name, at)
        if isinstance(function, Formula):  # tau(t), or a function that is not known
            if re.fullmatch(r"tau|u|F|gradient\(.*", function.text) or (
                arguments and all(_text(each) == "t" for each in arguments)
            ):
                return function
            raise UnknownError(f"the function {function.text} is not known")
        raise UnknownError("this is no function")

    def apply(self, function: Any, arguments: Sequence[Any], at: int) -> Any:
        """Returns the value of a function of the program or of a library."""
        if isinstance(function, Function):
            return self.call(function, arguments, {}, at)
        if isinstance(function, Library):
            return library.call(self, function, list(arguments), {}, at)
        raise UnknownError("this is no function")

    def unary(self, sign: str, value: Any, at: int) -> Any:
        if sign == "T":
            return signs.transposed(self, value, at)
        if sign == "not":
            if isinstance(value, bool):
                return not value
            raise UnknownError("whether the condition holds is not known")
        if isinstance(value, Array) and value.name is None:
            return value.copy(entries=[self.unary(sign, entry, at) for entry in value.entries])
        value = arrays.formula_of(self, value, at)
        if sign == "+":
            return value
        negative = joined(["-", bound(value, PRODUCT)], at, SIGN, value.shape)
        return negative._replace(whole=None if value.whole is None else -value.whole, is_number=value.is_number)

    def binary(self, sign: str, left: Any, right: Any, at: int) -> Any:
        return signs.binary(self, sign, left, right, at)

    def condition(self, condition: form.Expression, frame: Frame) -> bool:
        """Returns whether a condition holds. raises UnknownError: that is not known"""
        value = self.value(condition, frame)
        if isinstance(value, Formula) and value.whole is not None:
            return value.whole != 0
        if isinstance(value, bool) or value is None or is_listed(value) or isinstance(value, (str, dict)):
            return bool(value)
        raise UnknownError("whether the condition holds is not known")


def _text(value: Any) -> str:
    return value.text if isinstance(value, Formula) else ""
