"""Answers a plan: makes its job, runs what its store does not have yet, and returns the store as a Dataset."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qddot.errors import SweepError, flag
from qddot.model.model import Model
from qddot.simulate.setup import check_calling
from qddot.sweeps import running
from qddot.sweeps.chunks import Engine
from qddot.sweeps.designs import Sobol
from qddot.sweeps.job import Job
from qddot.sweeps.plan import Plan
from qddot.sweeps.preparing import prepared
from qddot.sweeps.quantiles import NAMES, PILOT, edges_of
from qddot.sweeps.store import Store, begun, created, opened
from qddot.system.progress import bar

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True)
class Course:
    """This is how a sweep is run and kept: the arguments of `qddot.sweep` that are no part of the plan."""

    store: str | Path | None = None
    overwrite: bool = False
    strict: bool = False
    scheduler: Any = None
    threads: int | None = None
    progress: Callable[[float], None] | None = None


def answer(model: Model, plan: Plan, course: Course) -> xr.Dataset:
    """Returns the answer of a plan for an arm."""
    check_calling(course.threads, course.progress)
    job = prepared(model, plan)
    check = flag(course.strict, "strict")
    there = begun(job, course.store, flag(course.overwrite, "overwrite"))
    if there is not None and there.finished.all():
        return _told(there, job)
    job = _with_edges(job, there)
    workers = _workers(job, course)  # before anything is deleted
    try:
        kept = there or created(job, course.store)
        with kept.alone(), bar(f"sweeping {model.name}", course.progress) as told:
            running.run(job, kept, workers, check, told)
    finally:
        workers.close()
    return _told(kept, job)


def _with_edges(job: Job, store: Store | None) -> Job:
    """Returns the job with the edges of its quantiles: those of its store, or those that its first runs set."""
    if not job.tubes:
        return job
    if store is not None:
        return replace(job, edges={name: store.edges(name) for name in NAMES})
    pilot = Engine(job.pilot(PILOT)).chunk(0)
    return replace(job, edges={name: edges_of(pilot[name]) for name in NAMES})


def _workers(job: Job, course: Course) -> running.Workers:
    if course.scheduler is None:
        return running.Threads(job, course.threads or running.cores())
    if course.threads is not None:
        raise SweepError(
            f"threads = {course.threads} and a scheduler", expected="one of them: a cluster's workers have theirs"
        )
    try:
        from qddot.sweeps.cluster import Cluster
    except ModuleNotFoundError:
        raise SweepError("dask is not installed", remedy="pip install 'qddot[sweep]'") from None
    return Cluster(job, course.scheduler)


def _told(store: Store, job: Job) -> xr.Dataset:
    """Returns a store's Dataset with notes that its user should read."""
    notes = notes_of(store)
    if isinstance(job.design, Sobol) and job.runs & (job.runs - 1):
        notes.append(f"{job.runs} points of a Sobol sequence are not balanced: take a power of 2")
    return store.dataset().assign_attrs(notes=notes)


def notes_of(store: Store) -> list[str]:
    """Returns what a store says of its runs: those that no body can do, those that were not finite, processors."""
    counts, notes = store.counts(), []
    for name, count in counts.items():
        if name.startswith("impossible_") and count:
            link = name.removeprefix("impossible_")
            notes.append(f"{count} runs were left out: no body has the mass and inertia drawn for link {link!r}")
    if counts["not_finite"]:
        notes.append(f"{counts['not_finite']} runs stopped since a number of theirs was not finite")
    processors = store.about["processors"]
    if len(processors) > 1:
        notes.append(f"made on {' and '.join(processors)}: equal to one machine's up to rounding")
    return notes


def status(path: str | Path) -> dict[str, Any]:
    """Returns how far the sweep in a store is: its chunks and runs, what became of them, and its plan."""
    kept = opened(path)
    done, about = kept.finished, kept.about
    finished = [min(about["chunk"], about["runs"] - int(k) * about["chunk"]) for k in done.nonzero()[0]]
    return {
        "store": str(path),
        "model": about["plan"].get("model"),
        "chunks": len(done),
        "chunks_finished": int(done.sum()),
        "runs": about["runs"],
        "runs_finished": sum(finished),
        "status": kept.counts(),
        "notes": notes_of(kept),
        "plan": about["plan"],
    }


def dataset(path: str | Path) -> xr.Dataset:
    """Returns what a store has as a Dataset. raises SweepError: it is no store of a sweep"""
    kept = opened(path)
    return kept.dataset().assign_attrs(notes=notes_of(kept))
