"""Checks whether files of a Zarr folder are intact: the chunks of arrays, which end with a checksum, and metadata.

A checksum says that a file is whole, but not whose it is. A seal says which files belong together, in which place of
which store.
"""

from __future__ import annotations

import errno
import hashlib
import json
import math
import os
import stat
import zlib
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from qddot.base.system import files

SIZE = 4  # bytes of a checksum
LARGEST = 1 << 36  # the most bytes of a chunk
BYTES = {"float64": 8, "int64": 8, "int32": 4, "int16": 2, "uint8": 1, "bool": 1}  # per number of each type


def of_json(content: Mapping[str, Any]) -> int:
    """Returns the CRC-32 of a metadata file's content, whatever its layout; −1 if it is nested too deeply."""
    try:
        return zlib.crc32(json.dumps(content, sort_keys=True).encode())
    except RecursionError:
        return -1


def ordinary(path: Path) -> bytes:
    """Returns the content of an ordinary file. raises OSError: it cannot be read, or is a pipe, a folder …"""
    return files.read(path, LARGEST)


def read(path: Path) -> bytes:
    """Returns the content of a chunk's file, which ends with the checksum (CRC-32C) of all bytes before it.

    raises OSError: as `ordinary`, or the checksum does not match
    """
    import google_crc32c

    content = ordinary(path)
    own, rest = content[-SIZE:], content[:-SIZE]
    if not rest or google_crc32c.value(rest) != int.from_bytes(own, "little"):
        raise OSError(errno.EIO, "its checksum does not match")
    return content


def problem(path: Path, sizes: tuple[int, int], in_full: bool) -> str:
    """Returns what is wrong with the file of a chunk, or "".

    sizes: the least and the most bytes that it may have; in_full: whether its content is read, too
    """
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):
            return "not an ordinary file"
        if not sizes[0] <= about.st_size <= sizes[1]:
            return f"it has {about.st_size} bytes"
        if in_full:
            read(path)
    except FileNotFoundError:
        return "it is missing"
    except OSError as error:
        return error.strerror or str(error)
    return ""


def seal(identity: str, place: int, files: Mapping[str, Path]) -> int:
    """Returns a positive fingerprint of files by the checksums at their ends, of their store and of their place in it.

    identity: that of the store; files: by the names of their arrays
    raises OSError: a file cannot be read
    """
    ends = {name: end_of(path) for name, path in files.items()}
    text = json.dumps([identity, place, ends], sort_keys=True)
    return 1 + int.from_bytes(hashlib.sha256(text.encode()).digest()[:7], "little")


def end_of(path: Path) -> int:
    """Returns the checksum at the end of a chunk's file. raises OSError: it cannot be read"""
    with path.open("rb") as file:
        file.seek(-SIZE, os.SEEK_END)
        return int.from_bytes(file.read(SIZE), "little")


def number_in(path: Path) -> int:
    """Returns the number in the file of an uncompressed chunk with one int64. raises OSError: as `read`"""
    return int.from_bytes(read(path)[:-SIZE], "little", signed=True)


def sizes_of(array: Mapping[str, Any]) -> tuple[int, int]:
    """Returns the least and the most bytes that a chunk of an array has, from its metadata.

    raises KeyError, TypeError: no metadata of an array
    """
    raw = BYTES[array["data_type"]] * math.prod(chunk_shape(array))
    packed = any(codec["name"] not in ("bytes", "crc32c") for codec in array["codecs"])
    return (1 + SIZE, 2 * raw + 1024) if packed else (raw + SIZE, raw + SIZE)


def size(arrays: Iterable[Mapping[str, Any]]) -> int:
    """Returns how many bytes the numbers of some arrays have. raises KeyError, TypeError: no metadata of arrays"""
    return sum(BYTES[array["data_type"]] * math.prod(array["shape"]) for array in arrays)


def chunk_shape(array: Mapping[str, Any]) -> list[int]:
    """Returns the shape of an array's chunks. raises KeyError, TypeError: no metadata of an array"""
    return [int(size) for size in array["chunk_grid"]["configuration"]["chunk_shape"]]


def chunk_file(name: str, places: Sequence[int]) -> str:
    """Returns the path of a chunk's file in the store's folder."""
    return "/".join((name, "c", *map(str, places)))
