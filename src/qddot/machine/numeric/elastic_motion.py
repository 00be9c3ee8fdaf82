"""Computes the motion and the torques of motors that make the links of an arm with elastic joints move as asked."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from qddot.algebra.checked_arrays import finite, together
from qddot.algebra.program.interpreter import Walk
from qddot.base.errors import EvaluationError
from qddot.base.records import Named
from qddot.base.words.message import Listed
from qddot.machine.compilers import blocks
from qddot.machine.tracing.elastic_motion import traced_motion
from qddot.physics.systems import System
from qddot.robot.elastic import motors_of
from qddot.robot.model import Model


class ElasticMotion(NamedTuple):
    """An elastic motion has the coordinates of links and motors, their rates and accelerations, and the torques τ."""

    q: Any
    qd: Any
    qdd: Any
    tau: Any


def elastic_motion(system: System, motion: tuple[Any, ...]) -> ElasticMotion:
    """Returns the motion of links and motors; arguments and errors are those of `Robot.elastic_motion`."""
    if not isinstance(system, Model):  # loops share the torque of a link among motors
        raise EvaluationError("elastic-motion-of-loops", where=system.name)
    model = system
    idle = [name for name in motors_in(model) if model.driven is not None and name not in model.driven]
    if idle:
        raise EvaluationError("elastic-motion-undriven", where=model.name, names=Listed(idle))
    motors = motors_in(model)
    links = [k for k, name in enumerate(model.coordinates) if name not in motors]
    program = _program(Named(model.hash, model))
    arrays = together([finite(part, "a derivative of q") for part in motion])
    if arrays[0].shape[-1:] != (len(links),):
        raise EvaluationError("elastic-motion-misshapen", shape=arrays[0].shape, size=len(links))
    rows = np.stack(arrays).reshape(len(arrays), -1, len(links))
    whole = np.zeros((len(arrays), model.n, rows.shape[1]))
    whole[:, links] = rows.swapaxes(1, 2)
    values = Walk(program, blocks.functions(), float)(list(whole))
    shape = (*arrays[0].shape[:-1], model.n)
    ones = np.ones(rows.shape[1])
    return ElasticMotion(
        *(np.stack([values[k] * ones for k in places], axis=-1).reshape(shape) for _, places in program.result_slices())
    )


def motors_in(model: Model) -> list[str]:
    """Returns the coordinates of motors."""
    return [str(motor.joint.coordinate) for motor in motors_of(model.bodies)]


@lru_cache(maxsize=16)
def _program(key: Named[Model]) -> Any:
    return traced_motion(key.value)
