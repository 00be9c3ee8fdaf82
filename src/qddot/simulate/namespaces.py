"""Makes mappings of the places other than dictionaries where Python keeps names: closures, slots, classes."""

from __future__ import annotations

import types
from collections.abc import Iterator, MutableMapping
from typing import Any

Names = MutableMapping[str, Any]


class CellName(Names):
    """This mapping has one variable of an enclosing function, by its name."""

    def __init__(self, name: str, cell: types.CellType) -> None:
        self._name, self._cell = name, cell

    def __getitem__(self, key: str) -> Any:
        try:
            return self._cell.cell_contents
        except ValueError:
            raise KeyError(key) from None

    def __setitem__(self, key: str, value: Any) -> None:
        self._cell.cell_contents = value

    def __delitem__(self, key: str) -> None:
        del self._cell.cell_contents

    def __iter__(self) -> Iterator[str]:
        return iter([self._name] if self._name in self else [])

    def __len__(self) -> int:
        return sum(1 for _ in self)


class SlotNames(Names):
    """This mapping has the filled slots of an object."""

    def __init__(self, owner: Any, slots: list[str]) -> None:
        self._owner, self._slots = owner, slots

    def __getitem__(self, key: str) -> Any:
        try:
            return object.__getattribute__(self._owner, key)
        except AttributeError:
            raise KeyError(key) from None

    def __setitem__(self, key: str, value: Any) -> None:
        object.__setattr__(self._owner, key, value)

    def __delitem__(self, key: str) -> None:
        object.__delattr__(self._owner, key)

    def __iter__(self) -> Iterator[str]:
        return (slot for slot in self._slots if slot in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


class ClassNames(Names):
    """This mapping has a class's attributes; names with two underscores count only if they are functions."""

    def __init__(self, owner: type) -> None:
        self._owner = owner

    def __getitem__(self, key: str) -> Any:
        return vars(self._owner)[key]

    def __setitem__(self, key: str, value: Any) -> None:
        type.__setattr__(self._owner, key, value)

    def __delitem__(self, key: str) -> None:
        type.__delattr__(self._owner, key)

    def __iter__(self) -> Iterator[str]:
        for key, value in list(vars(self._owner).items()):
            if isinstance(value, types.FunctionType) or not key.startswith(("__", "_abc_")):
                yield key

    def __len__(self) -> int:
        return sum(1 for _ in self)
