"""Writes how entries and links' matrices follow from others in names, as in U_31 = Q_1 T_3, before their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qddot.exact.equations.quantity_names import matrix_axes
from qddot.exact.forms.textbook import Textbook
from qddot.papers.report.document import EquationBlock
from qddot.papers.report.levels import Extent
from qddot.papers.report.sections.inward_step import NAMED
from qddot.papers.report.wording import Words

# the quantities of routes whose general laws leave open which links and joints an entry has
SHOWN: Mapping[str, Sequence[str]] = {"dh4x4": ("U", "U_ijk", "M", "christoffel", "G")}


def equations(
    short: Textbook, name: str, words: Words, key: str, uses: Sequence[str], extent: Extent
) -> list[EquationBlock]:
    """Returns the equations of the nonzero entries or matrices of a quantity in names, if its route shows them.

    key: that of the block with the values
    """
    if name not in SHOWN.get(short.eq.route, ()):
        return []
    array = short.array(name)
    chosen, axes = extent.places(array), matrix_axes(name)
    shown = (place for _, place, entry in array.labelled() if entry and (chosen is None or place in chosen))
    parts = map(array.part, dict.fromkeys(place[: len(place) - axes] for place in shown))
    laws = [law for part in parts if part is not None and (law := short.eq.law_of(part, words.letters.name))]
    listed = (law._replace(left=words.letters.instance(law.left)) for law in laws)
    return [EquationBlock.of(f"{key}.{NAMED}", listed, uses)] if laws else []
