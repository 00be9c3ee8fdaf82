"""Examines one file, or every robot file of a folder, and says on which line of which file each finding is."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from qddot.base.errors import FormatError, NotInstalledError, QddotError
from qddot.base.records import record
from qddot.base.system import texts
from qddot.base.words.language import in_english
from qddot.base.words.message import say
from qddot.formats import registry
from qddot.formats.finding import closed_zoo, has_macros, zoo
from qddot.formats.in_folders import robot_files
from qddot.formats.xml.elements import LARGEST
from qddot.inspect.doctor.described import diagnose_file, refusal
from qddot.inspect.doctor.diagnosis import SEVERITIES, Diagnosis, ErrorPart, Finding
from qddot.inspect.doctor.site import Site
from qddot.robot.model import Model

NOT_EXPANDED = Finding("hint", Site("xacro"), say("finding-not-expanded"), "not_examined")


@record()
class Examination:
    """An examination has the diagnosis of a robot, its file if it is one, and the line of each finding."""

    diagnosis: Diagnosis
    file: str = ""
    lines: tuple[int, ...] = ()

    @property
    def summary(self) -> str:
        """Returns the file, where there is one, the robot, and the number of findings of each severity."""
        verdict = self.diagnosis.summary
        if not self.file or self.diagnosis.model == self.file:
            return verdict
        return str(say("note-at", place=self.file, note=verdict))

    @classmethod
    def of(cls, diagnosis: Diagnosis, path: Path) -> Examination:
        """Returns the examination of a file, in whose text the lines of the findings are looked up."""
        try:
            text = texts.raw(path, LARGEST, registry.any_file()).decode("utf-8", errors="replace")
        except FormatError:
            text = ""
        return cls(diagnosis, str(path), tuple(finding.subject.line(path, text) for finding in diagnosis))

    def located(self) -> list[tuple[Finding, int]]:
        """Returns every finding with its line, which is 0 where the robot is not a file."""
        lines = self.lines if self.file else (0,) * len(self.diagnosis)
        return list(zip(self.diagnosis, lines, strict=True))

    @in_english
    def as_json(self) -> dict[str, Any]:
        """Returns {model, file, worst, findings, proved}; findings have lines, 0 where the robot is not a file."""
        findings = [{**finding.as_json(), "line": line} for finding, line in self.located()]
        return {
            "model": self.diagnosis.model,
            "file": self.file,
            "worst": self.diagnosis.worst,
            "findings": findings,
            "proved": self.diagnosis.proved,
        }


def examine(
    name_or_path: str,
    arguments: Mapping[str, Any] | None = None,
    changed: Callable[[Model], Model] | None = None,
    *,
    expands: bool = False,
    model: str = "",
) -> list[Examination]:
    """Returns the examination of a robot or a closed chain, or of each robot file in a folder.

    name_or_path: the name of a robot or a chain that ships, a file or a folder; arguments: those of a xacro file
    changed: takes the model and returns the one to examine, such as one with other values of symbols
    model: the name of the one to examine in a file with several models
    expands: whether xacro expands files in a folder, which runs the Python expressions in them
    In a folder a file that cannot be read is a finding like any other, and so is one whose reader is not installed; no
    bounds are proved there, since they may take two seconds for each file.
    raises QddotError: no such name or file, a file that is not a description, or a folder without robot files
    """
    path = Path(name_or_path)
    if name_or_path in (*zoo(), *closed_zoo()):
        return [Examination(diagnose_file(name_or_path, arguments, changed, bounded=True, model=model))]
    if not is_folder(name_or_path):
        return [Examination.of(diagnose_file(name_or_path, arguments, changed, bounded=True, model=model), path)]
    given = (
        (arguments, say("the-arguments")),
        (changed, say("values-of-symbols")),
        (model, say("name-of-a-model")),
    )
    for value, what in given:
        if value:
            raise FormatError("given-for-a-folder", where=name_or_path, what=what)
    files = robot_files(path)
    if not files:
        expected = say("robot-files-and", others=registry.others())
        raise FormatError("folder-without-robots", where=name_or_path, expected=expected)
    return [Examination.of(_diagnosis_in_folder(file, expands), file) for file in files]


def is_folder(name_or_path: str) -> bool:
    """Returns whether a folder is meant rather than a robot that ships."""
    return name_or_path not in (*zoo(), *closed_zoo()) and os.path.isdir(name_or_path)


def worst_of(examinations: Sequence[Examination]) -> str:
    """Returns the worst severity of all findings, or "" where nothing was found."""
    return max((each.diagnosis.worst for each in examinations), key=("", *SEVERITIES).index, default="")


def _diagnosis_in_folder(path: Path, expands: bool) -> Diagnosis:
    try:
        if not expands and has_macros(path):
            return Diagnosis(str(path), (NOT_EXPANDED,))
        return diagnose_file(str(path))
    except NotInstalledError as error:
        told = say("finding-without-reader", found=ErrorPart(error, 0), remedy=ErrorPart(error, 2))
        finding = Finding("warning", Site(error.where or str(path)), told, "not_examined")
    except QddotError as error:
        finding = refusal(error)
    return Diagnosis(str(path), (finding,))
