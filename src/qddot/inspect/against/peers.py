"""Lets another program read a file."""

from __future__ import annotations

from pathlib import Path

from qddot.base.errors import FormatError, did_you_mean, shortened
from qddot.formats.xml import elements as xml
from qddot.formats.xml import xacro
from qddot.inspect.against.peer import Peer


def peer(name: str, path: Path) -> Peer:
    """Returns a program, "mujoco" or "pinocchio", that has read a file.

    raises FormatError: an unknown peer, or the peer rejects the file; NotInstalledError: it is not installed
    """
    if name == "mujoco":
        from qddot.inspect.against.mujoco_peer import read
    elif name == "pinocchio":
        from qddot.inspect.against.pinocchio_peer import read
    else:
        raise FormatError(f"the peer {shortened(name)}", remedy=did_you_mean(name, ("mujoco", "pinocchio")))
    return read(path, _kind(path))


def _kind(path: Path) -> str:
    """Returns the tag of a file's root element; raises FormatError for a file that peers cannot read."""
    if path.suffix.lower() == ".toml":
        remedy = f"qddot convert {path} --to urdf -o arm.urdf"
        raise FormatError("a robot file, which no peer reads", where=str(path), expected="URDF or MJCF", remedy=remedy)
    root = xml.read(path)
    if xacro.needed(path, root):
        remedy = f"xacro {path} > arm.urdf"
        raise FormatError("a file with macros, which no peer reads", where=str(path), expected="URDF", remedy=remedy)
    return root.tag
