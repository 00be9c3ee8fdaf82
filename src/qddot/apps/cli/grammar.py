"""What options of a command line say together: nothing twice, no two that exclude each other, none without its own.

A command's module may have `NEEDS`, options by the options of which they need one, and `APART`, groups of options of
which a command line takes one.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from types import ModuleType

from qddot.base.errors import QddotError
from qddot.base.words.message import Either


def check(command: argparse.ArgumentParser, words: Sequence[str], module: ModuleType) -> None:
    """Raises QddotError if the options in a command line do not go together, so that one would be ignored."""
    typed = [option for word in words if (option := _option(command, word))]
    repeatable = {
        action.option_strings[-1] for action in command._actions if isinstance(action, argparse._AppendAction)
    }
    for k, option in enumerate(typed):
        if option in typed[:k] and option not in repeatable:
            raise QddotError("option-twice", option=option)
    for group in getattr(module, "APART", ()):
        given = [option for option in group if option in typed]
        if len(given) > 1:
            raise QddotError("options-apart", first=given[0], second=given[1])
    needs: Mapping[tuple[str, ...], tuple[str, ...]] = getattr(module, "NEEDS", {})
    for options, needed in needs.items():
        for option in options:
            if option in typed and not set(needed) & {*typed}:
                raise QddotError("option-needs-another", option=option, needed=Either(needed))


def _option(command: argparse.ArgumentParser, word: str) -> str:
    """Returns the long name of the option that a word is, or ""."""
    action = command._option_string_actions.get(word.partition("=")[0])
    return action.option_strings[-1] if action else ""
