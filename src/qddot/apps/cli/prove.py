"""Runs `qddot prove`: it derives by every route and proves the laws, or writes files that another program checks."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from qddot.apps.cli.output import DONE, FALSE, status
from qddot.apps.cli.values import opened_of_either_kind, overwrite_option, refuse_for_chains
from qddot.base.errors import QddotError

if TYPE_CHECKING:
    from qddot.exact.equations.proofs.certificate import Certificate


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    from qddot.proof.certify.proof_files import PROVERS

    command.add_argument("--json", action="store_true", help="print the certificate as JSON")
    command.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="repeat a certificate modulo primes, which names its seed (default: drawn)",
    )
    command.add_argument(
        "--to",
        choices=tuple(PROVERS),
        help="print no certificate, but write files with which Coq proves the equations, or PARI/GP derives them again",
    )
    command.add_argument(
        "--folder", metavar="DIR", help="folder of these files, created if needed (default: the current one)"
    )
    overwrite_option(command)


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit code: whether all is proved, or DONE if --to is given."""
    from qddot.faces.robot import Robot

    arm = opened_of_either_kind(chosen)
    if not isinstance(arm, Robot):
        refuse_for_chains(chosen, "--seed", chosen.seed is not None)
    if chosen.to:
        with status(f"writing {arm.name} for {chosen.to}"):
            proof = arm.certificate(chosen.to)
            written = proof.export(chosen.folder or ".", chosen.overwrite)
        print(*written, f"check: cd {chosen.folder or '.'} && {proof.check}", sep="\n")
        return DONE
    if chosen.folder:
        from qddot.proof.certify.proof_files import PROVERS

        raise QddotError("--folder without --to", expected=" or ".join(f"--to {name}" for name in PROVERS))
    with status(f"proving {arm.name}") as say:
        certificate = arm.prove(progress=say, seed=chosen.seed) if isinstance(arm, Robot) else arm.prove()
    return told(certificate, chosen)


def told(certificate: Certificate, chosen: argparse.Namespace) -> int:
    print(certificate.to_json() if chosen.json else certificate)
    return DONE if certificate else FALSE
