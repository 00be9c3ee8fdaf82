"""Asks typical questions once, so that a snapshot of Python's memory has loaded the modules that answer them."""

from __future__ import annotations

import gc
import json
from typing import Any

from qddot.apps.page import answers

ROBOT = "elbow_3r"


def first() -> None:
    """Asks the questions about one robot that the page asks before any action of its user."""
    robot = _asked("shipped", name=ROBOT)
    for question in ("examine", "diagnose", "torques"):
        _asked(question, robot=robot)
    for form in ("sums", answers.NORMAL):
        for question in ("equations", "links"):
            _asked(question, robot=robot, route="composite", name="M", form=form)


def warm() -> None:
    """Asks typical questions about one robot, and forgets it."""
    first()
    robot = _asked("shipped", name=ROBOT)
    quantity = {"robot": robot, "route": "composite", "name": "M"}
    _asked("read", text=_asked("file", robot=robot, format="as it is")["text"], name=ROBOT)
    _asked("example", robot=robot)
    _asked("convert", robot=robot, to="mdh")
    for form in ("sums", answers.NORMAL):
        _asked("values", **quantity, form=form)
    _asked("more", **quantity, form=answers.NORMAL, numbers=[0])
    _asked("copy", **quantity, form="sums", language="latex")
    _asked("steps", robot=robot, route="composite", lang="en")
    _asked("prove", robot=robot, routes=None, lang="en")
    _asked("check", robot=robot, answer="M11 = 0", rename={})
    _asked("readAs", robot=robot, answer="M11 = 0", rename={})
    _asked("motion", robot=robot, law="gravity", texts=[])
    answers.forget()
    gc.collect()


def _asked(question: str, **what: Any) -> Any:
    return json.loads(answers.answer(question, json.dumps(what), lambda _: None))["result"]
