"""Finding a robot: by its name in the zoo or by a file's path."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

from qddot.errors import FormatError, did_you_mean, shortened
from qddot.formats import robot_file
from qddot.model.model import Model

ROBOT_FILE = "a robot file (.toml, .urdf)"
XML = (".urdf", ".xml")
LONGEST_PATH = 300  # characters that an error repeats
LARGEST_FILE = 1_000_000  # bytes; a robot file of a hundred links has 40,000
LARGEST_XML = 5_000_000  # a URDF of a hundred links has 200,000


def load(name_or_path: str | Path) -> Model:
    """A model from the zoo ("puma560"), a robot file ("arm.toml") or a URDF ("arm.urdf", or .xml).

    raises FormatError: no such name or file, or a file that is no robot's
    """
    if not isinstance(name_or_path, str | Path):
        raise FormatError(f"a robot {shortened(name_or_path)}", expected="a name or a path")
    text = str(name_or_path)
    if isinstance(name_or_path, str) and text in zoo():
        return robot_file.loads(_zoo_file(text).read_text(encoding="utf-8"), text)
    path = Path(name_or_path)
    if text and (path.suffix or _exists(path)):
        return _from_file(path)
    raise FormatError(
        f"no robot {shortened(text)}",
        expected="a name from `qddot list` or a file",
        remedy=did_you_mean(text, zoo()),
    )


def _from_file(path: Path) -> Model:
    """By the file's suffix; every one but those of XML is a robot file's."""
    if path.suffix.lower() not in XML:
        return robot_file.loads(_content(path, LARGEST_FILE), str(path))
    text = _content(path, LARGEST_XML)
    from qddot.formats import urdf

    return urdf.loads(text, str(path))


def zoo() -> list[str]:
    """The names of the robots that ship."""
    return sorted(entry.name.removesuffix(".toml") for entry in _zoo_files())


def _zoo_files() -> Iterator[Traversable]:
    folder = resources.files("qddot.model") / "zoo"
    return (entry for entry in folder.iterdir() if entry.name.endswith(".toml"))


def _zoo_file(name: str) -> Traversable:
    return resources.files("qddot.model") / "zoo" / f"{name}.toml"


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _content(path: Path, largest: int) -> str:
    where = str(path) if len(str(path)) < LONGEST_PATH else str(path)[:LONGEST_PATH] + "…"
    if not _exists(path):
        raise FormatError("the file does not exist", where=where, expected=ROBOT_FILE)
    if not path.is_file():
        kind = "a folder" if path.is_dir() else "no ordinary file"
        raise FormatError(kind, where=where, expected=ROBOT_FILE)
    try:
        if path.stat().st_size > largest:
            raise FormatError(f"{path.stat().st_size} bytes", where=where, expected=f"at most {largest}")
        # utf-8-sig: some editors put a mark at the front
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise FormatError("binary data", where=where, expected="a robot file in UTF-8 text") from None
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", where=where) from None
