"""Draws a robot for `qddot show --picture`."""

from __future__ import annotations

import argparse

from qddot.cli.output import show
from qddot.cli.values import loaded_of_either_kind, numbers_if_any, set_option


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    from qddot.draw.labels import LANGUAGES

    add = command.add_argument
    add("--picture", metavar="FILE", help="draw the arm with its frames and joints (.png, .pdf, .svg)")
    add(
        "--q",
        metavar="Q,…",
        help="coordinates in the picture: numbers in rad or m, or texts such as 90deg, pi/2 (default 0); those of a "
        "closed chain are a guess, near which its loops are closed",
    )
    set_option(command)
    add("--lang", default="en", choices=LANGUAGES, help="language of the picture")


def write(chosen: argparse.Namespace) -> None:
    """Writes the picture if the command line names one."""
    if chosen.picture is None:
        return
    from qddot.draw import plot
    from qddot.simulate.runs.saved_runs import checked_path

    checked_path(chosen.picture, plot.FORMATS)
    q = numbers_if_any(chosen.q, "--q")
    arm, values = loaded_of_either_kind(chosen)
    plot.save(arm.with_values(**values).plot(q, lang=chosen.lang), chosen.picture)
    show(f"wrote {chosen.picture}")
