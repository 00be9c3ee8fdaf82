"""Runs `qddot sweep`: it simulates an arm many times as a plan file says, or shows the progress of a stored sweep."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qddot.apps.cli.opening import tree, with_values_of_either_kind
from qddot.apps.cli.output import show, table
from qddot.apps.cli.values import set_option
from qddot.apps.cli.words import sentence
from qddot.base.errors import SweepError

if TYPE_CHECKING:
    import xarray as xr

APART = tuple(("--status", other) for other in ("--overwrite", "--strict", "--scheduler", "--threads", "--set"))
LEVELS = (0.05, 0.5, 0.95)


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add = command.add_argument
    add("plan", metavar="PLAN", help=sentence("help-plan"))
    add("--store", metavar="DIR", help=sentence("help-sweep-store"))
    add("--status", action="store_true", help=sentence("help-status"))
    add("--overwrite", action="store_true", help=sentence("help-sweep-overwrite"))
    add("--strict", action="store_true", help=sentence("help-strict"))
    add("--scheduler", metavar="ADDRESS", help=sentence("help-scheduler"))
    add("--threads", type=int, metavar="N", help=sentence("help-threads"))
    set_option(command)
    add("--json", action="store_true", help=sentence("help-sweep-json"))


def run(chosen: argparse.Namespace) -> None:
    """Runs the command."""
    from qddot.faces.robot import Robot
    from qddot.motion.simulate.options import Options
    from qddot.motion.simulate.plant import Closed
    from qddot.motion.sweeps import answering, plan_file

    from_file = plan_file.read(chosen.plan)
    store = Path(chosen.store) if chosen.store else from_file.store
    if store is None:
        raise SweepError("names-no-store", plan=chosen.plan)
    notes: list[str] = []
    if not chosen.status:
        arm = with_values_of_either_kind(chosen)
        options = Options(store=store, overwrite=chosen.overwrite, threads=chosen.threads, scheduler=chosen.scheduler)
        draws = replace(from_file.plan.draws, strict=chosen.strict or from_file.plan.draws.strict)
        closed = None if isinstance(arm, Robot) else Closed(arm.model, arm.system.choice)
        notes = answering.answer(tree(arm), replace(from_file.plan, draws=draws), options, closed).attrs["notes"]
    data, summary = answering.stored_results(store)
    summary["notes"] = list(map(str, notes or summary["notes"]))
    numbers = _numbers(data)
    if chosen.json:
        print(json.dumps({**summary, "quantiles": numbers}, indent=2))
    else:
        _show(summary, numbers)


def _numbers(data: xr.Dataset) -> dict[str, list[float]]:
    """Returns the quantiles of each number over all finished runs, except of numbers that are recorded over time."""
    import numpy as np

    from qddot.motion.sweeps import loading

    quantiles: dict[str, list[float]] = {}
    for name, array in data.data_vars.items():
        if array.dims[:1] != ("run",) or "time" in array.dims or array.dtype.kind != "f":
            continue
        columns = loading.values(array).reshape(len(array), -1)
        entries = [str(x) for x in data[array.dims[1]].values] if array.dims[1:] else [""]
        for entry, column in zip(entries, columns.T, strict=True):
            finite = column[np.isfinite(column)]
            if len(finite):
                quantiles[f"{name} {entry}".strip()] = [float(x) for x in np.quantile(finite, LEVELS)]
    return quantiles


def _show(progress: dict[str, Any], numbers: dict[str, list[float]]) -> None:
    show(sentence("sweep-in-store", model=progress["model"], store=progress["store"]))
    show(
        sentence(
            "runs-finished-chunks",
            finished=progress["runs_finished"],
            runs=progress["runs"],
            chunks_finished=progress["chunks_finished"],
            chunks=progress["chunks"],
        )
    )
    outcomes = [(name, str(count)) for name, count in progress["status"].items() if count]
    show(table(sentence("title-runs"), sentence("title-count"), rows=outcomes))
    if numbers:
        rows = [(name, *(f"{value:.6g}" for value in values)) for name, values in numbers.items()]
        show(table(sentence("title-variable"), *(f"{100 * level:g} %" for level in LEVELS), rows=rows))
    for note in progress["notes"]:
        show(note)
