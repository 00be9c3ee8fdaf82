"""Lays out the answer of a job as arrays: dimensions, chunks, units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from qddot.base.records import record
from qddot.motion.sweeps.job import Job, flags
from qddot.motion.sweeps.quantiles import PARTS
from qddot.robot.units import either

RUN = "run"
AXES = ("x", "y", "z")
POSITIONS = "positions"  # the attribute with the names of the entries of q, if there are more of them than joints
ABOUT = ("coordinates", either("q")), ("rates", either("qd"))  # of q and of q̇


@record()
class Layout:
    """This is one array: `dims` are the dimensions after the first, with their sizes.

    per_chunk: whether the first dimension is that of chunks rather than of runs
    packed: whether its chunks, mostly one repeated number or small numbers, are compressed
    """

    name: str
    dims: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    dtype: str = "float64"
    fill: float | int = float("nan")
    attrs: Mapping[str, Any] = field(default_factory=dict)
    per_chunk: bool = False
    packed: bool = False


def layouts(job: Job) -> list[Layout]:
    """Returns the arrays that chunks fill."""
    symbols = job.plant.model.symbols
    units = {label: symbols[label].unit if label in symbols else "" for label in job.drawn.labels}
    drawn = [
        Layout(f"value_{label}", attrs={"long_name": f"{label}, drawn", "units": unit}) for label, unit in units.items()
    ]
    ended = [
        Layout(
            "status",
            dtype="int16",
            fill=-1,
            attrs={"long_name": "outcome of the run", **flags(job.status)},
            packed=True,
        ),
        Layout(
            "stop_time",
            attrs={"long_name": "time at which a run stopped before its end, to within a step", "units": "s"},
            packed=True,
        ),
    ]
    results = [
        Layout(
            each.name,
            each.dims,
            (each.size,) * len(each.dims),
            attrs={"long_name": each.about, "units": each.units},
        )
        for each in job.variables
    ]
    over_time = [
        Layout(name, ("time", along), (job.samples, size), attrs={"long_name": about, "units": units})
        for (name, (along, size)), (about, units) in zip(job.kept.items(), ABOUT, strict=True)
        if job.whole
    ]
    return [*drawn, *ended, *results, *over_time, *(_counts(job) if job.tubes else [])]


def _counts(job: Job) -> list[Layout]:
    """Returns the arrays with one entry per chunk, from which quantiles are computed."""
    return [
        each
        for name, (along, n) in job.kept.items()
        for each in (
            Layout(
                *(f"{name}_counts", ("part", "time", along), (PARTS, job.samples, n), "int32", 0),
                per_chunk=True,
                packed=True,
            ),
            Layout(f"{name}_ends", ("end", "time", along), (2, job.samples, n), per_chunk=True),
        )
    ]


def attributes(job: Job) -> dict[str, Any]:
    """Returns the attributes of the answer."""
    model = job.plant.model
    return {
        "digest": job.digest,
        "plan": job.identity,
        "joints": list(model.coordinates),
        "joint_units": ["rad" if turns else "m" for turns in model.turning],
        **({POSITIONS: list(model.positions)} if model.freedoms else {}),
        "drawn": list(job.drawn.labels),
        "runs": job.runs,
        "chunk": job.chunk,
        "variables": [each.name for each in layouts(job)],
        "processors": [],
    }
