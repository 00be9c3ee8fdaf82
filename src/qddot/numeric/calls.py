"""Calls the functions of an arm: one table leads from a function and the keywords of a call to compiled code.

A call with arrays alone takes a third to a half of a microsecond, one with keywords about one. What has no entry in the
table is judged, traced and compiled first.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, wraps
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from qddot.compilers.kernels import making
from qddot.errors import EvaluationError
from qddot.model.model import Model
from qddot.numeric.names import refuse_missing, symbols_of
from qddot.system.parts import installed
from qddot.tracing.functions import FUNCTIONS, WRENCHES, Function

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from qddot.compilers.batch import BatchFunction
    from qddot.compilers.kept import Kept
    from qddot.program.program import Program

Out: TypeAlias = "NDArray[np.float64] | NDArray[np.float32]"  # an array to fill
Method = TypeVar("Method", bound=Callable[..., Any])
SETTINGS = ("out", "dtype", "threads", "check")  # keywords of every function
SEVERAL = (list, tuple)
LARGEST_TABLE = 256  # entries


@dataclass(frozen=True, slots=True)
class Request:
    """A request names the code of one function of one model by all that it depends on.

    model: the model's fingerprint
    free: symbols whose values come with each call, sorted
    options: those of the function that are not the usual ones
    """

    function: str
    model: str
    free: tuple[str, ...] = ()
    options: tuple[tuple[str, int | str | bool | None], ...] = ()


def compiled(method: Method) -> Method:
    """Makes a method without a body, which has the types and the docstring of the function of its name, call that."""
    function = FUNCTIONS[method.__name__]
    count = len(function.arrays)

    @wraps(method)
    def call(self: Any, /, *arrays: Any, **keywords: Any) -> Any:
        if not keywords and len(arrays) == count:
            try:
                prepared = self._table[function]  # which is sooner there than by `get`
            except KeyError:
                prepared = results = None
            else:
                results = prepared.entry(*arrays)
            return self._calls.results(function, arrays, keywords, None, prepared) if results is None else results
        out = keywords.pop("out", None)
        prepared = self._table.get((function, *keywords) if keywords else function)
        if prepared is None or len(arrays) != count:
            method(self, *arrays, **keywords)  # Python's own error where they do not fit
            named = {**dict(zip(function.parameters, arrays, strict=False)), **keywords}
            return self._calls.results(function, [named.pop(name) for name in function.arrays], named, out)
        if keywords:
            results = prepared.at_once(arrays, keywords, out)
        else:
            results = prepared.entry(*arrays, *(out if type(out) in SEVERAL and out else (out,)))
        return self._calls.results(function, arrays, keywords, out, prepared) if results is None else results

    return cast("Method", call)


class CompiledFunctions:
    """These are the functions of one model as methods; one that is `compiled` finds its code in a table."""

    def __init_subclass__(cls) -> None:
        """Lets Python's own errors say `arm.mass_matrix()`, as users write it, rather than the name of a class."""
        for name, method in vars(cls).items():
            if isinstance(method, FunctionType) and not name.startswith("_"):
                getattr(method, "__wrapped__", method).__qualname__ = f"arm.{name}"

    def __init__(self, model: Model) -> None:
        self.model = model
        self._calls = Calls(model)
        self._table = self._calls.table  # which every call looks into

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def n(self) -> int:
        """Returns the number of velocities, that of the joints' coordinates but where a joint has a quaternion."""
        return self.model.n

    def _repr_html_(self) -> str:
        return self.model._repr_html_()

    def program(self, function: str, free: Sequence[str] = (), **options: Any) -> Program:
        """Returns one function as straight-line code with this arm's constants folded.

        function: the name of a numeric method
        free: symbols that stay inputs
        options: those of the method, and wrenches=True where it takes them
        """
        return self._calls.program(function, free, **options)


