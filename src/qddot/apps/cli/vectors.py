"""Runs `qddot vectors`: proved values of robots, with which libraries of dynamics can be tested."""

from __future__ import annotations

import argparse

from qddot.apps.cli.output import status
from qddot.apps.cli.values import overwrite_option, set_option, set_values, tell, without, without_option

BASES = ("fixed", "free", "both")


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's arguments and options."""
    add = command.add_argument
    add("arms", nargs="+", metavar="ARM", help="robots that `qddot list` names, or files that qddot reads")
    add("--base", choices=BASES, default="fixed", help="each robot as it is described, on a free base, or both")
    add("--states", type=int, default=3, metavar="N", help="number of states of each robot (default 3)")
    set_option(command, "a symbol's value, in all robots that have the symbol; may be repeated")
    without_option(command)
    add(
        "--folder", metavar="DIR", default=".", help="folder of the files, created if needed (default: the current one)"
    )
    overwrite_option(command)


def run(chosen: argparse.Namespace) -> None:
    """Runs the command."""
    from qddot.formats.finding import load
    from qddot.formats.shared.floating import floating
    from qddot.proof.certify.vectors.licences import licence
    from qddot.proof.certify.vectors.suite import Vectors, vectors

    models = [(name, load(name, may_rest=chosen.base == "free", without=without(chosen))) for name in chosen.arms]
    for name, model in models:
        tell(name, model)
    values = set_values(chosen.set, *(model for _, model in models))
    robots = []
    with status("computing vectors") as say:
        for name, model in models:
            say(model.name)
            own = model.with_values({key: value for key, value in values.items() if key in model.symbols})
            bases = ([own] if chosen.base != "free" else []) + ([floating(own)] if chosen.base != "fixed" else [])
            robots += [vectors(each, chosen.states, licence(name)) for each in bases]
    print(*Vectors(robots).export(chosen.folder, chosen.overwrite), sep="\n")
