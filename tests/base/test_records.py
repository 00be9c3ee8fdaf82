"""A record is a frozen data class in every respect."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import MISSING, FrozenInstanceError, field, fields, is_dataclass, make_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

import qddot
from qddot.base.records import record


@record(slots=True)
class Slotted:
    x: Any
    y: Any = 2
    note: str = field(default="", compare=False, repr=False)


@record()
class Plain:
    x: int


@record()
class Longer(Plain):
    z: int = 3

    def __repr__(self) -> str:
        return "mine"

    def __eq__(self, other: object) -> bool:
        return other == "equal to a text"


@record(slots=True)
class Empty:
    pass


@record()
class Made:
    x: Any
    new: list[int] = field(default_factory=list)
    last: str = "end"

    def __post_init__(self) -> None:
        object.__setattr__(self, "x", self.x * 2)


def twin(kind: Any) -> Any:
    """The same class as `dataclasses` makes it."""

    def written(entry: Any) -> Any:
        default = {} if entry.default is MISSING else {"default": entry.default}
        if entry.default_factory is not MISSING:
            default = {"default_factory": entry.default_factory}
        return field(**default, compare=entry.compare, repr=entry.repr)

    columns = [(entry.name, entry.type, written(entry)) for entry in fields(kind)]
    return make_dataclass(kind.__name__, columns, frozen=True)


@pytest.mark.parametrize(("kind", "values"), [(Slotted, (1, [2], "a")), (Plain, (1,)), (Empty, ())])
def test_it_is_shown_and_compared_as_a_data_class_is(kind: Any, values: tuple[Any, ...]) -> None:
    one, other = kind(*values), twin(kind)(*values)
    assert is_dataclass(one) and repr(one) == repr(other)
    assert one == kind(*values) and one != other and one != values
    assert [entry.name for entry in fields(one)] == [entry.name for entry in fields(other)]


def test_what_is_not_compared_counts_for_nothing() -> None:
    assert Slotted(1, 2, "a") == Slotted(1, 2, "b") and hash(Slotted(1, 2, "a")) == hash(Slotted(1, 2, "b"))
    assert Slotted(1, 2) != Slotted(1, 3) and len({Slotted(1), Slotted(1, 2), Slotted(2)}) == 2
    with pytest.raises(TypeError, match="unhashable"):
        hash(Slotted([]))


def test_it_does_not_change() -> None:
    for made in (Slotted(1), Plain(1)):
        with pytest.raises(FrozenInstanceError):
            made.x = 2  # type: ignore[misc]
        with pytest.raises(FrozenInstanceError):
            del made.x
    assert not hasattr(Slotted(1), "__dict__")


def test_it_is_replaced_copied_and_pickled() -> None:
    for made in (Slotted(1, (2,), "kept"), Plain(1), Empty()):
        assert copy.deepcopy(made) == pickle.loads(pickle.dumps(made)) == replace(made) == made
    assert replace(Slotted(1, note="kept"), x=5) == Slotted(5) and replace(Slotted(1, note="kept"), x=5).note == "kept"


def test_a_class_keeps_its_own_methods_and_is_none_of_its_base() -> None:
    assert repr(Longer(1)) == "mine" and Longer(1) == "equal to a text" and hash(Longer(1)) == hash(Longer(1, 3))
    assert Plain(1) != Longer(1)


@pytest.mark.parametrize("kind", [Slotted, Plain, Longer, Empty, Made])
def test_it_is_called_as_a_data_class_is(kind: Any) -> None:
    assert str(inspect.signature(kind)) == str(inspect.signature(twin(kind)))
    assert kind.__init__.__module__ == __name__ and kind.__init__.__qualname__ == f"{kind.__name__}.__init__"
    with pytest.raises(TypeError, match="argument"):
        kind(*range(9))


def test_what_is_made_anew_is_each_objects_own() -> None:
    one, other = Made(1), Made(x=2, last="")
    one.new.append(3)
    assert (one.x, one.new, one.last) == (2, [3], "end") and (other.x, other.new, other.last) == (4, [], "")
    assert Made(1, new=[5]).new == [5]


def test_a_plain_class_below_it_may_have_more() -> None:
    class More(Plain):
        more = 1

    made = More(1)
    made.more = 2
    assert made.more == 2
    with pytest.raises(FrozenInstanceError):
        made.x = 3  # type: ignore[misc]


def test_it_may_contain_itself() -> None:
    inside: list[Any] = []
    made = Slotted(inside)
    inside.append(made)
    assert repr(made) == "Slotted(x=[...], y=2)"


def test_what_does_not_change_is_a_record() -> None:
    source = Path(qddot.__file__).parent
    frozen = {path.name for path in source.rglob("*.py") if "@dataclass(frozen" in path.read_text(encoding="utf-8")}
    assert frozen == set()


@record(eq=False)
class Itself:
    x: int


@record(kw_only=True)
class Told:
    x: int = 1
    y: int = field(default=2, hash=False)
    z: list[int] = field(default_factory=list, init=False, compare=False)


def test_a_record_may_be_compared_by_identity_and_take_its_fields_by_name_alone() -> None:
    one = Itself(1)
    assert one == one and one != Itself(1) and len({one, Itself(1)}) == 2
    assert Told(x=3, y=4) == Told(y=4, x=3) != Told(x=3)
    assert hash(Told(x=3, y=4)) == hash(Told(x=3)) and Told().z == [] and Told().z is not Told().z
    with pytest.raises(TypeError):
        Told(3)  # type: ignore[call-arg]
