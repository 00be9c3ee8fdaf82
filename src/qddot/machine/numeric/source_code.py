"""Writes functions of an arm as source code in the files of a target."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from qddot.algebra.program.program import GUARD, Program
from qddot.base.errors import FormatError, is_one_of, shortened
from qddot.base.system import files
from qddot.base.version import __version__
from qddot.base.words.message import Either, Listed
from qddot.machine import compilers
from qddot.machine.compilers.exported import SIMULATED, Origin
from qddot.machine.numeric import self_tests
from qddot.machine.numeric.exported_joints import joints_of, start_of
from qddot.machine.numeric.numeric_system import NumericSystem
from qddot.machine.tracing.functions import FUNCTIONS
from qddot.machine.tracing.options import OPTIONS
from qddot.machine.tracing.ports import WRENCHES
from qddot.robot.left_out import sentences
from qddot.robot.symbol_values import names_of

GUARDED = f"{GUARD}: positive where the independent coordinates determine the others; else results have no meaning"
USUAL: Mapping[str, Any] = {**{name: option.usual for name, option in OPTIONS.items()}, WRENCHES: False}  # of an export


def write(
    arm: NumericSystem,
    target: str,
    functions: Sequence[str],
    folder: str | Path,
    name: str,
    real: str,
    free: Sequence[str],
    options: Mapping[str, Any],
    notes: Mapping[str, str],
    overwrite: bool,
) -> list[Path]:
    """Writes the files of `Robot.export` and returns their paths.

    free: symbols that remain arguments, besides the time where energies depend on it
    options: body, frame and wrenches; notes: lines about each function for its description
    """
    texts = files_of(arm, target, functions, name, real, free, options, notes)
    return files.save_in(folder, texts, "export", overwrite, FormatError)


def files_of(
    arm: NumericSystem,
    target: str,
    functions: Sequence[str],
    name: str,
    real: str,
    free: Sequence[str],
    options: Mapping[str, Any],
    notes: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Returns the text of each file of `Robot.export` by its name; options and notes: as in `write`."""
    _check("target", target, tuple(compilers.TARGETS))
    language = compilers.target(target)
    _check("real", real, language.REALS)
    names = list(dict.fromkeys(names_of(functions, "functions")))
    if not names:
        raise FormatError("no-functions")
    chosen = {function: {option: options[option] for option in options_of(function)} for function in names}
    for option, value in options.items():
        if not isinstance(value, str | int | None) and option != "bodies":
            raise FormatError("option-of-another-kind", option=option, value=shortened(value))
        if value != USUAL[option] and not any(option in has for has in chosen.values()):
            raise FormatError("option-of-no-function", option=option, names=Listed(names))
    time = arm.system.tree.time
    free = [*names_of(free, "free"), *([time] if time else [])]
    programs = [_without_empty(arm.program(function, free, **has)) for function, has in chosen.items()]
    stem = stem_of(arm, name)
    notes = {program.name: GUARDED for program in programs if program.interface.is_guarded} | dict(notes or {})
    about = {function: _about(has, notes.get(function, "")) for function, has in chosen.items()}
    joints = joints_of(arm, free)
    origin = Origin(
        arm.name,
        arm.system.hash,
        __version__,
        about,
        left_out=tuple(sentences(arm.system.tree.left_out)),
        joints=joints,
        start=start_of(arm, joints) if target == compilers.MATLAB and SIMULATED in names else (),
        time=time,
        values=arm.system.tree.defaults(),
    )
    tests = {
        program.name: self_tests.states(arm.system, program, free, has, real)
        for program, has in zip(programs, chosen.values(), strict=True)
    }
    return language.files(programs, origin, stem, tests, real)


def stem_of(arm: NumericSystem, name: str) -> str:
    """Returns the name of the files, by default the arm's. raises FormatError: it is no identifier"""
    stem = arm.name if isinstance(name, str) and not name else name
    if not isinstance(stem, str) or not stem.isidentifier() or not stem.isascii():
        raise FormatError("stem-no-identifier", stem=shortened(stem))
    return stem


def _without_empty(program: Program) -> Program:
    """Returns a program without empty outputs, such as φ of a chain without loops, which C does not have."""
    return replace(program, outputs=tuple(port for port in program.outputs if port.size))


def _check(what: str, value: Any, choices: Sequence[str]) -> None:
    if not is_one_of(value, choices):
        raise FormatError("no-such-choice", what=what, value=shortened(value), expected=Either(choices))


def options_of(function: str) -> list[str]:
    """Returns those options of a function that an export accepts."""
    record = FUNCTIONS.get(function)
    return [option for option in USUAL if record and option in record.parameters]


def _about(options: Mapping[str, Any], note: str) -> str:
    """Returns the lines of a comment that explain options which the arguments do not show."""
    parts = []
    if "body" in options:
        body = options["body"]
        parts.append("of the link that carries the tool" if body is None else f"of body {body}")
    if "bodies" in options:
        listed = ", ".join(map(str, options["bodies"] or ()))
        parts.append(f"of bodies {listed}" if listed else "of the link that carries the tool")
    if "frame" in options:
        parts.append(f"{options['frame']} axes, linear before angular")
    if options.get("task"):
        parts.append(f"rows {options['task']}")
    parts += [f"with parameters of {column}" for column in ("armature", "friction") if options.get(column)]
    if options.get("wrenches"):
        parts.append("wrenches: external force then moment on each body, in body axes at the body's origin")
    return "\n".join(line for line in ("; ".join(parts), note) if line)
