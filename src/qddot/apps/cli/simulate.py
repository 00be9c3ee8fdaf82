"""Runs `qddot simulate`: it simulates an arm, checks its energy and how long it is reliable, plots and saves."""

from __future__ import annotations

import argparse
import json
import math
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from qddot.apps.cli import comparing, driven, regulated, state
from qddot.apps.cli.opening import loaded_of_either_kind, tree
from qddot.apps.cli.output import DONE, FALSE, complain, show, table
from qddot.apps.cli.values import number, set_option
from qddot.apps.cli.words import listed, sentence
from qddot.base.errors import SimulationError, check_one_of
from qddot.base.system.progress import bar
from qddot.base.words.message import Following, Listed, say

if TYPE_CHECKING:
    from qddot.faces.run import Run
    from qddot.motion.simulate.runs.ledger import EnergyCheck
    from qddot.motion.simulate.runs.trust import Trust
    from qddot.robot.model import Model

NEEDS = {
    ("--phase", "--starts"): ("--plot-phase",),
    ("--movie-start", "--movie-duration", "--title", "--theme", "--perspective"): ("--movie", "--frames"),
    ("--overwrite",): ("--output", "--store", "--plot", "--plot-energy", "--plot-phase", "--movie", "--frames"),
    ("--gains", "--lqr", "--sample-every"): ("--target",),
    ("--driven",): ("--lqr",),
    ("--delay", "--encoder", "--quantum"): ("--sample-every",),
}
APART = (("--torque", "--target"), ("--gains", "--lqr"))
KEPT = ("record_every", "store", "overwrite")  # options of `qddot.Options` that the command has, too


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    from qddot.motion.simulate.stepping.methods import ANY, METHODS, SMOOTH
    from qddot.papers.draw.theme import THEMES

    fixed = [name for name, each in METHODS.items() if not each.adaptive and not each.in_momenta]
    symplectic = [name for name, each in METHODS.items() if each.in_momenta]
    stepped = listed([*fixed, sentence("symplectic-methods")])

    add = command.add_argument
    state.option(command, "help-simulate-at", required=True)
    add("--duration", default="10", metavar="S", help=sentence("help-duration"))
    add(
        "--step",
        default="0.001",
        metavar="S",
        help=sentence("help-step", stepped=stepped),
    )
    add(
        "--method",
        choices=METHODS,
        help=sentence("help-method", smooth=SMOOTH, any=ANY, symplectic=listed(symplectic)),
    )
    add(
        "--tolerance",
        metavar="E",
        help=sentence("help-tolerance", usual_tolerances=_usual_tolerances()),
    )
    add(
        "--damping",
        metavar="D[,…]",
        help=sentence("help-damping"),
    )
    driven.options(command)
    set_option(command)
    add("--record-every", type=int, default=1, metavar="N", help=sentence("help-record-every"))
    add("--no-limits", action="store_true", help=sentence("help-no-limits"))
    add("--plot", metavar="FILE", help=sentence("help-plot"))
    add("--plot-energy", metavar="FILE", help=sentence("help-plot-energy"))
    add("--plot-phase", metavar="FILE", help=sentence("help-plot-phase"))
    add("--phase", metavar="NAME", help=sentence("help-phase"))
    add("--starts", type=int, metavar="N", help=sentence("help-starts"))
    add(
        "--compare",
        metavar="NAME=V,…",
        help=sentence("help-compare"),
    )
    add("--movie", metavar="FILE", help=sentence("help-movie"))
    add("--frames", metavar="DIR", help=sentence("help-frames"))
    add("--movie-start", default="0", metavar="S", help=sentence("help-movie-start"))
    add("--movie-duration", metavar="S", help=sentence("help-movie-duration"))
    add("--title", help=sentence("help-title"))
    add("--theme", choices=THEMES, default="light", help=sentence("help-theme"))
    add("--perspective", action="store_true", help=sentence("help-simulate-perspective"))
    add("-o", "--output", metavar="FILE", help=sentence("help-simulate-output"))
    add(
        "--store",
        metavar="DIR",
        help=sentence("help-store"),
    )
    add(
        "--overwrite",
        action="store_true",
        help=sentence("help-overwrite"),
    )
    add("--json", action="store_true", help=sentence("help-simulate-json"))


