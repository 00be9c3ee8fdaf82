"""Files for Coq and PARI/GP, checked by these programs."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from qddot.proof.certify.proof_files import ProofFiles

AXIOMS = {  # of Coq's real numbers
    "ClassicalDedekindReals.sig_not_dec",
    "ClassicalDedekindReals.sig_forall_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
}
Checked = subprocess.CompletedProcess[str]


def text_of(proof: ProofFiles) -> str:
    """The text of the file of an arm or chain, without the theory."""
    return next(text for name, text in proof.files.items() if name.endswith((".v", ".gp")) and "/" not in name)


def by_coq(text: str, folder: Path, name: str) -> Checked:
    """What Coq says about a file, in a folder with the theory."""
    (folder / f"{name}.v").write_text(text, encoding="utf-8")
    command = ["coqc", "-Q", "theory", "Qddot", f"{name}.v"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def axioms_in(result: Checked) -> set[str]:
    """The axioms on which Coq says that theorems depend."""
    return set(re.findall(r"^([\w.]+)(?: :|$)", result.stdout, re.MULTILINE)) - {"Axioms"}


def by_pari(text: str, folder: Path) -> Checked:
    """What PARI/GP says about a script."""
    (folder / "arm.gp").write_text(text, encoding="utf-8")
    return subprocess.run(
        ["gp", "-q", "arm.gp"], cwd=folder, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL
    )
