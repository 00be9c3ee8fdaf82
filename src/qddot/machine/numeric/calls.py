"""Calls the functions of a system: a table maps a function and the keywords of a call to compiled code.

A call with only arrays takes a third to a half of a microsecond, one with keywords about one. A call without an entry
in the table is checked, traced and compiled first.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache, wraps
from inspect import Parameter, Signature
from operator import is_
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from qddot.base.errors import EvaluationError
from qddot.base.records import record
from qddot.base.system.parts import installed
from qddot.machine.compilers.kernels import making
from qddot.machine.tracing.functions import FUNCTIONS, Function
from qddot.machine.tracing.options import OPTIONS, Bodies
from qddot.machine.tracing.ports import WRENCHES
from qddot.robot.model import Model
from qddot.robot.symbol_values import PASSED, REMEDY, refuse_missing, symbols_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qddot.algebra.program.program import Program
    from qddot.machine.compilers.batch import BatchFunction
    from qddot.machine.compilers.function_store import FunctionStore
    from qddot.machine.numeric.guarded_calls import GuardedCalls
    from qddot.physics.systems import System

Out: TypeAlias = "NDArray[np.float64] | NDArray[np.float32]"  # an array to fill
Method = TypeVar("Method", bound=Callable[..., Any])
Kind = TypeVar("Kind")
SETTINGS = ("out", "dtype", "threads", "check")  # keywords of every function
SEVERAL = (list, tuple)
KEYWORD = Parameter.POSITIONAL_OR_KEYWORD
MARGIN, NONE = "margin", (0.0,)  # the name of the code of `tracing.possible`, and its first argument
LARGEST_TABLE = 256  # the most entries of the table


@record(slots=True)
class Request:
    """A request contains everything that the code of one function of one system depends on.

    system: its fingerprint, with that of its independent coordinates
    free: symbols whose values are passed with each call, sorted
    options: options of the function that differ from the defaults
    """

    function: str
    system: str
    free: tuple[str, ...] = ()
    options: tuple[tuple[str, int | str | bool | Bodies], ...] = ()


def compiled(method: Method) -> Method:
    """Makes a method without a body call the function of its name; types and docstring remain those of the method."""
    return calling(FUNCTIONS[method.__name__], method)


@lru_cache(maxsize=64)
def by_record(function: Function) -> Callable[..., Any]:
    """Returns the method of a function that has only its record."""
    options = [Parameter(name, KEYWORD, default=OPTIONS[name].usual) for name in function.options]
    wrenches = [Parameter(WRENCHES, KEYWORD, default=None)] if function.pushed else []
    arrays = [Parameter(name, KEYWORD) for name in ("self", *function.arrays)]
    values = Parameter("values", Parameter.VAR_KEYWORD)
    written = Signature([*arrays, *wrenches, *options, values])

    def method(*given: Any, **keywords: Any) -> None:
        written.bind(*given, **keywords)

    method.__name__, method.__doc__ = function.name, f"Returns {function.sentence}."
    method.__qualname__ = f"arm.{function.name}"
    return calling(function, method)


def calling(function: Function, method: Method) -> Method:
    """Returns a method that calls a function; `method` has its signature, types and docstring, and no body."""
    count = len(function.arrays)

    @wraps(method)
    def call(self: Any, /, *arrays: Any, **keywords: Any) -> Any:
        if not keywords and len(arrays) == count:
            try:
                prepared = self._table[function]  # faster than `get` if the key exists
            except KeyError:
                prepared = results = None
            else:
                results = prepared.entry(*arrays)
            return self._calls.results(function, arrays, keywords, None, prepared) if results is None else results
        if not keywords:
            options = arrays[count:]
            try:
                prepared = self._table[function, options]
                results = prepared.entry(*arrays[:count]) if all(map(is_, prepared.options, options)) else None
            except (KeyError, TypeError):  # a first call, or a list among the options
                results = None
            if results is not None:
                return results
        out = keywords.pop("out", None)
        if len(arrays) > count:
            prepared = self._calls.unnamed(function, arrays[count:], keywords)
        else:
            prepared = self._table.get((function, *keywords) if keywords else function)
        if prepared is None or len(arrays) < count:
            return by_name(self, arrays, keywords, out)
        if keywords:
            results = prepared.at_once(arrays[:count], keywords, out)
        elif out is None:
            results = prepared.entry(*arrays[:count])
        else:
            results = prepared.entry(*arrays[:count], *(out if type(out) in SEVERAL and out else (out,)))
        if results is None and len(arrays) > count:
            return by_name(self, arrays, keywords, out)
        return self._calls.results(function, arrays, keywords, out, prepared) if results is None else results

    def by_name(self: Any, arrays: Sequence[Any], keywords: Mapping[str, Any], out: Any) -> Any:
        """Returns the outputs for arguments of any form, and remembers options that are given without their names."""
        method(self, *arrays, **keywords)  # raises Python's own error if the arguments do not fit
        named = {**dict(zip(function.parameters, arrays, strict=False)), **keywords}
        results = self._calls.results(function, [named.pop(name) for name in function.arrays], named, out)
        self._calls.remember(function, arrays[count:], keywords, named)
        return results

    return cast("Method", call)


def named_as_written(kind: type[Kind]) -> type[Kind]:
    """Makes Python's own errors say `arm.mass_matrix()`, as users write it, instead of the name of a class."""
    for name, method in vars(kind).items():
        if isinstance(method, FunctionType) and not name.startswith("_"):
            getattr(method, "__wrapped__", method).__qualname__ = f"arm.{name}"
    return kind


