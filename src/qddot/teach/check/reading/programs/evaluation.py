"""Evaluates the expressions of a program, and calls its functions and those of libraries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from qddot.base.words.message import say
from qddot.teach.check.reading.programs import arrays, form, library, signs
from qddot.teach.check.reading.programs.calls import Call
from qddot.teach.check.reading.programs.stating import Equations
from qddot.teach.check.reading.programs.values import (
    ATOM,
    Formula,
    Frame,
    Function,
    Library,
    Missing,
    Object,
    Symbols,
    UnknownError,
    atom,
    is_listed,
    whole,
)

MOST_STEPS = 60_000
CONSTANTS: dict[str, Any] = {"True": True, "False": False, "None": None}
INDEX = re.compile(r"[a-z]")
GIVEN = re.compile(r"tau|u|F|gradient\(.*")  # what is the same with an argument, tau(t)


class Evaluation:
    """This evaluates the expressions of one program; its statements are those of the class that has it as its base.

    functions: those that are stated by themselves
    """

    def __init__(self, equations: Equations) -> None:
        self.equations = equations
        self.steps = 0
        self.functions: list[Function] = []

    def step(self) -> None:
        """Counts a step. raises UnknownError: the program takes too many"""
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise UnknownError(say("program-takes-too-many"))

    def state(self, function: Function) -> Any:
        """Interprets the body of a function with its parameters as symbols, and states its result."""
        raise NotImplementedError

    def assign(self, target: form.Expression, value: Any, frame: Frame, is_index: bool = False) -> None:
        """Gives a variable, an entry or a field a value. is_index: whether it is one of a loop, which is not stated"""
        raise NotImplementedError

    def body(self, function: Function, frame: Frame) -> None:
        """Interprets the body of a function; what it returns is in the frame."""
        raise NotImplementedError

    def value(self, expression: form.Expression, frame: Frame) -> Any:
        """Returns the value of an expression. raises UnknownError: it has none"""
        self.step()
        at = expression.span[0]
        match expression:
            case form.Number():
                text = expression.text.replace("_", "")
                number = whole(int(text, 0), at) if expression.is_whole else Formula(text, (), is_number=True)
                return number._replace(origins=tuple(range(at, at + len(number.text))))
            case form.String():
                return expression.text
            case form.Name():
                return self._named(expression, frame)
            case form.Unary():
                return signs.unary(expression.sign, self.value(expression.value, frame), at)
            case form.Binary(sign="and" | "or"):
                holds = self.condition(expression.left, frame)
                is_decided = holds == (expression.sign == "or")
                return holds if is_decided else self.condition(expression.right, frame)
            case form.Binary():
                left, right = self.value(expression.left, frame), self.value(expression.right, frame)
                return signs.binary(expression.sign, left, right, expression.left.span[1])
            case form.Choice():
                holds = self.condition(expression.condition, frame)
                return self.value(expression.value if holds else expression.other, frame)
            case form.Call():
                return self._call(expression, frame)
            case form.Index():
                return arrays.item(self.value(expression.value, frame), self.indices(expression.indices, frame), at)
            case form.Attribute():
                return library.attribute(self.value(expression.value, frame), expression.name, at)
            case form.Listed():
                values = list(self._values(expression.values, frame))
                return tuple(values) if expression.is_tuple else values
            case form.Table():
                return {arrays.key_of(self.value(k, frame)): self.value(v, frame) for k, v in expression.pairs}
            case form.Lambda():
                body = (form.Return(expression.value, expression.span),)
                return Function("lambda", expression.parameters, body, frame, state="helper", span=expression.span)
            case form.Comprehension(key=key, value=value):
                inner = Frame(frame.number, {}, frame, False, frame.function)
                cases = self._cases(expression.each, inner)
                if key is None:
                    return [self.value(value, inner) for _ in cases]
                return {arrays.key_of(self.value(key, inner)): self.value(value, inner) for _ in cases}
        raise UnknownError(say("this-is-not-read"))

    def indices(self, indices: Sequence[form.Expression], frame: Frame) -> list[Any]:
        """Returns the values of indices, of a range of them as a slice."""
        return [
            self._slice(each, frame) if isinstance(each, form.Slice) else self.value(each, frame) for each in indices
        ]

    def _slice(self, part: form.Slice, frame: Frame) -> slice:
        ends = (part.first, part.last, part.step)
        return slice(*(None if end is None else arrays.number_of(self.value(end, frame)) for end in ends))

    def _values(self, expressions: Sequence[form.Expression], frame: Frame) -> Iterator[Any]:
        for each in expressions:
            if isinstance(each, form.Starred):
                yield from arrays.values_of(self.value(each.value, frame), each.span[0])
            else:
                yield self.value(each, frame)

    def _cases(self, each: Sequence[form.Each], frame: Frame) -> Iterator[None]:
        """Assigns the targets of a comprehension for each of its values."""
        if not each:
            yield
            return
        first, *rest = each
        for value in arrays.values_of(self.value(first.values, frame), first.values.span[0]):
            self.assign(first.target, value, frame, is_index=True)
            if all(self.condition(condition, frame) for condition in first.conditions):
                yield from self._cases(rest, frame)

    def _named(self, name: form.Name, frame: Frame) -> Any:
        at = name.span[0]
        try:
            value = frame.find(name.text)
        except KeyError:
            if name.text in CONSTANTS:
                return CONSTANTS[name.text]
            if name.text in library.FUNCTIONS or name.text in library.MODULES.split():
                return Library(name.text)
            return Formula(name.text, tuple(range(at, at + len(name.text))), ATOM, None, None)
        if isinstance(value, Missing):
            raise UnknownError(say("value-name-not-known"))
        is_atom = isinstance(value, Formula) and value.level == ATOM and not value.is_number
        return value._replace(origins=(at,) * len(value.text)) if is_atom else value

    def condition(self, condition: form.Expression, frame: Frame) -> bool:
        """Returns whether a condition holds. raises UnknownError: that is not known"""
        value = self.value(condition, frame)
        if isinstance(value, Formula) and value.whole is not None:
            return value.whole != 0
        if isinstance(value, (bool, str, dict)) or value is None or is_listed(value):
            return bool(value)
        raise UnknownError(say("whether-condition-holds-not"))

    # calls

    def _call(self, call: form.Call, frame: Frame) -> Any:
        function = self.value(call.function, frame)
        arguments = list(self._values(call.arguments, frame))
        by_name = {name: self.value(value, frame) for name, value in call.by_name if name}
        if isinstance(function, Object):
            return function
        if isinstance(function, Symbols):
            return function.name
        if isinstance(function, Formula):  # a function that is not known
            is_of_time = bool(arguments) and all(isinstance(each, Formula) and each.text == "t" for each in arguments)
            if is_of_time or GIVEN.fullmatch(function.text):
                return function
        return self.apply(function, arguments, call.span[0], by_name)

    def apply(self, function: Any, arguments: Sequence[Any], at: int, by_name: dict[str, Any] | None = None) -> Any:
        """Returns the value of a function of the program or of a library."""
        if isinstance(function, Function):
            return self._apply_own(function, arguments, by_name or {}, at)
        if isinstance(function, Library):
            return library.call_of(Call(self, list(arguments), by_name or {}, at), function)
        raise UnknownError(say("this-is-no-function"))

    def _apply_own(self, function: Function, arguments: Sequence[Any], by_name: dict[str, Any], at: int) -> Any:
        """Returns what a function of the program returns for some arguments."""
        parameters = function.parameters
        values = dict(zip((each.name for each in parameters), arguments, strict=False)) | by_name
        is_same = all(isinstance(value, Formula) and value.text == name for name, value in values.items())
        if is_same and function.around.is_stated and function in self.functions and values:
            value = self.state(function) if function.state == "new" else function.result
            if function.state == "stated" and value is not None:
                return value
        is_counted = any(isinstance(value, Formula) and value.whole is not None for value in values.values())
        if is_counted and function.state == "new":
            function.state = "helper"
        inner = Frame(function.around.number, {}, function.around, False, function)
        for each in parameters:
            if each.name in values:
                inner.variables[each.name] = values[each.name]
            elif each.default is not None:
                default = self.value(each.default, function.around)
                is_symbol = isinstance(default, Formula) and default.is_number and not INDEX.fullmatch(each.name)
                inner.variables[each.name] = atom(each.name, at, None) if is_symbol else default
            else:
                raise UnknownError(say("attribute-without-value", name=function.name, attribute=each.name))
        if function.owner is not None:
            inner.variables["self"] = function.owner
        self.body(function, inner)
        if isinstance(inner.returned, Missing):
            raise UnknownError(say("what-function-returns-not"))
        return inner.returned
