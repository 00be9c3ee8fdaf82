"""Runs `qddot export`: it writes functions of an arm as source code."""

from __future__ import annotations

import argparse

from qddot.apps.cli.output import status
from qddot.apps.cli.values import (
    limits,
    loaded_of_either_kind,
    notation_option,
    overwrite_option,
    region_option,
    set_option,
    tree,
)
from qddot.base.errors import QddotError
from qddot.robot.symbol_values import refuse_missing


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    from qddot.machine.compilers import TARGETS
    from qddot.machine.compilers.c import REALS
    from qddot.machine.tracing.options import FRAMES

    command.add_argument("--code", default="c", metavar="TARGET", help=f"{', '.join(TARGETS)} or matlab (default c)")
    command.add_argument(
        "--functions",
        metavar="F,G,…",
        help="names of functions (default inverse_dynamics)",
    )
    command.add_argument(
        "--readable",
        action="store_true",
        help="write one function for reading, in python or matlab: the state derivative dz/dt = f(t, z), with the "
        "symbols as parameters and M, B, C2 and G by name; all code in matlab is readable",
    )
    notation_option(command)
    set_option(command)
    command.add_argument("--free", default="", metavar="NAME,…", help="symbols that remain arguments of the code")
    command.add_argument("--body", metavar="NAME", help="body for kinematics: a link, its index, or tool")
    command.add_argument("--frame", default="world", choices=FRAMES, help="axes along which Jacobians are given")
    command.add_argument("--wrenches", action="store_true", help="let the dynamics take external wrenches")
    command.add_argument("--real", default="double", choices=REALS, help="the numbers' type in C")
    command.add_argument(
        "--bounds", action="store_true", help="prove bounds of the rounding errors, and write them into the C code"
    )
    region_option(command, "with --bounds: a range, such as q2=-90deg:90deg, or a limit: qd=2, qdd=5; may be repeated")
    command.add_argument(
        "--closed-form",
        action="store_true",
        help="write the textbook form of the equations instead of a recursive algorithm",
    )
    command.add_argument(
        "--folder", default=".", metavar="DIR", help="folder, created if needed (default: the current one)"
    )
    overwrite_option(command)


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit code."""
    from qddot.faces.exporting import MATLAB
    from qddot.faces.robot import Robot

    arm, values = loaded_of_either_kind(chosen)
    functions = None if chosen.functions is None else _names(chosen.functions)
    free = _names(chosen.free)
    if chosen.region and not chosen.bounds:
        raise QddotError("region-without-bounds")
    if functions == []:
        raise QddotError("functions-names-nothing")
    if chosen.notation and not (chosen.readable or chosen.code == MATLAB):
        raise QddotError("notation-without-readable")
    with status(f"exporting {arm.name}"):
        arm = (arm.with_values(**values) if values else arm).with_notation(chosen.notation)
        if chosen.closed_form:
            if not isinstance(arm, Robot):
                raise QddotError("closed-form-loops", name=arm.name)
            missing = arm.model.used_symbols - {*arm.model.defaults(), *free, arm.model.time}
            refuse_missing(missing, arm.name, "give values: --set {0}=VALUE", QddotError)
            arm = Robot(arm.equations().textbook().model)
        written = arm.export(
            chosen.code,
            functions,
            chosen.folder,
            real=chosen.real,
            free=free,
            body=int(chosen.body) if chosen.body and chosen.body.lstrip("-").isdecimal() else chosen.body,
            frame=chosen.frame,
            wrenches=chosen.wrenches,
            bounds=limits(chosen.region, tree(arm)) if chosen.bounds else None,
            overwrite=chosen.overwrite,
            readable=chosen.readable,
        )
    for path in written:
        print(path)
    return 0


def _names(listed: str) -> list[str]:
    """Returns names with commas between them."""
    return [name.strip() for name in listed.split(",") if name.strip()]
