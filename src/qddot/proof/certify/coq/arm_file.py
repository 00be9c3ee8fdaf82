"""Writes an arm and its printed equations as data for Coq, with the theorem that the equations are those of the
description."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from math import lcm
from typing import Any

from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.base.errors import ModelError
from qddot.base.words.message import say
from qddot.exact.equations.quantities import Quantities
from qddot.proof.certify.coq.expressions import Atoms, Factors
from qddot.proof.certify.described import DescribedArm, DescribedLink, Sliding, Turning, described
from qddot.proof.certify.printed import Printed, comment, printed
from qddot.robot.left_out import headed

HEAD = """(* {name}: its description, and its equations of motion as qddot prints them.
   The theorem at the end says that the equations are those of the description; theory/Statement.v defines it. *)
From Coq Require Import ZArith List Reals.
From Qddot Require Import Checker Correctness Statement.
Import ListNotations.
"""
THEOREM = """
Lemma checked : check description printed_equations = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Theorem equations_of_motion : correct description printed_equations.
Proof. exact (check_correct _ _ checked). Qed.
Print Assumptions equations_of_motion. (* axioms of Coq's real numbers, and no others *)
"""

_flat = chain.from_iterable
LINE, DIGITS = ";\n    ", "0123456789"


MOST_TERMS = 600_000
SECONDS, MEGABYTES = 3e-4, 0.008  # of coqc for each term


def arm_file(eq: Quantities) -> str:
    """Returns the text of an arm's file; eq: its equations in the joints' own angles.

    raises ModelError: Coq's theory does not support one of the joints
    """
    arm, equations = described(eq, say("the-coq-theory")), printed(eq)
    refuse_long(arm.model.name, sum(map(len, chain(_flat(equations.M), _flat(_flat(equations.christoffel))))))
    atoms = Atoms(arm.ring)
    return "\n".join(
        [
            HEAD.format(name=comment(headed(arm.model.name, arm.model.left_out))),
            *_legend(arm),
            *_description(arm, atoms),
            *_printed(equations, atoms),
            THEOREM,
        ]
    )


def refuse_long(name: str, terms: int) -> None:
    """Raises ModelError if Coq would take many minutes and gigabytes; terms: the number of those in M and Γ"""
    if terms > MOST_TERMS:
        raise ModelError(
            "too-long-for-coq",
            where=name,
            terms=f"{terms:,}",
            minutes=f"{terms * SECONDS / 60:.0f}",
            gigabytes=f"{terms * MEGABYTES / 1000.0:.0f}",
            most_terms=f"{MOST_TERMS:,}",
        )


def _legend(arm: DescribedArm) -> list[str]:
    """Returns a comment that says which symbol and which angle each number means."""
    names = (*arm.ring.symbols, *arm.ring.extra)
    symbols = [f"Par {k}: {comment(name)}" for k, name in enumerate(names, start=1)]
    coordinates = [f"Coord {k}: {comment(name)}" for k, name in enumerate(arm.model.coordinates, start=1)]
    angles = [*arm.ring.turning, *map(str, arm.ring.variables.bases.bases)]
    turned = [f"angle {k}: {comment(name)}" for k, name in enumerate(angles, start=1)]
    return ["(* " + "\n   ".join([*coordinates, *turned, *symbols]) + " *)", ""]


def listed(entries: Iterable[str], between: str = "; ") -> str:
    return "[" + between.join(entries) + "]"


def _description(arm: DescribedArm, atoms: Atoms) -> list[str]:
    lines = ["Open Scope expr_scope."]
    for k, link in enumerate(arm.links, start=1):
        lines += [f"(* {comment(link.name)} *)", f"Definition link{k} : link := {_link(link, atoms)}."]
    turning = listed(f"({place}%positive, {n}%Z)" for place, n in arm.turning)
    joints = listed((_joint(effects, atoms) for effects in arm.effects), LINE)
    return [
        *lines,
        "Definition description : arm := {|",
        f"  coordinates := {listed(str(k) for k in range(1, len(arm.effects) + 1))}%positive;",
        f"  arm_angles := {{| turning := {turning}; per := {arm.per} |}};",
        f"  gravity := {expressions(arm.gravity, atoms)};",
        f"  links := {_tree(arm.links, None)};",
        f"  joints := {joints} |}}.",
        "Close Scope expr_scope.",
        "",
    ]


def expressions(values: Iterable[Any], atoms: Atoms) -> str:
    return listed(map(atoms.expression, values))


def _link(link: DescribedLink, atoms: Atoms) -> str:
    kind = "About_com" if link.about_com else "About_origin"
    return (
        "{|\n"
        f"  placement := {listed((expressions(row, atoms) for row in link.placement), LINE)};\n"
        f"  moves := {_motion(link.motion, atoms)};\n"
        f"  offset := {listed((expressions(row, atoms) for row in link.offset), LINE)};\n"
        f"  body := {kind} ({atoms.expression(link.mass)})\n    {expressions(link.first, atoms)}\n"
        f"    {expressions(link.tensor, atoms)} |}}"
    )


def _motion(motion: Turning | Sliding | None, atoms: Atoms) -> str:
    match motion:
        case Turning():
            return f"Turn {expressions(motion.axis, atoms)} {motion.angle} {motion.times}"
        case Sliding():
            return f"Slide {expressions(motion.axis, atoms)} ({atoms.expression(motion.by)})"
    return "Still"


def _joint(effects: Sequence[Any], atoms: Atoms) -> str:
    if not any(effects):
        return "no_joint"
    fields = ("armature", "stiffness", "rest", "viscous", "dry")
    parts = (f"{field} := {atoms.expression(value)}" for field, value in zip(fields, effects, strict=True))
    return "{| " + "; ".join(parts) + " |}"


def _tree(links: Sequence[DescribedLink], parent: int | None) -> str:
    """Returns the links that a parent carries, each with those that it carries itself."""
    tree = "Nothing"
    for k in reversed(range(len(links))):
        if links[k].parent == parent:
            tree = f"(Link link{k + 1} {_tree(links, k)} {tree})"
    return tree


def _printed(equations: Printed, atoms: Atoms) -> list[str]:
    """Returns the definitions of the printed equations, after those of the factors in them."""
    factors, n = Factors(atoms), len(equations.M)
    rows = {"M": equations.M, **{f"Gamma{i + 1}": rows for i, rows in enumerate(equations.christoffel)}}
    over = {
        "M": common_denominator(_flat(equations.M)),
        "Gamma": common_denominator(_flat(_flat(equations.christoffel))),
    }
    lines = [
        f"Definition printed_{name} : list (list entry) := "
        f"{listed((_entries(row, over[name.rstrip(DIGITS)], factors) for row in entries), LINE)}."
        for name, entries in rows.items()
    ]
    lines += [
        f"Definition printed_{name} : list entry := {_entries(entries, common_denominator(entries), factors)}."
        for name, entries in equations.vectors.items()
    ]
    return [
        *factors.definitions(),
        *lines,
        "Definition printed_equations : equations := {|",
        f"  M_rows := printed_M; Gamma_rows := {listed(f'printed_Gamma{i + 1}' for i in range(n))};",
        "  G_entries := printed_G; spring_entries := printed_springs;",
        "  viscous_entries := printed_viscous; dry_entries := printed_dry |}.",
    ]


def _entries(entries: Iterable[Polynomial], denominator: int, factors: Factors) -> str:
    return listed(factors.entry(entry, denominator) for entry in entries)


def common_denominator(entries: Iterable[Polynomial]) -> int:
    """Returns the smallest number that makes all coefficients whole."""
    return lcm(1, *{int(c.q) for entry in entries for c in entry.poly.coeffs()})
