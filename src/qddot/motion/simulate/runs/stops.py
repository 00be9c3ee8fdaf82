"""A Stop says where and why one arm stopped before the end of a run; its sentence is made from these facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from qddot.base.records import record
from qddot.base.words.message import Message, Words, say
from qddot.motion.simulate.stepping.methods import SMOOTH

REASONS: Mapping[str, str] = {
    "limit": "stop-at-a-limit",
    "event": "stop-at-the-event",
    "loops": "stop-of-loops",
    "unbounded": "stop-unbounded",
    "unsettled": "stop-unsettled",
    "stuck": "stop-of-short-steps",
    "friction": "stop-by-friction",
    "singular": "stop-of-singular-mass",
    "chattering": "stop-by-chattering",
    "lost": "stop-without-enclosure",
    "interrupted": "stop-by-interrupt",
}
SIDES = {"lower": say("side-lower"), "upper": say("side-upper")}
GIVEN_UP = ("unsettled", "stuck", "friction", "chattering")  # kinds that tell about the method, not about the motion


class Cause(NamedTuple):
    """This is why an arm stops.

    kind: a name in REASONS; joint: that of a limit, or the coordinates at a turning point
    side: "upper" or "lower", of a limit; detail: the method that failed
    """

    kind: str
    joint: str = ""
    side: str = ""
    detail: str = ""

    @property
    def sentence(self) -> Message:
        """Returns the reason as a sentence."""
        return say(REASONS[self.kind], joint=self.joint, side=self._side, detail=self.detail, smooth=SMOOTH)

    @property
    def place(self) -> Message:
        """Returns the name of a limit or of the event."""
        return say("limit-of-a-joint", joint=self.joint, side=self._side) if self.kind == "limit" else say("the-event")

    @property
    def _side(self) -> Words:
        return SIDES.get(self.side, self.side)


@record()
class Stop:
    """This is where and why one arm of a run stopped: the time [s], the cause and the state."""

    arm: int
    time: float
    cause: Cause
    q: Any
    qd: Any

    @property
    def kind(self) -> str:
        """Returns the kind of the cause: "limit", "event", "loops", "unbounded", "interrupted", …"""
        return self.cause.kind

    @property
    def joint(self) -> str:
        """Returns the coordinate whose limit was reached, else ""."""
        return self.cause.joint

    @property
    def side(self) -> str:
        """Returns the side of the limit that was reached, "upper" or "lower", else ""."""
        return self.cause.side

    @property
    def reason(self) -> str:
        """Returns the cause as a sentence."""
        return str(self.cause.sentence)

    @property
    def message(self) -> Message:
        """The sentence with the arm, the time and the cause."""
        return say("arm-stopped", arm=self.arm, time=f"{self.time:.6g}", reason=self.cause.sentence)

    def __str__(self) -> str:
        return str(self.message)
