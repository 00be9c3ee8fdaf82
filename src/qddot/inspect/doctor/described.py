"""Examines what a name or a file describes, even what the readers reject."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from qddot.base.errors import ClosedChainError, FormatError, ModelError, NotModelledError, QddotError
from qddot.base.system.texts import content
from qddot.base.words.message import Message, say
from qddot.formats import registry
from qddot.formats.finding import LARGEST_FILE, load, load_closed
from qddot.formats.toml import robot_file, toml_tables
from qddot.inspect.doctor.closed_chains import diagnose_chain
from qddot.inspect.doctor.diagnosis import Diagnosis, ErrorPart, Finding
from qddot.inspect.doctor.examine import diagnose
from qddot.inspect.doctor.site import Site
from qddot.robot.left_out import BESIDES_LOOPS
from qddot.robot.model import Model

_TOML_LINE = re.compile(r"\(at line (\d+)")  # in the messages of tomllib


def diagnose_file(
    name_or_path: str,
    arguments: Mapping[str, Any] | None = None,
    changed: Callable[[Model], Model] | None = None,
    *,
    bounded: bool = False,
    model: str = "",
) -> Diagnosis:
    """Returns the findings about a robot or a closed chain, also about a file that describes no possible robot.

    name_or_path: the name of one that ships, or a file
    arguments: of a xacro file
    changed: takes the model and returns the one to examine, such as one with other values of symbols
    bounded: as in `diagnose`
    model: the name of the one to examine in a file with several models
    raises QddotError: no such name or file, or a file that cannot be read as a description
    """
    try:
        read = load(name_or_path, arguments, without=BESIDES_LOOPS, model=model)
        read = changed(read) if changed else read
        return diagnose(read, bounded=bounded)
    except ClosedChainError:
        return _diagnosed_chain(name_or_path, arguments, changed, model)
    except NotModelledError as error:
        return Diagnosis(name_or_path, (unmodelled(error),))
    except FormatError as refused:
        if not re.match(re.escape(str(Path(name_or_path))) + r":\d+ ", refused.where):
            raise
        return Diagnosis(name_or_path, (refusal(refused),))
    except ModelError as refused:
        tried, tolerated = read_anyway(Path(name_or_path))
        if tried is not None:
            return diagnose(changed(tried) if changed else tried, tolerated)
        return Diagnosis(name_or_path, (refusal(refused),))


def _diagnosed_chain(
    name_or_path: str, arguments: Mapping[str, Any] | None, changed: Callable[[Model], Model] | None, model: str
) -> Diagnosis:
    chain = load_closed(name_or_path, arguments, BESIDES_LOOPS, model).model
    return diagnose_chain(replace(chain, tree=changed(chain.tree)) if changed else chain)


def unmodelled(error: NotModelledError) -> Finding:
    """Returns the finding that a file describes something that qddot does not model."""
    told = say("finding-of-unmodelled-file", found=ErrorPart(error, 0), remedy=ErrorPart(error, 2))
    return Finding("warning", Site(error.where), told, "not_modelled")


def read_anyway(path: Path) -> tuple[Model | None, frozenset[str]]:
    """Returns the model of a robot file, even with impossible inertias, and which links lack `partial_inertia`.

    The model is None where the file cannot be read.
    """
    try:
        data = toml_tables.read(content(path, LARGEST_FILE, registry.any_file()), str(path))
        links = [link for link in data["link"] if isinstance(link, dict)]
        own = [link.get("partial_inertia", False) for link in links]
        for link in links:
            link["partial_inertia"] = True
        model = robot_file.from_mapping(data, str(path))
    except QddotError:
        return None, frozenset()
    names = [link.get("name") or f"link{k}" for k, link in enumerate(links, 1)]
    return model, frozenset(name for name, partial in zip(names, own, strict=True) if not partial)


def refusal(error: QddotError) -> Finding:
    """Returns the finding that a file is rejected with this error."""
    remedy: ErrorPart | Message = ErrorPart(error, 2)
    if not error.remedy:
        expected = say("was-expected", expected=ErrorPart(error, 1))
        remedy = expected if error.expected else say("correct-the-description")
    line = _TOML_LINE.search(error.found)
    subject = Site(error.where, "line", line[1]) if line else Site(error.where)
    return Finding("error", subject, say("finding-refused", found=ErrorPart(error, 0), remedy=remedy), "refused")
