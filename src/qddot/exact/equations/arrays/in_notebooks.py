"""Shows arrays in notebooks: short ones whole, long ones by their first terms with a hint on how to get the rest."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from qddot.base.words.message import say
from qddot.exact.equations.arrays import notebook_latex as notebook
from qddot.exact.equations.arrays.notebook_latex import MOST_LINES, Head
from qddot.exact.equations.arrays.printed import Printed
from qddot.exact.equations.quantity_names import name_of
from qddot.exact.equations.quantity_table import JOINT_PARTS
from qddot.exact.printing.latex import Latex
from qddot.exact.printing.tree import Atom, Matrix

LAW = ("M", "h", "G", *JOINT_PARTS)  # the quantities in the equations of motion
FIRST = 2  # the most steps that are shown


def blocks(arrays: Sequence[Printed], most: int = MOST_LINES) -> tuple[list[str], list[Atom]]:
    """Returns arrays as LaTeX in about `most` lines in total, and the set of atoms in them.

    An array that is not shown whole is followed by a sentence that says what is omitted and how to get it.
    """
    written: list[str] = []
    atoms: list[Atom] = []
    for k, array in enumerate(arrays):
        head = notebook.head(array.brief().whole_equations(), max(1, most // (len(arrays) - k)))
        written += [head.latex, *_remark(array, head)]
        atoms += head.atoms()
        most -= head.height
    return written, atoms


def of_law(arrays: Sequence[Printed], motion: tuple[str, str], definitions: Iterable[str] = ()) -> str:
    """Returns the law that arrays stand in, the meanings of short names, the arrays, and further definitions.

    motion: the accelerations and the right side of the law
    """
    written, atoms = blocks(arrays)
    accelerations, right = motion
    tau = Latex().write(name_of("tau", notation=arrays[0].display.notation))
    law = notebook.law([each for each in arrays if each.name in LAW], accelerations, right.replace("\\tau", tau))
    head = [law, notebook.legend(atoms)]
    return notebook.stacked([*head, *written, *definitions])


def latex(array: Printed) -> str:
    """Returns an array as LaTeX for a notebook."""
    return notebook.stacked(blocks([array])[0])


def catalogue(steps: Mapping[str, Printed], computed: Collection[str]) -> str:
    """Returns Markdown with the name, shape and number of terms of each step, and the beginning of the first ones.

    computed: the names of the steps that are already computed
    """
    if not steps:
        return str(say("no-steps"))
    arrays = {name: steps[name] for name in steps if name in computed}
    unknown = f"{say('computed-at-first-use')} |"
    rows = [f"| `{name}` | {_shape(arrays[name]) if name in arrays else unknown} |" for name in steps]
    first = [notebook.stacked([block]) for block in blocks([*arrays.values()][:FIRST])[0]]
    return "\n\n".join(["\n".join([str(say("titles-of-steps")), "|---|---|---|", *rows]), *first])


def _shape(array: Printed) -> str:
    return f"{' × '.join(map(str, array.shape)) or say('scalar-shape')} | {array.terms:,}"


def _remark(array: Printed, head: Head) -> Iterator[str]:
    if head.cut:
        entries = sum(1 for _ in array.labelled())
        name = array.identifier if array.name and array.whole else ""
        key, place = "beginning-of-array" if array.ndim else "beginning-of-scalar", ", ".join("0" * array.ndim)
        yield notebook.sentence(say(key, entries=entries, place=place, terms=f"{array.terms:,}", name=name))
    elif array.ndim > 1 and array and not any(isinstance(each.right, Matrix) for each in head.equations):
        zeros = sum(not entry for _, _, entry in array.labelled())
        if zeros:
            yield notebook.sentence(say("other-zero-entries", count=zeros))
