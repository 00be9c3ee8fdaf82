"""Interprets a program over written formulas: it computes indices, loops, lists and calls, and states equations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from qddot.teach.check.reading.programs import arrays, form, library, signs, states
from qddot.teach.check.reading.programs.evaluation import INDEX, Evaluation
from qddot.teach.check.reading.programs.functions import ACCELERATIONS, MOTION, is_result, result_of
from qddot.teach.check.reading.programs.stating import Equations
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
    array_of,
    atom,
    is_listed,
    part_of,
    whole,
)
from qddot.teach.check.reading.texts.written import Written

MOST_ROUNDS, DEEPEST = 300, 30
PARAMETERS = re.compile(r"p|par\w*|const\w*|args|c|k")  # one argument for all constants
STEPS = {"eps", "tol", "delta", "dt"}  # parameters of functions that differentiate or integrate by small steps
TIME = ("t", "time")


class JumpError(Exception):
    """A loop is left, or goes on with the next round; the text is the word."""


class ReturnError(Exception):
    """A function returns."""


class Interpreter(Evaluation):
    """This interprets one program; its equations are in `equations`."""

    def __init__(self, program: form.Program, written: Written) -> None:
        super().__init__(program, Equations(written))
        self.depth = self.numbered = 0

    def run(self, variables: dict[str, Any] | None = None) -> Written:
        """Returns the equations of the program; variables: those of the cells before it in a notebook"""
        frame = Frame(variables={} if variables is None else variables)
        with suppress(ReturnError, JumpError):  # a program may stop, as by raise
            self.block(self.program.statements, frame)
        for function in self.functions:  # later ones may be defined within earlier ones
            if function.state == "new":
                self.state(function)
        self.equations.flush(frame.number)
        return self.equations.done()

    # statements

    def block(self, statements: Sequence[form.Statement], frame: Frame) -> None:
        for statement in statements:
            self.step()
            try:
                self.statement(statement, frame)
            except UnknownError as reason:
                self._miss(statement, frame, str(reason))

    def _miss(self, statement: form.Statement, frame: Frame, reason: str) -> None:
        """Notes that what a statement assigns is not known."""
        if isinstance(statement, form.Assign):
            for target in statement.targets:
                self._miss_target(target, frame, reason)
        elif isinstance(statement, form.Return) and frame.function is not None:
            frame.returned = Missing(reason)
            raise ReturnError
        elif isinstance(statement, (form.For, form.While, form.If)):
            for target in _assigned(statement):
                self._miss_target(target, frame, reason)

    def _miss_target(self, target: form.Expression, frame: Frame, reason: str) -> None:
        for each in target.values if isinstance(target, form.Listed) else (target,):
            while isinstance(each, (form.Index, form.Starred)):
                each = each.value
            if isinstance(each, form.Name):
                frame.variables[each.text] = Missing(reason)
                self.equations.drop(each.text, frame.number)
                if frame.is_stated:
                    self.equations.miss(self.equations.name(each.text, frame.number, each.span[0]))

    def statement(self, statement: form.Statement, frame: Frame) -> None:
        match statement:
            case form.Assign():
                value = self.value(statement.value, frame)
                for target in statement.targets:
                    if statement.sign:
                        value = self.binary(statement.sign, self.value(target, frame), value, statement.span[0])
                    self.assign(target, value, frame)
            case form.Equation():
                left, right = (self.formula(side, frame) for side in (statement.left, statement.right))
                self.equations.state(left, right)
            case form.For():
                self._loop(statement, frame)
            case form.While():
                self._rounds(statement, frame)
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
                    if name != "*" and module.split(".")[0] in library.LIBRARIES:
                        frame.variables[name] = Library(module.split(".")[-1])
            case form.Delete():
                for target in statement.targets:
                    self._miss_target(target, frame, "it is deleted")
            case form.Stated():
                self._stated(statement, frame)
            case form.Unparsed():
                self.equations.keep(statement.span)

    def _stated(self, statement: form.Stated, frame: Frame) -> None:
        """Interprets an expression by itself: only methods that change a value have an effect."""
        call = statement.value
        if isinstance(call, form.Call) and isinstance(call.function, (form.Attribute, form.Name)):
            name = call.function.name if isinstance(call.function, form.Attribute) else call.function.text
            if name in ("append", "extend", "update", "insert") or self._is_own(call.function, frame):
                self.value(call, frame)
            elif name == "Eq":
                value = self.value(call, frame)
                if isinstance(value, Stating) and frame.is_stated:
                    self.equations.state(value.left, value.right)

    def _is_own(self, function: form.Expression, frame: Frame) -> bool:
        try:
            return isinstance(self.value(function, frame), Function)
        except UnknownError:
            return False

    def _class(self, statement: form.Class, frame: Frame) -> None:
        """Defines a class, whose fields are symbols of their names where they are only given values from outside."""
        owner = Object()
        for each in statement.body:
            if isinstance(each, form.Function):
                has_self = bool(each.parameters) and each.parameters[0].name in ("self", "cls")
                function = Function(
                    each.name, each.parameters[has_self:], each.body, frame, owner if has_self else None, span=each.span
                )
                owner.functions[each.name] = function
                if each.name == "__init__":
                    self.state(function)
                elif frame.is_stated:
                    self.functions.append(function)
        frame.variables[statement.name] = owner

    def _loop(self, loop: form.For, frame: Frame) -> None:
        for value in self.each(self.value(loop.values, frame), loop.span[0]):
            self.assign(loop.target, value, frame, is_index=True)
            if not self._round(loop.body, frame):
                return

    def _rounds(self, loop: form.While, frame: Frame) -> None:
        for _ in range(MOST_ROUNDS):
            if not self.condition(loop.condition, frame):
                return
            if not self._round(loop.body, frame):
                return
            self.block(loop.step, frame)
        raise UnknownError("the loop does not end")

    def _round(self, body: Sequence[form.Statement], frame: Frame) -> bool:
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
                self._miss_target(target, frame, "it depends on a condition")
            if returns:
                frame.returned = Missing("it depends on a condition")
                raise ReturnError from None
            return
        self.block(choice.body if holds else choice.other, frame)

    # assignments

    def assign(self, target: form.Expression, value: Any, frame: Frame, is_index: bool = False) -> None:
        match target:
            case form.Name():
                frame.variables[target.text] = (
                    value
                    if is_index or not frame.is_stated
                    else self.equations.assign(target.text, frame.number, value, target.span[0])
                )
                if frame.is_stated and isinstance(value, Stating) and value.is_system:
                    frame.outputs.append(target.text)
            case form.Listed():
                self._unpack(target, value, frame, is_index)
            case form.Starred():
                self.assign(target.value, value, frame, is_index)
            case form.Attribute():
                owner = self.value(target.value, frame)
                if not isinstance(owner, Object):
                    return
                owner.fields[target.name] = (
                    self.equations.assign(target.name, frame.number, value, target.span[0])
                    if frame.is_stated and isinstance(value, (Formula, Array, Stating))
                    else value
                )
            case form.Index():
                root, indices = _root_of(target)
                owner = self.value(root, frame)
                if isinstance(owner, Array):  # M[0][1] is M[0, 1]
                    target = form.Index(root, indices, target.span)
                    is_outer = isinstance(root, form.Name) and root.text not in frame.variables
                    if is_outer and frame.is_stated and frame.function is not None:
                        return  # a function that is not called changes nothing outside
                arrays.set_entry(self, self.value(target.value, frame), target, value, frame)

    def _unpack(self, target: form.Listed, value: Any, frame: Frame, is_index: bool) -> None:
        places, at = target.values, target.span[0]
        starred = next((k for k, each in enumerate(places) if isinstance(each, form.Starred)), None)
        if isinstance(value, Stating) and value.is_system:  # a, b = solve(M, rhs)
            names: list[Formula] = [self.name(each, frame) for each in places]
            self.equations.state(signs.product(value.left, arrays.column(names, at), at), value.right)
            for each, name in zip(places, names, strict=True):
                if isinstance(each, form.Name):
                    frame.variables[each.text] = name
            return
        if isinstance(value, Formula) and PARAMETERS.fullmatch(value.text):
            values: list[Any] = [atom(each.text, at) for each in places if isinstance(each, form.Name)]
        elif isinstance(value, Formula) and value.shape is None and starred is None:
            values = [part_of(value, (k,), at) for k in range(len(places))]
        else:
            values = list(self.each(value, at))
        if starred is not None:
            behind = len(places) - starred - 1
            values = [*values[:starred], values[starred : len(values) - behind], *values[len(values) - behind :]]
        if len(values) != len(places):
            raise UnknownError(f"{len(values)} values for {len(places)} names")
        for each, entry in zip(places, values, strict=True):
            self.assign(each, entry, frame, is_index)

    def name(self, target: form.Expression, frame: Frame) -> Formula:
        if not isinstance(target, form.Name):
            raise UnknownError("this is no name")
        return self.equations.name(target.text, frame.number, target.span[0])

    # functions

    def state(self, function: Function) -> Any:
        """Interprets the body of a function with its parameters as symbols, and states its result."""
        function.state = "stated"
        self.numbered += 1
        frame = Frame(self.numbered, {}, function.around, True, function)
        names = [each.name for each in function.parameters]
        for each in function.parameters:
            at = function.span[0]
            self.equations.take(each.name, frame.number)
            default = each.default
            frame.variables[each.name] = atom(each.name, at, None)
            if isinstance(default, form.Number) and default.is_whole and INDEX.fullmatch(each.name):
                frame.variables[each.name] = whole(int(default.text), at)
        state, motion = self._state_of(names), None
        if state:
            size = states.state_size(function.body, state, frame)
            frame.variables[state] = motion = states.state_of(state, size, function.span[0])
        if function.owner is not None:
            frame.variables["self"] = function.owner
        self.body(function, frame)
        if state and states.state_rates(self, motion, frame, function.span[0]):
            function.result = None
        else:
            arguments = ", ".join(names)
            function.result = self._result(function, result_of(function.name, arguments), frame)
        self.equations.flush(frame.number)
        return function.result

    def _state_of(self, names: Sequence[str]) -> str:
        """Returns the parameter that is the state in f(t, x) or f(x, t)."""
        if len(names) > 1 and names[0] in TIME:
            return names[1]
        return names[0] if len(names) > 1 and names[1] in TIME else ""

    def body(self, function: Function, frame: Frame) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            self.depth -= 1
            raise UnknownError("functions call one another too deeply")
        try:
            self.block(function.body, frame)
        except (ReturnError, JumpError):
            pass
        finally:
            self.depth -= 1

    def _result(self, function: Function, result: str, frame: Frame) -> Any:
        """States what a function returns under the name of the quantity after which it is called."""
        value, at = frame.returned, function.span[0]
        if isinstance(value, Missing):
            self.equations.miss(atom(result, at))
            return value
        for each in value if is_listed(value) else (value,):
            if isinstance(each, Array):
                self.equations.named(each)
        named = value.name if isinstance(value, Array) else value
        own = self.equations.own_name(named.text) if isinstance(named, Formula) else ""
        if own and isinstance(named, Formula):
            is_known = is_result(result) or result == ACCELERATIONS
            if result != own and is_known and not is_result(own) and not MOTION.fullmatch(own):
                self.equations.rename(named.text, result)
            return value
        if is_listed(value) and all(_is_stated(each) for each in value):
            return value
        if is_listed(value):
            try:
                value = array_of(value)
            except UnknownError:
                return frame.returned
        if isinstance(value, (Array, Formula, Stating)):
            return self.equations.assign(result, -1, value, at)
        return value


def _is_stated(value: Any) -> bool:
    """Returns whether a value is only a name."""
    if isinstance(value, Array):
        return value.name is not None
    return isinstance(value, Formula) and re.fullmatch(r"[^\W\d]\w*", value.text) is not None


def _assigned(statement: form.Statement) -> Iterator[form.Expression]:
    """Yields what the statements within a loop or a condition assign."""
    match statement:
        case form.Assign():
            yield from statement.targets
        case form.For() | form.While():
            for each in statement.body:
                yield from _assigned(each)
        case form.If():
            for each in (*statement.body, *statement.other):
                yield from _assigned(each)


def _root_of(entry: form.Index) -> tuple[form.Expression, tuple[form.Expression, ...]]:
    """Returns the variable whose entry is assigned, and all of the indices."""
    root: form.Expression = entry.value
    indices = entry.indices
    while isinstance(root, form.Index):
        indices = (*root.indices, *indices)
        root = root.value
    return root, indices
