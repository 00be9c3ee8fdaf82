"""Describes some eighty mechanisms with loops and wheels for `mobility.py`."""

from collections.abc import Iterator
from itertools import chain

from linkages import planar, rolling, shipped, spatial, special, walking
from linkages.parts import Mechanism


def mechanisms() -> Iterator[Mechanism]:
    """Yields all of them."""
    groups = shipped.zoo, planar.on_bases, planar.planar, spatial.spatial, walking.legs, rolling.wheels, special.special
    return chain.from_iterable(group() for group in groups)
