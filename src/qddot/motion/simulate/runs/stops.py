"""A Stop says where and why one arm stopped before the end of a run; its sentence is made from these facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from qddot.base.records import record
from qddot.motion.simulate.stepping.methods import SMOOTH

REASONS: Mapping[str, str] = {
    "limit": "it reached {joint}'s {side} limit",
    "event": "it reached the event",
    "loops": "its loops are singular there: their conditions depend on one another, and the motion beyond is not known",
    "unbounded": "its state grew without bound",
    "unsettled": "the implicit step did not converge",
    "stuck": "{detail} stopped: its steps became too short",
    "friction": "{detail} stopped: its steps became too short; where dry friction holds a joint "
    f'at rest, use method="{SMOOTH}"',
    "singular": "its mass matrix is singular there: a joint moves nothing that has inertia",
    "chattering": "a sign, minimum or maximum switches back and forth without end: use a smooth function such as tanh",
    "lost": "no enclosure of the next step was found: the box of possible states has become too large",
    "interrupted": "the run was interrupted",
}
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
    def sentence(self) -> str:
        """Returns the reason as a sentence."""
        return REASONS[self.kind].format(**self._asdict())

    @property
    def place(self) -> str:
        """Returns the name of a limit or of the event."""
        return f"{self.joint}'s {self.side} limit" if self.kind == "limit" else f"the {self.kind}"


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
        return self.cause.sentence

    def __str__(self) -> str:
        return f"arm {self.arm} stopped at t = {self.time:.6g} s: {self.reason}"
