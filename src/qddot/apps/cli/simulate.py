"""Runs `qddot simulate`: it simulates an arm, checks its energy and how long it is reliable, plots and saves."""

from __future__ import annotations

import argparse
import json
import math
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from qddot.apps.cli import comparing, driven
from qddot.apps.cli.output import DONE, FALSE, complain, show, table
from qddot.apps.cli.values import loaded_of_either_kind, number, numbers_if_any, positions, set_option, tree
from qddot.apps.cli.words import Words, lang_option, words_of
from qddot.base.errors import SimulationError, number_of
from qddot.base.system.progress import bar
from qddot.formats.registry import in_words

if TYPE_CHECKING:
    from qddot.faces.closed_chain import ClosedChain
    from qddot.faces.robot import Robot
    from qddot.faces.run import Run
    from qddot.motion.simulate.runs.ledger import EnergyCheck
    from qddot.motion.simulate.runs.trust import Trust

KEPT = ("record_every", "store", "overwrite")  # options of `qddot.Options` that the command has, too


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    from qddot.motion.simulate.stepping.methods import ANY, METHODS, SMOOTH

    fixed = [name for name, each in METHODS.items() if not each.adaptive and not each.in_momenta]
    symplectic = [name for name, each in METHODS.items() if each.in_momenta]
    stepped = in_words([*fixed, "the symplectic methods"], "and")

    add = command.add_argument
    add(
        "--q0",
        required=True,
        metavar="Q,…",
        help="initial coordinates: numbers in rad or m, or texts such as 180deg, pi/2; those of a closed chain are a "
        "guess, near which its loops are closed",
    )
    add(
        "--qd0",
        metavar="V,…",
        help="initial rates [rad/s or m/s] (default 0); of a closed chain only those of its independent coordinates",
    )
    add("--duration", default="10", metavar="S", help="duration in seconds (default 10)")
    add(
        "--step",
        default="0.001",
        metavar="S",
        help=f"time between samples in seconds, for {stepped} also their step "
        "(default 0.001); it must divide the duration",
    )
    add(
        "--method",
        choices=METHODS,
        help=f"default: {SMOOTH}, or {ANY} if a torque is not smooth; {in_words(symplectic, 'and')} are symplectic",
    )
    add(
        "--tolerance",
        metavar="E",
        help=f"relative error allowed in one step (default {_usual_tolerances()})",
    )
    add(
        "--damping",
        metavar="D[,…]",
        help="viscous damping added to the model's own, for all joints or each [N m s/rad]",
    )
    driven.options(command)
    set_option(command)
    add("--record-every", type=int, default=1, metavar="N", help="keep every Nth sample")
    add("--no-limits", action="store_true", help="do not end the run at a joint limit")
    add("--plot", metavar="FILE", help="draw coordinates, rates and torques (.png, .pdf, .svg)")
    add("--plot-energy", metavar="FILE", help="draw K, P, E and the losses (.png, .pdf, .svg)")
    add(
        "--compare",
        metavar="NAME=V,…",
        help="simulate with each of these values of damping or of a symbol, such as damping=0,1,5; --plot-energy then "
        "draws their energies E in one figure",
    )
    add("--movie", metavar="FILE", help="draw the arm in motion (.mp4 or .gif)")
    add("--frames", metavar="DIR", help="draw the pictures of the movie as PNG files in a folder")
    add("--movie-start", default="0", metavar="S", help="time at which the movie begins, in seconds (default 0)")
    add("--movie-duration", metavar="S", help="seconds of the run in the movie (default: the whole run)")
    add("--title", help="title of the movie, in place of the model and the method")
    add("--perspective", action="store_true", help="draw the movie in perspective, seen obliquely")
    add("-o", "--output", metavar="FILE", help="save the samples as NetCDF (.nc) or CSV (.csv)")
    add(
        "--store",
        metavar="DIR",
        help="stream the samples to a folder (Zarr); the summary then does not say how long the run is reliable",
    )
    add(
        "--overwrite",
        action="store_true",
        help="delete a run that is already in the store, and replace files that this command did not make",
    )
    lang_option(command, "what is printed, and of the pictures")
    add("--json", action="store_true", help="print the summary as JSON")


