"""Lists the languages, and gives objects one method that writes them in any of these."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from importlib import import_module
from typing import Any, ClassVar, cast

from qddot.base.errors import QddotError, check_one_of
from qddot.base.system.parts import installed
from qddot.base.words.message import say
from qddot.exact.printing.writer import Sheet, Writer

ROOM = "qddot.exact.printing"
WRITERS = {  # each module has its language as WRITER
    "text": f"{ROOM}.text",
    "latex": f"{ROOM}.latex",
    "mathml": f"{ROOM}.mathml",
    "typst": f"{ROOM}.typst",
    "sympy": f"{ROOM}.symbolic",
    "python": f"{ROOM}.python",
    "matlab": f"{ROOM}.matlab",
}


def writer(language: str) -> Writer:
    """Returns the writer of a language. raises QddotError: no such language, or its package is not installed"""
    check_one_of(language, WRITERS, say("no-language"), QddotError)
    with installed():
        return cast("Writer", import_module(WRITERS[language]).WRITER)


def objects(sheet: Sheet) -> dict[str, Any]:
    """Returns the statements of a sheet in SymPy, by name. raises QddotError: SymPy is not installed"""
    with installed():
        from qddot.exact.printing import symbolic

    return symbolic.objects(sheet)


class InLanguages(ABC):
    """This has quantities that are written in any language, with the definitions of names in them.

    _IN_SYMPY: the quantities of `sympy`, by default; _MOTION: LaTeX of the accelerations and the right side of the law
    """

    _IN_SYMPY: Sequence[str]
    _MOTION: ClassVar[tuple[str, str]] = ("\\ddot{q}", "\\tau")

    @abstractmethod
    def sheet(self, only: Sequence[str] | None = None, digits: int | None = None) -> Sheet:
        """Returns what is written of chosen quantities; by default those that are shown."""

    def printed(
        self, language: str, only: Sequence[str] | None = None, width: int | None = None, digits: int | None = None
    ) -> str:
        """Returns the chosen quantities in a language: text, latex, mathml, typst, sympy, python or matlab.

        only: names of quantities, or of single entries and matrices, such as "M11" and "T2", by default those that are
        shown; width: of a line, in characters or letters;
        digits: significant digits of the numbers, for reading; by default all
        raises QddotError: no such language or quantity
        """
        return writer(language).written(self.sheet(only, digits), width)

    def text(self, only: Sequence[str] | None = None, width: int | None = None, digits: int | None = None) -> str:
        """Returns the chosen quantities and steps as plain text, with the definitions of names in them.

        only: names of quantities and steps, or of an entry or a matrix of one as it is printed, such as "M11" or "T2",
        by default M, h and G, and springs and friction if there are any;
        width: characters of a line, by default 100; digits: significant digits of the numbers, by default all
        raises QddotError: no such quantity
        """
        return self.printed("text", only, width, digits)

    def sympy(self, only: Sequence[str] | None = None) -> dict[str, Any]:
        """Returns the chosen quantities in SymPy by name, by default all but kinematics and energies of short forms.

        Definitions of names are dictionaries, "constants" of short forms and "coefficients" of closed chains; linear
        equations that define further names are sums that are zero, "zeros".
        only: names of quantities and steps. raises QddotError: SymPy is not installed
        """
        return objects(self.sheet(self._IN_SYMPY if only is None else only))

    def python(self, only: Sequence[str] | None = None, digits: int | None = None) -> str:
        """Returns statements of Python that assign names and quantities, as nested lists; arguments as in `text`."""
        return self.printed("python", only, digits=digits)

    def matlab(self, only: Sequence[str] | None = None, digits: int | None = None) -> str:
        """Returns statements of MATLAB that assign names and quantities; arguments as in `text`."""
        return self.printed("matlab", only, digits=digits)
