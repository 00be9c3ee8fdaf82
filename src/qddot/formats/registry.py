"""Lists the formats that describe robots; what commands, errors, the page and the docs say of a format is its record.

A new format in XML is its folder and its record here. Its modules are loaded when it is read or written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, NamedTuple

from qddot.base.errors import FormatError, shortened
from qddot.base.words.message import Either, Listed, Message, say


def _of(place: str, *last: str) -> Callable[..., Any]:
    """Returns a function of this group, whose module is loaded at its first call; last: its last arguments."""
    module, _, name = place.rpartition(".")

    def function(*arguments: Any) -> Any:
        return getattr(import_module(f"qddot.formats.{module}"), name)(*arguments, *last)

    return function


class Format(NamedTuple):
    """A format of files that describe robots.

    title: its name in sentences; sentence: what it is; page: where it is explained
    suffixes: ends of its files; shared: those of them that files of other formats and programs have, too
    root: the tag of its root element, "" if it has none of its own
    read: the model of a path and its root element; read_loops: likewise the `closing.Chain`
    several: whether a file may hold several models; then the readers take the name of one, too
    loads: the model of a text alone and what errors call it; None where other files or programs are needed. The page
        reads a format that has it
    write: by choices of `qddot convert`, the text of a model
    """

    title: str
    suffixes: tuple[str, ...]
    sentence: str
    page: str
    root: str = ""
    read: Callable[..., Any] | None = None
    read_loops: Callable[..., Any] | None = None
    loads: Callable[..., Any] | None = None
    write: Mapping[str, Callable[..., str]] = {}
    shared: tuple[str, ...] = ()
    several: bool = False


TOML = Format(
    "TOML",
    (".toml",),
    "the robot file: Denavit–Hartenberg rows, screws, a tree",
    "robot-file.md",
    loads=_of("toml.robot_file.loads"),
    write={name: _of("writing.in_convention", name) for name in ("dh", "mdh", "screws", "body_screws", "tree")},
)
URDF = Format(
    "URDF",
    (".urdf",),
    "the Unified Robot Description Format of ROS, and URDF+",
    "urdf.md",
    root="robot",
    read=_of("urdf.read"),
    read_loops=_of("urdf.loops.read"),
    loads=_of("urdf.loads"),
    write={"urdf": _of("urdf.dumps")},
)
XACRO = Format("xacro", (".xacro",), "macros, which the program xacro expands", "urdf.md")
SDF = Format(
    "SDF",
    (".sdf", ".world"),
    "the Simulation Description Format of Gazebo",
    "urdf.md",
    root="sdf",
    read=_of("sdf.read"),
    read_loops=_of("sdf.loops.read"),
    loads=_of("sdf.loads"),
    shared=(".world",),
    several=True,
)
MJCF = Format(
    "MJCF",
    (".xml", ".mjcf"),
    "the format of MuJoCo, which expands it",
    "urdf.md",
    root="mujoco",
    read=_of("mjcf.read"),
    read_loops=_of("mjcf.loops.read"),
    shared=(".xml",),
)
FORMATS: tuple[Format, ...] = (TOML, URDF, XACRO, SDF, MJCF)  # in the order of help texts


def suffixes() -> list[str]:
    """Returns the ends of the files of all formats."""
    return [suffix for form in FORMATS for suffix in form.suffixes]


def opened_alone() -> list[str]:
    """Returns the ends of files that the page may be able to read."""
    return [suffix for form in FORMATS for suffix in form.suffixes if form.loads or suffix in form.shared]


def choices() -> dict[str, Format]:
    """Returns the formats by the choices of `qddot convert`."""
    return {choice: form for form in FORMATS for choice in form.write}


def any_file() -> Message:
    """Returns what errors expect that get no robot."""
    return say("a-robot-file", suffixes=Listed(suffixes()))


def others() -> Listed:
    """Returns the titles of the formats besides the robot file."""
    return Listed(form.title for form in FORMATS if form is not TOML)


def roots() -> dict[str, Format]:
    """Returns the formats by the tags of their root elements."""
    return {form.root: form for form in FORMATS if form.root}


def of_root(tag: str, where: str) -> Format:
    """Returns the format of an XML file by the tag of its root element. raises FormatError: no format has it"""
    if tag not in roots():
        *most, last = (f"<{root}>" for root in roots())
        raise FormatError("root-unknown", where=where, tag=shortened(tag), known=Either((Listed(most), last)))
    return roots()[tag]
