"""Derives the PUMA 560 from its link table and compares it with the model that was published in 1986.

    python examples/puma560.py        prints all of M, B, C and G, in full and abbreviated

Armstrong, Khatib and Burdick derived the explicit model by hand and with a symbolic program, lumped its constants,
and dropped small terms: "The explicit dynamic model and inertial parameters of the PUMA 560 arm", ICRA 1986. Here
the same equations come from their link table, every entry is compared with theirs as polynomials, and the
abbreviated model has a guaranteed bound of each entry's error.
"""

from __future__ import annotations

import sys
from time import perf_counter

import qddot
from qddot.algebra.expressions.parser import expression
from qddot.exact.forms.textbook import Textbook
from qddot.exact.printing.text import Text

DISAGREE = {"I1", "I3"}  # the link table does not give what was published
ENTRIES = (("M", "M"), ("B", "B"), ("C2", "C2"), ("G", "G"))
SHORT_1986 = """M11 = 2.57 + 1.38 c2c2 + 0.30 s23s23 + 0.744 c2 s23      M22 = 6.79 + 0.744 s3
M12 = 0.690 s2 - 0.134 c23 + 0.0238 c2                  M23 = 0.333 + 0.372 s3 - 0.0110 c3
M13 = -0.134 c23 - 0.00379 s23                          M33 = 1.16
M34 = -0.00125 s4 s5     M35 = 0.00125 c4 c5            M44 = 0.20   M55 = 0.18   M66 = 0.19
G2 = -37.2 c2 - 8.4 s23 + 1.02 s2"""


def main() -> int:
    started = perf_counter()
    arm, published = qddot.load("puma560_akb"), qddot.load("puma560_1986")
    eq, theirs = arm.equations(), published.equations()
    short = eq.textbook()
    if not short.proved():
        print("the textbook form is not equal to the normal form", file=sys.stderr)
        return 1
    equal = full(eq, theirs, short)
    agree = constants(arm, published)
    abbreviated = eq.abbreviate()
    print("\nAbbreviated: 1 % of the entry, 0.1 % of the joint; any angle, rates up to 1 rad/s")
    print(abbreviated)
    print("\nof which 1986 had (the legible entries):\n" + SHORT_1986)
    rotorless = arm.with_values(**{f"Jm{k}": 0 for k in range(1, 7)}).program("inverse_dynamics").total_operations
    print(
        f"""
Operations of inverse dynamics
  1560  the general recursion, as the paper counts it
  1165  the paper's explicit model in full; {published.program("inverse_dynamics").total_operations} here, compiled
   305  the paper's abbreviated model, its errors unknown
   {rotorless}  the exact model here, by a recursion for this one arm (motors apart)
   {abbreviated.operations}  the abbreviated model here, every entry with a bound that is proven
{equal} entries are equal to the paper's, as polynomials; {agree} of its 28 constants come out of its link table.
All in {perf_counter() - started:.1f} s."""
    )
    return 0


def full(eq: qddot.EquationsOfMotion, theirs: qddot.EquationsOfMotion, short: Textbook) -> int:
    """Prints every entry, and whether it is the paper's; returns how many are."""
    print("The textbook form, from the link table; = marks an entry that is proved equal to the paper's\n")
    formulas = {name: each.formula for name, each in theirs.model.symbols.items() if each.formula}
    proved, line = 0, Text().write
    for name, letter in ENTRIES:
        difference = (theirs.array(name) - eq.array(name)).subs(formulas)
        written = short.array(name)
        same = dict(zip(written.places, difference.entries, strict=True))
        for _, place, entry in written.labelled():
            digits = "".join(str(k + 1) for k in place)
            mark = "≠" if same[place] else "="
            proved += not same[place]
            print(f"{mark} {letter}{digits} = {line(written.written(entry))}")
    print("\n" + short.table())
    return proved


def constants(arm: qddot.Robot, published: qddot.Robot) -> int:
    """Prints the paper's constants beside what the link table gives; returns how many agree."""
    print("\nThe constants of 1986, and what their definitions give with the link table of 1986")
    known, agree = arm.model.defaults(), 0
    for name, symbol in published.model.symbols.items():
        if not symbol.formula or symbol.value is None or symbol.tolerance is None or name.startswith("Im"):
            continue
        value, tolerance = symbol.value.value({}), symbol.tolerance.value({})
        ours = expression(symbol.formula).value(known)
        within = abs(ours - value) <= tolerance
        agree += within
        assert within == (name not in DISAGREE), name
        verdict = "" if within else "  does not agree"
        print(f"  {name:>3} = {value:10.4g} ± {tolerance:<8.3g} {ours:12.6g}{verdict}")
    return agree


if __name__ == "__main__":
    sys.exit(main())
