"""Calls the functions of an arm: traced and compiled at the first call, then remembered."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

from qddot.compilers.kernels import making
from qddot.errors import EvaluationError, did_you_mean
from qddot.model.model import Model
from qddot.numeric.requests import Option, Request, names_of
from qddot.numeric.ways import Way, is_straight, to_fill
from qddot.tracing.functions import Function

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from qddot.compilers.batch import BatchFunction
    from qddot.compilers.kept import Kept
    from qddot.program.program import Program

Out: TypeAlias = "NDArray[np.float64] | NDArray[np.float32]"  # an array to fill
DOUBLE = "float64"
SETTINGS = ("dtype", "threads", "check")
CALLING = ("out", *SETTINGS)
KEYWORDS = (*CALLING, "wrenches", "body", "frame")
SHOWN = 8  # names in a message
MOST_WAYS = 256  # to call one arm's functions that are kept


Method = TypeVar("Method", bound=Callable[..., Any])


def direct(function: Function) -> Callable[[Method], Method]:
    """Answers calls of a method by the entry of its compiled code: plain ones, with the function's arrays alone or with
    `out` besides, and those with values of symbols and settings, in the way that the first of them prepared.

    That takes half a microsecond, and one with keywords. All other calls go to the method, and those with what the
    entry does not take.
    """
    count = len(function.arrays)

    def decorated(method: Method) -> Method:
        @wraps(method)
        def call(self: Calls, /, *arrays: Any, **given: Any) -> Any:
            if not given and len(arrays) == count:
                entry = self._entries.get(function)
                results = entry(*arrays) if entry is not None else None
                return method(self, *arrays) if results is None else results
            if len(arrays) != count:
                return method(self, *arrays, **given)
            entry = self._entries.get(function) if len(given) == 1 and "out" in given else None
            if entry is None:
                return self._by_keywords(function, method, arrays, given)
            results = entry(*arrays, *to_fill(given["out"]))
            return method(self, *arrays, **given) if results is None else results

        return cast("Method", call)

    return decorated


def may_be_signals(arrays: Sequence[Any]) -> bool:
    """Returns whether an array may have objects in it: few do, and they are looked through."""
    return any(getattr(getattr(array, "dtype", None), "kind", "O") == "O" for array in arrays)


class Calls:
    """This is a model whose functions can be called; their compiled code lives as long as this object."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._plain: dict[Function, BatchFunction] = {}
        self._entries: dict[Function, Callable[..., Any]] = {}  # of the plain ones
        self._ways: dict[tuple[Function | str, ...], Way] = {}  # by the names of keywords in their order

    @property
    def name(self) -> str:
        return self.model.name

    @cached_property
    def _kept(self) -> Kept:
        from qddot.compilers.kept import Kept  # NumPy and LLVM come with the first call

        return Kept()

    def _call(
        self,
        function: Function,
        arrays: tuple[ArrayLike, ...],
        values: Mapping[str, ArrayLike],
        out: Out | Sequence[Out] | None,
        dtype: DTypeLike,
        threads: int | None,
        check: bool,
        **options: Option,
    ) -> NDArray[np.float64]:
        """Returns the outputs of a function.

        values: those of symbols; options: the function's, without the usual ones. A plain call, with the arrays alone
        in double precision, is remembered for `direct`.
        """
        if may_be_signals(arrays):
            from qddot.numeric import in_signals  # the physics come with the first law that is traced

            if in_signals.has_signals(arrays):
                return cast("NDArray[np.float64]", in_signals.computed(self.model, function, arrays, values, options))
        plain = dtype is DOUBLE and not values and not options
        compiled = self._plain.get(function) if plain else None
        free = tuple(sorted(self._known(list(values), KEYWORDS))) if values else ()
        if compiled is None:
            request = Request(function.name, self.model.hash, free, tuple(sorted(options.items())))
            compiled = self._compiled(request, self._dtype(function, dtype))
            if plain:
                self._plain[function], self._entries[function] = compiled, compiled.direct
        given = (values[name] for name in free)
        results: NDArray[np.float64] = compiled(*arrays, *given, out=out, threads=threads, check=check)
        return results

    def _by_keywords(self, function: Function, method: Method, arrays: Sequence[Any], given: dict[str, Any]) -> Any:
        """The outputs of a call with keywords: in the way that is prepared, else by the method, which prepares one."""
        way = self._ways.get((function, *given))
        if way is not None:
            results = way.results(arrays, given)
            if results is not None:
                return results
        results = method(self, *arrays, **given)
        if way is None or not way.is_met(given):
            self._prepare(function, given)
        return results

    def _prepare(self, function: Function, given: Mapping[str, Any]) -> None:
        """Keep the way of a call that was answered, unless options of the function are among its keywords."""
        settings = {name: given[name] for name in SETTINGS if name in given}
        symbols = [name for name in given if name not in CALLING]
        options = (*function.options, *KEYWORDS)
        if not is_straight(settings) or any(name in options or name not in self.model.symbols for name in symbols):
            return
        dtype = self._dtype(function, settings.get("dtype", DOUBLE))
        compiled = self._compiled(Request(function.name, self.model.hash, tuple(sorted(symbols))), dtype)
        if len(self._ways) >= MOST_WAYS:
            self._ways.clear()
        self._ways[function, *given] = Way(compiled, tuple(given), settings)

    def _dtype(self, function: Function, dtype: DTypeLike) -> str:
        """The name of a type. raises EvaluationError: another than those that are known"""
        if dtype is DOUBLE:
            return DOUBLE
        from qddot.compilers.buffers import dtype_name

        return dtype_name(dtype, function.name)

    def _in_double(
        self,
        values: Mapping[str, ArrayLike],
        threads: int | None,
        check: bool,
        function: Function,
        *arrays: ArrayLike,
        **options: Option,
    ) -> NDArray[np.float64]:
        """Returns the outputs of a function in new double arrays, for results that combine several functions."""
        return self._call(function, arrays, values, None, DOUBLE, threads, check, **options)

    # for functions with several outputs
    _call_for_several = cast("Callable[..., tuple[NDArray[np.float64], ...]]", _call)

    def _compiled(self, request: Request, dtype: str) -> BatchFunction:
        """Returns the code for a request: from memory or disk, else traced and compiled now."""
        compiled = self._kept.find(request, dtype)
        if compiled is None:
            with making():
                compiled = self._kept.find(request, dtype)
                if compiled is None:
                    program = self.program(request.function, request.free, **dict(request.options))
                    compiled = self._kept.add(request, dtype, program)
        return compiled

    def program(self, function: str, free: Sequence[str] = (), **options: Any) -> Program:
        """Returns one function as straight-line code with this arm's constants folded.

        function: the name of a numeric method
        free: symbols that stay inputs
        options: those of the method, and wrenches=True where it takes them
        """
        from qddot.tracing.trace import trace  # the physics come with the first program

        names = sorted(set(self._known(free)))
        known = {name: value for name, value in self.model.defaults().items() if name not in names}
        values = {**dict.fromkeys(self.model.symbols, 0.0), **known}
        unknown = sorted(self.model.used_symbols - set(known) - set(names))
        if unknown:
            trial = trace(self.model, function, values, [*unknown, *names], **options)
            first = len(trial.inputs) - len(unknown) - len(names)
            read = {node.element[0] - first for node in trial.nodes if node.op == "input"}
            self._refuse_missing([name for k, name in enumerate(unknown) if k in read])
        return trace(self.model, function, values, names, **options)

    def _known(self, names: Sequence[str], keywords: Sequence[str] = ()) -> list[str]:
        """Returns names of symbols; raises EvaluationError for others. keywords: further names, for the hint"""
        listed_names = names_of(names, "symbols")
        for name in listed_names:
            if name not in self.model.symbols:
                raise EvaluationError(
                    f"no symbol {name!r} in {self.name}", remedy=did_you_mean(name, [*self.model.symbols, *keywords])
                )
        return listed_names

    def _refuse_missing(self, names: Collection[str]) -> None:
        """Raises EvaluationError where symbols have no value."""
        if names:
            shown = sorted(names)
            more = f" and {len(shown) - SHOWN} more" if len(shown) > SHOWN else ""
            raise EvaluationError(
                f"no value for {', '.join(shown[:SHOWN])}{more}",
                where=self.name,
                remedy=f"give them: {shown[0]}=..., or once and for all with_values({shown[0]}=...)",
            )
