"""Answers the page's questions: one short function per question, with plain data in and out.

`answer` takes and returns JSON, since JavaScript calls it. Modules that the first questions do not need (proofs,
judgements, documents) are imported on demand, so that Python is ready sooner.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from qddot.apps.page import copies, described, equation_terms, examples, live_values, term_links
from qddot.apps.page.moving import motion
from qddot.base.errors import QddotError
from qddot.base.words.language import language, speaking
from qddot.exact.forms.textbook import Textbook
from qddot.faces.robot import Robot
from qddot.inspect.doctor.examine import diagnose
from qddot.papers.draw.drawn_arm import drawn_arm
from qddot.robot.left_out import sentences
from qddot.robot.model import Model
from qddot.robot.own_texts import in_language, ships

Asked = Mapping[str, Any]
Say = Callable[[str], None]
NORMAL = "normal"
LONG = 6  # joints; the equations of longer arms are derived at their first use


def answer(question: str, asked: str, say: Say) -> str:
    """Returns the answer to a question, or its error, as JSON.

    say: a function that is called with the name of each step before it begins
    """
    with_what = json.loads(asked)
    with speaking(with_what.get("lang", "")):
        try:
            return json.dumps({"result": ANSWERS[question](with_what, say)})
        except QddotError as error:
            return json.dumps({"error": _error_data(error, with_what)})
        except RecursionError:
            return json.dumps({"error": _error_data(QddotError("brackets-nested-too-deep"), with_what)})


def _error_data(error: QddotError, asked: Asked) -> dict[str, Any]:
    robot = asked.get("robot", {})
    place = described.place_of(robot, error)
    found, expected, remedy = error.parts()
    return {
        "text": str(error),
        "found": found,
        "where": error.place(),
        "expected": expected,
        "remedy": remedy,
        "cell": list(place),
        "correction": described.correction_at(robot, place),
        "undeclared": described.undeclared_in(robot, error),
    }


def _read(asked: Asked, say: Say) -> dict[str, Any]:
    """Reads a text as the description of a robot."""
    robot, notes = described.read(asked["text"], asked["name"])
    return {"robot": robot, "doubts": notes}


def _shipped(asked: Asked, say: Say) -> dict[str, Any]:
    """Returns a robot of the zoo as its file describes it."""
    return described.shipped(asked["name"])


def _examine(asked: Asked, say: Say) -> dict[str, Any]:
    """Returns the page's contents about a robot besides its table, and the data of its picture."""
    model = _robot(asked).model
    described.check_shown(model)
    return {
        "name": model.name,
        "hash": model.hash,
        "coordinates": list(model.coordinates),
        "valueless": [name for name in model.symbols if name not in model.defaults()],
        "notes": [str(note) for note in (*sentences(model.left_out), *model.notes)],
        "texts": _own_texts(model),
        "long": model.n > LONG,
        "arm": drawn_arm(model),
        "languages": copies.languages(),
    }


def _own_texts(model: Model) -> dict[str, str]:
    """Returns those meanings of symbols and names of links that the language in use says otherwise."""
    texts = [
        *(each.meaning for each in model.symbols.values()),
        *(body.name for body in model.bodies if ships(model.name)),
    ]
    return {text: translation for text in texts if (translation := in_language(text, language())) != text}


def _diagnose(asked: Asked, say: Say) -> list[dict[str, str]]:
    """Returns the findings of the doctor."""
    return [finding.as_json() for finding in diagnose(_robot(asked).model)]


def _convert(asked: Asked, say: Say) -> dict[str, Any]:
    """Returns the same arm in another convention."""
    return described.converted(asked["robot"], asked["to"])


def _file(asked: Asked, say: Say) -> dict[str, str]:
    """Returns a robot as a file."""
    name, text = described.file_of(asked["robot"], asked["format"])
    return {"name": name, "text": text}


def _equations(asked: Asked, say: Say) -> dict[str, Any]:
    """Returns a quantity as MathML in pieces."""
    form, short = _form(asked, say)
    equations = equation_terms.written(form.array(asked["name"]), short)
    if short is not None:
        before, after = short.normal_counts(asked["name"]), short.counts(asked["name"])
        equations["counts"] = {"before": asdict(before), "after": asdict(after)}
        equations["proved"] = short.proved(asked["name"])
        equations["rounded"] = short.is_rounded([asked["name"]])
    return equations


def _more(asked: Asked, say: Say) -> list[dict[str, Any]]:
    """Returns some more equations of a quantity, by their numbers."""
    form, _ = _form(asked, say)
    return equation_terms.some(form.array(asked["name"]), asked["numbers"])


def _links(asked: Asked, say: Say) -> dict[str, Any]:
    """Returns which links the terms of a quantity come from."""
    form, short = _form(asked, say)
    if short is not None:
        return term_links.of_short(short, asked["name"])
    return term_links.of_normal(form.quantities, asked["name"])


