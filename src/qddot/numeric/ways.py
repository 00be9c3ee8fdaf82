"""A way is what a call with certain keywords comes to: prepared at the first such call, followed by the next ones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qddot.compilers.batch import BatchFunction

SEVERAL = (list, tuple)


class Way:
    """Straight to the machine code of a function, for calls with the same keywords and the same settings.

    names: of the keywords, in the order of the call; settings: dtype, threads and check as they were given, to be met
    by identity: a value that is merely equal, such as threads=True, is for the method to judge
    """

    def __init__(self, compiled: BatchFunction, names: Sequence[str], settings: Mapping[str, Any]) -> None:
        symbols = [name for name in names if name != "out" and name not in settings]
        self._entry: Callable[..., Any] = compiled.direct
        self._symbols = tuple(sorted(symbols))  # as the inputs of the program are
        self._settings = tuple(settings.items())
        self._fills = "out" in names
        self._is_in_order = self._symbols == tuple(names)

    def is_met(self, given: Mapping[str, Any]) -> bool:
        """Returns whether the settings are those of this way."""
        return all(given[name] is value for name, value in self._settings)

    def results(self, arrays: Sequence[Any], given: Mapping[str, Any]) -> Any:
        """Returns the outputs, or None for what the method has to see to."""
        for name, value in self._settings:
            if given[name] is not value:
                return None
        values = given.values() if self._is_in_order else map(given.__getitem__, self._symbols)
        return self._entry(*arrays, *values, *to_fill(given["out"])) if self._fills else self._entry(*arrays, *values)


def to_fill(out: Any) -> Any:
    """Returns `out` as a sequence: none for None; an empty list is one thing, so that it is not overlooked."""
    if type(out) in SEVERAL and out:
        return out
    return () if out is None else (out,)


def is_straight(settings: Mapping[str, Any]) -> bool:
    """Returns whether a call with these settings needs nothing but the machine code: one thread, nothing checked."""
    threads = settings.get("threads")
    return settings.get("check", False) is False and (threads is None or (type(threads) is int and threads == 1))
