"""Makes robots from names, files, Denavit–Hartenberg rows and screws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from qddot.base.errors import FormatError, did_you_mean, is_one_of, shortened
from qddot.base.words.message import Either, Told, say
from qddot.faces.robot import Robot
from qddot.formats import finding as files
from qddot.formats.shared.floating import floating
from qddot.formats.shared.rotations import pose_from_matrix
from qddot.formats.toml import robot_file
from qddot.robot.placements import listed, simplified
from qddot.robot.symbol_tables import symbol_table

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from qddot.faces.closed_chain import ClosedChain


class Description(TypedDict, total=False):
    """A description holds everything in a robot file except its links; constructors take it as keywords.

    name, title, source: texts; gravity [m/s²]: three numbers or expressions, along the base's axes; coordinates: the
    joints' names in the order of q; driven: the joints that have motors, by default all; symbols: names in one text or
    a list, or a mapping from each to its value or to {value, unit, meaning, tolerance}; parameters: "symbols" gives
    each link without mass and inertia symbols for all ten of its parameters; base: the base's pose, before the first
    row of a table; tool: the tool's pose in the last link, or in the one that `body` names; a pose is {xyz, rpy} or
    {xyz, rotation}, [m, rad]
    """

    name: str
    title: str
    source: str
    gravity: Sequence[float | str]
    coordinates: Sequence[str]
    driven: Sequence[str]
    symbols: str | Sequence[str] | Mapping[str, Any]
    parameters: str
    base: Mapping[str, Any]
    tool: Mapping[str, Any]


BASES = ("fixed", "free")
TEXT = Told(say("the-text"))  # what errors call a text without a file
OPTIONS = tuple(Description.__annotations__)


def load(
    name_or_path: str | Path,
    arguments: Mapping[str, Any] | None = None,
    base: str = "fixed",
    without: str | Sequence[str] = (),
    model: str = "",
    symbolic: str | Sequence[str] = (),
) -> Robot:
    """Returns a robot that ships ("puma560"; `qddot.zoo()` lists them), or the one that a file describes.

    name_or_path: a name, or the path of a robot file (.toml), URDF, xacro, SDF or MJCF
    arguments: values of a xacro file's arguments, by name
    base: "fixed" leaves the base as the file describes it, even if it is free; "free" frees it as `Robot.free` does
    without: content that may be left out although it changes the equations, ["tendons", "gravcomp"]. The error that
    refuses a file names it; `arm.model.left_out` and all results then say what was left out
    model: the name of the one to read in an SDF file with several, with those that joints of its world join to it
    symbolic: numbers of the file that become symbols with these values, as in `Robot.with_symbols`: "mass", "com",
    "inertia", "friction", several of these, or "all"
    raises QddotError: there is no such robot, file, model or base, the file describes no robot, or it has content that
    changes the equations, is not modelled, and is not in `without`
    """
    if not is_one_of(base, BASES):
        raise FormatError("no-such-base", base=shortened(base), expected=Either(map(repr, BASES)))
    read = files.load(name_or_path, arguments, may_rest=base == "free", without=without, model=model)
    arm = Robot(floating(read) if base == "free" else read)
    return arm.with_symbols(*([symbolic] if isinstance(symbolic, str) else symbolic)) if symbolic else arm


def load_closed_chain(
    name_or_path: str | Path,
    independent: str | Sequence[str] | None = None,
    near: ArrayLike | Mapping[str, float] | None = None,
    without: str | Sequence[str] = (),
    model: str = "",
    arguments: Mapping[str, Any] | None = None,
) -> ClosedChain:
    """Returns a closed chain that ships ("four_bar"), or the one that a file describes: a robot file with [[loop]]
    tables, MJCF with equalities, SDF whose joints form loops, or URDF+.

    independent: names of coordinates. By default they are those that the file names; else the first ones that
    determine the others, or the last ones if wheels roll.
    near: a guess of a configuration with closed loops, near which a mechanism is opened that can move only because its
    lengths are special, such as Bennett's linkage; by default one is looked for
    without, model, arguments: as in `load`
    raises QddotError: there is no such chain or file, it has no loops, nothing moves, or content is refused as in
        `load`
    """
    from qddot.faces.closed_chain import ClosedChain

    chain, named = files.load_closed(name_or_path, arguments, without, model)
    return ClosedChain(chain, (named or None) if independent is None else independent, near)


def loads(text: str) -> Robot:
    """Returns the robot that the text of a robot file describes, such as `Robot.to_toml` writes.

    raises QddotError: `text` is not a text, or describes no robot
    """
    return Robot(robot_file.loads(_checked(text), TEXT))


def loads_closed_chain(
    text: str,
    independent: str | Sequence[str] | None = None,
    near: ArrayLike | Mapping[str, float] | None = None,
) -> ClosedChain:
    """Returns the closed chain that the text of a robot file describes, such as `ClosedChain.to_toml` writes.

    independent, near: as in `load_closed_chain`
    raises QddotError: `text` is not a text, or describes no closed chain, or nothing moves
    """
    from qddot.faces.closed_chain import ClosedChain
    from qddot.formats.toml import loop_tables

    chain = loop_tables.chain(_checked(text), TEXT)
    return ClosedChain(chain.model, (chain.independent or None) if independent is None else independent, near)


def _checked(text: str) -> str:
    if not isinstance(text, str):
        raise FormatError("no-robot-text", text=shortened(text))
    return text


def from_dh(
    rows: Sequence[Mapping[str, Any]], links: Sequence[Mapping[str, Any]] = (), **options: Unpack[Description]
) -> Robot:
    """Returns a chain that standard Denavit–Hartenberg rows describe: T = Rz(θ) Tz(d) Tx(a) Rx(α).

    rows: mappings {theta, d, a, alpha} in metres, and radians or texts such as "90deg"; the coordinate is the
    undeclared name in theta or d, as ±q plus a constant
    links: for each row, optionally, mass, com or first_moment, inertia, joint, name as in a robot file, along the
    frame that the row ends in
    options: name, title, source, gravity, symbols, coordinates, base and tool, as in a robot file
    raises QddotError: the rows, links or options describe no robot
    Source: Denavit & Hartenberg 1955.
    """
    return _chain("dh", [{"dh": row} for row in listed(rows, "rows")], links, options)


def from_mdh(
    rows: Sequence[Mapping[str, Any]], links: Sequence[Mapping[str, Any]] = (), **options: Unpack[Description]
) -> Robot:
    """Returns a chain that modified Denavit–Hartenberg rows describe: T = Rx(α) Tx(a) Rz(θ) Tz(d).

    Arguments and errors are those of `from_dh`. Source: Craig, *Introduction to Robotics*, §3.4.
    """
    return _chain("mdh", [{"mdh": row} for row in listed(rows, "rows")], links, options)


def from_screws(
    M_home: Sequence[Any],
    S: Sequence[Any],
    links: Sequence[Mapping[str, Any]] = (),
    **options: Unpack[Description],
) -> Robot:
    """Returns a chain that screw axes and home poses describe: T_0i = exp([S_1] q_1) … exp([S_i] q_i) M_i.

    M_home: for each link the 4×4 pose of its frame in the base at q = 0, and optionally one more, the tool's
    S: for each joint its screw in the base frame, six numbers (ω, v): a unit vector ω and v = −ω × point for a joint
    that turns, ω = 0 and a unit vector v for one that slides
    links, options: as in `from_dh`
    raises QddotError: the arguments describe no robot
    Source: Lynch & Park, *Modern Robotics*, 2017, §4.1.
    """
    homes, axes = _matrices(M_home, "M_home"), list(listed(S, "S"))
    if len(homes) == len(axes) + 1:
        options.setdefault("tool", {"pose": _tool_pose(homes.pop(), homes)})
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
            raise FormatError("unknown-option-of-table", option=repr(option), remedy=did_you_mean(option, OPTIONS))
    for number, link in enumerate(links, 1):
        if not isinstance(link, Mapping):
            raise FormatError("link-no-mapping", number=number, link=shortened(link))
    merged = [{**row, **link} for row, link in zip(rows, links or [{}] * len(rows), strict=True)]
    data = {**options, "convention": convention, "link": merged}
    data["symbols"] = symbol_table(options.get("symbols", {}))
    return Robot(robot_file.from_mapping(data, str(options.get("name", convention))))


def _matrices(values: Any, what: str) -> list[Any]:
    """Returns a list of matrices as lists; some may be NumPy arrays."""
    return [part.tolist() if hasattr(part, "tolist") else part for part in listed(values, what)]


def _same_length(first: str, one: Sequence[Any], second: str, other: Sequence[Any]) -> None:
    if len(one) != len(other):
        raise FormatError("numbers-differ", count=len(one), first=first, others=len(other), second=second)
