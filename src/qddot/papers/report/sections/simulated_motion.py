"""Writes the section on a run of the arm with its balance of energy, its plots and its film."""

from __future__ import annotations

from qddot.exact.printing.notation import symbol
from qddot.papers.report.document import Block, Figure, Inline, Section, Table
from qddot.papers.report.finished_parts import ReportedMotion
from qddot.papers.report.sections.blocks_of import in_unit, number, numbers, vector
from qddot.papers.report.wording import Words
from qddot.robot import units
from qddot.robot.model import Model

RESIDUAL_DIGITS = 2  # an error of rounding has no more digits that mean something


def section(motion: ReportedMotion, model: Model, words: Words) -> Section:
    """Returns the run."""
    return Section("motion", words("motion"), tuple(_blocks(motion, model, words)))


def _blocks(motion: ReportedMotion, model: Model, words: Words) -> list[Block]:
    law = words.paragraph(
        "motion law",
        q=vector(motion.start, units.of_coordinates(model)),
        qd=vector(motion.rates, units.of_coordinates(model, 1)),
        duration=number(motion.duration),
        step=number(motion.step),
    )
    again, apart = words(f"again {motion.other}"), number(motion.apart, 1)
    trusted = words.paragraph("trust all", again=again, apart=apart)
    if motion.trust is not None:
        trusted = words.paragraph("trust", again=again, apart=apart, seconds=number(motion.trust))
    return [
        law,
        *_halt(motion, words),
        Figure(motion.film or motion.path, words("path picture")),
        Figure(motion.coordinates, words("coordinates picture")),
        words.paragraph("ledger with friction" if motion.damped else "ledger"),
        _ledger(motion, words),
        Figure(motion.energy, words("energy picture")),
        trusted,
    ]


def _halt(motion: ReportedMotion, words: Words) -> list[Block]:
    """Returns why the run ended early, if it did."""
    if motion.halt is None:
        return []
    limit = words("upper limit" if motion.halt.upper else "lower limit")
    parts = {"seconds": number(motion.halt.time), "limit": limit}
    return [words.paragraph("halt", coordinate=symbol(motion.halt.coordinate), **parts)]


def _ledger(motion: ReportedMotion, words: Words) -> Table:
    potential = "P + P^{s}" if "springs" in words.traits else "P"
    energies: list[Inline] = [*map(words.formula, ("K", potential, "E")), *map(words, ("work", "loss", "residual"))]
    names = [in_unit(words("time"), "s"), *(in_unit(energy, "J") for energy in energies)]
    rows = ((*numbers(account[:-1]), number(account.residual, RESIDUAL_DIGITS)) for account in motion.ledger)
    return Table(tuple(names), tuple(rows))