def _usual_tolerances() -> str:
    """Returns the default tolerances, each with the methods that have it, the smallest first."""
    from qddot.motion.simulate.stepping.methods import METHODS

    sizes = sorted((each.tolerance.relative, name) for name, each in METHODS.items() if each.tolerance)
    groups = groupby(sizes, itemgetter(0))
    return ", ".join(f"{size:g} for {in_words((name for _, name in group), 'and')}" for size, group in groups)


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit code."""
    from qddot.motion.simulate.options import Options
    from qddot.motion.simulate.stepping.methods import METHODS

    arm, values = loaded_of_either_kind(chosen)
    _check_paths(chosen)
    drive = driven.drive(chosen, arm, values)
    q0, qd0 = _start(chosen, arm, values)
    damping = _one_or_more(chosen.damping, "--damping")
    compared = comparing.compared(chosen, tree(arm)) if chosen.compare else None
    if compared:
        q0, qd0, damping, values = compared.batch(q0, qd0, damping, values)
    with bar(f"simulating {arm.name}") as progress:
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
    files = _written(motion, chosen)
    energy, words = motion.energy.check(), words_of(chosen)
    if chosen.json:
        print(json.dumps(_summary(motion, energy, trust, files), indent=2))
    else:
        _show(motion, energy, trust, files, words)
    if energy:
        return DONE
    smaller = "--tolerance" if METHODS[motion.arrays.attrs["method"]].adaptive else "--step"
    balance, allowed = words.told(energy.residual), f"{energy.tolerance:.3g}"
    complain(words("out of balance", balance=balance, allowed=allowed, option=smaller))
    return FALSE


def _start(chosen: argparse.Namespace, arm: Robot | ClosedChain, values: dict[str, Any]) -> tuple[Any, Any]:
    """Returns q and q̇ at the start; those of a closed chain follow from a guess and from independent rates."""
    from qddot.faces.robot import Robot

    q0, rates = positions(tree(arm), chosen.q0, "--q0"), numbers_if_any(chosen.qd0, "--qd0")
    if isinstance(arm, Robot):
        return q0, rates
    chain = arm.with_values(**values)
    if rates is not None and len(rates) != chain.m:
        expected = f"{chain.m}, those of {', '.join(chain.independent)}"
        raise SimulationError("qd-closed-chain", count=number_of(len(rates), "rate"), expected=expected)
    q = chain.assemble(q0).q
    return q, chain.velocities(q, [0.0] * chain.m if rates is None else rates)


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
        (chosen.movie, movie.FORMATS),
        (chosen.output, saved_runs.FORMATS),
    )
    for path, formats in kinds:
        if path is not None:
            others = "--movie FILE draws a film, --plot FILE curves" if path == chosen.output else ""
            saved_runs.checked_path(path, formats, chosen.overwrite, remedy=others)


def _written(result: Run, chosen: argparse.Namespace) -> list[str]:
    """Saves the samples, then draws the pictures, so that a failing picture loses no samples; returns the paths."""
    from qddot.papers.draw import plot

    written = [chosen.store] if chosen.store else []
    if chosen.output:
        written.append(str(result.save(chosen.output, chosen.overwrite)))
    for path, draw in ((chosen.plot, result.plot), (chosen.plot_energy, result.plot_energy)):
        if path:
            plot.save(draw(lang=chosen.lang), path, overwrite=chosen.overwrite)
            written.append(path)
    if chosen.movie:
        written.append(str(result.movie(chosen.movie, chosen.overwrite, **_film(chosen))))
    if chosen.frames:
        pictures = result.pictures(chosen.frames, chosen.overwrite, **_film(chosen))
        written.append(f"{pictures[0]} … {pictures[-1].name}")
    return written


def _film(chosen: argparse.Namespace) -> dict[str, Any]:
    """Returns the options of the movie."""
    from qddot.papers.draw.camera import PERSPECTIVE

    duration = None if chosen.movie_duration is None else number(chosen.movie_duration, "--movie-duration")
    return {
        "start": number(chosen.movie_start, "--movie-start"),
        "duration": duration,
        "title": chosen.title,
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


def _show(result: Run, energy: EnergyCheck, trust: Trust | None, files: list[str], words: Words) -> None:
    last, ledger = _last(result), result.energy
    end = f"{result.time[last]:g}"
    show(words.told(repr(result).strip("<>")))
    rows = [[words.term(account), *joules] for account, *joules in ledger.rows(0, last)]
    show(table(words("energies"), words("start"), words("at a time", time=end), rows=rows))
    named = {"q": (result.arrays.positions, result.q), "q̇": (result.arrays.joints, result.qd)}
    for names in dict.fromkeys(tuple(names) for names, _ in named.values()):
        state = table("", *names)
        for name, (own, values) in named.items():
            if tuple(own) == names:
                state.add_row(words("at the end", name=name), *(f"{value:.6g}" for value in values[last]))
        show(state)
    show(words("energy", balance=words.told(energy.residual)))
    if trust is not None:
        show(words("trust", verdict=words.told(str(trust))))
    for line in (*map(str, result.stops), *result.notes):
        show(words.told(line))
    for path in files:
        show(words("wrote", path=path))
    if not result.complete:
        show(words("interrupted", time=end))


def _one_or_more(text: str | None, what: str) -> float | list[float] | None:
    values = numbers_if_any(text, what)
    return values[0] if values and len(values) == 1 else values
