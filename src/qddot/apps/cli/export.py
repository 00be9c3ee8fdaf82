"""Runs `qddot export`: it writes functions of an arm as source code."""

from __future__ import annotations

import argparse

from qddot.apps.cli.opening import loaded_of_either_kind, tree
from qddot.apps.cli.output import status
from qddot.apps.cli.values import body_of, limits, notation_option, overwrite_option, region_option, set_option
from qddot.apps.cli.words import sentence
from qddot.base.errors import FormatError, QddotError, check_one_of
from qddot.base.words.message import Either
from qddot.robot.symbol_values import refuse_missing

NEEDS = {("--region",): ("--bounds",)}


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    from qddot.machine.compilers import TARGETS
    from qddot.machine.compilers.c import REALS
    from qddot.machine.tracing.options import FRAMES

    command.add_argument(
        "--code", default="c", metavar="TARGET", help=sentence("help-export-code", names=", ".join(TARGETS))
    )
    command.add_argument(
        "--functions",
        metavar="F,G,…",
        help=sentence("help-export-functions"),
    )
    command.add_argument(
        "--readable",
        action="store_true",
        help=sentence("help-readable"),
    )
    notation_option(command)
    set_option(command)
    command.add_argument("--free", default="", metavar="NAME,…", help=sentence("help-free"))
    command.add_argument("--body", metavar="NAME", help=sentence("help-body"))
    command.add_argument("--bodies", metavar="NAME,…", help=sentence("help-bodies"))
    command.add_argument("--frame", default="world", choices=FRAMES, help=sentence("help-frame"))
    command.add_argument("--task", metavar='"x y rz"', help=sentence("help-task"))
    command.add_argument("--armature", action="store_true", help=sentence("help-export-armature"))
    command.add_argument("--friction", action="store_true", help=sentence("help-export-friction"))
    command.add_argument("--wrenches", action="store_true", help=sentence("help-wrenches"))
    command.add_argument("--real", default="double", choices=REALS, help=sentence("help-real"))
    command.add_argument("--bounds", action="store_true", help=sentence("help-bounds"))
    region_option(command, sentence("help-export-region"))
    command.add_argument(
        "--closed-form",
        action="store_true",
        help=sentence("help-closed-form"),
    )
    command.add_argument("--folder", default=".", metavar="DIR", help=sentence("help-export-folder"))
    overwrite_option(command)


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit code."""
    from qddot.faces.robot import Robot
    from qddot.machine.compilers import MATLAB, TARGETS

    check_one_of(chosen.code, TARGETS, "--code", FormatError, expected=Either(TARGETS))
    arm, values = loaded_of_either_kind(chosen)
    functions = None if chosen.functions is None else _names(chosen.functions)
    free = _names(chosen.free)
    if functions == []:
        raise QddotError("functions-names-nothing")
    if chosen.notation and not (chosen.readable or (chosen.code == MATLAB and functions is None)):
        raise QddotError("notation-without-readable")
    with status(sentence("doing-exporting", name=arm.name)):
        arm = (arm.with_values(**values) if values else arm).with_notation(chosen.notation)
        if chosen.closed_form:
            if not isinstance(arm, Robot):
                raise QddotError("closed-form-loops", name=arm.name)
            missing = arm.model.used_symbols - {*arm.model.defaults(), *free, arm.model.time}
            refuse_missing(missing, arm.name, "give-values-by-set", QddotError)
            arm = Robot(arm.equations().textbook().model)
        written = arm.export(
            chosen.code,
            functions,
            chosen.folder,
            real=chosen.real,
            free=free,
            body=body_of(tree(arm), chosen.body, "--body") if chosen.body else None,
            bodies=None
            if chosen.bodies is None
            else [body_of(tree(arm), name, "--bodies") for name in _names(chosen.bodies)],
            frame=chosen.frame,
            wrenches=chosen.wrenches,
            task=chosen.task,
            armature=chosen.armature,
            friction=chosen.friction,
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
