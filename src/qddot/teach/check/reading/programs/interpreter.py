"""Interprets a program over written formulas: it computes indices, loops, lists and calls, and states equations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from qddot.base.words.message import say
from qddot.teach.check.reading.programs import form, library, signs, states
from qddot.teach.check.reading.programs.arrays import formula_of, set_entry, values_of
from qddot.teach.check.reading.programs.evaluation import INDEX, Evaluation
from qddot.teach.check.reading.programs.functions import ACCELERATIONS, MOTION, is_result, result_of
from qddot.teach.check.reading.programs.stating import Equations, literal, named, own_name
from qddot.teach.check.reading.programs.values import (
    Array,
    Formula,
    Frame,
    Function,
    Library,
    Missing,
    Object,
    Stating,
    UnknownError,
    atom,
    is_listed,
    part_of,
    unlisted,
)
from qddot.teach.check.reading.texts.written import Written

MOST_ROUNDS, DEEPEST = 300, 30
PARAMETERS = re.compile(r"p|par\w*|const\w*|args|c|k")  # one argument for all constants
STEPS = {"eps", "tol", "delta", "dt"}  # parameters of functions that differentiate or integrate by small steps
TIME = ("t", "time")
CHANGING = ("append", "extend", "update", "insert")


class JumpError(Exception):
    """A loop is left, or goes on with the next round; the text is the word."""


class ReturnError(Exception):
    """A function returns."""


class Interpreter(Evaluation):
    """This interprets one program; its equations are in `equations`."""

    def __init__(self, written: Written) -> None:
        super().__init__(Equations(written))
        self.depth = self.numbered = 0

    def run(self, program: Sequence[form.Statement], variables: dict[str, Any] | None = None) -> Written:
        """Returns the equations of a program; variables: those of the cells before it in a notebook"""
        frame = Frame(variables={} if variables is None else variables)
        with suppress(ReturnError, JumpError):  # a program may stop, as by raise
            self.block(program, frame)
        for function in self.functions:  # later ones may be defined within earlier ones
            if function.state == "new":
                self.state(function)
        self.equations.flush(frame.number)
        return self.equations.done()

    # statements

    def block(self, statements: Sequence[form.Statement], frame: Frame) -> None:
        """Interprets statements one after the other; what one that is not understood assigns is not known."""
        for statement in statements:
            self.step()
            try:
                self.statement(statement, frame)
            except UnknownError:
                for target in _assigned(statement):
                    self._miss(target, frame)
                if isinstance(statement, form.Return) and frame.function is not None:
                    frame.returned = Missing()
                    raise ReturnError from None

    def _miss(self, target: form.Expression, frame: Frame) -> None:
        """Notes that the value of a variable is not known."""
        for each in target.values if isinstance(target, form.Listed) else (target,):
            while isinstance(each, (form.Index, form.Starred)):
                each = each.value
            if isinstance(each, form.Name):
                frame.variables[each.text] = Missing()
                self.equations.drop(each.text, frame.number)
                if frame.is_stated:
                    self.equations.miss(self.equations.name(each.text, frame.number, each.span[0]))

    def statement(self, statement: form.Statement, frame: Frame) -> None:
        """Interprets a statement."""
        match statement:
            case form.Assign():
                value = self.value(statement.value, frame)
                for target in statement.targets:
                    if statement.sign:
                        value = signs.binary(statement.sign, self.value(target, frame), value, statement.span[0])
                    self.assign(target, value, frame)
            case form.Equation():
                left, right = (
                    formula_of(self.value(side, frame), side.span[0]) for side in (statement.left, statement.right)
                )
                self.equations.state(left, right)
            case form.For():
                for value in values_of(self.value(statement.values, frame), statement.span[0]):
                    self.assign(statement.target, value, frame, is_index=True)
                    if not self._goes_on(statement.body, frame):
                        return
            case form.While():
                for _ in range(MOST_ROUNDS):
                    if not (self.condition(statement.condition, frame) and self._goes_on(statement.body, frame)):
                        return
                    self.block(statement.step, frame)
                raise UnknownError(say("loop-not-end"))
            case form.If():
                self._choose(statement, frame)
            case form.Function():
                function = Function(statement.name, statement.parameters, statement.body, frame, span=statement.span)
                frame.variables[statement.name] = function
                if frame.is_stated and not STEPS & {each.name for each in statement.parameters}:
                    self.functions.append(function)
            case form.Class():
                self._class(statement, frame)
            case form.Return():
                if statement.value is not None:
                    frame.returned = self.value(statement.value, frame)
                raise ReturnError
            case form.Jump():
                raise JumpError(statement.word)
            case form.Import():
                for name, module in statement.names:
                    if name != "*" and module.split(".")[0] in library.LIBRARIES.split():
                        frame.variables[name] = Library(module.split(".")[-1])
            case form.Stated():
                self._stated(statement, frame)
            case form.Unparsed():
                self.equations.keep(statement.span)

    def _stated(self, statement: form.Stated, frame: Frame) -> None:
        """Interprets an expression by itself: only methods that change a value have an effect."""
        call = statement.value
        if isinstance(call, form.Call) and isinstance(call.function, (form.Attribute, form.Name)):
            name = call.function.name if isinstance(call.function, form.Attribute) else call.function.text
            with suppress(UnknownError):
                if name in CHANGING or name == "Eq" or isinstance(self.value(call.function, frame), Function):
                    value = self.value(call, frame)
                    if name == "Eq" and isinstance(value, Stating) and frame.is_stated:
                        self.equations.state(value.left, value.right)

    def _class(self, statement: form.Class, frame: Frame) -> None:
        """Defines a class, whose fields are symbols of their names where they are only given values from outside."""
        owner = Object()
        for each in (own for own in statement.body if isinstance(own, form.Function)):
            has_self = bool(each.parameters) and each.parameters[0].name in ("self", "cls")
            own_object = owner if has_self else None
            function = Function(each.name, each.parameters[has_self:], each.body, frame, own_object, span=each.span)
            owner.functions[each.name] = function
            if each.name == "__init__":
                self.state(function)
            elif frame.is_stated:
                self.functions.append(function)
        frame.variables[statement.name] = owner

    def _goes_on(self, body: Sequence[form.Statement], frame: Frame) -> bool:
        """Interprets one round of a loop; returns whether the loop goes on."""
        try:
            self.block(body, frame)
        except JumpError as jump:
            return str(jump) == "continue"
        return True

    def _choose(self, choice: form.If, frame: Frame) -> None:
        try:
            holds = self.condition(choice.condition, frame)
        except UnknownError:
            returns = [each for each in (*choice.body, *choice.other) if isinstance(each, form.Return)]
            if returns and not choice.other and all(each.value is None for each in returns):
                return  # if …: raise …
            for target in _assigned(choice):
                self._miss(target, frame)
            if returns:
                frame.returned = Missing()
                raise ReturnError from None
            return
        self.block(choice.body if holds else choice.other, frame)

    # assignments

    def assign(self, target: form.Expression, value: Any, frame: Frame, is_index: bool = False) -> None:
        """Gives a variable, an entry or a field a value. is_index: whether it is one of a loop, which is not stated"""
        at, equations = target.span[0], self.equations
        match target:
            case form.Name(text=name):
                is_stated = frame.is_stated and not is_index
                frame.variables[name] = equations.assign(name, frame.number, value, at) if is_stated else value
            case form.Listed():
                self._unpack(target, value, frame, is_index)
            case form.Starred():
                self.assign(target.value, value, frame, is_index)
            case form.Attribute(name=name):
                owner = self.value(target.value, frame)
                is_stated = frame.is_stated and isinstance(value, (Formula, Array, Stating))
                if isinstance(owner, Object):
                    owner.fields[name] = equations.assign(name, frame.number, value, at) if is_stated else value
            case form.Index():
                root, indices = _root_of(target)
                owner = self.value(root, frame)
                if isinstance(owner, (Array, Formula)):  # M[0][1] is M[0, 1]
                    target = form.Index(root, indices, target.span)
                if isinstance(owner, Array):
                    is_outer = isinstance(root, form.Name) and root.text not in frame.variables
                    if is_outer and frame.is_stated and frame.function is not None:
                        return  # a function that is not called changes nothing outside
                owner = self.value(target.value, frame)
                if isinstance(owner, Formula) and not frame.is_stated:
                    raise UnknownError(say("value-without-entries"))
                set_entry(equations, owner, self.indices(target.indices, frame), value, at)

    def _unpack(self, target: form.Listed, value: Any, frame: Frame, is_index: bool) -> None:
        places, at = target.values, target.span[0]
        if isinstance(value, Stating) and value.is_system:  # a, b = solve(M, rhs)
            names = [self._name(each, frame) for each in places]
            unknowns = literal(Array((len(names),), list(names)), at)
            self.equations.state(signs.product(value.left, unknowns, at), value.right)
            return
        starred = next((k for k, each in enumerate(places) if isinstance(each, form.Starred)), None)
        if isinstance(value, Formula) and PARAMETERS.fullmatch(value.text):
            values: list[Any] = [atom(each.text, at) for each in places if isinstance(each, form.Name)]
        elif isinstance(value, Formula) and value.shape is None and starred is None:
            values = [part_of(value, (k,), at) for k in range(len(places))]
        else:
            values = list(values_of(value, at))
        if starred is not None:
            end = len(values) - (len(places) - starred - 1)
            values = [*values[:starred], values[starred:end], *values[end:]]
        if len(values) != len(places):
            raise UnknownError(say("more-values-names-fewer"))
        for each, entry in zip(places, values, strict=True):
            self.assign(each, entry, frame, is_index)

    def _name(self, target: form.Expression, frame: Frame) -> Formula:
        """Returns the name of a variable that is an unknown of a system."""
        if not isinstance(target, form.Name):
            raise UnknownError(say("this-is-no-name"))
        name = self.equations.name(target.text, frame.number, target.span[0])
        frame.variables[target.text] = name
        return name

    # functions

    def state(self, function: Function) -> Any:
        """Interprets the body of a function with its parameters as symbols, and states its result."""
        function.state = "stated"
        self.numbered += 1
        frame, at = Frame(self.numbered, {}, function.around, True, function), function.span[0]
        names = [each.name for each in function.parameters]
        for name, default in ((each.name, each.default) for each in function.parameters):
            self.equations.take(name, frame.number)
            is_index = isinstance(default, form.Number) and default.is_whole and INDEX.fullmatch(name)
            frame.variables[name] = self.value(default, frame) if default and is_index else atom(name, at, None)
        motion = None
        if len(names) > 1 and (names[0] in TIME or names[1] in TIME):  # f(t, x) or f(x, t)
            state = names[names[0] in TIME]
            size = states.state_size(function.body, state, frame)
            frame.variables[state] = motion = states.state_of(state, size, at)
        if function.owner is not None:
            frame.variables["self"] = function.owner
        self.body(function, frame)
        is_rate = states.state_rates(self.equations, motion, frame.returned, at)
        function.result = None if is_rate else self._result(result_of(function.name, ", ".join(names)), frame, at)
        self.equations.flush(frame.number)
        return function.result

    def body(self, function: Function, frame: Frame) -> None:
        """Interprets the body of a function; what it returns is in the frame."""
        if self.depth == DEEPEST:
            raise UnknownError(say("functions-call-another-too"))
        self.depth += 1
        try:
            with suppress(ReturnError, JumpError):
                self.block(function.body, frame)
        finally:
            self.depth -= 1

    def _result(self, result: str, frame: Frame, at: int) -> Any:
        """States what a function returns under the name of the quantity after which it is called."""
        value = frame.returned
        if isinstance(value, Missing):
            self.equations.miss(atom(result, at))
            return value
        for each in value if is_listed(value) else (value,):
            if isinstance(each, Array):
                named(each)
        name: Any = value.name if isinstance(value, Array) else value
        if own := own_name(name):
            is_known = is_result(result) or result == ACCELERATIONS
            if result != own and is_known and not is_result(own) and not MOTION.fullmatch(own):
                self.equations.rename(name.text, result)
            return value
        if is_listed(value) and all(_is_stated(each) for each in value):
            return value
        try:
            return self.equations.assign(result, -1, unlisted(value), at)
        except UnknownError:
            return value


def _is_stated(value: Any) -> bool:
    """Returns whether a value is only a name."""
    if isinstance(value, Array):
        return value.name is not None
    return isinstance(value, Formula) and re.fullmatch(r"[^\W\d]\w*", value.text) is not None


def _assigned(statement: form.Statement) -> Iterator[form.Expression]:
    """Yields what a statement assigns, or those within a loop or a condition do."""
    match statement:
        case form.Assign():
            yield from statement.targets
        case form.For(body=body) | form.While(body=body):
            yield from (target for each in body for target in _assigned(each))
        case form.If(body=body, other=other):
            yield from (target for each in (*body, *other) for target in _assigned(each))


def _root_of(entry: form.Index) -> tuple[form.Expression, tuple[form.Expression, ...]]:
    """Returns the variable whose entry is assigned, and all of the indices."""
    if not isinstance(entry.value, form.Index):
        return entry.value, entry.indices
    root, indices = _root_of(entry.value)
    return root, (*indices, *entry.indices)
