"""Checking is a part of robots and closed chains: it judges somebody's own derivation against the exact equations."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qddot.exact.equations.quantities import Quantities
    from qddot.teach.check.chain_quantities import ChainQuantities
    from qddot.teach.check.grading import Grades
    from qddot.teach.check.judging.judgement import Judgement
    from qddot.teach.check.preview import Preview


class Checking(ABC):
    """This has equations with which answers are compared."""

    @property
    @abstractmethod
    def quantities(self) -> Quantities | ChainQuantities:
        """Returns the quantities with which `check` compares answers."""

    def check(
        self,
        answer: str | Path | None = None,
        /,
        rename: Mapping[str, str] | None = None,
        only: str | Sequence[str] | None = None,
        values: Mapping[str, Any] | None = None,
        **quantities: Any,
    ) -> Judgement:
        """Returns the judgement of somebody's own derivation, in part or whole, against the exact equations.

        Each entry is proved equal, or has a witness (a state in which it differs) and the likeliest mistakes. A C that
        is another valid choice, an L that gives the same equations, and equations of motion in another form are
        accepted. Parts that could not be read are listed as not judged, and so is an entry that differs if it may have
        been misread: if no known mistake explains the difference, and its name may mean something else.
        `bool(judgement)` is True if all was read, nothing required is missing, and all is right.

        Of a closed chain, M, C, h, G and tau are those of the independent coordinates. They and K, P, L, R, A and phi
        may contain r_kj, sines, the rates of all joints, and names of the answer's own. An entry is right if it is
        equal where the loops are closed: this is proved by the definitions of r_kj and by conditions in which a
        variable occurs once, or else verified at certified closed configurations, with the default lengths and with
        others. A witness has closed loops, on the branch of the chain's configuration.
        answer: equations as text, as in LaTeX, programs or notes, or a file's path
        quantities: the same by name: M=[[…]], C, B, C2, h, G, tau, K, P, L, T, J, or an entry such as M12="…"
        rename: meanings of the answer's own names: {"L1": "l1"}, where l1 is the robot's
        only: the required quantities and entries: "M,G"
        values: of symbols that are numbers in the answer; by default the answer's own values, or the model's
        raises QddotError: no part of the answer can be read, a quantity has the wrong size, or a symbol of a closed
        chain has no value
        """
        from qddot.teach.check.checking import check

        return check(self.quantities, answer, rename, quantities, only, values)

    def check_all(
        self,
        folder: str | Path,
        rename: Mapping[str, str] | None = None,
        only: str | Sequence[str] | None = None,
        rubric: str | Path | Mapping[str, float] | None = None,
        values: Mapping[str, Any] | None = None,
    ) -> Grades:
        """Returns the judgements of all files in a folder and in the students' folders in it, as a table.

        An answer that cannot be read has the reason in its row, and does not stop the others. `bool(table)` is
        True if all answers are right.
        rename, only, values: as in `check`
        rubric: the points of each quantity, {"M": 4, "G": 2}, or a TOML file with a table [points]
        raises QddotError: no such folder, no file in it, or a rubric that cannot be read
        """
        from qddot.teach.check.grading import Exercise, check_all
        from qddot.teach.check.rubric import rubric_of

        return check_all(self.quantities, folder, Exercise(rename, only, rubric_of(self.quantities, rubric), values))

    def check_preview(
        self,
        answer: str | Path | None = None,
        /,
        rename: Mapping[str, str] | None = None,
        only: str | Sequence[str] | None = None,
        **quantities: Any,
    ) -> Preview:
        """Returns what each formula of an answer is read as, in the symbols of the equations, without any judgement.

        `bool(preview)` is True if all was read, and nothing required is missing.
        answer, rename, only, quantities: as in `check`
        raises QddotError: there is no answer, a quantity has the wrong size, or a symbol of a closed chain has no value
        """
        from qddot.teach.check.preview import preview

        return preview(self.quantities, answer, rename, quantities, only)

    def answer_template(self, form: str | Path = ".md", only: str | Sequence[str] | None = None, lang: str = "") -> str:
        """Returns the text of a file to be filled in, with a slot for each independent entry, which `check` reads.

        Its header has the meanings and units of all names, and the direction of gravity. A slot that stays empty is
        missing in the judgement.
        form: .tex, .md, .py, .m or .ipynb, or the name of such a file; lang: the language of the header, "en" or "zh"
        only: the quantities and entries, by default "M,h,G"
        raises QddotError: another form or language, or no such quantity
        """
        from qddot.teach.check.templates import template

        return template(self.quantities, form, only, lang)
