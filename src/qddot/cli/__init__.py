"""Runs the command `qddot`."""

from __future__ import annotations

import argparse
import os
import re
import sys
import warnings
from collections.abc import Callable, Sequence
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeAlias

from qddot.cli.output import complain, show, status, table
from qddot.errors import QddotError

if TYPE_CHECKING:
    from qddot.model.model import Model


DONE, FALSE, MISTAKE, INTERRUPTED, UNREAD = 0, 1, 2, 130, 141  # the last two are 128 + the signal, as in shells

EXAMPLES = """examples:
  qddot list                                       the robots that ship
  qddot show spatial_2r                            its links, symbols and source
  qddot derive two_link                            M, h and G as text
  qddot derive puma560 --only M,G --format latex   for a paper
  qddot derive my_arm.toml --route dh4x4           by Uicker's 4x4 matrices
  qddot derive elbow_3r --form textbook            c23, lumped constants, and what they stand for
  qddot prove puma560                              every route, and the laws of mechanics
  qddot base puma560                               which inertias matter, and in which combinations
  qddot abbreviate puma560_akb --significance 0.01 short equations, each with a bound of what was dropped
  qddot simulate spatial_2r --q0 180deg,0 --qd0 0.1,0.1 --duration 20 --step 0.01 --damping 1 --plot motion.png
  qddot simulate two_link --q0 1,0 --duration 5 --set m2=3 --movie swing.mp4 -o run.nc
  qddot doctor my_arm.toml                         singular mass matrices, impossible inertias, odd units …
  qddot diff puma560_akb my_puma.toml              where two models of one arm differ, and which confusion explains it
  qddot convert puma560 --to mdh -o puma_mdh.toml  another convention, the same motion and torques
  qddot export spatial_2r --to c --functions inverse_dynamics,mass_matrix -o build

ARM is a name from `qddot list`, or the path of a robot file (docs/robot-file.md), URDF, xacro,
SDF or MJCF (docs/urdf.md, docs/sdf.md). name:=value behind it is an argument of a xacro file.
exit codes: 0 done, 1 an identity does not hold, 2 a mistake in what was given, 130 interrupted, 141 nobody read the
output to its end; doctor and diff: see their --help"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; every mistake of the user's is one line on standard error."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        complain("standard output is closed; expected a terminal, a file or /dev/null")
        return MISTAKE
    if hasattr(sys.stdout, "reconfigure"):
        # a terminal that cannot show τ shows a substitute
        sys.stdout.reconfigure(errors="replace")
    warnings.showwarning = lambda message, *_: complain(str(message))
    try:
        return _code(list(sys.argv[1:] if arguments is None else arguments))
    except QddotError as error:
        complain(str(error))
        return MISTAKE
    except KeyboardInterrupt:
        complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # the reader of our output has gone
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
    except OSError as error:
        complain(f"the output cannot be written: {error.strerror}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return MISTAKE


def _code(given: list[str]) -> int:
    """Returns the command's exit code, after all output is written."""
    try:
        chosen = _chosen(given)
        return int(chosen.run(chosen))
    finally:
        sys.stdout.flush()


def _chosen(given: Sequence[str]) -> argparse.Namespace:
    """Returns the command with its options; its `arguments` are those of a xacro file."""
    words, arguments = _without_arguments(given)
    chosen = _parser(words[0] if words else "").parse_args(_with_negative_values(words))
    if arguments and not {"arm", "a"} & set(vars(chosen)):
        raise QddotError(f"the xacro arguments {', '.join(arguments)} without a robot")
    chosen.arguments = arguments
    return chosen


def _without_arguments(given: Sequence[str]) -> tuple[list[str], dict[str, str]]:
    """The words, and the arguments of a xacro file among them."""
    if not any(":=" in word for word in given):
        return list(given), {}
    from qddot.describe.xacro import arguments_in

    return arguments_in(given)


def _with_negative_values(arguments: list[str]) -> list[str]:
    """Returns `--q0 -1,0` as `--q0=-1,0`, since argparse would take -1,0 for an option."""
    joined: list[str] = []
    for argument in arguments:
        if joined and re.fullmatch(r"--[a-z0-9-]+", joined[-1]) and re.match(r"-[\d.]", argument):
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


Run: TypeAlias = Callable[[argparse.Namespace], int]
Options: TypeAlias = Callable[[argparse.ArgumentParser], None]


