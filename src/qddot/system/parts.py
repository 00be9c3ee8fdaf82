"""Says which distribution brings a package that is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from qddot.errors import NotInstalledError

CORE = ("defusedxml", "flint", "platformdirs", "rich", "tomlkit")  # what qddot-core brings
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
    own = "qddot-core" if package in CORE else "qddot"
    name = f'"{own}[{EXTRAS[package]}]"' if package in EXTRAS else own
    return NotInstalledError(f"{package} is not installed, which this needs", remedy=f"`pip install {name}` brings it")


@contextmanager
def installed() -> Iterator[None]:
    """Turns the error that a package is missing into one that says what brings it; qddot-core is without many."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise not_installed(error) from None
