"""Writes findings as annotations of GitHub's workflows, which shows them beside the lines of the files.

Their form is that of GitHub's workflow commands ("Setting an error message"), in which % and breaks are escaped, and :
and , in properties. Each line that begins with :: is a command, and so is each line that contains ##[…]. The form has
no escapes for other letters that terminals obey or do not show: they become codes such as \\x1b.
"""

from __future__ import annotations

from collections.abc import Sequence

from qddot.base.errors import visible
from qddot.base.words.message import say
from qddot.inspect.doctor.examination import Examination

COMMANDS = {"error": "error", "warning": "warning", "hint": "notice"}


def github_annotations(examinations: Sequence[Examination]) -> str:
    """Returns a line for each finding, ::error (or ::warning, ::notice) file=…,line=…::…, and one for each file."""
    lines = []
    for each in examinations:
        for finding, line in each.located():
            where = f"file={_property(each.file)},line={line}," if each.file else ""
            _, place, found, why, remedy = finding.row()
            message = str(say("annotated-finding", place=place, found=found, why=why, remedy=remedy))
            lines.append(f"::{COMMANDS[finding.severity]} {where}title={_property(finding.check)}::{_data(message)}")
    return "\n".join([*lines, *(without_commands(each.summary) for each in examinations)])


def failure(reason: str) -> str:
    """Returns the annotation that nothing could be examined."""
    return f"::error title=nothing was examined::{_data(reason)}"


def without_commands(text: str) -> str:
    """Returns a text as one line that is no workflow command."""
    return _data(text).replace("::", "%3A%3A").replace("##[", "##%5B")


def _data(text: str) -> str:
    return visible(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
