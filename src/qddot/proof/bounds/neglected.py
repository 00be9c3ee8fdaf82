"""Bounds the torques that an arm loses if the rotors of its motors are described as armature."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from time import process_time
from typing import Any

from qddot.algebra.expressions.parser import expression
from qddot.algebra.spatial import Inertia
from qddot.base.errors import EvaluationError
from qddot.base.words.message import say
from qddot.proof.bounds.constants import row, torques
from qddot.proof.bounds.exact_programs import EquationNodes
from qddot.proof.bounds.fourier_walk import walked
from qddot.proof.bounds.region import region_of
from qddot.robot.bodies import Body
from qddot.robot.joints.refused import refuse_several
from qddot.robot.model import Model
from qddot.robot.rotors import axial_moment, rotors_of

GAP = 0.01


def armature_errors(model: Model, limits: Mapping[str, Any], seconds: float) -> dict[str, float]:
    """Returns for each coordinate a proven bound of |τ − τ'|, where τ' has n² J as armature in place of each rotor.

    Both arms have the same links, so that the difference is that of massless links with these rotors.
    limits: of coordinates, rates and accelerations; seconds: the processor time for all bounds
    raises QddotError: no rotors, or a region without limits of rates and accelerations
    """
    refuse_several(model, say("a-proof-of-bounds"))
    if not any(rotors_of(model.bodies)):
        raise EvaluationError("no-rotors", where=model.name)
    region = region_of(model, limits)
    if region.rates is None or region.accelerations is None:
        raise EvaluationError("region-without-motion", where=model.name)
    nodes = _lost(model)
    tasks = list(torques(cache(lambda: nodes), walked, region))
    errors, until = dict.fromkeys(model.coordinates, 0.0), process_time() + seconds
    for k, task in enumerate(tasks):
        share = (until - process_time()) / (len(tasks) - k)
        name = model.coordinates[k // 2]
        errors[name] = max(errors[name], abs(row(task, region, GAP, process_time() + share).proven))
    return errors


def _lost(model: Model) -> EquationNodes:
    """Returns the equations of the rotors alone, less those of their armature."""
    nodes = EquationNodes(replace(model, bodies=tuple(map(_without_inertia, model.bodies))))
    for body, _, ratios in rotors_of(model.bodies):
        for name, ratio in ratios.items():
            i = model.coordinates.index(name)
            armature = axial_moment(body) * expression(ratio) * expression(ratio)
            nodes.M[i][i] = nodes.M[i][i] - nodes.tree.evaluate(armature)
    return nodes


def _without_inertia(body: Body) -> Body:
    if not body.joint.leads:
        return body if body.joint.kind.is_rotor else replace(body, inertia=Inertia.zero(), com=None, shapes=None)
    return replace(body, joint=replace(body.joint, effects=()), inertia=Inertia.zero(), com=None, shapes=None)
