"""Reads a command line: the command, its options, and the arguments of a xacro file."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NoReturn

from qddot.apps.cli.commands import COMMANDS, epilog
from qddot.apps.cli.grammar import check
from qddot.apps.cli.opening import base_options, completed, independent_option, reading_options, symbolic_option
from qddot.apps.cli.output import MISTAKE, columns, wrapped
from qddot.apps.cli.words import sentence
from qddot.base.errors import QddotError, check_one_of, near, visible
from qddot.base.version import __version__
from qddot.base.words.language import language, languages, manner
from qddot.base.words.message import say

ROBOTS = ("arm", "arms", "chain", "a", "b")  # arguments that name robots, as they are typed
NUMBERS = {int: "a-whole-number", float: "a-number"}  # types of options, as their errors name them


def chosen_by(typed: Sequence[str]) -> argparse.Namespace:
    """Returns the command with its options; its `arguments_of_each` are those of the xacro files that it names."""
    words = [word for word in typed if ":=" not in word]
    if not words:
        raise QddotError("no-command")
    if not words[0].startswith("-"):
        check_one_of(words[0], [command.name for command in COMMANDS], say("a-command"), QddotError)
    chosen, others = parser_for(words[0]).parse_known_args(_with_negative_values(words))
    if others:
        chosen.parser.refuse(others)
    check(chosen.parser, words[1:], chosen.command.loaded)
    chosen.arguments_of_each = _arguments_of_each(typed[1:], _robots_in(chosen))
    chosen.arguments = next(iter(chosen.arguments_of_each), {})
    for name in vars(chosen).keys() & ROBOTS:
        setattr(chosen, name, _completed(getattr(chosen, name)))
    return chosen


def _completed(named: Any) -> Any:
    """Returns the robots that an argument names, each by its whole name or path; None where none is named."""
    return [completed(each) for each in named] if isinstance(named, list) else named and completed(named)


def _robots_in(chosen: argparse.Namespace) -> list[str]:
    """Returns the robots that a command names, in the order in which they are typed."""
    named = [each for name in ROBOTS if (each := vars(chosen).get(name))]
    return [robot for each in named for robot in (each if isinstance(each, list) else [each])]


def _arguments_of_each(words: Sequence[str], robots: Sequence[str]) -> list[dict[str, str]]:
    """Returns for each robot the arguments that are typed after it; the first one also has those that precede it.

    raises QddotError: arguments without a robot, one twice for a robot; FormatError: xacro would misread one
    """
    each: list[dict[str, str]] = [{} for _ in robots]
    place = -1
    for word in words:
        if ":=" in word:
            from qddot.formats.xml.xacro import argument

            name, value = argument(word)
            if not robots:
                raise QddotError("xacro-arguments-without-robot", name=name)
            mine = each[max(place, 0)]
            if name in mine:
                raise QddotError("gives-twice", option=robots[max(place, 0)], name=name)
            mine[name] = value
        elif place + 1 < len(robots) and word == robots[place + 1]:
            place += 1
    return each


def _with_negative_values(arguments: list[str]) -> list[str]:
    """Returns `--at -1,0` as `--at=-1,0`, since argparse would take -1,0 for an option."""
    joined: list[str] = []
    for argument in arguments:
        if joined and re.fullmatch(r"--[a-z0-9-]+", joined[-1]) and re.match(r"-[\d.]", argument):
            joined[-1] += f"={argument}"
        else:
            joined.append(argument)
    return joined


class _Help(argparse.RawDescriptionHelpFormatter):
    """This formats help to the terminal's width; argparse would load `shutil` to know the width."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=columns() - 2)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrapped(" ".join(text.split()), width)


class _Arguments(argparse.ArgumentParser):
    """This parser reports errors in one line, like every other mistake, and adds its options when it is used.

    So a command may offer names that are listed in other modules, and `qddot --help` loads none of these modules.
    """

    options: Callable[[argparse.ArgumentParser], None] | None = None
    words: Sequence[str] = ()

    def __init__(self, **kinds: Any) -> None:
        super().__init__(**{**kinds, "allow_abbrev": False})

    def complete(self) -> None:
        """Adds the options, once."""
        if self.options is not None:
            add, self.options = self.options, None
            add(self)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self.complete()
        self.words = list(args or ())
        return super().parse_known_args(args, namespace)

    def _with_minus(self) -> tuple[str, str]:
        """Returns an option and its value that argparse took for an option since it begins with a minus, or "", ""."""
        known = self._option_string_actions
        for option, value in pairwise(self.words):
            takes = option in known and known[option].nargs is None
            if takes and value not in known and re.match(r"-[^-]", value):
                return option, value
        return "", ""

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError as error:
            if action.type not in NUMBERS:
                raise
            told = sentence("value-expected", value=repr(arg_string), expected=say(NUMBERS[action.type]))
            raise argparse.ArgumentError(action, told) from error

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            if meant := near(value, map(str, action.choices or ())):
                error.message = sentence("value-misspelt", message=error.message, meant=meant)
            raise

    def refuse(self, words: Sequence[str]) -> NoReturn:
        """Reports words that are none of the options, with the option that the first one may mean."""
        if re.fullmatch(r"[A-Za-z]\w*=.+", words[0]):
            assigned = words[0].replace("=", ":=", 1)
            self.error(sentence("xacro-argument-meant", words=" ".join(words), meant=assigned))
        meant = near(words[0].partition("=")[0], self._option_string_actions) if words[0].startswith("-") else ""
        self.error(sentence("option-misspelt" if meant else "words-not-known", words=" ".join(words), meant=meant))

    def error(self, message: str) -> NoReturn:
        option, value = self._with_minus()
        if option and option in message:
            message = sentence("value-begins-with-minus", message=message, option=option, value=value)
        told = sentence("see-help", message=visible(message), prog=self.prog)
        self.exit(MISTAKE, f"qddot: {told}\n")


def parser_for(first: str = "") -> argparse.ArgumentParser:
    """Returns the parser of all commands, or only that of the command which the first typed word names."""
    from qddot.formats.registry import suffixes

    _translate_argparse()
    chosen = [each for each in COMMANDS if each.name == first]
    parser = _Arguments(
        prog="qddot",
        description=sentence("command-qddot"),
        epilog=None if chosen else epilog(),
        formatter_class=_Help,
    )
    parser.add_argument("--version", action="version", help=sentence("help-version"), version=f"qddot {__version__}")
    parser.add_argument("--lang", choices=languages(), help=sentence("help-lang"))
    commands = parser.add_subparsers(metavar="COMMAND", required=True, parser_class=_Arguments)

    for command in chosen or COMMANDS:
        sub = commands.add_parser(
            command.name,
            help=command.text,
            description=command.text,
            epilog=command.examples,
            formatter_class=_Help,
        )
        sub.set_defaults(run=command.run, parser=sub, command=command)
        sub.options = command.options
        sub.add_argument("--lang", choices=languages(), default=language(), help=sentence("help-lang"))
        if command.arm:
            sub.add_argument(
                "arm",
                metavar="ARM",
                help=sentence("help-chain-arm" if command.chains else "help-arm", names=", ".join(suffixes())),
            )
            reading_options(sub)
            symbolic_option(sub)
            base_options(sub)
            if command.chains and command.choosing:
                independent_option(sub)
    return parser


def _translate_argparse() -> None:
    """Lets argparse say in the language in use what it says itself: `usage`, "required", "invalid choice"."""
    own = manner(language()).get("argparse", {})
    vars(argparse)["_"] = lambda text: own.get(text, text)
    vars(argparse)["ngettext"] = lambda one, more, count: own.get(more, one if count == 1 else more)
