"""Runs `qddot check`: it judges somebody's own derivation, entry by entry."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qddot.apps.cli.opening import loaded_of_either_kind
from qddot.apps.cli.output import DONE, json_text, show, status, table
from qddot.apps.cli.values import notation_option, overwrite_option, set_option
from qddot.apps.cli.words import paragraph, sentence
from qddot.base.errors import QddotError, shortened, visible
from qddot.base.words.message import say

if TYPE_CHECKING:
    from qddot.faces.checking import Checking
    from qddot.faces.closed_chain import ClosedChain
    from qddot.faces.robot import Robot
    from qddot.teach.check.grading import Grades
    from qddot.teach.check.judging.judgement import Judgement
    from qddot.teach.check.preview import Preview

OPEN = 3  # the exit code if somebody must look at what is not judged
APART = (
    ("--csv", "--hints", "--json"),
    ("--template", "--json"),
    *(("--template", "--preview", other) for other in ("--csv", "--hints", "--feedback", "--rubric")),
)
NEEDS = {("--overwrite",): ("--template", "--feedback")}
OF_VARIANTS = {"notation": "notation or --book"}  # how an option is named that has two names
OF_SEEDS = ".csv"  # the suffix of an exam's table of seeds, in place of an arm


def options(command: argparse.ArgumentParser) -> None:
    """Adds the command's options."""
    add = command.add_argument
    add(
        "answer",
        metavar="MINE",
        help=sentence("help-answer"),
    )
    add(
        "--rename",
        action="append",
        default=[],
        metavar="YOURS=OURS",
        help=sentence("help-rename"),
    )
    add("--only", metavar="M,G,…", help=sentence("help-asked"))
    notation_option(command)
    set_option(command)
    add("--rubric", metavar="FILE", help=sentence("help-rubric"))
    add(
        "--hints",
        type=int,
        choices=(1, 2, 3),
        help=sentence("help-hints"),
    )
    add(
        "--template",
        action="store_true",
        help=sentence("help-template"),
    )
    overwrite_option(command)
    add("--preview", action="store_true", help=sentence("help-preview"))
    add("--csv", action="store_true", help=sentence("help-csv"))
    add(
        "--feedback",
        metavar="DIR",
        help=sentence("help-feedback"),
    )
    add("--json", action="store_true", help=sentence("help-check-json"))
    command.epilog = f"{command.epilog}\n\n{paragraph('check-exit-codes')}"


def run(chosen: argparse.Namespace) -> int:
    """Runs the command and returns its exit code."""
    from qddot.teach.check.grading import Exercise, graded
    from qddot.teach.check.rubric import rubric_of

    if os.path.splitext(chosen.arm)[1] == OF_SEEDS:
        return _check_exam(chosen)
    (arm, values), rename, path = _loaded(chosen), _renaming(chosen.rename), Path(chosen.answer)
    arm = arm.with_notation(chosen.notation)
    if chosen.template:
        return _write_template(arm, path, chosen)
    if chosen.preview:
        return _show_preview(arm.check_preview(path, rename, chosen.only), chosen)
    if os.path.isdir(chosen.answer):
        with status(sentence("doing-checking-against", answer=chosen.answer, name=arm.name)):
            grades = arm.check_all(path, rename, chosen.only, chosen.rubric, values)
        return _class_shown(grades, chosen)
    for option in ("csv", "feedback"):
        if getattr(chosen, option):
            raise QddotError("answer-folder-answers", option=option)
    eq = arm.quantities
    rubric = rubric_of(eq, chosen.rubric)
    with status(sentence("doing-checking-against", answer=chosen.answer, name=arm.name)):
        grade = graded(eq, path, Exercise(rename, chosen.only, rubric, values))
    judgement = grade.judgement
    assert judgement is not None  # what cannot be read is an error
    if chosen.json:
        print(json_text({"equal": bool(grade), **grade.as_json()}) if grade.numbers else judgement.to_json())
    elif chosen.hints:
        show(grade.note(chosen.hints, chosen.lang))
    else:
        _show(judgement)
        for number in grade.wrong_numbers:
            show(f"✗ {number.sentence()}")
        if grade.numbers:
            show(sentence("numbers-right", right=sum(map(bool, grade.numbers)), all=len(grade.numbers)))
        if grade.marks:
            show(sentence("points", marks=grade.marks))
            if grade.marks.by_hand:
                show(str(say("note-by-hand", count=grade.marks.by_hand)))
    return exit_code_of(grade.pile)


def _loaded(chosen: argparse.Namespace) -> tuple[Robot | ClosedChain, dict[str, Any]]:
    """Returns the arm and the values in --set. raises QddotError: no such symbol, with how letters get meanings"""
    try:
        return loaded_of_either_kind(chosen)
    except QddotError as error:
        if error.code != "no-symbol":
            raise
        name = str(error.message.slots["name"]).strip("'")
        raise error.to(type(error), remedy=say("letter-by-rename", hint=error.remedy, name=name)) from None


def exit_code_of(pile: str) -> int:
    """Returns the exit code for answers that a marker puts on a pile."""
    from qddot.teach.check.judging.judgement import FALSE, PROVED

    return {PROVED: DONE, FALSE: 1}.get(pile, OPEN)


def _write_template(arm: Checking, target: Path, chosen: argparse.Namespace) -> int:
    from qddot.base.system import files

    text = arm.answer_template(target, chosen.only, chosen.lang)
    if target.is_file() and not chosen.overwrite:
        raise QddotError("already-choose-another-name", target=target)
    try:
        files.write({target: text})
    except OSError as problem:
        raise QddotError("cannot-written", target=target, value=problem.strerror or problem) from problem
    show(sentence("wrote", path=target))
    return DONE


def _show_preview(preview: Preview, chosen: argparse.Namespace) -> int:
    from qddot.teach.check.preview import TITLES

    if chosen.json:
        print(preview.to_json())
    else:
        if preview.entries:
            show(table(*TITLES, rows=[each.row() for each in preview.entries]))
        for line in preview.remarks():
            show(str(line))
    return DONE if preview else OPEN


def _check_exam(chosen: argparse.Namespace) -> int:
    """Checks the answers to an exam of many variants, and returns the exit code."""
    import qddot

    for option in ("only", "rubric", "set", "notation"):
        if getattr(chosen, option):
            raise QddotError("variants-files", option=OF_VARIANTS.get(option, option), arm=chosen.arm)
    with status(sentence("doing-checking-against", answer=chosen.answer, name=chosen.arm)):
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
        show(grades.summary)
        show(table(*grades.titles, rows=grades.rows()))
        if grades.unread_groups:
            show(table(*GROUP_TITLES, rows=[group.row() for group in grades.unread_groups]))


def _write_feedback(grades: Grades, chosen: argparse.Namespace) -> None:
    folder, answers = Path(chosen.feedback).resolve(), Path(chosen.answer).resolve()
    if folder.is_relative_to(answers):
        raise QddotError("feedback-folder-outside-answers", feedback=shortened(chosen.feedback))
    grades.write_feedback(folder, chosen.lang, chosen.overwrite)


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


def _show(judgement: Judgement) -> None:
    from qddot.teach.check.judging.cases import EQUAL
    from qddot.teach.check.judging.judgement import TITLES

    for line in judgement.summary():
        show(str(line))
    rows = [entry.row() for entry in judgement.entries if entry.verdict != EQUAL]
    if rows:
        show(table(*TITLES, rows=rows))
    for line in judgement.witnesses():
        show(line)
    if judgement.equal_line:
        show(judgement.equal_line)
