"""Finds a robot by its name in the zoo or by the path of a file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qddot.base.errors import ClosedChainError, FormatError, did_you_mean, near, shortened
from qddot.base.system.texts import content
from qddot.base.words.message import Either, Listed
from qddot.formats import registry
from qddot.formats.toml import robot_file
from qddot.robot import left_out
from qddot.robot.left_out import OPENS_LOOPS
from qddot.robot.model import Model
from qddot.robot.notes import noted_as
from qddot.robot.own_texts import ZOO

if TYPE_CHECKING:
    from qddot.formats.registry import Format
    from qddot.formats.shared.closing import Chain
    from qddot.formats.xml.elements import Element

CLOSED_ZOO = ZOO / "closed"
# the keys of notes of likely mistakes
DOUBTFUL = ("content-unread", "macro-unread", "no-centre-given", "no-parent-given", "angle-without-unit")
LARGEST_FILE = 1_000_000  # bytes; a robot file of a hundred links has 40,000


def load(
    name_or_path: str | Path,
    arguments: Mapping[str, Any] | None = None,
    may_rest: bool = False,
    without: str | Iterable[str] = (),
    model: str = "",
) -> Model:
    """Returns a model from the zoo ("puma560") or from a file: a robot file (.toml), URDF, xacro, SDF or MJCF.

    arguments: the arguments of a xacro file, by name
    may_rest: whether a model without a moving joint is returned, to be set on a free base
    without: kinds of content (`left_out.CONTENTS`) that the model may lack although they change the equations
    model: the name of the one to read in a file with several models
    raises FormatError: there is no such name or file, or the file does not describe a robot
    raises NotModelledError: the file has content that changes the equations, is not modelled, and not in `without`
    raises ClosedChainError: the same of connections that close loops
    """
    _check_arguments(arguments)
    if not isinstance(name_or_path, str | Path):
        raise FormatError("robot-name-wrong", name=shortened(name_or_path))
    text, without = str(name_or_path), left_out.checked(without)
    _check_name(model)
    if isinstance(name_or_path, str) and text in zoo():
        _check_without(arguments, text)
        _check_only(model, text)
        return robot_file.loads((ZOO / f"{text}.toml").read_text(encoding="utf-8"), text)
    path = Path(name_or_path)
    if text and (path.suffix or os.path.exists(path)):
        read = _from_file(path, arguments, without, model)
        if not may_rest:
            read.check_moves(text)
        return read
    if text in closed_zoo():
        raise ClosedChainError("robot-is-closed-chain", name=text, remedy=OPENS_LOOPS)
    raise FormatError("no-robot", text=shortened(text), remedy=did_you_mean(text, [*zoo(), *closed_zoo()]))


def load_closed(
    name_or_path: str | Path,
    arguments: Mapping[str, Any] | None = None,
    without: str | Iterable[str] = (),
    model: str = "",
) -> Chain:
    """Returns a closed chain from the package ("four_bar") or from a robot file, MJCF, SDF, URDF+ or xacro.

    arguments, without, model: as in `load`
    raises FormatError: there is no such name or file, or the file does not describe a closed chain
    """
    from qddot.formats.toml import loop_tables

    _check_arguments(arguments)
    if not isinstance(name_or_path, str | Path):
        raise FormatError("chain-name-wrong", name=shortened(name_or_path))
    names, text, without = closed_zoo(), str(name_or_path), left_out.checked(without)
    _check_name(model)
    if text in names:
        _check_without(arguments, text)
        _check_only(model, text)
        return loop_tables.chain((CLOSED_ZOO / f"{text}.toml").read_text(encoding="utf-8"), text)
    path = Path(name_or_path)
    if text and (path.suffix or os.path.exists(path)):
        table = _robot_file(path)
        if table is not None:
            _check_without(arguments, text)
            _check_only(model, text)
            return loop_tables.chain(table, text)
        form, root = _in_xml(path, arguments)
        if form.read_loops is None:
            raise FormatError("has-no-loops", where=text, name=form.title)
        chain: Chain = form.read_loops(path, root, *_one_of_several(form, model, text))
        left_out.refuse(chain.model.tree.left_out, without, text)
        return chain
    if text in zoo():
        raise FormatError("has-no-loops", name=text)
    raise FormatError("no-closed-chain", text=shortened(text), names=Listed(names), remedy=near(text, names))


def _from_file(path: Path, arguments: Mapping[str, Any] | None, without: Sequence[str], name: str) -> Model:
    """Returns the model of a file; XML is read by its root element whatever the suffix, other text as a robot file."""
    table = _robot_file(path)
    if table is not None:
        _check_without(arguments, str(path))
        _check_only(name, str(path))
        return robot_file.loads(table, str(path))
    form, root = _in_xml(path, arguments)
    assert form.read, "a format with a root element has a reader"
    model: Model = form.read(path, root, *_one_of_several(form, name, str(path)))
    left_out.refuse(model.left_out, without, str(path))
    return model


def _robot_file(path: Path) -> str | None:
    """Returns the text of a robot file, or None for XML, which its suffix or its first sign tells."""
    suffix = path.suffix.lower()
    if suffix in registry.suffixes() and suffix not in registry.TOML.suffixes:
        return None
    text = content(path, LARGEST_FILE, registry.any_file())
    return None if text.lstrip().startswith("<") else text


def _in_xml(path: Path, arguments: Mapping[str, Any] | None) -> tuple[Format, Element]:
    """Returns the format of an XML file and its root element, after its macros are expanded."""
    from qddot.formats.xml import elements as xml
    from qddot.formats.xml import xacro

    root = xml.read(path)
    if xacro.needed(path, root):
        root = xml.parse(xacro.expanded(path, arguments), str(path))
    else:
        _check_without(arguments, str(path))
    return registry.of_root(root.tag, root.where), root


def has_macros(path: Path) -> bool:
    """Returns whether a file would be expanded by xacro, which runs the Python expressions in it.

    raises FormatError: the file cannot be read
    """
    from qddot.formats.xml import elements as xml
    from qddot.formats.xml import xacro

    return _robot_file(path) is None and xacro.needed(path, xml.read(path))


def _check_arguments(arguments: object) -> None:
    if not isinstance(arguments, Mapping | None):
        raise FormatError("arguments-not-mapping", arguments=shortened(arguments))


def _check_without(arguments: Mapping[str, Any] | None, where: str) -> None:
    if arguments:
        raise FormatError("arguments-without-macros", where=where, names=Listed(arguments))


def _check_name(model: object) -> None:
    if not isinstance(model, str):
        raise FormatError("model-name-wrong", name=shortened(model))


def _check_only(model: str, where: str) -> None:
    """Raises FormatError if a model is chosen in a file of one robot."""
    if model:
        names = Either(form.title for form in registry.FORMATS if form.several)
        raise FormatError("one-model", where=where, name=shortened(model), formats=names)


def _one_of_several(form: Format, model: str, where: str) -> tuple[str, ...]:
    """Returns what a reader takes besides a path and a root element: the name of a model, if one is chosen."""
    if not form.several:
        _check_only(model, where)
    return (model,) if model else ()


def may_have_several(path: str) -> bool:
    """Returns whether a file of this name may hold several models, of which one is to be chosen."""
    return any(form.several and Path(path).suffix.lower() in form.suffixes for form in registry.FORMATS)


def doubts(notes: Iterable[str]) -> list[str]:
    """Returns the notes of likely mistakes: content that is not read, no centre of mass, parent or unit of angles."""
    return [note for note in notes if any(noted_as([note], *DOUBTFUL))]


def beginning_with(text: str) -> list[str]:
    """Returns the names and the files of robots that a text begins, which is neither a name nor a path, sorted.

    Only files whose suffix is that of a format count.
    """
    names = [*zoo(), *closed_zoo()]
    path = Path(text)
    if not path.name or path.suffix or text in names or os.path.exists(path):
        return []
    try:
        files = [each for each in path.parent.iterdir() if each.name.startswith(path.name) and each.is_file()]
    except OSError:  # there is no such folder
        files = []
    described = (str(each) for each in files if each.suffix.lower() in registry.suffixes())
    return sorted({*(name for name in names if name.startswith(text)), *described})


def zoo() -> list[str]:
    """Returns the names of the robots in the package, sorted."""
    return sorted(path.stem for path in ZOO.glob("*.toml"))


def closed_zoo() -> list[str]:
    """Returns the names of the closed chains in the package, sorted."""
    return sorted(path.stem for path in CLOSED_ZOO.glob("*.toml"))
