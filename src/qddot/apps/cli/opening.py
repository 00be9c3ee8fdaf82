"""Opens the robot that a command line names, with the base, the symbols and the coordinates that options say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from qddot.apps.cli.output import complain
from qddot.apps.cli.values import numbers, set_values
from qddot.apps.cli.words import sentence
from qddot.base.errors import ClosedChainError, QddotError, shortened
from qddot.base.words.message import Listed, say

if TYPE_CHECKING:
    import argparse

    from qddot.faces.closed_chain import ClosedChain
    from qddot.faces.robot import Robot
    from qddot.robot.closed_model import ClosedModel
    from qddot.robot.model import Model

MOST_NOTES = 5
FIXED, FREE = BASES = ("fixed", "free")
BASE_MASS, MASS_FORM = "--base-mass", "M,IXX[,IXY,IXZ],IYY[,IYZ],IZZ"


def completed(text: str) -> str:
    """Returns the robot's name or the file that alone begins with a text, and says so on standard error.

    A name, a path or a text with which nothing begins is returned as it is.
    raises QddotError: several begin with it
    """
    from qddot.formats.finding import beginning_with

    found = beginning_with(text)
    if len(found) > 1:
        raise QddotError("several-robots-begin", text=shortened(text), names=Listed(found))
    if found:
        complain(sentence("completed-to", text=text, name=found[0]))
    return found[0] if found else text


def reading_options(command: argparse.ArgumentParser) -> None:
    """Adds --without and --model, the options of every command that takes files and derives something from them."""
    command.add_argument(
        "--without",
        default="",
        metavar="KIND,…",
        help=sentence("help-without"),
    )
    model_option(command)


def symbolic_option(command: argparse.ArgumentParser) -> None:
    """Adds --symbolic, the option of every command that takes one arm or closed chain and derives from it."""
    command.add_argument("--symbolic", metavar="KIND,…", help=sentence("help-symbolic"))


def symbolic_kinds(chosen: argparse.Namespace) -> list[str]:
    """Returns the kinds of numbers in --symbolic."""
    return [] if chosen.symbolic is None else [kind.strip() for kind in chosen.symbolic.split(",")]


def with_symbols(model: Model, chosen: argparse.Namespace) -> Model:
    """Returns the model with symbols for its numbers of the kinds in --symbolic. raises QddotError: no such kind"""
    from qddot.robot import symbolic

    kinds = symbolic_kinds(chosen)
    return symbolic.with_symbols(model, kinds) if kinds else model


def chain_with_symbols(chain: ClosedChain, chosen: argparse.Namespace) -> ClosedChain:
    """Returns the chain with symbols for the numbers of the kinds in --symbolic. raises QddotError: no such kind"""
    kinds = symbolic_kinds(chosen)
    return chain.with_symbols(*kinds) if kinds else chain


def model_option(command: argparse.ArgumentParser) -> None:
    """Adds --model, the option of every command that takes files."""
    command.add_argument("--model", default="", metavar="NAME", help=sentence("help-model"))


def base_options(command: argparse.ArgumentParser, choices: Sequence[str] = BASES, key: str = "help-arm-base") -> None:
    """Adds --base and --base-mass, the options of every command that takes an arm."""
    command.add_argument("--base", choices=choices, default=FIXED, help=sentence(key))
    command.add_argument(BASE_MASS, metavar=MASS_FORM, help=sentence("help-base-mass"))


def check_base(chosen: argparse.Namespace) -> None:
    """Raises QddotError if there is a mass for a base that is not freed."""
    if chosen.base_mass is not None and chosen.base == FIXED:
        raise QddotError("option-needs-another", option=BASE_MASS, needed=f"--base {FREE}")


def freed_base(model: Model, chosen: argparse.Namespace) -> Model:
    """Returns the model on a free base with the inertia in --base-mass. raises QddotError: it has too little"""
    from qddot.formats.shared.floating import floating

    own: dict[str, Any] = {}
    if chosen.base_mass is not None:
        texts = [text.strip() for text in chosen.base_mass.split(",")]
        numbers(chosen.base_mass, BASE_MASS)
        if len(texts) not in (4, 7):
            text, expected = shortened(chosen.base_mass), MASS_FORM
            raise QddotError("option-text-expected", option=BASE_MASS, text=text, expected=expected)
        mass, *inertia = texts
        own = {"mass": mass, "inertia": inertia if len(inertia) > 3 else (inertia[0], 0, 0, inertia[1], 0, inertia[2])}
    try:
        return floating(model, **own)
    except QddotError as error:
        if error.code != "motion-without-energy":
            raise
        raise error.to(type(error), remedy=say("base-mass-gives-it", option=f"{BASE_MASS} {MASS_FORM}")) from None


def independent_option(command: argparse.ArgumentParser) -> None:
    """Adds --independent, the option of every command that opens a closed chain."""
    command.add_argument("--independent", metavar="q1,q3", help=sentence("help-independent"))


def independent_in(chosen: argparse.Namespace) -> list[str] | None:
    """Returns the coordinates in --independent, or None where they are not given."""
    given = vars(chosen).get("independent")
    return [name.strip() for name in given.split(",")] if given else None


def opened_model(chosen: argparse.Namespace, allowed: Sequence[str] | None = None) -> Model:
    """Returns the model that was named, on the base in --base.

    allowed: content that it may lack, by default that in --without; then standard error has its notes
    raises ClosedChainError: a file with loops, on the base that it describes
    raises QddotError: no such arm, content that is not modelled and not in --without, or no free base
    """
    from qddot.formats.finding import load

    check_base(chosen)
    left_out, freed = without(chosen) if allowed is None else allowed, chosen.base == FREE
    try:
        model = load(chosen.arm, chosen.arguments, may_rest=freed, without=left_out, model=chosen.model)
    except ClosedChainError:
        if freed:
            raise QddotError("base-closed-chain", base=chosen.base, name=chosen.arm) from None
        raise
    if independent_in(chosen):
        raise QddotError("independent-of-an-arm", arm=chosen.arm)
    if freed:
        model = freed_base(model, chosen)
    if allowed is None:
        tell(chosen.arm, model)
    return with_symbols(model, chosen)


def model_of_either_kind(chosen: argparse.Namespace) -> Model | ClosedModel:
    """Returns the model of the arm or the closed chain that was named, with the values in --set.

    raises QddotError: no such arm, chain, symbol or number
    """
    from qddot.formats.finding import load_closed

    model: Model | ClosedModel
    try:
        model = opened_model(chosen)
    except ClosedChainError:
        model = load_closed(chosen.arm, chosen.arguments, without(chosen), chosen.model).model
        tell(chosen.arm, model.tree)
        model = replace(model, tree=with_symbols(model.tree, chosen))
    return model.with_values(set_values(chosen.set, model.tree)) if chosen.set else model


def tell(name_or_path: str, model: Model) -> None:
    """Says on standard error what a model lacks of its file, and which likely mistakes its reader noted."""
    from qddot.formats.finding import closed_zoo, doubts, zoo

    if name_or_path in (*zoo(), *closed_zoo()):
        return
    from qddot.robot.left_out import sentences

    notes = [sentence("note", note=note) for note in doubts(model.notes)]
    more = [sentence("more-notes", number=len(notes) - MOST_NOTES)] if len(notes) > MOST_NOTES else []
    for line in (*map(str, sentences(model.left_out)), *notes[:MOST_NOTES], *more):
        complain(line)


def tell_opening(chain: ClosedChain) -> None:
    """Says on standard error how a chain was opened, if something is unusual."""
    for note in chain.notes:
        complain(sentence("note", note=note))


def without(chosen: argparse.Namespace) -> Sequence[str]:
    """Returns the kinds of content in --without."""
    from qddot.robot.left_out import checked

    return checked(chosen.without or "")


def model_in(chosen: argparse.Namespace, name_or_path: str, others: Iterable[str]) -> str:
    """Returns the model in --model for one of several robots, or "" for one that cannot be in a file with others.

    others: the robots beside it; where none can be in such a file, reading the first one refuses the model
    """
    from qddot.formats.finding import may_have_several

    return chosen.model if may_have_several(name_or_path) or not any(map(may_have_several, others)) else ""


def opened(chosen: argparse.Namespace, allowed: Sequence[str] | None = None) -> Robot:
    """Returns the arm that was named; takes and raises the same as `opened_model`"""
    from qddot.faces.robot import Robot

    return Robot(opened_model(chosen, allowed))


def loaded(chosen: argparse.Namespace) -> Robot:
    """Returns the arm that was named, with the values in --set. raises QddotError: no such arm, symbol or number"""
    arm = opened(chosen)
    return arm.with_values(**set_values(chosen.set, arm.model)) if chosen.set else arm


def opened_of_either_kind(chosen: argparse.Namespace, allowed: Sequence[str] | None = None) -> Robot | ClosedChain:
    """Returns the arm or the closed chain that was named.

    allowed: as in `opened_model`
    raises QddotError: no such arm or chain
    """
    try:
        return opened(chosen, allowed)
    except ClosedChainError:
        return opened_chain(chosen, allowed)


def opened_chain(chosen: argparse.Namespace, allowed: Sequence[str] | None = None) -> ClosedChain:
    """Returns the closed chain that was named; takes and raises the same as `opened_of_either_kind`"""
    from qddot.faces.constructors import load_closed_chain

    lacking = without(chosen) if allowed is None else allowed
    reading = {"without": lacking, "model": chosen.model, "arguments": chosen.arguments}
    chain = load_closed_chain(chosen.arm, independent_in(chosen), **reading)
    if allowed is None:
        tell(chosen.arm, chain.model.tree)
        tell_opening(chain)
    return chain_with_symbols(chain, chosen)


def loaded_of_either_kind(
    chosen: argparse.Namespace, allowed: Sequence[str] | None = None
) -> tuple[Robot | ClosedChain, dict[str, Any]]:
    """Returns the arm or the closed chain that was named, and the values in --set, which it does not have yet.

    allowed: as in `opened_model`
    raises QddotError: no such arm, chain, symbol or number
    """
    arm = opened_of_either_kind(chosen, allowed)
    return arm, set_values(chosen.set, tree(arm))


def with_values_of_either_kind(chosen: argparse.Namespace) -> Robot | ClosedChain:
    """Returns the arm or the closed chain that was named, with the values in --set.

    raises QddotError: no such arm, chain, symbol or number
    """
    arm, values = loaded_of_either_kind(chosen)
    return arm.with_values(**values) if values else arm


def refuse_for_chains(chosen: argparse.Namespace, option: str, given: bool) -> None:
    """Raises QddotError if an option was given that closed chains do not have."""
    if given:
        raise QddotError("loops-arm-without-loops", option=option, arm=chosen.arm)


def tree(arm: Robot | ClosedChain) -> Model:
    """Returns the model of an arm, or of a closed chain without its loops and wheels."""
    from qddot.faces.robot import Robot

    return arm.model if isinstance(arm, Robot) else arm.model.tree
