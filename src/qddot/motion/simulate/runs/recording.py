"""A Recording has the result of a simulation as data: samples, stops, models, and how to compute the run again."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from qddot.base.checked import index
from qddot.base.errors import SimulationError
from qddot.base.records import record
from qddot.base.words.message import Words, say
from qddot.motion.simulate.runs.samples import Arrays
from qddot.motion.simulate.runs.stops import Stop
from qddot.robot.closed_model import ClosedModel
from qddot.robot.model import Model

if TYPE_CHECKING:
    from qddot.motion.simulate.setup import Setup


def model_of(model: Model, values: Mapping[str, float], free: tuple[str, ...], parameters: Any, arm: int) -> Model:
    """Returns the model of one of a run's arms, which differ in the values of some symbols; parameters: (N, P)"""
    own = {name: float(value) for name, value in zip(free, parameters[arm], strict=True)}
    return model.with_values({**values, **own})


@record(eq=False)
class Recording:
    """A recording has the samples of one arm or of a batch, and what belongs to them.

    samples: the arrays, or a function that describes them at their first use
    stops: where and why arms stopped before the end; values after that are NaN
    models: one for each arm, None for a run from a file; again: computes the same run with smaller errors, or is None
    torque: what drives the arm; notes: on the run; those of a run from a file are attributes of its samples
    setup: the checked request, None for a run from a file; beside: computes runs of one arm from other starts (q, q̇)
    """

    samples: Arrays | Callable[[], Arrays]
    stops: tuple[Stop, ...]
    models: Callable[[int], Model] | None = None
    again: Callable[[], Recording] | None = None
    torque: Words = ""
    notes: tuple[Words, ...] = ()
    setup: Setup | None = None
    beside: Callable[[int, Any, Any], Recording] | None = None

    @cached_property
    def arrays(self) -> Arrays:
        """Returns the samples; their description is made at the first call."""
        return self.samples if isinstance(self.samples, Arrays) else self.samples()

    def model(self, arm: int) -> Model:
        """Returns the model of an arm, with its own values of symbols.

        raises SimulationError: no such arm, or a run from a file, since files do not hold arms
        """
        if self.models is None:
            raise SimulationError("run-from-a-file")
        return self.models(index(arm, say("an-arm-of-many"), len(self.arrays["arm"]), error=SimulationError))

    @property
    def closed(self) -> ClosedModel | None:
        """Returns the loops and wheels of a closed chain, or None where there are none or the request is not known."""
        closed = self.setup.plant.closed if self.setup is not None else None
        return None if closed is None else closed.model

    def __reduce__(self) -> Any:
        # a law that cannot be pickled is left out; the rest of the run is sent
        repeated = self.again, self.setup, self.beside
        try:
            pickle.dumps(repeated)
        except Exception:
            repeated = None, None, None
        again, setup, beside = repeated
        return Recording, (self.arrays, self.stops, self.models, again, self.torque, self.notes, setup, beside)
