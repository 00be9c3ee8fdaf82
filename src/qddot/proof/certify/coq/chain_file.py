"""Writes a closed chain as data for Coq: its tree as an arm, its conditions, and the equations in independent rates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.proof.certify.coq.arm_file import LINE, arm_file, common_denominator, expressions, listed, refuse_long
from qddot.proof.certify.coq.expressions import Atoms, Factors
from qddot.proof.certify.described_chain import Condition, PrintedChain, conditions, printed_chain, terms
from qddot.proof.certify.printed import comment

HEAD = """(* Its loops and rolling wheels, and the equations in independent rates as qddot prints them.
   The theorem at the end says that the equations follow from the conditions; theory/ClosedStatement.v defines it. *)
From Qddot Require Import ClosedStatement ClosedCorrectness.
"""
THEOREM = """
Theorem equations_of_the_chain : correct_chain description closed_chain.
Proof. apply (check_chain_correct _ _ _ checked). vm_cast_no_check (eq_refl true). Qed.
Print Assumptions equations_of_the_chain. (* axioms of Coq's real numbers, and no others *)
"""


def chain_file(eq: ReducedEquations) -> str:
    """Returns the text of a chain's file; eq: its equations in the joints' own angles.

    raises ModelError: Coq's theory does not support one of the joints, or Coq would take long
    """
    tree, chain = arm_file(eq.tree), printed_chain(eq)
    refuse_long(eq.model.name, terms(chain))
    parameters = {name: k for k, name in enumerate((*eq.ring.symbols, *eq.ring.extra), start=1)}
    legend = [f"Par {parameters[name]}: {comment(name)}" for name in eq.coefficients.variables]
    factors = Factors(Atoms(eq.ring), "'")
    data = _data(eq, chain, factors, parameters)
    scope = ["Open Scope expr_scope.", *data, "Close Scope expr_scope."]
    return "\n".join([tree, HEAD, f"(* {'; '.join(legend)} *)", *factors.definitions(), *scope, THEOREM])


def _data(eq: ReducedEquations, chain: PrintedChain, factors: Factors, parameters: Mapping[str, int]) -> list[str]:
    """Returns the definition of a chain's data; the factors in them are known afterwards.

    parameters: the number of each symbol and coefficient
    """

    def written(value: Any) -> str:
        if isinstance(value, list | tuple):
            return listed(map(written, value))
        entry = eq.ring.convert(value)
        return factors.entry(entry, common_denominator([entry]))

    atoms = Atoms(eq.tree.ring)
    rows = (
        f"{{| keeps := {_condition(each, atoms)};\n     phi := {written(phi)}; in_A := {written(row)};\n"
        f"     determinant := {'None' if over is None else f'Some ({written(over)})'} |}}"
        for each, phi, row, over in zip(conditions(eq), chain.phi, chain.A, chain.determinants, strict=True)
    )
    quotients = (
        f"{{| name := {parameters[name]}; numerator := {written(top)};\n     denominator := {written(bottom)};\n"
        f"     share := {written(share)} |}}"
        for (name, top, bottom), share in chain.coefficients
    )
    return [
        "Definition closed_chain : chain := {|",
        f"  rows_of_A := {listed(rows, LINE)};",
        f"  columns := {listed(str(j) for j in range(1, len(chain.M) + 1))}%positive;",
        f"  independent := {listed(str(k + 1) for k in eq.choice.independent)}%positive;",
        f"  coefficients := {listed(quotients, LINE)};",
        f"  R_entries := {written(chain.R)};",
        f"  R_slopes := {written(chain.slopes)};",
        f"  reduced_M := {written(chain.M)};",
        f"  reduced_Gamma := {written(chain.christoffel)};",
        f"  reduced_G := {written(chain.G)}; reduced_springs := {written(chain.springs)};",
        f"  reduced_viscous := {written(chain.viscous)};",
        f"  reduced_dry := {written(chain.dry)} |}}.",
    ]


def _condition(condition: Condition, atoms: Atoms) -> str:
    frames = " ".join(listed(f"link{k + 1}" for k in path) for path in condition.frames)
    match condition.kind:
        case "Held":
            arguments = expressions(condition.arguments, atoms)
        case "Distance":
            arguments = f"({atoms.expression(condition.arguments[0])})"
        case _:
            arguments = " ".join(map(str, condition.arguments))
    return f"{condition.kind} {arguments} {frames}"
