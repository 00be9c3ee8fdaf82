"""Writes names in programs of all languages as in formulas: without modules, fields and capitals within words."""

from __future__ import annotations

import re

from qddot.teach.check.reading.texts.rewriting import Rewriting

MODULES = ("np", "numpy", "math", "sp", "sy", "sym", "sympy", "me", "mechanics", "s", "smp")
MODULE = rf"(?:(?:{'|'.join(MODULES)})\.)?"
NO_STRUCTURE = "|".join(name for name in MODULES if name != "s")  # s in s.m1 is a structure rather than sympy
# the prefix of a field, as in p.m1 and self.m1, but not a module such as np
FIELD = re.compile(rf"(?<![\w.)\]])(?!(?:{NO_STRUCTURE})\.)[A-Za-z]\w*\.(?=[A-Za-z]\w*(?![\w(]))")


def of_camel(text: Rewriting) -> None:
    """Writes thetaDot, q1DDot and tauTheta in lower case, as other names are written."""
    text.sub(r"(?<=[a-z0-9])(DD|Dd|D)ot(?![a-z])", lambda match: match[1].lower() + "ot")
    text.sub(r"(?<!\w)(tau|torque|force|F|f|Q)([A-Z][a-z]*|R)(?!\w)", lambda match: f"{match[1]}_{match[2].lower()}")
