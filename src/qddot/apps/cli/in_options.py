"""Says with options of a command line what errors say with arguments of Python."""

from __future__ import annotations

import argparse
import re

from qddot.base.errors import QddotError
from qddot.base.words.message import Message, say

ARGUMENTS = {  # options by the arguments that stand for them; others have their names
    "q": "--at",
    "q0": "--at",
    "kp": "--gains",
    "kd": "--gains",
    "every": "--sample-every",
    "start": "--movie-start",
}
PLACES = {  # options by the errors that do not name an argument
    "damping-negative": "--damping",
    "step-does-not-divide": "--step",
    "tolerance-out-of-range": "--tolerance",
    "record-every-does-not-divide": "--record-every",
    "arm-begins-beyond-a-limit": "--at",
    "symbolic-unknown": "--symbolic",
}
REMEDIES = {"arm-begins-beyond-a-limit": say("begin-within-limits", option="--no-limits")}
NAME = re.compile(r"^(\w+)( of a sampled law)?$|(?<= in )(q0?)$")  # an argument, alone or behind its entries


def in_options(error: QddotError, command: argparse.ArgumentParser) -> QddotError:
    """Returns the error with an option in place of the argument that it names, if the command has the option."""
    known = command._option_string_actions
    what = str(error.message.slots.get("what", ""))
    found = NAME.search(what)
    name = found and (found[1] or found[3])
    option = name and ARGUMENTS.get(name, f"--{name.replace('_', '-')}")
    if found and name and option in known:
        slots = {**error.message.slots, "what": what[: found.start()] + option}
        return type(error)(Message(error.code, slots), where=error.where, **error._own)
    place = PLACES.get(error.code)
    if place not in known:
        return error
    placed = error.at(str(place))
    return placed.to(type(error), remedy=REMEDIES[error.code]) if error.code in REMEDIES else placed