class PreparedCall:
    """A prepared call has the code for all calls that look alike, and says what is handed to it.

    fixed: the settings and options that it was prepared for. They are met by identity: a value that is merely equal,
    such as threads=True, has to be looked at
    """

    def __init__(
        self, code: BatchFunction, keywords: Mapping[str, Any], symbols: Sequence[str], looked_at: bool = False
    ) -> None:
        """keywords: those of a call; symbols: those among them, in the order of the code's inputs

        looked_at: whether something is looked at in the arrays before they are handed over
        """
        self.code = code
        self.symbols = tuple(symbols)
        self._is_in_order = self.symbols == tuple(keywords)
        self.fixed = tuple((name, value) for name, value in keywords.items() if name not in symbols)
        self.settings = {name: keywords[name] for name in ("threads", "check") if name in keywords}
        threads, check = keywords.get("threads"), keywords.get("check", False)
        is_straight = check is False and (threads is None or (type(threads) is int and threads == 1))
        self.entry: Callable[..., Any] = code.entry if is_straight and not looked_at else _none

    def is_met(self, keywords: Mapping[str, Any]) -> bool:
        """Returns whether a call asks for what this one was prepared for."""
        return all(keywords[name] is value for name, value in self.fixed)

    def at_once(self, arrays: Sequence[Any], keywords: Mapping[str, Any], out: Any) -> Any:
        """Returns the outputs by the code's entry, or None where that or this is not for such a call."""
        for name, value in self.fixed:
            if keywords[name] is not value:
                return None
        values = keywords.values() if self._is_in_order else map(keywords.__getitem__, self.symbols)
        if out is None:
            return self.entry(*arrays, *values)
        return self.entry(*arrays, *values, *(out if type(out) in SEVERAL and out else (out,)))


