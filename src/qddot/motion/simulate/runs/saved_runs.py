"""Writes the samples of a run as NetCDF or CSV, and makes a table of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from qddot.base.errors import SimulationError, shortened
from qddot.base.system import files
from qddot.base.words.message import Listed, Words, say
from qddot.motion.simulate.runs.samples import POSITION

if TYPE_CHECKING:
    import xarray as xr

FORMATS = {".nc": "NetCDF", ".csv": "CSV"}
SIMULATE = "simulate"  # the command that makes files of runs


def save(data: xr.Dataset, path: str | Path, overwrite: bool) -> Path:
    """Writes samples to a file in the format of its suffix, and returns its path.

    overwrite: whether a file is replaced that is there already and not a saved run
    raises SimulationError: another suffix, or a file that cannot be written or may not be replaced
    """

    def write(file: BinaryIO) -> None:
        if target.suffix == ".csv":
            table(data).to_csv(file, index=False)
        else:
            from qddot.motion.simulate.runs import netcdf

            plain = {key: int(value) if isinstance(value, bool) else value for key, value in data.attrs.items()}
            netcdf.write(data.assign_attrs(plain), file)

    target = checked_path(path, FORMATS, overwrite)
    files.save(
        {target: write},
        str(target),
        SIMULATE,
        overwrite,
        SimulationError,
        say("run-still-in-memory"),
    )
    return target


def table(data: xr.Dataset) -> Any:
    """Returns a pandas table with one row per sample: arm, time, then every quantity, by joint where it has one."""
    import xarray as xr

    columns: dict[str, Any] = {}
    for name, array in data.data_vars.items():
        if array.dims[:2] == ("arm", "time") and array.dims[2:] in (("joint",), (POSITION,)):
            (along,) = array.dims[2:]
            columns |= {f"{name}_{own}": array.isel({along: k}, drop=True) for k, own in enumerate(data[along].values)}
        elif array.dims == ("arm", "time", "law_state"):
            columns |= {f"{name}_{k}": array.isel(law_state=k) for k in range(array.sizes["law_state"])}
        elif array.dims == ("arm", "time"):
            columns[str(name)] = array
    return xr.Dataset(columns).to_dataframe().reset_index()


def checked_path(
    path: str | Path, formats: dict[str, str], overwrite: bool, maker: str = SIMULATE, remedy: Words = ""
) -> Path:
    """Returns a path that can be written to, with a known suffix.

    overwrite, maker: as in `files.save`; remedy: what else to do about another suffix
    raises SimulationError: any other path, or a file that may not be replaced
    """
    if not files.is_name(path):
        raise SimulationError("path-no-file-name", path=shortened(path))
    target = Path(path)
    if target.suffix not in formats:
        suffixes = Listed(f"{suffix} ({name})" for suffix, name in formats.items())
        kind = say("of-the-format", suffix=target.suffix) if target.suffix else say("without-suffix")
        raise SimulationError("file-of-unknown-format", target=target, kind=kind, expected=suffixes, remedy=remedy)
    if not files.may_hold(target.parent) or target.is_dir():
        raise SimulationError("file-in-no-folder", target=target)
    files.check([target], maker, overwrite, SimulationError)
    return target
