"""Derives the zoo's equations for the page, so that they show before its Python is ready, and cuts its font.

python zoo.py FOLDER FONT     a JSON file a robot, an index of them, of formats and notations, and the font
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from qddot.apps.page.answers import answer
from qddot.apps.page.notation_list import notations
from qddot.base.words.language import languages, speaking
from qddot.formats.finding import load, zoo
from qddot.formats.registry import opened_alone
from qddot.inspect.doctor.examine import diagnose
from qddot.papers.report.formats.math_font import cut
from qddot.robot.own_texts import in_language

SHOWN = "M"
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZαβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩℓ∂∑∫−·°"


def asked(question: str, **what: Any) -> Any:
    found = json.loads(answer(question, json.dumps(what), lambda _: None))
    if "error" in found:
        raise SystemExit(f"{question}: {found['error']['text']}")
    return found["result"]


def of(name: str) -> dict[str, Any]:
    """Returns what the page shows of a robot at first."""
    robot = asked("shipped", name=name)
    examined = asked("examine", robot=robot)
    form = "normal" if load(name).explicit is not None or examined["long"] else "sums"
    wanted = {"robot": robot, "route": "composite", "form": form, "name": SHOWN}
    shown = {question: asked(question, **wanted) for question in ("equations", "torques")}
    return {"robot": robot, "examined": examined, "told": told(name, robot), "form": form, **shown}


def told(name: str, robot: Any) -> dict[str, dict[str, Any]]:
    """Returns what is said of a robot, in each language."""
    findings, texts = diagnose(load(name)), {}
    for lang in languages():
        examined = asked("examine", robot=robot, lang=lang)
        with speaking(lang):
            texts[lang] = {"findings": [each.as_json() for each in findings]}
        texts[lang] |= {key: examined[key] for key in ("notes", "texts")}
    return texts


def index() -> dict[str, Any]:
    """Returns the robots that the page shows, the ends of the files that it opens, and the notations."""
    models = {name: load(name) for name in zoo()}
    robots = [
        {
            "name": name,
            "title": model.title,
            "titles": {lang: in_language(model.title, lang) for lang in languages()},
            "joints": model.n,
        }
        for name, model in models.items()
        if not model.freedoms
    ]
    return {"robots": robots, "accept": ",".join(opened_alone()), "notations": notations()}


def main(folder: Path, font: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    listed = index()
    (folder / "index.json").write_text(json.dumps(listed, ensure_ascii=False), encoding="utf-8")
    for name in (robot["name"] for robot in listed["robots"]):
        (folder / f"{name}.json").write_text(json.dumps(of(name), ensure_ascii=False), encoding="utf-8")
    font.write_bytes(cut(LETTERS))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
