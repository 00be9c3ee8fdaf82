"""Converts Modelica models to their equations, including those in declarations."""

from __future__ import annotations

import re

from qddot.teach.check.reading.texts.rewriting import Rewriting, parted
from qddot.teach.check.reading.texts.written import Written

IDLE = re.compile(
    r"(?:^|(?<=;))[ \t]*(?:parameter|constant|input|output|final|Real|Modelica\.[\w.]+|import|model|class|block|within|"
    r"annotation|initial equation|equation|algorithm|end|protected|public)\b[^;\n]*(?:;|$)",
    re.MULTILINE,
)
DECLARATION = re.compile(
    r"(?:^|(?<=;))[ \t]*(?:Real|Modelica\.SIunits\.\w+|\w*(?:Velocity|Speed))[ \t]+(?P<declared>[^;]*);", re.M
)


def of_modelica(written: Written) -> Written:
    """Returns the equations of a model in Modelica, including those in declarations."""
    text = Rewriting(written).blank(r"/\*(?:.|\n)*?\*/").blank(r"//[^\n]*").blank(r"\"[^\"\n]*\"")
    sizes = {match[1]: int(match[2]) for match in re.finditer(r"(?<!\w)(\w+)\[(\d)\]\s*[(;,]", text.text)}
    text.sub(
        r"(?<![\w.])(\w+)[ \t]*=[ \t]*der\((\w+)\)",
        lambda match: (
            "; ".join(f"{match[1]}[{k}] = der({match[2]}[{k}])" for k in range(1, sizes[match[1]] + 1))
            if match[1] in sizes and match[2] in sizes
            else match[0]
        ),
    )
    text.sub(DECLARATION, _equations_of_declaration)
    return text.blank(IDLE).sub(r"\[(\d)\]", lambda match: f"({match[1]})").done()


def _equations_of_declaration(declaration: re.Match[str]) -> str:
    """Returns v = der(x) for Real x, v(start = 0) = der(x); initial values are dropped."""
    parts = [re.sub(r"^\s*(\w+(?:\[\d+\])?)\s*\([^()]*\)", r"\1", part) for part in parted(declaration["declared"])]
    return "; ".join(part.strip() for part in parts if "der(" in part and "=" in part) + ";"
