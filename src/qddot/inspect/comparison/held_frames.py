"""Places the frames that loops and wheels hold, at q = 0, with what of each matters to conditions, and pairs them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from qddot.base.records import record
from qddot.base.words.message import Both, Message, say
from qddot.inspect.comparison.places import Array, Place
from qddot.robot.bodies import BASE
from qddot.robot.loops import ENDS, EVERYWHERE, PARALLEL, Loop, X, Y, Z
from qddot.robot.notes import note
from qddot.robot.rolling import Rolling

FRAMES = {
    "first": say("frame-first"),
    "second": say("frame-second"),
    "contact": say("frame-contact"),
    "wheel": say("frame-wheel"),
    "ground": say("frame-ground"),
}
UNIVERSAL = "universal"  # the only type of loop whose two frames have different roles


@record(eq=False)
class HeldFrame:
    """This is a frame that a loop or a wheel holds.

    end: which one; link: the link whose frame it is; node: the place of the joint that moves it, None for the base
    frame: in the base's frame; axes: those whose directions matter
    along: the axes along which the origin's place matters; the others may slide
    """

    end: str
    link: str
    node: int | None
    frame: Place
    axes: tuple[int, ...]
    along: tuple[int, ...]

    @property
    def called(self) -> Message:
        """Returns what sentences call it."""
        return FRAMES[self.end]

    @property
    def point(self) -> Array:
        """Returns the origin, or the point nearest to the base's origin of the line or plane on which it may slide."""
        if self.along == EVERYWHERE:
            return self.frame.p
        own = self.frame.R[:, list(self.along)]
        return own @ (own.T @ self.frame.p)

    def axis(self, k: int) -> Array:
        return self.frame.R[:, k]


@record(eq=False)
class Held:
    """This is a loop or a rolling wheel with its frames; a wheel and its ground have frames of which nothing matters.

    kind: the type of the loop, or the directions in which a wheel does not slide; length: of a rod
    """

    name: str
    kind: str
    frames: tuple[HeldFrame, ...]
    length: float | None = None

    @property
    def title(self) -> str:
        """Returns what it is, with its name."""
        return note("loop-named" if len(self.frames) == len(ENDS) else "wheel-titled", name=self.name)

    def moved(self, place: Callable[[int | None, Place], Place]) -> Held:
        """Returns it with other frames: place(node, frame) for each."""
        return replace(self, frames=tuple(replace(each, frame=place(each.node, each.frame)) for each in self.frames))


def held(
    closure: Loop | Rolling, values: Mapping[str, float], frames: Mapping[str, Place], node_of: Mapping[str, int | None]
) -> Held:
    """Returns a loop or a wheel. frames: of all links in the base's frame; node_of: the place of a link's joint"""

    def frame(end: str, link: str, axes: tuple[int, ...] = (), along: tuple[int, ...] = ()) -> HeldFrame:
        node, place = (None, Place.identity()) if link == BASE else (node_of[link], frames[link])
        return HeldFrame(end, link, node, place, axes, along)

    if isinstance(closure, Rolling):
        axes = (Z,) if closure.axes == (X, Y) else closure.axes
        ends = (frame("contact", closure.contact, axes, EVERYWHERE),)
        more = (frame("wheel", closure.wheel), frame("ground", closure.ground))
        return Held(closure.name, note("no-sliding-along", axes=Both(closure.directions)), (*ends, *more))
    own = closure.conditions
    along = EVERYWHERE if own.distance else own.place
    if own.attitude == PARALLEL:
        both: tuple[tuple[int, ...], ...] = ((Z,), (Z,))
    else:
        both = tuple(tuple(sorted(pair[k] for pair in own.attitude)) for k in range(2))
    pair = zip(ENDS, closure.links, both, strict=True)
    length = None if closure.length is None else closure.length.value(values)
    return Held(closure.name, closure.type, tuple(frame(end, link, axes, along) for end, link, axes in pair), length)


def paired(ours: Sequence[Held], theirs: Sequence[Held]) -> Iterator[tuple[Held | None, Held | None]]:
    """Yields loops and wheels that hold the same links, else those with one name, in A's order; None lacks a partner.

    Two loops never hold the same links. The frames of loops are in A's order where this changes no condition.
    """
    partners: dict[int, Held] = {}
    for alike in (_same_links, _same_name):
        for k, one in enumerate(ours):
            open_ones = (each for each in theirs if all(each is not other for other in partners.values()))
            other = None if k in partners else next((each for each in open_ones if alike(one, each)), None)
            if other is not None:
                partners[k] = other
    yield from ((one, _turned(one, partners.get(k))) for k, one in enumerate(ours))
    yield from ((None, each) for each in theirs if all(each is not other for other in partners.values()))


def points_on(k: int, ours: Sequence[Held], theirs: Sequence[Held]) -> list[tuple[Array, Array]]:
    """Returns the points of link k that loops hold in A, each with that in B."""
    frames = [pair for one, other in _both(ours, theirs) for pair in zip(one.frames, other.frames, strict=True)]
    return [(x.frame.p, y.frame.p) for x, y in frames if x.node == k == y.node and x.along == y.along == EVERYWHERE]


def rods(ours: Sequence[Held], theirs: Sequence[Held]) -> list[tuple[float, float]]:
    """Returns the length of each rod in A, with that in B."""
    return [(one.length, other.length) for one, other in _both(ours, theirs) if one.length and other.length]


def _both(ours: Sequence[Held], theirs: Sequence[Held]) -> list[tuple[Held, Held]]:
    """Returns the loops and wheels of A that have partners in B."""
    return [(one, other) for one, other in paired(ours, theirs) if one is not None and other is not None]


def _same_links(one: Held, other: Held) -> bool:
    nodes = [{frame.node for frame in each.frames} for each in (one, other)]
    return len(one.frames) == len(other.frames) and nodes[0] == nodes[1]


def _same_name(one: Held, other: Held) -> bool:
    return len(one.frames) == len(other.frames) and one.name == other.name


def _turned(one: Held, other: Held | None) -> Held | None:
    """Returns the other with its frames in the order of this one's, if both are loops whose order does not matter."""
    if other is None or UNIVERSAL in (one.kind, other.kind) or len(one.frames) != len(ENDS):
        return other
    nodes = [[frame.node for frame in each.frames] for each in (one, other)]
    if nodes[0] == nodes[1] or nodes[0] != nodes[1][::-1]:
        return other
    frames = zip(ENDS, other.frames[::-1], strict=True)
    return replace(other, frames=tuple(replace(each, end=end) for end, each in frames))
