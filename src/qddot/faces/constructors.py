"""Robots from names, files, Denavit–Hartenberg rows and screws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from qddot.describe import finding as files
from qddot.describe import robot_file
from qddot.describe.rotations import pose_from_matrix
from qddot.errors import FormatError, did_you_mean, shortened
from qddot.faces.robot import Robot
from qddot.model.bodies import listed, simplified
from qddot.model.model import symbol_table

OPTIONS = ("name", "title", "source", "gravity", "coordinates", "symbols", "base", "tool")


def load(name_or_path: str | Path, arguments: Mapping[str, Any] | None = None) -> Robot:
    """A robot from the zoo ("puma560", see `qddot list`), or from a robot file (.toml), URDF, xacro, SDF or MJCF.

    arguments: values of a xacro file's arguments, by name
    raises QddotError: no such robot or file, or a file that describes none
    """
    return Robot(files.load(name_or_path, arguments))


def from_dh(rows: Sequence[Mapping[str, Any]], links: Sequence[Mapping[str, Any]] = (), **options: Any) -> Robot:
    """A chain from standard Denavit–Hartenberg rows: T = Rz(θ) Tz(d) Tx(a) Rx(α).

    rows: mappings {theta, d, a, alpha}; the coordinate is the undeclared name in theta or d
    links: for each row, optionally, mass, com or first_moment, inertia, joint, name as in a robot file
    options: name, gravity, symbols, base, tool, coordinates, title, source as in a robot file
    raises QddotError where the description is not a robot's
    """
    return _chain("dh", [{"dh": row} for row in listed(rows, "rows")], links, options)


def from_mdh(rows: Sequence[Mapping[str, Any]], links: Sequence[Mapping[str, Any]] = (), **options: Any) -> Robot:
    """A chain from modified Denavit–Hartenberg rows: T = Rx(α) Tx(a) Rz(θ) Tz(d); else as `from_dh`."""
    return _chain("mdh", [{"mdh": row} for row in listed(rows, "rows")], links, options)


def from_screws(
    M_home: Sequence[Any], S: Sequence[Any], links: Sequence[Mapping[str, Any]] = (), **options: Any
) -> Robot:
    """A chain from screw axes in the space frame and home poses.

    M_home: a 4×4 matrix for each link's frame at q = 0, and optionally one more for the tool's
    S: for each joint six numbers (ω, v) in the space frame
    links, options: as in `from_dh`
    """
    homes, axes = _matrices(M_home, "M_home"), list(listed(S, "S"))
    if len(homes) == len(axes) + 1:
        options = {"tool": {"pose": _tool_pose(homes.pop(), homes)}, **options}
    _same_length("M_home", homes, "S", axes)
    rows = [{"home": home, "screw": screw} for home, screw in zip(homes, axes, strict=True)]
    return _chain("screws", rows, links, options)


def _tool_pose(tool: Any, homes: Sequence[Any]) -> list[list[Any]]:
    last, end = (pose_from_matrix(matrix)[0] for matrix in (homes[-1], tool))
    return simplified(last.inverse() @ end).matrix()


def _chain(
    convention: str,
    rows: Sequence[Mapping[str, Any]],
    links: Sequence[Mapping[str, Any]],
    options: Mapping[str, Any],
) -> Robot:
    links = listed(links, "links")
    if links:
        _same_length("rows", rows, "links", links)
    for option in options:
        if option not in OPTIONS:
            raise FormatError(f"unknown option {option!r}", remedy=did_you_mean(option, OPTIONS))
    for number, link in enumerate(links, 1):
        if not isinstance(link, Mapping):
            raise FormatError(f"link {number} is {shortened(link)}", expected="a mapping with mass, com, inertia …")
    merged = [{**row, **link} for row, link in zip(rows, links or [{}] * len(rows), strict=True)]
    data = {**options, "convention": convention, "link": merged}
    data["symbols"] = symbol_table(options.get("symbols", {}))
    return Robot(robot_file.from_mapping(data, str(options.get("name", convention))))


def _matrices(values: Any, what: str) -> list[Any]:
    """A list of matrices, of which some may be NumPy arrays."""
    return [part.tolist() if hasattr(part, "tolist") else part for part in listed(values, what)]


def _same_length(first: str, one: Sequence[Any], second: str, other: Sequence[Any]) -> None:
    if len(one) != len(other):
        raise FormatError(f"{len(one)} {first} and {len(other)} {second}", expected="as many of each")