class PreparedCall:
    """A prepared call has the code for all calls of the same form, and passes their arguments to it.

    fixed: the settings and options that it was prepared for. They are compared by identity: a value that is merely
        equal, such as threads=True, has to be checked
    options: those of a form in which they are given without their names
    """

    def __init__(
        self,
        code: BatchFunction,
        keywords: Mapping[str, Any],
        symbols: Sequence[str],
        margin: BatchFunction | None,
        divided: bool = False,
        quaternions: Sequence[int] = (),
        options: tuple[Any, ...] = (),
    ) -> None:
        """keywords: the keywords of a call; symbols: those that are symbols, in the order of the code's inputs

        margin: of the symbols' values, negative if no robot has them, None if all are possible; divided: whether the
        code divides by M; quaternions: where they begin in q, which is the first array
        """
        self.code, self._margin, self._divided, self._quaternions = code, margin, divided, quaternions
        self.options = options
        self.symbols = tuple(symbols)
        self._is_in_order = self.symbols == tuple(keywords)
        self.fixed = tuple((name, kept(value)) for name, value in keywords.items() if name not in symbols)
        self.settings = {name: keywords[name] for name in ("threads", "check") if name in keywords}
        threads, check = keywords.get("threads"), keywords.get("check", False)
        is_straight = check is False and (threads is None or (type(threads) is int and threads == 1))
        self.entry: Callable[..., Any] = code.entry if is_straight else _none
        if quaternions and is_straight:
            from qddot.machine.numeric.manifold import of_unit_quaternions

            self.entry = of_unit_quaternions(code.entry, quaternions)

    def without_names(self, options: tuple[Any, ...], keywords: Mapping[str, Any]) -> PreparedCall:
        """Returns the call in the form in which options are given without their names, beside keywords."""
        return PreparedCall(self.code, keywords, self.symbols, self._margin, self._divided, self._quaternions, options)

    def is_met(self, keywords: Mapping[str, Any]) -> bool:
        """Returns whether a call has the settings and options that this one was prepared for."""
        return all(keywords[name] is value for name, value in self.fixed)

    def at_once(self, arrays: Sequence[Any], keywords: Mapping[str, Any], out: Any) -> Any:
        """Returns the outputs by the code's fast entry, or None if the call is not suitable for it."""
        for name, value in self.fixed:
            if keywords[name] is not value:
                return None
        values = tuple(keywords.values() if self._is_in_order else map(keywords.__getitem__, self.symbols))
        if self._margin is not None and not self._admits(values):
            return None
        if out is None:
            return self.entry(*arrays, *values)
        return self.entry(*arrays, *values, *(out if type(out) in SEVERAL and out else (out,)))

    def _admits(self, values: tuple[Any, ...]) -> bool:
        """Returns whether values of the symbols are known to be possible."""
        if self._margin is None:
            return False
        margin = self._margin.entry(NONE, *values)
        if margin is None:
            try:
                margin = self._margin.results((NONE, *values), None)
            except EvaluationError:  # of a shape or a type, for which the code itself has an error
                return False
        return bool((margin.min(initial=0.0) if margin.ndim else margin.item()) >= 0)

    def check_values(self, model: Model, values: tuple[Any, ...]) -> None:
        """Raises ModelError for values of the symbols that no robot has, EvaluationError if M is singular with them."""
        if self._margin is not None and not self._admits(values):
            from qddot.machine.numeric.possible_values import refuse

            refuse(model, dict(zip(self.symbols, values, strict=True)), self._divided)


