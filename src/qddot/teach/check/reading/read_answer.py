"""Reads a user's derivation as exact expressions in an arm's variables, from a text, a file, or values by name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from qddot.base.errors import ExpressionError
from qddot.base.words.message import Message, Told, say
from qddot.exact.equations.quantities import Quantities
from qddot.teach.check import templates
from qddot.teach.check.reading import answer_files
from qddot.teach.check.reading.answer import Answer, Unread
from qddot.teach.check.reading.dialects.formats import JSON, LATEX, MARKDOWN, NOTES, TOML, Format, format_of
from qddot.teach.check.reading.dialects.labels import with_rows
from qddot.teach.check.reading.names.arm_names import ArmNames, is_run
from qddot.teach.check.reading.names.stated_names import driven_joint, leaves_out_velocities, says_rest, stated_names
from qddot.teach.check.reading.names.stated_values import stated_values
from qddot.teach.check.reading.numbers.context import Context
from qddot.teach.check.reading.numbers.worked_states import states_in
from qddot.teach.check.reading.programs.degrees import takes_degrees
from qddot.teach.check.reading.reader import Reader
from qddot.teach.check.reading.statements import unlisted, whole_sets
from qddot.teach.check.reading.statements.claims import MOST_CLAIMS, Item
from qddot.teach.check.reading.statements.claims_of_equations import claim_of_formula, claims_of_equation
from qddot.teach.check.reading.statements.claims_of_parts import Texts, claims_of_parts
from qddot.teach.check.reading.statements.drawn_matrices import claims_of_drawn
from qddot.teach.check.reading.statements.equations import Loose, equations
from qddot.teach.check.reading.statements.outside_math import outside_math
from qddot.teach.check.reading.statements.overlooked import overlooked
from qddot.teach.check.reading.statements.passages import passages
from qddot.teach.check.reading.statements.prose import COMMON
from qddot.teach.check.reading.statements.withdrawn import withdrawn
from qddot.teach.check.reading.texts import several_answers
from qddot.teach.check.reading.texts.decimals import with_points
from qddot.teach.check.reading.texts.front_matter import front_matter
from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

Renamings = Mapping[str, str] | None


def read(
    path: str | Path,
    eq: Quantities,
    rename: Renamings = None,
    besides: re.Pattern[str] | None = None,
    asked: Collection[str] = (),
) -> Answer:
    """Returns the answer in a file of any of the formats; its suffix or its content tells which.

    rename: meanings of the file's own names, such as {"L": "l1", "lc1": "l1/2"}; besides: a pattern of text to skip
    asked: the required quantities
    raises FormatError: the file does not exist, or is too large, empty or binary; ExpressionError: no part is readable
    """
    path = Path(path)
    text, form = answer_files.text_of(path)
    if form in (TOML, JSON):
        values, notes = answer_files.values_of(text, form, str(path))
        if besides is not None:
            values = {name: value for name, value in values.items() if not besides.match(f"{name} = {value}")}
        if notes:  # the values are texts with equations
            return _read(Written("\n".join(notes), str(path)), format_of("\n".join(notes)), eq, rename, asked)
        return Reader(eq, rename, asked=asked).answer(answer_files.claims_of(values, text, str(path)))
    written = Written(text, str(path), text)
    return _read(written if besides is None else Rewriting(written).blank(besides).done(), form, eq, rename, asked)


def read_text(text: str, eq: Quantities, rename: Renamings = None, asked: Collection[str] = ()) -> Answer:
    """Returns the answer in a text of equations, `M12 = …`, in one of the formats, which is recognized.

    raises FormatError: the text is empty or too long; ExpressionError: no part can be read, with the line and
    column of the first fault
    """
    answer_files.check(text, Told(say("place-text")))
    return _read(Written(text), format_of(text), eq, rename, asked)


def read_parts(
    parts: Mapping[str, Any], eq: Quantities, rename: Renamings = None, asked: Collection[str] = ()
) -> Answer:
    """Returns the answer in values by name: texts, numbers, and nested lists of these.

    raises ExpressionError: no part can be read, with the name, line and column of the first fault
    """
    return Reader(eq, rename, asked=asked).answer(claims_of_parts(parts, Texts()))


def _other_files(written: Written) -> Iterator[Unread]:
    """Yields an unread part for each command that includes another file."""
    for command in re.finditer(
        r"\\(?:input|include|subfile|lstinputlisting|openin)\b\s*\{?[^}\n]{0,80}\}?", written.text
    ):
        where = written.where(command.start())
        error = ExpressionError("file-included", where=where)
        yield Unread.because(command[0], where, error)


def _read(written: Written, form: Format, eq: Quantities, rename: Renamings, asked: Collection[str]) -> Answer:
    template = templates.asked_in(written.text)
    own_meanings, written = front_matter(templates.without_empty_slots(written, eq))
    written = form.shown(written) if form.shown else written
    several_answers.check(written)
    rename, written = own_meanings | dict(rename or {}), written if form.is_program else with_points(written)
    names, own = ArmNames(eq.ring, eq.velocities), set(rename)
    names.stated = stated_names(written.text, names)
    if conflict := next((name for name in own_meanings if names.readings(name)), None):
        raise ExpressionError("header-name-taken", name=conflict)

    def is_name(text: str) -> bool:
        if text in own or names.knows(text):
            return True
        return text.lower() not in COMMON and is_run(text, names)

    def is_symbol(text: str) -> bool:
        return [each.kind for each in names.readings(text)] == ["symbol"]

    whole = written
    written = with_rows(written, asked) if form in (NOTES, MARKDOWN) else written
    context = _context(whole, written, form, names, eq)
    drawn, written = claims_of_drawn(unlisted.marked(written, form))
    items: list[Item] = [*drawn, *_other_files(written), *outside_math(written, form)]
    loose, notes = list[Loose](), dict[Message, None]()
    parts = [written] if template is None else templates.slots(written, eq, template, form == LATEX)
    for passage in chain.from_iterable(passages(part, form) for part in parts):
        notes |= dict.fromkeys(passage.written.notes)
        for equation in equations(passage, is_name):
            if isinstance(equation, Loose):
                if equation.about:
                    items.append(claim_of_formula(equation))
                else:
                    loose.append(equation)
            else:
                items += [equation] if isinstance(equation, Unread) else claims_of_equation(equation)
        if len(items) > MOST_CLAIMS:
            raise ExpressionError("equations-too-many", count=len(items), most=MOST_CLAIMS)
    items = list(unlisted.with_zeros(items))
    reader = Reader(eq, rename, context, asked)
    for note in notes:
        reader.vocabulary.notes.add(note)
    for each in loose:
        reader.left_out.note_loose(each)
    answer = reader.answer([*items, *overlooked(written, form, items, is_symbol), *withdrawn(whole, form)])
    whole_sets.check(answer.entries, written.name)
    return answer


def _context(written: Written, with_rows: Written, form: Format, names: ArmNames, eq: Quantities) -> Context:
    """Returns what the format and the words of a text say about its formulas."""
    return Context(
        format=form,
        has_functions_of_degrees=takes_degrees(written.text),
        names=names.stated,
        values=stated_values(written.text, names),
        states=tuple(states_in(with_rows.text, names)),
        driven=driven_joint(written.text, [body.name for body in eq.model.bodies]),
        at_rest=says_rest(written.text),
        is_slow=leaves_out_velocities(written.text),
    )
