"""Writes equations of a robot or a closed chain in the format and the form that a command is asked for."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from qddot.apps.cli.output import DONE, FALSE, columns, complain, json_text, status, wrapped
from qddot.apps.cli.values import notation_option
from qddot.apps.cli.words import listed, sentence
from qddot.base.errors import QddotError, shortened
from qddot.robot.left_out import as_table, sentences

if TYPE_CHECKING:
    from qddot.exact.equations.arrays.exact_array import ExactArray
    from qddot.exact.equations.arrays.printed import Printed
    from qddot.exact.forms.textbook.short_equations import ShortEquations
    from qddot.faces.equations import Equations
    from qddot.robot.model import Model

Facts: TypeAlias = dict[str, Any]
Head: TypeAlias = Callable[[Mapping[str, str]], list[str]]
TEXT = "text"  # the format by default
ALL = "all"  # as a number of digits
NORMAL, TEXTBOOK = "normal", "textbook"  # the latter is the first of the textbook forms
BETWEEN = re.compile(r",(?![^\[]*\])")  # the commas between names, but not that of T1[1,4]
INERTIAS = ("I_c", "I_o", "pseudo_inertia")
# J and T mean the arrays of the links and those of the tool
ALIASES = {"J": ("J", "J_tool"), "T": ("T", "T_tool"), "inertia": INERTIAS}


def format_options(command: argparse.ArgumentParser) -> None:
    """Adds the options that say how equations are written."""
    from qddot.exact.printing.digits import READ_DIGITS
    from qddot.exact.printing.writers import WRITERS

    add = command.add_argument
    add(
        "--format",
        default=TEXT,
        choices=WRITERS,
        help=sentence("help-written-equations-format", names=", ".join(WRITERS)),
    )
    form_options(command, NORMAL)
    notation_option(command)
    add("--json", action="store_true", help=sentence("help-written-equations-json"))
    add("--digits", type=_digits, metavar="N", help=sentence("help-digits", all=ALL, digits=READ_DIGITS))


def _digits(text: str) -> int | str:
    """Returns what --digits says. raises ArgumentTypeError: neither a whole number nor `all`"""
    try:
        return text if text == ALL else int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(sentence("digits-neither", text=shortened(text), all=ALL)) from None


def digits_of(chosen: argparse.Namespace) -> int | None:
    """Returns the number in --digits; None for all."""
    return None if chosen.digits == ALL else chosen.digits


def digits_to_read(chosen: argparse.Namespace, arrays: Iterable[ExactArray]) -> int | None:
    """Returns how many digits a text has: those of --digits; else few if numbers of arrays have very many."""
    from qddot.exact.printing.digits import READ_DIGITS, has_many_digits

    if chosen.digits is not None:
        return digits_of(chosen)
    return READ_DIGITS if any(has_many_digits(entry) for each in arrays for entry in each.entries if entry) else None


def rounding(digits: int | None, chosen: argparse.Namespace) -> list[str]:
    """Returns a line that says that a text has rounded numbers, unless --digits asks for it."""
    return [] if digits is None or chosen.digits is not None else [sentence("numbers-rounded", digits=digits, all=ALL)]


def all_option(command: argparse.ArgumentParser) -> None:
    """Adds the option that prints a closed chain's equations completely."""
    command.add_argument("--all", action="store_true", help=sentence("help-all"))


def form_options(command: argparse.ArgumentParser, default: str | None, note: str = "") -> None:
    """Adds the options that choose a form; note: what the help says in addition"""
    from qddot.exact.forms import TEXTBOOK_FORMS

    add = command.add_argument
    add(
        "--form",
        default=default,
        choices=(*([NORMAL] if default == NORMAL else []), TEXTBOOK, *TEXTBOOK_FORMS[1:]),
        help=sentence("help-form", note=note),
    )
    add(
        "--no-constants",
        action="store_true",
        help=sentence("help-no-constants"),
    )


def is_plain_text(chosen: argparse.Namespace) -> bool:
    """Returns whether equations are to be written in normal form as text."""
    return bool(chosen.format == TEXT and chosen.form == NORMAL and not chosen.json)


def check_options(chosen: argparse.Namespace) -> None:
    """Raises QddotError if some of these options do not go together."""
    from qddot.exact.printing.writers import writer

    if chosen.digits is not None and (chosen.json or writer(chosen.format).exact):
        option = "--json" if chosen.json else f"--format {chosen.format}"
        raise QddotError("digits-another-format", option=option)
    check_form(chosen)


def check_form(chosen: argparse.Namespace) -> None:
    """Raises QddotError if --no-constants is given with the normal form."""
    if chosen.form in (NORMAL, None) and chosen.no_constants:
        raise QddotError("no-constants-normal-form")


def textbook_form(chosen: argparse.Namespace, default: str = NORMAL) -> tuple[str, bool]:
    """Returns the arguments of `textbook`: the form, "" for the normal one, and whether constants get names."""
    from qddot.exact.forms import TEXTBOOK_FORMS

    form = chosen.form or default
    return {NORMAL: "", TEXTBOOK: TEXTBOOK_FORMS[0]}.get(form, form), not chosen.no_constants


