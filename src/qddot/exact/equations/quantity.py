"""Defines the record of a quantity, in which all that the library knows of it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol, Self, TypeAlias, TypeVar, overload

from qddot.base.records import record
from qddot.exact.printing.tree import Sum, Symbol
from qddot.physics.derivation import Derivation
from qddot.physics.dynamics import Dynamics
from qddot.physics.mechanism import Mechanism

Entries: TypeAlias = Any  # nested lists, or a number for a scalar
Place: TypeAlias = tuple[int, ...]
Array_co = TypeVar("Array_co", covariant=True)


class Derived(Protocol):
    """This is an arm with what its quantities are computed from, over one kind of number.

    centred: the arm with a centre of mass for every link
    """

    @property
    def dynamics(self) -> Dynamics: ...
    @property
    def derivation(self) -> Derivation: ...
    @property
    def centred(self) -> Mechanism: ...


class Others(Protocol):
    """These are the entries of other quantities by name, and the rates and accelerations of the coordinates."""

    qd: Sequence[Any]
    qdd: Sequence[Any]

    def __getitem__(self, name: str, /) -> Entries: ...


class NamedArm(NamedTuple):
    """This is an arm with names for what is written of it.

    name: returns that of a quantity, or of its entry at a place and at another one within a matrix
    rates: those of its coordinates
    """

    mechanism: Mechanism
    name: Callable[..., Any]
    rates: Sequence[Symbol]


Law: TypeAlias = Callable[[NamedArm, Place], Sum | None]


class ByName(Protocol[Array_co]):
    """This is an object that returns quantities by name, as arrays of some kind."""

    def array(self, name: str) -> Array_co: ...


class Style(NamedTuple):
    """This is how a quantity's name is written in plain texts, and how it is typeset."""

    text: str
    head: str
    above: str = ""
    below: str = ""
    frame: str = ""
    dots: int = 0
    bar: bool = False


@record(eq=False, kw_only=True)
class Quantity:
    """This is a quantity of the equations of motion, or an intermediate result of a route to them.

    In a class it is an attribute of all objects that return quantities by name.

    name: by default that of the attribute; sentence: its definition, the docstring of the attribute
    entries: computes it for an arm; None if it only follows from others, or is a step of a route
    follows: computes it from the quantities in `uses`
    covariant: the number of last axes along the coordinates; a closed chain multiplies each by R
    kinematic: whether it is a pose or a Jacobian, without masses; of_centres: whether it may have symbols for centres
    symmetric: two axes that may be exchanged
    places: those of the entries for n coordinates, if they are not those in the array
    in_constants: whether a textbook form writes its coefficients as named constants
    told: the key of the sentence with which reports give it; uses: quantities to which they refer, or which it needs
    axes: how many of its last axes form a matrix or a column
    style: how its name is written; without one it is written like a symbol
    laws: by routes, write how an entry, or a link's matrix or column, at a place follows from others, in names
    """

    name: str = ""
    sentence: str = ""
    entries: Callable[[Derived], Entries] | None = None
    follows: Callable[[Others], Entries] | None = None
    covariant: int = 0
    kinematic: bool = False
    of_centres: bool = False
    symmetric: tuple[int, int] | None = None
    places: Callable[[int], tuple[Place, ...]] | None = None
    in_constants: bool = False
    told: str = ""
    uses: tuple[str, ...] = ()
    axes: int = 0
    style: Style | None = None
    laws: Mapping[str, Law] | None = None

    def __set_name__(self, owner: type, name: str) -> None:
        object.__setattr__(self, "name", self.name or name)
        object.__setattr__(self, "__doc__", self.sentence)

    @overload
    def __get__(self, of: None, owner: type) -> Self: ...
    @overload
    def __get__(self, of: ByName[Array_co], owner: type) -> Array_co: ...
    def __get__(self, of: Any, owner: type) -> Any:
        return self if of is None else of.array(self.name)

    def __repr__(self) -> str:
        return f"<quantity {self.name}>"


Kind = TypeVar("Kind", bound=Quantity)


def quantities_in(owner: type, kind: type[Kind]) -> dict[str, Kind]:
    """Returns the quantities of one kind that are attributes of a class itself, by their names."""
    return {name: each for name, each in vars(owner).items() if isinstance(each, kind)}