def _values(asked: Asked, say: Say) -> dict[str, Any]:
    """Returns JavaScript that computes each term of a quantity while the arm is moved."""
    form, short = _form(asked, say)
    constants = {} if short is None else short.constants
    return live_values.terms(_robot(asked).model, form.array(asked["name"]), constants)


def _torques(asked: Asked, say: Say) -> dict[str, str]:
    """Returns JavaScript that computes the torques of the motors."""
    return {"module": live_values.torques(_robot(asked).model)}


def _steps(asked: Asked, say: Say) -> list[dict[str, Any]]:
    """Returns how a route derives the equations, in sentences and equations."""
    from qddot.apps.page import derivation_data

    say("steps")
    return derivation_data.steps(_short(_robot(asked), asked["route"], "sums"), asked["lang"])


def _copy(asked: Asked, say: Say) -> str:
    """Returns a quantity as a text in a language."""
    form, _ = _form(asked, say)
    return copies.copied(_robot(asked), form, asked["name"], asked["language"])


def _prove(asked: Asked, say: Say) -> dict[str, Any]:
    """Returns the certificate."""
    from qddot.apps.page import derivation_data

    arm = _robot(asked)
    return derivation_data.certificate(arm.prove(asked["routes"], say), arm.model, asked["lang"])


def _example(asked: Asked, say: Say) -> str:
    """Returns a derivation with one wrong sign, to be judged."""
    return examples.derivation(_robot(asked).equations().textbook(lumped=False))


def _check(asked: Asked, say: Say) -> dict[str, Any]:
    """Returns the judgement of a pasted derivation, optionally with points and a note to the student.

    answer: a text, which is never interpreted as the path of a file
    wanted: required quantities, such as "M,G"; rubric: the points of each quantity; hints: how much the note says
    """
    from qddot.apps.page import judged
    from qddot.teach.check.judging.judge import judge
    from qddot.teach.check.reading import read_answer
    from qddot.teach.check.rubric import rubric_of

    eq = _robot(asked).equations().quantities
    rubric = rubric_of(eq, asked.get("rubric") or None)
    required = asked.get("wanted") or (tuple(rubric.points) if rubric is not None else None)
    judgement = judge(eq, read_answer.read_text(asked["answer"], eq, asked["rename"]), required)
    marks = rubric.marks(judgement) if rubric is not None else None
    result = judged.judgement(judgement)
    return result | judged.marked(judgement, marks, asked.get("hints") or 0)


def _read_as(asked: Asked, say: Say) -> dict[str, Any]:
    """Returns what the formulas of a derivation are read as while it is typed, without judging them."""
    from qddot.apps.page import judged
    from qddot.teach.check.checking import answer_in
    from qddot.teach.check.preview import preview_of

    eq = _robot(asked).equations().quantities
    text, wanted = asked["answer"], asked.get("wanted") or None
    read = preview_of(eq, lambda: answer_in(eq, text, asked["rename"], wanted), wanted)
    return judged.read_as(read)


def _report(asked: Asked, say: Say) -> list[dict[str, str]]:
    """Returns the files of a report."""
    from qddot.apps.page import documents

    arm = _robot(asked)
    if asked["exam"]:
        return documents.exam(arm, asked["format"], asked["lang"])
    routes = []
    for route in asked["routes"]:
        say(route)
        routes.append(_short(arm, route, "sums"))
    say("prove")
    return documents.report(arm, routes, asked["format"], asked["lang"])


def _motion(asked: Asked, say: Say) -> dict[str, Any]:
    """Returns the JavaScript that moves an arm, and the layout of its numbers."""
    say("motion")
    return motion(_robot(asked).model, asked["law"], asked["texts"])


def _robot(asked: Asked) -> Robot:
    """Returns the robot of a question, in the notation that it asks for."""
    return described.robot_of(asked["robot"], asked.get("notation", ""))


def _form(asked: Asked, say: Say) -> tuple[Any, Textbook | None]:
    """Returns the equations in the requested form, and their short form, which is None for the normal form."""
    arm = _robot(asked)
    say(asked["route"])
    if asked["form"] == NORMAL:
        return arm.equations(asked["route"]), None
    say(asked["form"])
    short = _short(arm, asked["route"], asked["form"])
    return short, short


@lru_cache(described.KEPT)
def _short(arm: Robot, route: str, form: str) -> Textbook:
    return arm.equations(route).textbook(form)


def forget() -> None:
    """Forgets the robots and equations that are kept."""
    described.forget()
    _short.cache_clear()


ANSWERS: Mapping[str, Callable[[Asked, Say], Any]] = {
    "read": _read,
    "shipped": _shipped,
    "examine": _examine,
    "diagnose": _diagnose,
    "convert": _convert,
    "file": _file,
    "equations": _equations,
    "more": _more,
    "links": _links,
    "values": _values,
    "torques": _torques,
    "steps": _steps,
    "copy": _copy,
    "prove": _prove,
    "example": _example,
    "check": _check,
    "readAs": _read_as,
    "report": _report,
    "motion": _motion,
}
