"""Runs `qddot check`: it judges somebody's own derivation, entry by entry."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from qddot.apps.cli.output import DONE, json_text, show, status, table
from qddot.apps.cli.values import loaded_of_either_kind, notation_option, overwrite_option, set_option
from qddot.apps.cli.words import Words, lang_option, words_of
from qddot.base.errors import QddotError, shortened, visible

if TYPE_CHECKING:
    from qddot.faces.checking import Checking
    from qddot.teach.check.grading import Grades
    from qddot.teach.check.judging.judgement import Judgement
    from qddot.teach.check.preview import Preview

OPEN = 3  # the exit code if somebody must look at what is not judged
OF_SEEDS = ".csv"  # the suffix of an exam's table of seeds, in place of an arm
EXIT_CODES = (
    "exit codes: 0 all is proved right, 1 something differs or is missing, 2 invalid input, "
    "3 nothing differs, but somebody must look at what is not judged"
)


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add = command.add_argument
    add(
        "answer",
        metavar="MINE",
        help="a file with equations as text, LaTeX, Markdown, code (Python, MATLAB, C …) or TOML, or a folder of them",
    )
    add(
        "--rename",
        action="append",
        default=[],
        metavar="YOURS=OURS",
        help="read the symbol YOURS of the answer as the arm's symbol OURS, or as an entry such as tau2; may be "
        "repeated; a line 'qddot: A = B' in the file does the same",
    )
    add("--asked", metavar="M,G", help="the quantities or entries that the answer must contain, separated by commas")
    notation_option(command)
    set_option(command)
    add("--rubric", metavar="FILE", help="a TOML file with points for quantities, all of which the answer must contain")
    add(
        "--hints",
        type=int,
        choices=(1, 2, 3),
        help="print a note to the student in place of the judgement: 1 names the wrong entries, 2 also the kind of "
        "mistake, 3 also what they should be",
    )
    add(
        "--template",
        action="store_true",
        help="write MINE, a .tex, .md, .py, .m or .ipynb to be filled in, with a slot for each entry in --asked "
        "(default M,h,G)",
    )
    overwrite_option(command)
    add("--preview", action="store_true", help="print what each formula is read as, without judging it")
    add("--csv", action="store_true", help="print the grades of a class as a table for a gradebook")
    add(
        "--feedback",
        metavar="DIR",
        help="write a file of feedback for each student of a class: mistakes, points, and what could not be read",
    )
    add("--json", action="store_true", help="print the judgement as JSON")
    lang_option(command)
    command.epilog = f"{command.epilog}\n\n{EXIT_CODES}"


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit code."""
    from qddot.teach.check.grading import Exercise, graded
    from qddot.teach.check.rubric import rubric_of

    if os.path.splitext(chosen.arm)[1] == OF_SEEDS:
        return _check_exam(chosen)
    (arm, values), rename, path = loaded_of_either_kind(chosen), _renaming(chosen.rename), Path(chosen.answer)
    arm = arm.with_notation(chosen.notation)
    if chosen.template:
        return _write_template(arm, path, chosen)
    if chosen.preview:
        return _show_preview(arm.check_preview(path, rename, chosen.asked), chosen)
    if os.path.isdir(chosen.answer):
        with status(f"checking {chosen.answer} against {arm.name}"):
            grades = arm.check_all(path, rename, chosen.asked, chosen.rubric, values)
        return _class_shown(grades, chosen)
    for option in ("csv", "feedback"):
        if getattr(chosen, option):
            raise QddotError("answer-folder-answers", option=option)
    eq = arm.quantities
    rubric = rubric_of(eq, chosen.rubric)
    with status(f"checking {chosen.answer} against {arm.name}"):
        grade = graded(eq, path, Exercise(rename, chosen.asked, rubric, values))
    judgement = grade.judgement
    assert judgement is not None  # what cannot be read is an error
    if chosen.json:
        print(json_text({"equal": bool(grade), **grade.as_json()}) if grade.numbers else judgement.to_json())
    elif chosen.hints:
        show(grade.note(chosen.hints, chosen.lang))
    else:
        words = words_of(chosen)
        _show(judgement, words)
        for number in grade.wrong_numbers:
            show(words.told(f"✗ {number.sentence()}"))
        if grade.marks:
            show(words("points", marks=words.told(str(grade.marks))))
    return exit_code_of(grade.pile)


def exit_code_of(pile: str) -> int:
    """Returns the exit code for answers that a marker puts on a pile."""
    from qddot.teach.check.judging.judgement import FALSE, PROVED

    return {PROVED: DONE, FALSE: 1}.get(pile, OPEN)