def show(
    eq: Equations,
    model: Model,
    head: Callable[[Mapping[str, str]], list[str]],
    facts: Facts,
    chosen: argparse.Namespace,
) -> int:
    """Prints the chosen quantities, a short form only if it has been proved equal; returns the exit code.

    model: that of the links; facts: those of JSON about the equations
    head: returns the first lines of a text from the sums of angles in it, by their names
    """
    from qddot.exact.equations.assembled import ASSEMBLED

    form, lumped = textbook_form(chosen)
    doing, only = "rewriting" if form else "deriving", names_in(chosen) or None
    with status(f"{doing} {model.name}") as say:
        short = eq.textbook(form, lumped) if form else None
        written = short or eq
        names = [name if name != ASSEMBLED else "tau" for name in only or written.shown]
        for name in names:
            say(f"{doing} {name}")
            written.array(name)
        if short and not short.proved(*names):
            complain(sentence("short-form-differs"))
            return FALSE
        say(sentence("doing-writing-out", names=listed(names)))
        digits = digits_of(chosen)
        sums = {} if short else {short: of for name in names for short, of in eq.array(name).angle_sums().items()}
        if chosen.json:
            of_model = {"model": model.name, "hash": model.hash, "left_out": as_table(model.left_out)}
            content = _of_short(short, names) if short else {**facts, "angles": sums, **_quantities(eq, names)}
            printed = json_text({**of_model, **content})
        elif chosen.format == TEXT:
            if not short:
                digits = digits_to_read(chosen, map(eq.array, names))
            lines = [
                *head(sums),
                *integration_lines(model, names),
                *([_proof(short, only, digits)] if short else rounding(digits, chosen)),
            ]
            printed = headed(lines, written.text(only, line_width(), digits))
        else:
            printed = written.printed(chosen.format, only, digits=digits)
            printed += _legend(eq, names) if chosen.format == "latex" and not short else ""
    print("\n".join([*_comments(chosen, model), printed]))
    return DONE


def integration_lines(model: Model, names: Iterable[str]) -> list[str]:
    """Returns lines with the integrals over the links' shapes if an inertia is asked for."""
    if not {*INERTIAS} & {*names}:
        return []
    from qddot.papers.overview import integrations

    return ["", *integrations(model.bodies)]


def names_in(chosen: argparse.Namespace) -> list[str]:
    """Returns the quantities in --only, whose letters are those of --notation; none if it is not given.

    raises QddotError: --only names nothing
    """
    from qddot.exact.equations.notations import notation_of

    typed = [name.strip() for name in BETWEEN.split(chosen.only or "") if name.strip()]
    if chosen.only is not None and not typed:
        raise QddotError("names-nothing")
    named = map(notation_of(chosen.notation).quantity, typed)
    return list(dict.fromkeys(name for each in named for name in ALIASES.get(each, (each,))))


def _comments(chosen: argparse.Namespace, model: Model) -> list[str]:
    """Returns comments of a format that name what the model lacks; text and JSON have their own places for it."""
    from qddot.exact.printing.writers import writer

    if chosen.json or (signs := writer(chosen.format).comment) is None:
        return []
    from qddot.base.html import comment

    begin, end = signs
    return [f"{begin} {comment(str(line))} {end}".rstrip() for line in sentences(model.left_out)]


def _legend(eq: Equations, names: list[str]) -> str:
    """Returns a line of LaTeX on the short names of sines and cosines, if there are any."""
    from qddot.exact.printing.latex import legend

    meanings = legend(eq.sheet(names).atoms())
    return f"\n{meanings}" if meanings else ""


def _proof(short: ShortEquations, only: list[str] | None, digits: int | None) -> str:
    """Returns what is proved of the short form, which is not that of rounded numbers."""
    from qddot.exact.printing.digits import ROUNDED_DIGITS

    if not short.is_rounded(only, digits):
        return sentence("short-form")
    return sentence("rounded-to-a-digit") if digits == 1 else sentence("rounded", digits=digits or ROUNDED_DIGITS)


def _of_short(short: ShortEquations, only: list[str]) -> Facts:
    from qddot.exact.printing.text import polynomial

    def counts(name: str) -> Facts:
        before, after = short.normal_counts(name), short.counts(name)
        return {"terms": [before.terms, after.terms], "operations": [before.operations, after.operations]}

    return {
        "form": short.form,
        "proved": True,
        "rounded": short.is_rounded(only),
        **_quantities(short, only),
        "constants": {name: polynomial(value) for name, value in short.constants.items()},
        "values": short.values(),
        "before and after": {name: counts(name) for name in only},
    }


def _quantities(written: Equations | ShortEquations, names: list[str]) -> Facts:
    """Returns quantities as nested lists of texts, and the definitions of coefficients in them, if there are any."""
    from qddot.exact.printing.text import Text

    plain = Text()

    def entries(array: Printed) -> Any:
        return [entries(part) for part in array] if array.shape else plain.write(array.written_entries()[0])

    content: Facts = {"quantities": {name: entries(written.array(name)) for name in names}}
    for each in written.sheet(names).definitions:
        if each.kind == "coefficients":
            content["coefficients"] = {name: plain.write(total) for name, total in each.sums.items()}
            content |= {"zeros": [plain.write(total) for total in each.zeros]} if each.zeros else {}
    return content


def headed(head: Iterable[str], text: str) -> str:
    """Returns a text below lines, which are broken where they are too long."""
    return "\n".join([*in_lines(head), "", text])


def in_lines(sentences: Iterable[str]) -> list[str]:
    """Returns sentences as lines that are not too long."""
    return [part for each in sentences for part in wrapped(each, line_width())]


def line_width() -> int:
    """Returns how many characters a line has: as many as the terminal, unless that is too narrow for equations."""
    from qddot.exact.printing.text import WIDTH
    from qddot.exact.printing.writer import NARROWEST

    return max(NARROWEST, columns(WIDTH))