class Calls:
    """This calls the functions of one system; their compiled code lives as long as the object."""

    def __init__(self, system: System) -> None:
        self.system, self.tree = system, system.tree
        self.table: dict[Any, PreparedCall] = {}

    @cached_property
    def _guarded(self) -> GuardedCalls:
        from qddot.machine.numeric.guarded_calls import GuardedCalls

        return GuardedCalls(self.system, lambda q, symbols: self.results(FUNCTIONS["closure"], [q], symbols))  # type: ignore[arg-type]  # no other systems have guarded functions

    @cached_property
    def _store(self) -> FunctionStore:
        from qddot.machine.compilers.function_store import (
            FunctionStore,  # NumPy and LLVM are imported at the first call
        )

        return FunctionStore()

    def results(
        self,
        function: Function,
        arrays: Sequence[Any],
        keywords: Mapping[str, Any],
        out: Any = None,
        prepared: PreparedCall | None = None,
    ) -> Any:
        """Returns the outputs of a function, for its arrays and keywords of any kind.

        raises EvaluationError: shapes or types are wrong, a symbol is unknown or has no value, or independent
            coordinates do not determine the others; ModelError: no robot has such values of the symbols
        """
        if self.tree.freedoms:
            arrays = self._with_unit_quaternions(arrays)
        if prepared is None or (keywords and not prepared.is_met(keywords)):
            if function.pushed and WRENCHES in keywords:
                wrenches, keywords = keywords[WRENCHES], {name: keywords[name] for name in keywords if name != WRENCHES}
                if wrenches is not None:
                    function, arrays = function.with_wrenches, (*arrays, wrenches)
            prepared = self._prepared_call(function, keywords)
            if prepared is None and not have_signals(arrays):
                prepared = self._prepared(function, keywords)
        if prepared is not None:
            try:
                numbers = tuple(keywords[name] for name in prepared.symbols)
                prepared.check_values(self.tree, numbers)
                results = prepared.code.results((*arrays, *numbers), out, **prepared.settings)
                if results is not None:
                    return results
                symbols = dict(zip(prepared.symbols, numbers, strict=True))
                return self._guarded.results(function, prepared.code, arrays, symbols, prepared.settings, out)
            except EvaluationError:
                if not have_signals(arrays):
                    raise
        from qddot.machine.numeric import in_signals

        values = {name: keywords[name] for name in self._symbols(function, keywords)}
        return in_signals.computed(self.system, function, arrays, values, function.chosen(keywords))

    def _with_unit_quaternions(self, arrays: Sequence[Any]) -> Sequence[Any]:
        """Returns the arrays, q first, with quaternions of norm 1. raises EvaluationError: a norm is not near 1"""
        with installed():
            from qddot.machine.numeric.manifold import with_unit_quaternions

        return (with_unit_quaternions(self.tree, arrays[0]), *arrays[1:])

    def _prepared_call(self, function: Function, keywords: Mapping[str, Any]) -> PreparedCall | None:
        """Returns the prepared call for keywords with these values, and puts it where the next call looks first."""
        latest = self.table.get(_key(function, keywords))
        if latest is None or latest.is_met(keywords):
            return latest
        try:
            prepared = self.table[_key_with_values(function, keywords, latest.fixed)]
        except (KeyError, TypeError):  # none was prepared, or a value is not hashable
            return None
        if not all(are_alike(value, kept(keywords[name])) for name, value in prepared.fixed):
            return None
        self.table[_key(function, keywords)] = prepared
        return prepared

    def _prepared(self, function: Function, keywords: Mapping[str, Any]) -> PreparedCall:
        """Returns a new prepared call for a function and keywords, and enters it in the table."""
        from qddot.machine.compilers.buffers import dtype_name

        options = {**function.chosen(keywords), **({WRENCHES: True} if WRENCHES in function.arrays else {})}
        symbols = self._symbols(function, keywords)
        request = Request(function.name, self.system.hash, tuple(symbols), tuple(sorted(options.items())))
        code = self._code(request, dtype_name(keywords.get("dtype", "float64"), function.name))
        if len(self.table) >= LARGEST_TABLE:
            self.table.clear()
        divided, quaternions = function.divided and self.system is self.tree, [k for _, k in self.tree.quaternions]
        prepared = PreparedCall(code, keywords, symbols, self._margin(symbols, divided), divided, quaternions)
        self.table[_key(function, keywords)] = prepared
        with contextlib.suppress(TypeError):  # for an unhashable value
            self.table[_key_with_values(function, keywords, prepared.fixed)] = prepared
        return prepared

    def unnamed(self, function: Function, options: Sequence[Any], keywords: Mapping[str, Any]) -> PreparedCall | None:
        """Returns the prepared call for options without their names, and keywords, or None if there is none."""
        options = tuple(map(kept, options))
        with contextlib.suppress(TypeError):  # for an option that is not hashable, such as wrenches
            prepared = self.table.get((function, options, *keywords))
            # 1 is a body, and 1.0 is not, though they are equal
            return prepared if prepared and are_alike(prepared.options, options) else None
        return None

    def remember(
        self, function: Function, options: Sequence[Any], keywords: Mapping[str, Any], named: Mapping[str, Any]
    ) -> None:
        """Enters a call that was made in the table, in the form in which it was written; named: all of its keywords"""
        options = tuple(map(kept, options))
        with contextlib.suppress(TypeError):  # for an option that is not hashable
            key = (function, options, *keywords)
            if options and self.table.get(key) is None and (prepared := self._prepared_call(function, named)):
                self.table[key] = prepared.without_names(options, keywords)

    def _symbols(self, function: Function, keywords: Mapping[str, Any]) -> list[str]:
        """Returns the symbols among the keywords of a call, sorted.

        raises EvaluationError: a keyword is neither a setting nor an option nor a symbol
        """
        reserved = (*SETTINGS, *function.parameters[len(function.arrays) :])
        arguments = (*function.parameters, *SETTINGS)
        return sorted(symbols_of(self.tree, [name for name in keywords if name not in reserved], arguments))

    def _margin(self, symbols: Sequence[str], divided: bool) -> BatchFunction | None:
        """Returns the code of a number that is negative for values of symbols that no robot has, or None."""
        request = Request(MARGIN, self.tree.hash, tuple(symbols), (("divided", divided),))
        if not symbols:
            return None
        code = self._store.find(request, "float64")
        if code is None:
            from qddot.machine.tracing.possible import least_margin

            with making():
                program = least_margin(self.tree, symbols, divided)
                code = None if program is None else self._store.add(request, "float64", program)
        return code

    def _code(self, request: Request, dtype: str) -> BatchFunction:
        """Returns the code for a request from memory or disk; if there is none, traces and compiles it."""
        code = self._store.find(request, dtype)
        if code is None:
            with making():
                code = self._store.find(request, dtype)
                if code is None:
                    program = self.program(request.function, request.free, **dict(request.options))
                    code = self._store.add(request, dtype, program)
        return code

    def program(self, function: str, free: Sequence[str] = (), **options: Any) -> Program:
        """Returns the program of a function, with the values of all symbols except those in `free` folded in.

        raises QddotError: a function, option or symbol is unknown, or a symbol has no value
        """
        from qddot.machine.tracing.trace import trace  # the physics is imported with the first program

        names = list(dict.fromkeys(symbols_of(self.tree, free)))
        system = self.system.with_given(names)
        defaults = {name: value for name, value in system.tree.defaults().items() if name not in names}
        values = {**dict.fromkeys(system.tree.symbols, 0.0), **defaults}
        unknown = sorted(system.used_symbols - set(defaults) - set(names))
        if unknown:
            trial = trace(system, function, values, [*unknown, *names], **options)
            first = len(trial.inputs) - len(unknown) - len(names)
            read = {node.element[0] - first for node in trial.nodes if node.op == "input"}
            missing = [name for k, name in enumerate(unknown) if k in read]
            refuse_missing(missing, system.name, PASSED if system.tree.time in missing else REMEDY)
        return trace(system, function, values, names, **options)


