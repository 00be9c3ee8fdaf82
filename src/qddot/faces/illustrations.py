"""Makes the finished parts of a report: the arm's picture, a motion with ledger and film, operations, source code."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log2

import numpy as np

from qddot.base.errors import EvaluationError, SimulationError
from qddot.base.words.message import say
from qddot.faces import posed_picture
from qddot.faces.posed_picture import saved_picture
from qddot.faces.run import Run
from qddot.machine.numeric import source_code
from qddot.machine.numeric.arm import NumericArm
from qddot.motion.simulate import setup, simulation
from qddot.motion.simulate.motion import Motion
from qddot.motion.simulate.runs.recording import Recording
from qddot.papers.draw import lettering, movie, picture, plot
from qddot.papers.draw.posed import PosedArm
from qddot.papers.report.document import Code
from qddot.papers.report.finished_parts import (
    Account,
    ControlConstant,
    ControlConstants,
    FinishedParts,
    Halt,
    ReportedMotion,
)
from qddot.papers.report.levels import FULL, SUMMARY
from qddot.papers.report.sections.worked_state import worked_state
from qddot.proof.bounds.table import rounded_up
from qddot.robot.model import Model
from qddot.robot.units import of_coordinates

COUNTED = ("inverse_dynamics", "mass_matrix", "forward_dynamics")
DURATION, STEP, METHOD = 4.0, 1e-3, "rk4"
RECORD_EVERY = 5  # steps between samples, which suffice for a plot
SHORTEST = 0.5  # a shorter run is not shown [s]
FARTHEST = 2  # how far a joint may slide in a picture, in lengths of the arm: farther, the arm would be too small
ROWS = 5  # rows of the ledger
GAP, SECONDS = 0.01, 10.0  # of proven bounds
WIDTH = 6.4  # width of plots [inches], at which their letters are legible on a page
FPS, SIZE = 10, (480, 360)  # pictures of the film per second, and their size in pixels
WATCHED = 2.0  # seconds that a film takes at least: a shorter motion is shown slower


def motion(
    robot: NumericArm, q: Sequence[float], qd: Sequence[float], lang: str, pdf: bool = True, film: bool = True
) -> ReportedMotion | None:
    """Returns the motion from (q, q̇) under gravity, springs and the joints' own friction, without torques of motors.

    It is None if a symbol has no value, or if the run fails or ends at once.
    pdf: whether the document needs pictures as PDF, too; film: whether it shows a film, which paper cannot
    raises QddotError: no such language
    """
    recording = _recording(robot.model, q, qd, DURATION)
    if recording is None:
        return None
    run, duration = Run(recording), _in_view(robot.model, recording)
    if duration < DURATION:
        recording = _recording(robot.model, q, qd, duration) or recording
        run = Run(recording)
    halt, times = _halt(run), run.time[np.isfinite(run.q).all(axis=1)]
    if run.stops and (halt is None or halt.time < SHORTEST):
        return None
    trust, path = run.trust(), saved_picture(picture.path(recording, lang=lang, on_page=True), "path", pdf)
    horizon = float(trust.horizon)
    return ReportedMotion(
        start=tuple(map(float, q)),
        rates=tuple(map(float, qd)),
        duration=halt.time if halt else duration,
        step=STEP,
        method=METHOD,
        ledger=_ledger(run, len(times)),
        trust=None if horizon >= times[-1] else horizon,
        apart=float(rounded_up(float(trust.distance[trust.time[: len(trust.distance)] <= horizon].max()), 1)),
        other=trust.compared.method,
        damped=bool(run.energy.losses),
        halt=halt,
        coordinates=saved_picture(plot.motion(recording, lang=lang, width=WIDTH), "coordinates", pdf),
        energy=saved_picture(plot.energy(run.energy, lang=lang, width=WIDTH), "energy", pdf),
        path=path,
        film=path._replace(moving=_film(recording, float(times[-1]), lettering.in_pixels(lang))) if film else None,
    )


def finished_parts(
    robot: NumericArm, lang: str, code_in: str | None, pdf: bool, film: bool, bounds: bool = False, level: str = FULL
) -> FinishedParts:
    """Returns the finished parts of a report.

    code_in: the language of its code; pdf: whether pictures are also PDF; film: whether the motion is also a film
    bounds: whether there are constants for control; level: "summary" has no motion or operations
    raises QddotError: bounds that cannot be proved, such as those of a joint that slides without limits
    """
    lang = lettering.in_pixels(lang) if pdf else lang
    q, qd, _ = (tuple(part.values()) for part in worked_state(robot.model))
    drawn = posed_picture.pose(robot, q, lang, pdf)
    proven = constants(robot.model, lang, pdf, has_ranges=level != SUMMARY) if bounds else None
    own = () if code_in is None else code(robot, code_in)
    if level == SUMMARY:
        return FinishedParts(drawn, code=own, constants=proven)
    return FinishedParts(
        drawn,
        motion(robot, q, qd, lang, pdf, film),
        operations(robot),
        own,
        proven,
    )


def constants(model: Model, lang: str, pdf: bool, has_ranges: bool) -> ControlConstants:
    """Returns the proven constants for control over the joints' limits.

    has_ranges: whether they have the picture of the ranges of M and G, which takes as long as they do
    raises QddotError: as `bounds`
    """
    from qddot.papers.draw import ranges as drawn_ranges
    from qddot.proof.bounds.constants import bounds as proven_bounds
    from qddot.proof.bounds.ranges import ranges

    try:
        table = proven_bounds(model, None, GAP, SECONDS)
    except EvaluationError as error:
        if error.code != "joint-slides-no-limits":
            raise
        raise error.to(EvaluationError, remedy=say("report-bounds-need-limits")) from None
    region = table.region
    box = zip(region.names, region.low.tolist(), region.high.tolist(), strict=True)
    listed = [ControlConstant(row.name, row.relation(), row.found, row.pose) for row in table]
    numbers = ControlConstants(tuple(box), table.definite, tuple(listed))
    if not has_ranges:
        return numbers
    figure = drawn_ranges.ranges(model, ranges(model, None, GAP, SECONDS), lang, WIDTH)
    return numbers._replace(ranges=saved_picture(figure, "ranges", pdf))


def operations(robot: NumericArm) -> tuple[tuple[str, int], ...]:
    """Returns names of compiled functions, each with its number of operations; nothing if a symbol has no value."""
    try:
        return tuple((name, robot.program(name).total_operations) for name in COUNTED)
    except EvaluationError:
        return ()


def code(robot: NumericArm, language: str) -> tuple[Code, ...]:
    """Returns the files of source code of inverse dynamics, or nothing where a symbol has no value.

    language: one of the targets, such as "c"
    raises QddotError: no such language
    """
    try:
        texts = source_code.files_of(
            robot, language, COUNTED[:1], source_code.stem_of(robot, ""), "double", (), source_code.USUAL
        )
    except EvaluationError:
        return ()
    return tuple(Code(language, text) for text in texts.values())


def _in_view(model: Model, recording: Recording) -> float:
    """Returns how long all prismatic joints stay within a few lengths of the arm; one in free fall soon does not."""
    q, sliding = np.asarray(Run(recording).q), [k for k, unit in enumerate(of_coordinates(model)) if unit == "m"]
    if not sliding:
        return DURATION
    size = float(np.ptp(PosedArm(model, q[:1]).points, axis=0).max())
    far = np.abs(q[:, sliding] - q[0, sliding]).max(axis=1) > FARTHEST * size
    if not far.any():
        return DURATION
    return max(SHORTEST, floor(float(Run(recording).time[int(far.argmax())]) * 10) / 10)


def _recording(model: Model, q: Sequence[float], qd: Sequence[float], duration: float) -> Recording | None:
    """Returns the run, or None where a symbol has no value or the start is beyond a limit."""
    try:
        request = setup.RunRequest(Motion(q, qd, duration, STEP, METHOD), RECORD_EVERY)
        return simulation.run(setup.checked(model, request))
    except SimulationError:
        return None


def _halt(run: Run) -> Halt | None:
    """Returns the limit that ended a run, or None where none did."""
    return next((Halt(stop.time, stop.joint, stop.side == "upper") for stop in run.stops if stop.joint), None)


def _ledger(run: Run, samples: int) -> tuple[Account, ...]:
    """Returns the accounts of energy at evenly spaced samples. samples: how many there are before the run stopped"""
    energy = run.energy
    loss = sum(energy.losses.values(), start=np.zeros_like(energy.E))
    columns = (energy.time, energy.K, energy.P, energy.E, energy.work, loss, energy.balance)
    chosen = np.linspace(0, samples - 1, ROWS).round().astype(int)
    return tuple(Account(*(float(column[k]) for column in columns)) for k in chosen)


def _film(recording: Recording, last: float, lang: str) -> bytes:
    """Returns the film of a run, in real time, or slower if the run is too short."""
    speed = 0.5 ** max(0, ceil(log2(WATCHED / last)))
    return movie.webp(recording, fps=FPS, size=SIZE, speed=speed, lang=lang)
