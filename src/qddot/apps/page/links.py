"""Puts a whole robot into the fragment of an address, which browsers do not send to servers.

The fragment is the description as JSON, compressed by raw DEFLATE, in the characters of base64 for addresses.
"""

from __future__ import annotations

import base64
import json
import zlib
from contextlib import suppress
from typing import Any

from qddot.base.errors import FormatError
from qddot.formats.toml import robot_file
from qddot.robot.model import Model

LONGEST = 64_000  # the longest fragment that the page reads, in characters


def fragment_of(model: Model) -> str:
    """Returns the fragment. raises FormatError: the robot is too long for an address"""
    text = json.dumps(_in_its_frames(model), ensure_ascii=False, separators=(",", ":"))
    packing = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    packed = packing.compress(text.encode()) + packing.flush()
    fragment = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    if len(fragment) > LONGEST:
        raise FormatError("characters-most", where=model.name, count=f"{len(fragment):,}", longest=f"{LONGEST:,}")
    return fragment


def _in_its_frames(model: Model) -> dict[str, Any]:
    """Returns the content of a robot file: as rows if the arm's frames follow a table, else as a tree."""
    for convention in ("dh", "mdh"):
        with suppress(FormatError):
            return robot_file.to_mapping(model, convention)
    return robot_file.to_mapping(model)
