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
REMEDIES = {  # by errors whose own remedy is one in Python
    "arm-begins-beyond-a-limit": say("begin-within-limits", option="--no-limits"),
    "impossible-draw": say("without-strict", option="--strict"),
    **dict.fromkeys(("run-store-exists", "store-of-another-sweep"), say("store-overwritten", option="--overwrite")),
    **dict.fromkeys(
        (
            "equalities-close-no-loop",
            "file-without-closing-joint",
            "file-without-equalities",
            "file-without-loop-elements",
            "file-without-loop-tables",
            "has-no-loops",
            "system-without-constraints",
        ),
        say("derive-takes-trees"),
    ),
}
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
    placed = error.at(str(place)) if place in known else error
    remedy = _remedy(error)
    if remedy is None or ("option" in remedy.slots and remedy.slots["option"].split()[0] not in known):
        return placed
    return placed.to(type(error), remedy=remedy)


def _remedy(error: QddotError) -> Message | None:
    """Returns the remedy on the command line, None where the error's own is one."""
    own = error.message.slots.get("remedy")
    if isinstance(own, Message) and own.key == "pass-values-at":
        return say("give-values-by-set", name=own.slots["name"])
    return REMEDIES.get(error.code)
