"""Runs `qddot derive`: the exact equations of motion, in normal form or as a person would write them."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from qddot.apps.cli.output import DONE, FALSE, columns, complain, json_text, status
from qddot.apps.cli.values import opened_model
from qddot.base.errors import QddotError, number_of
from qddot.robot.left_out import as_table, sentences

if TYPE_CHECKING:
    from qddot.exact.equations.arrays.printed import Printed
    from qddot.exact.equations.quantities import Quantities
    from qddot.exact.forms.textbook import Textbook
    from qddot.faces.equations_of_motion import EquationsOfMotion
    from qddot.robot.model import Model

FORMATS = ("text", "latex", "mathml", "typst", "sympy", "python", "matlab")
TEXTBOOK = "textbook"  # the first of the textbook forms
JSON = "json"
COMMENTS = {  # how a comment begins and ends
    **dict.fromkeys(("sympy", "python"), ("#", "")),
    **dict.fromkeys(("latex", "matlab"), ("%", "")),
    "typst": ("//", ""),
    "mathml": ("<!--", "-->"),
}
EXACT = ("sympy", JSON)  # formats whose numbers have all their digits
Printer: TypeAlias = Callable[..., str]
ALIASES = {"J": ("J", "J_tool"), "T": ("T", "T_tool")}  # J and T mean the arrays of the links and those of the tool


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    from qddot.exact.equations.quantity_table import QUANTITIES
    from qddot.exact.equations.routes import ROUTES
    from qddot.exact.forms import TEXTBOOK_FORMS

    add = command.add_argument
    add("--route", default="composite", metavar="R", help=f"one of {', '.join(ROUTES)}")
    add(
        "--only",
        metavar="M,G,…",
        help=f"quantities {', '.join(QUANTITIES)}, or steps of the route; h = C q̇, B and C2 have the coefficients of "
        "q̇_j q̇_k and q̇_j² in h, T the poses, p_c the centres of mass",
    )
    add("--format", default="text", choices=FORMATS, help=f"one of {', '.join(FORMATS)}; text by default")
    add(
        "--form",
        default="normal",
        choices=("normal", TEXTBOOK, *TEXTBOOK_FORMS[1:]),
        help="textbook: with angle sums and named constants, and common factors taken out; multiple-angle: also with "
        "cos 2q instead of squares",
    )
    add("--json", action="store_true", help="print JSON, with all digits")
    add("--digits", type=int, metavar="N", help="significant digits of numbers (default: all)")
    add(
        "--no-constants",
        action="store_true",
        help="write the textbook form in the model's symbols, without named constants",
    )


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit code."""
    from qddot.exact.equations.quantities import Quantities
    from qddot.faces.equations_of_motion import EquationsOfMotion

    model = opened_model(chosen)
    if chosen.json:
        chosen.format = JSON
    if chosen.digits is not None and chosen.format in EXACT:
        option = "--json" if chosen.json else f"--format {chosen.format}"
        raise QddotError(f"--digits with {option}", expected="another format")
    if chosen.form != "normal":
        return _textbook(model, chosen)
    if chosen.no_constants:
        raise QddotError("--no-constants with the normal form", expected="--form textbook or multiple-angle")
    with status(f"deriving {model.name}") as say:
        eq = EquationsOfMotion(Quantities(model, chosen.route))
        names = _quantities(chosen.only, eq)
        say(f"writing {', '.join(names)}")
        printers: dict[str, Printer] = {"text": _text, "latex": _latex, "sympy": _sympy, JSON: _json}
        write = printers.get(chosen.format) or getattr(type(eq), chosen.format)
        printed = write(eq, names, digits=chosen.digits)
    print("\n".join([*_comments(chosen.format, model), printed]))
    return DONE


def _textbook(model: Model, chosen: argparse.Namespace) -> int:
    """Prints the short form, but only if it has been proved equal; returns the exit code."""
    from qddot.exact.equations.quantities import Quantities
    from qddot.exact.equations.quantity_table import JOINT_PARTS, SHOWN
    from qddot.exact.forms import TEXTBOOK_FORMS
    from qddot.exact.forms.textbook import Textbook

    with status(f"rewriting {model.name}") as say:
        form = TEXTBOOK_FORMS[0] if chosen.form == TEXTBOOK else chosen.form
        short = Textbook(Quantities(model, chosen.route), form, not chosen.no_constants)
        only = _names(chosen.only) or list(SHOWN)
        for name in only:
            say(f"rewriting {name}")
            short.array(name)
        proved = short.proved(*only, *(JOINT_PARTS if only == list(SHOWN) else ()))  # all that is printed
        if proved:
            say(f"writing {', '.join(only)}")
            printers: dict[str, Printer] = {"text": _short_text, "sympy": _short_sympy, JSON: _short_json}
            write = printers.get(chosen.format) or getattr(type(short), chosen.format)
            printed = write(short, only, digits=chosen.digits)
    if not proved:
        complain("the short form is not equal to the normal form")
        return FALSE
    print("\n".join([*_comments(chosen.format, model), printed]))
    return DONE


def _comments(form: str, model: Model) -> list[str]:
    """Returns comments of a format that name what the model lacks; text and JSON have their own places for it."""
    if form not in COMMENTS:
        return []
    from qddot.base.html import comment

    begin, end = COMMENTS[form]
    return [f"{begin} {comment(line)} {end}".rstrip() for line in sentences(model.left_out)]


def _short_text(short: Textbook, only: list[str], digits: int | None) -> str:
    width = _width()
    written = short.text(only, width, digits=digits)
    head = [*_head(short.eq, {}), f"textbook form, {_proof(short, only, digits)}"]
    return "\n".join([*_wrapped(head, width), "", written])