def _usual_tolerances() -> str:
    """Returns the default tolerances, each with the methods that have it, the smallest first."""
    from qddot.motion.simulate.stepping.methods import METHODS

    sizes = sorted((each.tolerance.relative, name) for name, each in METHODS.items() if each.tolerance)
    groups = groupby(sizes, itemgetter(0))
    said = (
        say("tolerance-of-methods", tolerance=f"{size:g}", names=Listed(name for _, name in group))
        for size, group in groups
    )
    return str(Following(said))


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit code."""
    from qddot.motion.simulate.options import Options
    from qddot.motion.simulate.stepping.methods import METHODS

    arm, values = loaded_of_either_kind(chosen)
    arm = regulated.with_motors(chosen, arm)
    _check_paths(chosen)
    joint = _phase_joint(chosen, tree(arm))
    drive = driven.drive(chosen, arm, values)
    q0, qd0 = state.start(chosen, arm.with_values(**values) if values else arm)
    damping = state.in_order(chosen.damping, "--damping", tree(arm).coordinates, or_one=True)
    compared = comparing.compared(chosen, tree(arm)) if chosen.compare else None
    if compared:
        q0, qd0, damping, values = compared.batch(q0, qd0, damping, values)
    with bar(sentence("doing-simulating", name=arm.name)) as progress:
        motion = arm.simulate(
            q0,
            qd0,
            duration=number(chosen.duration, "--duration"),
            step=number(chosen.step, "--step"),
            method=_method(chosen),
            damping=damping,
            limits=not chosen.no_limits,
            options=Options(progress=progress, **{name: getattr(chosen, name) for name in KEPT}),
            values=values,
            **drive,
        )
    trust = motion.trust() if motion.complete and not chosen.store else None
    if compared:
        return compared.show(motion, trust, chosen)
    files = _written(motion, chosen, joint)
    energy = motion.energy.check()
    if chosen.json:
        print(json.dumps(_summary(motion, energy, trust, files), indent=2))
    else:
        _show(motion, energy, trust, files)
    if energy:
        return DONE
    smaller = "--tolerance" if METHODS[motion.arrays.attrs["method"]].adaptive else "--step"
    balance, allowed = str(energy.residual), f"{energy.tolerance:.3g}"
    complain(sentence("out-of-balance", balance=balance, allowed=allowed, option=smaller))
    return FALSE


def _phase_joint(chosen: argparse.Namespace, model: Model) -> int:
    """Returns the place of the coordinate whose phase portrait is drawn, the first one that has a rate by default.

    raises SimulationError: no such coordinate
    """
    names = [name for name in model.coordinates if name in model.positions]
    if chosen.phase is not None:
        check_one_of(chosen.phase, names, say("a-coordinate"), SimulationError)
    return model.coordinates.index(chosen.phase or (names or model.coordinates)[0])


def _method(chosen: argparse.Namespace) -> Any:
    """Returns the method with its tolerance; a tolerance without a method belongs to that of smooth motion."""
    from qddot.motion.simulate.stepping.methods import SMOOTH

    if chosen.tolerance is None:
        return chosen.method
    return chosen.method or SMOOTH.name, number(chosen.tolerance, "--tolerance")


def _check_paths(chosen: argparse.Namespace) -> None:
    """Checks the paths of pictures and samples before anything is computed."""
    from qddot.motion.simulate.runs import saved_runs
    from qddot.papers.draw import movie, plot

    kinds = (
        (chosen.plot, plot.FORMATS),
        (chosen.plot_energy, plot.FORMATS),
        (chosen.plot_phase, plot.FORMATS),
        (chosen.movie, movie.FORMATS),
        (chosen.output, saved_runs.FORMATS),
    )
    for path, formats in kinds:
        if path is not None:
            others = "--movie FILE draws a film, --plot FILE curves" if path == chosen.output else ""
            saved_runs.checked_path(path, formats, chosen.overwrite, remedy=others)


def _written(result: Run, chosen: argparse.Namespace, joint: int) -> list[str]:
    """Saves the samples, then draws the pictures, so that a failing picture loses no samples; returns the paths.

    joint: that of the phase portrait
    """
    from qddot.papers.draw import plot

    phase = partial(result.plot_phase, joint, starts=chosen.starts)

    written = [chosen.store] if chosen.store else []
    if chosen.output:
        written.append(str(result.save(chosen.output, chosen.overwrite)))
    pictures = (chosen.plot, result.plot), (chosen.plot_energy, result.plot_energy), (chosen.plot_phase, phase)
    for path, draw in pictures:
        if path:
            plot.save(draw(lang=chosen.lang), path, overwrite=chosen.overwrite)
            written.append(path)
    if chosen.movie:
        written.append(str(result.movie(chosen.movie, chosen.overwrite, **_film(chosen))))
    if chosen.frames:
        paths = result.pictures(chosen.frames, chosen.overwrite, **_film(chosen))
        written.append(f"{paths[0]} … {paths[-1].name}")
    return written


def _film(chosen: argparse.Namespace) -> dict[str, Any]:
    """Returns the options of the movie."""
    from qddot.papers.draw.camera import PERSPECTIVE

    duration = None if chosen.movie_duration is None else number(chosen.movie_duration, "--movie-duration")
    return {
        "start": number(chosen.movie_start, "--movie-start"),
        "duration": duration,
        "title": chosen.title,
        "theme": chosen.theme,
        "camera": PERSPECTIVE if chosen.perspective else None,
        "lang": chosen.lang,
    }


def _summary(result: Run, energy: EnergyCheck, trust: Trust | None, files: list[str]) -> dict[str, Any]:
    """Returns the contents of the table as plain data."""
    ledger, last = result.energy, _last(result)
    energies = (("K", ledger.K), ("P", ledger.P), ("E", ledger.E))
    return {
        **{name: result.arrays.attrs[name] for name in ("model", "method", "step")},
        "samples": len(result.time),
        "end": float(result.time[last]),
        "complete": result.complete,
        "energy": {name: [float(values[0]), float(values[last])] for name, values in energies},
        "work": float(ledger.work[last]),
        "external": float(ledger.external[last]),
        "losses": {name: float(values[last]) for name, values in ledger.losses.items()},
        "balance": float(ledger.balance[last]),
        "worst_balance": energy.worst,
        "allowed_balance": energy.tolerance,
        "horizon": None if trust is None else float(trust.horizon),
        "trust": None if trust is None else str(trust),
        "compared_with": None if trust is None else trust.compared.about,
        "stops": [str(stop) for stop in result.stops],
        "notes": list(result.notes),
        "q": [float(x) for x in result.q[last]],
        "qd": [float(x) for x in result.qd[last]],
        "files": files,
    }


def _last(result: Run) -> int:
    """Returns the index of the arm's last sample without NaN."""
    there = [k for k, q in enumerate(result.q) if all(map(math.isfinite, q))]
    return there[-1]


def _show(result: Run, energy: EnergyCheck, trust: Trust | None, files: list[str]) -> None:
    last, ledger = _last(result), result.energy
    end = f"{result.time[last]:g}"
    show(str(result.summary))
    rows = ledger.rows(0, last)
    show(table(sentence("energies"), sentence("start"), sentence("at-a-time", time=end), rows=rows))
    named = {"q": (result.arrays.positions, result.q), "q̇": (result.arrays.joints, result.qd)}
    for names in dict.fromkeys(tuple(names) for names, _ in named.values()):
        state = table("", *names)
        for name, (own, values) in named.items():
            if tuple(own) == names:
                state.add_row(sentence("at-the-end", name=name), *(f"{value:.6g}" for value in values[last]))
        show(state)
    show(sentence("energy", balance=energy.residual))
    if trust is not None:
        show(sentence("trust", verdict=str(trust)))
    for line in (*result.stops, *result.notes):
        show(str(line))
    for path in files:
        show(sentence("wrote", path=path))
    if not result.complete:
        show(sentence("interrupted", time=end))
