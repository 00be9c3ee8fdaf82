"""Runs `qddot lagrange`: Lagrange's equations of energies that are given in the command, or as a file of them."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from qddot.algebra.expressions.names import rate_name
from qddot.apps.cli.opening import tree
from qddot.apps.cli.output import DONE, complain, status
from qddot.apps.cli.values import overwrite_option, pairs, set_option, set_values
from qddot.apps.cli.words import listed, sentence
from qddot.apps.cli.written_equations import all_option, check_options, format_options
from qddot.base.errors import FormatError, near, shortened

if TYPE_CHECKING:
    from qddot.faces.closed_chain import ClosedChain
    from qddot.faces.robot import Robot
    from qddot.robot.model import Model

LAGRANGE = "lagrange"
SHORT = 2  # letters of names that are like any other
APART = (
    ("--json", "--format"),
    ("--prove", "--output"),
    *(
        (option, other)
        for option in ("--prove", "--output")
        for other in ("--only", "--form", "--format", "--digits", "--all")
    ),
    ("--output", "--json"),
)
NEEDS = {("--overwrite",): ("--output",)}


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add = command.add_argument
    add("--q", required=True, metavar="x,theta", help=sentence("help-q"))
    add("--K", default="0", metavar="TEXT", help=sentence("help-kinetic-energy"))
    add(
        "--P",
        default="0",
        metavar="TEXT",
        help=sentence("help-potential-energy"),
    )
    add("--D", default="0", metavar="TEXT", help=sentence("help-dissipation"))
    add("--Q", action="append", default=[], metavar="x=TEXT", help=sentence("help-generalized-force"))
    add(
        "--particle",
        action="append",
        default=[],
        metavar="m=x;y;z",
        help=sentence("help-particle"),
    )
    add(
        "--constraint",
        action="append",
        default=[],
        metavar="TEXT",
        help=sentence("help-constraint"),
    )
    add("--independent", metavar="x", help=sentence("help-lagrange-independent"))
    add("--name", default="system", help=sentence("help-name"))
    add(
        "--only",
        metavar="M,G,…",
        help=sentence("help-lagrange-only"),
    )
    all_option(command)
    format_options(command)
    add("--prove", action="store_true", help=sentence("help-prove"))
    add("-o", "--output", metavar="FILE", help=sentence("help-lagrange-output"))
    overwrite_option(command)
    set_option(command)


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit code."""
    check_options(chosen)
    system = _system(chosen)
    system = system.with_values(**set_values(chosen.set, tree(system))).with_notation(chosen.notation)
    _tell_constants(tree(system))
    if chosen.output:
        return _write(system, chosen)
    if chosen.prove:
        from qddot.apps.cli.prove import show_certificate

        with status(sentence("doing-proving", name=system.name)):
            certificate = system.prove()
        return show_certificate(certificate, system, chosen)
    from qddot.apps.cli import closed, derive
    from qddot.faces.robot import Robot

    return (
        derive.show_arm(system.equations(), chosen) if isinstance(system, Robot) else closed.show_chain(system, chosen)
    )


def _system(chosen: argparse.Namespace) -> Robot | ClosedChain:
    from qddot.faces.lagrange import lagrange

    return lagrange(
        chosen.q,
        chosen.K,
        chosen.P,
        D=chosen.D,
        Q=pairs(chosen.Q, "--Q", "NAME=FORCE"),
        particles=[_particle(text) for text in chosen.particle],
        constraints=chosen.constraint,
        independent=chosen.independent.split(",") if chosen.independent else None,
        name=chosen.name,
    )


def _tell_constants(model: Model) -> None:
    """Says on standard error which names count as constants, and which of them may be misspelt coordinates."""
    variables = {*model.coordinates, *map(rate_name, model.coordinates)}
    meant = {name: near(name, variables) for name in sorted(model.used_symbols) if name != model.time}
    if meant:
        complain(sentence("constants-are", names=listed(meant)))
    for name, remedy in meant.items():
        if remedy and len(name) > SHORT:
            complain(sentence("constant-may-be", name=name, remedy=str(remedy)))


def _particle(text: str) -> tuple[str, list[str]]:
    """Returns the mass and the position in m=x;y;z."""
    ((mass, position),) = pairs([text], "--particle", "m=x;y;z").items()
    return mass, position.split(";")


def _write(system: Robot | ClosedChain, chosen: argparse.Namespace) -> int:
    """Writes the energies as a robot file."""
    from qddot.base.system import files
    from qddot.formats.toml import robot_file

    path = Path(chosen.output)
    if path.suffix != ".toml":
        raise FormatError("file-name-ends-toml", output=shortened(chosen.output))
    text = robot_file.dumps(tree(system))
    files.save({path: text}, shortened(str(path)), LAGRANGE, chosen.overwrite, FormatError)
    print(path)
    return DONE