class _Arguments(argparse.ArgumentParser):
    """This parser reports errors in one line, like every other mistake, and adds its options when it is used.

    So a command can take lists of names from other rooms, and `qddot --help` loads none of them.
    """

    options: Options | None = None

    def complete(self) -> None:
        """Adds the options, once."""
        if self.options is not None:
            add, self.options = self.options, None
            add(self)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self.complete()
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        self.exit(MISTAKE, f"qddot: {message}; see `{self.prog} --help`\n")


def _parser(first: str = "") -> argparse.ArgumentParser:
    """first: the first word that was typed; where it is a command, the others are left out."""
    parser = _Arguments(
        prog="qddot",
        description="Exact equations of motion of robot arms: M q̈ + C q̇ + G = τ, derived and proven.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Arguments)

    everything = _commands()
    for command in [each for each in everything if each.name == first] or everything:
        sub = commands.add_parser(
            command.name, help=command.text, description=command.text, epilog=_examples_of(command.name)
        )
        sub.formatter_class = argparse.RawDescriptionHelpFormatter
        sub.set_defaults(run=command.run)
        sub.options = command.options
        if command.arm:
            sub.add_argument(
                "arm",
                metavar="ARM",
                help="a zoo name, or a file: .toml, .urdf, .xacro, .sdf, .world, .xml, .mjcf; name:=value for xacro",
            )
    return parser


class Command(NamedTuple):
    """A command of `qddot`: what its help says, what it does, the options it adds, and whether it is about one arm."""

    name: str
    text: str
    run: Run
    options: Options | None = None
    arm: bool = True


def _commands() -> list[Command]:
    """The commands in the order of the help."""
    return [
        Command("list", "List the robots that ship.", _list, arm=False),
        Command("show", "Show a robot's links, joints, symbols, source and notes.", _show),
        _of_module("derive", "Derive the exact equations of motion and print them."),
        Command(
            "prove", "Derive by every route, prove them equal, and prove the laws of mechanics.", _prove, _prove_options
        ),
        Command(
            "base",
            "Find the base parameters: which inertias matter, and in which combinations.",
            _base,
            _base_options,
        ),
        _of_module("abbreviate", "Drop the small terms of the equations, with proven bounds."),
        _of_module("simulate", "Simulate an arm, with an account of its energy."),
        _of_module("doctor", "Examine a robot for mistakes: inertias, units, gravity, rotors."),
        _of_module(
            "diff",
            "Compare two models of one arm: descriptions, M, C and G, and what explains a difference.",
            arm=False,
        ),
        _of_module("convert", "Write an arm in another convention, with its inertias."),
        _of_module("export", "Write functions of an arm as source code with a self-test."),
    ]


def _of_module(name: str, text: str, arm: bool = True) -> Command:
    """A command that is the module of its name, which is loaded when the command is asked for."""
    home = f"qddot.cli.{name}"
    return Command(
        name,
        text,
        lambda chosen: import_module(home).run(chosen) or DONE,
        lambda parser: import_module(home).options(parser),
        arm,
    )


def _prove_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="the certificate as JSON")


def _base_options(command: argparse.ArgumentParser) -> None:
    command.add_argument("--armature", action="store_true", help="with the joints' rotors")
    command.add_argument("--friction", action="store_true", help="with the joints' viscous and Coulomb friction")
    command.add_argument("--json", action="store_true", help="as JSON")


def _version() -> str:
    from qddot.version import __version__

    return f"qddot {__version__}"


def _examples_of(name: str) -> str:
    lines = [line for line in EXAMPLES.splitlines() if line.startswith(f"  qddot {name}")]
    return "\n".join(["examples:", *lines])


def _list(_: argparse.Namespace) -> int:
    from qddot.describe.finding import load, zoo

    made = table("name", "joints", "symbols", "what it is")
    for name in zoo():
        model = load(name)
        made.add_row(name, _joint_letters(model), str(len(model.symbols)), model.title)
    show(made)
    return DONE


def _joint_letters(model: Model) -> str:
    return "".join("R" if body.joint.turns else "P" for body in model.moving())


SHORT = 12  # characters of a number in a table


def _show(chosen: argparse.Namespace) -> int:
    from qddot.describe.finding import load

    model = load(chosen.arm, chosen.arguments)
    show(f"{model.name}: {model.title}" if model.title else model.name)
    for name, text in (("source", model.source), ("gravity", _vector(model.gravity) + " m/s²")):
        if text:
            show(f"{name}: {text}")
    show(f"coordinates: {', '.join(model.coordinates)}")
    show("links at q = 0:")
    show(_links_table(model))
    if model.symbols:
        show(_symbols_table(model))
    for note in model.notes:
        show(f"note: {note}")
    return DONE


