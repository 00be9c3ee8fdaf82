"""Reads somebody's own derivation into the exact numbers of an arm's equations: a text, a file, or values by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from qddot.check.reading import answer_files, claims
from qddot.check.reading.answer import Answer
from qddot.check.reading.reader import Reader
from qddot.check.reading.written import Written
from qddot.equations.quantities import Quantities


def read(path: str | Path, eq: Quantities, rename: Mapping[str, str] | None = None) -> Answer:
    """Returns the answer in a file: TOML, LaTeX, or plain text, Python and MATLAB, by its suffix or its look.

    rename: what the file's own names mean, such as {"L": "l1", "lc1": "l1/2"}
    raises FormatError: no such file, too large, empty, binary; ExpressionError: with line and column
    """
    path = Path(path)
    return Reader(eq, rename, zero_based=path.suffix == ".py").answer(answer_files.claims_of(path))


def read_text(text: str, eq: Quantities, rename: Mapping[str, str] | None = None) -> Answer:
    """Returns the answer in a text of equations, `M12 = …`, as Python, MATLAB, LaTeX or Unicode has them.

    raises FormatError: empty or too long; ExpressionError: with line and column of what does not fit
    """
    answer_files.check(text, "the text")
    return Reader(eq, rename).answer(claims.of_text(Written(text)))


def read_parts(parts: Mapping[str, Any], eq: Quantities, rename: Mapping[str, str] | None = None) -> Answer:
    """Returns the answer in values by name: texts, numbers, and nested lists of these.

    raises ExpressionError: with the name, the line and the column of what does not fit
    """
    return Reader(eq, rename).answer(claims.of_parts(parts, claims.Texts()))
