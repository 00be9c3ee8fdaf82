"""Tells whether a program in MATLAB computes in degrees, by cosd(q1) rather than cos(q1)."""

from __future__ import annotations

import re

OF_DEGREES = re.compile(r"(?<![\w.])(?:cos|sin|tan)d(?=\()")
OF_RADIANS = re.compile(r"(?<!\w)(?:cos|sin|tan)\(")


def takes_degrees(text: str) -> bool:
    """Returns whether all cosines and sines of a program take degrees."""
    return OF_DEGREES.search(text) is not None and not OF_RADIANS.search(text)
