"""Says how to install, from a clone, what is missing, since qddot is in no package index."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from qddot.base.errors import NotInstalledError
from qddot.base.words.message import Message, say

CORE = ("defusedxml", "flint", "lark", "platformdirs", "rich", "tomlkit")  # what qddot-core installs
EXTRAS = {
    "anywidget": "widget",
    "dask": "sweep",
    "distributed": "sweep",
    "imageio_ffmpeg": "movie",
    "mujoco": "mjcf",
    "sympy": "sympy",
    "typst": "report",
    "zarr": "sweep",
}


def not_installed(error: ModuleNotFoundError) -> Exception:
    """Returns the error that says what to install, or the same error if the module is one of qddot's own."""
    package = str(error.name).partition(".")[0]
    if package == __package__.partition(".")[0]:
        return error
    extra = "" if package in CORE else EXTRAS.get(package, "full")
    return NotInstalledError("package-not-installed", package=package, remedy=remedy(extra))


def remedy(extra: str) -> Message:
    """Returns the command that installs an extra, or the core for ""."""
    return say("run-pip-install", what=f'".[{extra}]"' if extra else ".")


@contextmanager
def installed() -> Iterator[None]:
    """Turns an error about a missing package into one that says how to install it; qddot-core lacks many packages."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise not_installed(error) from None
