"""Answers a plan: it makes a job, runs the chunks that the store lacks, and returns the store's Dataset."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qddot.base.errors import SweepError, flag
from qddot.base.system import parts
from qddot.base.system.progress import bar
from qddot.base.words.language import ENGLISH
from qddot.base.words.message import Both, Message, say
from qddot.machine.compilers.threads import cores
from qddot.motion.simulate.options import Options
from qddot.motion.sweeps import room, running
from qddot.motion.sweeps.chunks import Engine
from qddot.motion.sweeps.designs import Sobol
from qddot.motion.sweeps.job import Job
from qddot.motion.sweeps.plan import Plan
from qddot.motion.sweeps.preparing import prepared
from qddot.motion.sweeps.quantiles import NAMES, PILOT, edges_of
from qddot.motion.sweeps.store import AGAIN, Store, created, existing, opened
from qddot.robot.model import Model

if TYPE_CHECKING:
    import xarray as xr

    from qddot.motion.simulate.plant import Closed


def answer(model: Model, plan: Plan, options: Options, closed: Closed | None = None) -> xr.Dataset:
    """Returns the answer of a plan for an arm, whose loops are `closed`.

    The plan already has the options' `record_every` and `chunk`.
    """
    job = prepared(model, plan, closed)
    overwrite = flag(options.overwrite, "overwrite")
    there = existing(job, options.store, overwrite, _with_edges)
    if there is not None and there.finished.all():
        return _with_notes(there, job)
    here = (options.threads or cores()) if options.scheduler is None else 0
    room.check(job, options.store, int(there.finished.sum()) if there else 0, min(here, job.chunks))
    job = _with_edges(job, there)
    workers = _workers(job, options)  # checked before anything is deleted
    try:
        own = there.alone() if there else created(job, options.store, overwrite)
        with own as store, bar(str(say("sweeping-a-model", name=model.name)), options.progress) as advance:
            running.run(job, store, workers, plan.draws.strict, advance)
    finally:
        workers.close()
    return _with_notes(store, job)


def _with_edges(job: Job, store: Store | None = None) -> Job:
    """Returns the job with the edges of its quantiles: from its store, or from its first runs."""
    if not job.tubes:
        return job
    if store is not None:
        return replace(job, edges={name: store.edges(name) for name in NAMES})
    pilot = Engine(job.pilot(PILOT)).chunk(0)
    return replace(job, edges={name: edges_of(pilot[name]) for name in NAMES})


def _workers(job: Job, options: Options) -> running.Workers:
    if options.scheduler is None:
        return running.Threads(job, options.threads or cores())
    if options.threads is not None:
        raise SweepError("threads-and-scheduler", threads=options.threads)
    try:
        from qddot.motion.sweeps.cluster import Cluster
    except ModuleNotFoundError:
        raise SweepError("dask-not-installed", remedy=parts.remedy("sweep")) from None
    return Cluster(job, options.scheduler)


def _with_notes(store: Store, job: Job) -> xr.Dataset:
    """Returns a store's Dataset with notes that its user should read."""
    notes = [say("note-of-renewed-array", why=why) for why in store.renewed]
    if store.damaged:
        notes.append(say("note-of-rerun-chunks", why=store.damage()))
    notes += notes_of(store)
    if isinstance(job.design, Sobol) and job.runs & (job.runs - 1):
        notes.append(say("note-of-sobol", runs=job.runs))
    return store.dataset().assign_attrs(notes=[note.told(ENGLISH) for note in notes])


def notes_of(store: Store) -> list[Message]:
    """Returns notes on a store's runs: impossible draws, numbers that were not finite, kinds of processors."""
    counts, notes = store.counts(), list[Message]()
    for name, count in counts.items():
        if name.startswith("impossible_") and count:
            link = name.removeprefix("impossible_")
            notes.append(say("note-of-impossible-draws", count=count, link=repr(link)))
    if counts["not_finite"]:
        notes.append(say("note-of-lost-runs", count=counts["not_finite"]))
    processors = store.about["processors"]
    if len(processors) > 1:
        notes.append(say("note-of-processors", processors=Both(processors)))
    return notes


def stored_results(path: str | Path) -> tuple[xr.Dataset, dict[str, Any]]:
    """Returns a store's Dataset, and its progress: chunks and runs, their status, notes and the plan.

    Damaged chunks are left out and named in the notes. raises SweepError: it is not a store of a sweep
    """
    store = opened(path)
    finished_chunks, about, notes = store.finished, store.about, notes_of(store)
    notes += [say("note-of-damaged-array", why=why, remedy=AGAIN) for why in store.lost.values()]
    if store.damaged:
        notes.append(say("note-of-lost-chunks", why=store.damage(), remedy=AGAIN))
    finished = [min(about["chunk"], about["runs"] - int(k) * about["chunk"]) for k in finished_chunks.nonzero()[0]]
    return store.dataset().assign_attrs(notes=[note.told(ENGLISH) for note in notes]), {
        "store": str(path),
        "model": about["plan"].get("model"),
        "chunks": len(finished_chunks),
        "chunks_finished": int(finished_chunks.sum()),
        "runs": about["runs"],
        "runs_finished": sum(finished),
        "status": store.counts(),
        "notes": notes,
        "plan": about["plan"],
    }
