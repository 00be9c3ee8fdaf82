"""Writes a closed chain for PARI/GP, which derives its conditions and its equations in independent rates again."""

from __future__ import annotations

from typing import Any

from qddot.exact.equations.closed.reduced import ReducedEquations
from qddot.proof.certify.described_chain import Condition, conditions, printed_chain
from qddot.proof.certify.pari.arm_file import arm_file, assigned, listed, names_of, written
from qddot.proof.certify.printed import comment


def chain_file(eq: ReducedEquations, of_trees: str, of_chains: str) -> str:
    """Returns the text of a script for the tree of a chain, and for the chain after it.

    eq: equations in the joints' own angles; of_trees, of_chains: the fixed texts of the derivations
    raises ModelError: the derivation does not support one of the joints
    """
    chain, names, held = printed_chain(eq), names_of(eq.ring), conditions(eq)

    def text(value: Any) -> str:
        if isinstance(value, list | tuple):
            return listed(map(text, value))
        return written(eq.ring.convert(value), names)

    short = {name: names[eq.ring.index[name]] for name in eq.coefficients.variables}
    calls = [_call(each, names_of(eq.tree.ring)) for each in held]
    rolls = [each.kind == "No_slip" for each in held]
    data = {
        "independent": listed(str(k + 1) for k in eq.choice.independent),
        "phi": listed("0" if rolling else call for call, rolling in zip(calls, rolls, strict=True)),
        "derived_A": listed(call if rolls[c] else f"rates(phi[{c + 1}])" for c, call in enumerate(calls)),
        "printed_phi": text(chain.phi),
        "A": text(chain.A),
        "determinants": text([0 if each is None else each for each in chain.determinants]),
        "coefficients": listed(
            listed([short[name], f'"{name}"', text(top), text(bottom), text(share)])
            for (name, top, bottom), share in chain.coefficients
        ),
        "R": text(chain.R),
        "R_slopes": text(chain.slopes),
        "reduced_M": text(chain.M),
        "reduced_Gamma": text(chain.christoffel),
        "reduced_G": text(chain.G),
        "reduced_springs": text(chain.springs),
        "reduced_viscous": text(chain.viscous),
        "reduced_dry": text(chain.dry),
    }
    legend = (f"/* {own}: {comment(name)} */" for name, own in short.items())
    return arm_file(eq.tree, of_trees, [*legend, of_chains, *assigned(data), "check_chain();"])


def _call(condition: Condition, names: list[str]) -> str:
    frames = [f"frame({listed(str(k + 1) for k in path)})" for path in condition.frames]
    arguments = [written(each, names) for each in condition.arguments]
    match condition.kind:
        case "Held":
            arguments = [listed(arguments)]
        case "Held_along" | "Perpendicular" | "No_slip":
            arguments = [str(axis + 1) for axis in condition.arguments]
    return f"{condition.kind.lower()}({', '.join([*arguments, *frames])})"
