"""Writes the equations of an arm or a closed chain as files that another program checks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from qddot.base.errors import FormatError, check_one_of
from qddot.base.records import record
from qddot.base.system import files
from qddot.base.words.message import Either, say
from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.exact.equations.quantities import Quantities
from qddot.proof.certify.coq import arm_file as coq
from qddot.proof.certify.coq import chain_file as coq_chain
from qddot.proof.certify.pari import arm_file as pari
from qddot.proof.certify.pari import chain_file as pari_chain

THEORY = ("Statement", "Polynomials", "Mechanics", "Checker", "Steps", "Kinetic", "Potential", "Correctness")
CLOSED = ("ClosedStatement", "ClosedChecker", "ClosedCorrectness")  # in the theory of closed chains, after these


@record()
class ProofFiles:
    """These are the files that let another program check the equations of one arm or chain.

    model: its name; prover: the program; files: the text of each by its path in a folder; check: the command that
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


def proof_files(eq: Quantities | ReducedEquations, to: Any = "coq") -> ProofFiles:
    """Returns the files for a prover; eq: the equations in the joints' own angles, which need not be derived yet.

    raises QddotError: no such prover; ModelError: it does not support one of the joints, or the equations are too long
    """
    check_one_of(to, PROVERS, say("prover-named"), FormatError, expected=Either(PROVERS))
    stem = re.sub(r"\W", "_", eq.model.name, flags=re.ASCII)
    stem = stem if stem[:1].isalpha() else f"arm_{stem}"
    return PROVERS[to](eq, stem)


def _for_coq(eq: Quantities | ReducedEquations, stem: str) -> ProofFiles:
    """Returns the file of the arm or chain, the fixed theory, and the file that says in which order Coq reads it."""
    theory: Sequence[str] = THEORY
    if isinstance(eq, ReducedEquations):
        text, theory = coq_chain.chain_file(eq), (*THEORY, *CLOSED)
    else:
        text = coq.arm_file(eq)
    names = [f"theory/{name}.v" for name in theory]
    fixed = {name: _fixed("coq", name) for name in (*names, "Makefile")}
    return ProofFiles(eq.model.name, "coq", {f"{stem}.v": text, **fixed}, f"make {stem}.vo")


def _for_pari(eq: Quantities | ReducedEquations, stem: str) -> ProofFiles:
    """Returns one script, with the fixed text of the derivation in it."""
    of_trees = _fixed("pari", "derive.gp")
    if isinstance(eq, ReducedEquations):
        text = pari_chain.chain_file(eq, of_trees, _fixed("pari", "chain.gp"))
    else:
        text = pari.arm_file(eq, of_trees)
    return ProofFiles(eq.model.name, "pari", {f"{stem}.gp": text}, f"gp -q {stem}.gp")


def _fixed(prover: str, name: str) -> str:
    """Returns the text of a file that is the same for all arms or chains."""
    return (resources.files(f"qddot.proof.certify.{prover}") / name).read_text(encoding="utf-8")


PROVERS: Mapping[str, Callable[[Quantities | ReducedEquations, str], ProofFiles]] = {
    "coq": _for_coq,
    "pari": _for_pari,
}
