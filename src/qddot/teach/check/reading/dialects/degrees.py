"""Reads functions of degrees in Python and MATLAB programs: cosd(q1), deg2rad(30) and np.radians(30)."""

from __future__ import annotations

import re

from qddot.teach.check.reading.texts.rewriting import Rewriting, closing

OF_DEGREES = re.compile(r"(?<![\w.])(?P<function>cos|sin|tan)d(?=\()")
OF_RADIANS = re.compile(r"(?<!\w)(?:cos|sin|tan)\(")
CONVERSION = re.compile(r"(?<![\w.])(?:\w+\.)?(?P<name>deg2rad|radians|rad2deg|degrees)(?=\()")


def takes_degrees(text: str) -> bool:
    """Returns whether all cosines and sines of a program take degrees."""
    return OF_DEGREES.search(text) is not None and not OF_RADIANS.search(text)


def of_degrees(text: Rewriting) -> None:
    """Writes conversions as products, and cosd(x) as cos(x), or as cos of x in radians if cos occurs, too."""
    while conversion := CONVERSION.search(text.text):
        factor = "pi/180" if conversion["name"] in ("deg2rad", "radians") else "180/pi"
        _multiply(text, conversion, "", factor)
    factor = "1" if takes_degrees(text.text) else "pi/180"
    while call := OF_DEGREES.search(text.text):
        if factor == "1":
            text.replace(call.start(), call.end(), call["function"])
        else:
            _multiply(text, call, call["function"], factor)


def _multiply(text: Rewriting, call: re.Match[str], function: str, factor: str) -> None:
    """Writes a call f(x) as function(factor*(x))."""
    end = closing(text.text, call.end(), "()")
    end = len(text.text) - 1 if end < 0 else end
    text.replace(end, end + 1, "))")
    text.replace(call.start(), call.end(), f"{function}({factor}*")
