"""Terms that change together are found from what they change."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from qddot.teach.check.judging.terms_chosen import chosen

change = st.dictionaries(st.integers(0, 6), st.integers(-3, 3).filter(bool), min_size=1, max_size=3)


def added(changes: list[dict[int, int]]) -> dict[int, int]:
    keys = {key for each in changes for key in each}
    total = {key: sum(each.get(key, 0) for each in changes) for key in keys}
    return {key: c for key, c in total.items() if c}


@given(st.lists(change, max_size=7), st.data())
def test_a_choice_adds_up_to_the_difference(changes: list[dict[int, int]], data: st.DataObject) -> None:
    places = data.draw(st.sets(st.sampled_from(range(len(changes))))) if changes else set()
    difference = added([changes[k] for k in places])
    choice = chosen(changes, difference)
    assert choice is not None
    assert added([changes[k] for k in choice]) == difference


def test_no_choice_is_found_where_there_is_none() -> None:
    assert chosen([{0: 1}, {1: 1}], {0: 2}) is None
    assert chosen([{0: 1}], {3: 1}) is None
