"""Writes an arm's equations as files that another program checks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from qddot.base.errors import FormatError, check_one_of
from qddot.base.records import record
from qddot.base.system import files
from qddot.exact.equations.quantities import Quantities
from qddot.proof.certify.coq import arm_file as coq
from qddot.proof.certify.pari import arm_file as pari

THEORY = ("Statement", "Polynomials", "Mechanics", "Checker", "Steps", "Kinetic", "Potential", "Correctness")


@record()
class ProofFiles:
    """These are the files that let another program check the equations of one arm.

    model: the arm's name; prover: the program; files: the text of each by its path in a folder; check: the command that
    checks them, to be run in that folder
    """

    model: str
    prover: str
    files: Mapping[str, str]
    check: str

    def __repr__(self) -> str:
        return f"<proof of {self.model} for {self.prover}: {', '.join(self.files)}>"

    def export(self, folder: str | Path = ".", overwrite: bool = False) -> list[Path]:
        """Writes the files into a folder, which is created if needed, and returns their paths.

        overwrite: whether files are replaced that are there already and not from an earlier export of proofs
        raises FormatError: a file cannot be written, or may not be replaced; none is written then
        """
        return files.save_in(folder, self.files, "prove", overwrite, FormatError)


def proof_files(eq: Quantities, to: Any = "coq") -> ProofFiles:
    """Returns the files for a prover; eq: the equations in the joints' own angles, which need not be derived yet.

    raises QddotError: no such prover; ModelError: it does not support one of the joints, or the equations are too long
    """
    check_one_of(to, PROVERS, "prover", FormatError, expected=" or ".join(PROVERS))
    stem = re.sub(r"\W", "_", eq.model.name, flags=re.ASCII)
    stem = stem if stem[:1].isalpha() else f"arm_{stem}"
    return PROVERS[to](eq, stem)


def _for_coq(eq: Quantities, stem: str) -> ProofFiles:
    """Returns the arm's file, the fixed theory, and the file that says in which order Coq reads it."""
    folder = resources.files("qddot.proof.certify.coq")
    fixed = {f"theory/{name}.v": folder / "theory" / f"{name}.v" for name in THEORY} | {"Makefile": folder / "Makefile"}
    texts = {name: path.read_text(encoding="utf-8") for name, path in fixed.items()}
    return ProofFiles(eq.model.name, "coq", {f"{stem}.v": coq.arm_file(eq), **texts}, f"make {stem}.vo")


def _for_pari(eq: Quantities, stem: str) -> ProofFiles:
    """Returns one script, with the fixed text of the derivation in it."""
    derivation = (resources.files("qddot.proof.certify.pari") / "derive.gp").read_text(encoding="utf-8")
    return ProofFiles(eq.model.name, "pari", {f"{stem}.gp": pari.arm_file(eq, derivation)}, f"gp -q {stem}.gp")


PROVERS: Mapping[str, Callable[[Quantities, str], ProofFiles]] = {"coq": _for_coq, "pari": _for_pari}
