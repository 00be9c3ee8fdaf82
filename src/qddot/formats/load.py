"""Finding a robot: by its name in the zoo or by a file's path."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from qddot.errors import FormatError, did_you_mean
from qddot.formats import robot_file
from qddot.model.model import Model

LARGEST_FILE = 4_000_000  # bytes; a robot file of a hundred links has 40,000


def load(name_or_path: str | Path) -> Model:
    """A model from the zoo ("puma560") or from a robot file ("arm.toml").

    raises FormatError: no such name or file, or a file that is no robot's
    """
    text = str(name_or_path)
    if isinstance(name_or_path, str) and text in zoo():
        return robot_file.loads(_zoo_file(text).read_text(encoding="utf-8"), text)
    path = Path(name_or_path)
    if path.suffix == ".toml" or path.exists():
        return robot_file.loads(_content(path), str(path))
    if path.suffix:
        raise FormatError("the file does not exist", where=text, expected="a robot file (.toml)")
    raise FormatError(
        f"no robot {text!r}", expected="a name from `qddot list` or a file", remedy=did_you_mean(text, zoo())
    )


def zoo() -> list[str]:
    """The names of the robots that ship."""
    return sorted(entry.name.removesuffix(".toml") for entry in _zoo_files())


def _zoo_files() -> Iterator[Traversable]:
    folder = resources.files("qddot.model") / "zoo"
    return (entry for entry in folder.iterdir() if entry.name.endswith(".toml"))


def _zoo_file(name: str) -> Traversable:
    return resources.files("qddot.model") / "zoo" / f"{name}.toml"


def _content(path: Path) -> str:
    if path.is_dir():
        raise FormatError("a folder", where=str(path), expected="a robot file (.toml)")
    if not path.exists():
        raise FormatError("the file does not exist", where=str(path), expected="a robot file (.toml)")
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise FormatError(f"{path.stat().st_size} bytes", where=str(path), expected=f"at most {LARGEST_FILE}")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise FormatError("binary data", where=str(path), expected="a robot file in UTF-8 text") from None
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", where=str(path)) from None
