"""Names the entries of M, C and G in which small arms with symbols differ, and by which terms."""

from __future__ import annotations

from qddot.base.errors import QddotError
from qddot.base.records import record
from qddot.robot.model import Model
from qddot.robot.notes import note

MOST_JOINTS = 3  # of arms whose exact equations are compared: those of longer ones fill pages
MOST_ENTRIES = 12
LONGEST = 160  # letters of a difference


@record()
class DifferingEntry:
    """This is an entry of M, C or G that is not the same in both arms; excess: B's entry minus A's"""

    entry: str
    excess: str

    def __str__(self) -> str:
        return f"{self.entry}: B − A = {self.excess}"


def differing_terms(a: Model, b: Model) -> tuple[DifferingEntry, ...]:
    """Returns the first entries that differ, of two arms with the same coordinates and symbols; else none."""
    if a.n > MOST_JOINTS or a.coordinates != b.coordinates or not a.used_symbols or a.used_symbols != b.used_symbols:
        return ()
    try:
        return tuple(_differing(a, b))
    except QddotError:  # equations without common variables have no terms to compare
        return ()


def _differing(a: Model, b: Model) -> list[DifferingEntry]:
    # modules for exact equations are loaded only for arms that have such equations
    from qddot.exact.equations.quantities import Quantities
    from qddot.exact.equations.quantity_names import indices
    from qddot.exact.forms.textbook.writing.short_sums import ShortSums
    from qddot.exact.printing.text import Text

    ours, theirs = Quantities(a).in_joint_angles, Quantities(b).in_joint_angles
    ring = ours.ring.joined(theirs.ring)
    short, entries = ShortSums(ours.dynamics.mechanism, ring), list[DifferingEntry]()
    for name in ("M", "C", "G"):
        x, y = ours.array(name), theirs.array(name)
        for place, one, other in zip(x.places, x.entries, y.entries, strict=True):
            excess = ring.convert(other) - ring.convert(one)
            if excess and (x.symmetric is None or place == tuple(sorted(place))) and len(entries) < MOST_ENTRIES:
                text = Text().write(short.written(excess))
                entries.append(
                    DifferingEntry(name + indices(place), text if len(text) <= LONGEST else note("many-terms"))
                )
    return entries