def _links_table(model: Model) -> Any:
    """Returns a table with one row per link; empty columns are left out."""
    from qddot.model.bodies import simplified

    titles = [
        "link",
        "parent",
        "joint",
        "named",
        "q",
        "axis",
        "origin in parent",
        "axes in parent",
        "mass",
        "limits",
        "effects",
    ]
    rows = []
    for body in model.bodies:
        joint = body.joint
        home = simplified(joint.placement @ joint.offset)
        rows.append(
            [
                body.name,
                joint.parent,
                joint.type,
                joint.name,
                _motion(joint),
                _vector(joint.axis) if joint.moves else "",
                _vector(home.p),
                ", ".join(_direction(axis) for axis in home.R.T),
                _short(body.inertia.m),
                " … ".join(_limit(limit) for limit in joint.limits) if joint.limits else "",
                ", ".join(type(effect).__name__.lower() for effect in joint.effects),
            ]
        )
    shown = [k for k in range(len(titles)) if any(row[k] for row in rows)]
    made = table(*(titles[k] for k in shown))
    for row in rows:
        made.add_row(*(row[k] for k in shown))
    return made


def _motion(joint: Any) -> str:
    """Returns q1, or 2*q1 for a joint that follows."""
    return (joint.coordinate or "") if joint.ratio in (None, 1) else f"{joint.ratio}*{joint.coordinate}"


def _direction(axis: Any) -> str:
    """Returns x for (1, 0, 0), -z for (0, 0, -1), else the vector."""
    names = {(1, 0, 0): "x", (0, 1, 0): "y", (0, 0, 1): "z", (-1, 0, 0): "-x", (0, -1, 0): "-y", (0, 0, -1): "-z"}
    return next((name for known, name in names.items() if tuple(axis) == known), _vector(axis))


def _limit(value: Any) -> str:
    angle = value.as_angle()
    if angle is not None and angle.pi and not angle.radians:
        return str(angle)
    return _short(value) if value.symbols() else f"{value.value({}):.6g}"


def _symbols_table(model: Model) -> Any:
    made = table("symbol", "default", "unit", "meaning")
    for symbol in model.symbols.values():
        value = f"{symbol.value.value({}):g}" if symbol.value is not None else ""
        made.add_row(symbol.name, value, symbol.unit, symbol.meaning)
    return made


def _vector(vector: Any) -> str:
    return "(" + ", ".join(_short(entry) for entry in vector) + ")"


def _short(entry: Any) -> str:
    """Returns a short or symbolic entry exactly, else a decimal, with … where digits are left out."""
    from qddot.expressions.angles import decimal
    from qddot.expressions.expression import Expression

    expression = entry if isinstance(entry, Expression) else Expression.constant(entry)
    number = expression.rational
    exact = str(expression) if number is None else decimal(number).strip("()")
    if len(exact) <= SHORT or expression.symbols():
        return exact
    cut = f"{expression.value({}):.{SHORT - 3}g}"
    return cut if number is not None and Fraction(cut) == number else f"{cut}…"


def _prove(chosen: argparse.Namespace) -> int:
    from qddot.faces.constructors import load

    arm = load(chosen.arm, chosen.arguments)
    with status(f"proving {arm.name}") as say:
        certificate = arm.prove(progress=say)
    print(certificate.to_json() if chosen.json else certificate)
    return DONE if certificate else FALSE


def _base(chosen: argparse.Namespace) -> int:
    from qddot.faces.constructors import load

    arm = load(chosen.arm, chosen.arguments)
    with status(f"finding the base parameters of {arm.name}"):
        found = arm.base_parameters(chosen.armature, chosen.friction)
    if chosen.json:
        import json

        content = {
            "model": arm.name,
            "hash": arm.model.hash,
            "parameters": list(found.names),
            "base": found.formulas,
            "columns": found.columns,
            "identifiable": found.identifiable,
            "unidentifiable": found.unidentifiable,
            "error_bound": found.error_bound,
        }
        print(json.dumps(content, indent=2, ensure_ascii=False))
        return DONE
    show(f"{len(found)} base parameters of {len(found.names)}; of body k about its frame's origin, Ixy = −∫xy dm")
    made = table("", "base parameter", "what the motion feels in its place")
    for k, (name, formula) in enumerate(found.formulas.items(), 1):
        made.add_row(str(k), name, formula)
    show(made)
    if found.unidentifiable:
        show(f"no torque feels {', '.join(found.unidentifiable)}")
    if found.rounding:
        show(found.rounding)
    return DONE