def _write_template(arm: Checking, target: Path, chosen: argparse.Namespace) -> int:
    from qddot.base.system import files

    text = arm.answer_template(target, chosen.asked, chosen.lang)
    if target.is_file() and not chosen.overwrite:
        raise QddotError("already-choose-another-name", target=target)
    try:
        files.write({target: text})
    except OSError as problem:
        raise QddotError("cannot-written", target=target, value=problem.strerror or problem) from problem
    show(words_of(chosen)("wrote", path=target))
    return DONE


def _show_preview(preview: Preview, chosen: argparse.Namespace) -> int:
    from qddot.teach.check.preview import TITLES

    words = words_of(chosen)
    if chosen.json:
        print(preview.to_json())
    else:
        rows = [
            [words.term(name), formula, words.told(where)]
            for name, formula, where in (each.row() for each in preview.entries)
        ]
        if rows:
            show(table(*words.terms(TITLES), rows=rows))
        for line in preview.remarks():
            show(words.told(line))
    return DONE if preview else OPEN


def _check_exam(chosen: argparse.Namespace) -> int:
    """Checks the answers to an exam of many variants, and returns the exit code."""
    import qddot

    for option in ("asked", "rubric", "set", "notation"):
        if getattr(chosen, option):
            raise QddotError("variants-files", option=option, arm=chosen.arm)
    with status(f"checking {chosen.answer} against {chosen.arm}"):
        grades = qddot.check_exam(chosen.arm, chosen.answer, _renaming(chosen.rename))
    return _class_shown(grades, chosen)


def _class_shown(grades: Grades, chosen: argparse.Namespace) -> int:
    if chosen.feedback:
        _write_feedback(grades, chosen)
    _show_class(grades, chosen)
    return exit_code_of(grades.pile)


def _show_class(grades: Grades, chosen: argparse.Namespace) -> None:
    from qddot.teach.check.unread_groups import TITLES as GROUP_TITLES

    if chosen.json:
        print(grades.to_json())
    elif chosen.csv:
        print(grades.to_csv(), end="")
    elif chosen.hints:
        for grade in grades:
            show(f"{visible(grade.answer)}\n{grade.note(chosen.hints, chosen.lang)}\n")
    else:
        words = words_of(chosen)
        show(words.told(grades.summary))
        rows = [[sign, answer, *map(words.told, rest)] for sign, answer, *rest in grades.rows()]
        show(table(*words.terms(grades.titles), rows=rows))
        if grades.unread_groups:
            groups = [list(map(words.told, group.row())) for group in grades.unread_groups]
            show(table(*words.terms(GROUP_TITLES), rows=groups))


def _write_feedback(grades: Grades, chosen: argparse.Namespace) -> None:
    folder, answers = Path(chosen.feedback).resolve(), Path(chosen.answer).resolve()
    if folder.is_relative_to(answers):
        raise QddotError("feedback-folder-outside-answers", feedback=shortened(chosen.feedback))
    grades.write_feedback(folder, chosen.lang, chosen.overwrite, words_of(chosen).told)


def _renaming(texts: list[str]) -> dict[str, str]:
    """Returns the arm's name for each of your names."""
    names: dict[str, str] = {}
    for text in texts:
        yours, sign, ours = (part.strip() for part in text.partition("="))
        if not (yours and sign and ours):
            raise QddotError("rename-your-name-arm", text=shortened(text))
        if names.setdefault(yours, ours) != ours:
            raise QddotError(
                "rename-yours-names", yours=shortened(yours), names=shortened(names[yours]), ours=shortened(ours)
            )
    return names


def _show(judgement: Judgement, words: Words) -> None:
    from qddot.teach.check.judging.cases import EQUAL
    from qddot.teach.check.judging.judgement import TITLES, witness_text

    for line in judgement.summary():
        show(words.told(line))
    rows = [_told(entry.row(), words) for entry in judgement.entries if entry.verdict != EQUAL]
    if rows:
        show(table(*words.terms(TITLES), rows=rows))
    for entry in judgement.wrong:
        if entry.witness is not None:
            show(words.told(f"{entry.name} {witness_text(entry.witness)}"))
    if judgement.equal_line:
        show(words.told(judgement.equal_line))


def _told(row: Sequence[str], words: Words) -> list[str]:
    """Returns the row of an entry with its verdict, its mistake and its place in the language."""
    mark, name, verdict, difference, mistake, where = row
    return [mark, name, words.term(verdict), difference, words.told(mistake), words.told(where)]
