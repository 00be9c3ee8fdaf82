"""Shows an arm, or its motion, in three dimensions in a notebook: the page's own view, as a widget.

The browser gets the page's script, which is the same for every arm, and data.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qddot.base.errors import QddotError
from qddot.base.system import built_page, parts, programs
from qddot.motion.simulate.runs.recording import Recording
from qddot.papers.draw.drawn_arm import drawn_arm
from qddot.papers.draw.labels import language
from qddot.papers.draw.plot import finite, one_arm
from qddot.papers.draw.posed import configuration
from qddot.robot.closed_model import ClosedModel
from qddot.robot.model import Model

if TYPE_CHECKING:
    from qddot.papers.draw.widget import ArmWidget, Closing

SCRIPT = "widget.js"  # a file of the built page
BETWEEN = 0.01  # the least time between samples that are shown, in seconds
NEARLY = 1 - 1e-9  # fraction of that time, since times of samples are rounded


def of_arm(model: Model, q: ArrayLike | None, lang: str) -> ArmWidget:
    """Returns the widget of an arm with its sliders; arguments are as in `Robot.view`."""
    return _widget(model, configuration(model, q), lang)


def of_chain(chain: ClosedModel, q: ArrayLike, closing: Closing, lang: str) -> ArmWidget:
    """Returns the widget of a closed chain, whose loops stay closed; arguments are as in `ClosedChain.view`."""
    return _widget(chain.tree, configuration(chain.tree, q), lang, closing=closing, rods=chain.rods)


def of_run(run: Recording, arm: int, lang: str) -> ArmWidget:
    """Returns the widget that plays one arm of a run; arguments are as in `Run.view`."""
    q = finite(one_arm(run.arrays, arm)["q"])
    some = sample_indices(run.arrays["time"][: len(q)])
    stops = [stop.message.told(lang) for stop in run.stops if stop.arm == arm % len(run.arrays["arm"])]
    rods = () if run.closed is None else run.closed.rods
    return _widget(run.model(arm), q[0], lang, run.arrays["time"][some], q[some], "".join(stops), rods=rods)


def sample_indices(times: NDArray[np.float64]) -> list[int]:
    """Returns the indices of the samples that are shown: the first, the last, and others not too close in time."""
    last, places = -np.inf, []
    for k, time in enumerate(times):
        if time - last >= BETWEEN * NEARLY:
            places.append(k)
            last = time
    return places if places[-1] == len(times) - 1 else [*places, len(times) - 1]


def _widget(
    model: Model,
    q: Any,
    lang: str,
    times: Any = (),
    samples: Any = (),
    stopped: str = "",
    closing: Closing | None = None,
    rods: Sequence[tuple[str, str]] = (),
) -> ArmWidget:
    """Returns a widget. raises QddotError: no such language, or anywidget or the built page is missing"""
    handed = {"arm": drawn_arm(model, rods), "lang": language(lang), "q": q.tolist(), "stopped": stopped}
    handed |= {"times": np.asarray(times, "<f8").tobytes(), "samples": np.asarray(samples, "<f8").tobytes()}
    script = _script()
    if not programs.has_module("anywidget"):
        raise QddotError("view-needs-anywidget", remedy=parts.remedy("widget"))
    from qddot.papers.draw.widget import ArmWidget

    return ArmWidget(model, script, closing, **handed)


def _script() -> str:
    """Returns the page's script. raises QddotError: the page is missing or has another version"""
    path = built_page.folder() / SCRIPT
    if not path.is_file():
        raise QddotError("page-of-another-version", script=SCRIPT, parent=path.parent, remedy=built_page.HOW)
    return path.read_text(encoding="utf-8")