def _key(function: Function, keywords: Mapping[str, Any]) -> Any:
    """Returns the key of a call in the table."""
    return (function, *keywords) if keywords else function


def _key_with_values(function: Function, keywords: Mapping[str, Any], fixed: Sequence[tuple[str, Any]]) -> Any:
    """Returns the key of a call whose fixed keywords have values other than those of the latest call."""
    return _key(function, keywords), *(kept(keywords[name]) for name, _ in fixed)


def kept(value: Any) -> Any:
    """Returns the value of a setting or an option to compare others with: a list, which may change, as a tuple."""
    return tuple(value) if type(value) is list else value


def are_alike(own: Any, value: Any) -> bool:
    """Returns whether two values that are equal are of the same types, with all that they contain."""
    if type(own) is not type(value):
        return False
    return type(own) is not tuple or all(map(are_alike, own, value))


def have_signals(arrays: Sequence[Any]) -> bool:
    """Returns whether the arrays contain signals of a law that is being traced; only objects and lists are searched."""
    if all(getattr(getattr(array, "dtype", None), "kind", "O") != "O" for array in arrays):
        return False
    with installed():
        from qddot.machine.numeric.in_signals import (
            has_signals,  # the physics is imported with the first law that is traced
        )

    return has_signals(arrays)


def _none(*_: Any) -> None:
    """Stands for a missing fast entry: returns None, as a fast entry does for arguments that it does not accept."""
