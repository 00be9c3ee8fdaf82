"""Writes runs as NetCDF: HDF5 writes them into an open file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, BinaryIO, TypeVar

import h5netcdf
import xarray as xr
from xarray.backends import H5NetCDFStore

T = TypeVar("T")


def write(data: xr.Dataset, file: BinaryIO) -> None:
    """Writes a dataset. raises OSError: a full disk, for example"""
    patient = _Patient(file)
    try:
        with h5netcdf.File(patient, "w") as stored:
            data.dump_to_store(H5NetCDFStore(stored))
    except Exception as error:
        raise patient.error or error from None
    if patient.error:
        raise patient.error


class _Patient:
    """This open file keeps its first error for later, since a failed write makes HDF5 crash when Python exits."""

    def __init__(self, file: Any) -> None:
        self.file = file
        self.error: OSError | None = None

    def _done(self, action: Callable[..., T], *arguments: Any, otherwise: T) -> T:
        if self.error is None:
            try:
                return action(*arguments)
            except OSError as error:
                self.error = error
        return otherwise

    def write(self, data: Any) -> int:
        return self._done(self.file.write, data, otherwise=len(data))

    def read(self, size: int = -1) -> bytes:
        return self._done(self.file.read, size, otherwise=b"")

    def readinto(self, buffer: Any) -> int:
        return self._done(self.file.readinto, buffer, otherwise=len(buffer))

    def seek(self, place: int, whence: int = 0) -> int:
        return self._done(self.file.seek, place, whence, otherwise=place)

    def tell(self) -> int:
        return self._done(self.file.tell, otherwise=0)

    def truncate(self, size: int) -> int:
        return self._done(self.file.truncate, size, otherwise=size)

    def flush(self) -> None:
        self._done(self.file.flush, otherwise=None)