def _proof(short: Textbook, only: list[str], digits: int | None) -> str:
    """Returns what is proved of the short form, which is not that of rounded numbers."""
    from qddot.exact.printing.digits import ROUNDED_DIGITS

    equal = "proved equal to the normal form"
    if not short.is_rounded(only, digits):
        return equal
    return f"{equal} before rounding to {number_of(digits or ROUNDED_DIGITS, 'digit')}"


def _width() -> int:
    """Returns how many characters a line has: as many as the terminal, unless that is too narrow for equations."""
    from qddot.exact.printing.text import NARROWEST, WIDTH

    return max(NARROWEST, columns(WIDTH))


def _wrapped(lines: Iterable[str], width: int) -> list[str]:
    from textwrap import wrap

    return [part for line in lines for part in wrap(line, width, break_long_words=False) or [""]]


def _short_sympy(short: Textbook, only: list[str], digits: None) -> str:
    written = short.sympy(only)
    constants = [f"{name} = {value}" for name, value in written.pop("constants").items()]
    return "\n".join([*constants, *(f"{name} = {value}" for name, value in written.items())])


def _short_json(short: Textbook, only: list[str], digits: None) -> str:
    from qddot.exact.printing.text import polynomial

    def counts(name: str) -> dict[str, Any]:
        before, after = short.normal_counts(name), short.counts(name)
        return {"terms": [before.terms, after.terms], "operations": [before.operations, after.operations]}

    content = {
        "model": short.eq.model.name,
        "hash": short.eq.model.hash,
        "left_out": as_table(short.eq.model.left_out),
        "form": short.form,
        "proved": True,
        "rounded": short.is_rounded(only),
        "quantities": {name: _entries(short.array(name)) for name in only},
        "constants": {name: polynomial(value) for name, value in short.constants.items()},
        "values": short.values(),
        "before and after": {name: counts(name) for name in only},
    }
    return json_text(content)


def _entries(array: Printed) -> Any:
    """Returns nested lists of texts."""
    if array.shape:
        return [_entries(part) for part in array]
    from qddot.exact.printing.text import Text

    return Text().write(array.written(array.entries[0]))


def _names(listed: str | None) -> list[str]:
    typed = [name.strip() for name in (listed or "").split(",") if name.strip()]
    if listed is not None and not typed:
        raise QddotError("--only names nothing", expected="names such as M,G")
    return list(dict.fromkeys(name for each in typed for name in ALIASES.get(each, (each,))))


def _quantities(only: str | None, eq: EquationsOfMotion) -> list[str]:
    from qddot.exact.equations.quantity_table import JOINT_PARTS, SHOWN

    if only is None:
        return [*SHOWN, *(name for name in JOINT_PARTS if getattr(eq, name))]
    names = _names(only)
    for name in names:
        eq.array(name)
    return names


def _text(eq: EquationsOfMotion, names: list[str], digits: int | None) -> str:
    width, head = _width(), _head(eq.quantities, _angle_sums(eq, names))
    listed = (f"\n{eq.array(name).rounded(digits).text(width)}" for name in names)
    return "\n".join([*_wrapped(head, width), *listed])


def _angle_sums(eq: EquationsOfMotion, names: list[str]) -> dict[str, str]:
    """Returns the sums of angles that occur in these quantities, by their names."""
    return {short: of for name in names for short, of in eq.array(name).angle_sums().items()}


def _head(eq: Quantities, sums: dict[str, str]) -> list[str]:
    """Returns lines with the model's name, the law, and the meaning of the short names; sums: those of angles."""
    from qddot.algebra.expressions.names import rate_name
    from qddot.exact.equations.quantity_table import JOINT_PARTS

    quasi = eq.model.freedoms[0].velocities[-3] if eq.model.freedoms else ""
    coordinate = next((name for name in eq.model.coordinates if name in eq.model.positions), "")
    meanings = [f"{rate_name(coordinate)}, {rate_name(coordinate, 2)} the rates of {coordinate}"] if coordinate else []
    meanings += [f"{quasi} a velocity, {rate_name(quasi)} its rate"] if quasi else []
    rates = ", ".join(meanings)
    short = "c1 = cos(q1), s1 = sin(q1), " if "q1" in eq.ring.turning.coordinates else ""
    short += "".join(f"c{name[1:]} = cos({of}), " for name, of in sums.items() if name[1:].isdigit())
    law = " + ".join(["M q̈ + h + G", *(n for n in JOINT_PARTS if getattr(eq, n))])
    return [
        f"{eq.model.name}: {eq.model.title}" if eq.model.title else eq.model.name,
        *sentences(eq.model.left_out),
        f"{law} = τ, route {eq.route}; {short}{rates}",
    ]


def _latex(eq: EquationsOfMotion, names: list[str], digits: int | None) -> str:
    from qddot.exact.printing import legend

    definitions = legend.latex(atom for name in names for atom in eq.array(name).atoms())
    return "\n".join([eq.latex(names, digits), *([definitions] if definitions else [])])


def _sympy(eq: EquationsOfMotion, names: list[str], digits: None) -> str:
    return "\n".join(f"{name} = {eq.array(name).sympy()}" for name in names)


def _json(eq: EquationsOfMotion, names: list[str], digits: None) -> str:
    content = {
        "model": eq.model.name,
        "hash": eq.model.hash,
        "left_out": as_table(eq.model.left_out),
        "route": eq.route,
        "coordinates": list(eq.model.coordinates),
        "angles": _angle_sums(eq, names),
        "quantities": {name: _entries(eq.array(name)) for name in names},
    }
    return json_text(content)
