"""The command `qddot`."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from qddot.cli import abbreviate, convert, diff, doctor, simulate
from qddot.cli.output import show, status, table
from qddot.errors import QddotError

if TYPE_CHECKING:
    from qddot.equations.array import ExactArray
    from qddot.equations.equations import EquationsOfMotion
    from qddot.equations.textbook import Textbook
    from qddot.model.model import Model
    from qddot.robot import Robot

DONE, FALSE, MISTAKE, INTERRUPTED = 0, 1, 2, 130
FORMATS = ("text", "latex", "sympy", "json")
TEXTBOOK = {"textbook": "sums", "multiple-angle": "multiple-angle"}
SHOWN = ("M", "h", "G")
DEFAULT_QUANTITIES = ("M", "h", "G", "springs", "friction")
ROUTES = ("composite", "newton_euler", "dh4x4", "com_jacobian", "screw", "energy")

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
  qddot simulate spatial_2r --q0 180deg,0 --qd0 0.1,0.1 --duration 20 --step 0.01 --damping 1 --plot energy.png
  qddot simulate two_link --q0 1,0 --duration 5 --set m2=3 --movie swing.mp4 -o run.nc
  qddot doctor my_arm.toml                         singular mass matrices, impossible inertias, odd units …
  qddot diff puma560_akb my_puma.toml              where two models of one arm differ, and which confusion explains it
  qddot convert puma560 --to mdh -o puma_mdh.toml  another convention, the same motion and torques
  qddot export spatial_2r --to c --functions inverse_dynamics,mass_matrix -o build

ARM is a name from `qddot list`, or the path of a robot file (docs/robot-file.md), URDF, xacro or MJCF (docs/urdf.md).
exit codes: 0 done, 1 an identity does not hold, 2 a mistake in what was given; doctor and diff: see their --help"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; every mistake of the user's is one line on standard error."""
    if hasattr(sys.stdout, "reconfigure"):
        # a terminal that cannot show τ shows a substitute
        sys.stdout.reconfigure(errors="replace")
    given = list(sys.argv[1:] if arguments is None else arguments)
    chosen = _parser().parse_args(_with_negative_values(given))
    warnings.showwarning = lambda message, *_: print(f"qddot: {message}", file=sys.stderr)
    try:
        code = int(chosen.run(chosen))
        sys.stdout.flush()
        return code
    except QddotError as error:
        print(f"qddot: {error}", file=sys.stderr)
        return MISTAKE
    except KeyboardInterrupt:
        print("qddot: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # the reader of our output went away: nothing is left to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except OSError as error:
        print(f"qddot: the output cannot be written: {error.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return MISTAKE


def _with_negative_values(arguments: list[str]) -> list[str]:
    """`--q0 -1,0` as `--q0=-1,0`, which would be taken for an option."""
    joined: list[str] = []
    for argument in arguments:
        if joined and re.fullmatch(r"--[a-z0-9-]+", joined[-1]) and re.match(r"-[\d.]", argument):
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


class _Arguments(argparse.ArgumentParser):
    """A parser whose errors are one line, like every other mistake."""

    def error(self, message: str) -> NoReturn:
        self.exit(MISTAKE, f"qddot: {message}; see `{self.prog} --help`\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Arguments(
        prog="qddot",
        description="Exact equations of motion of robot arms: M q̈ + C q̇ + G = τ, derived and proven.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=_version())
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Arguments)

    def command(name: str, run: Callable[[argparse.Namespace], int], text: str, arm: bool = True) -> Any:
        sub = commands.add_parser(name, help=text, description=text, epilog=_examples_of(name))
        sub.formatter_class = argparse.RawDescriptionHelpFormatter
        sub.set_defaults(run=run)
        if arm:
            sub.add_argument("arm", metavar="ARM", help="a zoo name, or a file: .toml, .urdf, .xacro, .xml")
        return sub

    command("list", _list, "List the robots that ship.", arm=False)
    command("show", _show, "Show a robot's links, joints, symbols, source and notes.")
    derive = command("derive", _derive, "Derive the exact equations of motion and print them.")
    derive.add_argument("--route", default="composite", metavar="R", help=f"one of {', '.join(ROUTES)}")
    derive.add_argument("--only", metavar="M,G,…", help="quantities or steps of the route, by name")
    derive.add_argument("--format", default="text", choices=FORMATS, help="text (default), latex, sympy, json")
    derive.add_argument(
        "--form",
        default="normal",
        choices=("normal", *TEXTBOOK),
        help="textbook: sums of angles, named constants, common factors taken out; multiple-angle: with cos 2q, too",
    )
    derive.add_argument("--no-constants", action="store_true", help="textbook form in the model's own symbols")
    prove = command("prove", _prove, "Derive by every route, prove them equal, and prove the laws of mechanics.")
    prove.add_argument("--json", action="store_true", help="the certificate as JSON")
    base = command("base", _base, "Find the base parameters: which inertias matter, and in which combinations.")
    base.add_argument("--armature", action="store_true", help="with the joints' rotors")
    base.add_argument("--friction", action="store_true", help="with the joints' viscous and Coulomb friction")
    base.add_argument("--json", action="store_true", help="as JSON")
    abbreviate.options(command("abbreviate", _abbreviate, "Drop the small terms of the equations, with proven bounds."))
    simulate.options(command("simulate", _simulate, "Simulate an arm, with an account of its energy."))
    doctor.options(command("doctor", doctor.run, "Examine a robot for mistakes: inertias, units, gravity, rotors."))
    text = "Compare two models of one arm: descriptions, M, C and G, and what explains a difference."
    diff.options(command("diff", diff.run, text, arm=False))
    convert.options(command("convert", _convert, "Write an arm in another convention, with its inertias."))
    export = command("export", _export, "Write functions of an arm as source code with a self-test.")
    export.add_argument("--to", default="c", metavar="TARGET", help="c (default) or python")
    export.add_argument(
        "--functions", default="inverse_dynamics", metavar="F,G,…", help="by name, inverse_dynamics if absent"
    )
    export.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a symbol's value; may be repeated"
    )
    export.add_argument("--real", default="double", choices=("double", "float"), help="the numbers' type in C")
    export.add_argument(
        "--form", default="fast", choices=("fast", "textbook"), help="textbook: the closed form in place of a recursion"
    )
    export.add_argument("-o", "--output", default=".", metavar="DIR", help="the folder, made if need be")
    return parser


def _version() -> str:
    from qddot import __version__

    return f"qddot {__version__}"


def _examples_of(name: str) -> str:
    lines = [line for line in EXAMPLES.splitlines() if line.startswith(f"  qddot {name}")]
    return "\n".join(["examples:", *lines])


def _list(_: argparse.Namespace) -> int:
    from qddot.formats.load import load, zoo

    made = table("name", "joints", "symbols", "what it is")
    for name in zoo():
        model = load(name)
        made.add_row(name, _joint_letters(model), str(len(model.symbols)), model.title)
    show(made)
    return DONE


def _joint_letters(model: Model) -> str:
    return "".join("R" if body.joint.turns else "P" for body in model.moving())


def _show(chosen: argparse.Namespace) -> int:
    from qddot.formats.load import load

    model = load(chosen.arm)
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
    """A row a link; columns that would be empty are left out."""
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
                str(body.inertia.m),
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
    """q1, or 2*q1 for a joint that follows."""
    return (joint.coordinate or "") if joint.ratio in (None, 1) else f"{joint.ratio}*{joint.coordinate}"


def _direction(axis: Any) -> str:
    """x for (1, 0, 0), -z for (0, 0, -1), else the vector."""
    names = {(1, 0, 0): "x", (0, 1, 0): "y", (0, 0, 1): "z", (-1, 0, 0): "-x", (0, -1, 0): "-y", (0, 0, -1): "-z"}
    return next((name for known, name in names.items() if tuple(axis) == known), _vector(axis))


def _limit(value: Any) -> str:
    angle = value.as_angle()
    return str(value if angle is None else angle)


def _symbols_table(model: Model) -> Any:
    made = table("symbol", "default", "unit", "meaning")
    for symbol in model.symbols.values():
        value = f"{symbol.value.value({}):g}" if symbol.value is not None else ""
        made.add_row(symbol.name, value, symbol.unit, symbol.meaning)
    return made


def _vector(vector: Any) -> str:
    return "(" + ", ".join(str(entry) for entry in vector) + ")"


def _derive(chosen: argparse.Namespace) -> int:
    from qddot.constructors import load

    arm = load(chosen.arm)
    if chosen.form != "normal":
        return _textbook(arm, chosen)
    if chosen.no_constants:
        raise QddotError("--no-constants with the normal form", expected="--form textbook or multiple-angle")
    with status(f"deriving {arm.name}") as say:
        eq = arm.equations(chosen.route)
        names = _quantities(chosen.only, eq)
        printers = {"text": _text, "latex": _latex, "sympy": _sympy, "json": _json}
        say(f"writing {', '.join(names)}")
        printed = printers[chosen.format](eq, names)
    print(printed)
    return DONE


def _textbook(arm: Robot, chosen: argparse.Namespace) -> int:
    """The short form, which is printed only when it has been proved equal."""
    with status(f"rewriting {arm.name}"):
        short = arm.equations(chosen.route).textbook(TEXTBOOK[chosen.form], not chosen.no_constants)
        only = _names(chosen.only) or list(SHOWN)
        for name in only:
            short.array(name)
        proved = short.proved()
    if not proved:
        print("qddot: the short form is not equal to the normal form", file=sys.stderr)
        return FALSE
    printers = {"text": _short_text, "latex": _short_latex, "sympy": _short_sympy, "json": _short_json}
    print(printers[chosen.format](short, only))
    return DONE


def _short_text(short: Textbook, only: list[str]) -> str:
    written = short.text(only)
    meant = [
        f"c{name[1:]} = cos({' + '.join(q for q, _ in of)})"
        for name, of in short.sums.combinations.items()
        if len(of) > 1 and re.search(rf"\b[cs]{name[1:]}\b", written)
    ]
    head = [*_head(short.eq), ", ".join(["textbook form, proved equal to the normal form", *meant])]
    return "\n".join([*head, "", written])


def _short_latex(short: Textbook, only: list[str]) -> str:
    return short.latex(only)


def _short_sympy(short: Textbook, only: list[str]) -> str:
    constants = [f"{name} = {value}" for name, value in short.sympy()["constants"].items()]
    return "\n".join([*constants, *(f"{name} = {short.array(name).sympy()}" for name in only)])


def _short_json(short: Textbook, only: list[str]) -> str:
    from qddot.equations.text import polynomial

    def counts(name: str) -> dict[str, Any]:
        before, after = short.before(name), short.after(name)
        return {"terms": [before.terms, after.terms], "operations": [before.operations, after.operations]}

    content = {
        "model": short.eq.model.name,
        "hash": short.eq.model.hash(),
        "form": short.form,
        "proved": True,
        "quantities": {name: _entries(short.array(name)) for name in only},
        "constants": {name: polynomial(value) for name, value in short.constants.items()},
        "values": short.values(),
        "before and after": {name: counts(name) for name in only},
    }
    return json.dumps(content, indent=2, ensure_ascii=False)


def _entries(array: ExactArray) -> Any:
    """Nested lists of texts."""
    return [_entries(part) for part in array] if array.shape else array.entry_text(array.entries[0])


def _names(listed: str | None) -> list[str]:
    names = [name.strip() for name in (listed or "").split(",") if name.strip()]
    if listed is not None and not names:
        raise QddotError("--only names nothing", expected="names such as M,G")
    return names


def _quantities(only: str | None, eq: EquationsOfMotion) -> list[str]:
    if only is None:
        return [n for n in DEFAULT_QUANTITIES if n not in ("springs", "friction") or getattr(eq, n)]
    names = _names(only)
    for name in names:
        eq.array(name)
    return names


def _text(eq: EquationsOfMotion, names: list[str]) -> str:
    return "\n".join([*_head(eq), *(f"\n{eq.array(name).text()}" for name in names)])


def _head(eq: EquationsOfMotion) -> list[str]:
    """Whose equations, the law, and what the short names mean."""
    from qddot.model.names import rate_name

    first = eq.model.coordinates[0]
    rates = f"{rate_name(first)}, {rate_name(first, 2)} the rates of {first}"
    short = "c1 = cos(q1), s1 = sin(q1), " if "q1" in eq.ring.turning else ""
    law = " + ".join(["M q̈ + h + G", *(n for n in ("springs", "friction") if getattr(eq, n))])
    return [
        f"{eq.model.name}: {eq.model.title}" if eq.model.title else eq.model.name,
        f"{law} = τ, route {eq.route}; {short}{rates}",
    ]


def _latex(eq: EquationsOfMotion, names: list[str]) -> str:
    return eq.latex(names)


def _sympy(eq: EquationsOfMotion, names: list[str]) -> str:
    return "\n".join(f"{name} = {eq.array(name).sympy()}" for name in names)


def _json(eq: EquationsOfMotion, names: list[str]) -> str:
    content = {
        "model": eq.model.name,
        "hash": eq.model.hash(),
        "route": eq.route,
        "coordinates": list(eq.model.coordinates),
        "quantities": {name: _entries(eq.array(name)) for name in names},
    }
    return json.dumps(content, indent=2, ensure_ascii=False)


def _prove(chosen: argparse.Namespace) -> int:
    from qddot.constructors import load

    arm = load(chosen.arm)
    with status(f"proving {arm.name}") as say:
        certificate = arm.prove(progress=say)
    print(certificate.json() if chosen.json else certificate)
    return DONE if certificate else FALSE


def _base(chosen: argparse.Namespace) -> int:
    from qddot.constructors import load

    arm = load(chosen.arm)
    with status(f"finding the base parameters of {arm.name}"):
        found = arm.base_parameters(chosen.armature, chosen.friction)
    if chosen.json:
        content = {
            "model": arm.name,
            "hash": arm.model.hash(),
            "parameters": list(found.names),
            "base": found.formulas,
            "columns": found.columns,
            "alone": found.alone,
            "never": found.never,
        }
        print(json.dumps(content, indent=2, ensure_ascii=False))
        return DONE
    show(f"{len(found)} base parameters of {len(found.names)}; of body k about its frame's origin, Ixy = −∫xy dm")
    made = table("", "base parameter", "what the motion feels in its place")
    for k, (name, formula) in enumerate(found.formulas.items(), 1):
        made.add_row(str(k), name, formula)
    show(made)
    if found.never:
        show(f"no torque feels {', '.join(found.never)}")
    return DONE


def _abbreviate(chosen: argparse.Namespace) -> int:
    abbreviate.run(chosen)
    return DONE


def _simulate(chosen: argparse.Namespace) -> int:
    simulate.run(chosen)
    return DONE


def _convert(chosen: argparse.Namespace) -> int:
    convert.run(chosen)
    return DONE


def _export(chosen: argparse.Namespace) -> int:
    from qddot.constructors import load
    from qddot.robot import Robot

    arm = load(chosen.arm)
    values = simulate.set_values(arm, chosen.set)
    functions = [name.strip() for name in chosen.functions.split(",") if name.strip()]
    if not functions:
        raise QddotError("--functions names nothing", expected="names such as inverse_dynamics,mass_matrix")
    with status(f"exporting {arm.name}"):
        arm = arm.with_values(**values)
        if chosen.form == "textbook":
            missing = sorted(arm.model.used_symbols - set(arm.model.defaults()))
            if missing:
                raise QddotError(
                    f"no value for {', '.join(missing)}", where=arm.name, remedy="give them: --set NAME=VALUE"
                )
            arm = Robot(arm.equations().textbook().model)
        written = arm.export(chosen.to, functions, chosen.output, real=chosen.real)
    for path in written:
        print(path)
    return DONE
