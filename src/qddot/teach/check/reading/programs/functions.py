"""Names the results of functions in programs of all languages: M for mass_matrix, G for gravity, tau2 for tau2."""

from __future__ import annotations

import re

ACCELERATIONS = "qdd"
CALLED = (
    (r"feed_?forward", "tau"),
    (r"forward|acc(?:el\w*)?$|ddot|qdd|rhs|deriv|ode(?:_?fun)?$|(?:^|_)f$|^fd", ACCELERATIONS),
    (r"mass|inertia|(?-i:_M|^M_)", "M"),
    (r"coriolis|centrifugal|(?-i:_C$)", "C"),
    (r"grav|(?-i:_G$)", "G"),
    (r"bias|nonlinear|nle", "N"),
    (r"tau|torque|effort|moment|inverse|^id$|rnea", "tau"),
    (r"kinetic", "K"),
    (r"potential", "P"),
    (r"lagrang", "L"),
    (r"jac", "J"),
)
# names of entries, single torques and accelerations, which are kept
ENTRY = re.compile(
    r"(?:[MmHDCchGgNnQuFfTB]|tau|torque)_?\d{1,3}|tau|τ\w*|tau_?[a-z]+|[FfQ]_[a-z]+|F[a-z]|"
    r"(?:dd|ddot_?)?[a-z]{1,5}_?\d?(?:_?dd(?:ot)?\d?|DDot)|dd[a-z]+\d?|\w*\u0308\w*"
)
WHOLE = re.compile(r"[A-Zhg](?:q|mat|vec)?|J[vw]|tau|grav\w*|coriolis|bias")
DRIVE = re.compile(r"\b(?:tau|u|F|f|torque|force|input|control)\d?\b", re.IGNORECASE)
MOTION = re.compile(r"(?:q|x|dx|th|theta|state|y|dy|dq|qd|qdd|ddq|t|p|params?)\d?")


def result_of(name: str, arguments: str = "") -> str:
    """Returns the name of a function's result: that of a quantity if the function is named after it."""
    if re.search(r"dynamics|motion|eom", name, re.IGNORECASE) and not re.search(r"inverse", name, re.IGNORECASE):
        return ACCELERATIONS if DRIVE.search(arguments) else "tau"
    if ENTRY.fullmatch(name):
        return name
    bare = re.sub(r"^(?:get|compute|calc|eval|make|build)_?(?=[A-Z_a-z])", "", name)
    return next((to for how, to in CALLED if re.search(how, bare, re.IGNORECASE)), name)


def is_result(name: str) -> bool:
    """Returns whether a variable has the name of a quantity, an entry, a torque or an acceleration."""
    return WHOLE.fullmatch(name) is not None or ENTRY.fullmatch(name) is not None
