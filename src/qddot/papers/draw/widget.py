"""The widget of an arm or of a run has the data that a notebook and the page's script exchange."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import anywidget
import traitlets

from qddot.papers.draw.posed import configuration
from qddot.robot.model import Model

Closing: TypeAlias = Callable[[Any], Any]


class ArmWidget(anywidget.AnyWidget):
    """This shows an arm with a slider for each joint, or plays a run.

    q: the coordinates of an arm that is shown [rad or m]; they follow the sliders, and the arm follows them
    closing: returns the closed configuration of a chain near one, or None if its loops cannot be closed; then it stays
    """

    _esm = traitlets.Unicode().tag(sync=True)
    arm = traitlets.Dict().tag(sync=True)
    lang = traitlets.Unicode().tag(sync=True)
    q = traitlets.Any().tag(sync=True)
    times = traitlets.Bytes().tag(sync=True)
    samples = traitlets.Bytes().tag(sync=True)
    stopped = traitlets.Unicode().tag(sync=True)

    def __init__(self, model: Model, script: str, closing: Closing | None = None, **handed: Any) -> None:
        self._of, self._closing = model, closing
        super().__init__(_esm=script, **handed)

    @traitlets.validate("q")
    def _checked(self, proposal: Any) -> list[float]:
        """Returns n finite numbers, with closed loops. raises QddotError: anything else"""
        q = configuration(self._of, proposal["value"])
        closed = q if self._closing is None else self._closing(q)
        numbers: list[float] = self.q if closed is None else closed.tolist()
        return numbers

    def __repr__(self) -> str:
        return f"<view of {self._of.name}>"