class Calls:
    """These are the calls of one model's functions; their compiled code lives as long as this object."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.table: dict[Any, PreparedCall] = {}

    @cached_property
    def _kept(self) -> Kept:
        from qddot.compilers.kept import Kept  # NumPy and LLVM come with the first call

        return Kept()

    def results(
        self,
        function: Function,
        arrays: Sequence[Any],
        keywords: Mapping[str, Any],
        out: Any = None,
        prepared: PreparedCall | None = None,
    ) -> Any:
        """Returns the outputs of a function, for its arrays and keywords of any kind.

        raises EvaluationError: wrong shapes or types, symbols that are unknown or without a value
        """
        if self.model.freedoms:
            arrays = self._with_unit_quaternions(arrays)
        if prepared is None or (keywords and not prepared.is_met(keywords)):
            if function.pushed and WRENCHES in keywords:
                wrenches, keywords = keywords[WRENCHES], {name: keywords[name] for name in keywords if name != WRENCHES}
                if wrenches is not None:
                    function, arrays = function.with_wrenches, (*arrays, wrenches)
            prepared = self._known(function, keywords)
            if prepared is None and not have_signals(arrays):
                prepared = self._prepared(function, keywords)
        if prepared is not None:
            try:
                if not keywords:
                    return prepared.code.results(arrays, out)
                inputs = (*arrays, *map(keywords.__getitem__, prepared.symbols))
                return prepared.code.results(inputs, out, **prepared.settings)
            except EvaluationError:
                if not have_signals(arrays):
                    raise
        from qddot.numeric import in_signals

        values = {name: keywords[name] for name in self._symbols(function, keywords)}
        return in_signals.computed(self.model, function, arrays, values, function.chosen(keywords))

    def _with_unit_quaternions(self, arrays: Sequence[Any]) -> Sequence[Any]:
        """Returns the arrays, q first, with quaternions of norm 1. raises EvaluationError: other norms"""
        with installed():
            from qddot.numeric.manifold import with_unit_quaternions

        return (with_unit_quaternions(self.model, arrays[0]), *arrays[1:])

    def _known(self, function: Function, keywords: Mapping[str, Any]) -> PreparedCall | None:
        """Returns the prepared call for some keywords and their values, which the next such call finds first."""
        latest = self.table.get(_key(function, keywords))
        if latest is None or latest.is_met(keywords):
            return latest
        try:
            prepared = self.table[_key_with_values(function, keywords, latest.fixed)]
        except (KeyError, TypeError):  # none was prepared, or a value cannot be in a key
            return None
        if any(type(keywords[name]) is not type(value) for name, value in prepared.fixed):
            return None
        self.table[_key(function, keywords)] = prepared
        return prepared

    def _prepared(self, function: Function, keywords: Mapping[str, Any]) -> PreparedCall:
        """Returns the prepared call for a function and keywords, which is put in the table."""
        from qddot.compilers.buffers import dtype_name

        options = {**function.chosen(keywords), **({WRENCHES: True} if WRENCHES in function.arrays else {})}
        symbols = self._symbols(function, keywords)
        request = Request(function.name, self.model.hash, tuple(symbols), tuple(sorted(options.items())))
        code = self._code(request, dtype_name(keywords.get("dtype", "float64"), function.name))
        if len(self.table) >= LARGEST_TABLE:
            self.table.clear()
        prepared = PreparedCall(code, keywords, symbols, looked_at=bool(self.model.freedoms))
        self.table[_key(function, keywords)] = prepared
        with contextlib.suppress(TypeError):  # of an odd value that cannot be in a key
            self.table[_key_with_values(function, keywords, prepared.fixed)] = prepared
        return prepared

    def _symbols(self, function: Function, keywords: Mapping[str, Any]) -> list[str]:
        """Returns the symbols among the keywords of a call, sorted.

        raises EvaluationError: a keyword that is no setting, no option and no symbol
        """
        reserved = (*SETTINGS, *function.parameters[len(function.arrays) :])
        return sorted(symbols_of(self.model, [name for name in keywords if name not in reserved], reserved))

    def _code(self, request: Request, dtype: str) -> BatchFunction:
        """Returns the code for a request: from memory or disk, else traced and compiled now."""
        code = self._kept.find(request, dtype)
        if code is None:
            with making():
                code = self._kept.find(request, dtype)
                if code is None:
                    program = self.program(request.function, request.free, **dict(request.options))
                    code = self._kept.add(request, dtype, program)
        return code

    def program(self, function: str, free: Sequence[str] = (), **options: Any) -> Program:
        """Returns the program of a function: the values of the symbols are folded in, except those in `free`.

        raises QddotError: an unknown function, option or symbol, a symbol without a value
        """
        from qddot.tracing.trace import trace  # the physics come with the first program

        names = sorted(set(symbols_of(self.model, free)))
        defaults = {name: value for name, value in self.model.defaults().items() if name not in names}
        values = {**dict.fromkeys(self.model.symbols, 0.0), **defaults}
        unknown = sorted(self.model.used_symbols - set(defaults) - set(names))
        if unknown:
            trial = trace(self.model, function, values, [*unknown, *names], **options)
            first = len(trial.inputs) - len(unknown) - len(names)
            read = {node.element[0] - first for node in trial.nodes if node.op == "input"}
            refuse_missing(self.model, [name for k, name in enumerate(unknown) if k in read])
        return trace(self.model, function, values, names, **options)


def _key(function: Function, keywords: Mapping[str, Any]) -> Any:
    """Returns what is looked up in the table for a call."""
    return (function, *keywords) if keywords else function


def _key_with_values(function: Function, keywords: Mapping[str, Any], fixed: Sequence[tuple[str, Any]]) -> Any:
    """Returns what is looked up for a call whose values of fixed keywords are not those of the latest one."""
    return _key(function, keywords), *(keywords[name] for name, _ in fixed)


def have_signals(arrays: Sequence[Any]) -> bool:
    """Returns whether signals of a law that is traced are in some arrays; only objects and lists are looked through."""
    if all(getattr(getattr(array, "dtype", None), "kind", "O") != "O" for array in arrays):
        return False
    with installed():
        from qddot.numeric.in_signals import has_signals  # the physics come with the first law that is traced

    return has_signals(arrays)


def _none(*_: Any) -> None:
    """Returns None, as an entry does for what it does not take."""
